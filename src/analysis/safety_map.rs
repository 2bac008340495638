//! Where the regolith of an asteroid slides and where it sheds (Song et al. 2024, section 3.2.2 and Appendix B).
//!
//! Slopes, eq. 16: FS = tan(phi)/tan(psi) + C/(gamma_r T sin(psi)), the strength of a layer of thickness T over what drives
//! it. gamma_r is not stated there; here it is the density of the regolith times the effective gravity of the face, the
//! weight that acts. With the effective gravity g_n into the face and g_t along it this is
//! FS = (tan(phi) g_n + C/(rho T)) / g_t.
//!
//! Fission, eq. 17: (F_C + T/(2R) (F_g + F_ct)).n_f >= 0. In orderly layers of grains of diameter 2R a grain at the depth T
//! carries the T/(2R) - 1 grains above it, so what is below gives it F_b = -T/(2R) (F_g + F_ct) (eq. B5, B6). F_b is the
//! push F_J of the contact and the pull of cohesion, F_C.n_f = -4 c beta R_e^2 with R_e = R/2 (eq. 4); eq. 17 says that
//! F_J.n_f is not above 0: nothing is left that presses the grain on what is below.

use super::surface_field::{SurfaceField, write_json, write_surface};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::geometry::mass::ball_m3;
use crate::geometry::surface::Surface;
use crate::model::stored::arrays::save;
use crate::physics::laws::keys::adhesion_n;
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::TAU;
use std::path::Path;

/// What all cases share.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Regolith {
    /// phi (degrees)
    pub friction_angle_deg: f64,
    /// bulk density, of gamma_r (kg/m3)
    pub density_kg_m3: f64,
    /// R (m)
    pub radius_m: f64,
    /// of a grain (kg/m3)
    pub grain_density_kg_m3: f64,
    /// beta
    pub shape_parameter: f64,
}

impl Regolith {
    /// Mass of a grain (kg).
    pub fn grain_kg(&self) -> f64 {
        ball_m3(self.radius_m) * self.grain_density_kg_m3
    }
}

/// One map.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Case {
    /// about the mass centre (rad/s)
    pub rotation_rad_s: DVec3,
    /// C (Pa)
    pub cohesion_pa: f64,
    /// T (m)
    pub thickness_m: f64,
}

impl Case {
    /// Period of the rotation (s); `None` if the body does not turn.
    pub fn period_s(&self) -> Option<f64> {
        let speed = self.rotation_rad_s.length();
        (speed > 0.0).then(|| TAU / speed)
    }
}

/// How the regolith of a face fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// not at all
    Stable = 0,
    /// FS is below 1, and what is below still holds the grains
    Landslide = 1,
    /// eq. 17 holds
    Fission = 2,
}

/// A case, one row a face.
pub struct SafetyMap {
    /// which
    pub case: Case,
    /// FS; infinite where nothing drives the layer, below 0 where cohesion cannot hold what effective gravity lifts
    pub factor_of_safety: Vec<f64>,
    /// left side of eq. 17: force that tears a grain off at the depth T (N)
    pub fission_margin_n: Vec<f64>,
    /// of each face
    pub failure: Vec<Failure>,
}

/// The map of a case; `field` turns as the case does.
pub fn safety_map(field: &SurfaceField, regolith: &Regolith, case: Case) -> SafetyMap {
    let slip = regolith.friction_angle_deg.to_radians().tan();
    let hold_m_s2 = case.cohesion_pa / (regolith.density_kg_m3 * case.thickness_m);
    let cohesion_n = adhesion_n(case.cohesion_pa, regolith.shape_parameter, 0.5 * regolith.radius_m);
    let column_kg = case.thickness_m / (2.0 * regolith.radius_m) * regolith.grain_kg();
    let mut map = SafetyMap { case, factor_of_safety: vec![], fission_margin_n: vec![], failure: vec![] };
    for (effective, normal) in field.effective_m_s2.iter().zip(&field.normal) {
        let down = -effective.dot(*normal);
        let along = (*effective + down * *normal).length();
        let strength = slip * down + hold_m_s2;
        let safety = if along > 0.0 { strength / along } else { f64::INFINITY.copysign(strength) };
        let margin = -cohesion_n - column_kg * down;
        map.factor_of_safety.push(safety);
        map.fission_margin_n.push(margin);
        map.failure.push(match (margin >= 0.0, safety < 1.0) {
            (true, _) => Failure::Fission,
            (false, true) => Failure::Landslide,
            (false, false) => Failure::Stable,
        });
    }
    map
}

