//! Block nonlinear Gauss-Seidel (Sanchez et al. 2021, eq. 8-13, Table 1): contact by contact, each with the newest
//! impulses of all others. The yardstick of the parallel drivers.

use super::local;
use super::solution::{Solution, Stop, iterate};
use crate::physics::rigid::problem::Problem;
use crate::physics::rigid::{Delassus, Diagonal, Law};
use glam::{DMat3, DVec3};

/// How the contact at hand is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Local {
    /// W_aa replaced by its diagonal, one projection: eq. 13 and Table 1
    Diagonal,
    /// the whole block with its couplings: [`local::solve`]; by the diagonal from where sweeps get nowhere
    Exact,
}

/// Sweeps in which the change of the impulses must fall by a tenth below its least so far.
const PATIENCE: usize = 200;

/// Whether sweeps get anywhere. Exact solutions of one contact after the other may go round for ever: many contacts of one
/// body share its six ways to move, a contact's block couples its slip to its normal impulse, and each solution then takes
/// back what the last one gave. A projection by the diagonal, which bounds what a contact takes at once, does not.
struct Progress {
    least: f64,
    since: usize,
}

impl Progress {
    const NEW: Progress = Progress { least: f64::INFINITY, since: 0 };

    /// How to solve contacts after a sweep that changed impulses by this sum of squares.
    fn after(&mut self, local: Local, change: f64) -> Local {
        self.since += 1;
        if change < 0.81 * self.least {
            *self = Progress { least: change, since: 0 };
        }
        if self.since > PATIENCE { Local::Diagonal } else { local }
    }
}

/// Sweeps over the contacts in their order, starting from the impulses `start` (N s).
pub fn solve<D: Delassus>(problem: &D, start: &[DVec3], stop: &Stop, local: Local) -> Solution {
    let contacts: Vec<Own> = (0..problem.count()).map(|c| Own::of(problem, c)).collect();
    let mut state = problem.state(start);
    let (mut progress, mut local) = (Progress::NEW, local);
    iterate(problem, start, stop, |_, impulses| {
        let mut change = 0.0;
        for (c, own) in contacts.iter().enumerate() {
            let u = problem.velocity(&state, c);
            let better = own.solve(local, impulses[c], u);
            problem.add(&mut state, c, better - impulses[c]);
            change += better.distance_squared(impulses[c]);
            impulses[c] = better;
        }
        local = progress.after(local, change);
    })
}

/// [`solve`] with diagonal blocks, as the paper has it.
pub fn diagonal(problem: &Problem, start: &[DVec3], stop: &Stop) -> Solution {
    solve(problem, start, stop, Local::Diagonal)
}

/// [`solve`] with exact blocks.
pub fn exact(problem: &Problem, start: &[DVec3], stop: &Stop) -> Solution {
    solve(problem, start, stop, Local::Exact)
}

/// What a sweep needs to know of a contact.
struct Own {
    law: Law,
    block: DMat3,
    diagonal: Diagonal,
}

impl Own {
    fn of<D: Delassus>(problem: &D, c: usize) -> Own {
        let (law, block) = (problem.law(c), problem.diagonal_block(c));
        Own { law, block, diagonal: Diagonal::of(block, law.normal) }
    }

    /// The impulse that solves the contact while all others stay. With r the present one and u = W_aa r + b, eq. 13 has
    /// b_bar = b + (W_aa - D) r = u - D r, and -D^-1 b_bar = r - D^-1 u is the trial that Table 1 projects. (The paper
    /// prints D - W_aa; from eq. 12 follows this, and only this leaves a solution alone.)
    fn solve(&self, local: Local, r: DVec3, u: DVec3) -> DVec3 {
        match local {
            Local::Diagonal => self.law.correct(self.diagonal, r, u),
            Local::Exact => local::solve(&self.law, self.block, u - self.block * r),
        }
    }
}
