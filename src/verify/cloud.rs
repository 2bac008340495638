//! Bodies that passes are tried on, in code units: the cases in which grids, sums and trees break.

use crate::base::fixed_point;
use crate::base::units::{POSITION_BITS, Units, WINDOW_BITS};
use crate::engine::gpu::prepare::levels;
use crate::gpu::elements::body::{BodyState, BodyView};
use crate::gpu::layout::{BodyWords, Params};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// SI values are code values.
pub const CODE: Units = Units { length_m: 1.0, time_s: 1.0, mass_kg: 1.0, anchor_m: DVec3::ZERO };
/// Largest radius (L): L is at least 2.2 of it.
pub const RADIUS_MAX: f64 = 0.45;

/// A generator whose numbers never change.
pub fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A vector with components in -1..1.
pub fn vector(random: &mut Pcg64Mcg) -> DVec3 {
    DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.0..1.0)))
}

/// A random direction.
pub fn direction(random: &mut Pcg64Mcg) -> DVec3 {
    loop {
        let v = vector(random);
        if (0.1..=1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}

/// Bodies and the parameters that go with them.
#[derive(Debug, Clone, Default)]
pub struct Cloud {
    /// for people
    pub name: String,
    /// the bodies
    pub bodies: Vec<BodyWords>,
    /// half the skin (L)
    pub skin_half: f32,
    /// entries of the hash table, a power of two
    pub hash: u32,
}

impl Cloud {
    /// Bodies at positions (L) with radii (L), at rest, of mass r^3.
    pub fn new(name: &str, bodies: impl IntoIterator<Item = (DVec3, f64)>) -> Cloud {
        let body = |(position, radius): (DVec3, f64)| BodyWords {
            position: position.to_array().map(|x| CODE.position(x)),
            radius: CODE.radius(radius),
            inverse_mass: (RADIUS_MAX / radius).powi(3) as f32,
            ..BodyWords::default()
        };
        let bodies: Vec<_> = bodies.into_iter().map(body).collect();
        let hash = (2 * bodies.len() as u32).max(64).next_power_of_two();
        Cloud { name: name.into(), bodies, skin_half: 0.02, hash }
    }

    /// Velocities up to `speed` (L per step).
    pub fn moving(mut self, speed: f64, seed: u64) -> Cloud {
        let mut random = random(seed);
        for b in &mut self.bodies {
            b.velocity = vector(&mut random).to_array().map(|v| CODE.displacement(speed * v));
        }
        self
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// True without bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Workgroups of 64 over the bodies, one at least.
    pub fn groups(&self) -> u32 {
        (self.len() as u32).div_ceil(64).max(1)
    }

    /// Contents of `body_state`.
    pub fn state(&self) -> Vec<BodyState> {
        self.bodies.iter().map(BodyWords::state).collect()
    }

    /// Contents of `body_view`.
    pub fn view(&self) -> Vec<BodyView> {
        self.bodies.iter().map(BodyWords::view).collect()
    }

    /// The uniform.
    pub fn params(&self) -> Params {
        let radii = || self.bodies.iter().map(|b| f64::from(b.radius));
        let mut params = Params {
            skin_half: self.skin_half,
            body_count: self.len() as u32,
            part_count: self.len() as u32,
            material_count: 1,
            hash_mask: self.hash - 1,
            overlap_max: 0.25,
            motion_max: 1.0 / 128.0,
            wide_radius: f32::MAX,
            ..Params::default()
        };
        levels(&mut params, radii().fold(RADIUS_MAX, f64::min), radii().fold(0.0, f64::max));
        params
    }

    /// j less i (L), from the exact difference.
    pub fn between(&self, i: usize, j: usize) -> DVec3 {
        let (a, b) = (self.bodies[i].position, self.bodies[j].position);
        fixed_point::vector([0, 1, 2].map(|k| b[k].wrapping_sub(a[k])), POSITION_BITS)
    }

    /// The finest level that holds a body.
    pub(super) fn level(&self, params: &Params, body: usize) -> usize {
        let fits = |l: &usize| self.bodies[body].radius <= params.level_radius[*l / 4][*l % 4];
        (1..params.level_count as usize).rev().find(fits).unwrap_or(0)
    }

    /// True if bodies i and j are within the sum of radii and skin, or beyond it by less than the 15 bits of that reach tell.
    fn are_near(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.bodies[i], &self.bodies[j]);
        let units = |length: f32| f64::from(length) * 2f64.powi(24);
        let skin = units(2.0 * self.skin_half).ceil() as i64;
        let reach = units(a.radius + b.radius) as i64 + skin;
        let shift = (reach.ilog2().max(14) - 14) as i32;
        let seen = |x: i64| x >> (POSITION_BITS - WINDOW_BITS);
        let side = |k: usize| (seen(b.position[k]) - seen(a.position[k])).abs() >> (WINDOW_BITS - 24 + shift);
        let square: i128 = [0, 1, 2].into_iter().map(|k| i128::from(side(k)).pow(2)).sum();
        square < i128::from((reach >> shift) + 1).pow(2)
    }

    /// Pairs (i < j) of neighbours, ascending.
    pub fn neighbours(&self) -> Vec<(u32, u32)> {
        let row = |i: usize| (i + 1..self.len()).filter(move |j| self.are_near(i, *j)).map(move |j| (i, j));
        (0..self.len()).flat_map(row).map(|(i, j)| (i as u32, j as u32)).collect()
    }
}

/// `n` bodies in a cube of `size` (L), radii between `radius` (L).
pub fn uniform(name: &str, n: usize, size: f64, radius: (f64, f64), seed: u64) -> Cloud {
    let mut random = random(seed);
    Cloud::new(name, (0..n).map(|_| (size * vector(&mut random), random.random_range(radius.0..=radius.1))))
}

/// `n` pairs in motion, far from the origin, of two materials: radii from RADIUS_MAX down to its `ratio`th part, gaps (L)
/// as drawn.
pub fn pairs(n: usize, ratio: f64, mut gap: impl FnMut(&mut Pcg64Mcg) -> f64, seed: u64) -> Cloud {
    let mut random = random(seed);
    let mut bodies = vec![];
    for _ in 0..n {
        let [a, b] = [0; 2].map(|_: i32| f64::from(CODE.radius(RADIUS_MAX / random.random_range(1.0..=ratio))));
        let here = 3e5 * vector(&mut random);
        let apart = a + b + gap(&mut random);
        bodies.extend([(here, a), (here + apart * direction(&mut random), b)]);
    }
    let mut cloud = Cloud::new("pairs", bodies).moving(2e-5, seed);
    for body in &mut cloud.bodies {
        body.spin = (1e-4 * vector(&mut random)).to_array().map(|w| CODE.angle(w));
        body.material = random.random_range(0..2);
    }
    cloud
}

/// The cases: one, coincident, as many as a row holds, lattice across the origin, dense, clustered, far-flung, sizes of 1:30, pairs as
/// far apart as neighbours may be, few hash entries.
pub fn cases() -> Vec<Cloud> {
    let r = RADIUS_MAX;
    let mut list = vec![
        Cloud::new("one body", [(DVec3::new(-3.1, 0.2, 1e4), r)]),
        Cloud::new("coincident", [(DVec3::splat(0.7), r); 70]),
        // as many neighbours as a row of the search holds, and one more
        Cloud::new("16 neighbours", [(DVec3::splat(0.7), r); 17]),
        Cloud::new("17 neighbours", [(DVec3::splat(0.7), r); 18]),
        uniform("dense", 1500, 5.0, (0.5 * r, r), 1),
    ];
    let at = |k: usize, n: usize| (k % n) as f64 - 0.5 * n as f64;
    let lattice = (0..343).map(|k| (DVec3::new(at(k, 7), at(k / 7, 7), at(k / 49, 7)) * 0.91, r));
    list.push(Cloud::new("lattice", lattice));
    let mut random = random(2);
    let clumps = (0..1000).map(|k| {
        let centre = DVec3::new((k % 3) as f64, (k % 5) as f64, (k % 2) as f64) * 40.0;
        (centre + 1.5 * vector(&mut random), 0.3)
    });
    list.push(Cloud::new("clustered", clumps));
    let far = (0..333).map(|k| {
        let size = [2.0, 1e3, 8e6][k % 3];
        (size * vector(&mut random) + if k % 3 == 2 { DVec3::ZERO } else { DVec3::new(7e6, -7e6, 7e6) }, r)
    });
    list.push(Cloud::new("far-flung", far));
    let sizes = (0..1200).map(|k| (2.5 * vector(&mut random), if k % 100 == 0 { r } else { r / 30.0 }));
    list.push(Cloud::new("sizes of 1:30", sizes));
    // two by two, their gap the skin or a few units of a position more or less
    let at_reach = (0..300).flat_map(|_| {
        let [a, b] = [0; 2].map(|_: i32| f64::from(CODE.radius(r / random.random_range(1.0..30.0))));
        let here = 2e3 * vector(&mut random);
        let apart = a + b + 0.04 + 1e-8 * f64::from(random.random_range(-9..=9));
        [(here, a), (here + apart * direction(&mut random), b)]
    });
    list.push(Cloud::new("at the reach", at_reach.collect::<Vec<_>>()));
    list.push(Cloud { hash: 64, ..uniform("few hash entries", 600, 6.0, (r / 8.0, r), 3) });
    list
}
