//! The table of keys as a JSON schema (draft 7), by which editors complete and check files.

use super::key::{Bounds, Default, Key, Kind, Word};
use crate::base::quantity::Dimension;
use serde_json::{Map, Value, json};

/// The schema of a file with these keys.
pub fn schema(title: &str, keys: &'static [Key]) -> Value {
    let mut root = object(&keys.iter().collect::<Vec<_>>(), &[]);
    if let Some(map) = root.as_object_mut() {
        map.insert("$schema".into(), json!("http://json-schema.org/draft-07/schema#"));
        map.insert("title".into(), json!(title));
    }
    root
}

/// A table that has all these keys, with the words that were chosen: one alternative for each word that brings keys.
fn object(keys: &[&'static Key], chosen: &[(&'static Key, &'static Word)]) -> Value {
    let is_open = |key: &&&'static Key| {
        key.kind.words().iter().any(|w| !w.keys.is_empty()) && chosen.iter().all(|c| c.0.name != key.name)
    };
    let Some(open) = keys.iter().find(is_open) else {
        return closed(keys, chosen);
    };
    let with = |word: &'static Word| {
        let keys: Vec<&'static Key> = keys.iter().copied().chain(word.keys).collect();
        object(&keys, &[chosen, &[(open, word)]].concat())
    };
    json!({ "anyOf": open.kind.words().iter().map(with).collect::<Vec<_>>() })
}

/// A table of these keys and no others.
fn closed(keys: &[&'static Key], chosen: &[(&'static Key, &'static Word)]) -> Value {
    let (mut properties, mut required) = (Map::new(), vec![]);
    for key in keys.iter().filter(|k| !matches!(k.kind, Kind::Branch(_))) {
        let word = chosen.iter().find(|c| c.0.name == key.name).map(|c| c.1);
        properties.insert(key.name.into(), word.map_or_else(|| of_key(key), of_word));
        let needed = match key.default {
            Default::Required => true,
            Default::Word(default) => word.is_some_and(|w| w.word != default),
            _ => false,
        };
        if needed {
            required.push(key.name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn of_word(word: &'static Word) -> Value {
    json!({ "const": word.word, "description": word.says })
}

fn of_key(key: &Key) -> Value {
    let mut kinds: Vec<Value> = key.kind.each().iter().flat_map(of_kind).collect();
    let mut value = if kinds.len() == 1 { kinds.remove(0) } else { json!({ "anyOf": kinds }) };
    if let Some(map) = value.as_object_mut() {
        map.insert("description".into(), json!(key.says));
        match key.default {
            Default::Number(number) => map.insert("default".into(), json!(number)),
            Default::Count(count) => map.insert("default".into(), json!(count)),
            Default::Flag(flag) => map.insert("default".into(), json!(flag)),
            Default::Word(word) => map.insert("default".into(), json!(word)),
            Default::Zero => map.insert("default".into(), json!([0, 0, 0])),
            Default::Required | Default::Says(_) => None,
        };
    }
    value
}

/// What a value of this kind may be; one schema for each of its spellings.
fn of_kind(kind: &Kind) -> Vec<Value> {
    let list = |item: Value| vec![json!({ "type": "array", "items": item })];
    let table = |keys: &'static [Key]| object(&keys.iter().collect::<Vec<_>>(), &[]);
    let vector = |dimension: Dimension| {
        let number = any(number(dimension, Bounds::Any));
        json!({ "type": "array", "items": number, "minItems": 3, "maxItems": 3 })
    };
    match kind {
        Kind::Number(dimension, bounds) => number(*dimension, *bounds),
        Kind::Count(least, u64::MAX) => vec![json!({ "type": "integer", "minimum": least })],
        Kind::Count(least, most) => vec![json!({ "type": "integer", "minimum": least, "maximum": most })],
        Kind::Flag => vec![json!({ "type": "boolean" })],
        Kind::Text => vec![json!({ "type": "string" })],
        Kind::Name => vec![json!({ "type": "string", "pattern": r"^[\p{L}\p{N}_-]+$" })],
        Kind::Choice(words) => vec![json!({ "enum": words.iter().map(|w| w.word).collect::<Vec<_>>() })],
        Kind::Vector(dimension) => vec![vector(*dimension)],
        Kind::Points(dimension) => list(vector(*dimension)),
        Kind::Numbers(dimension) => list(any(number(*dimension, Bounds::Any))),
        Kind::Pairs => list(json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 })),
        Kind::Texts => list(json!({ "type": "string" })),
        Kind::Table(keys) => vec![table(keys)],
        Kind::Tables(keys) => list(table(keys)),
        Kind::Named(keys) => vec![json!({ "type": "object", "additionalProperties": table(keys) })],
        Kind::Settings => vec![json!({ "type": "object" })],
        Kind::SettingsWith(keys) => {
            let own: Map<String, Value> = keys.iter().map(|k| (k.name.to_owned(), of_key(k))).collect();
            list(json!({ "type": "object", "properties": own }))
        }
        Kind::Either(_) | Kind::Branch(_) => vec![],
    }
}

/// A number: bare, or as a string with a unit.
fn number(dimension: Dimension, bounds: Bounds) -> Vec<Value> {
    let mut bare = Map::from_iter([("type".to_owned(), json!("number"))]);
    let mut limit = |name: &str, value: f64| bare.insert(name.into(), json!(value));
    match bounds {
        Bounds::Any => None,
        Bounds::Positive => limit("exclusiveMinimum", 0.0),
        Bounds::NotNegative => limit("minimum", 0.0),
        Bounds::Within(low, high) => {
            limit("minimum", low);
            limit("maximum", high)
        }
        Bounds::UpTo(high) => {
            limit("exclusiveMinimum", 0.0);
            limit("maximum", high)
        }
    };
    let units: Vec<String> = dimension.units().map(|u| u.replace('^', r"\^")).collect();
    let unit = if units.is_empty() { String::new() } else { format!(r"( +({}))?", units.join("|")) };
    let pattern = format!(r"^\s*[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?{unit}\s*$");
    vec![bare.into(), json!({ "type": "string", "pattern": pattern })]
}

fn any(kinds: Vec<Value>) -> Value {
    json!({ "anyOf": kinds })
}
