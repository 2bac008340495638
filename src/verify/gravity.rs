//! Fields: sources in integers, direct sum, central body.

use super::cloud::{Cloud, cases, random, vector};
use super::harness::{Harness, filled};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::POSITION_BITS;
use crate::gpu::elements::body::Field;
use crate::gpu::elements::gravity::Source;
use crate::gpu::elements::in_f64;
use crate::gpu::layout::GravityParams;
use crate::physics::gravity::direct::direct;
use glam::{DVec3, IVec3};

/// The family.
pub const FAMILY: Family = Family {
    name: "gravity",
    compares: "Sources of gravity in integers; the direct sum and the field of a central body against f64.",
    bounds: "A pull is about ten operations at 6e-8; tiles keep the rounding of the sum below that.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["measure_extent"], "largest coarse distance from body 0", measure_extent),
    Check::exact(&["place_sources"], "places, rests and scale", place_sources),
    Check {
        passes: &["place_sources"],
        what: "masses",
        unit: "of the mass",
        bound: 3e-7,
        reason: "one division: 2.5 units in the last place (1.2e-7) in WGSL",
        compare: masses,
    },
    Check {
        passes: &["sum_direct"],
        what: "acceleration and potential against the sum in f64",
        unit: "of the sum of the pulls' sizes",
        bound: 2e-6,
        reason: "a pull has about 10 rounded operations at 6e-8; tiles of 64 keep the sum's own rounding below",
        compare: sum_direct,
    },
    Check::exact(&["clear_gravity"], "zeros for every body and no more", clear_gravity),
    Check {
        passes: &["add_central"],
        what: "the field of a point mass or a uniform sphere, added",
        unit: "of the pull, with what was there",
        bound: 1e-6,
        reason: "the third power of a corrected root and quotient, 2e-7 each, and about 6 operations at 6e-8, not all one way",
        compare: add_central,
    },
    Check::exact(&["add_central"], "nothing without a central body", no_central),
];

/// Sources of a cloud and their scale.
pub struct Sources {
    /// in the order of the bodies
    pub list: Vec<Source>,
    /// length of a unit (L), a power of two
    pub unit: f32,
    shift: u32,
    extent: u32,
}

/// How far ahead positions are taken.
#[derive(Clone, Copy, Default)]
pub struct Ahead {
    /// half steps
    steps: u32,
    /// rotation of the axes in a step (2^-30)
    carry: IVec3,
}

impl Ahead {
    fn params(self) -> GravityParams {
        GravityParams { predict_steps: self.steps, carry: self.carry, ..Default::default() }
    }
}

impl std::fmt::Display for Ahead {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} half steps ahead in axes that turn by {} in a step", self.steps, self.carry)
    }
}

/// Coordinate less body 0's so far ahead (2^-38 L).
fn ahead(cloud: &Cloud, body: usize, Ahead { steps, carry }: Ahead) -> [i64; 3] {
    let predicted = |b: usize| {
        let b = &cloud.bodies[b];
        let product = |k: usize, l: usize| i128::from(b.position[k % 3]) * i128::from(carry[l % 3]);
        // position x carry, from 2^-30 and 2^-38 to 2^-58
        let carried = |k: usize| ((product(k + 1, k + 2) - product(k + 2, k + 1) + (1 << 9)) >> 10) as i64;
        let velocity = |k: usize| i128::from(b.velocity[k] + carried(k));
        [0, 1, 2].map(|k| b.position[k] + ((velocity(k) * i128::from(steps) + (1 << 20)) >> 21) as i64)
    };
    let (here, origin) = (predicted(body), predicted(0));
    [0, 1, 2].map(|k| here[k].wrapping_sub(origin[k]))
}

impl Sources {
    /// The sources so far ahead; masses are rounded once.
    pub fn of(cloud: &Cloud, way: Ahead) -> Sources {
        let apart: Vec<_> = (0..cloud.len()).map(|b| ahead(cloud, b, way)).collect();
        let extent = apart.iter().flatten().map(|d| (d.unsigned_abs() >> 32) as u32).max().unwrap_or(0);
        let shift = 34 - (extent + 1).leading_zeros();
        let source = |(d, body): (&[i64; 3], &crate::gpu::layout::BodyWords)| {
            let kept = shift.min(24);
            let rest = |x: i64| ((x >> (shift - kept)) & ((1 << kept) - 1)) as f32 / (1u32 << kept) as f32;
            let position = d.map(|x| ((x >> shift) + (1 << 30)) as i32);
            Source { position, mass: 1.0 / body.inverse_mass, rest: d.map(rest), pad0: 0 }
        };
        let list = apart.iter().zip(&cloud.bodies).map(source).collect();
        Sources { list, unit: (shift as f32 - 38.0).exp2(), shift, extent }
    }

