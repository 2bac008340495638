//! Polyhedra on planes: the points that carry them, against the heights of all their corners.

use super::cloud::{CODE, Cloud, random, vector};
use super::dynamics_frames::{DYNAMICS, Plane, TURNS, fill_planes, planes, spin, turn_all, with_planes};
use super::dynamics_manifolds::holds;
use super::dynamics_shapes::{UNTOUCHED, clumps, rounded};
use super::harness::Harness;
use super::laws::windows;
use super::walls::{STEP, bodies, overlap};
use super::{Check, Family, Tally, dynamics_shapes};
use crate::base::error::Result;
use crate::engine::gpu::parts::orientation::q30;
use crate::engine::gpu::parts::polyhedra::ShapeTables;
use crate::geometry::narrow::manifold::POINTS;
use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::geometry::solids::{Regular, cuboid, regular};
use crate::gpu::constants::FEATURE;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::manifold::{Manifold, ManifoldPoint};
use crate::gpu::layout::Params;
use crate::model::body::Polyhedra;
use crate::physics::frame::step::Turn;
use glam::{DQuat, DVec3, Vec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_walls",
    compares: "Points of polyhedra on planes against the heights of all their corners in f64.",
    bounds: "Heights of centres are exact; corners are about ten operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["find_wall_manifolds"],
        what: "who touches with how many corners, gaps, feet, names",
        unit: "of the radius",
        bound: 5e-7,
        reason: "corners, normals and about 10 operations at 6e-8; heights of centres are exact to 2e-11 L",
        compare: wall_manifolds,
    },
    Check::exact(&["find_wall_manifolds"], "planes that are gone carry nothing", removed),
];

/// Pairs of other bodies, before the candidates of planes.
const CAPACITY: usize = 5;

/// What a body rests on, and how far it is tilted from it (rad).
#[derive(Debug, Clone)]
struct Stand {
    /// 1: a corner, 2: an edge, 3: a face
    kind: usize,
    corners: Vec<u32>,
    tilt: f64,
}

/// Bodies in turn at one of three planes.
struct Resting {
    cloud: Cloud,
    polyhedra: Polyhedra,
    stands: Vec<Stand>,
}

/// A prism on a polygon of 5 to 12 corners at uneven angles of a circle.
fn prism(radius: f64, random: &mut Pcg64Mcg) -> ConvexPolyhedron {
    let count = random.random_range(5..=12);
    let share = |k: i32| (f64::from(k) + random.random_range(0.0..0.8)).powf(1.3) / f64::from(count).powf(1.3);
    let ring: Vec<DVec3> = (0..count).map(share).map(|a| DQuat::from_rotation_z(TAU * a) * DVec3::X).collect();
    let points: Vec<DVec3> = ring.iter().flat_map(|p| [*p - 0.4 * DVec3::Z, *p + 0.4 * DVec3::Z]).collect();
    let made = ConvexPolyhedron::from_points(&points).expect("a prism can be made");
    made.scaled(radius / made.radius_m)
}

/// A shape, and if its edges and corners are sharp.
fn shape(kind: usize, radius: f64, random: &mut Pcg64Mcg) -> (ConvexPolyhedron, bool) {
    let made = match kind {
        0 => cuboid(DVec3::new(1.2, 0.9, 0.7)),
        1 => regular(Regular::Tetrahedron, 1.0),
        2 => regular(Regular::Octahedron, 1.0),
        3 => Ok(dynamics_shapes::shape(random)),
        _ => Ok(prism(1.0, random)),
    };
    let made = made.expect("solids can be made");
    // a radius that is not a whole multiple of 2^-24 L
    (made.scaled(0.97 * radius / made.radius_m), kind < 3)
}

/// A face, or for sharp bodies also an edge or a corner, and its direction in the body's frame.
fn stand(s: &ConvexPolyhedron, sharp: bool, random: &mut Pcg64Mcg) -> (Stand, DVec3) {
    let kind = if sharp { random.random_range(1..=3) } else { 3 };
    let tilt = if random.random_range(0..3) == 0 { 0.0 } else { 10f64.powf(random.random_range(-8.0..-0.3)) };
    let corners = match kind {
        1 => vec![random.random_range(0..s.vertices_m.len() as u32)],
        2 => s.edges[random.random_range(0..s.edges.len())].vertices.to_vec(),
        _ => s.faces[random.random_range(0..s.faces.len())].vertices.clone(),
    };
    let around = s.faces.iter().filter(|f| corners.iter().all(|v| f.vertices.contains(v)));
    let down = around.map(|f| f.normal).sum::<DVec3>();
    (Stand { kind, corners, tilt }, down.normalize())
}

/// What a field adds to all velocities in the step (L/T).
const FIELD: Vec3 = Vec3::new(1e-6, -2e-6, -3e-6);

