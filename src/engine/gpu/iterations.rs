//! Which iterations solve the contacts of a step, and their parameters.

use crate::gpu::constants::SWEEPS_MAX;
use crate::model::body::Bodies;
use crate::model::scenario::{ContactDynamics, ContactSolver, Scenario};
use crate::physics::rigid::momentum::Momentum;

/// Colours that sweeps are recorded for at first: piles of spheres need 9 to 12.
pub const COLOURS_FIRST: u32 = 12;

/// Bodies from which Gauss-Seidel is faster on software adapters (measured, docs/method/performance.md).
const SWEEPS_FROM_SOFTWARE: usize = 500;

/// The same threshold on GPUs. About 13 dispatches an iteration cost more than the iterations that they save until
/// these have about 1e5 contacts to work on: an estimate, see docs/method/performance.md.
const SWEEPS_FROM: usize = 30_000;

/// Bodies up to which one workgroup solves a step on GPUs: a turn of its loop is shorter than a dispatch. An estimate too.
const ONE_GROUP: usize = 1_000;

/// Parameters of a solver's iterations.
#[derive(Debug, Clone, Copy)]
pub struct Iterations {
    /// what they repeat of their last change
    pub momentum: Momentum,
    /// iterations between two looks at the residual
    pub look_every: u32,
}

const JACOBI: Iterations = Iterations { momentum: Momentum::JACOBI, look_every: 8 };
const GAUSS_SEIDEL: Iterations = Iterations { momentum: Momentum::GAUSS_SEIDEL, look_every: 4 };
const _: () = assert!(GAUSS_SEIDEL.look_every <= SWEEPS_MAX, "one workgroup makes no more between two looks");

impl Iterations {
    /// The iterations of a solver that has been chosen.
    pub fn of(solver: ContactSolver) -> Iterations {
        if solver.sweeps() { GAUSS_SEIDEL } else { JACOBI }
    }
}

/// The settings of a run of `bodies` with nothing left to choose; `software`: on a software adapter. `None`: the
/// method is another one.
pub fn settled(scenario: &Scenario, bodies: &Bodies, software: bool) -> Option<ContactDynamics> {
    let typed = scenario.method.contact_dynamics()?;
    let solver = match typed.solver {
        ContactSolver::Auto if scenario.has_servo() => ContactSolver::Jacobi,
        ContactSolver::Auto => chosen(bodies, software),
        solver => solver,
    };
    Some(ContactDynamics { solver, ..*typed })
}

/// Chooses by the number of bodies and the kind of device alone, so that a run has one solver, known when it starts:
/// what a step needs of both would have to be recorded otherwise, and the contacts of an accretion double within it.
fn chosen(bodies: &Bodies, software: bool) -> ContactSolver {
    let from = if software { SWEEPS_FROM_SOFTWARE } else { SWEEPS_FROM };
    // Sweeps are not sure to settle on the several points of a pair of polyhedra.
    match bodies.len() {
        _ if bodies.polyhedra.is_some() => ContactSolver::Jacobi,
        n if n >= from => ContactSolver::GaussSeidel,
        n if n <= ONE_GROUP && !software => ContactSolver::GaussSeidelOneGroup,
        _ => ContactSolver::Jacobi,
    }
}
