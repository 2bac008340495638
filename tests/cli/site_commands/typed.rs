//! The tutorial and the pages of studies as a reader goes through them: every command as it is typed, in its order, in an
//! empty folder, with what the page shows as its output.

use super::pages::{Command, blocks, of_page, page};
use super::world::{program, saved};
use std::collections::BTreeSet;
use std::path::Path;

/// Pages, and the runs that are made before their first command.
const PAGES: &[&str] =
    &["tutorial.md", "accretion.md", "spin_up.md", "regolith.md", "collisions.md", "compression.md", "packing.md"];

/// Commands that are left out: page, first words, reason.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("tutorial.md", "export PATH", "the program is called by its path"),
    ("", "breccia view", "the other test opens it"),
    (
        "accretion.md",
        "breccia sweep sanchez_2021_fig8_to_11_small --jobs",
        "minutes; tests of campaigns run small ones",
    ),
    ("spin_up.md", "breccia sweep sanchez_2021_fig14_to_17_small --jobs", "minutes; tests of campaigns run small ones"),
    ("regolith.md", "breccia run crater_filling", "five to thirty minutes"),
    ("regolith.md", "breccia render runs/crater_filling", "five to thirty minutes"),
];

/// What a page shows below a command, up to the next one.
fn shown(page: &str, command: &Command) -> Vec<String> {
    let text = super::pages::page(page);
    let (first, language, lines) = blocks(&text)
        .into_iter()
        .find(|(at, _, lines)| (*at..*at + lines.len()).contains(&command.line))
        .expect("the block of the command");
    let after = lines.into_iter().skip(command.line - first + 1).filter(|_| language == "console");
    after.take_while(|line| !line.starts_with("$ ")).map(str::to_owned).collect()
}

/// Words without their numbers, which differ between machines; a word that ends with `...` says nothing.
fn form(text: &str) -> BTreeSet<String> {
    let plain = |word: &str| word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
    let number = |word: &str| word.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
    text.split_whitespace().filter(|w| !w.ends_with("...") && !number(w)).map(plain).collect()
}

fn runs(folder: &Path, command: &Command) -> (i32, String) {
    if let Some(arguments) = command.arguments() {
        return program(folder, arguments);
    }
    let mut other = std::process::Command::new(&command.words[0]);
    let output = other.args(&command.words[1..]).current_dir(folder).output().expect("starts");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(unix)]
#[test]
#[ignore = "runs whole studies: fifteen minutes in release on two cores"]
fn pages_of_studies_run_as_typed() {
    let (mut faults, mut used) = (vec![], BTreeSet::new());
    for name in PAGES {
        let name = &format!("docs/user/{name}");
        let folder = tempfile::tempdir().expect("folder");
        saved(name)
            .into_iter()
            .for_each(|(file, text)| std::fs::write(folder.path().join(file), text).expect("writes"));
        for command in of_page(name, &page(name)).iter().filter(|command| command.in_block) {
            let left = |(page, start, _): &(&str, &str, _)| name.ends_with(page) && command.text.starts_with(start);
            if let Some(at) = LEFT_OUT.iter().position(left) {
                used.insert(at);
                continue;
            }
            if command.text.starts_with("export ") {
                continue;
            }
            let start = std::time::Instant::now();
            let (code, said) = runs(folder.path(), command);
            println!("{:7.1} s  {}", start.elapsed().as_secs_f64(), command.place());
            let expected = if command.text.contains("--stop-at-step") { 75 } else { 0 };
            if code != expected {
                faults.push(format!("{}: exit code {code}\n{said}", command.place()));
            }
            let found = form(&said);
            for line in shown(name, command) {
                let missing: Vec<_> = form(&line).into_iter().filter(|word| !found.contains(word)).collect();
                if !missing.is_empty() {
                    faults.push(format!("{}: its output has no {missing:?} of `{line}`:\n{said}", command.place()));
                }
            }
        }
    }
    let unused = LEFT_OUT.iter().enumerate().filter(|(at, _)| !used.contains(at));
    faults
        .extend(unused.map(|(_, (page, start, why))| format!("LEFT_OUT: `{start}` of `{page}` is no command: {why}")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
