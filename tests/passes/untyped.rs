//! Counts what is left of untyped GPU data, from the texts of shaders and of the host. It prints the numbers:
//! `cargo test --test passes untyped -- --nocapture`. With `BRECCIA_43_IN=/path/to/a/checkout` it counts there, and
//! only prints.

use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Buffers of plain scalars, each of which is one element: an offset, an index, a key, a number. They need no struct.
const PLAIN: [(&str, &str); 44] = [
    ("body_contact", "incidence: 2 contact + side"),
    ("body_contact_count", "number of contacts of a body"),
    ("body_contact_offset", "first contact of a body"),
    ("body_part", "first further part of a body"),
    ("body_split", "splitting count of a body"),
    ("candidate_count", "number of contacts of a candidate"),
    ("cell_body", "index of a body"),
    ("cell_key", "key of a cell"),
    ("contact_offset", "first contact of a candidate"),
    ("depth", "depth of a pixel"),
    ("shadow_depth", "depth of a pixel"),
    ("entry_count", "number of entries of a body"),
    ("entry_load", "index of an entry"),
    ("entry_offset", "first entry of a body"),
    ("incident_offset", "first incidence of a body"),
    ("incident_pair", "incidence: 2 pair + side"),
    ("input", "number that a scan sums"),
    ("ground_mark", "1 of a body at the ground"),
    ("ground_offset", "number of bodies at the ground"),
    ("keys_in", "key that a sort moves"),
    ("keys_out", "key that a sort moves"),
    ("light", "packed colour of a pixel"),
    ("neighbour_count", "number of neighbours of a body"),
    ("neighbour_row", "neighbour of a body"),
    ("output", "sum of a scan"),
    ("owner", "index of what a pixel shows"),
    ("pair_offset", "first pair of a body"),
    ("pair_offset_next", "first pair of a body"),
    ("pair_offset_prev", "first pair of a body"),
    ("payload_in", "index that a sort moves"),
    ("payload_out", "index that a sort moves"),
    ("picture", "packed colour of a pixel"),
    ("room_cell", "key of a cell"),
    ("sums", "sum of a run of a scan"),
    ("surface_count", "number of facets near a body"),
    ("surface_offset", "first facet of a body"),
    ("tint", "packed colour of a body"),
    ("tree_index", "index of a body"),
    ("tree_rope", "index of a node"),
    ("upper_count", "number of pairs of a body"),
    ("wide_facets", "number of facets near a body in a run"),
    ("wide_offset", "first facet of a body in a run"),
    ("word", "word that is cleared"),
    ("body_self_pull", "size of self-gravity at a body"),
];

/// Buffers that stay untyped, with the reason.
const EXCEPTIONS: [(&str, &str); 8] = [
    ("argument", "numbers of a test of functions"),
    ("value", "numbers of a test of functions"),
    ("colour_count", "one buffer of 64 counters that several passes use for different numbers by turns"),
    ("entry_key", "low and high words of 64-bit keys; the radix sort goes over single words"),
    ("gravity_extent", "the largest of three axes, as one atomic word an axis"),
    ("incident_body", "bound to a list of bodies, or in crowded runs to the two words of entry_key"),
    ("shape_data", "points, faces and sides of shapes one after the other, by the offsets of shape_part"),
    ("tree_key", "low and high words of 64-bit keys; the radix sort goes over single words"),
];

/// What was found: spots as `file:line`, with the text.
#[derive(Default)]
struct Found {
    bindings: Vec<String>,
    accesses: Vec<String>,
    host: Vec<String>,
    free: Vec<String>,
    pseudo: Vec<String>,
}

