//! The run that a page shows.

use super::fence::Fence;
use crate::base::error::{Error, Result};
use crate::base::sha256::sha256;
use crate::model::stored::frames::{folder_of, number_of};
use crate::model::stored::names::TIME;
use crate::model::stored::resolved::{self, Plane, Resolved};
use crate::record::files::directory::need_run;
use crate::record::summary::Summary;
use crate::render::asteroid::Asteroid;
use crate::render::scene::{Frame, Quantity};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A run directory. Another run may take it while its page is served.
#[derive(Debug)]
pub struct Run {
    /// the directory
    pub directory: PathBuf,
    fence: Fence,
    given: Mutex<Option<Arc<Given>>>,
}

/// What a run is given at its start, which stays as it is until another run takes the directory.
#[derive(Debug)]
pub struct Given {
    /// tells it from that of another run: [`Run::key`]
    pub key: Option<String>,
    /// materials and walls; none in a directory of frames put together by hand
    pub resolved: Option<Resolved>,
    /// in its own axes
    pub asteroid: Option<Asteroid>,
}

impl Given {
    /// The walls, in order.
    pub fn walls(&self) -> &[Plane] {
        self.resolved.as_ref().map_or(&[], |r| &r.walls)
    }

    /// Names of the materials, in order.
    pub fn materials(&self) -> Vec<String> {
        self.resolved.iter().flat_map(|r| r.materials.iter().map(|m| m.name.clone())).collect()
    }

    /// The asteroid, in these axes.
    pub fn asteroid_in(&self, at: At) -> Option<Asteroid> {
        self.asteroid.clone().map(|a| Asteroid { inertial: at.inertial, ..a })
    }
}

/// A frame of a run, in some axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// its number
    pub frame: usize,
    /// as it is in inertial space; else in the axes of the frames
    pub inertial: bool,
}

impl Run {
    /// Opens a run directory; an error if it holds no run, or links that lead out of it.
    pub fn open(directory: &Path) -> Result<Run> {
        need_run(directory)?;
        let fence = Fence::around(directory)?;
        let run = Run { directory: directory.to_owned(), fence, given: Mutex::default() };
        run.given()?;
        run.summary()?;
        Ok(run)
    }

    /// Tells runs in this directory apart: the sha-256 of `resolved.json`, which a new run writes after its inputs; none where
    /// that is missing.
    pub fn key(&self) -> Result<Option<String>> {
        let path = self.file(resolved::FILE)?;
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(sha256(&bytes))),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Error::io(path, e)),
        }
    }

    /// What the run is given, read again when another run has taken the directory.
    pub fn given(&self) -> Result<Arc<Given>> {
        let mut known = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let key = self.key()?;
        if let Some(given) = known.as_ref().filter(|given| given.key == key) {
            return Ok(given.clone());
        }
        // another run may have brought links with it
        self.fence.folder(&self.directory)?;
        let (resolved, asteroid) =
            (Resolved::read_if_there(&self.directory)?, Asteroid::of_run(&self.directory, false)?);
        let given = Arc::new(Given { key, resolved, asteroid });
        *known = Some(given.clone());
        Ok(given)
    }

    /// What is known of the run now.
    pub fn summary(&self) -> Result<Summary> {
        self.fence.folder(&self.directory)?;
        Summary::read(&self.directory)
    }

    /// A file of the run; an error if it is a link that leads out of it.
    pub fn file(&self, name: &str) -> Result<PathBuf> {
        let path = self.directory.join(name);
        self.fence.file(&path).map(|()| path)
    }

    /// The directory of a frame; an error if there is none.
    pub fn folder(&self, frame: usize) -> Result<PathBuf> {
        let folder = folder_of(&self.directory, frame);
        match folder.join(TIME).exists() && number_of(&folder) == Some(frame) {
            true => self.fence.folder(&folder).map(|()| folder),
            false => Err(Error::Usage(format!("frame {frame}: {} has no such frame", self.directory.display()))),
        }
    }

    /// A frame with a quantity; it may hold no bodies.
    pub fn read(&self, at: At, quantity: &Quantity) -> Result<Frame> {
        Frame::read_any(&self.folder(at.frame)?, quantity, at.inertial)
    }
}