/// Gaps of the lowest corner (of the radius): deep, about touching, within reach, about its end, beyond.
fn gap(random: &mut Pcg64Mcg) -> f64 {
    match random.random_range(0..5) {
        0 => random.random_range(-0.02..0.0),
        1 => random.random_range(-1e-6..1e-6),
        2 => random.random_range(0.95..1.05) * f64::from(2.0 * DYNAMICS.alert),
        3 => random.random_range(0.011..0.1),
        _ => random.random_range(0.0..0.009),
    }
}

fn resting(count: usize) -> Resting {
    let (planes, mut random) = (planes(), random(count as u64));
    let mut cloud = bodies(count, |_| 0.0, count as u64);
    let (mut shapes, mut orientation, mut stands) = (vec![], vec![], vec![]);
    for (b, body) in cloud.bodies.iter_mut().enumerate() {
        let (normal, radius) = (planes[b % 3].normal(), f64::from(body.radius));
        let (shape, sharp) = shape(b / 3 % 5, radius, &mut random);
        let (stand, down) = stand(&shape, sharp, &mut random);
        let any = DQuat::from_scaled_axis(3.0 * vector(&mut random));
        let tilt = DQuat::from_scaled_axis(stand.tilt * vector(&mut random));
        let turn = rounded(tilt * DQuat::from_rotation_arc(any * down, -normal) * any);
        let lowest = shape.vertices_m.iter().map(|v| (turn * *v).dot(normal)).fold(f64::INFINITY, f64::min);
        let raise = (gap(&mut random) * radius - radius - lowest) * normal;
        body.position = [0, 1, 2].map(|k| body.position[k] + CODE.position(raise[k]));
        shapes.push(shape);
        orientation.push(turn);
        stands.push(stand);
    }
    let shape = (0..count as u32).collect();
    Resting { cloud, polyhedra: Polyhedra { shapes: Arc::new(clumps(shapes)), shape, orientation }, stands }
}

/// A body at a plane in f64.
struct Truth {
    /// of the corners, from the centre (L)
    arms: Vec<DVec3>,
    /// of the corners above the plane (L)
    heights: Vec<f64>,
    least: f64,
    reach: f64,
    radius: f64,
}

impl Resting {
    fn truth(&self, b: usize, plane: &Plane, turns: DVec3) -> Truth {
        let (body, normal) = (&self.cloud.bodies[b], plane.normal());
        let radius = self.polyhedra.of(b).radius_m;
        let centre = f64::from(body.radius) - overlap(&plane.state, &self.cloud, b);
        let turn = self.polyhedra.orientation[b];
        let arms: Vec<DVec3> = self.polyhedra.of(b).corners_m().map(|v| turn * v).collect();
        let heights: Vec<f64> = arms.iter().map(|a| centre + a.dot(normal)).collect();
        let motion = windows(&plane.motion(), &body.view().velocity, 37);
        let approach = (motion - FIELD.as_dvec3()).dot(normal).max(0.0);
        let reach =
            f64::from(2.0 * DYNAMICS.alert) * radius + approach + (spin(&self.cloud, b) - turns).length() * radius;
        Truth { least: heights.iter().copied().fold(f64::INFINITY, f64::min), arms, heights, reach, radius }
    }

    fn fill(&self, h: &mut Harness) -> Result<()> {
        let count = self.cloud.len();
        let order: Vec<u32> = (0..count as u32).collect();
        let tables = ShapeTables::new(&self.polyhedra, &order, &CODE);
        // a third of the rows are parts of bodies before them
        let body_count = (count - count / 3) as u32;
        fill_planes(
            h,
            &self.cloud,
            &Params { body_count, uniform_gravity: FIELD, ..with_planes(&self.cloud, CAPACITY) },
        )?;
        h.uniform("dynamics", &DYNAMICS)?;
        h.fill("body_turn", &self.polyhedra.orientation.iter().map(|q| q30(*q)).collect::<Vec<_>>())?;
        h.fill("shape_part", &tables.part)?;
        h.fill("shape_data", &tables.data)?;
        h.fill("wall_manifold", &vec![UNTOUCHED; 3 * count + 1])?;
        h.fill("candidate_count", &vec![9u32; CAPACITY + 3 * count + 1])
    }
}

/// Every point is a corner of the body, half-way to nothing: its foot on the plane.
fn compare_points(t: &mut Tally, b: usize, truth: &Truth, normal: DVec3, points: &[ManifoldPoint], names: &[u32]) {
    for (point, name) in points.iter().zip(names) {
        let corner = ((name - FEATURE) >> 10) as usize;
        let (Some(height), Some(arm)) = (truth.heights.get(corner), truth.arms.get(corner)) else {
            t.hold(Err(format!("name of point on body {b} = {name:#x}, no corner")));
            continue;
        };
        t.equal("name of point", &[*name], &[FEATURE | (corner as u32) << 10]);
        t.off("gap of point", b, (f64::from(point.gap) - height).abs() / truth.radius);
        t.off("foot of point", b, in_f64(point.arm).distance(*arm - *height * normal) / truth.radius);
        t.off("reach of point", b, (height - truth.reach).max(0.0) / truth.radius);
    }
}

