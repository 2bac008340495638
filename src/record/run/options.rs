//! How a run is opened, and how it is taken up again.

use crate::base::error::{Error, Result};
use crate::engine::open::EngineKind;
use crate::gpu::choice::Wish;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a run is opened. The default is a run in memory on the fastest GPU.
///
/// ```
/// use breccia::{EngineKind, RunOptions};
/// let options = RunOptions { engine: EngineKind::Reference, ..RunOptions::default() };
/// # assert!(options.directory.is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// what computes
    pub engine: EngineKind,
    /// where the series, frames and checkpoints go; `None`: the run stays in memory
    pub directory: Option<PathBuf>,
    /// a run that is there already is replaced
    pub overwrite: bool,
    /// how this process works on it
    pub session: SessionOptions,
}

/// How a run is taken up again; its engine is the one that it was opened with.
#[derive(Debug, Clone, Default)]
pub struct ResumeOptions {
    /// the run goes on with the inputs that it keeps, though the originals have changed
    pub kept_inputs: bool,
    /// damaged frames from before the checkpoint are left as they are
    pub damaged_frames: bool,
    /// the run begins again at step 0; all but its scenario and its inputs is removed
    pub restart: bool,
    /// how this process works on it
    pub session: SessionOptions,
}

/// How one process works on a run, whether it opens it or takes it up again.
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    /// which adapter computes; by default the one that a scheduler grants, else the fastest kind
    pub adapter: Wish,
    /// shaders are read from this directory instead of the embedded ones
    pub shader_dir: Option<PathBuf>,
    /// loops and divisions are checked as shaders run
    pub checked_shaders: bool,
    /// how long to wait for another process that is about to leave the directory
    pub patience: Duration,
    /// the time of each phase of the steps is measured, see [`Run::timing`](super::Run::timing)
    pub timing: bool,
    /// [`Run::go`](super::Run::go) stops with a checkpoint once this many steps are done
    pub stop_at_step: Option<u64>,
    /// called before a device is looked for
    pub before_device: Option<fn(&Scenario, &Bodies)>,
}

impl SessionOptions {
    /// Refuses options that mean nothing to the engine.
    pub(super) fn check(&self, engine: EngineKind) -> Result<()> {
        if engine == EngineKind::Gpu {
            return Ok(());
        }
        if !self.adapter.is_default() || self.shader_dir.is_some() || self.checked_shaders {
            let text = "the reference engine uses no GPU; leave out --gpu, --require-gpu, --software, --shader-dir and --checked-shaders";
            return Err(Error::Usage(text.into()));
        }
        if self.timing {
            return Err(Error::Usage("--timing: the reference engine does not time its phases; leave it out".into()));
        }
        Ok(())
    }

    pub(super) fn open_gpu(&self, scenario: &Scenario, bodies: &Bodies) -> Result<Gpu> {
        if let Some(prepare) = self.before_device {
            prepare(scenario, bodies);
        }
        Gpu::open_as(&self.adapter, wgpu::Features::empty())
    }

    pub(super) fn sources(&self) -> Sources {
        Sources { directory: self.shader_dir.clone(), checked: self.checked_shaders, ..Sources::default() }
    }
}

/// What a run is opened from: a [`Scenario`], the path of its file, or the name of a built-in one.
pub trait IntoScenario {
    /// The scenario, read and checked.
    fn into_scenario(self) -> Result<Scenario>;
}

impl IntoScenario for Scenario {
    fn into_scenario(self) -> Result<Scenario> {
        Ok(self)
    }
}

impl IntoScenario for &Scenario {
    fn into_scenario(self) -> Result<Scenario> {
        Ok(self.clone())
    }
}

impl IntoScenario for &str {
    fn into_scenario(self) -> Result<Scenario> {
        Scenario::load(self)
    }
}

impl IntoScenario for String {
    fn into_scenario(self) -> Result<Scenario> {
        Scenario::load(&self)
    }
}

impl IntoScenario for &String {
    fn into_scenario(self) -> Result<Scenario> {
        Scenario::load(self)
    }
}

impl IntoScenario for PathBuf {
    fn into_scenario(self) -> Result<Scenario> {
        self.as_path().into_scenario()
    }
}

impl IntoScenario for &PathBuf {
    fn into_scenario(self) -> Result<Scenario> {
        self.as_path().into_scenario()
    }
}

impl IntoScenario for &Path {
    fn into_scenario(self) -> Result<Scenario> {
        Scenario::load(&self.to_string_lossy())
    }
}
