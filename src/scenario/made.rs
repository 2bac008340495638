//! Reads bodies that are made by rule: form, faces, relief.

use super::sizes::{RANGE, range};
use crate::base::error::{Error, Result};
use crate::base::fault::Faults;
use crate::base::quantity::Dimension as D;
use crate::base::reader::key::{Key, Word};
use crate::base::reader::{Reader, Table, not_toml};
use crate::geometry::made::Form;
use crate::geometry::made::body::{Body, FACES_MAX};
use crate::geometry::made::noise::Fractal;
use crate::geometry::made::relief::Relief;
use crate::geometry::made::spots::{Crater, Scatter, Size};
use glam::DVec3;
use std::collections::BTreeSet;

/// Most craters, or boulders.
const SPOTS_MAX: u64 = 1_000_000;

/// A sphere with a relief.
pub(super) const SPHERE: Word = Word::with("sphere", "a sphere with a relief", &[SPHERE_RADIUS, FACES, SEED, RELIEF]);

/// An ellipsoid with a relief.
pub(super) const ELLIPSOID: Word =
    Word::with("ellipsoid", "an ellipsoid with a relief", &[SEMI_AXES, FACES, SEED, RELIEF]);

/// A top with a relief.
pub(super) const TOP: Word = Word::with(
    "top",
    "a spinning top with a ridge at the equator, (rho / a)^p + (|z| / c)^p = 1, with a relief",
    &[EQUATOR, POLE, RIDGE, FACES, SEED, RELIEF],
);

/// Radius of a sphere.
pub(super) const SPHERE_RADIUS: Key = Key::positive("radius_m", D::Length).required().says("radius").eg("250");
/// Semi-axes of an ellipsoid.
pub(super) const SEMI_AXES: Key =
    Key::vector("semi_axes_m", D::Length).required().says("semi-axes along x, y and z").eg("[270, 260, 245]");
/// Radius of a top at the equator.
pub(super) const EQUATOR: Key =
    Key::positive("equatorial_radius_m", D::Length).required().says("a, the radius at the equator").eg("270");
/// Radius of a top at the poles.
pub(super) const POLE: Key =
    Key::positive("polar_radius_m", D::Length).required().says("c, the radius at the poles").eg("245");
/// How sharp the ridge of a top is.
pub(super) const RIDGE: Key = Key::within("ridge_exponent", D::Pure, 1.0, 2.0)
    .required()
    .says("p: 1 is two cones with a sharp ridge, 2 an ellipsoid")
    .eg("1.5");

/// Faces of the surface.
pub(super) const FACES: Key = Key::count("faces", 20, FACES_MAX).required().says("least number of faces").eg("50000");
/// Seed of the relief.
pub(super) const SEED: Key = Key::count("seed", 0, u64::MAX)
    .without("that of the scenario; 1 for `breccia mesh make`")
    .says("seed of the relief")
    .eg("3");
/// What lies on the form.
pub(super) const RELIEF: Key = Key::table("relief", RELIEFS)
    .says("heights above the form, along the rays from its centre")
    .eg("{ boulders = { count = 9, diameter_m = 20, height_ratio = 0.5 } }");

const RELIEFS: &[Key] = &[
    Key::table("fractal", FRACTAL)
        .says("octaves of gradient noise")
        .eg("{ rms_m = 2, hurst = 0.8, wavelength_min_m = 20, wavelength_max_m = 200 }"),
    Key::table("random_craters", RANDOM_CRATERS)
        .says("craters spread evenly over the area")
        .eg("{ count = 40, diameter_m = 25, depth_ratio = 0.1 }"),
    Key::tables("craters", CRATERS)
        .says("craters one by one, made after those at random")
        .eg("[{ direction = [0, 0, 1], diameter_m = 60, depth_ratio = 0.1 }]"),
    Key::table("boulders", BOULDERS)
        .says("boulders spread evenly over the area; the higher one counts where two meet")
        .eg("{ count = 9, diameter_m = 20, height_ratio = 0.5 }"),
];

const FRACTAL: &[Key] = &[
    Key::positive("rms_m", D::Length).required().says("root mean square of the heights over the area").eg("2"),
    Key::within("hurst", D::Pure, 0.0, 1.0)
        .required()
        .says("H: mean squared differences of height grow as distance^(2 H); 0 is rough, 1 smooth")
        .eg("0.8"),
    Key::positive("wavelength_min_m", D::Length)
        .required()
        .says("wavelengths are halved from the longest, and none is shorter")
        .eg("20"),
    Key::positive("wavelength_max_m", D::Length).required().says("longest wavelength").eg("200"),
];

const DIAMETERS: Key =
    Key::either("diameter_m", RANGE).required().says("diameter; one or a range").eg("{ min_m = 25, max_m = 120 }");
const EXPONENT: Key = Key::positive("size_exponent", D::Pure)
    .without("required with a range of diameters")
    .says("b: as many are larger than D as D^-b says")
    .eg("2");
const SPOTS: Key = Key::count("count", 1, SPOTS_MAX).required().says("how many").eg("40");
const DEPTH: Key =
    Key::within("depth_ratio", D::Pure, 0.0, 1.0).required().says("depth from rim to floor over diameter").eg("0.1");
const RIM: Key = Key::within("rim_ratio", D::Pure, 0.0, 1.0).or(0.0).says("height of the rim over diameter").eg("0.02");

