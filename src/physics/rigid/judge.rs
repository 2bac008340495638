//! How well impulses solve a contact problem: two residuals, and the largest violation of each law. Knows no solver.

use super::{Delassus, Law, split};
use glam::DVec3;

/// What one more correction of all contacts would change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuadDv {
    /// E, see [`quad_dv`]
    pub relative: f64,
    /// root mean square over the contacts of the change of velocity, |D (P(p - D^-1 u) - p)| (m/s)
    pub rms_m_s: f64,
}

impl QuadDv {
    /// E, or 0 where the change of velocity is below one that never matters, in the units of the problem: where cohesion acts
    /// alone, p* is what rounding leaves of it.
    pub fn above(&self, floor: f64) -> f64 {
        if self.rms_m_s < floor { 0.0 } else { self.relative }
    }
}

/// E = sqrt( sum |D (P(p - D^-1 u) - p)|^2 / sum |D p*|^2 ), a number like the QuadDV norm of LMGC90: the change of
/// velocity that one more correction would bring, over the velocity that the impulses have brought. D = diag(W_nn,
/// W_tt, W_tt) as [`super::Diagonal`] has it, P = [`Law::project`], p* the shifted impulse (p itself without cohesion).
/// Zero where nothing is to be done, infinite where something is and all p* are zero.
pub fn quad_dv<D: Delassus>(problem: &D, impulses: &[DVec3]) -> QuadDv {
    let (velocities, diagonals) = (problem.velocities(impulses), problem.diagonals());
    let (mut wanted, mut reached) = (0.0, 0.0);
    for (c, p) in impulses.iter().enumerate() {
        let (law, d) = (problem.law(c), diagonals[c]);
        wanted += d.apply(law.correct(d, *p, velocities[c]) - *p, law.normal).length_squared();
        reached += d.apply(law.shifted(*p), law.normal).length_squared();
    }
    let relative = if wanted == 0.0 { 0.0 } else { (wanted / reached).sqrt() };
    QuadDv { relative, rms_m_s: (wanted / impulses.len().max(1) as f64).sqrt() }
}

/// Natural map of De Saxce's form: |p* - P_K(p* - rho (u + mu |u_t| n))| / (rho |b|), with P_K the nearest point of
/// Coulomb's cone, norms over all contacts, and `rho` in kg. Zero exactly at solutions. With rho = 1 and no cohesion
/// this is the measure of the FCLIB problems (Acary et al. 2018, "On solving contact problems with Coulomb friction").
pub fn natural_map<D: Delassus>(problem: &D, impulses: &[DVec3], rho_kg: f64) -> f64 {
    let velocities = problem.velocities(impulses);
    let (mut gap, mut free) = (0.0, 0.0);
    for (c, p) in impulses.iter().enumerate() {
        let (law, u) = (problem.law(c), velocities[c]);
        let slip = split(u, law.normal).1.length();
        let p = law.shifted(*p);
        let moved = p - rho_kg * (u + law.friction * slip * law.normal);
        gap += (p - nearest_in_cone(&law, moved)).length_squared();
        free += problem.free_velocity(c).length_squared();
    }
    if gap == 0.0 { 0.0 } else { gap.sqrt() / (rho_kg * free.sqrt()) }
}

/// The nearest point of the cone |t| <= mu n.
fn nearest_in_cone(law: &Law, p: DVec3) -> DVec3 {
    let (push, along) = split(p, law.normal);
    let (mu, size) = (law.friction, along.length());
    if push >= 0.0 && size <= mu * push {
        return p;
    }
    let height = (push + mu * size) / (1.0 + mu * mu);
    if height <= 0.0 { DVec3::ZERO } else { height * (law.normal + mu / size * along) }
}

/// Largest violation of each law over all contacts; all zero at a solution.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Violations {
    /// -u_n: bodies that still approach (m/s)
    pub approach_m_s: f64,
    /// -(p_n + r_0): pull beyond cohesion (N s)
    pub pull_n_s: f64,
    /// |(p_n + r_0) u_n|: load on an opening contact (J)
    pub complementarity_j: f64,
    /// |p_t| - mu (p_n + r_0): outside Coulomb's cone (N s)
    pub cone_n_s: f64,
    /// mu (p_n + r_0) |u_t| + p_t . u_t: slip that friction does not oppose with all it has (J)
    pub slip_j: f64,
}

