//! The run that a page shows.

use super::fence::Fence;
use crate::base::error::{Error, Result};
use crate::model::stored::frames::{folder_of, number_of};
use crate::model::stored::resolved::Resolved;
use crate::record::summary::Summary;
use crate::render::asteroid::Asteroid;
use crate::render::scene::{Frame, Quantity};
use std::path::{Path, PathBuf};

/// A run directory, and what never changes in it.
#[derive(Debug)]
pub struct Run {
    /// the directory
    pub directory: PathBuf,
    /// materials and walls; none in a directory of frames put together by hand
    pub resolved: Option<Resolved>,
    /// in its own axes
    pub asteroid: Option<Asteroid>,
    fence: Fence,
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
        let fence = Fence::around(directory)?;
        fence.folder(directory)?;
        Summary::read(directory)?;
        Ok(Run {
            directory: directory.to_owned(),
            resolved: Resolved::read_if_there(directory)?,
            asteroid: Asteroid::of_run(directory, false)?,
            fence,
        })
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
        match folder.join("time.json").exists() && number_of(&folder) == Some(frame) {
            true => self.fence.folder(&folder).map(|()| folder),
            false => Err(Error::Usage(format!("frame {frame}: {} has no such frame", self.directory.display()))),
        }
    }

    /// A frame with a quantity.
    pub fn read(&self, at: At, quantity: &Quantity) -> Result<Frame> {
        Frame::read(&self.folder(at.frame)?, quantity, at.inertial)
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
