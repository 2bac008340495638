//! Mass smoothed by a Gaussian as wide as each body is large: the peak is where a cluster is looked for first (Guidos et al.
//! 2024, section 2.7).

use super::compact::{Compact, Run, distance};
use std::f64::consts::TAU;

/// Standard deviation (radius of the body).
pub(super) const WIDTH: f64 = 10.0;
/// The Gaussian ends here (standard deviations), as in common image filters.
pub(super) const CUT: f64 = 4.0;

/// Adds the smoothed mass of the bodies at `sources` to the density at every `free` body (kg/m3), or with `sign` -1 takes it
/// off.
pub(super) fn spread(c: &Compact, sources: impl Iterator<Item = usize>, sign: f64, free: &[bool], density: &mut [f64]) {
    let position_m = &c.bodies.position_m;
    let open: Vec<&Run> = c.runs.iter().filter(|r| free[r.indices.clone()].contains(&true)).collect();
    for j in sources {
        let width = WIDTH * c.bodies.radius_m[j];
        let (reach, fall) = (CUT * width, -0.5 / (width * width));
        let peak = sign * c.bodies.mass_kg[j] / (TAU.sqrt() * width).powi(3);
        for run in open.iter().filter(|r| distance(position_m[j], r.position_m) < reach) {
            for k in run.indices.clone() {
                let square = position_m[k].distance_squared(position_m[j]);
                if square < reach * reach {
                    density[k] += peak * (fall * square).exp();
                }
            }
        }
    }
}
