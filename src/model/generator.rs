//! What makes the bodies of a group. The generators themselves are in `scenario/generators/`; a [`Generator`] is one of
//! them with its values.

use super::body::Bodies;
use super::scenario::{ListItem, Scenario};
use crate::base::error::Result;
use rand_pcg::Pcg64Mcg;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use std::fmt::Debug;

/// A generator with the values that a scenario gives it. Serialized with its name as `generator`.
#[derive(Debug)]
pub struct Generator(Box<dyn Generate>);

/// What the rest of the program asks of a generator.
pub trait Generate: Stored + Debug + Send + Sync {
    /// Bodies that it will make, as far as the scenario says; 0 if a file says it.
    fn count(&self) -> usize {
        0
    }

    /// True if it chooses the positions of bodies; it may then choose their orientations too.
    fn places_at_random(&self) -> bool {
        false
    }

    /// True if its bodies may have shapes with a size of their own.
    fn takes_sized_shapes(&self) -> bool {
        false
    }

    /// True if its bodies lie on the surface of the asteroid.
    fn needs_asteroid(&self) -> bool {
        false
    }

    /// What its bodies keep from where they come from.
    fn keeps(&self) -> Keeps {
        Keeps::default()
    }

    /// The files and runs that it reads.
    fn sources(&mut self) -> Vec<SourcePath<'_>> {
        vec![]
    }

    /// The volume that its bodies fill, if it has bounds (m3); `Err`: its surface cannot be made.
    fn container_m3(&self, _scenario: &Scenario, _group: usize) -> Result<Option<f64>> {
        Ok(None)
    }

    /// Hands over the bodies of group number `group`, one by one: there may be many millions. A generator whose bodies
    /// come whole gives them in [`Generate::whole`] instead.
    fn place(&self, scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()>;

    /// The bodies of group number `group` as they were, if it has them whole.
    fn whole(&self, _scenario: &Scenario, _group: usize) -> Result<Option<Whole>> {
        Ok(None)
    }
}

/// What bodies keep from where they come from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keeps {
    /// their shapes, so that the group has none
    pub shapes: bool,
    /// their materials, so that the group has none
    pub materials: bool,
}

/// A path that a generator reads.
pub struct SourcePath<'a> {
    /// its key within the group, such as `path`
    pub key: String,
    /// the path, which may be replaced
    pub path: &'a mut String,
    /// a run directory, of which the last frame is read; else a file
    pub run: bool,
}

/// Bodies with their shapes.
pub struct Whole {
    /// the bodies
    pub bodies: Bodies,
    /// index of the material of each in this scenario; `None`: all have that of the group
    pub materials: Option<Vec<usize>>,
}

/// Who takes bodies as they are placed.
pub trait Take {
    /// Makes room for so many more.
    fn reserve(&mut self, more: usize);
    /// Takes the next.
    fn take(&mut self, body: ListItem);
}

impl Take for Vec<ListItem> {
    fn reserve(&mut self, more: usize) {
        Vec::reserve(self, more);
    }

    fn take(&mut self, body: ListItem) {
        self.push(body);
    }
}

/// What every generator that can be copied and serialized has by itself.
pub trait Stored {
    /// A copy.
    fn copy(&self) -> Box<dyn Generate>;
    /// As JSON, with the members in their order.
    fn json(&self) -> serde_json::Result<Box<serde_json::value::RawValue>>;
}

impl<T: Generate + Clone + Serialize + 'static> Stored for T {
    fn copy(&self) -> Box<dyn Generate> {
        Box::new(self.clone())
    }

    fn json(&self) -> serde_json::Result<Box<serde_json::value::RawValue>> {
        serde_json::value::to_raw_value(self)
    }
}

impl Generator {
    /// This generator.
    pub fn new(generator: impl Generate + 'static) -> Generator {
        Generator(Box::new(generator))
    }
}

impl std::ops::Deref for Generator {
    type Target = dyn Generate;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl std::ops::DerefMut for Generator {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Clone for Generator {
    fn clone(&self) -> Generator {
        Generator(self.0.copy())
    }
}

impl Serialize for Generator {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.json().map_err(S::Error::custom)?.serialize(serializer)
    }
}
