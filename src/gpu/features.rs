//! Features: what a run is or has, by name. A step of a pipeline says with `for` which features it belongs to, a row of
//! the buffer table with `only`. The engine states them; all else follows.

use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::reader::nearest;
use std::collections::BTreeSet;

/// A feature and, where something belongs to runs without it, the name of that.
struct Feature {
    name: &'static str,
    opposite: Option<&'static str>,
}

const fn either(name: &'static str, opposite: &'static str) -> Feature {
    Feature { name, opposite: Some(opposite) }
}

const fn plain(name: &'static str) -> Feature {
    Feature { name, opposite: None }
}

/// All features.
const FEATURES: [Feature; 13] = [
    // contacts are rigid; or they are springs
    either("contact_dynamics", "soft_spheres"),
    // bodies are made of convex parts; or each is a sphere
    either("polyhedra", "spheres"),
    // contacts are solved colour by colour; or all at once
    either("sweeps", "jacobi"),
    // one workgroup makes all iterations of a step; or each is some dispatches
    either("one_group", "many_groups"),
    // neighbours are sorted as entries of all bodies together; or by the body that has them
    either("crowded", "uncrowded"),
    // the frame of a run turns
    either("turning_frame", "inertial_frame"),
    // self-gravity is summed by a tree
    plain("gravity_tree"),
    // an asteroid of faces attracts
    plain("asteroid_field"),
    // and a tree over the faces is walked
    plain("asteroid_tree"),
    // an asteroid's surface is touched
    plain("surface"),
    // its facets fill more than one window of them, or more than two
    plain("second_window"),
    plain("third_window"),
    // some walls answer to force
    plain("plates"),
];

/// The features that a run has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    on: BTreeSet<&'static str>,
}

impl Features {
    /// States that the run has the feature, or that it does not.
    pub fn set(&mut self, name: &'static str, on: bool) {
        debug_assert!(FEATURES.iter().any(|f| f.name == name), "{name}");
        if on {
            self.on.insert(name);
        } else {
            self.on.remove(name);
        }
    }

    /// True if the run has the feature; of an opposite, if it does not have the feature itself.
    pub fn has(&self, name: &str) -> bool {
        match FEATURES.iter().find(|f| f.opposite == Some(name)) {
            Some(feature) => !self.on.contains(feature.name),
            None => self.on.contains(name),
        }
    }

    /// True if the run has all of them; each, which a pipeline wrote, must be a feature.
    pub fn all(&self, names: &[String]) -> Result<bool> {
        let known = || FEATURES.iter().flat_map(|f| [Some(f.name), f.opposite]).flatten();
        if let Some(name) = names.iter().find(|n| known().all(|k| k != n.as_str())) {
            return Err(Fault::new(format!("unknown feature `{name}` in `for`")).remedy(nearest(name, known())).into());
        }
        Ok(names.iter().all(|n| self.has(n)))
    }
}
