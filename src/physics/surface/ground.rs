//! The surface of an asteroid as spheres meet it: its facets, found by their tree.

use super::facet::{Facet, Meeting};
use crate::base::error::Result;
use crate::geometry::facet_tree::FacetTree;
use crate::geometry::inside::inside;
use crate::geometry::surface::Surface;
use crate::model::scenario::{AsteroidSpec, Scenario, SurfaceLaw};
use glam::DVec3;
use std::sync::Arc;

/// Facets that do not move.
#[derive(Debug, Clone)]
pub struct Ground {
    /// boxes over the facets
    pub tree: Arc<FacetTree>,
    /// in the order of the tree
    pub facets: Vec<Facet>,
    /// index into the scenario's materials
    pub material: usize,
    /// how facets make up a force
    pub law: SurfaceLaw,
    /// distance of the farthest vertex from the origin (m)
    pub reach_m: f64,
}

impl Ground {
    /// The ground of the scenario's asteroid, if it has one; `Err`: its shape cannot be made.
    pub fn of(scenario: &Scenario) -> Result<Option<Ground>> {
        let make = |spec: &AsteroidSpec| {
            let reach_m = spec.surface()?.radius_m();
            Ok(Ground::with(spec.tree()?, reach_m, spec.material, spec.contact))
        };
        scenario.asteroid.as_ref().map(make).transpose()
    }

    /// The ground of a surface.
    pub fn new(surface: &Surface, material: usize, law: SurfaceLaw) -> Ground {
        Ground::with(Arc::new(FacetTree::new(surface)), surface.radius_m(), material, law)
    }

    fn with(tree: Arc<FacetTree>, reach_m: f64, material: usize, law: SurfaceLaw) -> Ground {
        let facets = tree.corners_m.iter().map(|c| Facet::new(*c)).collect();
        Ground { tree, facets, material, law, reach_m }
    }

    /// Facets that a sphere touches, in the order of the tree.
    pub fn met(&self, centre: DVec3, radius: f64) -> Vec<Meeting> {
        self.tree.boxes.within(centre, radius).into_iter().filter_map(|k| self.facets[k].meet(centre, radius)).collect()
    }

    /// How deep a sphere is in the surface: its radius less the distance of the closest point of any facet (m), 0 out of
    /// reach. A facet counts from both sides, so that a centre on the surface, or behind it by rounding, is a radius deep.
    pub fn depth(&self, centre: DVec3, radius: f64) -> f64 {
        let near = self.tree.boxes.within(centre, radius).into_iter();
        near.map(|k| radius - self.facets[k].closest(centre).distance(centre)).fold(0.0, f64::max)
    }

    /// Whether a point lies in the body.
    pub fn holds(&self, p: DVec3) -> bool {
        inside(&self.tree, p)
    }
}
