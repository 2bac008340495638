//! Contacts of convex polyhedra: common planes and contact points against the exact ones.

use super::cloud::{CODE, direction, random, vector};
use super::dynamics_frames::DYNAMICS;
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::engine::gpu::parts::orientation::q30;
use crate::engine::gpu::parts::polyhedra::ShapeTables;
use crate::geometry::clump::Clump;
use crate::geometry::generate::{Grains, grain};
use crate::geometry::narrow::{Placed, Plane, truth};
use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::geometry::solids::{Regular, cuboid, regular};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::manifold::{Manifold, ManifoldPoint, PairImpulses, PairPlane};
use crate::gpu::elements::pair::Pair;
use crate::gpu::layout::{BodyWords, DynamicsParams, Params};
use crate::model::body::Polyhedra;
use glam::{DQuat, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_shapes",
    compares: "Common planes and contact points of polyhedra against exact distances in f64.",
    bounds: "The search for a plane ends at 1e-3 of its direction; low points count as one within 1e-4 of a radius.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["find_planes"],
        what: "gap of the common plane, apart, touching, deep",
        unit: "of both radii",
        bound: 3e-4,
        reason: "the climb's direction is good to about 1e-3 where its last corners name no face; contact points take the face's own",
        compare: planes,
    },
    Check::exact(
        &["list_near_pairs", "find_planes"],
        "who may meet in a step: distant, fast, spinning, and within the reach of cohesion; each is listed once, and no other",
        reaches,
    ),
    Check {
        passes: &["list_near_pairs", "clip_manifolds"],
        what: "contact points: the least gap, and none that is not there",
        unit: "of both radii",
        bound: 1e-4,
        reason: "a lowest point goes if another is as low to 1e-4 of the smaller radius; a single point's gap is the plane's",
        compare: manifolds,
    },
];

/// Reach of the contacts tried (of both radii).
pub(super) const REACH: f64 = 0.005;

/// Pairs of polyhedra and what is true of them.
pub(super) struct Pairs {
    pub polyhedra: Polyhedra,
    pub positions: Vec<DVec3>,
    pub truth: Vec<Plane>,
}

/// Two bodies, as the GPU has them.
pub(super) struct Two {
    pub bodies: [ConvexPolyhedron; 2],
    pub turns: [DQuat; 2],
    pub at: [DVec3; 2],
}

impl Two {
    /// The exact common plane.
    pub(super) fn plane(&self) -> Plane {
        let [i, j] = [0, 1].map(|k| Placed::new(&self.bodies[k], self.at[k], self.turns[k]));
        truth::common_plane(&i, &j)
    }

    /// Themselves, and that plane.
    pub(super) fn with_plane(self) -> (Two, Plane) {
        let plane = self.plane();
        (self, plane)
    }
}

impl Pairs {
    /// Of two bodies each, with the plane between them.
    pub(super) fn of(twos: impl IntoIterator<Item = (Two, Plane)>) -> Pairs {
        let (mut shapes, mut orientation, mut positions, mut truth) = (vec![], vec![], vec![], vec![]);
        for (two, plane) in twos {
            shapes.extend(two.bodies);
            orientation.extend(two.turns);
            positions.extend(two.at);
            truth.push(plane);
        }
        let shape = (0..shapes.len() as u32).collect();
        Pairs { polyhedra: Polyhedra { shapes: Arc::new(clumps(shapes)), shape, orientation }, positions, truth }
    }

    /// Sum of the radii (L).
    pub(super) fn size(&self, pair: usize) -> f64 {
        self.polyhedra.of(2 * pair).radius_m + self.polyhedra.of(2 * pair + 1).radius_m
    }

    /// A body where it is.
    pub(super) fn placed(&self, body: usize) -> Placed<'_> {
        Placed::new(&self.polyhedra.of(body).parts[0], self.positions[body], self.polyhedra.orientation[body])
    }

    /// The true normals.
    pub(super) fn normals(&self) -> Vec<DVec3> {
        self.truth.iter().map(|plane| plane.normal).collect()
    }
}

pub(super) fn shape(random: &mut Pcg64Mcg) -> ConvexPolyhedron {
    let radius = random.random_range(0.2..0.4);
    let made = match random.random_range(0..8) {
        0 => cuboid(radius * DVec3::new(1.2, 0.9, 0.7)),
        1 => regular(Regular::Tetrahedron, radius),
        2 => regular(Regular::Icosahedron, radius),
        _ => grain(&Grains::default(), 2.0 * radius, random).map(|g| g.body),
    };
    made.expect("solids and grains of the paper can be made")
}

