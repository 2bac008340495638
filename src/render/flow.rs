//! The velocity field of a frame as a square of a sheet: arrows over the bodies that its plane cuts.

use super::arrows::{Cut, cuts, head, moving};
use super::brush::{line, surface};
use super::camera::Field as Shown;
use super::colour::bytes;
use super::colour_scale::ColourScale;
use super::figure::Background;
use crate::analysis::envelope::automatic_alpha_m;
use crate::analysis::velocity::{Field, Plane, field};
use crate::base::error::Result;
use crate::model::snapshot::Snapshot;
use crate::physics::measure::aggregates::alone;
use glam::{DVec2, DVec3};
use image::{Rgba, RgbaImage};
use std::f64::consts::{SQRT_2, TAU};

/// Arrows along a side, at most.
const ARROWS: f64 = 22.0;
/// The kernel reaches at least over this share of the side: a pile that has flown apart needs no finer grid.
const REACH: f64 = 0.02;
/// Nodes with less than this share of the largest density have no arrow: nothing is there.
const EMPTY: f64 = 0.05;
/// Corners of a disc.
const CORNERS: u32 = 40;
const STONE: Rgba<u8> = Rgba([214, 212, 208, 255]);

/// Velocities about the mass centre, on a plane through it.
pub struct Flow {
    field: Field,
    part: Snapshot,
    shown: Shown,
}

impl Flow {
    /// The bodies of a frame that lie in the square shown, corners included. The kernel is that of `breccia analyze RUN velocity`.
    pub fn of(s: &Snapshot, plane: Plane, shown: Shown) -> Result<Flow> {
        let inside = |k: &usize| s.bodies.position_m[*k].distance(shown.centre_m) <= SQRT_2 * shown.radius_m;
        let part = alone(s, &(0..s.bodies.len()).filter(inside).collect::<Vec<_>>());
        let reach_m = automatic_alpha_m(&part.bodies).max(2.0 * REACH * shown.radius_m);
        let mut field = field(&part, plane, reach_m)?;
        let most = field.density_kg_m3.iter().copied().fold(0.0, f64::max);
        let nodes = field.velocity_m_s.iter_mut().zip(&field.density_kg_m3);
        nodes.filter(|(_, density)| **density < EMPTY * most).for_each(|(velocity, _)| *velocity = DVec3::NAN);
        Ok(Flow { field, part, shown })
    }

    /// Sizes of the velocities in the plane (m/s).
    pub fn speeds(&self) -> Vec<f64> {
        moving(&self.field, 1).map(|(_, velocity)| self.flat(velocity).length()).collect()
    }

    fn flat(&self, v: DVec3) -> DVec2 {
        let [right, up, _] = self.field.plane.axes();
        DVec2::new(v[right], v[up])
    }

    /// The square; length and colour of the arrows are by `scale`, the longest as long as they are apart.
    pub fn square(&self, side: u32, scale: &ColourScale, background: Background) -> RgbaImage {
        let mut square = RgbaImage::from_pixel(side, side, background.ground());
        let half = 0.5 * f64::from(side);
        let pixels = half / self.shown.radius_m;
        let at = |p: DVec3| half + pixels * self.flat(p - self.shown.centre_m) * DVec2::new(1.0, -1.0);
        for cut in cuts(&self.field, &self.part) {
            let corners: Vec<DVec2> = match cut {
                Cut::Disc(centre, radius_m) => circle(at(centre), pixels * radius_m),
                Cut::Polygon(corners) => corners.into_iter().map(at).collect(),
            };
            surface(&mut square, &corners, STONE, 1.0);
        }
        let longest = f64::from(side) / ARROWS;
        let every = (longest / (0.5 * self.field.reach_m * pixels)).ceil().max(1.0) as usize;
        for (start, velocity) in moving(&self.field, every) {
            let velocity = self.flat(velocity) * DVec2::new(1.0, -1.0);
            let share = scale.fraction(velocity.length()).clamp(0.0, 1.0);
            let along = share * longest * velocity.normalize_or_zero();
            let ink = bytes(scale.map.colour(share));
            let shape = head(at(start) - 0.5 * along, along);
            for piece in shape.windows(2) {
                line(&mut square, [piece[0], piece[1]], f64::from(side) / 200.0, Rgba([ink[0], ink[1], ink[2], 255]));
            }
        }
        square
    }
}

fn circle(centre: DVec2, radius: f64) -> Vec<DVec2> {
    let corner = |k: u32| centre + radius * DVec2::from_angle(f64::from(k) / f64::from(CORNERS) * TAU);
    (0..CORNERS).map(corner).collect()
}
