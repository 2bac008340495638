//! Arguments that several subcommands share.

use super::complete;
use breccia::base::error::Result;
use breccia::base::fault::Fault;
use breccia::gpu::choice::Wish;
use breccia::gpu::device::Gpu;
use breccia::gpu::pipeline::link::Sources;
use breccia::model::scenario::Scenario;
use breccia::record::run::SessionOptions;
use clap_complete::engine::ArgValueCompleter;
use std::path::{Path, PathBuf};

/// A scenario with changes.
#[derive(clap::Args)]
pub(super) struct Source {
    /// Scenario: a file, or the name of a built-in one (see `breccia scenarios`)
    #[arg(add = ArgValueCompleter::new(complete::scenarios))]
    pub scenario: String,
    /// Change a key, as in --set bodies.0.count=3375 or --set material.rock.friction_sliding=0.8
    #[arg(long, value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::settings))]
    pub set: Vec<String>,
}

/// Refuses to write over a file, or into a folder that is not there, before anything is computed for it.
pub(super) fn refuse_unwritable(out: &Path, overwrite: bool) -> Result<()> {
    if let Some(folder) = out.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        return Err(Fault::new("there is no such folder")
            .remedy("make it, or name another with --out")
            .path(folder)
            .data());
    }
    if out.exists() && !overwrite {
        let remedy = "name another file with --out, or give --overwrite";
        return Err(Fault::new("exists already").remedy(remedy).path(out).into());
    }
    Ok(())
}

/// Name and title of a scenario in one line.
pub(super) fn heading(scenario: &Scenario) -> String {
    let colon = if scenario.title.is_empty() { "" } else { ": " };
    format!("{}{colon}{}", scenario.name, scenario.title)
}

/// Which adapter computes.
#[derive(Debug, clap::Args)]
pub(super) struct Adapter {
    /// Adapter: index, PCI address, GPU-... of nvidia-smi, or part of its name (see `breccia gpus`) [default: the one that
    /// CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, ZE_AFFINITY_MASK or SLURM_JOB_GPUS grants, else the fastest kind]
    #[arg(long)]
    pub gpu: Option<String>,
    /// Refuse software adapters
    #[arg(long, conflicts_with = "software")]
    pub require_gpu: bool,
    /// Compute on a software adapter, which is refused otherwise where a GPU has a driver
    #[arg(long)]
    pub software: bool,
}

impl Adapter {
    /// The adapter asked for.
    pub(super) fn wish(&self) -> Wish {
        Wish { gpu: self.gpu.clone(), software: self.software, require_gpu: self.require_gpu }
    }
}

/// Which device computes, by which shaders.
#[derive(clap::Args)]
pub(super) struct Device {
    #[command(flatten)]
    pub adapter: Adapter,
    /// Read shaders from this directory instead of the embedded ones
    #[arg(long)]
    pub shader_dir: Option<PathBuf>,
    /// Check loops and integer divisions as shaders run; those read from a directory are always checked
    #[arg(long)]
    pub checked_shaders: bool,
}

impl Device {
    /// The adapter asked for.
    pub(super) fn open(&self) -> Result<Gpu> {
        self.open_with(wgpu::Features::empty())
    }

    /// Opens the adapter with those features of `extra` that it has.
    pub(super) fn open_with(&self, extra: wgpu::Features) -> Result<Gpu> {
        Gpu::open_as(&self.adapter.wish(), extra)
    }

    /// Those of a session on it.
    pub(super) fn session(&self) -> SessionOptions {
        SessionOptions {
            adapter: self.adapter.wish(),
            shader_dir: self.shader_dir.clone(),
            checked_shaders: self.checked_shaders,
            ..SessionOptions::default()
        }
    }

    /// The shaders asked for.
    pub(super) fn sources(&self) -> Sources {
        Sources { directory: self.shader_dir.clone(), checked: self.checked_shaders, ..Default::default() }
    }
}

/// Coordinates that frames are shown in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Axes {
    Body,
    Inertial,
}
