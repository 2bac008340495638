//! How contacts share their bodies' masses: spectral counts of bodies, and the step lengths that follow.

use super::cloud::{direction, random, vector};
use super::dynamics_system::{Contact, SPARE, System, systems};
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::elements::contact::ContactScale;
use glam::{DVec3, Vec3Swizzles};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_split",
    compares: "How contacts share the masses of their bodies, against the largest eigenvalue of each body's contacts in f64.",
    bounds: "The 64-norm of six eigenvalues is at most 1.028 times the largest.",
    checks: CHECKS,
};

/// What a scale holds where no pass writes.
pub const KEPT: ContactScale = ContactScale { step: [7.0; 2], diagonal: [7.0; 2] };

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["bound_splitting"],
        what: "never below the largest eigenvalue, and above it by",
        unit: "of it",
        bound: 0.03,
        reason: "the 64-norm of six eigenvalues is at most 6^(1/64) = 1.028 times the largest",
        compare: bound_splitting,
    },
    Check {
        passes: &["scale_contacts"],
        what: "step lengths, diagonal of the Delassus operator",
        unit: "of each",
        bound: 4e-6,
        reason: "about 25 products and sums at 6e-8, one division",
        compare: scale_contacts,
    },
    Check {
        passes: &["bound_splitting", "scale_contacts"],
        what: "the Delassus operator in the split metric, above 1 by",
        unit: "",
        bound: 1e-5,
        reason: "about 100 products and sums at 6e-8",
        compare: metric,
    },
];

type Six = [[f64; 6]; 6];

/// The largest eigenvalue of a matrix without negative ones: its 2^40th power has that one alone left.
fn largest_eigenvalue(a: &Six) -> f64 {
    let trace = |m: &Six| (0..6).map(|k| m[k][k]).sum::<f64>();
    let times = |a: &Six, b: &Six| {
        let sum = |r: usize, c: usize| (0..6).map(|k| a[r][k] * b[k][c]).sum::<f64>();
        [0, 1, 2, 3, 4, 5].map(|r| [0, 1, 2, 3, 4, 5].map(|c| sum(r, c)))
    };
    let mut power = *a;
    for _ in 0..40 {
        let size = trace(&power).max(f64::MIN_POSITIVE);
        power = power.map(|row| row.map(|x| x / size));
        power = times(&power, &power);
    }
    trace(&times(a, &power)) / trace(&power).max(f64::MIN_POSITIVE)
}

/// Largest eigenvalue of the sum of M^-1/2 H D^-1 H^T M^-1/2 over a body's contacts, D from the body alone; 0 for one that
/// nothing moves, and for a plate, of one direction, the number of its contacts.
pub fn spectral_count(system: &System, body: usize) -> f64 {
    let mut sum = [[0.0; 6]; 6];
    if body >= system.bodies {
        return if system.inverse_mass(body) > 0.0 { system.of_wall().count() as f64 } else { 0.0 };
    }
    for (c, contact) in system.contacts.iter().enumerate() {
        for side in (0..2).filter(|side| contact.bodies[*side] == body) {
            let normal = contact.normal().normalize();
            let (across, own) = (normal.any_orthonormal_pair(), system.opposes(c, side));
            for (d, own) in [(normal, own[0]), (across.0, own[1]), (across.1, own[1])] {
                let (moves, turns) =
                    (system.inverse_mass(body).sqrt() * d, system.root(body) * contact.arm(side).cross(d));
                let row = [moves.x, moves.y, moves.z, turns.x, turns.y, turns.z];
                (0..36).for_each(|k| sum[k / 6][k % 6] += row[k / 6] * row[k % 6] / own);
            }
        }
    }
    largest_eigenvalue(&sum)
}

/// Bodies with 0 to 14 contacts with a wall each, at random, opposite, or as in a close packing of spheres.
fn stars(general: bool) -> System {
    let mut system = System::lattice(6, general, 0.0);
    let (mut random, n) = (random(3), system.bodies);
    let pattern = system.contacts[0].clone();
    system.contacts.clear();
    for body in 0..n {
        for k in 0..body % 15 {
            let packed = [DVec3::new(1.0, 1.0, 0.0), DVec3::new(-1.0, 1.0, 0.0)][k % 2] * [1.0, -1.0][k / 2 % 2];
            let normal = match body % 3 {
                0 => direction(&mut random),
                1 => [packed, packed.zxy(), packed.yzx()][k / 4 % 3].normalize(),
                _ => [DVec3::Y, -DVec3::Y][k % 2],
            };
            let part = if general { random.random_range(0.0..0.8) } else { 0.0 };
            let mut frame = pattern.frame;
            frame.normal = normal.as_vec3().to_array();
            frame.sides[0].arm = (0.5 * (part * vector(&mut random) - normal)).as_vec3().to_array();
            system.contacts.push(Contact { bodies: [body, n], frame });
        }
    }
    system.name = format!("stars of up to 14 contacts, {}", system.name);
    system
}