    /// Contents of `tree_scale`.
    pub fn scale(&self) -> [u32; 4] {
        [self.unit.to_bits(), self.shift, 0, 0]
    }

    /// Positions (L) and masses in f64.
    pub fn points(&self) -> Vec<(DVec3, f64)> {
        self.points_from(0)
    }

    /// As above; scales below `shift` ignore the part of a position below one unit.
    fn points_from(&self, shift: u32) -> Vec<(DVec3, f64)> {
        let kept = if self.shift < shift { 0.0 } else { 1.0 };
        let axis =
            |s: &Source, k: usize| (f64::from(s.position[k]) + kept * f64::from(s.rest[k])) * f64::from(self.unit);
        let point = |s: &Source| (DVec3::new(axis(s, 0), axis(s, 1), axis(s, 2)), f64::from(s.mass));
        self.list.iter().map(point).collect()
    }
}

/// Clouds in motion and how many half steps ahead they are taken: the last one farther than a way of 64 bits would hold.
fn moving() -> impl Iterator<Item = (Cloud, Ahead)> {
    let ways = |c: Cloud| {
        let far = |seed: u64| c.clone().moving(3e-3, seed);
        let steps = |steps: u32| Ahead { steps, ..Ahead::default() };
        // a thousandth of a radian in a step, about an oblique axis
        let turning = Ahead { steps: 49, carry: IVec3::new(400_000, -700_000, 1_000_000) };
        [(c.clone(), steps(0)), (far(11), steps(49)), (far(12), steps(50_001)), (far(13), turning)]
    };
    cases().into_iter().flat_map(ways)
}

fn fill_bodies(h: &mut Harness, cloud: &Cloud, params: GravityParams) -> Result<()> {
    h.uniform("gravity_params", &GravityParams { body_count: cloud.len() as u32, ..params })?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())
}

fn measure_extent(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (cloud, way) in moving() {
        t.case(format!("{}, {way}", cloud.name));
        fill_bodies(h, &cloud, way.params())?;
        h.fill("gravity_extent", &[0u32, 8, 8, 8])?;
        h.run("measure_extent", cloud.groups())?;
        t.equal("extent", &h.read::<u32>("gravity_extent")?, &[Sources::of(&cloud, way).extent, 8, 8, 8]);
    }
    Ok(())
}

/// Runs `place_sources` and gives what it should have made and what it made, with the scale.
fn placed(h: &mut Harness, cloud: &Cloud, way: Ahead) -> Result<(Sources, Vec<Source>, Vec<u32>)> {
    let wanted = Sources::of(cloud, way);
    fill_bodies(h, cloud, way.params())?;
    h.fill("gravity_extent", &[wanted.extent, 0, 0, 0])?;
    h.zeros("tree_position", size_of::<Source>() * cloud.len())?;
    h.fill("tree_scale", &[9u32; 4])?;
    h.run("place_sources", cloud.groups())?;
    Ok((wanted, h.read("tree_position")?, h.read("tree_scale")?))
}

fn place_sources(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (cloud, way) in moving() {
        t.case(format!("{}, {way}", cloud.name));
        let (wanted, list, scale) = placed(h, &cloud, way)?;
        let exact = |list: &[Source]| list.iter().map(|s| Source { mass: 0.0, ..*s }).collect::<Vec<_>>();
        t.equal("source", &exact(&list), &exact(&wanted.list));
        t.equal("scale", &scale, &wanted.scale());
    }
    Ok(())
}

fn masses(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        for (b, s) in placed(h, &cloud, Ahead::default())?.1.iter().enumerate() {
            let mass = 1.0 / f64::from(cloud.bodies[b].inverse_mass);
            t.off("mass", b, (f64::from(s.mass) / mass - 1.0).abs());
        }
    }
    Ok(())
}

/// Acceleration and potential of row `b` against the truth; both over the sums of the pulls' sizes.
pub fn compare_field(t: &mut Tally, b: usize, got: &Field, truth: (DVec3, f64), size: (f64, f64)) {
    let apart = in_f64(got.acceleration).distance(truth.0);
    t.off("acceleration", b, apart / size.0.max(1e-30));
    t.off("potential", b, (f64::from(got.potential) - truth.1).abs() / size.1.max(1e-30));
}

/// Sum of the sizes of the pulls by all sources at a position.
pub fn pulls(position: DVec3, sources: &[(DVec3, f64)]) -> f64 {
    let pull = |(x, gm): &(DVec3, f64)| {
        let d = x.distance(position);
        if d > 0.0 { gm / (d * d) } else { 0.0 }
    };
    sources.iter().map(pull).sum()
}

