//! `breccia sweep --slurm FILE`: the options of the script.

use breccia::base::error::{Error, Result};
use breccia::campaign::model::Campaign;
use breccia::campaign::slurm::{Job, Place, write};
use std::path::{Path, PathBuf};

/// A time as sbatch takes it: minutes, MM:SS, HH:MM:SS, DAYS-HH, DAYS-HH:MM or DAYS-HH:MM:SS.
fn slurm_time(text: &str) -> std::result::Result<String, String> {
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let parts: Vec<&str> = days.into_iter().chain(rest.split(':')).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match parts.iter().all(is_number) && rest.split(':').count() <= 3 {
        true => Ok(text.to_owned()),
        false => Err("give minutes, HH:MM:SS or DAYS-HH:MM:SS".into()),
    }
}

/// What is asked of Slurm. All of them are for `--slurm` alone.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Asked {
    /// For --slurm: time of a job, as sbatch takes it, such as 12:00:00 [default: that of the partition]
    #[arg(long, value_name = "TIME", requires = "slurm", value_parser = slurm_time)]
    slurm_time: Option<String>,
    /// For --slurm: partition
    #[arg(long, value_name = "NAME", requires = "slurm")]
    slurm_partition: Option<String>,
    /// For --slurm: account
    #[arg(long, value_name = "NAME", requires = "slurm")]
    slurm_account: Option<String>,
    /// For --slurm: GPUs of a job, --gres=gpu:COUNT; a run computes on one [default: none is asked for, as on clusters that do
    /// not count GPUs]
    #[arg(long, value_name = "COUNT", requires = "slurm", conflicts_with = "slurm_gres", value_parser = clap::value_parser!(u16).range(1..))]
    slurm_gpus: Option<u16>,
    /// For --slurm: what --gres takes, such as gpu:a100:1
    #[arg(long, value_name = "GRES", requires = "slurm")]
    slurm_gres: Option<String>,
    /// For --slurm: CPUs of a job
    #[arg(long, value_name = "COUNT", requires = "slurm", value_parser = clap::value_parser!(u16).range(1..))]
    slurm_cpus: Option<u16>,
    /// For --slurm: memory of a job, as sbatch takes it, such as 8G
    #[arg(long, value_name = "MEMORY", requires = "slurm")]
    slurm_memory: Option<String>,
    /// For --slurm: jobs at once
    #[arg(long, value_name = "COUNT", requires = "slurm", value_parser = clap::value_parser!(u32).range(1..))]
    slurm_limit: Option<u32>,
    /// For --slurm: a job whose time is up, or that of --max-walltime, is not queued again
    #[arg(long, requires = "slurm")]
    slurm_no_requeue: bool,
    /// For --slurm: another option of sbatch, such as --slurm-option=--qos=long; may be given several times
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true)]
    slurm_option: Vec<String>,
}

impl Asked {
    /// True if it asks for a GPU.
    pub(super) fn has_gpus(&self) -> bool {
        let others = |o: &String| ["--gres", "--gpus"].iter().any(|g| o.starts_with(g));
        self.slurm_gpus.is_some() || self.slurm_gres.is_some() || self.slurm_option.iter().any(others)
    }

    /// Writes the script, which `options` of `breccia sweep` go into; `typed`: how the campaign was named.
    pub(super) fn write(
        &self,
        file: &Path,
        (campaign, typed): (&Campaign, &str),
        out: &Path,
        options: &[String],
    ) -> Result<()> {
        let gpus = self.slurm_gpus.map(|n| format!("gpu:{n}"));
        let job = Job {
            time: self.slurm_time.clone(),
            partition: self.slurm_partition.clone(),
            account: self.slurm_account.clone(),
            gres: gpus.or_else(|| self.slurm_gres.clone()),
            cpus: self.slurm_cpus,
            memory: self.slurm_memory.clone(),
            at_once: self.slurm_limit,
            requeue: !self.slurm_no_requeue,
            others: self.slurm_option.clone(),
        };
        let typed = Path::new(typed);
        let place = Place {
            program: std::env::current_exe().map_err(|e| Error::io("breccia", e))?,
            folder: std::env::current_dir().map_err(|e| Error::io(".", e))?,
            campaign: if typed.is_file() { absolute(typed)? } else { typed.to_owned() },
            out: absolute(out)?,
            file: absolute(file)?,
        };
        write(file, campaign, &job, &place, options)
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|e| Error::io(path, e))
}
