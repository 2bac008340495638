//! `breccia info`: what a run is, on what and when it ran, how it ended, and what it left.

use breccia::base::error::Result;
use breccia::base::exit_code;
use breccia::base::json;
use breccia::base::readable::{bytes, number, percent, quantity, whole, within};
use breccia::record::files::inputs::Match;
use breccia::record::files::sessions::Session;
use breccia::record::summary::{InputState, Progress, Summary, damaged_arrays};
use std::path::PathBuf;

/// Say what a run is, when and on what it ran, how it ended, and what it left; also while it goes on
#[derive(clap::Args)]
pub(super) struct Args {
    /// Run directory
    dir: PathBuf,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia info`: 0, or 7 if something of the run is missing or damaged.
pub(super) fn run(args: Args) -> Result<u8> {
    let mut summary = Summary::read(&args.dir)?;
    summary.faults.extend(damaged_arrays(&args.dir));
    match args.json {
        true => println!("{}", json::pretty(&summary)?),
        false => print(&summary),
    }
    Ok(if summary.faults.is_empty() { exit_code::DONE } else { exit_code::FILE })
}

/// Lines before `and more` at most: runs are resumed many times, and may name many files.
const LINES: usize = 8;

fn print(s: &Summary) {
    let line = |what: &str, text: String| println!("{what:<18}{text}");
    line("run", s.directory.display().to_string());
    let status = s.status.map_or_else(|| "not known".to_owned(), |status| status.to_string());
    let by = s.process.as_ref().map_or_else(String::new, |process| format!(", process {process}"));
    let ended = s.manifest.as_ref().map_or("", |m| m.ended.as_str());
    line("status", format!("{status}{by}{}{ended}", if ended.is_empty() { "" } else { ": " }));
    s.progress.iter().for_each(|p| line("progress", progress(p)));
    if let Some(m) = &s.manifest {
        line("scenario", format!("{}, seed {}, sha-256 {}", m.scenario, m.seed, &m.scenario_hash));
        line("bodies", whole(m.bodies as u64));
        let step = quantity(m.time_step_s, "s");
        line("steps", format!("{} of {step}: {}", whole(m.steps), m.time_step_reason));
        line("law", m.law.clone());
        line("engine", m.engine.clone());
        m.warnings.iter().for_each(|text| line("WARNING", text.clone()));
    }
    sessions(s);
    for v in &s.expect {
        let value = v.value.map_or("not measured".into(), |x| within(x, v.tolerance));
        let mark = if v.ok { "expected" } else { "MISSED" };
        let expected = within(v.expected, v.tolerance);
        line(mark, format!("{} = {value}, expected {expected} +- {}", v.quantity, number(v.tolerance)));
    }
    s.inputs.iter().take(LINES).for_each(|i| line("input", input(i)));
    more(s.inputs.len());
    let checkpoints: Vec<String> = s.checkpoints.iter().map(|step| whole(*step)).collect();
    let checkpoints =
        if checkpoints.is_empty() { "none".into() } else { format!("of step {}", checkpoints.join(", ")) };
    line(
        "files",
        format!("{} in {} files; frames: {}; checkpoints: {checkpoints}", bytes(s.size.bytes), s.size.files, s.frames),
    );
    s.faults.iter().for_each(|fault| line("DAMAGED", fault.clone()));
}

fn more(count: usize) {
    if count > LINES {
        println!("{:<18}and {} more: --json", "", count - LINES);
    }
}

fn progress(p: &Progress) -> String {
    let share = percent(p.step as f64 / p.steps.max(1) as f64);
    let left = p.left_s.map_or_else(String::new, |s| format!("; about {} left", wall(s)));
    format!("{share}: step {} of {}, t = {}{left}", whole(p.step), whole(p.steps), quantity(p.time_s, "s"))
}

/// The newest sessions, and what they took together.
fn sessions(s: &Summary) {
    let (Some(first), Some(last)) = (s.sessions.first(), s.sessions.last()) else {
        println!("{:<18}not recorded: the run was made by an older version, or not by `breccia run`", "sessions");
        return;
    };
    let end = match (last.ended, s.process.is_some()) {
        (Some(end), _) => format!("ended {end}"),
        (None, true) => "goes on".into(),
        (None, false) => format!("last heard of {}", last.written),
    };
    let memory = s.peak_memory_bytes.map_or("not known".into(), bytes);
    println!("{:<18}started {}, {end}", "time", first.started);
    let count = if s.sessions.len() == 1 { "one session".to_owned() } else { format!("{} sessions", s.sessions.len()) };
    println!("{:<18}{} of wall time in {count}; peak memory {memory}", "", wall(s.wall_s));
    let newest = s.sessions.len().saturating_sub(LINES);
    s.sessions.iter().enumerate().skip(newest).for_each(|(k, one)| session(k + 1, one));
    if newest > 0 {
        println!("{:<18}and {newest} before them: --json", "");
    }
}

fn session(number: usize, s: &Session) {
    let label = format!("session {number}");
    let end = if s.ended.is_none() { "no end recorded".to_owned() } else { s.status.to_string() };
    let steps = format!("steps {} to {}", whole(s.from_step), whole(s.to_step));
    println!("{label:<18}{}, {}, {steps}, {end}; on {}, breccia {}", s.started, wall(s.wall_s), s.host, s.version);
    println!("{:<18}{}", "", s.command.join(" "));
    if let Some(loss) = &s.after_loss {
        println!("{:<18}went on by itself after the device was lost: {loss}", "");
    }
    if let Some(a) = &s.adapter {
        let pci = a.pci.as_ref().map_or_else(String::new, |pci| format!(", PCI {pci}"));
        let kind = if a.software { ", software" } else { "" };
        println!("{:<18}{} ({}, {}{pci}{kind})", "", a.name, a.backend, a.driver);
    }
}

fn input(i: &InputState) -> String {
    let copy = match i.copy {
        Match::Same => "its copy is whole",
        Match::Changed => "its copy HAS CHANGED",
        Match::Missing => "its copy IS MISSING",
    };
    let original = match i.original {
        Some(Match::Same) => "the original is the same",
        Some(Match::Changed) => "the original has changed since",
        Some(Match::Missing) => "the original is not there any more",
        None => "the original cannot be read",
    };
    format!("{}: {}, {}; {copy}, {original}", i.input.key, i.input.path, bytes(i.input.bytes))
}

/// A time for people.
fn wall(seconds: f64) -> String {
    match seconds {
        s if s < 600.0 => quantity(s, "s"),
        s if s < 7200.0 => format!("{} min", number((s / 60.0).round())),
        s => format!("{} h", number((s / 360.0).round() / 10.0)),
    }
}
