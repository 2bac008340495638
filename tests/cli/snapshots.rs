//! What `plan`, `check` and `--help` print, kept as files in the folder of the same name: a change of any of them shows in
//! the review. `INSTA_UPDATE=always cargo test --test cli snapshots` writes the files again.

use crate::common::command::breccia_in;
use std::collections::BTreeSet;
use std::path::Path;

/// Exit code and everything printed, run in an empty folder.
fn printed(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("folder");
    let assert = breccia_in(folder.path(), arguments);
    let output = assert.get_output();
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let code = output.status.code().expect("an exit code");
    if code == 0 { out + &err } else { format!("exit code {code}\n{out}{err}") }
}

fn compare(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Every file of the folder is the snapshot of something that there still is.
fn no_others(folder: &str, names: &BTreeSet<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots").join(folder);
    for file in std::fs::read_dir(&folder).expect("snapshots").flatten() {
        let file = file.file_name().to_string_lossy().into_owned();
        let name = file.trim_end_matches(".new").trim_end_matches(".snap");
        assert!(names.contains(name), "{}/{file}: there is no `{name}` any more; remove it", folder.display());
    }
}

fn built_in() -> BTreeSet<String> {
    breccia::scenario::bundled::built_in().into_iter().map(|b| b.name).collect()
}

#[test]
fn plan_of_every_built_in_scenario() {
    let names = built_in();
    names.iter().for_each(|name| compare("plan", name, &printed(&["plan", name])));
    no_others("plan", &names);
}

#[test]
fn check_of_every_built_in_scenario() {
    let names = built_in();
    names.iter().for_each(|name| compare("check", name, &printed(&["check", name, "--no-time"])));
    no_others("check", &names);
}

/// Names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    lines.filter_map(|l| l.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

fn compare_help(command: &[&str], names: &mut BTreeSet<String>) {
    let help = printed(&[command, &["--help"]].concat());
    let name = [&["breccia"], command].concat().join("_");
    compare("help", &name, &help);
    names.insert(name);
    subcommands(&help).iter().for_each(|sub| compare_help(&[command, &[sub.as_str()]].concat(), names));
}

#[test]
fn help_of_every_subcommand() {
    let mut names = BTreeSet::new();
    compare_help(&[], &mut names);
    assert!(names.len() > 15 && names.contains("breccia_scenarios_copy"), "{names:?}");
    no_others("help", &names);
}
