//! A script for an array of jobs, one case each.

use super::expand::safe;
use super::model::Campaign;
use crate::base::error::{Error, Result};
use crate::base::exit_code::STOPPED;
use crate::base::fault::Fault;
use crate::base::shell;
use std::path::{Path, PathBuf};

/// Jobs of an array: Slurm's own limit on them, MaxArraySize, is 1001 where a cluster does not raise it.
const JOBS: usize = 1000;
/// Slurm sends its signal so long before the time is up (s): one batch of steps and a checkpoint.
const BEFORE_S: u32 = 120;

/// What is asked of Slurm; what is not asked for is not written, so that a plain cluster takes the script.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// wall time
    pub time: Option<String>,
    /// partition
    pub partition: Option<String>,
    /// account
    pub account: Option<String>,
    /// generic resources
    pub gres: Option<String>,
    /// CPUs of a task
    pub cpus: Option<u16>,
    /// memory of a node
    pub memory: Option<String>,
    /// jobs at once
    pub at_once: Option<u32>,
    /// a job whose time is up, or that of `--max-walltime`, is queued again
    pub requeue: bool,
    /// whole options, as `--qos=long`
    pub others: Vec<String>,
}

/// Where everything is, so that the script may be submitted from anywhere.
#[derive(Debug, Clone)]
pub struct Place {
    /// the program
    pub program: PathBuf,
    /// folder that relative paths of a scenario count from
    pub folder: PathBuf,
    /// file of the campaign, or the name of a built-in one
    pub campaign: PathBuf,
    /// its directory
    pub out: PathBuf,
    /// the script itself
    pub file: PathBuf,
}

/// Writes the script; refuses to replace a file. `options`: of `breccia sweep`, for every case.
pub fn write(path: &Path, campaign: &Campaign, job: &Job, place: &Place, options: &[String]) -> Result<()> {
    if path.exists() {
        return Err(Fault::new("exists already").remedy("choose another --slurm FILE").path(path).into());
    }
    std::fs::write(path, script(campaign, job, place, options)?).map_err(|e| Error::io(path, e))
}

/// The text of the script.
pub fn script(campaign: &Campaign, job: &Job, place: &Place, options: &[String]) -> Result<String> {
    let [program, folder, file, out, own] =
        [text(&place.program)?, text(&place.folder)?, text(&place.campaign)?, text(&place.out)?, text(&place.file)?];
    let words = [program, "sweep".into(), file, "--out".into(), out];
    let command = words.iter().chain(options).map(|w| quoted(w)).collect::<Result<Vec<_>>>()?.join(" ");
    let (folder, own) = (quoted(&folder)?, quoted(&own)?);
    let header = header(campaign, job)?;
    let (retry, more) = (failed_again(campaign, job, &own), beyond(campaign, job, &own));
    let again = if job.requeue { requeue(&own) } else { String::new() };
    Ok(format!(
        r#"#!/bin/sh
{header}{retry}# When all are done: {command} --table
{more}cd {folder} || exit 7
# The signal comes {BEFORE_S} s before the time is up: the case then stops with a checkpoint, exit code {STOPPED}.
time_is_up=
cancelled=
case_process=
trap 'time_is_up=1; kill -USR1 "$case_process"' USR1
trap 'cancelled=1; kill -TERM "$case_process"' TERM
{command} --case "$((SLURM_ARRAY_TASK_ID + ${{BRECCIA_FIRST:-0}}))" "$@" &
case_process=$!
# A signal ends a wait; the last one has the exit code of the case.
while wait "$case_process"; code=$?; kill -0 "$case_process" 2>/dev/null; do :; done
{again}exit "$code"
"#
    ))
}

/// A path as text, which the script is.
fn text(path: &Path) -> Result<String> {
    let fault = || Fault::new("is no text, which a job script needs").remedy("rename it").path(path);
    path.to_str().map(str::to_owned).ok_or_else(|| fault().into())
}

