//! What a container is to be filled with.

use crate::model::scenario::Sizes;
use crate::scenario::vessel::Vessel;
use glam::DVec3;
use serde::Serialize;

/// A container and its contents.
#[derive(Debug, Clone, Serialize)]
pub(in crate::scenario) struct Order {
    /// all bodies lie wholly in it
    pub container: Vessel,
    /// of what no layer holds
    pub packing: f64,
    /// sizes there
    pub radius: Sizes,
    /// the innermost first
    pub layers: Vec<Layer>,
    /// at positions of their own
    pub boulders: Vec<Boulder>,
    /// at random positions
    pub random_boulders: Option<Scatter>,
}

/// A layer: what lies in its surface and in no layer further inside.
#[derive(Debug, Clone, Serialize)]
pub(in crate::scenario) struct Layer {
    /// size of its surface over that of the container
    pub fraction: Option<f64>,
    /// its surface, if it has one of its own
    pub container: Option<Vessel>,
    /// index into the scenario's materials; `None`: that of the group
    pub material: Option<usize>,
    /// share of its volume
    pub packing: f64,
    /// sizes
    pub radius: Sizes,
}

/// A boulder.
#[derive(Debug, Clone, Serialize)]
pub(in crate::scenario) struct Boulder {
    /// centre (m)
    pub position_m: DVec3,
    /// (m)
    pub radius_m: f64,
    /// index into the scenario's materials; `None`: that of the group
    pub material: Option<usize>,
}

/// Boulders at random.
#[derive(Debug, Clone, Serialize)]
pub(in crate::scenario) struct Scatter {
    /// how many
    pub count: usize,
    /// sizes
    pub radius: Sizes,
    /// index into the scenario's materials; `None`: that of the group
    pub material: Option<usize>,
}
