//! Self-gravity of a homogeneous ball by direct sum and by tree: time, and the error of the same evaluation against a
//! direct sum in f64.

use super::clock::{repeat, whole};
use super::packing::RADIUS_M;
use super::{Attempt, Row, Rows, clock, pass_rows};
use crate::base::error::Result;
use crate::base::units::G;
use crate::engine::gpu::prepare::{Prepared, prepare};
use crate::gpu::buffer_table::Counts;
use crate::gpu::device::Gpu;
use crate::gpu::elements::body::Field;
use crate::gpu::pipeline::file;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::{Plan, plan};
use crate::gpu::pipeline::run::{Buffers, Compiled, Pipeline};
use crate::model::body::Bodies;
use crate::model::gravity::TREE_ACCURACY as ACCURACY;
use crate::model::scenario::{GravitySource, SelfGravityMethod};
use crate::physics::gravity::direct::direct;
use crate::physics::laws::registry::LAWS;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Bodies whose field is compared with the sum in f64.
const SAMPLE: usize = 512;
/// Only the masses and positions of bodies matter here; prepare wants a time step (s).
pub(super) const STEP_S: f64 = 1e-3;

/// Direct sum and tree at its default accuracy over `n` bodies.
pub fn rows(gpu: &Gpu, n: usize) -> Result<Rows> {
    let ball = ball(n);
    Ok(vec![row(gpu, &ball, SelfGravityMethod::Direct, "gravity, direct sum".to_owned()), by_tree(gpu, &ball)])
}

/// The tree at its default accuracy over `n` bodies.
pub fn tree_row(gpu: &Gpu, n: usize) -> Result<Rows> {
    Ok(vec![by_tree(gpu, &ball(n))])
}

fn by_tree(gpu: &Gpu, ball: &Bodies) -> Attempt {
    let method = SelfGravityMethod::TreeRelative { accuracy: ACCURACY };
    row(gpu, ball, method, format!("gravity, tree, accuracy {ACCURACY:e}"))
}

fn row(gpu: &Gpu, ball: &Bodies, method: SelfGravityMethod, what: String) -> Attempt {
    field(gpu, ball, method, &what).map_err(|e| (what, e))
}

/// Bodies of masses 1 to 3, at random in a ball that they fill to a few tenths.
fn ball(n: usize) -> Bodies {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let reach = 2.0 * RADIUS_M * (n as f64).cbrt();
    let mut position = || loop {
        let p = DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.0..1.0)));
        if p.length_squared() <= 1.0 {
            return reach * p;
        }
    };
    let mass = |k: usize| 4.0 * (1.0 + ((k * 7919) % 1000) as f64 * 2e-3);
    Bodies::at_rest((0..n).map(|_| position()).collect(), vec![RADIUS_M; n], (0..n).map(mass).collect())
}

fn field(gpu: &Gpu, ball: &Bodies, method: SelfGravityMethod, what: &str) -> Result<Row> {
    let mut scenario = super::packing::packing(1, LAWS[0].law)?.scenario;
    scenario.gravity = vec![GravitySource::SelfGravity { method, update_every: Some(1) }];
    let prepared = prepare(&scenario, ball, STEP_S, gpu.is_software())?;
    let of_bodies = |pass: &str| !pass.ends_with("_faces");
    let plan = stage(gpu, &prepared.counts, Some(method), &of_bodies)?;
    let buffers = Buffers::of_plan(gpu, &plan, &prepared.counts)?;
    buffers.write_uniform(gpu, "gravity_params", &prepared.gravity.params)?;
    buffers.write(gpu, "body_state", &prepared.state)?;
    buffers.write(gpu, "body_view", &prepared.view)?;
    let pipeline = Pipeline::build(gpu, &plan, &buffers, &mut Compiled::default())?;
    let extent = buffers.get("gravity_extent")?;
    // As `decide_work` does before every evaluation of a run.
    let clear = |e: &mut wgpu::CommandEncoder| e.clear_buffer(extent, 0, None);
    let once = || whole(gpu, clear, |pass| pipeline.record(pass, "gravity"));
    if method != SelfGravityMethod::Direct {
        once()?; // it gives the relative criterion the field that it needs
    }
    let times = repeat(once)?;
    let samples = clock::single(gpu, clear, &pipeline, "gravity")?;
    let n = ball.len() as f64;
    let (work, unit) = if method == SelfGravityMethod::Direct { (n * n, "body-body pairs") } else { (n, "bodies") };
    let mut row = Row::new(what.to_owned(), ball.len(), times, clock::name(gpu), work, unit);
    row.error_rms = Some(error_rms(&buffers.read(gpu, "body_gravity", ball.len())?, ball, &prepared));
    row.passes = pass_rows(&samples, &plan, &prepared.counts);
    Ok(row)
}

/// The step's own gravity stage, always due: its blocks, and those of its passes that `keep` takes by name.
pub(super) fn stage(
    gpu: &Gpu,
    counts: &Counts,
    method: Option<SelfGravityMethod>,
    keep: &dyn Fn(&str) -> bool,
) -> Result<Plan> {
    let mut file = file::load("soft_sphere")?;
    file.stage.retain(|s| s.name == "gravity");
    file.stage.iter_mut().for_each(|s| s.steps.retain(|p| p.pass.as_deref().map_or(method.is_some(), keep)));
    file.stage.iter_mut().flat_map(|s| &mut s.steps).for_each(|s| s.when = None);
    let expand =
        |name: &str, step: &file::Step, counts: &_| crate::gpu::blocks::named::expand(name, step, counts, method);
    let storage_max = gpu.limits.max_storage_buffers_per_shader_stage;
    plan("soft_sphere", &file, &Sources::default().on(gpu), counts, storage_max, &expand)
}

/// Rms error of the accelerations of a sample over their rms.
fn error_rms(field: &[Field], ball: &Bodies, prepared: &Prepared) -> f64 {
    let every = ball.len().div_ceil(SAMPLE);
    let indices: Vec<usize> = (0..ball.len()).step_by(every).collect();
    let body = |index: &usize| prepared.order[*index] as usize;
    let targets: Vec<DVec3> = indices.iter().map(|p| ball.position_m[body(p)]).collect();
    let sources: Vec<_> = ball.position_m.iter().zip(&ball.mass_kg).map(|(x, m)| (*x, G * m)).collect();
    let (mut wrong, mut all) = (0.0, 0.0);
    for (index, (exact, _)) in indices.iter().zip(direct(&targets, &sources)) {
        let got = DVec3::from_array(field[*index].acceleration.map(f64::from)) / prepared.units.acceleration();
        wrong += got.distance_squared(exact);
        all += exact.length_squared();
    }
    (wrong / all.max(f64::MIN_POSITIVE)).sqrt()
}