const RANDOM_CRATERS: &[Key] = &[SPOTS, DIAMETERS, EXPONENT, DEPTH, RIM];

const BOULDERS: &[Key] = &[
    SPOTS,
    DIAMETERS,
    EXPONENT,
    Key::within("height_ratio", D::Pure, 0.0, 1.0).required().says("height over diameter").eg("0.5"),
];

const CRATERS: &[Key] = &[
    Key::vector("direction", D::Pure).required().says("direction from the centre towards the crater").eg("[0, 0, 1]"),
    Key::positive("diameter_m", D::Length).required().says("diameter of the rim").eg("60"),
    DEPTH,
    RIM,
];

/// The body that a shape of one of these kinds gives.
pub(super) fn body(t: &Table, kind: &str, seed: u64) -> Body {
    Body { form: form(t, kind), faces: t.count("faces"), seed: t.count_if("seed").unwrap_or(seed), relief: relief(t) }
}

/// A body from `key=value` words, with the keys of `[asteroid] shape`. A word that is not a TOML value is a string.
pub fn from_words(words: &[String]) -> Result<Body> {
    const KEYS: &[Key] = &[Key::choice("kind", &[SPHERE, ELLIPSOID, TOP]).says("the form").eg("\"sphere\"")];
    let mut keys = BTreeSet::new();
    let line = |word: &String| match word.split_once('=') {
        Some((key, _)) if !keys.insert(key.trim().to_owned()) => {
            Err(Error::Usage(format!("{key}: is given twice; remove one of the two")))
        }
        Some((key, value)) if value.trim().parse::<toml_edit::Value>().is_ok() => Ok(format!("{key} = {value}\n")),
        Some((key, value)) => Ok(format!("{key} = {}\n", toml_edit::Value::from(value.trim()))),
        None => Err(Error::Usage(format!("{word}: write key=value, such as kind=sphere"))),
    };
    let text: String = words.iter().map(line).collect::<Result<_>>()?;
    let bad = |error: toml_edit::TomlError| Error::Faults(Faults::of(vec![not_toml("", &text, &error)]).of_words());
    let document = toml_edit::Document::parse(text.clone()).map_err(bad)?;
    let reader = Reader::new("key", &text, &[]);
    let root = reader.root(&document, KEYS);
    let kind = root.choice("kind");
    let body = body(&root, kind, 1);
    root.close();
    reader.finish().of_words().check()?;
    Ok(body)
}

fn form(t: &Table, kind: &str) -> Form {
    match kind {
        "ellipsoid" => {
            let semi_axes_m = t.vector("semi_axes_m");
            if t.has("semi_axes_m") && semi_axes_m.min_element() <= 0.0 {
                t.fault("semi_axes_m", "must be positive", "give three lengths above 0, along x, y and z");
            }
            Form::Ellipsoid { semi_axes_m }
        }
        "top" => Form::Top {
            equatorial_radius_m: t.value("equatorial_radius_m"),
            polar_radius_m: t.value("polar_radius_m"),
            ridge_exponent: t.value("ridge_exponent"),
        },
        _ => Form::Sphere { radius_m: t.value("radius_m") },
    }
}

fn relief(shape: &Table) -> Relief {
    let Some(t) = shape.table_if("relief") else {
        return Relief { fractal: None, craters: vec![], random_craters: None, boulders: None };
    };
    let relief = Relief {
        fractal: t.table_if("fractal").map(|t| fractal(&t)),
        craters: t.tables("craters").iter().map(crater).collect(),
        random_craters: t.table_if("random_craters").map(|t| scatter(&t, t.value("depth_ratio"), t.value("rim_ratio"))),
        boulders: t.table_if("boulders").map(|t| scatter(&t, t.value("height_ratio"), 0.0)),
    };
    t.close();
    relief
}

fn fractal(t: &Table) -> Fractal {
    let fractal = Fractal {
        rms_m: t.value("rms_m"),
        hurst: t.value("hurst"),
        wavelength_min_m: t.value("wavelength_min_m"),
        wavelength_max_m: t.value("wavelength_max_m"),
    };
    let both = t.has("wavelength_min_m") && t.has("wavelength_max_m");
    if both && fractal.wavelength_min_m > fractal.wavelength_max_m {
        t.fault("wavelength_min_m", "is above wavelength_max_m", "exchange the two");
    }
    t.close();
    fractal
}

fn crater(t: &Table) -> Crater {
    // the length of the direction does not count, so it stays as typed
    let crater = Crater {
        direction: t.direction("direction").map_or(DVec3::Z, |_| t.vector("direction")),
        diameter_m: t.value("diameter_m"),
        depth_ratio: t.value("depth_ratio"),
        rim_ratio: t.value("rim_ratio"),
    };
    t.close();
    crater
}

fn scatter(t: &Table, height_ratio: f64, rim_ratio: f64) -> Scatter {
    let diameter = range(t, "diameter_m");
    let exponent = if diameter.min_m < diameter.max_m {
        t.value("size_exponent")
    } else {
        if t.has("size_exponent") {
            t.fault("size_exponent", "has no effect on one diameter", "remove it");
        }
        1.0
    };
    let scatter = Scatter {
        count: t.count("count") as u32,
        diameter: Size { min_m: diameter.min_m, max_m: diameter.max_m, exponent },
        height_ratio,
        rim_ratio,
    };
    t.close();
    scatter
}