fn sum_direct(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let constant = 0.37;
    for cloud in cases() {
        t.case(&cloud.name);
        let sources = Sources::of(&cloud, Ahead::default());
        fill_bodies(h, &cloud, GravityParams { gravity_constant: constant, ..Default::default() })?;
        h.fill("tree_position", &sources.list)?;
        h.fill("tree_scale", &sources.scale())?;
        let fields = h.by_form(|h| {
            h.fill("body_gravity", &vec![filled::<Field>(9); cloud.len()])?;
            h.run("sum_direct", cloud.groups())?;
            h.read::<Field>("body_gravity")
        })?;
        let field = t.one_of("field", fields);
        // Positions that are finer than 2^-20 L do without their rests.
        let points: Vec<_> = sources.points_from(18).iter().map(|(x, m)| (*x, m * f64::from(constant))).collect();
        let positions: Vec<_> = points.iter().map(|p| p.0).collect();
        let truth = direct(&positions, &points);
        for (b, row) in field.iter().enumerate() {
            compare_field(t, b, row, truth[b], (pulls(positions[b], &points), -truth[b].1));
        }
    }
    Ok(())
}

fn clear_gravity(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for n in [0, 1, 63, 64, 65] {
        t.case(format!("{n} bodies"));
        h.uniform("gravity_params", &GravityParams { body_count: n as u32, ..Default::default() })?;
        h.fill("body_gravity", &vec![filled::<Field>(9); n + 5])?;
        h.run("clear_gravity", (n as u32 + 5).div_ceil(64))?;
        t.equal("field", &h.read("body_gravity")?, &[vec![Field::default(); n], vec![filled(9); 5]].concat());
    }
    Ok(())
}

/// A mass outside most bodies.
fn centre(cloud: &Cloud) -> [i64; 3] {
    cloud.bodies[0].position.map(|x| x.wrapping_add((3 << POSITION_BITS) + 12_345))
}

/// From the centre to a body, `STEPS` half steps ahead.
fn from_centre(cloud: &Cloud, body: usize) -> DVec3 {
    let (body, centre) = (&cloud.bodies[body], centre(cloud));
    let apart = |k: usize| {
        let x = body.position[k].wrapping_add(body.velocity[k].wrapping_mul(STEPS.into()) >> 21);
        fixed_point::value(x.wrapping_sub(centre[k]), POSITION_BITS)
    };
    DVec3::new(apart(0), apart(1), apart(2))
}

/// Half steps by which positions are predicted.
const STEPS: u32 = 9;

/// Runs `add_central` on a field `before`: the field after. `radius`: of a uniform sphere (L), 0 for a point.
fn central(h: &mut Harness, cloud: &Cloud, gm: f32, radius: f32, before: &[Field]) -> Result<Vec<Field>> {
    let position = centre(cloud);
    let params = GravityParams {
        central_gm: gm,
        central_radius: radius,
        predict_steps: STEPS,
        central_low: position.map(|x| x as u32).into(),
        central_high: position.map(|x| (x >> 32) as u32).into(),
        ..Default::default()
    };
    fill_bodies(h, cloud, params)?;
    h.fill("body_gravity", before)?;
    h.run("add_central", cloud.groups())?;
    h.read("body_gravity")
}

/// Acceleration and potential at `d` from the centre of a uniform sphere, or of a point where the radius is 0.
fn of_sphere(gm: f64, radius: f64, d: DVec3) -> (DVec3, f64) {
    let r = d.length();
    if r >= radius {
        return (-gm / r.powi(3) * d, -gm / r);
    }
    (-gm / radius.powi(3) * d, -0.5 * gm * (3.0 * radius * radius - r * r) / radius.powi(3))
}

fn add_central(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases().into_iter().map(|c| c.moving(3e-3, 12)) {
        // The first sphere has a body at its surface, others inside and outside; the second holds nearly all.
        let surface = from_centre(&cloud, cloud.len() / 2).length() as f32;
        for (size, radius) in [(0.0, 0.0), (1e-6, 0.0), (1e-6, surface), (0.0, 1.5 * surface)] {
            t.case(format!("{}, on a field of {size}, radius {radius} L", cloud.name));
            let mut random = random(13);
            let before: Vec<_> =
                cloud.bodies.iter().map(|_| Field::rounded(size * vector(&mut random), -size)).collect();
            let gm = 0.011f32;
            for (b, row) in central(h, &cloud, gm, radius, &before)?.iter().enumerate() {
                let (pull, potential) = of_sphere(gm.into(), radius.into(), from_centre(&cloud, b));
                let (held, was) = (in_f64(before[b].acceleration), f64::from(before[b].potential));
                let truth = (held + pull, was + potential);
                compare_field(t, b, row, truth, (held.length() + pull.length(), -potential - was));
            }
        }
    }
    Ok(())
}

fn no_central(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        let before = vec![Field { acceleration: [1.0, -2.0, 3.0], potential: -4.0 }; cloud.len()];
        t.equal("field", &central(h, &cloud, 0.0, 0.0, &before)?, &before);
    }
    Ok(())
}
