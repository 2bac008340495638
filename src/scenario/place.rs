//! Places a group of bodies as a whole: about its mass centre, at rest, turned, spun, moved.

use super::common::word;
use super::shape::turn;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::base::units::G;
use crate::geometry::generate::direction;
use crate::model::body::Bodies;
use crate::model::scenario::{About, Placing, SpinBreakUp};
use glam::{DQuat, DVec3};
use rand_pcg::Pcg64Mcg;
use std::ops::Range;

/// A group taken together.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    /// (kg)
    pub mass_kg: f64,
    /// mass centre (m)
    pub centre_m: DVec3,
    /// of the mass centre (m/s)
    pub velocity_m_s: DVec3,
    /// of the homogeneous sphere of the same mass and mean square distance from the mass centre (m); single grains that lie
    /// on top of a pile hardly change it
    pub radius_m: f64,
    /// of the sphere about the mass centre that holds the bodies (m)
    pub reach_m: f64,
}

/// Words of `about`.
pub(super) const ABOUT: &[Word] = &[
    word("origin", "they are as the generator gives them"),
    word("mass_centre", "the mass centre of the group is moved to the origin and brought to rest"),
];

/// Keys of `spin_break_up`.
pub(super) const SPIN_BREAK_UP: &[Key] = &[
    Key::within("fraction", D::Pure, 0.0, 10.0)
        .required()
        .says("share of the rate sqrt(G M / R^3), R being the radius of the homogeneous sphere with the same moments")
        .eg("0.5"),
    Key::vector("axis", D::Pure).required().says("direction of the rotation").eg("[0, 0, 1]"),
];

/// Where a group goes as a whole.
pub(super) fn placing(t: &Table) -> Placing {
    let about = match t.choice("about") {
        "mass_centre" => About::MassCentre,
        _ => About::Origin,
    };
    let placing = Placing {
        at_rest: t.flag("at_rest"),
        random_speed_m_s: t.value("random_speed_m_s"),
        random_spin_rad_s: t.value("random_spin_rad_s"),
        about,
        turn: turn(t),
        rotation_rad_s: t.vector("rotation_rad_s"),
        spin_break_up: t.table_if("spin_break_up").map(|t| spin_break_up(&t)),
        offset_m: t.vector("offset_m"),
        velocity_m_s: t.vector("velocity_m_s"),
    };
    if placing.spin_break_up.is_some() && t.has("rotation_rad_s") {
        t.fault("spin_break_up", "conflicts with rotation_rad_s", "remove one of the two");
    }
    placing
}

fn spin_break_up(t: &Table) -> SpinBreakUp {
    let spin = SpinBreakUp { fraction: t.value("fraction"), axis: t.direction("axis").unwrap_or(DVec3::Z) };
    t.close();
    spin
}

/// Measures the bodies of a group as a whole.
pub fn whole(b: &Bodies, group: Range<usize>) -> Whole {
    let mass_kg: f64 = b.mass_kg[group.clone()].iter().sum();
    let mean =
        |of: &[DVec3]| group.clone().map(|k| of[k] * b.mass_kg[k]).sum::<DVec3>() / mass_kg.max(f64::MIN_POSITIVE);
    let centre_m = mean(&b.position_m);
    let reach_m = group.clone().map(|k| b.reach_m(k, centre_m)).fold(0.0, f64::max);
    let square =
        |k: usize| b.mass_kg[k] * b.position_m[k].distance_squared(centre_m) + 0.5 * b.moments_kg_m2(k).element_sum();
    let radius_m = (5.0 / 3.0 * group.clone().map(square).sum::<f64>() / mass_kg.max(f64::MIN_POSITIVE)).sqrt();
    Whole { mass_kg, centre_m, velocity_m_s: mean(&b.velocity_m_s), radius_m, reach_m }
}

impl Placing {
    /// The rotation that is added (rad/s).
    pub fn rotation_rad_s(&self, of: &Whole) -> DVec3 {
        let break_up = (G * of.mass_kg / of.radius_m.powi(3)).sqrt();
        self.rotation_rad_s + self.spin_break_up.map_or(DVec3::ZERO, |s| s.fraction * break_up * s.axis)
    }

    /// Motions of the bodies themselves.
    fn stir(&self, b: &mut Bodies, group: Range<usize>, rng: &mut Pcg64Mcg) {
        let (speed, spin) = (self.random_speed_m_s, self.random_spin_rad_s);
        for k in group {
            if self.at_rest {
                (b.velocity_m_s[k], b.spin_rad_s[k]) = (DVec3::ZERO, DVec3::ZERO);
            }
            if speed > 0.0 || spin > 0.0 {
                // Both are drawn: one of them leaves the directions of the other as they are.
                b.velocity_m_s[k] += speed * direction(rng);
                b.spin_rad_s[k] += spin * direction(rng);
            }
        }
    }

    /// Places the bodies of a group.
    pub(super) fn apply(&self, b: &mut Bodies, group: Range<usize>, rng: &mut Pcg64Mcg) {
        self.stir(b, group.clone(), rng);
        let whole = whole(b, group.clone());
        let (centre, drift) = match self.about {
            About::Origin => (whole.centre_m, DVec3::ZERO),
            About::MassCentre => (DVec3::ZERO, whole.velocity_m_s),
        };
        let moved = centre - whole.centre_m;
        let rotation = self.rotation_rad_s(&whole);
        for k in group {
            let mut x = b.position_m[k] + moved;
            let (mut v, mut w) = (b.velocity_m_s[k] - drift, b.spin_rad_s[k]);
            if self.turn != DQuat::IDENTITY {
                x = centre + self.turn * (x - centre);
                (v, w) = (self.turn * v, self.turn * w);
                if let Some(p) = &mut b.polyhedra {
                    p.orientation[k] = (self.turn * p.orientation[k]).normalize();
                }
            }
            b.velocity_m_s[k] = v + self.velocity_m_s + rotation.cross(x - centre);
            b.spin_rad_s[k] = w + rotation;
            b.position_m[k] = x + self.offset_m;
        }
    }
}