/// Systems whose contacts lie on one body, on some, on many.
pub fn crowded() -> Vec<System> {
    let mut list = systems();
    list.extend([stars(false), stars(true)]);
    list.extend([(0.3, false), (3.0, true)].map(|(m, general)| System::lattice(5, general, 0.0).on_plate(m)));
    list
}

/// Runs `bound_splitting`.
fn split(h: &mut Harness, system: &System) -> Result<Vec<f32>> {
    system.fill(h)?;
    system.fill_wall(h)?;
    h.fill("body_split", &vec![7.0f32; system.inertia.len() + SPARE])?;
    h.run("bound_splitting", system.body_groups())?;
    h.read("body_split")
}

fn bound_splitting(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded() {
        t.case(&system.name);
        let counts = split(h, &system)?;
        let wall = [system.of_wall().count().max(1) as f32];
        t.equal("count of wall", &counts[system.bodies..system.bodies + 1], &wall);
        t.equal("count behind the walls", &counts[system.bodies + 1..], &[7.0; SPARE]);
        for (b, count) in counts[..system.bodies].iter().enumerate() {
            let (got, exact) = (f64::from(*count), spectral_count(&system, b).max(1.0));
            let below = || Err(format!("count[{b}] = {got} is below the eigenvalue {exact}"));
            // Rounding alone may lie below.
            t.hold(if got < (1.0 - 2e-6) * exact { below() } else { Ok(()) });
            t.off("count", b, got / exact - 1.0);
        }
    }
    Ok(())
}

/// Runs `scale_contacts` with these counts of bodies.
fn scaled(h: &mut Harness, system: &System, split: &[f32]) -> Result<Vec<ContactScale>> {
    system.fill(h)?;
    system.fill_wall(h)?;
    h.fill("body_split", split)?;
    h.fill("contact_scale", &vec![KEPT; system.contacts.len() + SPARE])?;
    h.run("scale_contacts", system.groups())?;
    h.read("contact_scale")
}

fn scale_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded() {
        let mut random = random(4);
        let split: Vec<f32> = system.inertia.iter().map(|_| random.random_range(1.0..9.0)).collect();
        t.case(&system.name);
        let scale = scaled(h, &system, &split)?;
        let count = system.contacts.len();
        t.equal("scale behind the contacts", &scale[count..], &[KEPT; SPARE]);
        for (c, got) in scale[..count].iter().enumerate() {
            let [i, j] = system.contacts[c].bodies.map(|body| f64::from(split[body]));
            let (one, other, all) = (system.opposes(c, 0), system.opposes(c, 1), system.diagonal(c));
            let step = |k: usize| 1.0 / (i * one[k] + j * other[k]);
            let truth = [step(0), step(1), all[0], all[1]];
            for (got, truth) in got.step.iter().chain(&got.diagonal).zip(truth) {
                t.off("scale of contact", c, (f64::from(*got) / truth - 1.0).abs());
            }
        }
    }
    Ok(())
}

/// Largest eigenvalue of S^1/2 H^T M^-1 H S^1/2, from below, S the step lengths.
fn largest_of_metric(system: &System, scale: &[ContactScale]) -> f64 {
    let mut random = random(5);
    let roots: Vec<_> = scale.iter().map(|s| s.step.map(|x| f64::from(x).sqrt())).collect();
    let mut x: Vec<DVec3> = system.contacts.iter().map(|_| vector(&mut random)).collect();
    let mut largest = 0.0;
    for _ in 0..200 {
        let size = x.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        let split = |(c, contact): (usize, &Contact)| contact.stretched(x[c] / size, roots[c]);
        let motion = system.pushed(&system.contacts.iter().enumerate().map(split).collect::<Vec<_>>());
        let answer = |(c, contact): (usize, &Contact)| contact.stretched(system.relative(c, &motion), roots[c]);
        x = system.contacts.iter().enumerate().map(answer).collect();
        largest = x.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
    }
    largest
}

fn metric(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded().into_iter().filter(|s| !s.contacts.is_empty()) {
        t.case(&system.name);
        let counts = split(h, &system)?;
        let scale = scaled(h, &system, &counts[..system.inertia.len()])?;
        let largest = largest_of_metric(&system, &scale);
        t.off("eigenvalue", 0, (largest - 1.0).max(0.0));
        // Bodies that touch walls alone are as close as their count is.
        let far = || Err(format!("the largest eigenvalue is {largest}: steps are far too short"));
        t.hold(if largest < 0.5 { far() } else { Ok(()) });
    }
    Ok(())
}
