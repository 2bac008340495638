//! What `breccia sweep` prints: cases, estimates, progress and the end.

use super::limit::Limit;
use super::print;
use breccia::base::error::Result;
use breccia::base::json::text;
use breccia::base::readable::{bytes, digits, duration, number, quantity, within};
use breccia::base::shell;
use breccia::campaign::check::Prospect;
use breccia::campaign::judge::{Judged, Outcome as Judgement};
use breccia::campaign::load;
use breccia::campaign::model::{Campaign, Case};
use breccia::campaign::paths::{log_of, run_of};
use breccia::campaign::runner::Event;
use breccia::campaign::sheet::Outcome;
use breccia::campaign::status::{Found, Status, look, unmeasured};
use breccia::scenario::bundled::built_in_campaigns;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Lines on standard error as cases begin and end.
pub(super) struct Show {
    json: bool,
    begun: Instant,
}

impl Show {
    /// As lines of JSON, or for people.
    pub(super) fn new(json: bool) -> Show {
        Show { json, begun: Instant::now() }
    }

    /// `cases` are left to do, `jobs` at once.
    pub(super) fn start(&self, cases: usize, jobs: usize) {
        if !self.json && cases > 0 {
            let jobs = if jobs > 1 { format!(", {jobs} at once") } else { String::new() };
            eprintln!("cases to do: {cases}{jobs}");
        }
    }

    /// Wall time of the cases that are left, if each takes as long as those before (s).
    fn left_s(&self, settled: usize, of: usize) -> f64 {
        self.begun.elapsed().as_secs_f64() / settled.max(1) as f64 * of.saturating_sub(settled) as f64
    }

    /// Prints what happened to a case, and a warning if the rest will not be done in time.
    pub(super) fn event(&self, event: &Event, limit: &Mutex<Option<Limit>>) {
        if let (Event::Ended { settled, of, .. }, Ok(mut limit)) = (event, limit.lock()) {
            let warning = limit.as_mut().and_then(|l| l.warning(self.left_s(*settled, *of)));
            warning.iter().for_each(|text| match self.json {
                true => print::event(&json!({ "warning": text })),
                false => eprintln!("{text}"),
            });
        }
        if self.json {
            return print::event(&json!(event));
        }
        match event {
            Event::Begun { name, resumed } => eprintln!("  {name}: {}", if *resumed { "goes on" } else { "begins" }),
            Event::Ended { name, status, error, wall_s, settled, of } => {
                let (end, goes_on) = match status {
                    Status::Done => ("done", settled < of),
                    Status::Failed => ("FAILED", settled < of),
                    _ => ("stopped", false),
                };
                let left = || format!(", about {} left", duration(self.left_s(*settled, *of)));
                let left = goes_on.then(left).unwrap_or_default();
                eprintln!("[{settled}/{of}] {name}: {end} in {}{left}", duration(*wall_s));
                error.iter().for_each(|e| eprintln!("    {e}"));
            }
        }
    }
}

/// How many cases are where.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Counts {
    /// finished
    pub done: usize,
    /// in a kept table
    pub kept: usize,
    /// ended with an error
    pub failed: usize,
    /// finished, and could not be measured as the campaign says
    pub unmeasured: usize,
    /// neither
    pub left: usize,
}

/// Name and title of the built-in campaigns.
pub(super) fn print_built_in(json: bool) -> Result<u8> {
    let mut rows = vec![];
    for (name, _) in built_in_campaigns() {
        let campaign = load(&name)?;
        if !json {
            println!("{name:<38} {}; cases: {}", campaign.title, campaign.cases.len());
        }
        rows.push(json!({ "name": name, "title": campaign.title, "cases": campaign.cases.len() }));
    }
    if json {
        println!("{}", serde_json::Value::from(rows));
    }
    Ok(0)
}

/// `--list`.
pub(super) fn print_cases(campaign: &Campaign, out: &Path, json: bool) -> Result<u8> {
    let status = |case| look(&run_of(out, case)).status;
    if json {
        let rows: Vec<_> = campaign
            .cases
            .iter()
            .map(|c| json!({ "index": c.index, "name": c.name, "set": c.set, "status": status(c) }))
            .collect();
        println!("{}", json!({ "out": text(out), "columns": campaign.columns, "cases": rows }));
        return Ok(0);
    }
    campaign.cases.iter().for_each(|c| println!("{:8} {}", status(c).name(), c.name));
    Ok(0)
}

/// The end of `--case` of a campaign that was named so: of a case that failed, now or before, why, and what to type; of one that
/// could not be measured, why. `resumes`: `--retry` goes on from a checkpoint.
pub(super) fn print_case(
    (campaign, out): (&str, &Path),
    case: &Case,
    (found, resumes): (&Found, &dyn Fn() -> bool),
    unmeasured: Option<&str>,
    json: bool,
) {
    let (log, failure) = (log_of(out, case), found.failure.as_ref().filter(|_| found.status == Status::Failed));
    if json {
        let of_failure = failure.map(|f| json!({ "error": f.error, "exit_code": f.exit_code, "log": text(&log) }));
        let mut told = json!({ "case": case.name, "status": found.status, "error": unmeasured });
        if let (Some(told), Some(serde_json::Value::Object(more))) = (told.as_object_mut(), of_failure) {
            told.extend(more);
        }
        println!("{told}");
        return;
    }
    let Some(failure) = failure else {
        let error = unmeasured.map_or(String::new(), |error| format!(", not measured: {error}"));
        println!("{}: {}{error}", case.name, found.status.name());
        return;
    };
    let code = failure.exit_code.map_or(String::new(), |code| format!(", exit code {code}"));
    println!("{}: failed{code}: {}\n    log: {}", case.name, failure.error, log.display());
    let (campaign, out, number) = (shell::quoted(campaign), shell::path(out), case.index);
    let from = if resumes() { "its last checkpoint" } else { "its start" };
    println!("    again, from {from}: breccia sweep {campaign} --out {out} --case {number} --retry");
}

