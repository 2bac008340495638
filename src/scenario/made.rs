//! Reads bodies that are made by rule: form, faces, relief.

use super::parse::range;
use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::{Reader, Table};
use crate::geometry::made::{Body, Crater, FACES_MAX, Form, Fractal, Relief, Scatter, Size};
use glam::DVec3;

/// Kinds of forms, as [`body`] takes them.
pub(super) const KINDS: [&str; 3] = ["sphere", "ellipsoid", "top"];

/// Most craters, or boulders.
const SPOTS_MAX: u64 = 1_000_000;

/// The keys of a shape whose `kind` is one of [`KINDS`].
pub(super) fn body(t: &Table, kind: &str, seed: u64) -> Body {
    Body {
        form: form(t, kind),
        faces: t.count("faces", None, 20..=FACES_MAX),
        seed: t.count("seed", Some(seed), 0..=u64::MAX),
        relief: relief(t),
    }
}

/// A body from `key=value` words, with the keys of `[asteroid] shape`. A word that is not a TOML value is a string.
pub fn from_words(words: &[String]) -> Result<Body> {
    let line = |word: &String| match word.split_once('=') {
        Some((key, value)) if value.trim().parse::<toml_edit::Value>().is_ok() => Ok(format!("{key} = {value}\n")),
        Some((key, value)) => Ok(format!("{key} = {}\n", toml_edit::Value::from(value.trim()))),
        None => Err(Error::Usage(format!("{word}: write key=value, such as kind=sphere"))),
    };
    let text: String = words.iter().map(line).collect::<Result<_>>()?;
    let document = toml_edit::Document::parse(text.clone())
        .map_err(|e| Error::Usage(format!("{}: {}", words.join(" "), e.message())))?;
    let reader = Reader::new("key", &text, &[]);
    let root = reader.root(&document);
    let kind = root.choice("kind", &KINDS, None);
    let body = body(&root, &kind, 1);
    root.close();
    let faults = reader.finish();
    if faults.is_empty() { Ok(body) } else { Err(Error::Usage(faults.join("\n"))) }
}

fn form(t: &Table, kind: &str) -> Form {
    let length = |key: &str| t.positive(key, t.need(key, D::Length));
    match kind {
        "ellipsoid" => {
            let semi_axes_m = t.vector("semi_axes_m", D::Length);
            if semi_axes_m.is_none_or(|s| s.min_element() <= 0.0) {
                t.fault("semi_axes_m", "must be three positive lengths, along x, y and z");
            }
            Form::Ellipsoid { semi_axes_m: semi_axes_m.unwrap_or(DVec3::ONE) }
        }
        "top" => Form::Top {
            equatorial_radius_m: length("equatorial_radius_m"),
            polar_radius_m: length("polar_radius_m"),
            ridge_exponent: t.within("ridge_exponent", t.need("ridge_exponent", D::Pure), 1.0, 2.0),
        },
        _ => Form::Sphere { radius_m: length("radius_m") },
    }
}

fn relief(shape: &Table) -> Relief {
    let t = shape.table("relief");
    let scatter = |key: &str, read: fn(&Table) -> Scatter| {
        (t.is_table(key) || t.has(key)).then(|| {
            let t = t.table(key);
            let scatter = read(&t);
            t.close();
            scatter
        })
    };
    let relief = Relief {
        fractal: (t.is_table("fractal") || t.has("fractal")).then(|| fractal(&t.table("fractal"))),
        craters: t.tables("craters").iter().map(crater).collect(),
        random_craters: scatter("random_craters", |t| {
            let ratio = |key: &str, value: f64| t.within(key, value, 0.0, 1.0);
            let rim_ratio = ratio("rim_ratio", t.number("rim_ratio", D::Pure).unwrap_or(0.0));
            spread(t, ratio("depth_ratio", t.need("depth_ratio", D::Pure)), rim_ratio)
        }),
        boulders: scatter("boulders", |t| {
            spread(t, t.within("height_ratio", t.need("height_ratio", D::Pure), 0.0, 1.0), 0.0)
        }),
    };
    t.close();
    relief
}

fn fractal(t: &Table) -> Fractal {
    let length = |key: &str| t.positive(key, t.need(key, D::Length));
    let fractal = Fractal {
        rms_m: length("rms_m"),
        hurst: t.within("hurst", t.need("hurst", D::Pure), 0.0, 1.0),
        wavelength_min_m: length("wavelength_min_m"),
        wavelength_max_m: length("wavelength_max_m"),
    };
    let both = t.has("wavelength_min_m") && t.has("wavelength_max_m");
    if both && fractal.wavelength_min_m > fractal.wavelength_max_m {
        t.fault("wavelength_min_m", "is above wavelength_max_m");
    }
    t.close();
    fractal
}

fn crater(t: &Table) -> Crater {
    let ratio = |key: &str, value: f64| t.within(key, value, 0.0, 1.0);
    let direction = t.vector("direction", D::Pure).unwrap_or_default();
    if direction.try_normalize().is_none() {
        t.fault("direction", "must be three numbers that are not all 0: from the centre towards the crater");
    }
    let crater = Crater {
        direction,
        diameter_m: t.positive("diameter_m", t.need("diameter_m", D::Length)),
        depth_ratio: ratio("depth_ratio", t.need("depth_ratio", D::Pure)),
        rim_ratio: ratio("rim_ratio", t.number("rim_ratio", D::Pure).unwrap_or(0.0)),
    };
    t.close();
    crater
}

fn spread(t: &Table, height_ratio: f64, rim_ratio: f64) -> Scatter {
    let diameter = range(t, "diameter_m");
    let exponent = if diameter.min_m < diameter.max_m {
        t.positive("size_exponent", t.need("size_exponent", D::Pure))
    } else {
        if t.has("size_exponent") {
            t.fault("size_exponent", "stands beside one diameter, which it would not change; remove it");
        }
        1.0
    };
    Scatter {
        count: t.count("count", None, 1..=SPOTS_MAX) as u32,
        diameter: Size { min_m: diameter.min_m, max_m: diameter.max_m, exponent },
        height_ratio,
        rim_ratio,
    }
}
