//! Jacobi and Gauss-Seidel on the GPU, on piles that f64 has settled: the same step by both and by f64, and as many
//! iterations as f64 needs.

use crate::common::piles::settled;
use crate::common::{gpu, material, rigid_settings, scenario};
use breccia::base::units::Units;
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics as Rigid;
use breccia::engine::gpu::iterations::Iterations;
use breccia::engine::reference::dynamics::Dynamics;
use breccia::engine::reference::solution::{Driver, Stop};
use breccia::engine::reference::{coloured, jacobi, nsgs};
use breccia::gpu::pipeline::link::Sources;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use glam::DVec3;

const SOLVERS: [(ContactSolver, Driver); 2] =
    [(ContactSolver::Jacobi, jacobi::spectral), (ContactSolver::GaussSeidel, coloured::solve)];

/// The pile as the GPU runs it, with theta = 1 as f64 has it: the same contact problem in every step.
fn engine(pile: &Dynamics, solver: ContactSolver, tolerance: f64, iterations_max: u32) -> Rigid {
    let mut s = scenario(vec![
        material().with("friction_sliding", pile.law.friction).with("restitution_normal", 0.0).with_density(5164.0),
    ]);
    s.gravity = vec![GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: Some(1) }];
    s.method =
        Method::ContactDynamics(ContactDynamics { theta: 1.0, solver, tolerance, iterations_max, ..rigid_settings() });
    Rigid::new(gpu(), &s, &pile.bodies, pile.step_s, Sources::default()).expect("engine")
}

fn step(engine: &mut Rigid) -> Snapshot {
    engine.run_to(engine.step() + 1).expect("a step");
    engine.snapshot().expect("snapshot")
}

/// Root mean square of the differences of velocities (m/s).
fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    (a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum::<f64>() / a.len() as f64).sqrt()
}

/// Radii as the GPU has them: else gaps differ by about 1e-7 m, and with them what may close in a step.
fn round_radii(pile: &mut Dynamics) {
    let largest = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
    let units = Units::new(largest(&pile.bodies.radius_m), largest(&pile.bodies.mass_kg), pile.step_s);
    pile.bodies.radius_m.iter_mut().for_each(|r| *r = f64::from(units.radius(*r)) * units.length_m);
}

/// One step of a pile at rest, from nothing: gravity alone would give every body 1e-5 to 1e-4 m/s.
#[test]
fn both_solvers_and_f64_agree_on_a_step() {
    for friction in [0.0, 0.5] {
        let mut pile = settled(64, friction);
        pile.step_s = 1.0;
        pile.touches.clear();
        round_radii(&mut pile);
        let start = pile.bodies.velocity_m_s.clone();
        let [jacobi, sweeps] = SOLVERS.map(|(solver, _)| step(&mut engine(&pile, solver, 1e-5, 4000)));
        pile.stop = Stop { tolerance: 1e-9, iterations_max: 100_000, ..Stop::default() };
        pile.driver = nsgs::diagonal;
        let field = apart(&pile.free_velocities(), &start);
        pile.step();
        for (name, shot) in [("Jacobi", &jacobi), ("Gauss-Seidel", &sweeps)] {
            let solved = shot.solved.expect("contact dynamics");
            let off = apart(&shot.bodies.velocity_m_s, &pile.bodies.velocity_m_s);
            println!(
                "mu {friction} {name}: {off:e} of {field:e} m/s, residual {:e}, {} iterations",
                solved.residual, solved.iterations
            );
            assert!(solved.over_budget == 0, "{name}: {solved:?}");
            // Iterations end where no contact is worse than 1e-4 of the field: 4e-4 to 1.3e-3 of it were measured.
            assert!(off < 2e-3 * field, "{name}: {off:e} m/s apart from f64, the field gives {field:e}");
        }
        let moved = apart(&pile.bodies.velocity_m_s, &start);
        assert!(moved < 0.5 * field, "the pile was not at rest: {moved:e} m/s in a step");
    }
}

/// All iterations of a step in one dispatch, or one colour in each: the same numbers, but for the order in which a look adds up
/// the residual, and for what a compiler fuses.
#[test]
fn one_workgroup_makes_the_same_steps() {
    for friction in [0.0, 0.5] {
        let mut pile = settled(64, friction);
        pile.step_s = 1.0;
        round_radii(&mut pile);
        let start = pile.bodies.velocity_m_s.clone();
        let field = apart(&pile.free_velocities(), &start);
        let [group, dispatches] = [ContactSolver::GaussSeidelOneGroup, ContactSolver::GaussSeidel].map(|solver| {
            let mut engine = engine(&pile, solver, 1e-4, 4000);
            engine.run_to(20).expect("steps");
            engine.snapshot().expect("snapshot")
        });
        let [one, many] = [&group, &dispatches].map(|shot| shot.solved.expect("contact dynamics"));
        // a tolerance of 1e-4, or 1e-4 of what the field gives
        assert!(one.steps == 20 && one.over_budget == 0 && one.residual < 2e-4, "{one:?}");
        // the residual is added up in another order: a look more or less, twice
        assert!(one.iterations.abs_diff(many.iterations) <= 8, "{one:?}, {many:?}");
        let off = apart(&group.bodies.velocity_m_s, &dispatches.bodies.velocity_m_s);
        // ten times what the tolerance leaves
        assert!(off < 1e-3 * field, "mu {friction}: {off:e} m/s apart, the field gives {field:e}");
    }
}

/// Iterations of f64 to E = 1e-3, looked at as often as the GPU looks.
fn exact(pile: &Dynamics, driver: Driver, start: &[DVec3], look: u32) -> usize {
    let stop = Stop { tolerance: 1e-3, iterations_max: 2000, check_every: look as usize, ..Stop::default() };
    driver(&pile.problem().0, start, &stop).iterations
}

/// The GPU looks first after some iterations, and Jacobi looks at its guesses: one look more is allowed.
fn count(size: usize, friction: f64) {
    let mut pile = settled(size, friction);
    pile.step_s = 1.0;
    let zero = vec![DVec3::ZERO; pile.problem().1.len()];
    for (solver, driver) in SOLVERS {
        let look = Iterations::of(solver).look_every;
        let wanted = exact(&pile, driver, &zero, look);
        let solved = step(&mut engine(&pile, solver, 1e-3, 2000)).solved.expect("contact dynamics");
        println!("{size} spheres, mu {friction}, {solver:?}: {} iterations, {wanted} in f64", solved.iterations);
        let most = 1.3 * wanted as f64 + f64::from(look);
        assert!((solved.iterations as f64) <= most, "{solver:?}: {} iterations, {wanted} in f64", solved.iterations);
        assert!(solved.residual < 1e-3 && solved.over_budget == 0, "{solved:?}");
    }
}

#[test]
fn as_many_iterations_as_f64() {
    count(343, 0.3);
}

#[test]
#[ignore = "nightly: about ten minutes"]
fn as_many_iterations_as_f64_in_piles() {
    [0.0, 0.3, 0.8].into_iter().for_each(|friction| count(1000, friction));
}
