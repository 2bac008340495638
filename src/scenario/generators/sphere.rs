//! Bodies at random in a sphere without overlap (Guidos et al. 2024, section 2.6).

use super::entry::{Entry, Group};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::readable::number;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::generator::{Generate, Generator, Take};
use crate::model::scenario::{Scenario, Sizes};
use crate::scenario::apart::Apart;
use crate::scenario::common::COUNT;
use crate::scenario::sizes::{RADIUS, sizes};
use crate::scenario::take::{TRIES, at_rest};
use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

pub(super) const ENTRY: Entry = Entry::new(
    "sphere",
    "at random without overlap in a sphere, which grows if it must",
    &[
        COUNT,
        Key::positive("container_radius_m", D::Length).required().says("radius of the sphere").eg("\"1 km\""),
        RADIUS,
    ],
    read,
);

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "sphere")]
struct Sphere {
    /// number of bodies
    count: usize,
    /// first radius of the container (m)
    container_radius_m: f64,
    /// sizes
    radius: Sizes,
}

fn read(t: &Table, _: &Group) -> Generator {
    Generator::new(Sphere {
        count: t.count("count") as usize,
        container_radius_m: t.value("container_radius_m"),
        radius: sizes(t),
    })
}

impl Generate for Sphere {
    fn count(&self) -> usize {
        self.count
    }

    fn places_at_random(&self) -> bool {
        true
    }

    /// A body that touches another is moved, `TRIES` rounds for all; then the sphere grows by the largest diameter and all
    /// start again.
    fn place(&self, _: &Scenario, _: usize, rng: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        let (radii, largest) = (self.radius.all(self.count, rng), self.radius.max_m());
        let mut container = self.container_radius_m.max(largest * 1.001);
        loop {
            if let Some(positions) = seed(&radii, container, rng) {
                self.tell_growth(container);
                positions.into_iter().zip(radii).for_each(|(p, r)| to.take(at_rest(p, r)));
                return Ok(());
            }
            container += 2.0 * largest;
        }
    }
}

/// A sphere that has grown by this factor is told.
const GROWTH_SAID_FROM: f64 = 1.5;

impl Sphere {
    /// Says that the bodies fitted into a sphere alone that is much larger than what was asked for.
    fn tell_growth(&self, container: f64) {
        if container > GROWTH_SAID_FROM * self.container_radius_m {
            let [typed, grown] = [self.container_radius_m, container].map(number);
            tracing::warn!(
                "bodies: {} bodies at random do not fit into container_radius_m = {typed}, which has grown to {grown}; type as much, or take the generator \"container\", which packs them",
                self.count
            );
        }
    }
}

fn seed(radii: &[f64], container: f64, rng: &mut Pcg64Mcg) -> Option<Vec<DVec3>> {
    let mut apart = Apart::new(radii);
    let mut tries = TRIES * radii.len();
    while apart.positions().len() < radii.len() {
        if tries == 0 {
            return None;
        }
        tries -= 1;
        let r = radii[apart.positions().len()];
        let p = DVec3::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0))
            * container;
        if p.length() + r <= container {
            apart.add(p);
        }
    }
    Some(apart.into_positions())
}