/// Measures every law at every contact.
pub fn violations<D: Delassus>(problem: &D, impulses: &[DVec3]) -> Violations {
    let velocities = problem.velocities(impulses);
    let mut worst = Violations::default();
    for (c, p) in impulses.iter().enumerate() {
        let law = problem.law(c);
        let (push, along) = split(law.shifted(*p), law.normal);
        let (opening, slip) = split(velocities[c], law.normal);
        let limit = law.friction * push;
        worst.approach_m_s = worst.approach_m_s.max(-opening);
        worst.pull_n_s = worst.pull_n_s.max(-push);
        worst.complementarity_j = worst.complementarity_j.max((push * opening).abs());
        worst.cone_n_s = worst.cone_n_s.max(along.length() - limit);
        worst.slip_j = worst.slip_j.max(limit * slip.length() + along.dot(slip));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::super::problem::{Body, Contact, Problem};
    use super::*;

    /// A point of 2 kg that hits the floor z = 0 at `velocity`.
    fn point(velocity: DVec3, friction: f64, cohesion: f64) -> Problem {
        let contact = Contact {
            i: 0,
            j: 1,
            normal: DVec3::Z,
            arm_i: DVec3::ZERO,
            arm_j: DVec3::ZERO,
            velocity,
            friction,
            cohesion,
        };
        let body = Body { inverse_mass: 0.5, ..Body::WALL };
        Problem { bodies: vec![body, Body::WALL], contacts: vec![contact] }
    }

    #[test]
    fn a_solution_has_no_residual() {
        // Sliding: p_n = 2 * 3, p_t = mu p_n against the slip.
        let (p, sliding) = (point(DVec3::new(4.0, 0.0, -3.0), 0.5, 0.0), [DVec3::new(-3.0, 0.0, 6.0)]);
        assert!(quad_dv(&p, &sliding).relative < 1e-15 && natural_map(&p, &sliding, 1.0) < 1e-15);
        assert_eq!(violations(&p, &sliding), Violations::default());
        // Held by cohesion: it would leave at 1 m/s, 2 of the 5 N s suffice.
        let (p, held) = (point(DVec3::Z, 0.5, 5.0), [DVec3::new(0.0, 0.0, -2.0)]);
        assert!(quad_dv(&p, &held).relative < 1e-15 && natural_map(&p, &held, 3.0) < 1e-15);
        assert_eq!(violations(&p, &held), Violations::default());
    }

    #[test]
    fn residuals_by_hand() {
        let p = point(DVec3::new(0.0, 0.0, -3.0), 0.5, 0.0);
        // Half of the needed impulse: the rest is as large as what there is; the natural map moves by rho 1.5 m/s.
        let half = [DVec3::new(0.0, 0.0, 3.0)];
        assert_eq!(quad_dv(&p, &half), QuadDv { relative: 1.0, rms_m_s: 1.5 });
        assert!((natural_map(&p, &half, 1.0) - 0.5).abs() < 1e-15);
        assert!((natural_map(&p, &half, 0.25) - 0.5).abs() < 1e-15);
        assert_eq!(violations(&p, &half).approach_m_s, 1.5);
        assert_eq!(violations(&p, &half).complementarity_j, 4.5);
        assert_eq!(quad_dv(&p, &[DVec3::ZERO]).relative, f64::INFINITY);
        let wrong = [DVec3::new(2.0, 0.0, -1.0)];
        let v = violations(&p, &wrong);
        assert_eq!((v.pull_n_s, v.cone_n_s), (1.0, 2.5));
        // Friction that drives the slip instead of opposing it: limit 3 N s, slip 4 + 1.5 m/s.
        let v = violations(&point(DVec3::new(4.0, 0.0, -3.0), 0.5, 0.0), &[DVec3::new(3.0, 0.0, 6.0)]);
        assert!((v.slip_j - 2.0 * 3.0 * 5.5).abs() < 1e-12);
    }

    #[test]
    fn nearest_point_of_the_cone() {
        let law = Law { normal: DVec3::Z, friction: 0.5, cohesion: 0.0 };
        assert_eq!(nearest_in_cone(&law, DVec3::new(0.4, 0.0, 1.0)), DVec3::new(0.4, 0.0, 1.0));
        assert_eq!(nearest_in_cone(&law, DVec3::new(0.4, 0.0, -1.0)), DVec3::ZERO);
        // (2, 0, 0) on the line t = n / 2: foot point 2 * (1, 2) . (1, 0) / 5 = 0.4 along (1, 2).
        assert!((nearest_in_cone(&law, DVec3::new(2.0, 0.0, 0.0)) - DVec3::new(0.4, 0.0, 0.8)).length() < 1e-15);
        let line = Law { friction: 0.0, ..law };
        assert_eq!(nearest_in_cone(&line, DVec3::new(2.0, 0.0, 3.0)), DVec3::new(0.0, 0.0, 3.0));
        assert_eq!(nearest_in_cone(&line, DVec3::new(0.0, 0.0, -3.0)), DVec3::ZERO);
    }
}