fn turn(random: &mut Pcg64Mcg) -> DQuat {
    DQuat::from_scaled_axis(3.0 * vector(random)).normalize()
}

/// As the GPU has a body: position and orientation rounded.
pub(super) fn rounded(q: DQuat) -> DQuat {
    DQuat::from_array(q30(q).quaternion.map(f64::from)).normalize()
}

/// `count` pairs whose gap is drawn by `gap` (of both radii); every fourth pair lies face to face,
/// every other of these at a small tilt.
pub(super) fn pairs(count: usize, seed: u64, gap: impl Fn(&mut Pcg64Mcg) -> f64) -> Pairs {
    let mut random = random(seed);
    let one = |pair| {
        let bodies = [shape(&mut random), shape(&mut random)];
        let size = bodies[0].radius_m + bodies[1].radius_m;
        let mut turns = [turn(&mut random), turn(&mut random)].map(rounded);
        if pair % 4 == 0 {
            let tilt = if pair % 8 == 0 { 0.0 } else { 4e-3 };
            turns[1] = face_to_face(&bodies[0], &bodies[1], turns[0], tilt, &mut random);
        }
        let base = on_grid(20.0 * vector(&mut random));
        let wanted = gap(&mut random) * size;
        let mut other = base + direction(&mut random) * size * 1.1;
        let mut two = Two { bodies, turns, at: [base, other] };
        let mut plane = Plane { normal: DVec3::X, gap_m: 0.0 };
        for _ in 0..12 {
            other = on_grid(other);
            two.at[1] = other;
            plane = two.plane();
            if (plane.gap_m - wanted).abs() < 1e-6 * size {
                break;
            }
            other += plane.normal * (plane.gap_m - wanted);
        }
        two.at[1] = other;
        (two, plane)
    };
    Pairs::of((0..count).map(one))
}

/// The position that the GPU has.
pub(super) fn on_grid(position: DVec3) -> DVec3 {
    position.map(|x| CODE.position_m(CODE.position(x)))
}

/// Bodies of one part each.
pub(super) fn clumps(shapes: Vec<ConvexPolyhedron>) -> Vec<Clump> {
    shapes.into_iter().map(Clump::from).collect()
}

/// An orientation of `b` in which one of its faces is against one of `a`'s, tilted by up to `tilt` (rad) about each axis.
fn face_to_face(a: &ConvexPolyhedron, b: &ConvexPolyhedron, turn_a: DQuat, tilt: f64, random: &mut Pcg64Mcg) -> DQuat {
    let [one, other] = [a, b].map(|s| s.faces[random.random_range(0..s.faces.len())].normal);
    let spin = DQuat::from_axis_angle(other, random.random_range(0.0..6.0));
    rounded(DQuat::from_scaled_axis(tilt * vector(random)) * DQuat::from_rotation_arc(other, -(turn_a * one)) * spin)
}

/// Bodies at rest, whose contacts have that reach alone.
pub(super) fn fill(h: &mut Harness, p: &Pairs, normals: &[DVec3]) -> Result<()> {
    fill_moving(h, p, normals, &vec![[DVec3::ZERO; 2]; p.positions.len()], 0.0)
}

/// Runs `list_near_pairs` and `find_planes`; `motions`: displacements and spins of the bodies in a step, `reach_max`: reach
/// of cohesion (L).
fn fill_moving(h: &mut Harness, p: &Pairs, normals: &[DVec3], motions: &[[DVec3; 2]], reach_max: f64) -> Result<()> {
    let bodies = p.positions.len();
    let count = bodies / 2;
    let words = |k: usize| BodyWords {
        position: p.positions[k].to_array().map(|x| CODE.position(x)),
        radius: CODE.radius(p.polyhedra.of(k).radius_m),
        inverse_mass: 1.0,
        velocity: motions[k][0].to_array().map(|v| CODE.displacement(v)),
        spin: motions[k][1].to_array().map(|w| CODE.angle(w)),
        ..BodyWords::default()
    };
    let bodies: Vec<BodyWords> = (0..bodies).map(words).collect();
    let order: Vec<u32> = (0..bodies.len() as u32).collect();
    let tables = ShapeTables::new(&p.polyhedra, &order, &CODE);
    let control = Control { pair_count: count as u32, ..Control::default() };
    h.uniform(
        "params",
        &Params {
            body_count: 2 * count as u32,
            part_count: 2 * count as u32,
            pair_capacity: count as u32 + 3,
            ..Params::default()
        },
    )?;
    h.uniform("dynamics", &DynamicsParams { alert: REACH as f32, reach_max: reach_max as f32, ..DYNAMICS })?;
    h.fill("control", &[control])?;
    h.fill("body_view", &bodies.iter().map(BodyWords::view).collect::<Vec<_>>())?;
    h.fill("body_turn", &p.polyhedra.orientation.iter().map(|q| q30(*q)).collect::<Vec<_>>())?;
    h.fill("shape_part", &tables.part)?;
    h.fill("shape_data", &tables.data)?;
    h.fill("pair_body", &(0..count as u32).map(|k| Pair { i: 2 * k, j: 2 * k + 1 }).collect::<Vec<_>>())?;
    let mut history = vec![PairImpulses::default(); count + 3];
    for (kept, n) in history.iter_mut().zip(normals) {
        kept.normal = n.as_vec3().to_array();
    }
    h.fill("pair_history", &history)?;
    h.fill("pair_plane", &vec![PairPlane::default(); count + 3])?;
    h.fill("candidate_count", &vec![9u32; count + 3])?;
    h.run("list_near_pairs", (count as u32 + 3).div_ceil(64))?;
    h.run("find_planes", (count as u32 + 3).div_ceil(64))
}

