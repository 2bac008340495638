//! Velocity field on a plane: density and momentum of the bodies, spread by Lucy's kernel (1977), at the nodes of a grid
//! (coarse graining: Goldhirsch 2010).

use crate::base::error::{Error, Result};
use crate::base::readable::number;
use crate::model::snapshot::Snapshot;
use crate::physics::measure::whole::centre;
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::PI;

/// Nodes that a grid may have.
const NODES: f64 = 4e6;

/// A plane through the mass centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Plane {
    /// x to the right, y up
    Xy,
    /// x to the right, z up
    Xz,
    /// y to the right, z up
    Yz,
}

impl std::str::FromStr for Plane {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Plane, String> {
        let known = [Plane::Xy, Plane::Xz, Plane::Yz];
        known
            .into_iter()
            .find(|p| p.name() == text)
            .ok_or_else(|| format!("unknown plane `{text}`; choose one of: xy, xz, yz"))
    }
}

impl Plane {
    /// Axes to the right, up and across, as numbers.
    pub fn axes(self) -> [usize; 3] {
        match self {
            Plane::Xy => [0, 1, 2],
            Plane::Xz => [0, 2, 1],
            Plane::Yz => [1, 2, 0],
        }
    }

    /// As in file names.
    pub fn name(self) -> &'static str {
        match self {
            Plane::Xy => "xy",
            Plane::Xz => "xz",
            Plane::Yz => "yz",
        }
    }
}

/// The field; nodes row by row, lowest first.
#[derive(Debug, Clone)]
pub struct Field {
    /// where
    pub plane: Plane,
    /// reach of the kernel; nodes are half of it apart (m)
    pub reach_m: f64,
    /// rows and columns
    pub shape: [usize; 2],
    /// of each node (m)
    pub position_m: Vec<DVec3>,
    /// momentum over density, less the velocity of the mass centre (m/s); not a number where no body is near
    pub velocity_m_s: Vec<DVec3>,
    /// coarse-grained mass density (kg/m3)
    pub density_kg_m3: Vec<f64>,
}

/// How far bodies reach from their mass centre, to the right and up (m).
fn extent_m(s: &Snapshot, plane: Plane) -> [f64; 2] {
    let (middle, _) = centre(s);
    let [right, up, _] = plane.axes();
    [right, up].map(|axis| {
        let ends = s.bodies.position_m.iter().zip(&s.bodies.radius_m).map(|(p, r)| (p[axis] - middle[axis]).abs() + r);
        ends.fold(0.0, f64::max)
    })
}

/// Columns and rows of a grid on each side of its middle, with nodes half a reach apart.
fn halves(extent_m: [f64; 2], reach_m: f64) -> [f64; 2] {
    extent_m.map(|m| (m / (0.5 * reach_m)).ceil())
}

fn fits([columns, rows]: [f64; 2]) -> bool {
    4.0 * columns * rows <= NODES
}

/// Why the field has no grid with this reach (m), which nobody typed: bodies lie too far apart; and the reach that would do.
pub fn too_wide(s: &Snapshot, plane: Plane, reach_m: f64) -> Option<String> {
    let extent_m = extent_m(s, plane);
    if fits(halves(extent_m, reach_m)) {
        return None;
    }
    let wider = std::iter::successors(Some(reach_m), |r| Some(1.01 * r)).find(|r| fits(halves(extent_m, *r)))?;
    // two digits, rounded up
    let unit = 10f64.powf(wider.log10().floor() - 1.0);
    let [width, height] = extent_m.map(|m| number(2.0 * m));
    Some(format!(
        "the bodies lie {width} m x {height} m wide on the plane {}, too wide for nodes {} m apart, half the automatic reach; \
         --reach {} would do",
        plane.name(),
        number(0.5 * reach_m),
        number((wider / unit).ceil() * unit)
    ))
}

/// The field on a plane through the mass centre, about a grid that holds all bodies.
pub fn field(s: &Snapshot, plane: Plane, reach_m: f64) -> Result<Field> {
    let (middle, drift) = centre(s);
    let [right, up, across] = plane.axes();
    let step = 0.5 * reach_m;
    let [half_columns, half_rows] = halves(extent_m(s, plane), reach_m);
    if !reach_m.is_finite() || reach_m <= 0.0 || !fits([half_columns, half_rows]) {
        return Err(Error::Usage(format!(
            "--reach {reach_m}: must be above 0 m, and large enough for a grid of at most {NODES} nodes half as wide"
        )));
    }
    let (columns, rows) = (2 * half_columns as usize + 1, 2 * half_rows as usize + 1);
    let node = |row: usize, column: usize| {
        let mut p = middle;
        p[right] += (column as f64 - half_columns) * step;
        p[up] += (row as f64 - half_rows) * step;
        p
    };
    let position_m: Vec<DVec3> =
        (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))).map(|(r, c)| node(r, c)).collect();
    let (mut density, mut momentum) = (vec![0.0; position_m.len()], vec![DVec3::ZERO; position_m.len()]);
    for (k, position) in s.bodies.position_m.iter().enumerate() {
        if (position[across] - middle[across]).abs() >= reach_m {
            continue;
        }
        let span = |axis: usize, half: f64, count: usize| {
            let at = (position[axis] - middle[axis]) / step + half;
            (at - 2.0).ceil().max(0.0) as usize..(((at + 2.0).floor() + 1.0).max(0.0) as usize).min(count)
        };
        for row in span(up, half_rows, rows) {
            for column in span(right, half_columns, columns) {
                let n = row * columns + column;
                let mass = s.bodies.mass_kg[k] * lucy(position.distance(position_m[n]), reach_m);
                density[n] += mass;
                momentum[n] += mass * (s.bodies.velocity_m_s[k] - drift);
            }
        }
    }
    let velocity_m_s = momentum.iter().zip(&density).map(|(p, d)| *p / *d).collect();
    Ok(Field { plane, reach_m, shape: [rows, columns], position_m, velocity_m_s, density_kg_m3: density })
}

/// Lucy's kernel (1/m3): zero, with two derivatives, from `reach` on; its integral over space is 1.
fn lucy(distance: f64, reach: f64) -> f64 {
    let q = (distance / reach).min(1.0);
    105.0 / (16.0 * PI * reach.powi(3)) * (1.0 + 3.0 * q) * (1.0 - q).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_holds_the_whole_mass() {
        let (reach, steps) = (2.5, 10_000);
        let shell = |k: usize| {
            let r = (k as f64 + 0.5) * reach / f64::from(steps);
            4.0 * PI * r * r * lucy(r, reach) * reach / f64::from(steps)
        };
        let sum: f64 = (0..steps as usize).map(shell).sum();
        assert!((sum - 1.0).abs() < 1e-7, "{sum}");
        assert_eq!(lucy(3.0, reach), 0.0);
    }
}
