//! The field of a polyhedron at bodies 0.1 m above its surface, by the exact sum and by the tree: time against the
//! number of faces, and the error of the same evaluation against the exact sum in f64.

use super::clock::{repeat, whole};
use super::gravity::{STEP_S, stage};
use super::packing::RADIUS_M;
use super::{Row, Rows, clock, pass_rows};
use crate::base::cores::on_all_cores;
use crate::base::error::Result;
use crate::base::units::G;
use crate::engine::gpu::parts::Fill;
use crate::engine::gpu::prepare::prepare;
use crate::geometry::geodesic::bumpy;
use crate::gpu::buffer_table::Counts;
use crate::gpu::device::Gpu;
use crate::gpu::elements::body::Field;
use crate::gpu::pipeline::plan::Plan;
use crate::gpu::pipeline::run::{Buffers, Compiled, Pipeline};
use crate::model::body::Bodies;
use crate::model::scenario::FaceSum;
use crate::physics::gravity::asteroid_field::AsteroidField;
use crate::physics::gravity::face_tree::{ACCURACY, FaceTree};
use crate::physics::laws::registry::LAWS;
use glam::DVec3;

/// Cuts of the sides of an icosahedron: 980, 9,680, 100,820, 1,003,520 and 2,995,380 faces.
const CUTS: [u32; 5] = [7, 22, 71, 224, 387];
/// Bodies times faces of an exact sum that is timed: a second on a software device.
const PAIRS: usize = 20_000_000;
/// Density of the polyhedron (kg/m3).
const DENSITY_KG_M3: f64 = 1190.0;
/// Height of the bodies above faces (m).
const HEIGHT_M: f64 = 0.1;

/// Exact sum and tree at its default accuracy over polyhedra of up to three million faces, at `n` bodies or fewer.
pub fn rows(gpu: &Gpu, n: usize) -> Result<Rows> {
    let mut rows = vec![];
    for cuts in CUTS {
        let mut field =
            AsteroidField { tree: FaceTree::new(&bumpy(cuts)), sum: FaceSum::Exact, g_rho_s2: G * DENSITY_KG_M3 };
        let faces = field.tree.len();
        let few = n.min(PAIRS / faces).max(1);
        let what = format!("polyhedron of {faces} faces, exact sum");
        rows.push(evaluate(gpu, &field, few, &what).map_err(|e| (what, e)));
        field.sum = FaceSum::Tree { accuracy: ACCURACY };
        let what = format!("polyhedron of {faces} faces, tree, accuracy {ACCURACY:e}");
        rows.push(evaluate(gpu, &field, n, &what).map_err(|e| (what, e)));
    }
    Ok(rows)
}

/// Bodies `height_m` above faces all over the polyhedron.
fn above(tree: &FaceTree, n: usize, height_m: f64) -> Bodies {
    let position = |k: usize| {
        let face = tree.face((k as u64 * tree.len() as u64 / n as u64) as usize);
        tree.unit_m * face.centre() + height_m * face.normal
    };
    Bodies::at_rest((0..n).map(position).collect(), vec![RADIUS_M; n], vec![1.0; n])
}

/// The passes over the faces, ready for some bodies.
struct Evaluation {
    pipeline: Pipeline,
    plan: Plan,
    buffers: Buffers,
    counts: Counts,
    /// positions in memory order (m)
    positions_m: Vec<DVec3>,
    /// L/T2 in 1 m/s2
    unit: f64,
}

fn open(gpu: &Gpu, field: &AsteroidField, bodies: &Bodies) -> Result<Evaluation> {
    let prepared = prepare(&super::packing::packing(1, LAWS[0].law)?.scenario, bodies, STEP_S, gpu.is_software())?;
    let counts = field.counts(prepared.counts.clone());
    let of_faces = |pass: &str| pass.ends_with("_faces");
    let plan = stage(gpu, &counts, None, &of_faces)?;
    let buffers = Buffers::of_plan(gpu, &plan, &counts)?;
    buffers.write_uniform(gpu, "gravity_params", &prepared.gravity.params)?;
    buffers.write(gpu, "body_state", &prepared.state)?;
    field.fill(&field.params(&prepared.units, bodies.len()), &Fill { gpu, buffers: &buffers })?;
    let pipeline = Pipeline::build(gpu, &plan, &buffers, &mut Compiled::default())?;
    let positions_m = prepared.order.iter().map(|k| bodies.position_m[*k as usize]).collect();
    Ok(Evaluation { pipeline, plan, buffers, counts, positions_m, unit: prepared.units.acceleration() })
}

fn evaluate(gpu: &Gpu, field: &AsteroidField, n: usize, what: &str) -> Result<Row> {
    let e = open(gpu, field, &above(&field.tree, n, HEIGHT_M))?;
    let nothing = |_: &mut wgpu::CommandEncoder| ();
    let times = repeat(|| whole(gpu, nothing, |pass| e.pipeline.record(pass, "gravity")))?;
    let samples = clock::single(gpu, nothing, &e.pipeline, "gravity")?;
    let (work, unit) = match field.sum {
        FaceSum::Exact => (n as f64 * field.tree.len() as f64, "body-face pairs"),
        _ => (n as f64, "bodies"),
    };
    let mut row = Row::new(what.to_owned(), n, times, clock::name(gpu), work, unit);
    row.error_rms = Some(e.errors(gpu, field)?[0]);
    row.passes = pass_rows(&samples, &e.plan, &e.counts);
    Ok(row)
}

/// Rms and largest error of the acceleration, over itself, of `n` bodies `height_m` above faces.
pub fn errors(gpu: &Gpu, field: &AsteroidField, n: usize, height_m: f64) -> Result<[f64; 2]> {
    open(gpu, field, &above(&field.tree, n, height_m))?.errors(gpu, field)
}

impl Evaluation {
    /// Rms and largest relative error of a sample after one evaluation.
    fn errors(&self, gpu: &Gpu, field: &AsteroidField) -> Result<[f64; 2]> {
        // Evaluations add to the field.
        let field_buffer = self.buffers.get("body_gravity")?;
        gpu.submit(|e| {
            e.clear_buffer(field_buffer, 0, None);
            let mut pass = e.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            self.pipeline.record(&mut pass, "gravity");
        });
        let got: Vec<Field> = self.buffers.read(gpu, "body_gravity", self.positions_m.len())?;
        let sample = (PAIRS / field.tree.len()).clamp(8, 256);
        let chosen: Vec<usize> = (0..got.len()).step_by(got.len().div_ceil(sample)).collect();
        let scale = field.g_rho_s2 * field.tree.unit_m;
        let (positions_m, unit) = (&self.positions_m, self.unit);
        let apart = on_all_cores(&chosen, |k| {
            let exact = scale * field.tree.exact(positions_m[*k] / field.tree.unit_m).acceleration;
            (DVec3::from_array(got[*k].acceleration.map(f64::from)) / unit).distance(exact) / exact.length()
        });
        let mean = apart.iter().map(|e| e * e).sum::<f64>() / apart.len() as f64;
        Ok([mean.sqrt(), apart.iter().copied().fold(0.0, f64::max)])
    }
}
