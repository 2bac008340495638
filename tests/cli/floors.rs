//! Who may import whom: the floors of `src/`, in order. Each imports only those below it; no folders and no more than three
//! files of one import each other in a circle.

mod source;

use source::{Import, imports};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// From the ground up. The command line is the floor at the top; `lib.rs` and `main.rs` only name floors.
const FLOORS: [&str; 15] = [
    "base", "geometry", "model", "physics", "scenario", "gpu", "engine", "record", "analysis", "render", "view",
    "campaign", "bench", "verify", "cli",
];

/// What a floor does not import although it lies below: passes and buffers know no physics.
const APART: [[&str; 2]; 2] = [["gpu", "physics"], ["gpu", "scenario"]];

/// Most files of a circle inside one floor.
const CIRCLE_MAX: usize = 3;

/// All Rust files below `src`, by their path from there.
fn files() -> BTreeMap<String, String> {
    fn walk(folder: &Path, root: &Path, found: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, root, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                found.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    walk(&root, &root, &mut found);
    found
}

fn floor(file: &str) -> &str {
    file.split('/').next().unwrap_or_default()
}

fn shown(i: &Import) -> String {
    format!("src/{}:{}: `{}` is in src/{}", i.file, i.line, i.path, i.target)
}

/// Imports between floors; what the roots of library and program name does not count.
fn between(imports: &[Import]) -> impl Iterator<Item = &Import> {
    imports.iter().filter(|i| floor(&i.file) != floor(&i.target) && !["lib.rs", "main.rs"].contains(&i.file.as_str()))
}

/// Imports of a floor above, of one to keep apart from, or of a folder that is not a floor.
fn wrong(imports: &[Import]) -> Vec<String> {
    let rank = |file: &str| FLOORS.iter().position(|f| *f == floor(file));
    let allowed = |i: &&Import| {
        let below = matches!((rank(&i.file), rank(&i.target)), (Some(own), Some(other)) if other < own);
        below && !APART.contains(&[floor(&i.file), floor(&i.target)])
    };
    between(imports).filter(|i| !allowed(i)).map(shown).collect()
}

/// Circles of a graph that have more than `most` nodes: sets of nodes that reach each other.
fn circles(graph: &BTreeMap<&str, BTreeSet<&str>>, most: usize) -> Vec<BTreeSet<String>> {
    let reached = |start: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start.to_owned()]);
        while let Some(node) = open.pop() {
            let next = graph.get(node.as_str()).into_iter().flatten();
            open.extend(next.filter(|n| seen.insert(n.to_string())).map(|n| n.to_string()));
        }
        seen
    };
    let from: BTreeMap<&str, BTreeSet<String>> = graph.keys().map(|node| (*node, reached(node))).collect();
    let circle = |node: &str| -> BTreeSet<String> {
        let back = |other: &&String| from.get(other.as_str()).is_some_and(|r| r.contains(node));
        from[node].iter().filter(back).cloned().collect()
    };
    let all: BTreeSet<_> = graph.keys().map(|node| circle(node)).filter(|c| c.len() > most).collect();
    all.into_iter().collect()
}

/// Circles of floors, and circles of files inside one floor, each with its imports.
fn circles_of(imports: &[Import]) -> Vec<String> {
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    between(imports).for_each(|i| {
        graph.entry(floor(&i.file)).or_default().insert(floor(&i.target));
    });
    let said = |c: BTreeSet<String>, what: &str, name: fn(&str) -> &str| {
        let within =
            |i: &&Import| c.contains(name(&i.file)) && c.contains(name(&i.target)) && name(&i.file) != name(&i.target);
        let mut pairs = BTreeSet::new();
        let first = |i: &&Import| pairs.insert([name(&i.file).to_owned(), name(&i.target).to_owned()]);
        let list: Vec<String> = imports.iter().filter(within).filter(first).map(shown).collect();
        format!("{} {what} in a circle:\n  {}", c.len(), list.join("\n  "))
    };
    let mut found: Vec<String> = circles(&graph, 1).into_iter().map(|c| said(c, "floors", floor)).collect();
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    imports.iter().filter(|i| floor(&i.file) == floor(&i.target)).for_each(|i| {
        graph.entry(&i.file).or_default().insert(&i.target);
    });
    found.extend(circles(&graph, CIRCLE_MAX).into_iter().map(|c| said(c, "files", |f| f)));
    found
}

#[test]
fn each_floor_imports_only_those_below() {
    let imports = imports(&files());
    let arrows: BTreeSet<[&str; 2]> = between(&imports).map(|i| [floor(&i.file), floor(&i.target)]).collect();
    let wrong = wrong(&imports);
    println!("{} arrows between floors, {} imports; {} of them upward", arrows.len(), imports.len(), wrong.len());
    assert!(imports.len() > 1000, "only {} imports found: the search is broken", imports.len());
    assert!(wrong.is_empty(), "imports of a floor above:\n{}", wrong.join("\n"));
}

