//! Bodies in an order in which neighbours in the list are near in space, cut into runs with bounds on position and
//! velocity, so that whole runs can be passed over.

use crate::geometry::box_tree::{Bounds, BoxTree, bounds};
use crate::model::body::Bodies;
use glam::DVec3;
use std::ops::Range;

/// Bodies of a run.
const RUN: usize = 64;

/// The bodies, and their runs.
pub(super) struct Compact {
    /// in the new order
    pub(super) bodies: Bodies,
    /// where each stood before
    pub(super) order: Vec<usize>,
    /// what follows each other
    pub(super) runs: Vec<Run>,
}

/// Bodies that follow each other.
pub(super) struct Run {
    /// indices in the new order
    pub(super) indices: Range<usize>,
    /// box of the centres (m)
    pub(super) position_m: Bounds,
    /// box of the velocities (m/s)
    pub(super) velocity_m_s: Bounds,
}

impl Compact {
    /// Orders the bodies by a tree of boxes about their centres.
    pub(super) fn new(bodies: &Bodies) -> Compact {
        let points = &bodies.position_m;
        let boxes: Vec<Bounds> = points.iter().map(|p| [*p; 2]).collect();
        let order: Vec<usize> = BoxTree::new(&boxes, points).order.iter().map(|k| *k as usize).collect();
        let bodies = bodies.select(&order);
        let run = |first: usize| {
            let indices = first..(first + RUN).min(order.len());
            let of = |list: &[DVec3]| bounds(list[indices.clone()].iter().copied());
            Run { position_m: of(&bodies.position_m), velocity_m_s: of(&bodies.velocity_m_s), indices }
        };
        let runs = (0..order.len()).step_by(RUN).map(run).collect();
        Compact { runs, bodies, order }
    }
}

/// Least distance of a point from a box.
pub(super) fn distance(p: DVec3, [low, high]: Bounds) -> f64 {
    p.distance(p.clamp(low, high))
}

/// Least distance between two boxes.
pub(super) fn between([a_low, a_high]: Bounds, [b_low, b_high]: Bounds) -> f64 {
    (a_low - b_high).max(b_low - a_high).max(DVec3::ZERO).length()
}
