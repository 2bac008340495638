//! Arguments and signals that several subcommands share.

use breccia::error::{Error, Result};
use breccia::gpu::Gpu;
use breccia::pipeline::link::Sources;
use breccia::scenario::model::Scenario;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A scenario with changes.
#[derive(clap::Args)]
pub struct Source {
    /// Scenario: a file, or the name of a built-in one (see `breccia scenarios`)
    pub scenario: String,
    /// Change a key, as in --set bodies.0.count=3375 or --set material.rock.friction_sliding=0.8
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Name and title of a scenario in one line.
pub fn heading(scenario: &Scenario) -> String {
    let colon = if scenario.title.is_empty() { "" } else { ": " };
    format!("{}{colon}{}", scenario.name, scenario.title)
}

/// Which device computes, by which shaders.
#[derive(clap::Args)]
pub struct Device {
    /// Adapter: index, or part of its name (see `breccia gpus`)
    #[arg(long)]
    pub gpu: Option<String>,
    /// Read shaders from this directory instead of the embedded ones
    #[arg(long)]
    pub shader_dir: Option<PathBuf>,
}

impl Device {
    /// The adapter asked for.
    pub fn open(&self) -> Result<Gpu> {
        Gpu::open(self.gpu.as_deref())
    }

    /// The shaders asked for.
    pub fn sources(&self) -> Sources {
        Sources { directory: self.shader_dir.clone() }
    }
}

/// Coordinates that frames are shown in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Axes {
    Body,
    Inertial,
}

static STOP: AtomicBool = AtomicBool::new(false);
static SIGNALS: AtomicU32 = AtomicU32::new(0);

/// A flag that Ctrl-C and SIGTERM set. A second signal ends the process at once.
pub fn stop_flag() -> Result<&'static AtomicBool> {
    static SET: OnceLock<std::result::Result<(), String>> = OnceLock::new();
    let set = SET.get_or_init(|| {
        ctrlc::set_handler(|| {
            STOP.store(true, Ordering::SeqCst);
            if SIGNALS.fetch_add(1, Ordering::SeqCst) > 0 {
                std::process::exit(130);
            }
        })
        .map_err(|e| e.to_string())
    });
    set.clone().map_err(Error::Usage)?;
    Ok(&STOP)
}

/// Sets the flag of [`stop_flag`] when standard input ends: also when the process at its other end is killed.
pub fn stop_at_end_of_input() {
    std::thread::spawn(|| {
        // An input that cannot be read has ended too.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        STOP.store(true, Ordering::SeqCst);
    });
}

/// True if more than one signal came: the user wants out, not a requeue.
pub fn interrupted() -> bool {
    SIGNALS.load(Ordering::SeqCst) > 1
}
