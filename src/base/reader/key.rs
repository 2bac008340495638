//! The table of keys: what a key of a file is called, what it holds, its default, one sentence and an example. The reader
//! takes its bounds, words and defaults from here; reference, JSON schema and hints are printed from here.

use crate::base::quantity::Dimension;
use crate::base::readable;

/// One key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// as it is typed
    pub name: &'static str,
    /// what it holds
    pub kind: Kind,
    /// what holds without it
    pub default: Default,
    /// one sentence about it, without a full stop
    pub says: &'static str,
    /// a value as TOML
    pub example: &'static str,
}

/// What a key holds.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// a number in SI, or a string with a unit
    Number(Dimension, Bounds),
    /// a whole number between these two
    Count(u64, u64),
    /// true or false
    Flag,
    /// a string
    Text,
    /// a string of letters, digits, `_` and `-`
    Name,
    /// one of several words, of which each may bring keys of its own into the table
    Choice(&'static [Word]),
    /// three numbers
    Vector(Dimension),
    /// a list of points
    Points(Dimension),
    /// a list of numbers
    Numbers(Dimension),
    /// a number, or a list of numbers, of which each may be this word
    NumbersOr(Dimension, &'static str),
    /// a list of pairs of numbers
    Pairs,
    /// a list of strings
    Texts,
    /// a table of these keys
    Table(&'static [Key]),
    /// a list of tables of these keys
    Tables(&'static [Key]),
    /// a table of tables of these keys, under names that the user chooses
    Named(&'static [Key]),
    /// a table whose keys are those of a scenario
    Settings,
    /// a list of tables of these keys, and of keys of a scenario
    SettingsWith(&'static [Key]),
    /// any of several kinds
    Either(&'static [Kind]),
    /// no key, but a branch of the table: which keys there are depends on a key elsewhere
    Branch(&'static [Word]),
}

/// A word that a key takes.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// as it is typed
    pub word: &'static str,
    /// what it means, without a full stop
    pub says: &'static str,
    /// keys that the table has with this word alone
    pub keys: &'static [Key],
}

/// Where a number may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// anywhere
    Any,
    /// above 0
    Positive,
    /// at 0 or above
    NotNegative,
    /// between two numbers, which belong to it
    Within(f64, f64),
    /// above 0, at most this
    UpTo(f64),
}

/// What holds without a key.
#[derive(Debug, Clone, Copy)]
pub enum Default {
    /// it must be there
    Required,
    /// this number
    Number(f64),
    /// this whole number
    Count(u64),
    /// this one
    Flag(bool),
    /// this word
    Word(&'static str),
    /// three zeros
    Zero,
    /// what this says, `none` included
    Says(&'static str),
}

impl Key {
    const fn new(name: &'static str, kind: Kind) -> Key {
        Key { name, kind, default: Default::Says("none"), says: "", example: "" }
    }

    /// A number.
    pub const fn number(name: &'static str, dimension: Dimension) -> Key {
        Key::new(name, Kind::Number(dimension, Bounds::Any))
    }

    /// A number above 0.
    pub const fn positive(name: &'static str, dimension: Dimension) -> Key {
        Key::new(name, Kind::Number(dimension, Bounds::Positive))
    }

    /// A number that is not negative.
    pub const fn not_negative(name: &'static str, dimension: Dimension) -> Key {
        Key::new(name, Kind::Number(dimension, Bounds::NotNegative))
    }

    /// A number between two others.
    pub const fn within(name: &'static str, dimension: Dimension, low: f64, high: f64) -> Key {
        Key::new(name, Kind::Number(dimension, Bounds::Within(low, high)))
    }

    /// A number above 0, up to another.
    pub const fn up_to(name: &'static str, dimension: Dimension, high: f64) -> Key {
        Key::new(name, Kind::Number(dimension, Bounds::UpTo(high)))
    }

    /// A whole number.
    pub const fn count(name: &'static str, least: u64, most: u64) -> Key {
        Key::new(name, Kind::Count(least, most))
    }

    /// True or false; false without it.
    pub const fn flag(name: &'static str) -> Key {
        Key { default: Default::Flag(false), ..Key::new(name, Kind::Flag) }
    }

    /// A string.
    pub const fn text(name: &'static str) -> Key {
        Key::new(name, Kind::Text)
    }

    /// A name.
    pub const fn name(name: &'static str) -> Key {
        Key::new(name, Kind::Name)
    }

    /// One of several words.
    pub const fn choice(name: &'static str, words: &'static [Word]) -> Key {
        Key { default: Default::Required, ..Key::new(name, Kind::Choice(words)) }
    }

    /// Three numbers.
    pub const fn vector(name: &'static str, dimension: Dimension) -> Key {
        Key::new(name, Kind::Vector(dimension))
    }

    /// A table.
    pub const fn table(name: &'static str, keys: &'static [Key]) -> Key {
        Key::new(name, Kind::Table(keys))
    }

    /// A list of tables.
    pub const fn tables(name: &'static str, keys: &'static [Key]) -> Key {
        Key::new(name, Kind::Tables(keys))
    }

    /// Any of several kinds.
    pub const fn either(name: &'static str, kinds: &'static [Kind]) -> Key {
        Key::new(name, Kind::Either(kinds))
    }

    /// Any other kind.
    pub const fn with_kind(name: &'static str, kind: Kind) -> Key {
        Key::new(name, kind)
    }

    /// Keys that depend on a key of another table, which `name` names.
    pub const fn branch(name: &'static str, words: &'static [Word]) -> Key {
        Key::new(name, Kind::Branch(words))
    }

    /// The key, which must be there.
    pub const fn required(self) -> Key {
        Key { default: Default::Required, ..self }
    }

    /// The key; without it this number holds.
    pub const fn or(self, number: f64) -> Key {
        Key { default: Default::Number(number), ..self }
    }

    /// The key; without it this whole number holds.
    pub const fn or_count(self, count: u64) -> Key {
        Key { default: Default::Count(count), ..self }
    }

    /// The key; without it this word holds.
    pub const fn or_word(self, word: &'static str) -> Key {
        Key { default: Default::Word(word), ..self }
    }

    /// The key; without it three zeros hold.
    pub const fn or_zero(self) -> Key {
        Key { default: Default::Zero, ..self }
    }

    /// The key, and in words what holds without it.
    pub const fn without(self, says: &'static str) -> Key {
        Key { default: Default::Says(says), ..self }
    }

    /// The key and its sentence.
    pub const fn says(self, says: &'static str) -> Key {
        Key { says, ..self }
    }

    /// The key and an example of its value.
    pub const fn eg(self, example: &'static str) -> Key {
        Key { example, ..self }
    }
}

impl Word {
    /// A word without keys of its own.
    pub const fn new(word: &'static str, says: &'static str) -> Word {
        Word { word, says, keys: &[] }
    }

    /// A word with keys of its own.
    pub const fn with(word: &'static str, says: &'static str, keys: &'static [Key]) -> Word {
        Word { word, says, keys }
    }
}

impl Kind {
    /// The kinds that this one is made of: itself, if it is not several.
    pub fn each(&self) -> &[Kind] {
        match self {
            Kind::Either(kinds) => kinds,
            one => std::slice::from_ref(one),
        }
    }

    /// The words that it takes, if it takes words.
    pub fn words(&self) -> &'static [Word] {
        let words = |kind: &Kind| match kind {
            Kind::Choice(words) | Kind::Branch(words) => Some(*words),
            _ => None,
        };
        self.each().iter().find_map(words).unwrap_or(&[])
    }

    /// The dimension of its numbers.
    pub fn dimension(&self) -> Option<Dimension> {
        self.each().iter().find_map(|kind| match kind {
            Kind::Number(dimension, _) | Kind::Vector(dimension) => Some(*dimension),
            Kind::Points(dimension) | Kind::Numbers(dimension) | Kind::NumbersOr(dimension, _) => Some(*dimension),
            _ => None,
        })
    }

    /// The keys of the table that it holds, or of each of the tables.
    pub fn keys(&self) -> Vec<&'static [Key]> {
        let keys = |kind: &Kind| match kind {
            Kind::Table(keys) | Kind::Tables(keys) | Kind::Named(keys) | Kind::SettingsWith(keys) => Some(*keys),
            _ => None,
        };
        self.each().iter().filter_map(keys).collect()
    }
}

impl Bounds {
    /// A number that is allowed.
    pub fn some(self) -> f64 {
        match self {
            Bounds::Any | Bounds::Positive | Bounds::NotNegative => 1.0,
            Bounds::Within(low, high) => 0.5 * (low + high),
            Bounds::UpTo(high) => high,
        }
    }

    /// What is wrong with a number, and what would be right.
    pub fn fault(self, value: f64) -> Option<[String; 2]> {
        let [wrong, right] = match self {
            Bounds::Positive if value <= 0.0 => ["is not positive".to_owned(), "type a number above 0".into()],
            Bounds::NotNegative if value < 0.0 => ["is negative".to_owned(), "type 0 or more".into()],
            Bounds::Within(low, high) if !(low..=high).contains(&value) => {
                let [low, high] = [low, high].map(readable::number);
                [format!("is outside [{low}, {high}]"), format!("type a number from {low} to {high}")]
            }
            Bounds::UpTo(high) if value <= 0.0 || value > high => {
                [format!("is not above 0 and at most {high}"), format!("type a number above 0, up to {high}")]
            }
            _ => return None,
        };
        Some([format!("{value} {wrong}"), right])
    }
}
