//! Bodies on a cubic lattice, one a cell, each shaken inside its cell (Sanchez et al. 2021, section 3.1).

use super::entry::{Entry, Group};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::generator::{Generate, Generator, Take};
use crate::model::scenario::{Scenario, Sizes};
use crate::scenario::common::{COUNT, COUNT_MAX};
use crate::scenario::sizes::{RADIUS, sizes};
use crate::scenario::take::at_rest;
use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

pub(super) const ENTRY: Entry = Entry::new(
    "lattice",
    "a cube of cells, filled layer by layer from below, centred on the origin; each body is shaken inside its cell",
    &[
        COUNT,
        Key::vector("cells", D::Pure)
            .without("the smallest cube")
            .says("cells of the lattice along x, y and z")
            .eg("[4, 4, 10]"),
        Key::positive("grid_spacing_m", D::Length).required().says("edge of a cell").eg("2.5"),
        RADIUS,
    ],
    read,
);

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "lattice")]
struct Lattice {
    /// number of bodies
    count: usize,
    /// cells along x, y, z, filled layer by layer from below; `None`: the smallest cube that holds them
    cells: Option<[usize; 3]>,
    /// edge of a cell (m)
    grid_spacing_m: f64,
    /// sizes
    radius: Sizes,
}

fn read(t: &Table, _: &Group) -> Generator {
    let count = t.count("count") as usize;
    let cells = t.has("cells").then(|| cells(t, count));
    let (grid_spacing_m, radius) = (t.value("grid_spacing_m"), sizes(t));
    let largest = 2.0 * radius.max_m();
    if t.has("grid_spacing_m") && t.is_sound("radius_m") && grid_spacing_m < largest {
        let what = format!("{grid_spacing_m} is below the largest diameter {largest}");
        t.fault("grid_spacing_m", what, "raise it, or make the bodies smaller");
    }
    Generator::new(Lattice { count, cells, grid_spacing_m, radius })
}

/// Cells of a lattice along x, y, z that hold `count` bodies.
fn cells(t: &Table, count: usize) -> [usize; 3] {
    let typed = t.vector_if("cells").unwrap_or(DVec3::ONE).to_array();
    let together = typed.iter().product::<f64>();
    if typed.iter().any(|n| *n < 1.0 || n.fract() != 0.0 || *n > COUNT_MAX as f64) {
        t.fault("cells", "must be whole numbers of at least 1", "give the cells along x, y and z");
    } else if together < count as f64 {
        t.fault("cells", format!("{together} cells do not hold count = {count} bodies"), "add cells");
    }
    typed.map(|n| n.max(1.0) as usize)
}

impl Generate for Lattice {
    fn count(&self) -> usize {
        self.count
    }

    fn places_at_random(&self) -> bool {
        true
    }

    /// One body in each cell of a box of cells, layer by layer from below; the box is centred on the origin.
    fn place(&self, _: &Scenario, _: usize, rng: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        let (count, spacing) = (self.count, self.grid_spacing_m);
        let side = || (1..).find(|s: &usize| s * s * s >= count).unwrap_or(1);
        let cells = self.cells.unwrap_or_else(|| [side(); 3]);
        let [nx, ny, _] = cells;
        let middle = 0.5 * (DVec3::from_array(cells.map(|n| n as f64)) - 1.0);
        let mut radii = self.radius.draw(count, rng);
        for k in 0..count {
            let cell = DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
            let r = radii.next(rng);
            let room = 0.5 * spacing - r;
            let shake =
                DVec3::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0));
            to.take(at_rest((cell - middle) * spacing + room * shake, r));
        }
        Ok(())
    }
}
