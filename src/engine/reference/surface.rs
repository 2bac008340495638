//! What the engine in f64 does with a surface in a step.

use super::soft_sphere::ReferenceEngine;
use crate::gpu::layout::control;
use crate::physics::surface::facet::FADE;
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::{SurfaceTouch, touch_surface};

impl ReferenceEngine {
    /// What the springs of contacts with the surface held that are not in `now`.
    pub(in crate::engine::reference) fn left_surface(&self, now: &[SurfaceTouch]) -> impl Iterator<Item = [f64; 3]> {
        let there = |t: &SurfaceTouch| now.binary_search_by_key(&(t.i, t.slot), |n| (n.i, n.slot)).is_ok();
        let held = move |t: &SurfaceTouch| {
            let k = t.i as usize;
            let ground = self.ground.as_ref().map_or(0, |g| g.material);
            let law = self.laws.of(self.bodies.material[k] as usize, ground);
            law.held(self.bodies.radius_m[k], t.overlap, &t.result.springs).map(|e| t.weight * e)
        };
        self.surface_touches.iter().filter(move |t| !there(t)).map(held)
    }

    /// A body that moves so far in a step that it might pass the surface unseen.
    fn unseen(&self, ground: &Ground) -> Option<u32> {
        let passes = |k: &usize| {
            let (m, radius) = (&self.moving[*k], self.bodies.radius_m[*k]);
            let way = m.velocity.length() * self.dt;
            way > FADE * radius && !ground.tree.boxes.within(m.position, radius + way).is_empty()
        };
        (0..self.moving.len()).find(passes).map(|k| k as u32)
    }

    /// A body that the surface has reached by more than half its radius: facets that its centre is on, or behind, no
    /// longer push it, and are not contacts.
    fn behind(&self) -> Option<u32> {
        let ground = self.ground.as_ref()?;
        let radius = &self.bodies.radius_m;
        let deep = |k: &usize| ground.depth(self.moving[*k].position, radius[*k]) > FADE * radius[*k];
        (0..self.moving.len()).find(deep).map(|k| k as u32)
    }

    /// Contacts with the surface at this instant.
    pub(in crate::engine::reference) fn on_surface(&self) -> Vec<SurfaceTouch> {
        let touch = |g| touch_surface(g, &self.laws, &self.bodies, &self.moving, &self.surface_touches, self.dt);
        self.ground.as_ref().map_or(vec![], touch)
    }

    /// A body too deep in the surface, or too fast before it, with the message.
    pub(in crate::engine::reference) fn sunk(&self) -> Option<(u32, control::Fault)> {
        let deeper =
            |share: f64| self.surface_touches.iter().find(|t| t.depth > share * self.bodies.radius_m[t.i as usize]);
        let unseen = self.ground.as_ref().and_then(|g| self.unseen(g)).map(|k| (k, control::OVERSPEED));
        let deep = || self.behind().map(|k| (k, control::SURFACE));
        unseen.or_else(deep).or_else(|| deeper(self.overlap_max).map(|t| (t.i, control::OVERLAP)))
    }
}
