//! What every driver of the contact problem shares: when it stops, what it returns, the loop around its iterations.

use crate::physics::rigid::Delassus;
use crate::physics::rigid::judge::{natural_map, quad_dv};
use crate::physics::rigid::problem::Problem;
use glam::DVec3;

/// A way to solve a contact problem: from the problem, the impulses to start with (N s), and when to stop.
pub type Driver = fn(&Problem, &[DVec3], &Stop) -> Solution;

/// The residual that a driver watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// [`quad_dv`]
    QuadDv,
    /// [`natural_map`] with rho = 1
    NaturalMap,
}

/// When a driver stops.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    /// what is watched
    pub measure: Measure,
    /// the residual at which the impulses are good enough
    pub tolerance: f64,
    /// change of velocity that is too small to matter (m/s, root mean square): good enough whatever E says, since E is
    /// relative to impulses that may be next to nothing; not used with the natural map
    pub floor_m_s: f64,
    /// iterations at most
    pub iterations_max: usize,
    /// iterations between two looks at the residual, 1 or more; the first look comes before the first iteration
    pub check_every: usize,
}

impl Default for Stop {
    /// As numerics of contact dynamics are mostly run: E = 1e-3, a look every 8 iterations.
    fn default() -> Stop {
        Stop { measure: Measure::QuadDv, tolerance: 1e-3, floor_m_s: 0.0, iterations_max: 1000, check_every: 8 }
    }
}

/// Why a driver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// the residual fell to the tolerance, or the change of velocity to its floor
    Converged,
    /// the iterations were used up
    Exhausted,
    /// the residual is NaN or infinite: the method does not suit the problem
    Diverged,
}

/// What a driver found.
#[derive(Debug, Clone)]
pub struct Solution {
    /// one a contact, in the frame of the problem (N s)
    pub impulses: Vec<DVec3>,
    /// iterations done: sweeps, or products with W
    pub iterations: usize,
    /// (iterations before the look, residual)
    pub residuals: Vec<(usize, f64)>,
    /// why it ended
    pub reason: StopReason,
}

impl Solution {
    /// The residual at the last look.
    pub fn residual(&self) -> f64 {
        self.residuals.last().map_or(f64::NAN, |(_, residual)| *residual)
    }
}

/// Repeats `iteration`, which gets its number and improves the impulses in place, until `stop` says so. Drivers that
/// keep more than impulses between iterations keep it in the closure.
pub fn iterate<D: Delassus>(
    problem: &D,
    start: &[DVec3],
    stop: &Stop,
    mut iteration: impl FnMut(usize, &mut [DVec3]),
) -> Solution {
    let mut impulses = start.to_vec();
    let (mut residuals, mut done) = (vec![], 0);
    let reason = loop {
        let (residual, good) = look(problem, &impulses, stop);
        residuals.push((done, residual));
        if good {
            break StopReason::Converged;
        }
        // Infinite is the start from zero; later it would be no impulse at all where some are needed.
        if residual.is_nan() || (done > 0 && residual.is_infinite()) {
            break StopReason::Diverged;
        }
        if done >= stop.iterations_max {
            break StopReason::Exhausted;
        }
        let turns = stop.check_every.max(1).min(stop.iterations_max - done);
        (done..done + turns).for_each(|k| iteration(k, &mut impulses));
        done += turns;
    };
    Solution { impulses, iterations: done, residuals, reason }
}

/// The residual, and whether it is good enough.
fn look<D: Delassus>(problem: &D, impulses: &[DVec3], stop: &Stop) -> (f64, bool) {
    match stop.measure {
        Measure::QuadDv => {
            let e = quad_dv(problem, impulses);
            (e.relative, e.relative <= stop.tolerance || e.rms_m_s <= stop.floor_m_s)
        }
        Measure::NaturalMap => {
            let residual = natural_map(problem, impulses, 1.0);
            (residual, residual <= stop.tolerance)
        }
    }
}
