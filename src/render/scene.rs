//! What a picture shows: the bodies of a frame in the camera's units, each with a colour.

use super::camera::Field;
use super::colour;
use super::scale::{Ticks, prefixed};
use crate::body::Bodies;
use crate::error::{Error, Result};
use crate::output::frames::{read_f64, read_frame};
use std::path::Path;

/// Quantity that colours the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// speed against the frame of reference (m/s)
    Speed,
    /// mean contact pressure in the body (Pa)
    Pressure,
    /// number of contacts
    Coordination,
    /// body radius (m)
    Radius,
    /// one colour per id, no scale
    Id,
    /// one colour for all
    None,
}

impl Quantity {
    /// All of them, with their names on the command line.
    pub const NAMES: [(&'static str, Quantity); 6] = [
        ("speed", Quantity::Speed),
        ("pressure", Quantity::Pressure),
        ("coordination", Quantity::Coordination),
        ("radius", Quantity::Radius),
        ("id", Quantity::Id),
        ("none", Quantity::None),
    ];

    /// The quantity of that name.
    pub fn parse(name: &str) -> Result<Quantity> {
        let found = Quantity::NAMES.iter().find(|(n, _)| *n == name).map(|(_, q)| *q);
        let known = || Quantity::NAMES.map(|(n, _)| n).join(", ");
        found.ok_or_else(|| Error::Usage(format!("--color {name}: no such quantity; there are: {}", known())))
    }

    /// Name and unit; `None` for those without a scale.
    pub fn title(self) -> Option<(&'static str, &'static str)> {
        match self {
            Quantity::Speed => Some(("speed", "m/s")),
            Quantity::Pressure => Some(("pressure", "Pa")),
            Quantity::Coordination => Some(("contacts", "")),
            Quantity::Radius => Some(("radius", "m")),
            Quantity::Id | Quantity::None => None,
        }
    }
}

/// A frame read for drawing.
#[derive(Debug, Clone)]
pub struct Frame {
    /// its bodies
    pub bodies: Bodies,
    /// simulated time (s)
    pub time_s: f64,
    /// the quantity, one value a body, SI; empty without a scale
    pub values: Vec<f64>,
}

impl Frame {
    /// Reads a frame directory.
    pub fn read(frame: &Path, quantity: Quantity) -> Result<Frame> {
        let bodies = read_frame(frame)?;
        let path = frame.join("time.json");
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, e))?;
        let time: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| Error::Data(format!("{}: {e}", path.display())))?;
        let time_s = time["time_s"]
            .as_f64()
            .ok_or_else(|| Error::Data(format!("{}: has no number `time_s`", path.display())))?;
        let column = |name: &str| Ok::<_, Error>(read_f64(&frame.join(format!("{name}.npy")))?.0);
        let values = match quantity {
            Quantity::Speed => bodies.velocity_m_s.iter().map(|v| v.length()).collect(),
            Quantity::Pressure => column("pressure")?,
            Quantity::Coordination => column("coordination")?,
            Quantity::Radius => bodies.radius_m.clone(),
            Quantity::Id | Quantity::None => vec![],
        };
        if quantity.title().is_some() && values.len() != bodies.len() {
            return Err(Error::Data(format!("{}: arrays of different lengths", frame.display())));
        }
        Ok(Frame { bodies, time_s, values })
    }

    /// The field that shows it.
    pub fn field(&self) -> Result<Field> {
        Field::around(&self.bodies.position_m, &self.bodies.radius_m, &self.bodies.mass_kg)
    }
}

/// Scale of the colours: a range of the quantity in a unit with a fitting prefix.
#[derive(Debug, Clone)]
pub struct ColourScale {
    /// name and unit, as in `speed [mm/s]`
    pub title: String,
    /// from SI to the unit of `title`
    pub factor: f64,
    /// range and ticks in the unit of `title`
    pub ticks: Ticks,
}

impl ColourScale {
    /// The scale over all finite values, from zero where that costs little; `None` for a quantity without one.
    pub fn over<'a>(quantity: Quantity, values: impl Iterator<Item = &'a f64>) -> Option<ColourScale> {
        let (name, unit) = quantity.title()?;
        let (low, high) = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let low = if quantity == Quantity::Radius || low < 0.0 { low } else { 0.0 };
        Some(ColourScale::between(name, unit, quantity == Quantity::Coordination, low, high))
    }

    fn between(name: &str, unit: &str, whole: bool, low: f64, high: f64) -> ColourScale {
        let (unit, factor) = prefixed(unit, low.abs().max(high.abs()));
        let ticks = if whole { Ticks::whole(low, high) } else { Ticks::over(low * factor, high * factor) };
        let title = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        ColourScale { title, factor, ticks }
    }

    /// Place of a value on the scale: 0 at its low end, 1 at its high end.
    pub fn place(&self, value: f64) -> f64 {
        (value * self.factor - self.ticks.low) / (self.ticks.high - self.ticks.low)
    }
}

/// Spheres and colours for the GPU; lengths in radii of the field, origin in its middle.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// centre and radius
    pub spheres: Vec<[f32; 4]>,
    /// colours, see [`colour::tint`]
    pub tints: Vec<u32>,
    /// mean radius
    pub grain: f64,
}

impl Scene {
    /// The frame in a field.
    pub fn new(frame: &Frame, field: Field, quantity: Quantity, scale: Option<&ColourScale>) -> Scene {
        let bodies = &frame.bodies;
        let sphere = |k: usize| {
            let p = (bodies.position_m[k] - field.centre_m) / field.radius_m;
            [p.x, p.y, p.z, bodies.radius_m[k] / field.radius_m].map(|v| v as f32)
        };
        let colour = |k: usize| match (scale, quantity) {
            (Some(scale), _) => colour::viridis(scale.place(frame.values[k])),
            (None, Quantity::Id) => colour::label(bodies.id[k]),
            (None, _) => colour::PLAIN,
        };
        Scene {
            spheres: (0..bodies.len()).map(sphere).collect(),
            tints: (0..bodies.len()).map(|k| colour::tint(colour(k))).collect(),
            grain: bodies.radius_m.iter().sum::<f64>() / bodies.len().max(1) as f64 / field.radius_m,
        }
    }
}