/// Files below `directory` that end in `.ext`, sorted, with their lines without comments.
fn texts(directory: &Path, ext: &str) -> Vec<(PathBuf, Vec<String>)> {
    let mut found = vec![];
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|e| panic!("{}: {e}", next.display())).flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|e| e == ext) => {
                    let text = std::fs::read_to_string(&path).expect("text");
                    let lines = text.lines().map(|l| l.split("//").next().unwrap_or("").to_owned());
                    found.push((path, lines.collect()));
                }
                false => {}
            }
        }
    }
    found.sort();
    found
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// Declaration of a buffer: space, name, type.
static BINDING: LazyLock<Regex> = LazyLock::new(|| pattern(r"var<(storage|uniform)[^>]*> (\w+): *(.*);"));
/// An element of a buffer: its name and the index, which may hold an index itself.
static ACCESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\w+)\[([^\[\]]*(?:\[[^\[\]]*\])?[^\[\]]*)\]"));
/// An index made by hand: a product or a sum with a number, a number, or a constant.
static BY_HAND: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b\d+u? \*|\* \d+u?\b|\+ \d+u?\b|^\d+u?$|\b[A-Z][A-Z_0-9]+\b"));
/// A variable that is indexed or has members.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|[^\w.])([a-z]\w*)(?:\[|\.)"));

/// A binding: its name, and whether its elements are scalars, vectors (both untyped) or structs.
struct Binding {
    name: String,
    element: Element,
}

#[derive(PartialEq)]
enum Element {
    Scalar,
    Vector,
    Struct,
    Uniform,
}

fn binding(line: &str) -> Option<Binding> {
    let found = BINDING.captures(line)?;
    let kind = found[3].trim();
    let element = match kind.strip_prefix("array<").map(|k| k.trim_start_matches("atomic<")) {
        _ if &found[1] == "uniform" => Element::Uniform,
        Some(k) if k.starts_with("vec") => Element::Vector,
        Some(k) if ["u32", "i32", "f32"].iter().any(|s| k.starts_with(s)) => Element::Scalar,
        _ => Element::Struct,
    };
    Some(Binding { name: found[2].to_owned(), element })
}

impl Binding {
    fn untyped(&self) -> bool {
        let plain = || PLAIN.iter().any(|(name, _)| *name == self.name);
        self.element == Element::Vector || self.element == Element::Scalar && !plain()
    }
}

/// Counts in the checkout at `root`.
fn count(root: &Path) -> Found {
    let shaders = texts(&root.join("wgsl"), "wgsl");
    let mut found = Found::default();
    let bindings = |lines: &[String]| lines.iter().filter_map(|l| binding(l)).collect::<Vec<_>>();
    let all: Vec<Binding> = shaders.iter().flat_map(|(_, lines)| bindings(lines)).collect();
    let names: BTreeSet<&str> = all.iter().map(|b| b.name.as_str()).collect();
    let untyped: BTreeSet<&str> = all.iter().filter(|b| b.untyped()).map(|b| b.name.as_str()).collect();
    for (path, lines) in &shaders {
        let at = |k: usize| format!("{}:{}: {}", path.display(), k + 1, lines[k].trim());
        let own: BTreeSet<String> = bindings(lines).into_iter().map(|b| b.name).collect();
        let text = lines.join("\n");
        let mut missing = BTreeSet::new();
        for (k, line) in lines.iter().enumerate() {
            match binding(line) {
                Some(b) if b.untyped() => found.bindings.push(at(k)),
                Some(_) => {}
                None => {
                    found.accesses.extend(computed(line, &untyped).map(|_| at(k)));
                    missing.extend(uses(line, &names).filter(|n| !own.contains(*n) && !local(&text, n)));
                }
            }
        }
        let is_pass = lines.iter().any(|l| l.starts_with("@compute"));
        if !missing.is_empty() && !is_pass {
            found.free.push(format!("{}: {}", path.display(), Vec::from_iter(missing).join(" ")));
        }
    }
    host(root, &mut found);
    found
}

/// Accesses to untyped buffers at an index that is computed by hand: a product or a sum with a number, or a constant.
fn computed<'a>(line: &'a str, untyped: &BTreeSet<&str>) -> impl Iterator<Item = &'a str> {
    let hits: Vec<&str> = ACCESS
        .captures_iter(line)
        .filter(|c| untyped.contains(&c[1]) && BY_HAND.is_match(&c[2]))
        .filter_map(|c| Some(c.get(0)?.as_str()))
        .collect();
    hits.into_iter()
}

