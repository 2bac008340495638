//! How each command of the site is tested. The first rule that fits decides; a rule that fits nothing is a fault, and so
//! is a command that no rule fits.

use super::pages::Command;

/// What is done with a command.
#[derive(Clone, Copy, Debug)]
pub enum How {
    /// It runs, with these words behind it (an option that it has already is not given again), and ends with this code.
    Runs(&'static [&'static str], i32),
    /// A run computes its first 20 steps, and leaves them in a directory where no other command looks.
    Begins,
    /// Another command runs for it.
    Instead(&'static str, i32),
    /// A campaign makes a list of its cases, unless it runs nothing anyhow.
    Listed,
    /// `breccia check` reads its scenario with what it sets, in place of a run.
    Checked,
    /// It draws small pictures, if it draws any.
    Drawn,
    /// It prints the address of its page; then it is ended.
    Serves,
    /// Its words are read, and nothing runs.
    Parsed,
    /// It is not a command of the program.
    Others,
}

pub struct Rule {
    /// End of the name of the page, or nothing for all pages.
    pub page: &'static str,
    /// First words of the command. Those of the program come without its name.
    pub start: &'static str,
    pub how: How,
    pub why: &'static str,
}

const fn rule(page: &'static str, start: &'static str, how: How, why: &'static str) -> Rule {
    Rule { page, start, how, why }
}

use How::{Begins, Checked, Drawn, Instead, Listed, Others, Parsed, Runs, Serves};

const LARGE: &str = "many grains or faces take ten seconds before the first step";
const CASES: &str = "a campaign runs for minutes or days; --list reads it and makes all its cases";
const TUTORIAL: &str = "the slow test runs the tutorial as it is typed";
const DEVELOPERS: &str = "it builds, or installs, what this test needs already";

/// Commands in blocks, by page.
pub static BLOCKS: &[Rule] = &[
    rule(
        "tutorial.md",
        "run pile.toml --stop-at-step",
        Instead("run pile.toml --stop-at-step 20 --out runs/cut", 75),
        TUTORIAL,
    ),
    rule(
        "song_2024.md",
        "analyze safety-map sand_pile",
        Parsed,
        "200,000 faces take ten seconds; regolith.md has fewer",
    ),
    rule("", "analyze safety-map", Drawn, "small pictures"),
    rule("", "surface", Drawn, "small pictures"),
    rule("", "run crater_filling", Checked, LARGE),
    rule("validation.md", "run sand_pile --out", Parsed, "77,312 grains take ten seconds to be put in place"),
    rule("validation.md", "run sand_pile", Checked, LARGE),
    rule("validation.md", "run landslide", Checked, LARGE),
    rule("README.md", "verify", Instead("verify --list", 0), "all families take half a minute; `./check` runs them"),
    rule("verify.md", "verify --gpu 1", Instead("verify tree --gpu 0 --json", 0), "there may be one adapter only"),
    rule("verify.md", "verify --perturb", Parsed, "takes minutes; `./check nightly` runs it"),
    rule("verify.md", "verify --list", Runs(&[], 0), "needs no device"),
    rule("verify.md", "verify tree walk", Runs(&[], 0), "three seconds"),
    rule("verify.md", "verify", Instead("verify --list", 0), "all families take half a minute; `./check` runs them"),
    rule("", "bench", Parsed, "measures for a minute or more; tests/cli/bench.rs runs small ones"),
    rule("campaigns.md", "sweep friction.toml --table", Instead("sweep friction.toml --list", 0), "no case has run"),
    rule("campaigns.md", "sweep friction.toml --keep", Instead("sweep friction.toml --list", 0), CASES),
    rule("docs/README.md", "sweep sanchez_2021_fig8_to_11", Instead("sweep sanchez_2021_fig8_to_11 --list", 0), CASES),
    rule("", "sweep", Listed, CASES),
    rule(
        "compression.md",
        "analyze runs/diametral_compression compression",
        Parsed,
        "needs 3 % of deformation, 400 steps",
    ),
    rule("", "run", Begins, "whole runs take minutes or days"),
    rule("", "resume runs/cut", Runs(&["--stop-at-step", "30"], 75), "some more steps"),
    rule("", "resume", Runs(&[], 0), "the run has ended, and it says so"),
    rule("", "check", Runs(&["--no-time"], 0), "computes no steps to estimate the wall time"),
    rule("", "render", Drawn, "small pictures"),
    rule("", "view", Serves, "it would go on until Ctrl-C"),
    rule("", "", Runs(&[], 0), "as typed"),
];

