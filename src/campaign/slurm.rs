//! A script for an array of jobs, one case each.

use super::model::Campaign;
use crate::base::error::{Error, Result};
use crate::base::exit_code::STOPPED;
use crate::base::fault::Fault;
use std::path::Path;

/// Writes the script; refuses to replace a file. `options`: of `breccia sweep`, for every case.
pub fn write(path: &Path, campaign: &Campaign, options: &[String]) -> Result<()> {
    if path.exists() {
        return Err(Fault::new("exists already").remedy("choose another --slurm FILE").path(path).into());
    }
    let words = [&campaign.file].into_iter().chain(options);
    if let Some(word) = words.into_iter().find(|w| w.chars().any(char::is_control)) {
        return Err(Error::Usage(format!(
            "{word:?}: holds a line break or another control character, which a job script cannot carry; rename the file, or change the option"
        )));
    }
    std::fs::write(path, script(campaign, options)).map_err(|e| Error::io(path, e))
}

/// The text of the script.
pub fn script(campaign: &Campaign, options: &[String]) -> String {
    let command: Vec<String> =
        ["breccia", "sweep", &campaign.file].into_iter().map(quoted).chain(options.iter().map(|o| quoted(o))).collect();
    let (name, command, last) = (&campaign.name, command.join(" "), campaign.cases.len() - 1);
    format!(
        r#"#!/bin/sh
# Submit where the campaign and its scenario are read from: sbatch --array=... replaces the one below.
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
#SBATCH --ntasks=1
#SBATCH --gpus-per-task=1
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
# The signal comes 120 s before the time is up: the case then stops with a checkpoint (exit code {STOPPED}) and is queued again.
{command} --case "$SLURM_ARRAY_TASK_ID" &
case_process=$!
trap 'kill -TERM "$case_process"' TERM
wait "$case_process"
code=$?
# A signal ends the first wait; the second one has the exit code of the case.
if [ "$code" -gt 128 ]; then wait "$case_process"; code=$?; fi
if [ "$code" -eq {STOPPED} ]; then scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"; fi
exit "$code"
# When all are done: {command} --table
"#
    )
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/=+-:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
