//! Round features: craters, typed or scattered, and boulders. Distances are straight ones on the form below.

use super::{Base, Form};
use glam::DVec3;
use rand::{Rng, RngExt};
use serde::Serialize;

/// Rim heights fall as distance^-3 (McGetchin et al. 1973) and end at this many radii.
const RIM_REACH: f64 = 3.0;

/// A crater: a paraboloid below its rim, blanket outside.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Crater {
    /// from the centre of the form to the middle of the crater
    pub direction: DVec3,
    /// of the rim (m)
    pub diameter_m: f64,
    /// depth from rim to floor over diameter
    pub depth_ratio: f64,
    /// height of the rim over the surface around, over diameter
    pub rim_ratio: f64,
}

/// How diameters are spread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Size {
    /// smallest (m)
    pub min_m: f64,
    /// largest (m)
    pub max_m: f64,
    /// b: as many are larger than D as D^-b says
    pub exponent: f64,
}

impl Size {
    /// A diameter (m).
    fn draw(&self, rng: &mut impl Rng) -> f64 {
        let share: f64 = rng.random();
        let power = |d: f64| d.powf(-self.exponent);
        let number = power(self.min_m) + share * (power(self.max_m) - power(self.min_m));
        number.powf(-1.0 / self.exponent).clamp(self.min_m, self.max_m)
    }
}

/// Features spread at random, each piece of the form's area as likely as another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scatter {
    /// how many
    pub count: u32,
    /// diameters
    pub diameter: Size,
    /// depth of craters from the rim, or height of boulders, over diameter
    pub height_ratio: f64,
    /// of craters: height of the rim over diameter
    pub rim_ratio: f64,
}

/// A feature at its position.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    middle_m: DVec3,
    radius_m: f64,
    /// from rim to floor; of a boulder from foot to top (m)
    height_m: f64,
    rim_m: f64,
}

impl Spot {
    /// A crater as typed.
    pub fn crater(crater: &Crater, form: &Form) -> Spot {
        let d = crater.diameter_m;
        Spot {
            middle_m: form.point_m(crater.direction.normalize()),
            radius_m: 0.5 * d,
            height_m: d * crater.depth_ratio,
            rim_m: d * crater.rim_ratio,
        }
    }

    /// Spots at random.
    pub fn scatter(scatter: &Scatter, base: &Base, rng: &mut impl Rng) -> Vec<Spot> {
        let mut sum = 0.0;
        let mut until = Vec::with_capacity(base.areas_m2.len());
        for area in &base.areas_m2 {
            sum += area;
            until.push(sum);
        }
        let mut draw = || {
            let t = until.partition_point(|u| *u < sum * rng.random::<f64>()).min(until.len() - 1);
            let corners = base.triangles.get(t);
            let [a, b, c] = [0, 1, 2].map(|k| base.vertices_m[corners[k] as usize]);
            let (u, v): (f64, f64) = (rng.random(), rng.random());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let d = scatter.diameter.draw(rng);
            let (height_m, rim_m) = (d * scatter.height_ratio, d * scatter.rim_ratio);
            Spot { middle_m: a + u * (b - a) + v * (c - a), radius_m: 0.5 * d, height_m, rim_m }
        };
        (0..scatter.count).map(|_| draw()).collect()
    }

    /// How far its heights reach (m).
    fn reach_m(&self) -> f64 {
        self.radius_m * if self.rim_m > 0.0 { RIM_REACH } else { 1.0 }
    }

    /// Height of a crater at `x` radii from its middle (m).
    fn crater_m(&self, x: f64) -> f64 {
        if x < 1.0 {
            return self.rim_m - self.height_m * (1.0 - x * x);
        }
        let end = RIM_REACH.powi(-3);
        self.rim_m * (x.powi(-3) - end).max(0.0) / (1.0 - end)
    }

    /// Height of a boulder (m).
    fn boulder_m(&self, x: f64) -> f64 {
        self.height_m * (1.0 - x * x).max(0.0)
    }
}

/// Vertices in order of z, so that a spot looks at those within its reach alone.
pub struct Search<'a> {
    vertices_m: &'a [DVec3],
    order: Vec<u32>,
}

impl<'a> Search<'a> {
    /// Over vertices.
    pub fn new(vertices_m: &'a [DVec3]) -> Search<'a> {
        let mut order: Vec<u32> = (0..vertices_m.len() as u32).collect();
        order.sort_unstable_by(|a, b| vertices_m[*a as usize].z.total_cmp(&vertices_m[*b as usize].z).then(a.cmp(b)));
        Search { vertices_m, order }
    }

    /// Vertices that a spot reaches, with their distance in its radii.
    fn near(&self, spot: &Spot) -> impl Iterator<Item = (usize, f64)> {
        let (spot, z) = (*spot, |v: &u32| self.vertices_m[*v as usize].z);
        let start = self.order.partition_point(|v| z(v) < spot.middle_m.z - spot.reach_m());
        let end = self.order.partition_point(|v| z(v) <= spot.middle_m.z + spot.reach_m());
        let measured = move |v: &u32| (*v as usize, self.vertices_m[*v as usize].distance(spot.middle_m));
        let reached = self.order[start..end].iter().map(measured).filter(move |(_, d)| *d < spot.reach_m());
        reached.map(move |(v, d)| (v, d / spot.radius_m))
    }

    /// Adds a crater.
    pub fn add_crater(&self, spot: &Spot, heights_m: &mut [f64]) {
        self.near(spot).for_each(|(v, x)| heights_m[v] += spot.crater_m(x));
    }

    /// Raises what is below a boulder to it: boulders at one position do not add up.
    pub fn raise_boulder(&self, spot: &Spot, boulders_m: &mut [f64]) {
        self.near(spot).for_each(|(v, x)| boulders_m[v] = boulders_m[v].max(spot.boulder_m(x)));
    }
}