/// Centroid of a convex loop.
fn centroid(outline: &[DVec3], normal: DVec3) -> DVec3 {
    let first = outline.first().copied().unwrap_or_default();
    let (mut sum, mut weight) = (DVec3::ZERO, 0.0);
    for w in outline.windows(2) {
        let (a, b) = (w[0] - first, w[1] - first);
        let size = a.cross(b).dot(normal);
        (sum, weight) = (sum + size * (a + b) / 3.0, weight + size);
    }
    first + sum / weight
}

/// Number and names of the points of a body that rests level within reach.
fn compare_stand(
    t: &mut Tally,
    stand: &Stand,
    truth: &Truth,
    normal: DVec3,
    kind: u32,
    points: &[ManifoldPoint],
    names: &[u32],
) {
    let corners: Vec<u32> = names.iter().map(|n| (n - FEATURE) >> 10).collect();
    t.equal("kind", &[kind], &[stand.kind as u32]);
    t.equal("points", &[points.len()], &[stand.corners.len().min(POINTS as usize)]);
    t.equal("stands on others", &[corners.iter().all(|c| stand.corners.contains(c))], &[true]);
    if stand.kind == 3 {
        let feet: Vec<_> = points.iter().map(|p| in_f64(p.arm)).collect();
        let outline: Vec<_> = stand.corners.iter().map(|c| truth.arms[*c as usize]).collect();
        t.equal("holds the centroid", &[holds(&feet, centroid(&outline, normal), normal)], &[true]);
    }
}

fn wall_manifolds(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for count in [1, 21, 22, 3000] {
        t.case(format!("{count} bodies"));
        at_planes(h, t, count, None)?;
    }
    for vector in TURNS {
        t.case(format!("500 bodies, turning {vector:?}"));
        at_planes(h, t, 500, Some(Turn::new(vector)))?;
    }
    Ok(())
}

/// Manifolds of `count` bodies with planes, in a frame that turns if there is one.
fn at_planes(h: &mut Harness, t: &mut Tally, count: usize, turn: Option<Turn>) -> Result<()> {
    let (planes, resting) = (planes(), resting(count));
    let turns = turn.map_or(DVec3::ZERO, |turn| turn.vector);
    resting.fill(h)?;
    if let Some(turn) = &turn {
        turn_all(h, &resting.cloud, turn, DYNAMICS)?;
    }
    h.run("find_wall_manifolds", (3 * count + 70).div_ceil(32) as u32)?;
    let (manifolds, counts) = (h.read::<Manifold>("wall_manifold")?, h.read::<u32>("candidate_count")?);
    t.equal("candidates of others", &counts[..CAPACITY], &[9; CAPACITY]);
    t.equal("candidates behind", &counts[CAPACITY + 3 * count..], &[9]);
    t.equal("manifold behind", &manifolds[3 * count..], &[UNTOUCHED]);
    for c in 0..3 * count {
        let (b, plane) = (c % count, &planes[c / count]);
        let (truth, found) = (resting.truth(b, plane, turns), counts[CAPACITY + c] as usize);
        // Another plane than its own is far, or far above the body.
        let edge = (truth.least - truth.reach).abs() < 1e-6 * truth.radius;
        if edge || (c / count != b % 3 && truth.least < 0.0) {
            continue;
        }
        t.equal("touches", &[found > 0], &[truth.least < truth.reach]);
        let (manifold, normal) = (&manifolds[c], plane.normal());
        let names = manifold.names;
        t.equal("names of no points", &names[found..], &[0; POINTS as usize][found..]);
        t.off("normal", b, in_f64(manifold.normal).distance(normal));
        let (points, names) = (&manifold.points[..found], &names[..found]);
        compare_points(t, b, &truth, normal, points, names);
        let lowest = points.iter().map(|p| f64::from(p.gap)).fold(f64::INFINITY, f64::min);
        let stand = &resting.stands[b];
        // If there are more corners than points, the lowest may be dropped.
        if found > 0 && stand.corners.len() <= POINTS as usize {
            t.off("least gap", b, (lowest - truth.least).abs() / truth.radius);
        }
        if found > 0 && stand.tilt == 0.0 && (stand.kind < 3 || b / 3 % 5 != 3) {
            compare_stand(t, stand, &truth, normal, manifold.kind, points, names);
        }
    }
    Ok(())
}

/// Planes that are gone from this step on, and from the next.
fn removed(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let count = 64;
    for (last, gone) in [(STEP, true), (STEP + 1, false)] {
        t.case(format!("{count} bodies, planes until step {last}"));
        resting(count).fill(h)?;
        let mut planes = planes();
        planes.iter_mut().for_each(|p| p.state.end = last);
        h.fill("wall_plane", &planes.iter().map(|p| p.state).collect::<Vec<_>>())?;
        h.run("find_wall_manifolds", (3 * count).div_ceil(32) as u32)?;
        let found: u32 = h.read::<u32>("candidate_count")?[CAPACITY..CAPACITY + 3 * count].iter().sum();
        t.equal("no contacts", &[found == 0], &[gone]);
    }
    Ok(())
}
