//! What a shell may add to a key that is half typed, as in `--set run.dur`.

use super::key::{Key, Kind};
use std::collections::BTreeMap;

/// Keys, and values of choices, that begin with `typed`, each with what it is. A key of a table ends with `.`, another
/// with `=`; an item of a list is offered as number 0, and any number or name that is typed is taken.
pub(crate) fn candidates(keys: &'static [Key], typed: &str) -> BTreeMap<String, &'static str> {
    let (path, value) = typed.split_once('=').map_or((typed, None), |(path, value)| (path, Some(value)));
    let (parents, last) = path.rsplit_once('.').map_or(("", path), |(parents, last)| (parents, last));
    let front = &path[..path.len() - last.len()];
    let scope = parents.split('.').filter(|s| !s.is_empty()).try_fold(Scope::Keys(keys), Scope::enter);
    let mut list = BTreeMap::new();
    match (scope, value) {
        (None, _) => {}
        (Some(Scope::Items(_)), None) if "0".starts_with(last) => {
            list.insert(format!("{front}0."), "the first of the list; a number counts, a name is taken too");
        }
        (Some(Scope::Items(_)), _) => {}
        (Some(Scope::Keys(keys)), None) => {
            for key in all(keys).into_iter().filter(|k| k.name.starts_with(last)) {
                let end = if Scope::of(key.kind).is_some() { '.' } else { '=' };
                list.insert(format!("{front}{}{end}", key.name), key.says);
            }
        }
        (Some(Scope::Keys(keys)), Some(value)) => {
            let found = all(keys).into_iter().filter(|k| k.name == last);
            let words = found.flat_map(|k| k.kind.words()).filter(|w| w.word.starts_with(value));
            list.extend(words.map(|word| (format!("{path}={}", word.word), word.says)));
        }
    }
    list
}

/// What a path leads to.
enum Scope {
    /// a table of keys
    Keys(&'static [Key]),
    /// a list of tables, or tables under names
    Items(&'static [Key]),
}

impl Scope {
    /// One step along a path.
    fn enter(self, segment: &str) -> Option<Scope> {
        match self {
            Scope::Items(keys) => Some(Scope::Keys(keys)),
            Scope::Keys(keys) => Scope::of(all(keys).into_iter().find(|k| k.name == segment)?.kind),
        }
    }

    /// What a key of this kind leads to; nothing, if it takes a value.
    fn of(kind: Kind) -> Option<Scope> {
        match kind {
            Kind::Table(keys) => Some(Scope::Keys(keys)),
            Kind::Tables(keys) | Kind::Named(keys) => Some(Scope::Items(keys)),
            _ => None,
        }
    }
}

/// Keys of a table, with those that its words bring.
fn all(keys: &'static [Key]) -> Vec<&'static Key> {
    let mut list = vec![];
    for key in keys {
        if !matches!(key.kind, Kind::Branch(_)) {
            list.push(key);
        }
        list.extend(key.kind.words().iter().flat_map(|word| all(word.keys)));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::key::Word;
    use super::*;

    const BOX: &[Key] = &[Key::flag("closed").says("it has a lid")];
    const ROUND: &[Key] = &[Key::count("sides", 3, 9).says("number of sides")];
    const SHAPES: &[Word] = &[Word::new("box", "a box"), Word::with("round", "a round one", ROUND)];
    const WALL: &[Key] = &[Key::choice("shape", SHAPES).says("its shape"), Key::table("box", BOX).says("of a box")];
    const KEYS: &[Key] = &[Key::tables("wall", WALL).says("walls"), Key::text("title").says("for people")];

    fn offered(typed: &str) -> Vec<String> {
        candidates(KEYS, typed).into_keys().collect()
    }

    #[test]
    fn keys_items_and_words_are_offered_as_far_as_the_path_leads() {
        assert_eq!(offered(""), ["title=", "wall."]);
        assert_eq!(offered("wall."), ["wall.0."]);
        assert_eq!(offered("wall.floor.s"), ["wall.floor.shape=", "wall.floor.sides="]);
        assert_eq!(offered("wall.1.box."), ["wall.1.box.closed="]);
        assert_eq!(offered("wall.1.shape=r"), ["wall.1.shape=round"]);
        assert_eq!(offered("wall.1.shape.round"), Vec::<String>::new());
        assert_eq!(offered("floor.0."), Vec::<String>::new());
    }
}
