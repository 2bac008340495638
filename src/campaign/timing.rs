//! `timing.csv`: where the time of the steps of each case went. Wall times differ each time, so they are kept apart from what
//! repeats byte by byte. Plots may name these columns.

use super::cell::Cell;
use super::known::OF_RUN;
use super::model::{Campaign, Case};
use super::paths::TIMING;
use super::paths::run_of;
use super::table::Table;
use crate::base::disk::remove;
use crate::base::error::Result;
use crate::engine::PHASES;
use crate::record::files::timing::Timed;
use std::path::{Path, PathBuf};

/// Names of the columns: steps that were timed, wall time of a step, and its phases.
pub(super) fn columns() -> Vec<String> {
    let of_phase = |phase: &str| {
        let phase = phase.replace(' ', "_");
        [format!("timing.{phase}_s_per_step"), format!("timing.{phase}_share")]
    };
    let all = ["timing.steps", "timing.s_per_step"].map(str::to_owned);
    all.into_iter().chain(PHASES.into_iter().flat_map(of_phase)).collect()
}

/// Values of these columns; empty where a case was not timed, or has no such phase.
fn cells(timed: Option<&Timed>) -> Vec<Cell> {
    let Some(timed) = timed else { return vec![Cell::Empty; columns().len()] };
    let each = |seconds: f64| Cell::Number(seconds / timed.steps.max(1) as f64);
    let all = [Cell::Number(timed.steps as f64), each(timed.phases.iter().map(|p| p.seconds).sum())];
    let of_phase = |name: &str| match timed.phases.iter().find(|p| p.name == name) {
        Some(phase) => [each(phase.seconds), Cell::Number(phase.share)],
        None => [Cell::Empty, Cell::Empty],
    };
    all.into_iter().chain(PHASES.into_iter().flat_map(of_phase)).collect()
}

/// Writes `timing.csv`, cases with what varies and their times, and gives the table with these times for plots. A campaign
/// without `timing` has neither.
pub fn add(campaign: &Campaign, table: Table, directory: &Path) -> Result<(Table, Option<PathBuf>)> {
    if !campaign.timing {
        // of the campaign when it timed its steps
        remove(&directory.join(TIMING))?;
        return Ok((table, None));
    }
    let of_case = |case: &Case| {
        let damaged = |e| tracing::warn!("timing.csv lacks the times of case {}: {e}", case.name);
        cells(Timed::read(&run_of(directory, case)).map_err(damaged).ok().flatten().as_ref())
    };
    let times: Vec<Vec<Cell>> = campaign.cases.iter().map(of_case).collect();
    let names = columns();
    let any = |k: &usize| times.iter().any(|row| row[*k] != Cell::Empty);
    let shown: Vec<usize> = (0..names.len()).filter(any).collect();
    let behind = |table: &mut Table| {
        table.columns.extend(shown.iter().map(|k| names[*k].clone()));
        for (row, times) in table.rows.iter_mut().zip(&times) {
            row.extend(shown.iter().map(|k| times[*k].clone()));
        }
    };
    let varied = campaign.columns.iter().map(String::as_str);
    let kept: Vec<&str> = ["case", "name", "status"].into_iter().chain(varied).chain([OF_RUN[0]]).collect();
    let (mut alone, mut whole) = (table.of(&kept), table);
    behind(&mut alone);
    behind(&mut whole);
    Ok((whole, Some(alone.write(directory, TIMING)?)))
}
