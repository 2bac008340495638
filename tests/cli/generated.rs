//! Tables in the documentation that are made from tables of the code. A stale one is rewritten, and its test fails once.

use crate::common::fresh::between;
use breccia::base::exit_code::{EXIT_CODES, ExitCode, help};
use breccia::model::stored::arrays::Array;
use breccia::model::stored::{frame_arrays, shapes};
use breccia::physics::measure::columns::{TABLE, column, columns};
use breccia::physics::measure::outcome::{QUANTITIES, names};
use breccia::scenario;
use breccia::verify::Family;
use breccia::verify::families::FAMILIES;

/// A table in Markdown. Cells without their links' targets stay below 200 characters.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |");
    let head: Vec<String> = head.iter().map(|h| (*h).to_owned()).collect();
    let rule = vec!["---".to_owned(); head.len()];
    let mut text = line(&head) + &line(&rule);
    for row in rows {
        assert_eq!(row.len(), head.len(), "{row:?}");
        for cell in &row {
            let shown =
                cell.split("](").map(|part| part.split_once(')').map_or(part, |(_, rest)| rest)).collect::<String>();
            assert!(shown.len() < 200, "a cell of {} characters: {cell}", shown.len());
            assert!(!cell.contains(['|', '\n']), "{cell}");
        }
        text += &line(&row);
    }
    text
}

fn quoted(names: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    names.into_iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

#[test]
fn series_columns() {
    let rows = TABLE.iter().copied().flatten();
    let rows = rows.map(|c| vec![quoted(c.patterns()), c.unit.into(), c.when.text().into(), c.meaning.into()]);
    let text = table(&["column", "unit", "only with", "meaning"], rows);
    between("docs/user/output.md", "series", &text);
}

#[test]
fn quantities() {
    let rows = QUANTITIES.iter().map(|q| vec![quoted([q.name]), q.unit.into(), q.meaning.into()]);
    between("docs/user/output.md", "quantities", &table(&["quantity", "unit", "meaning"], rows));
}

fn arrays<T>(name: &str, list: &[Array<T>]) {
    let row = |a: &Array<T>| {
        let meaning = if a.when.is_empty() { a.meaning.into() } else { format!("{}; only with {}", a.meaning, a.when) };
        vec![quoted([a.name]), a.shape(), a.kind().into(), a.unit.into(), meaning]
    };
    let text = table(&["array", "shape", "type", "unit", "meaning"], list.iter().map(row));
    between("docs/user/output.md", name, &text);
}

#[test]
fn arrays_of_frames() {
    arrays("bodies", frame_arrays::BODIES);
}

#[test]
fn arrays_of_constants() {
    arrays("constants", frame_arrays::CONSTANTS);
    arrays("part", frame_arrays::PART);
}

#[test]
fn arrays_of_contacts() {
    arrays("contacts", frame_arrays::CONTACTS);
}

#[test]
fn arrays_of_wall_contacts() {
    arrays("wall_contacts", frame_arrays::WALL_CONTACTS);
}

#[test]
fn arrays_of_shapes() {
    arrays("shapes", shapes::TABLE);
}

#[test]
fn families_of_checks() {
    let row = |f: &Family| vec![f.name.into(), f.compares.into(), f.bounds.into(), f.checks.len().to_string()];
    let text =
        table(&["family", "what it compares", "why its bounds are what they are", "checks"], FAMILIES.iter().map(row));
    between("docs/method/verify.md", "families", &text);
}

#[test]
fn exit_codes() {
    let rows = |c: &'static ExitCode| {
        c.cases.iter().map(|(when, remedy)| vec![c.code.to_string(), c.name.into(), (*when).into(), (*remedy).into()])
    };
    let text = table(&["code", "name", "when", "what to do"], EXIT_CODES.iter().flat_map(rows));
    between("docs/user/exit_codes.md", "exit_codes", &text);
}

#[test]
fn help_ends_with_the_exit_codes() {
    let output = assert_cmd::Command::cargo_bin("breccia").expect("binary").arg("--help").output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.trim_end().ends_with(help().trim_end()), "{text}");
    assert!(EXIT_CODES.is_sorted_by_key(|c| c.code) && EXIT_CODES.len() == 10);
}

/// Names of columns and quantities are taken once, and a column that every run has is where `column` says.
#[test]
fn names_are_unique() {
    for name in ["accretion_cd_spheres", "landslide_small", "hopper"] {
        let scenario = scenario::load(name, &[]).expect("loads");
        let header = columns(&scenario);
        let mut sorted = header.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), header.len(), "{name}: a column has a name twice");
        let common = header.iter().take_while(|c| *c != "tree_net_force");
        common.enumerate().for_each(|(k, c)| assert_eq!(column(c), k, "{name}: {c}"));
        let quantities = names(&scenario.regions);
        assert_eq!(quantities.iter().collect::<std::collections::BTreeSet<_>>().len(), quantities.len());
        for region in &scenario.regions {
            assert!(quantities.contains(&format!("{}_bodies_final", region.name)));
        }
    }
}
