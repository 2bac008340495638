//! Keys of `[[material]]` that several laws take, and how values are found under a key.

use crate::base::quantity::Dimension as D;
use crate::base::reader::key::{Key, Word};
use crate::model::material::{Material, of_pair};

/// epsilon_N.
pub const RESTITUTION_NORMAL: Key = Key::within("restitution_normal", D::Pure, 0.0, 1.0)
    .required()
    .says("coefficient of restitution along the normal")
    .eg("0.5");
/// epsilon_S.
pub const RESTITUTION_TANGENTIAL: Key = Key::within("restitution_tangential", D::Pure, 0.0, 1.0)
    .without("as restitution_normal")
    .says("sets the damping of slip, as restitution_normal does along the normal; slip comes back with less")
    .eg("0.5");
/// mu_S.
pub const FRICTION_SLIDING: Key =
    Key::within("friction_sliding", D::Pure, 0.0, 10.0).required().says("coefficient of sliding friction").eg("0.5");
/// mu_R.
pub const FRICTION_ROLLING: Key =
    Key::within("friction_rolling", D::Pure, 0.0, 10.0).or(0.0).says("coefficient of rolling friction").eg("0.1");
/// mu_T.
pub const FRICTION_TWISTING: Key =
    Key::within("friction_twisting", D::Pure, 0.0, 10.0).or(0.0).says("coefficient of twisting friction").eg("0.1");
/// beta.
pub const SHAPE_PARAMETER: Key = Key::within("shape_parameter", D::Pure, 0.0, 2.0)
    .or(0.0)
    .says("beta, contact radius over R_e; needed with rolling, twisting or cohesion")
    .eg("0.5");
/// What counts as rolling.
pub const ROLLING_RATE: Key = Key::choice(
    "rolling_rate",
    &[
        Word::new("objective", "the relative spin across the normal"),
        Word::new("printed", "Table 1 of Song et al. (2024): where arms differ, as on walls, slip counts too, so that the torque spins up what slides, and piles may gain energy"),
    ],
)
.or_word("objective")
.says("what rolling friction acts against; printed only if both materials say so")
.eg("\"printed\"");
/// c.
pub const COHESION: Key = Key::within("cohesion_pa", D::Pressure, 0.0, 1e9)
    .or(0.0)
    .says("c of the force 4 c beta R_e^2, which acts while in contact")
    .eg("\"100 Pa\"");
/// Attraction of a contact of rigid bodies.
pub const COHESION_FORCE: Key = Key::within("cohesion_force_n", D::Force, 0.0, 1e15)
    .or(0.0)
    .says("largest pull of a contact point: spheres have one, convex parts of polyhedra one to four")
    .eg("\"1 mN\"");
/// Gap up to which it acts.
pub const COHESION_RANGE: Key = Key::within("cohesion_range_m", D::Length, 0.0, 1e15)
    .or(0.0)
    .says("gap up to which that force acts; the skin must be wider than 1.2 times it")
    .eg("\"1 cm\"");

/// Attraction of two touching spheres of effective radius R_e: 4 c beta R_e^2 (Song et al. 2024, eq. 4) (N).
pub fn adhesion_n(cohesion_pa: f64, shape_parameter: f64, radius_m: f64) -> f64 {
    4.0 * cohesion_pa * shape_parameter * radius_m * radius_m
}

/// Finds values of a material.
pub trait Keyed {
    /// The value of a material (SI), if it has one.
    fn find(&self, material: &Material) -> Option<f64>;

    /// The value of a material (SI); 0 if it has none.
    fn of(&self, material: &Material) -> f64 {
        self.find(material).unwrap_or(0.0)
    }

    /// The arithmetic mean of what two materials have.
    fn mean(&self, a: &Material, b: &Material) -> f64 {
        of_pair(self.of(a), self.of(b))
    }
}

impl Keyed for Key {
    fn find(&self, material: &Material) -> Option<f64> {
        material.number(self.name)
    }
}
