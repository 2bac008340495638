//! The field of the asteroid: the exact sum over its faces, the walk of their tree, and what is made of both.

use super::cloud::{CODE, Cloud, direction, random};
use super::harness::{Harness, filled};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::units::POSITION_BITS;
use crate::geometry::geodesic::{bumpy, geodesic};
use crate::gpu::elements::body::Field;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::face::FacePart;
use crate::gpu::elements::in_f64;
use crate::gpu::layout::{AsteroidParams, BodyWords, GravityParams, control};
use crate::model::scenario::FaceSum;
use crate::physics::gravity::asteroid_field::AsteroidField;
use crate::physics::gravity::face_tree::{FaceTree, NodeRow};
use crate::physics::gravity::faces::Attraction;
use glam::DVec3;

/// The family.
pub const FAMILY: Family = Family {
    name: "faces",
    compares: "The field of an asteroid: the exact sum over its faces, and the walk of their tree, against f64.",
    bounds: "Some 30 operations a face, roots and quotients at 1.2e-7; neighbouring faces cancel in part.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["sum_faces"],
        what: "the exact sum against the same in f64, near the surface and 100 radii off",
        unit: "of the acceleration",
        bound: 1e-6,
        reason: "about 30 operations a face at 6e-8, roots and quotients at 1.2e-7, whose errors do not add up, summed by tiles",
        compare: sum_faces,
    },
    Check {
        passes: &["sum_faces"],
        what: "the same of a body of 20 faces",
        unit: "of the acceleration",
        bound: 4e-6,
        reason: "the same operations; a face four sides away cancels to a tenth, and few faces even nothing out",
        compare: few_faces,
    },
    Check {
        passes: &["sum_faces"],
        what: "on planes, edges and corners",
        unit: "of the acceleration",
        bound: 7e-6,
        reason: "as before, with a third of the operations, roots and quotients, at 1.2e-7; a position rounds to 6e-8 radii, and near an edge the slope of the field has no bound",
        compare: exceptions,
    },
    Check {
        passes: &["walk_faces"],
        what: "the walk against the same walk in f64",
        unit: "of the acceleration",
        bound: 5e-6,
        reason: "up to 600 terms one after another, half of 3e-8 each, which cancel to a fifth; few large faces",
        compare: walk_faces,
    },
    Check::exact(&["walk_faces"], "a walk without an end is a fault", endless),
    Check {
        passes: &["add_faces"],
        what: "slices of the sum added to a field, or in its place",
        unit: "of the sizes",
        bound: 3e-7,
        reason: "a product and up to 18 sums of signs that differ, half of 6e-8 each",
        compare: add_faces,
    },
];

/// Half steps by which positions are predicted.
const STEPS: u32 = 9;

fn field(cuts: u32, sum: FaceSum) -> AsteroidField {
    let surface = if cuts == 1 { geodesic("icosahedron", 1, |_| 3.0) } else { bumpy(cuts) };
    AsteroidField { tree: FaceTree::new(&surface), sum, g_rho_s2: 1e-9 }
}

/// Bodies at these positions (L) in motion.
fn cloud(name: String, positions: impl IntoIterator<Item = DVec3>) -> Cloud {
    Cloud::new(&name, positions.into_iter().map(|p| (p, 0.4))).moving(3e-3, 21)
}

/// Bodies above faces of the asteroid, from a thousandth of a radius to 100 of them.
fn about(field: &AsteroidField) -> Cloud {
    let (mut random, radius) = (random(4), field.tree.unit_m);
    let heights = [1e-3, 0.01, 0.1, 0.7, 1.5, 3.0, 10.0, 30.0, 99.0];
    let above = |k: usize| {
        let face = field.tree.face(k * 37 % field.tree.len());
        radius * (face.centre() + heights[k % heights.len()] * (face.normal + 0.1 * direction(&mut random)))
    };
    cloud(format!("{} faces", field.tree.len()), (0..100).map(above))
}

/// Where a pass sees a body, in radii.
fn seen(body: &BodyWords, field: &AsteroidField) -> DVec3 {
    let along = |k: usize| body.position[k].wrapping_add(body.velocity[k].wrapping_mul(STEPS.into()) >> 21) as f64;
    DVec3::new(along(0), along(1), along(2)) * (-f64::from(POSITION_BITS)).exp2() / field.tree.unit_m
}

fn fill(h: &mut Harness, cloud: &Cloud, field: &AsteroidField) -> Result<AsteroidParams> {
    let params = field.params(&CODE, cloud.len());
    let gravity = GravityParams { body_count: cloud.len() as u32, predict_steps: STEPS, ..Default::default() };
    let (corners, sides) = field.tree.face_rows();
    h.uniform("gravity_params", &gravity)?;
    h.uniform("asteroid_params", &params)?;
    h.fill("body_state", &cloud.state())?;
    h.fill("face_corner", &corners)?;
    h.fill("face_side", &sides)?;
    h.zeros("control", size_of::<Control>())?;
    h.zeros("face_partial", size_of::<FacePart>() * cloud.len() * params.slice_count as usize)?;
    Ok(params)
}

/// Compares what slices sum to with the truth; the sum of n_f I_f is the acceleration with the other sign.
fn compare(t: &mut Tally, body: usize, slices: &[FacePart], truth: &Attraction) {
    let sum: DVec3 = slices.iter().map(|s| in_f64(s.pull)).sum();
    t.off("acceleration", body, (sum + truth.acceleration).length() / truth.acceleration.length());
}

/// Runs the exact sum and compares it at every body, in as many slices as a run has.
fn exact(h: &mut Harness, t: &mut Tally, cloud: &Cloud, field: &AsteroidField) -> Result<()> {
    let params = fill(h, cloud, field)?;
    in_slices(h, t, cloud, field, params.slice_count)
}

