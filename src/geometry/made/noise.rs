//! Fractal relief: octaves of gradient noise (Perlin 2002), each of half the wavelength of the one before, with
//! amplitudes as wavelength^H, so that mean squared differences of height grow as distance^(2 H) between the shortest and
//! the longest wavelength.

use super::Base;
use crate::geometry::mesh::join::mix;
use glam::DVec3;
use rand::{Rng, RngExt};
use serde::Serialize;

/// What the relief is like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fractal {
    /// root of the mean square of heights, over the area of the form (m)
    pub rms_m: f64,
    /// H, 0 (rough) to 1 (smooth)
    pub hurst: f64,
    /// shortest wavelength (m)
    pub wavelength_min_m: f64,
    /// longest wavelength (m)
    pub wavelength_max_m: f64,
}

impl Fractal {
    /// Heights at the vertices, without a mean (m).
    pub fn heights_m(&self, base: &Base, rng: &mut impl Rng) -> Vec<f64> {
        let mut heights = vec![0.0; base.vertices_m.len()];
        let mut wavelength_m = self.wavelength_max_m;
        // rounding must not cost the last octave
        while wavelength_m >= self.wavelength_min_m * (1.0 - 1e-9) {
            let amplitude = (wavelength_m / self.wavelength_max_m).powf(self.hurst);
            let (seed, shift) = (rng.random(), DVec3::from_array([0; 3].map(|_| rng.random_range(0.0..1.0))));
            for (height, position) in heights.iter_mut().zip(base.vertices_m) {
                // noise is zero at the nodes of its lattice: two of its cells are a wavelength
                *height += amplitude * gradient_noise(*position * (2.0 / wavelength_m) + shift, seed);
            }
            wavelength_m *= 0.5;
        }
        let weights = base.weights_m2();
        let all: f64 = weights.iter().sum();
        let mean = heights.iter().zip(&weights).map(|(h, w)| h * w).sum::<f64>() / all;
        let square = heights.iter().zip(&weights).map(|(h, w)| (h - mean).powi(2) * w).sum::<f64>() / all;
        let scale = if square > 0.0 { self.rms_m / square.sqrt() } else { 0.0 };
        heights.iter().map(|h| scale * (h - mean)).collect()
    }
}

/// Smooth noise with random slopes at the nodes of a unit lattice, where it is zero.
fn gradient_noise(position: DVec3, seed: u64) -> f64 {
    let cell = position.floor();
    let within = position - cell;
    let fade = within * within * within * (within * (within * 6.0 - 15.0) + 10.0);
    let slope = |corner: DVec3| {
        let node = cell + corner;
        let words = node.to_array().map(|c| c as i64 as u64);
        let bits = words.into_iter().fold(seed, |h, w| mix(h ^ w.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        // slopes along the middles of the edges of a cube
        let (sign_a, sign_b) = (1.0 - 2.0 * (bits & 1) as f64, 1.0 - 2.0 * (bits >> 1 & 1) as f64);
        let d = within - corner;
        match (bits >> 2) % 3 {
            0 => sign_a * d.x + sign_b * d.y,
            1 => sign_a * d.y + sign_b * d.z,
            _ => sign_a * d.z + sign_b * d.x,
        }
    };
    let between = |a: f64, b: f64, t: f64| a + t * (b - a);
    let along_x = |y: f64, z: f64| between(slope(DVec3::new(0.0, y, z)), slope(DVec3::new(1.0, y, z)), fade.x);
    let along_y = |z: f64| between(along_x(0.0, z), along_x(1.0, z), fade.y);
    between(along_y(0.0), along_y(1.0), fade.z)
}
