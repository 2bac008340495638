//! Extended XYZ, which OVITO opens: one frame after another, a line a body, the columns named in each head. Programs that take
//! the species for chemical elements, as ASE does, refuse it.

use super::Shown;
use crate::geometry::clump::Clump;
use crate::geometry::mass::ellipsoid_m3;
use crate::model::stored::resolved::Resolved;
use std::fmt::Write;

/// Columns by the names that OVITO knows, and those that a frame has only if it was written with them.
const COLUMNS: &str = "species:S:1:pos:R:3:id:I:1:radius:R:1:mass:R:1";
const VELOCITY: &str = ":velo:R:3";
const SPIN: &str = ":angular_velocity:R:3";
const SHAPE: &str = ":orientation:R:4:aspherical_shape:R:3";
const COORDINATION: &str = ":coordination:I:1";
const PRESSURE: &str = ":pressure:R:1";

/// A frame, SI. Without `resolved` materials are called by their numbers. Polyhedra are given as ellipsoids.
pub fn text(of: &Shown, resolved: Option<&Resolved>) -> String {
    let b = of.bodies();
    let shapes = b.polyhedra.as_ref();
    let optional = [
        (of.moves, VELOCITY),
        (of.spins, SPIN),
        (shapes.is_some(), SHAPE),
        (of.coordination.is_some(), COORDINATION),
        (of.pressure_pa.is_some(), PRESSURE),
    ];
    let columns: String = optional.iter().filter(|(there, _)| *there).map(|(_, column)| *column).collect();
    let semi_axes_m: Vec<[f64; 3]> = shapes.iter().flat_map(|p| p.shapes.iter().map(ellipsoid)).collect();
    let mut text =
        format!("{}\nProperties={COLUMNS}{columns} Time={} pbc=\"F F F\"\n", b.len(), of.recorded.instant.time_s);
    for k in 0..b.len() {
        let named = resolved.and_then(|r| r.material(b.material[k]).ok());
        let species = named.map_or(format!("material{}", b.material[k]), |m| m.name.replace(char::is_whitespace, "_"));
        text += &species;
        put(&mut text, &b.position_m[k].to_array());
        // Writing to a string does not fail.
        let _ = write!(text, " {} {} {}", b.id[k], b.radius_m[k], b.mass_kg[k]);
        if of.moves {
            put(&mut text, &b.velocity_m_s[k].to_array());
        }
        if of.spins {
            put(&mut text, &b.spin_rad_s[k].to_array());
        }
        if let Some(p) = shapes {
            put(&mut text, &p.orientation[k].to_array());
            put(&mut text, &semi_axes_m[p.shape[k] as usize]);
        }
        if let Some(contacts) = &of.coordination {
            let _ = write!(text, " {}", contacts[k]);
        }
        if let Some(pressure_pa) = &of.pressure_pa {
            put(&mut text, &pressure_pa[k..=k]);
        }
        text.push('\n');
    }
    text
}

fn put(text: &mut String, numbers: &[f64]) {
    for number in numbers {
        // Writing to a string does not fail.
        let _ = write!(text, " {number}");
    }
}

/// Semi-axes (m) of an ellipsoid about the principal axes of a body, with the body's volume and the ratios of the one that has its
/// moments of inertia: of that one the moment about x is V (b2 + c2) / 5.
fn ellipsoid(shape: &Clump) -> [f64; 3] {
    let i = shape.inertia_m5;
    let squares = [i.y + i.z - i.x, i.z + i.x - i.y, i.x + i.y - i.z].map(|s| s.max(0.0));
    let axes = squares.map(f64::sqrt);
    let volume = ellipsoid_m3(axes);
    let scale = if volume > 0.0 { (shape.volume_m3 / volume).cbrt() } else { 0.0 };
    axes.map(|a| a * scale)
}