/// The same once everything is filled.
fn in_slices(h: &mut Harness, t: &mut Tally, cloud: &Cloud, field: &AsteroidField, slices: u32) -> Result<()> {
    t.case(format!("{}, {slices} slices", cloud.name));
    let forms = h.by_form(|h| {
        h.fill("face_partial", &vec![filled::<FacePart>(9); cloud.len() * slices as usize])?;
        h.run("sum_faces", slices * cloud.groups())?;
        h.read::<FacePart>("face_partial")
    })?;
    let rows = t.one_of("sum", forms);
    for (b, body) in cloud.bodies.iter().enumerate() {
        let slices: Vec<_> = rows.iter().skip(b).step_by(cloud.len()).copied().collect();
        compare(t, b, &slices, &field.tree.exact(seen(body, field)));
    }
    Ok(())
}

fn sum_faces(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cuts in [9, 22] {
        let field = field(cuts, FaceSum::Exact);
        exact(h, t, &about(&field), &field)?;
    }
    // several runs of 2,048 faces in one slice
    let (field, slice_count) = (field(30, FaceSum::Exact), 1);
    let cloud = about(&field);
    let params = fill(h, &cloud, &field)?;
    h.uniform("asteroid_params", &AsteroidParams { slice_count, slice_faces: params.face_count, ..params })?;
    in_slices(h, t, &cloud, &field, slice_count)
}

fn few_faces(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let field = field(1, FaceSum::Exact);
    exact(h, t, &about(&field), &field)
}

fn exceptions(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let field = field(1, FaceSum::Exact);
    let [a, b, c] = field.tree.face(3).corners.map(|c| field.tree.unit_m * c);
    let positions =
        [(a + b + c) / 3.0, a + b - c, 0.5 * (a + b), a + 1.3 * (b - a), a, 0.999_99 * a, DVec3::splat(0.1)];
    let still = cloud("planes, edges, corners".into(), positions).moving(0.0, 1);
    exact(h, t, &still, &field)
}

fn fill_tree(h: &mut Harness, field: &AsteroidField) -> Result<()> {
    h.fill("face_node", &field.tree.node_rows())?;
    h.fill("face_first", &field.tree.moment_rows(|m| m.first))?;
    h.fill("face_second", &field.tree.moment_rows(|m| m.second))?;
    let words = Control { fault_body: u32::MAX, ..Control::default() };
    h.fill("control", &[words])
}

fn walk_faces(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (cuts, accuracy) in [(1, 1e-4), (9, 3e-5), (22, 3e-5), (22, 1e-3)] {
        let field = field(cuts, FaceSum::Tree { accuracy });
        let cloud = about(&field);
        t.case(format!("{}, accuracy {accuracy:e}", cloud.name));
        fill(h, &cloud, &field)?;
        fill_tree(h, &field)?;
        h.run("walk_faces", cloud.groups())?;
        for (b, row) in h.read::<FacePart>("face_partial")?.iter().enumerate() {
            let walk = field.tree.walk(seen(&cloud.bodies[b], &field), accuracy);
            if !walk.doubt {
                compare(t, b, &[*row], &walk.field);
            }
        }
        t.equal("fault", &[h.read_one::<Control>("control")?.fault_body], &[u32::MAX]);
    }
    Ok(())
}

/// A tree whose nodes lead back to the first.
fn endless(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut field = field(9, FaceSum::Tree { accuracy: 1e-4 });
    t.case("nodes that follow themselves");
    let cloud = about(&field);
    field.tree.nodes.iter_mut().for_each(|n| *n = NodeRow { next: 0, third: 0.0, reach: 0.0, ..*n });
    fill(h, &cloud, &field)?;
    fill_tree(h, &field)?;
    h.fill("control", &[Control::default()])?;
    h.run("walk_faces", cloud.groups())?;
    let words: Control = h.read_one("control")?;
    t.equal("fault", &[words.fault_body, words.fault_index], &[control::TREE.0, 0]);
    Ok(())
}

fn add_faces(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (replace, slices) in [(0, 1), (0, 3), (1, 3), (1, 37)] {
        t.case(format!("{slices} slices, replaced: {replace}"));
        let (bodies, mut random) = (70, random(8));
        let mut one = || direction(&mut random).as_vec3().to_array();
        let before: Vec<_> = (0..bodies).map(|_| Field { acceleration: one(), potential: 0.5 }).collect();
        let part = |pull: [f32; 3]| FacePart { pull, ..FacePart::default() };
        let partial: Vec<_> = (0..bodies * slices as usize).map(|_| part(one())).collect();
        let pull = 0.37f32;
        h.uniform("gravity_params", &GravityParams { body_count: bodies as u32, ..Default::default() })?;
        h.uniform("asteroid_params", &AsteroidParams { pull, slice_count: slices, ..Default::default() })?;
        h.fill("face_partial", &partial)?;
        h.fill("body_gravity", &before)?;
        h.zeros("control", size_of::<Control>())?;
        h.run_with("add_faces", 2, "pass_constants", [replace, 0, 0, 0])?;
        let kept = if replace == 1 { 0.0 } else { 1.0 };
        for (b, got) in h.read::<Field>("body_gravity")?.iter().enumerate() {
            let sum: DVec3 = partial.iter().skip(b).step_by(bodies).map(|p| in_f64(p.pull)).sum();
            let wanted = kept * in_f64(before[b].acceleration) - f64::from(pull) * sum;
            let off = (in_f64(got.acceleration) - wanted).abs().max_element();
            t.off("field", b, off / (1.0 + f64::from(slices) * f64::from(pull)));
            t.equal("potential", &[f64::from(got.potential)], &[kept * f64::from(before[b].potential)]);
        }
    }
    Ok(())
}