/// Gaps from deep to just out of reach, mostly about touching.
pub(super) fn any_gap(random: &mut Pcg64Mcg) -> f64 {
    match random.random_range(0..4) {
        0 => random.random_range(-0.03..0.0),
        1 => random.random_range(-1e-4..1e-4),
        2 => random.random_range(-1e-6..1e-6),
        _ => random.random_range(0.0..0.9 * REACH),
    }
}

/// Normals that a step before may have left: none, the true one turned a little.
pub(super) fn starts(p: &Pairs, warm: bool, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    if !warm {
        return vec![];
    }
    p.truth.iter().map(|t| (t.normal + 0.01 * vector(random)).normalize()).collect()
}

/// Never the wrong sign, never better than the truth, and worse by no more than `spare`.
fn judge(t: &mut Tally, what: &str, k: usize, [gap, truth]: [f64; 2], spare: f64) {
    let sign = if truth.abs() > 2e-5 && gap * truth < 0.0 {
        Err(format!("{what}[{k}] = {gap:e}, not {truth:e}"))
    } else {
        Ok(())
    };
    t.hold(sign);
    t.off(what, k, (gap - truth).max(truth - gap - spare));
}

fn planes(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (seed, warm) in [(1, false), (2, true), (3, true)] {
        t.case(format!("1,000 pairs, {}", if warm { "from a step before" } else { "from centre to centre" }));
        let p = pairs(1_000, seed, any_gap);
        fill(h, &p, &starts(&p, warm, &mut random(seed + 10)))?;
        let planes: Vec<PairPlane> = h.read("pair_plane")?;
        for (k, truth) in p.truth.iter().enumerate() {
            let gaps = [f64::from(planes[k].gap), truth.gap_m].map(|g| g / p.size(k));
            // another of the local least translations of a deep overlap
            let spare = if warm { 0.0 } else { (-gaps[1] / 6.0).max(0.0) };
            judge(t, "gap", k, gaps, spare);
        }
    }
    Ok(())
}

/// Pairs apart by up to ten times the usual reach, which move and turn. A pair counts if it may meet within a step.
fn reaches(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // up to where a run ends: 1/128 L a step
    for (seed, fastest, reach_max) in [(6, [0.0; 2], 0.0), (7, [0.0075, 0.04], 0.0), (8, [0.002, 0.01], 0.02)] {
        t.case(format!("1,000 pairs, motions up to {fastest:?} L and rad, cohesion up to {reach_max} L"));
        let mut random = random(seed);
        let p = pairs(1_000, seed, |random| random.random_range(0.0..10.0 * REACH));
        let mut motion =
            |_| fastest.map(|most| most * random.random_range(0.0..1.0f64).powi(2) * direction(&mut random));
        let motions: Vec<[DVec3; 2]> = (0..p.positions.len()).map(&mut motion).collect();
        fill_moving(h, &p, &p.normals(), &motions, reach_max)?;
        let planes: Vec<PairPlane> = h.read("pair_plane")?;
        let near = lists(h, t, &planes)?;
        for (k, truth) in p.truth.iter().enumerate() {
            let [i, j] = [2 * k, 2 * k + 1];
            let turning = |b: usize| motions[b][1].length() * p.polyhedra.of(b).radius_m;
            let approach = motions[j][0].distance(motions[i][0]) + turning(i) + turning(j);
            let reach = (REACH * p.size(k) + approach).max(reach_max);
            let spheres = p.positions[i].distance(p.positions[j]) - p.size(k);
            if (spheres - reach).abs() > 1e-5 * p.size(k) {
                t.equal("near", &[near.binary_search(&(k as u32)).is_ok()], &[spheres < reach]);
            }
            // how well a plane is found
            if (truth.gap_m - reach).abs() > 1e-3 * p.size(k) {
                t.equal("counts", &[planes[k].gap < 1e38], &[truth.gap_m < reach]);
            }
            t.hold(match (f64::from(planes[k].reach) - reach).abs() < 1e-5 * reach {
                true => Ok(()),
                false => Err(format!("reach[{k}] = {:e}, not {reach:e}", planes[k].reach)),
            });
        }
    }
    Ok(())
}