/// Area of a region, and its share of the whole.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Region {
    /// (m2)
    pub area_m2: f64,
    /// of the asteroid's area
    pub share: f64,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Areas {
    /// row of the arrays
    pub case: usize,
    /// of the rotation; none: it does not turn (s)
    pub period_s: Option<f64>,
    /// C (Pa)
    pub cohesion_pa: f64,
    /// T (m)
    pub thickness_m: f64,
    /// FS below 1, in fission or not
    pub unstable: Region,
    /// FS below 1 without fission
    pub landslide: Region,
    /// eq. 17
    pub fission: Region,
    /// effective gravity points outwards
    pub outward: Region,
}

impl SafetyMap {
    /// The areas of its regions; `case`: its number.
    pub fn areas(&self, field: &SurfaceField, case: usize) -> Areas {
        let whole: f64 = field.area_m2.iter().sum();
        let region = |is: &dyn Fn(usize) -> bool| {
            let area_m2 = (0..field.area_m2.len()).filter(|k| is(*k)).fold(0.0, |sum, k| sum + field.area_m2[k]);
            Region { area_m2, share: area_m2 / whole }
        };
        Areas {
            case,
            period_s: self.case.period_s(),
            cohesion_pa: self.case.cohesion_pa,
            thickness_m: self.case.thickness_m,
            unstable: region(&|k| self.factor_of_safety[k] < 1.0),
            landslide: region(&|k| self.failure[k] == Failure::Landslide),
            fission: region(&|k| self.failure[k] == Failure::Fission),
            outward: region(&|k| field.effective_m_s2[k].dot(field.normal[k]) > 0.0),
        }
    }
}

/// What `safety_map.json` and `--json` show.
#[derive(Debug, Clone, Serialize)]
pub struct SafetyReport {
    /// of the asteroid
    pub faces: usize,
    /// (kg/m3)
    pub density_kg_m3: f64,
    /// of all cases
    pub regolith: Regolith,
    /// one a case
    pub cases: Vec<Areas>,
}

impl SafetyReport {
    /// The table: a header with units, a row a case.
    pub fn csv(&self) -> String {
        let mut text = "case,period_s,cohesion_pa,thickness_m".to_owned();
        for name in ["unstable", "landslide", "fission", "outward"] {
            text += &format!(",{name}_area_m2,{name}_share");
        }
        for c in &self.cases {
            let period = c.period_s.map_or(String::new(), |p| p.to_string());
            text += &format!("\n{},{period},{},{}", c.case, c.cohesion_pa, c.thickness_m);
            for r in [c.unstable, c.landslide, c.fission, c.outward] {
                text += &format!(",{},{}", r.area_m2, r.share);
            }
        }
        text + "\n"
    }
}

/// Writes `factor_of_safety`, `fission_margin` (N) and `failure` (0 stable, 1 landslide, 2 fission), shape (cases, faces);
/// `centre` (faces, 3) m, `area` (faces) m2; the table as safety_map.csv and .json; surface.obj.
pub fn write(
    folder: &Path,
    surface: &Surface,
    field: &SurfaceField,
    maps: &[SafetyMap],
    report: &SafetyReport,
) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let shape = [maps.len() as u64, field.area_m2.len() as u64];
    save(folder, "factor_of_safety", &shape, maps.iter().flat_map(|m| m.factor_of_safety.clone()).collect())?;
    save(folder, "fission_margin", &shape, maps.iter().flat_map(|m| m.fission_margin_n.clone()).collect())?;
    save(folder, "failure", &shape, maps.iter().flat_map(|m| m.failure.iter().map(|f| *f as u32)).collect())?;
    field.write_faces(folder)?;
    write_json(folder, "safety_map", report)?;
    disk::write_new(&folder.join("safety_map.csv"), report.csv().as_bytes(), true)?;
    write_surface(folder, surface)
}
