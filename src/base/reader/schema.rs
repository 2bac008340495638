//! The table of keys as a JSON schema (draft 7), by which editors complete and check files.

use super::join;
use super::key::{Bounds, Default, Key, Kind, Word};
use crate::base::quantity::Dimension;
use serde_json::{Map, Value, json};

/// The schema of a file with these keys.
pub(crate) fn schema(title: &str, keys: &'static [Key]) -> Value {
    let mut writer = Writer::default();
    let mut root = writer.object("", &keys.iter().collect::<Vec<_>>(), &[]);
    if let Some(map) = root.as_object_mut() {
        map.insert("$schema".into(), json!("http://json-schema.org/draft-07/schema#"));
        map.insert("title".into(), json!(title));
        map.insert("definitions".into(), writer.definitions.into());
    }
    root
}

/// Collects what is used in several places.
#[derive(Default)]
struct Writer {
    definitions: Map<String, Value>,
}

impl Writer {
    /// A reference to a definition; one of the same name and another content gets a number.
    fn define(&mut self, name: &str, value: Value) -> Value {
        let numbered = (1..).map(|k| if k == 1 { name.to_owned() } else { format!("{name}.{k}") });
        let free = |name: &String| self.definitions.get(name).is_none_or(|known| *known == value);
        let name = numbered.into_iter().find(free).unwrap_or_default();
        self.definitions.insert(name.clone(), value);
        json!({ "$ref": format!("#/definitions/{name}") })
    }

    /// A table at this path that has all these keys, with the words that were chosen: one alternative for each word that
    /// brings keys.
    fn object(&mut self, at: &str, keys: &[&'static Key], chosen: &[(&'static Key, &'static Word)]) -> Value {
        let is_open = |key: &&&'static Key| {
            key.kind.words().iter().any(|w| !w.keys.is_empty()) && chosen.iter().all(|c| c.0.name != key.name)
        };
        let Some(open) = keys.iter().find(is_open) else {
            return self.closed(at, keys, chosen);
        };
        let mut with = |word: &'static Word| {
            let keys: Vec<&'static Key> = keys.iter().copied().chain(word.keys).collect();
            self.object(at, &keys, &[chosen, &[(open, word)]].concat())
        };
        json!({ "anyOf": open.kind.words().iter().map(&mut with).collect::<Vec<_>>() })
    }

    /// A table of these keys and no others.
    fn closed(&mut self, at: &str, keys: &[&'static Key], chosen: &[(&'static Key, &'static Word)]) -> Value {
        let (mut properties, mut required) = (Map::new(), vec![]);
        for key in keys.iter().filter(|k| !matches!(k.kind, Kind::Branch(_))) {
            let word = chosen.iter().find(|c| c.0.name == key.name).map(|c| c.1);
            let value = word.map_or_else(|| self.of_key(at, key), of_word);
            properties.insert(key.name.into(), value);
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

    fn of_key(&mut self, at: &str, key: &Key) -> Value {
        let path = join(at, key.name);
        let mut kinds: Vec<Value> = key.kind.each().iter().map(|kind| self.of_kind(&path, kind)).collect();
        // what is next to a reference is not read, so it goes around it
        let mut value = match &kinds[..] {
            [one] if one.get("$ref").is_none() => kinds.remove(0),
            _ => json!({ "anyOf": kinds }),
        };
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

    fn table(&mut self, at: &str, keys: &'static [Key]) -> Value {
        let object = self.object(at, &keys.iter().collect::<Vec<_>>(), &[]);
        self.define(at, object)
    }

    /// What a value of this kind may be.
    fn of_kind(&mut self, at: &str, kind: &Kind) -> Value {
        let list = |item: Value| json!({ "type": "array", "items": item });
        match kind {
            Kind::Number(dimension, bounds) => self.number(*dimension, *bounds),
            Kind::Count(least, u64::MAX) => json!({ "type": "integer", "minimum": least }),
            Kind::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Text => json!({ "type": "string" }),
            Kind::Name => json!({ "type": "string", "pattern": r"^[\p{L}\p{N}_-]+$" }),
            Kind::Choice(words) => json!({ "enum": words.iter().map(|w| w.word).collect::<Vec<_>>() }),
            Kind::Vector(dimension) => self.vector(*dimension),
            Kind::Points(dimension) => list(self.vector(*dimension)),
            Kind::Numbers(dimension) => list(self.number(*dimension, Bounds::Any)),
            Kind::NumbersOr(dimension, word) => {
                let one = json!({ "anyOf": [self.number(*dimension, Bounds::Positive), { "const": word }] });
                json!({ "anyOf": [one.clone(), list(one)] })
            }
            Kind::Pairs => {
                list(json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }))
            }
            Kind::Texts => list(json!({ "type": "string" })),
            Kind::Table(keys) => self.table(at, keys),
            Kind::Tables(keys) => list(self.table(at, keys)),
            Kind::Named(keys) => json!({ "type": "object", "additionalProperties": self.table(at, keys) }),
            Kind::SettingsWith(keys) => {
                let own: Map<String, Value> = keys.iter().map(|k| (k.name.to_owned(), self.of_key(at, k))).collect();
                list(json!({ "type": "object", "properties": own }))
            }
            Kind::Settings | Kind::Either(_) | Kind::Branch(_) => json!({ "type": "object" }),
        }
    }

    fn vector(&mut self, dimension: Dimension) -> Value {
        let number = self.number(dimension, Bounds::Any);
        let vector = json!({ "type": "array", "items": number, "minItems": 3, "maxItems": 3 });
        self.define(&named("vector", dimension), vector)
    }

    /// A number: bare, or as a string with a unit.
    fn number(&mut self, dimension: Dimension, bounds: Bounds) -> Value {
        let mut bare = Map::from_iter([("type".to_owned(), json!("number"))]);
        let mut limit = |name: &str, value: f64| {
            bare.insert(name.into(), json!(value));
        };
        match bounds {
            Bounds::Any => {}
            Bounds::Positive => limit("exclusiveMinimum", 0.0),
            Bounds::NotNegative => limit("minimum", 0.0),
            Bounds::Within(low, high) => {
                limit("minimum", low);
                limit("maximum", high);
            }
            Bounds::UpTo(high) => {
                limit("exclusiveMinimum", 0.0);
                limit("maximum", high);
            }
        }
        let units: Vec<String> = dimension.units().map(|u| u.replace('^', r"\^")).collect();
        let unit = if units.is_empty() { String::new() } else { format!(r"( +({}))?", units.join("|")) };
        let pattern = format!(r"^\s*[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?{unit}\s*$");
        let text = self.define(&named("text", dimension), json!({ "type": "string", "pattern": pattern }));
        json!({ "anyOf": [bare, text] })
    }
}

fn of_word(word: &'static Word) -> Value {
    json!({ "const": word.word, "description": word.says })
}

/// Name of the definition of numbers of a dimension, by their unit.
fn named(what: &str, dimension: Dimension) -> String {
    let unit: String = dimension.unit().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    format!("{what}_{}", if unit.is_empty() { "pure" } else { &unit })
}
