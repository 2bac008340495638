//! One contact on its own, solved exactly: W r + b = u with Signorini's and Coulomb's laws, W a 3x3 block with all its
//! couplings.

use crate::physics::rigid::{Law, split};
use glam::{DMat2, DMat3, DVec2, DVec3};

/// Halvings of the bracket: more than the exponents of f64 need.
const HALVINGS: usize = 200;

/// The impulse (N s) of one contact with the block `w` (1/kg) and the velocity `b` that it would have without (m/s).
///
/// Cases as in Bonnefon and Daviet 2011 (INRIA RT-0400): taking off, sticking, sliding. Sliding means r_t = -u_t / s
/// with s > 0 and u_n = 0; instead of the roots of their quartic, s is bracketed: |r_t(s)| - mu r_n(s) is positive at s
/// = 0, where sticking fails, and negative at large s, where r_t vanishes and r_n tends to -b_n / W_nn. Needs W_nn > 0
/// and, for s > 0, a tangential Schur complement that is positive definite.
pub fn solve(law: &Law, w: DMat3, b: DVec3) -> DVec3 {
    let pull = -law.cohesion * law.normal;
    let frame = frame(law.normal);
    let (w, b) = (frame.transpose() * w * frame, frame.transpose() * (b + w * pull));
    pull + frame * in_frame(law.friction, w, b)
}

/// Columns n, t, s.
fn frame(normal: DVec3) -> DMat3 {
    let (t, s) = normal.any_orthonormal_pair();
    DMat3::from_cols(normal, t, s)
}

fn in_frame(friction: f64, w: DMat3, b: DVec3) -> DVec3 {
    if b.x >= 0.0 {
        return DVec3::ZERO;
    }
    let stuck = -(w.inverse() * b);
    let (push, along) = split(stuck, DVec3::X);
    if stuck.is_finite() && push >= 0.0 && along.length() <= friction * push {
        return stuck;
    }
    let own = w.x_axis.x;
    if friction == 0.0 {
        return DVec3::new(-b.x / own, 0.0, 0.0);
    }
    // The normal impulse eliminated by u_n = 0: S r_t + c = u_t, r_n = -(b_n + W_nt r_t) / W_nn.
    let (to_normal, to_tangent) = (DVec2::new(w.y_axis.x, w.z_axis.x), DVec2::new(w.x_axis.y, w.x_axis.z));
    let block = DMat2::from_cols(DVec2::new(w.y_axis.y, w.y_axis.z), DVec2::new(w.z_axis.y, w.z_axis.z));
    let schur = block - DMat2::from_cols(to_tangent * to_normal.x, to_tangent * to_normal.y) * (1.0 / own);
    let rest = DVec2::new(b.y, b.z) - to_tangent * (b.x / own);
    let at = |s: f64| {
        let along = -((schur + DMat2::from_diagonal(DVec2::splat(s))).inverse() * rest);
        (-(b.x + to_normal.dot(along)) / own, along)
    };
    let too_far = |s: f64| {
        let (push, along) = at(s);
        along.length() > friction * push
    };
    let (push, along) = at(bracket(block.x_axis.x + block.y_axis.y, too_far));
    DVec3::new(push, along.x, along.y)
}

/// The number at which `too_far` ends, by halving in the exponent; `size` is where the search begins.
fn bracket(size: f64, too_far: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (size, size);
    while too_far(high) && high < f64::MAX / 4.0 {
        high *= 4.0;
    }
    while !too_far(low) && low > f64::MIN_POSITIVE * 4.0 {
        low *= 0.25;
    }
    for _ in 0..HALVINGS {
        let middle = if high > 2.0 * low { (low * high).sqrt() } else { 0.5 * (low + high) };
        if middle <= low || middle >= high {
            break;
        }
        if too_far(middle) { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Random blocks, couplings and all: every case occurs, and each result obeys the laws to rounding.
    #[test]
    fn the_laws_hold_in_every_case() {
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(3);
        let mut any = || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
        let (mut off, mut stuck, mut slid) = (0, 0, 0);
        for k in 0..3000 {
            let root = DMat3::from_cols(any(), any(), any());
            let w = root * root.transpose() + DMat3::IDENTITY * 0.05;
            let cohesion = if k % 3 == 0 { 0.3 } else { 0.0 };
            let law = Law { normal: any().normalize(), friction: [0.0, 0.2, 0.9][k % 3], cohesion };
            let b = any();
            let r = solve(&law, w, b);
            let u = w * r + b;
            let (push, along) = split(law.shifted(r), law.normal);
            let (opening, slip) = split(u, law.normal);
            let limit = law.friction * push;
            assert!(push >= 0.0 && opening > -1e-9 && (push * opening).abs() < 1e-9 * (1.0 + push), "{push} {opening}");
            assert!(along.length() <= limit + 1e-9 * (1.0 + push), "{} beyond {limit}", along.length());
            let deficit = limit * slip.length() + along.dot(slip);
            assert!(deficit.abs() < 1e-8 * (1.0 + limit), "slip {slip} against {along} of {limit}");
            match (push == 0.0, slip.length() < 1e-9) {
                (true, _) => off += 1,
                (_, true) => stuck += 1,
                _ => slid += 1,
            }
        }
        assert!(off > 100 && stuck > 100 && slid > 100, "{off} off, {stuck} stuck, {slid} slid");
    }

    #[test]
    fn a_sphere_needs_no_couplings() {
        // W = diag: sliding is Table 1's, r_n = 3 / 0.5, r_t against b_t.
        let law = Law { normal: DVec3::Z, friction: 0.5, cohesion: 0.0 };
        let r = solve(&law, DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.5)), DVec3::new(30.0, 40.0, -3.0));
        assert!((r - DVec3::new(-1.8, -2.4, 6.0)).length() < 1e-12, "{r}");
    }
}
