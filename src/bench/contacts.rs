//! Steps of contact dynamics of a settled ball of spheres, by both solvers.

use super::clock::{Seconds, Took};
use super::{Row, Rows, pass_rows};
use crate::base::error::Result;
use crate::engine::Engine;
use crate::engine::gpu::contact_dynamics::ContactDynamics;
use crate::engine::gpu::limits::GROUP_BODIES_MAX;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::model::body::Bodies;
use crate::model::scenario::{ContactSolver, Method, Scenario};
use crate::scenario::generate::generate;
use crate::scenario::parse::parse;

/// The field inside a homogeneous ball: what a settled pile's own gravity would be, without its cost.
const SCENARIO: &str = r#"
format = 1
[run]
method = "contact_dynamics"
duration_s = 1e6
time_step_s = 5.0
[contact_dynamics]
solver = "gauss_seidel"
[[material]]
density_kg_m3 = 3000.0
restitution_normal = 0.0
friction_sliding = 0.5
[[gravity]]
kind = "uniform_sphere"
density_kg_m3 = 1800.0
radius_m = 1e4
[[bodies]]
generator = "lattice"
grid_spacing_m = 2.02
radius_m = { min_m = 0.8, max_m = 1.0 }
"#;
/// Time step (s) of a ball of this many bodies. In one step a body falls 10^-5 of its radius. Speeds at the surface
/// grow with the radius of the ball, so steps of larger ones are shorter.
const STEP_S: f64 = 5.0;
const STEP_BODIES: f64 = 1000.0;
/// Time in which the lattice falls together and comes to rest (s).
const SETTLING_S: f64 = 1500.0;
/// Wall time of the steps that count (s), and of one sample of them.
const MEASURED_S: f64 = 2.0;
const SHARE_S: f64 = 0.2;

const SOLVERS: [(ContactSolver, &str); 3] = [
    (ContactSolver::Jacobi, "Jacobi"),
    (ContactSolver::GaussSeidel, "Gauss-Seidel"),
    (ContactSolver::GaussSeidelOneGroup, "Gauss-Seidel in one group"),
];

/// A step of about `n` spheres by each solver that takes so many, from the same settled ball.
pub fn rows(open: &dyn Fn() -> Result<Gpu>, n: usize) -> Result<Rows> {
    let mut scenario = parse(SCENARIO, "bench", &[format!("bodies.0.count={n}")])?;
    let bodies = generate(&scenario)?;
    let step_s = STEP_S * (STEP_BODIES / n as f64).cbrt().min(1.0);
    let bodies = settled(open()?, &scenario, &bodies, step_s)?;
    let mut rows = vec![];
    let fits = |solver: ContactSolver| solver != ContactSolver::GaussSeidelOneGroup || n <= GROUP_BODIES_MAX;
    for (solver, name) in SOLVERS.into_iter().filter(|(solver, _)| fits(*solver)) {
        if let Method::ContactDynamics(settings) = &mut scenario.method {
            settings.solver = solver;
        }
        rows.push(Ok(row(open()?, &scenario, &bodies, step_s, name)?));
    }
    Ok(rows)
}

fn settled(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, step_s: f64) -> Result<Bodies> {
    let mut engine = ContactDynamics::new(gpu, scenario, bodies, step_s, Sources::default())?;
    engine.run_to((SETTLING_S / step_s).ceil() as u64)?;
    Ok(engine.snapshot()?.bodies)
}

fn row(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, step_s: f64, name: &str) -> Result<Row> {
    let mut engine = ContactDynamics::new(gpu, scenario, bodies, step_s, Sources::default())?;
    engine.run_to(1)?;
    let cold = engine.snapshot()?.solved.unwrap_or_default();
    // Finds the size of a submission.
    engine.run_to(10)?;
    engine.restart_counts()?;
    let (mut each, mut steps, mut total) = (vec![], 4, 0.0);
    while total < MEASURED_S || each.len() < 3 {
        let took = Took::by_wall(|| engine.run_to(engine.step() + steps))?;
        each.push(took.each(steps));
        total += took.seconds();
        steps = (SHARE_S * steps as f64 / took.seconds()).clamp(4.0, 256.0) as u64;
    }
    let warm = engine.snapshot()?.solved.unwrap_or_default();
    let (mean, contacts) = (warm.iterations as f64 / f64::from(warm.steps.max(1)), engine.contacts());
    let what = format!(
        "contact dynamics by {name}: {contacts} contacts, iterations {mean:.1} a step, {} at most, {} at the start",
        warm.iterations_worst, cold.iterations
    );
    let work = mean * f64::from(contacts);
    let mut row = Row::new(what, bodies.len(), Seconds::of(&each), "wall", work, "contact-iterations");
    row.passes = pass_rows(&engine.timed()?, engine.core.plan(), &engine.core.counts_in_use());
    Ok(row)
}