/// `--dry-run`.
pub(super) fn print_prospects(campaign: &Campaign, prospects: &[Prospect], json: bool) -> Result<u8> {
    let disk: u64 = prospects.iter().map(|p| p.estimate.disk_bytes).sum();
    if json {
        println!("{}", json!({ "columns": campaign.columns, "cases": prospects, "disk_bytes": disk }));
        return Ok(0);
    }
    let width = prospects.iter().map(|p| p.name.len()).max().unwrap_or(0).max(4);
    println!("{:width$}  {:>9}  {:>10}  {:>11}  {:>9}  {:>9}", "case", "bodies", "step", "steps", "GPU", "disk");
    for p in prospects {
        let e = &p.estimate;
        let (gpu, disk) = (bytes(e.gpu_bytes), bytes(e.disk_bytes));
        println!(
            "{:width$}  {:>9}  {:>10}  {:>11}  {gpu:>9}  {disk:>9}",
            p.name,
            e.bodies,
            quantity(e.time_step.dt_s, "s"),
            e.steps
        );
    }
    let steps: u64 = prospects.iter().map(|p| p.estimate.steps).sum();
    println!("cases: {}, steps: {}, disk: {}", prospects.len(), number(steps as f64), bytes(disk));
    Ok(0)
}

fn print_judged(j: &Judged) {
    let mark = match j.outcome {
        Judgement::Met => "ok  ",
        Judgement::Missed => "MISS",
        Judgement::Open => "open",
    };
    let count = |n: usize| format!("{n} {}", if n == 1 { "case" } else { "cases" });
    let error = j.standard_error.map_or(String::new(), |e| format!(" +- {}", digits(e, 2)));
    let near = j.limit.and_then(|limit| Some(j.found? - limit)).or(j.expected.map(|e| e[1])).or(j.standard_error);
    let found = j.found.map_or(String::new(), |v| {
        let value = near.map_or_else(|| number(v), |e| within(v, e));
        let without = if j.missing > 0 { format!(", {} without a value", j.missing) } else { String::new() };
        format!("{} {value}{error} of {}{without}", j.measure, count(j.cases))
    });
    let expected = j.expected.map_or(String::new(), |[v, t]| format!("expected {} +- {}", within(v, t), number(t)));
    let reason = j.reason.clone().unwrap_or_default();
    let parts: Vec<&str> =
        [&found, &expected, &reason].into_iter().filter(|p| !p.is_empty()).map(String::as_str).collect();
    println!("{mark} {}: {} ({})", j.what, parts.join(", "), j.source);
}

/// How it ended, and where everything is.
pub(super) fn print_summary(
    campaign: &Campaign,
    out: &Path,
    files: &[PathBuf],
    pictures: &[Outcome],
    judged: &[Judged],
    json: bool,
) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut rows = vec![];
    for case in &campaign.cases {
        let found = look(&run_of(out, case));
        match found.status {
            Status::Done => counts.done += 1,
            Status::Kept => counts.kept += 1,
            Status::Failed => counts.failed += 1,
            _ => counts.left += 1,
        }
        let unmeasured = unmeasured(campaign, out, case);
        counts.unmeasured += usize::from(unmeasured.is_some());
        if let (Some(error), false) = (&unmeasured, json) {
            println!("not measured {}: {error}", case.name);
        }
        let error = found.failure.map(|f| f.error);
        if let (Some(error), false) = (&error, json) {
            println!("failed {}: {error}\n    log: {}", case.name, log_of(out, case).display());
        }
        rows.push(
            json!({ "index": case.index, "name": case.name, "status": found.status, "error": error.or(unmeasured) }),
        );
    }
    if json {
        let (out, files) = (text(out), files.iter().map(|file| text(file)).collect::<Vec<_>>());
        println!(
            "{}",
            json!({ "out": out, "files": files, "counts": counts, "cases": rows, "expect": judged, "pictures": pictures })
        );
        return Ok(counts);
    }
    let kept = if counts.kept > 0 { format!("{} kept, ", counts.kept) } else { String::new() };
    let unmeasured =
        if counts.unmeasured > 0 { format!("; {} not measured", counts.unmeasured) } else { String::new() };
    println!("cases: {} done, {kept}{} failed, {} left{unmeasured}", counts.done, counts.failed, counts.left);
    if counts.failed > 0 {
        println!("failed cases run again with --retry, also where their scenario or the campaign was mended");
    }
    if counts.unmeasured > 0 {
        println!("cases that were not measured are measured again with --retry");
    }
    judged.iter().for_each(print_judged);
    for Outcome { name, waits_for, error, .. } in pictures {
        waits_for.iter().for_each(|case| println!("picture {name}: left out, case {case} is not done"));
        error.iter().for_each(|error| println!("picture {name}: not drawn: {error}"));
    }
    files.iter().for_each(|f| println!("{}", f.display()));
    Ok(counts)
}
