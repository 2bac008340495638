//! The tutorial and the pages of studies as a reader goes through them: every command as it is typed, in its order, in an
//! empty folder, with what the page shows as its output.

use super::pages::{Command, blocks, of_page};
use super::world::{program, saved};
use std::collections::BTreeSet;
use std::path::Path;

/// Commands that are left out: page, first words, reason.
const LEFT_OUT: &[(&str, &str, &str)] = &[
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

/// Words without their numbers and units of time, which differ between machines; a word that ends with `...` says nothing.
fn form(text: &str) -> BTreeSet<String> {
    let plain = |word: &str| word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
    let number = |word: &str| word.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
    let unit = |word: &str| ["us", "ms", "s", "min", "h"].contains(&word.trim_end_matches([',', ';', '.']));
    text.split_whitespace().filter(|w| !w.ends_with("...") && !number(w) && !unit(w)).map(plain).collect()
}

fn runs(folder: &Path, command: &Command) -> (i32, String) {
    if let Some(arguments) = command.arguments() {
        return program(folder, arguments);
    }
    let mut other = std::process::Command::new(&command.words[0]);
    let output = other.args(&command.words[1..]).current_dir(folder).output().expect("starts");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Faults of one command: its exit code, and what the page shows but the output lacks.
fn faults(page: &str, command: &Command, folder: &Path) -> Vec<String> {
    let start = std::time::Instant::now();
    let (code, said) = runs(folder, command);
    println!("{:7.1} s  {}", start.elapsed().as_secs_f64(), command.place());
    let expected = if command.text.contains("--stop-at-step") { 75 } else { 0 };
    let mut faults = vec![];
    if code != expected {
        faults.push(format!("{}: exit code {code}, not {expected}\n{said}", command.place()));
    }
    let found = form(&said);
    for line in shown(page, command) {
        let missing: Vec<_> = form(&line).into_iter().filter(|word| !found.contains(word)).collect();
        if !missing.is_empty() {
            faults.push(format!("{}: its output has no {missing:?} of `{line}`:\n{said}", command.place()));
        }
    }
    faults
}

fn runs_as_typed(page: &str) {
    let name = &format!("docs/user/{page}");
    let folder = tempfile::tempdir().expect("folder");
    saved(name).into_iter().for_each(|(file, text)| std::fs::write(folder.path().join(file), text).expect("writes"));
    let (mut found, mut used) = (vec![], BTreeSet::new());
    for command in of_page(name, &super::pages::page(name)).iter().filter(|command| command.in_block) {
        let left = LEFT_OUT.iter().position(|(of, start, _)| *of == page && command.text.starts_with(start));
        used.extend(left);
        // the other test opens the page of a run, which would go on until Ctrl-C
        let here = left.is_none() && !command.text.starts_with("export ") && !command.text.starts_with("breccia view");
        if here {
            found.extend(faults(name, command, folder.path()));
        }
    }
    let unused = LEFT_OUT.iter().enumerate().filter(|(at, (of, _, _))| *of == page && !used.contains(at));
    found.extend(unused.map(|(_, (_, start, why))| format!("LEFT_OUT: `{start}` is no command: {why}")));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[cfg(unix)]
#[test]
#[ignore = "runs a campaign of nine cases: two minutes"]
fn the_tutorial_runs_as_typed() {
    runs_as_typed("tutorial.md");
}

#[cfg(unix)]
#[test]
#[ignore = "runs 125 spheres for an hour: half a minute"]
fn accretion_runs_as_typed() {
    runs_as_typed("accretion.md");
}

#[cfg(unix)]
#[test]
#[ignore = "runs 60,000 steps: two to five minutes"]
fn spin_up_runs_as_typed() {
    runs_as_typed("spin_up.md");
}

#[cfg(unix)]
#[test]
#[ignore = "runs two landslides: five to ten minutes"]
fn regolith_runs_as_typed() {
    runs_as_typed("regolith.md");
}

#[cfg(unix)]
#[test]
#[ignore = "runs a pile and a collision: two to five minutes"]
fn collisions_run_as_typed() {
    runs_as_typed("collisions.md");
}

#[cfg(unix)]
#[test]
#[ignore = "runs an aggregate, a compression, and campaigns of both: five to ten minutes"]
fn compression_runs_as_typed() {
    runs_as_typed("compression.md");
}

#[cfg(unix)]
#[test]
#[ignore = "packs and runs 3,074 spheres: two to four minutes"]
fn packing_runs_as_typed() {
    runs_as_typed("packing.md");
}