/// Lines of blocks that do not call the program.
pub static OTHERS: &[Rule] = &[
    rule("", "export ", Others, "sets a variable that the tests set"),
    rule("", "cargo build", Others, DEVELOPERS),
    rule("", "cargo install", Others, DEVELOPERS),
    rule("", "pip install", Others, DEVELOPERS),
    rule("", "./try", Others, DEVELOPERS),
    rule("", "./check", Others, DEVELOPERS),
    rule("", "docker build", Others, DEVELOPERS),
    rule("", "apptainer build", Others, DEVELOPERS),
    rule("", ".ci/gallery", Others, "measures for hours; its table is a test of tests/cli/house.rs"),
    rule("", ".ci/compile_budgets", Others, "needs compilers of Mesa; `./check nightly` runs it"),
    rule("", "snakemake", Others, "tests/python/test_examples.py runs it"),
    rule("", "nextflow", Others, "no registry has it; tests/python/test_examples.py runs its task"),
    rule("", "ssh", Others, "needs another machine"),
    rule("", "sbatch", Others, "needs Slurm; `.ci/slurm` runs it"),
    rule("tutorial.md", "ls ", Others, TUTORIAL),
    rule("tutorial.md", "cmp ", Others, TUTORIAL),
];

/// Commands that a text names. Without a rule here `run` and `check` of a scenario are checked, `sweep` makes a list of
/// its cases, and of all others the words are read.
pub static NAMED: &[Rule] = &[
    rule("library.md", "= {", Others, "a line of Cargo.toml"),
    rule("", "sweep FILE --table", Parsed, "no case has run"),
    rule("analysis.md", "analyze RUN [aggregates]", Parsed, "brackets mean that these words may be left out"),
];

/// What words in capitals stand for, in all commands or in one.
pub static PLACEHOLDERS: &[(&str, &str)] = &[
    ("RUN", "runs/accretion"),
    ("RUN/resolved.toml", "runs/accretion/resolved.toml"),
    ("runs/NAME", "runs/accretion"),
    ("CASE", "runs/accretion"),
    ("AGAIN", "runs/again"),
    ("sweep NAME", "restitution"),
    ("NAME", "accretion_small"),
    ("SCENARIO", "accretion_small"),
    ("FILE", "pile.toml"),
    ("N", "27"),
    ("F", "1"),
    ("D0", "0.01"),
];

fn fits(rule: &Rule, command: &Command, text: &str) -> bool {
    let page = rule.page.is_empty() || command.page == rule.page || command.page.ends_with(&format!("/{}", rule.page));
    page && text.strip_prefix(rule.start).is_some_and(|rest| {
        rest.is_empty() || rule.start.is_empty() || rule.start.ends_with(' ') || rest.starts_with(' ')
    })
}

/// The list that holds the rules of this command, and which of them decides.
pub fn decides(command: &Command) -> Option<(&'static [Rule], usize)> {
    let (list, text) = match (command.arguments(), command.in_block) {
        (Some(arguments), true) => (BLOCKS, arguments.join(" ")),
        (Some(arguments), false) => (NAMED, arguments.join(" ")),
        (None, true) => (OTHERS, command.text.clone()),
        (None, false) => return None,
    };
    list.iter().position(|rule| fits(rule, command, &text)).map(|at| (list, at))
}