/// The pairs that are listed as near, in their order; those that are listed as within reach are those with a plane.
fn lists(h: &mut Harness, t: &mut Tally, planes: &[PairPlane]) -> Result<Vec<u32>> {
    let words: Control = h.read_one("control")?;
    let [near_count, within_count] = [words.near_count, words.listed_count].map(|count| count as usize);
    let mut near: Vec<u32> = planes[..near_count].iter().map(|row| row.near).collect();
    near.sort_unstable();
    t.hold(if near.is_sorted_by(|a, b| a < b) { Ok(()) } else { Err("a pair is listed twice".into()) });
    let mut within: Vec<u32> = planes[..within_count].iter().map(|row| row.within).collect();
    within.sort_unstable();
    let met = (0..planes.len()).filter(|k| planes[*k].gap < 1e38).map(|k| k as u32 + 1);
    t.equal("within reach", &within, &met.collect::<Vec<_>>());
    t.equal(
        "behind the list",
        &planes[within_count..].iter().map(|row| row.within).collect::<Vec<_>>(),
        &vec![0; planes.len() - within_count],
    );
    Ok(near)
}

/// From a cold start another plane than the best may be found.
fn manifolds(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (seed, warm) in [(4, false), (5, true)] {
        t.case(format!("2,000 pairs, {}", if warm { "from a step before" } else { "from centre to centre" }));
        let p = pairs(2_000, seed, any_gap);
        let found = clipped(h, t, &p, &starts(&p, warm, &mut random(seed + 10)))?;
        for (k, truth) in p.truth.iter().enumerate() {
            let gaps = [found[k].least_gap(), truth.gap_m].map(|g| g / p.size(k));
            judge(t, "least gap", k, gaps, if warm { 0.0 } else { f64::MAX });
        }
    }
    Ok(())
}

/// A manifold that no pass has written.
pub(super) const UNTOUCHED: Manifold =
    Manifold { normal: [7.0; 3], kind: 7, points: [ManifoldPoint { arm: [7.0; 3], gap: 7.0 }; 4], names: [7; 4] };

/// What `clip_manifolds` leaves of a pair.
pub(super) struct Clipped {
    pub normal: DVec3,
    pub kind: u32,
    /// arm on the first body, gap (L)
    pub points: Vec<(DVec3, f64)>,
    pub names: Vec<u32>,
}

impl Clipped {
    /// The least gap (L).
    pub(super) fn least_gap(&self) -> f64 {
        self.points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min)
    }
}

/// Runs `find_planes` and `clip_manifolds` from the normals `starts`.
pub(super) fn clipped(h: &mut Harness, t: &mut Tally, p: &Pairs, starts: &[DVec3]) -> Result<Vec<Clipped>> {
    let count = p.positions.len() / 2;
    fill(h, p, starts)?;
    h.fill("pair_manifold", &vec![UNTOUCHED; count + 3])?;
    h.run("clip_manifolds", (count as u32 + 3).div_ceil(32))?;
    let manifolds: Vec<Manifold> = h.read("pair_manifold")?;
    let counts: Vec<u32> = h.read("candidate_count")?;
    t.equal("unused", &counts[count..], &[0, 0, 0]);
    t.equal("manifolds of unused", &manifolds[count..], &[UNTOUCHED; 3]);
    let one = |(found, n): (&Manifold, &u32)| Clipped {
        normal: in_f64(found.normal),
        kind: found.kind,
        points: found.points[..*n as usize].iter().map(|p| (in_f64(p.arm), p.gap.into())).collect(),
        names: found.names[..*n as usize].to_vec(),
    };
    Ok(manifolds.iter().zip(&counts).take(count).map(one).collect())
}
