//! Keys of `[[material]]`: name, unit, range, default and one sentence each. A law lists the keys that it takes; reading,
//! refusals and the tables of the documentation follow from the list.

use crate::base::quantity::Dimension;
use crate::model::material::{Material, of_pair};

/// What values of a key are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// above 0
    Positive,
    /// from the first number to the second, both included
    Within(f64, f64),
    /// one of these words
    Words(&'static [&'static str]),
}

/// What a material has where the scenario does not give the key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Missing {
    /// the scenario is refused
    Refused,
    /// nothing: the law finds the value by other means, or does without
    Nothing,
    /// this number
    Number(f64),
    /// the value of another key
    Like(&'static str),
    /// the first of the allowed words
    FirstWord,
}

/// A key of `[[material]]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key<'a> {
    /// as the scenario has it
    pub name: &'a str,
    /// what it measures
    pub dimension: Dimension,
    /// what is allowed
    pub range: Range,
    /// what stands in for it
    pub missing: Missing,
    /// one sentence
    pub about: &'a str,
}

impl<'a> Key<'a> {
    /// A pure number from 0 to 10 that is `missing` by default, such as a coefficient of friction.
    const fn coefficient(name: &'a str, missing: Missing, about: &'a str) -> Key<'a> {
        Key { name, dimension: Dimension::Pure, range: Range::Within(0.0, 10.0), missing, about }
    }

    /// A positive quantity that may be left out.
    pub const fn positive(name: &'a str, dimension: Dimension, about: &'a str) -> Key<'a> {
        Key { name, dimension, range: Range::Positive, missing: Missing::Nothing, about }
    }

    /// A word out of a few; the first is the default.
    pub const fn choice(name: &'a str, words: &'static [&'static str], about: &'a str) -> Key<'a> {
        Key { range: Range::Words(words), ..Key::coefficient(name, Missing::FirstWord, about) }
    }

    /// The same key with another range.
    #[must_use]
    pub const fn within(self, low: f64, high: f64) -> Key<'a> {
        Key { range: Range::Within(low, high), ..self }
    }

    /// The same key with another way to do without it.
    #[must_use]
    pub const fn or(self, missing: Missing) -> Key<'a> {
        Key { missing, ..self }
    }

    /// The value that a material has (SI); 0 if it has none.
    pub fn of(&self, material: &Material) -> f64 {
        self.find(material).unwrap_or(0.0)
    }

    /// The value that a material has, if it has one (SI).
    pub fn find(&self, material: &Material) -> Option<f64> {
        material.number(self.name)
    }

    /// The arithmetic mean of what two materials have.
    pub fn mean(&self, a: &Material, b: &Material) -> f64 {
        of_pair(self.of(a), self.of(b))
    }
}

/// epsilon_N, which every method knows.
pub const RESTITUTION_NORMAL: Key<'static> =
    Key::coefficient("restitution_normal", Missing::Refused, "normal speed after a collision over that before it")
        .within(0.0, 1.0);
/// epsilon_S.
pub const RESTITUTION_TANGENTIAL: Key<'static> = Key::coefficient(
    "restitution_tangential",
    Missing::Like("restitution_normal"),
    "the same of sliding; sets the tangential dashpot",
)
.within(0.0, 1.0);
/// mu_S, which every method knows.
pub const FRICTION_SLIDING: Key<'static> =
    Key::coefficient("friction_sliding", Missing::Refused, "sliding friction over normal force, at most");
/// mu_R.
pub const FRICTION_ROLLING: Key<'static> =
    Key::coefficient("friction_rolling", Missing::Number(0.0), "limit of the rolling torque");
/// mu_T.
pub const FRICTION_TWISTING: Key<'static> =
    Key::coefficient("friction_twisting", Missing::Number(0.0), "limit of the twisting torque");
/// beta.
pub const SHAPE_PARAMETER: Key<'static> = Key::coefficient(
    "shape_parameter",
    Missing::Number(0.0),
    "radius of the contact area over the effective radius, for rolling, twisting and cohesion",
)
.within(0.0, 2.0);
/// c.
pub const COHESION: Key<'static> = Key {
    name: "cohesion_pa",
    dimension: Dimension::Pressure,
    ..Key::coefficient("cohesion_pa", Missing::Number(0.0), "tensile strength of the contact area")
}
.within(0.0, 1e9);
/// v_max of a rule that gives the stiffness.
pub const SPEED_MAX: Key<'static> = Key::positive(
    "speed_max_m_s",
    Dimension::Speed,
    "in place of a stiffness: the speed at which the largest body overlaps by `overlap_at_speed_max` of its radius",
);
/// s of that rule.
pub const OVERLAP_AT_SPEED_MAX: Key<'static> =
    Key::coefficient("overlap_at_speed_max", Missing::Number(0.01), "overlap over radius at `speed_max_m_s`")
        .within(1e-3, 0.3);
/// Attraction of a contact of rigid bodies.
pub const COHESION_FORCE: Key<'static> = Key {
    dimension: Dimension::Force,
    ..Key::coefficient("cohesion_force_n", Missing::Number(0.0), "attraction of a contact").within(0.0, 1e15)
};
/// Gap up to which it acts.
pub const COHESION_RANGE: Key<'static> = Key {
    dimension: Dimension::Length,
    ..Key::coefficient("cohesion_range_m", Missing::Number(0.0), "gap up to which the attraction acts")
        .within(0.0, 1e15)
};

/// Keys that a material of contact dynamics takes, besides `name` and `density_kg_m3`.
pub const OF_CONTACT_DYNAMICS: [Key<'static>; 4] =
    [RESTITUTION_NORMAL, FRICTION_SLIDING, COHESION_FORCE, COHESION_RANGE];
