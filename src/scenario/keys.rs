//! The table of all keys of a scenario. Each file that reads a table owns its keys; this one puts them together, and prints
//! the reference and the schema from them.

use super::{asteroid, bodies, collision, expect, gravity, material, method, output, region, settings, wall};
use crate::base::reader::key::{Key, Kind};
use crate::base::reader::{completion, reference, schema};
use std::collections::BTreeMap;

/// Keys at the top of a scenario.
pub(super) const KEYS: &[Key] = &[
    Key::count("format", 1, u64::MAX).required().says("version of the format, which is 1").eg("1"),
    Key::name("name").without("name of the file").says("name of the run directory").eg("\"my_pile\""),
    Key::text("title").without("empty").says("title for people").eg("\"A pile falls together\""),
    Key::count("seed", 0, u64::MAX).or_count(1).says("seed of every random choice").eg("7"),
    Key::table("run", settings::RUN).required().says("duration, time step and method"),
    Key::table("contact_dynamics", method::CONTACT_DYNAMICS)
        .says("settings of contact dynamics, for run.method = \"contact_dynamics\" alone"),
    Key::tables("material", material::KEYS)
        .required()
        .says("a contact material; two materials act with their springs in series and the mean of all else"),
    Key::tables("bodies", bodies::KEYS).required().says("a group of bodies that one generator makes"),
    Key::table("collision", collision::KEYS)
        .says("how two groups of bodies, target and projectile, meet; needs gravity of kind \"self\""),
    Key::tables("gravity", gravity::KEYS).says("a source of gravity; all sources are summed"),
    Key::table("asteroid", asteroid::KEYS)
        .says("a rigid body whose mass centre and axes all coordinates refer to, for soft spheres"),
    Key::tables("wall", wall::KEYS).says("a wall that bodies touch"),
    Key::tables("region", region::KEYS).says(
        "a box or a sphere whose bodies are counted and weighed in the series; the upper sides of a box do not count",
    ),
    Key::table("spin_up", method::SPIN_UP).says("rigid rotations about the common mass centre, added to all bodies"),
    Key::table("neighbours", settings::NEIGHBOURS).says("the neighbour search"),
    Key::table("output", output::KEYS).says("what a run writes"),
    Key::table("guards", settings::GUARDS).says("limits that stop a run gone wrong"),
    Key::with_kind("expect", Kind::Named(expect::KEYS)).says("a quantity that the run must reproduce, by its name"),
];

/// The reference of all keys, in Markdown.
pub fn reference() -> String {
    reference::markdown(KEYS)
}

/// The JSON schema of a scenario, for editors.
pub fn json_schema() -> String {
    let schema = schema::schema("Breccia scenario", KEYS);
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// What may follow `typed` on a command line: keys of a scenario and words that they take, each with what it is.
pub fn completions(typed: &str) -> BTreeMap<String, &'static str> {
    completion::candidates(KEYS, typed)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::base::reader::Reader;
    use crate::base::reader::key::Default;
    use crate::scenario::bundled::built_in;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// All keys of a table at once as `key = value`, and of each choice the word of this number. What conflicts is found
    /// later than it is read, so that nothing remains unread.
    fn full(keys: &[Key], choice: usize) -> Vec<String> {
        let mut list = vec![];
        for key in keys {
            let words = key.kind.words();
            let word = words.get(choice % words.len().max(1));
            let inline = |keys: &[Key]| format!("{{ {} }}", full(keys, choice).join(", "));
            let value = match key.kind {
                Kind::Choice(_) => word.map_or(String::new(), |w| format!("\"{}\"", w.word)),
                Kind::Table(keys) => inline(keys),
                Kind::Tables(keys) => format!("[{}]", inline(keys)),
                Kind::Named(keys) => format!("{{ mass_final = {} }}", inline(keys)),
                _ => key.example.to_owned(),
            };
            if !matches!(key.kind, Kind::Branch(_)) {
                list.push(format!("{} = {value}", key.name));
            }
            list.extend(word.into_iter().flat_map(|w| full(w.keys, choice)));
        }
        list
    }

    /// Notes every key by its path; a word that brings keys is in brackets: `bodies[generator=lattice].count`.
    fn walk(at: &str, keys: &[Key], list: &mut BTreeSet<String>) {
        for key in keys {
            let path = if at.is_empty() { key.name.to_owned() } else { format!("{at}.{}", key.name) };
            key.kind.keys().into_iter().for_each(|keys| walk(&path, keys, list));
            for word in key.kind.words() {
                walk(&format!("{at}[{}={}]", key.name, word.word), word.keys, list);
            }
            list.insert(path);
        }
    }

    fn asked(text: &str) -> BTreeSet<String> {
        let document = toml_edit::Document::parse(text.to_owned()).expect("TOML");
        let reader = Reader::new("test.toml", text, &[]).recording();
        parse::read(&reader.root(&document, KEYS), Path::new(""), None);
        reader.asked()
    }

    #[test]
    fn the_reader_asks_for_every_key_of_the_table_and_for_no_other() {
        let mut read: BTreeSet<String> = built_in().iter().flat_map(|b| asked(b.text)).collect();
        (0..42).for_each(|choice| read.extend(asked(&full(KEYS, choice).join("\n"))));
        let mut listed = BTreeSet::new();
        walk("", KEYS, &mut listed);
        let unread: Vec<&String> = listed.difference(&read).collect();
        assert!(unread.is_empty(), "no reader asks for {unread:?}");
        let unlisted: Vec<&String> = read.difference(&listed).collect();
        assert!(unlisted.is_empty(), "the table lacks {unlisted:?}");
    }

    /// Every key, with the words in front of it.
    fn all(keys: &'static [Key], list: &mut Vec<&'static Key>) {
        for key in keys {
            list.push(key);
            key.kind.keys().into_iter().for_each(|keys| all(keys, list));
            key.kind.words().iter().for_each(|word| all(word.keys, list));
        }
    }

    #[test]
    fn every_key_has_a_sentence_and_an_example_that_fit_into_a_table() {
        let mut list = vec![];
        all(KEYS, &mut list);
        for key in list.iter().filter(|k| !matches!(k.kind, Kind::Branch(_))) {
            assert!(!key.says.is_empty() && !key.says.ends_with('.'), "{}", key.name);
            assert!(key.says.len() < 200, "{}: {} characters", key.name, key.says.len());
            let table = matches!(key.kind, Kind::Table(_) | Kind::Tables(_) | Kind::Named(_));
            assert!(table || key.example.parse::<toml_edit::Value>().is_ok(), "{}: {}", key.name, key.example);
            if let (Kind::Choice(words), Default::Word(word)) = (key.kind, key.default) {
                assert!(words.iter().any(|w| w.word == word), "{}: unknown default {word}", key.name);
            }
        }
    }
}