/// What sbatch reads.
fn header(campaign: &Campaign, job: &Job) -> Result<String> {
    let name: String = campaign.name.chars().map(safe).collect();
    let last = campaign.cases.len().min(JOBS) - 1;
    let at_once = job.at_once.map_or(String::new(), |n| format!("%{n}"));
    let asked = [
        ("partition", job.partition.clone()),
        ("account", job.account.clone()),
        ("time", job.time.clone()),
        ("gres", job.gres.clone()),
        ("cpus-per-task", job.cpus.map(|n| n.to_string())),
        ("mem", job.memory.clone()),
    ];
    let mut lines = vec![format!("--job-name={name}"), format!("--array=0-{last}{at_once}"), "--ntasks=1".into()];
    for (key, value) in asked {
        lines.extend(value.map(|v| word(key, &v)).transpose()?.map(|v| format!("--{key}={v}")));
    }
    lines.push(format!("--signal=B:USR1@{BEFORE_S}"));
    lines.push(if job.requeue { "--requeue" } else { "--no-requeue" }.into());
    lines.push("--open-mode=append".into());
    for option in &job.others {
        if !option.starts_with("--") || option.chars().any(|c| c.is_control() || c == '#') {
            return Err(Error::Usage(format!(
                "--slurm-option {option:?}: write an option of sbatch, as in --slurm-option=--qos=long"
            )));
        }
        lines.push(option.clone());
    }
    Ok(lines.iter().map(|line| format!("#SBATCH {line}\n")).collect())
}

/// A value that sbatch reads as one word.
fn word(key: &str, value: &str) -> Result<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:,/=+*@%-".contains(c);
    if value.is_empty() || value.starts_with('-') || !value.chars().all(plain) {
        return Err(Error::Usage(format!("--slurm: {value:?} is not a value of sbatch's --{key}")));
    }
    Ok(value.to_owned())
}

/// What to type for the arrays of the cases beyond the first one, without the script.
fn others(campaign: &Campaign, job: &Job) -> Vec<String> {
    let at_once = job.at_once.map_or(String::new(), |n| format!("%{n}"));
    let submit = |first: usize| {
        let last = (campaign.cases.len() - first).min(JOBS) - 1;
        format!("sbatch --export=ALL,BRECCIA_FIRST={first} --array=0-{last}{at_once}")
    };
    (JOBS..campaign.cases.len()).step_by(JOBS).map(submit).collect()
}

/// How the cases beyond one array are submitted.
fn beyond(campaign: &Campaign, job: &Job, own: &str) -> String {
    let head = "# An array has 1,000 jobs at most where a cluster does not allow more. The other cases:\n";
    let lines: String = others(campaign, job).iter().map(|submit| format!("#   {submit} {own}\n")).collect();
    if lines.is_empty() { lines } else { format!("{head}{lines}") }
}

/// How failed cases are submitted again, those beyond one array too.
fn failed_again(campaign: &Campaign, job: &Job, own: &str) -> String {
    let others = others(campaign, job);
    if others.is_empty() {
        return format!("# Failed cases again: sbatch {own} --retry\n");
    }
    let range = |k: usize| format!("{} to {}", k * JOBS, campaign.cases.len().min((k + 1) * JOBS) - 1);
    let line = |(k, submit): (usize, &str)| format!("#   {submit} {own} --retry  # cases {}\n", range(k));
    let lines: String =
        std::iter::once("sbatch").chain(others.iter().map(String::as_str)).enumerate().map(line).collect();
    format!("# Failed cases again:\n{lines}")
}

/// The lines that queue a job again whose time was up, that of Slurm or that of `--max-walltime`. A job that was cancelled
/// before is not.
fn requeue(own: &str) -> String {
    let job = r#""${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}""#;
    format!(
        r#"if [ "$code" -eq {STOPPED} ] && {{ [ -n "$time_is_up" ] || [ -z "$cancelled" ]; }}; then
    scontrol requeue {job} || echo "not queued again; submit once more:" sbatch {own} >&2
fi
"#
    )
}

/// A word as a shell takes it for one. Line breaks and other control characters have no place in a job script.
fn quoted(word: &str) -> Result<String> {
    if word.chars().any(char::is_control) {
        return Err(Error::Usage(format!(
            "{word:?}: holds a line break or another control character, which a job script cannot carry; rename the file, or change the option"
        )));
    }
    Ok(shell::quoted(word))
}
