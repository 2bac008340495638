//! The settled packing as LAMMPS reads it: a data file with the same bodies, and the constants of the same contact law.
//! `benches/peers/lammps/` holds the input file that includes both.

use super::packing::{Packing, RADIUS_M};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::geometry::box_tree::bounds;
use crate::physics::laws::linear_spring_dashpot::SpringDashpot;
use crate::physics::time_step::time_step;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes `packing.data` and `packing.in` into `folder`, and prints where.
pub fn save(packing: &Packing, folder: &Path) -> Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let paths = ["packing.data", "packing.in"].map(|name| folder.join(name));
    for (path, text) in paths.iter().zip([data(packing), constants(packing)]) {
        disk::write_new(path, text.as_bytes(), true)?;
    }
    Ok(paths)
}

/// Atoms of style `sphere`, SI.
fn data(packing: &Packing) -> String {
    let b = &packing.bodies;
    let [low, high] = bounds(b.position_m.iter().copied());
    let [low, high] = [low - 2.0 * RADIUS_M, high + 2.0 * RADIUS_M];
    let mut text = format!("breccia bench: settled packing\n\n{} atoms\n1 atom types\n\n", b.len());
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        line(&mut text, format_args!("{} {} {axis}lo {axis}hi", low[k], high[k]));
    }
    text.push_str("\nAtoms # sphere\n\n");
    for (k, p) in b.position_m.iter().enumerate() {
        let diameter = 2.0 * b.radius_m[k];
        let density = b.mass_kg[k] / (std::f64::consts::PI / 6.0 * diameter.powi(3));
        line(&mut text, format_args!("{} 1 {diameter} {density} {} {} {}", k + 1, p.x, p.y, p.z));
    }
    text.push_str("\nVelocities\n\n");
    for (k, (v, w)) in b.velocity_m_s.iter().zip(&b.spin_rad_s).enumerate() {
        line(&mut text, format_args!("{} {} {} {} {} {} {}", k + 1, v.x, v.y, v.z, w.x, w.y, w.z));
    }
    text
}

/// Variables of the input file. LAMMPS' damping is a rate (1/s) that it multiplies by the reduced mass, ours is C / sqrt(m)
/// times the root of the reduced mass: they agree between two of the light spheres, half of whose mass is the reduced one.
fn constants(packing: &Packing) -> String {
    let light = packing.bodies.mass_kg.iter().copied().fold(f64::INFINITY, f64::min);
    let rock = &packing.scenario.materials[0];
    let (law, rate) = (SpringDashpot::between(rock, rock), 1.0 / (0.5 * light).sqrt());
    // rolling and twisting of `pair granular`: its rolling spring has a length, the angle times the effective radius
    let f = &law.friction;
    let (radius, mass) = (0.5 * RADIUS_M, 0.5 * light);
    let (beta2, size) = (f.shape_parameter.powi(2), f.shape_parameter * radius);
    let mut text = "# breccia bench: contact law, time step and skin of the settled packing, SI\n".to_owned();
    for (name, value) in [
        ("kn", law.stiffness_normal),
        ("kt", law.stiffness_sliding),
        ("gn", law.damping_normal * rate),
        ("gt", law.damping_sliding * rate),
        ("mu", f.sliding),
        ("kr", law.stiffness_normal * beta2),
        ("gr", law.damping_normal * mass.sqrt() * beta2),
        ("mur", f.rolling * f.shape_parameter),
        ("ktw", 2.0 * law.stiffness_sliding * size * size),
        ("gtw", 2.0 * law.damping_sliding * mass.sqrt() * size * size),
        ("mutw", f.twisting * f.sliding * size),
        ("skin", packing.scenario.neighbours.skin_radii * RADIUS_M),
        ("dt", time_step(&packing.scenario, &packing.bodies).dt_s),
    ] {
        line(&mut text, format_args!("variable {name} equal {value}"));
    }
    text
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _ = writeln!(text, "{words}");
}