#[test]
fn no_floors_and_few_files_import_each_other_in_a_circle() {
    let circles = circles_of(&imports(&files()));
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn every_folder_is_a_floor() {
    let files = files();
    let folders: BTreeSet<&str> = files.keys().map(|f| floor(f)).filter(|f| !f.ends_with(".rs")).collect();
    assert_eq!(folders, FLOORS.into_iter().collect());
}

/// A small tree, file by file.
fn small(files: &[(&str, &str)]) -> Vec<Import> {
    imports(&files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect())
}

#[test]
fn an_import_of_a_floor_above_is_named() {
    let tree = small(&[
        ("base/mod.rs", ""),
        ("base/units.rs", "use std::fmt;\nuse crate::{model::{self, body::{Bodies as B}}};\n"),
        ("model/mod.rs", ""),
        ("model/body.rs", "fn f() { crate::base::units::G }"),
    ]);
    assert_eq!(
        wrong(&tree),
        [
            "src/base/units.rs:2: `crate::model` is in src/model/mod.rs",
            "src/base/units.rs:2: `crate::model::body::Bodies` is in src/model/body.rs",
        ]
    );
}

#[test]
fn gpu_is_kept_apart_from_physics() {
    let tree = small(&[("gpu/table.rs", "use crate::physics::laws::Law;"), ("physics/laws/mod.rs", "")]);
    assert_eq!(wrong(&tree), ["src/gpu/table.rs:1: `crate::physics::laws::Law` is in src/physics/laws/mod.rs"]);
}

#[test]
fn a_path_in_the_code_counts_and_text_does_not() {
    let tree = small(&[
        (
            "base/a.rs",
            "// crate::cli::x\nconst A: &str = \"crate::cli::x \\\" crate::cli::x\";\nconst B: char = '\"';\nfn f<'a>() -> impl Fn() + use<'a> { crate::cli::x(); || {} }\n",
        ),
        ("base/b.rs", "const A: &str = r#\"crate::cli::x\"#; /* crate::cli::x */"),
        ("cli/mod.rs", ""),
    ]);
    assert_eq!(wrong(&tree), ["src/base/a.rs:4: `crate::cli::x` is in src/cli/mod.rs"]);
}

#[test]
fn super_and_names_of_modules_are_followed() {
    let tree = small(&[
        ("engine/mod.rs", ""),
        ("engine/gpu/mod.rs", ""),
        ("engine/gpu/core.rs", "use super::super::Engine;\nuse crate::record;\nfn f() { record::run::go() }\n"),
        ("engine/gpu/start.rs", "mod tests {\n    use super::*;\n    use super::super::core::Core;\n}\n"),
        ("record/mod.rs", ""),
        ("record/run.rs", "mod save;\nuse save::write;"),
        ("record/run/save.rs", ""),
    ]);
    let found: Vec<[&str; 2]> = tree.iter().map(|i| [i.file.as_str(), i.target.as_str()]).collect();
    assert_eq!(
        found,
        [
            ["engine/gpu/core.rs", "engine/mod.rs"],
            ["engine/gpu/core.rs", "record/mod.rs"],
            ["engine/gpu/core.rs", "record/run.rs"],
            ["engine/gpu/start.rs", "engine/gpu/core.rs"],
            ["record/run.rs", "record/run/save.rs"],
        ]
    );
}

#[test]
fn an_exported_macro_is_in_the_file_that_defines_it() {
    let tree = small(&[
        ("lib.rs", ""),
        ("base/a.rs", "use crate::element;"),
        ("gpu/element.rs", "#[macro_export]\nmacro_rules! element { () => {} }"),
    ]);
    assert_eq!(wrong(&tree), ["src/base/a.rs:1: `crate::element` is in src/gpu/element.rs"]);
}

#[test]
fn circles_are_named_from_four_files_on() {
    let three =
        [("base/a.rs", "use super::b::B;"), ("base/b.rs", "use super::c::C;"), ("base/c.rs", "use super::a::A;")];
    assert_eq!(circles_of(&small(&three)), Vec::<String>::new());
    let mut four = three;
    four[2].1 = "use super::d::D;";
    let circles = circles_of(&small(&[four.as_slice(), &[("base/d.rs", "use super::a::A;")]].concat()));
    assert_eq!(circles.len(), 1);
    assert!(circles[0].starts_with("4 files in a circle:\n  src/base/a.rs:1: `super::b::B` is in src/base/b.rs\n"));
}

#[test]
fn floors_in_a_circle_are_named() {
    let tree = small(&[
        ("base/mod.rs", "use crate::model::M;"),
        ("model/mod.rs", "use crate::physics::P;"),
        ("physics/mod.rs", "use crate::base::B;"),
    ]);
    let circles = circles_of(&tree);
    assert_eq!(circles.len(), 1);
    assert!(circles[0].starts_with("3 floors in a circle:\n"), "{}", circles[0]);
}