/// Names of bindings that a line uses as variables.
fn uses<'a>(line: &'a str, names: &BTreeSet<&'a str>) -> impl Iterator<Item = &'a str> {
    let found: Vec<&str> =
        VARIABLE.captures_iter(line).filter_map(|c| names.get(c.get(1)?.as_str()).copied()).collect();
    found.into_iter()
}

/// True if a file declares `name` as a variable or parameter of a function.
fn local(text: &str, name: &str) -> bool {
    pattern(&format!(r"\b(?:let|var|const) {name}\b|[(,] *{name}: |var<\w+> {name}\b")).is_match(text)
}

/// Rows of GPU data that the host reads by number, `rows[i][3]`, and counts that are conditions.
fn host(root: &Path, found: &mut Found) {
    let double = pattern(r"[\w)]\[([^\[\]]+)\]\[(\d)\]");
    // of a small matrix both indices are numbers
    let matrix = pattern(r"^\d$");
    let zero_or_one = pattern(r#"\("([a-z_]+)", [01]\)"#);
    let arithmetic = pattern(r#"\.min\(1\)|\(1 - |of\("\w+"\) > 0|\bpolyhedra \*|\bsweep \*|c\.of\("soft"\) \*"#);
    for (path, lines) in texts(&root.join("src"), "rs") {
        let gpu = ["src/engine", "src/gpu", "src/verify", "src/reference", "src/solver"].map(|d| root.join(d));
        let counts = lines.iter().any(|l| l.contains("pub struct Counts") || l.contains("static TABLE: &[BufferSpec]"));
        for (k, line) in lines.iter().enumerate() {
            let at = || format!("{}:{}: {}", path.display(), k + 1, line.trim());
            if gpu.iter().any(|d| path.starts_with(d)) {
                found.host.extend(double.captures_iter(line).filter(|c| !matrix.is_match(&c[1])).map(|_| at()));
            }
            if counts && (arithmetic.is_match(line) || zero_or_one.captures_iter(line).any(|c| &c[1] != "one")) {
                found.pseudo.push(at());
            }
        }
    }
}

#[test]
fn untyped_data_is_in_the_table() {
    let other = std::env::var_os("BRECCIA_43_IN").map(PathBuf::from);
    let root = other.clone().unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    let found = count(&root);
    let all = [
        ("untyped storage bindings", &found.bindings),
        ("hand-computed accesses in WGSL", &found.accesses),
        ("rows read by number on the host", &found.host),
        ("modules with free variables", &found.free),
        ("pseudo-counts and arithmetic with them", &found.pseudo),
    ];
    for (what, spots) in all {
        println!("{:>4} {what}", spots.len());
    }
    if std::env::var_os("BRECCIA_43_PLACES").is_some() {
        all.iter().for_each(|(what, spots)| println!("\n{what}\n{}", spots.join("\n")));
    }
    if other.is_some() {
        return;
    }
    let excepted = |name: &str| EXCEPTIONS.iter().any(|(n, _)| *n == name);
    let stray: Vec<&String> = found
        .bindings
        .iter()
        .filter(|spot| !spot.split_once(": ").and_then(|(_, l)| binding(l)).is_some_and(|b| excepted(&b.name)))
        .collect();
    assert!(stray.is_empty(), "an element of several words needs a struct of wgsl/state: {stray:#?}");
    assert!(found.bindings.len() <= 40, "{} bindings are untyped", found.bindings.len());
    for (name, reason) in EXCEPTIONS {
        assert!(found.bindings.iter().any(|b| b.contains(&format!("> {name}:"))), "{name} ({reason}) is not bound");
    }
    assert!(found.pseudo.is_empty(), "a condition is a feature, not a count of 0 or 1: {:#?}", found.pseudo);
    assert!(found.free.is_empty(), "modules use variables that they do not declare: {:#?}", found.free);
}
