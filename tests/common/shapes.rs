//! Shape models and reference values of their gravity, which are next to the repository (`../shared/data`) and no part of it:
//! surfaces in km as Wavefront OBJ, tables `label,x,y,z,U,gx,gy,gz,lap` in SI below a line that gives density and G. Tests
//! that read them are ignored, and their names begin with `on_record_`; `./check` runs them where the folder is there.

use breccia::geometry::mesh::Mesh;
use breccia::geometry::surface::Surface;
use glam::DVec3;
use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data")).join(name)
}

/// The file of the shape `name`.
pub fn path(name: &str) -> PathBuf {
    data("shapes").join(format!("{name}.obj"))
}

/// The shape `name`.
pub fn shape(name: &str) -> Surface {
    Surface::of_mesh(&Mesh::read(&path(name), 1000.0).unwrap_or_else(|e| panic!("{e}")))
}

/// A point of a table.
pub struct Golden {
    pub label: String,
    /// in the coordinates of the file (m)
    pub position_m: DVec3,
    /// positive (J/kg)
    pub potential: f64,
    /// (m/s2)
    pub acceleration: DVec3,
    /// (1/s2)
    pub laplacian: f64,
}

/// The table of shape `name`: density, G, points.
pub fn golden(name: &str) -> (f64, f64, Vec<Golden>) {
    let path = data("reference").join(format!("polyhedral_gravity_{name}.csv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let after = |word: &str| text.split(word).nth(1).and_then(|t| t.split([' ', ',']).next()).unwrap().parse().unwrap();
    let row = |line: &str| {
        // labels hold commas, in quotes
        let (label, cells) = line.trim_start_matches('"').split_once("\",").unwrap();
        let v: Vec<f64> = cells.split(',').map(|c| c.parse().unwrap()).collect();
        let (position_m, acceleration) = (DVec3::new(v[0], v[1], v[2]), DVec3::new(v[4], v[5], v[6]));
        Golden { label: label.to_owned(), position_m, potential: v[3], acceleration, laplacian: v[7] }
    };
    (after("rho "), after(" G "), text.lines().skip(2).map(row).collect())
}
