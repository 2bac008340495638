//! Jacobi iterations: all contacts at once, from the velocities of the iteration before. One iteration is one product
//! with W: impulses to bodies (K1), bodies to contacts (K2).

use super::solution::{Solution, Stop, iterate};
use super::splitting::{Counting, metric};
use crate::physics::rigid::momentum::Momentum;
use crate::physics::rigid::problem::Problem;
use crate::physics::rigid::{Delassus, Diagonal, Law};
use glam::DVec3;

/// Step of the relaxed iteration as part of diag(W)^-1. Twice the inverse of the largest eigenvalue of diag(W)^-1 W,
/// 3.3 to 3.8 in packings of spheres, is where it stops converging; nothing guarantees 0.3 elsewhere.
const RELAXATION: f64 = 0.3;

/// Relaxed projected Jacobi, p <- P(p - 0.3 diag(W)^-1 u).
pub fn relaxed(problem: &Problem, start: &[DVec3], stop: &Stop) -> Solution {
    let metric: Vec<Diagonal> = problem.diagonals().iter().map(|d| d.scaled(1.0 / RELAXATION)).collect();
    solve(problem, start, stop, &metric, Momentum::NONE)
}

/// Mass splitting (Tonge et al. 2012): every body is shared equally by its contacts.
pub fn mass_splitting(problem: &Problem, start: &[DVec3], stop: &Stop) -> Solution {
    solve(problem, start, stop, &metric(problem, Counting::Contacts), Momentum::NONE)
}

/// JacS: spectral counts, short momentum, restart contact by contact. Sure to be bounded by W <= D, and without any sum
/// over all contacts.
pub fn spectral(problem: &Problem, start: &[DVec3], stop: &Stop) -> Solution {
    solve(problem, start, stop, &metric(problem, Counting::Spectral), Momentum::JACOBI)
}

/// Projected Jacobi in the metric `metric` (1/kg, one a contact) with `momentum`, from the impulses `start` (N s).
pub fn solve(problem: &Problem, start: &[DVec3], stop: &Stop, metric: &[Diagonal], momentum: Momentum) -> Solution {
    let laws: Vec<Law> = (0..problem.count()).map(|c| problem.law(c)).collect();
    let mut trial = start.to_vec();
    iterate(problem, start, stop, |k, impulses| {
        let bodies = problem.apply(&trial);
        for c in 0..laws.len() {
            let u = problem.velocity(&bodies, c);
            advance(&laws[c], metric[c], momentum.at(k), u, &mut impulses[c], &mut trial[c]);
        }
    })
}

/// One contact at the velocity `u` that the trial impulses y give: the new impulse p = P(y - D^-1 u), and the next y,
/// ahead of p by a part of its last change unless the contact has turned against it (in the metric D).
pub fn advance(law: &Law, d: Diagonal, momentum: f64, u: DVec3, p: &mut DVec3, y: &mut DVec3) {
    let next = law.correct(d, *y, u);
    let change = next - *p;
    let turned = (*y - next).dot(d.apply(change, law.normal)) > 0.0;
    *p = next;
    *y = if turned { next } else { next + momentum * change };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D = 2 along n, 4 across. From y = p = (0, 0, 3) at u_n = -2: q = 4, on its way, so y runs ahead by half of the
    /// change. Then, from y = 4.5 at u_n = 3: q = 3, the change -1 goes against y - q = 1.5 and momentum goes on; from
    /// y = 4.5 at u_n = 0.5: q = 4.25, the change 0.25 has the sign of y - q = 0.25, so it stops.
    #[test]
    fn momentum_and_restart_by_hand() {
        let law = Law { normal: DVec3::Z, friction: 0.5, cohesion: 0.0 };
        let d = Diagonal { normal: 2.0, tangent: 4.0 };
        let run = |u: f64, p: f64, y: f64| {
            let (mut p, mut y) = (DVec3::Z * p, DVec3::Z * y);
            advance(&law, d, 0.5, DVec3::Z * u, &mut p, &mut y);
            (p.z, y.z)
        };
        assert_eq!(run(-2.0, 3.0, 3.0), (4.0, 4.5));
        assert_eq!(run(3.0, 4.0, 4.5), (3.0, 2.5));
        assert_eq!(run(0.5, 4.0, 4.5), (4.25, 4.25));
    }
}
