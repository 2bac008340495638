//! Contact stress of bodies and of volumes, compression positive (Sanchez et al. 2021, eq. 19-20).

use super::fabric::Fabric;
use crate::base::eigen::{outer, principal};
use crate::base::error::Result;
use crate::geometry::mass::ball_m3;
use crate::model::snapshot::{Snapshot, WallContact};
use crate::physics::measure::whole::{centre, enclosing_radius_m};
use glam::{DMat3, DVec3};
use serde::Serialize;

/// Internal moment M^p of every body: minus the sum of f_i r_j over its contacts, r from its centre to the contact (eq.
/// 19) (N m). `wall_normal` gives the unit normal of a wall, towards the bodies.
pub fn moments_n_m(s: &Snapshot, wall_normal: impl Fn(&WallContact) -> Result<DVec3>) -> Result<Vec<DMat3>> {
    let mut moments = vec![DMat3::ZERO; s.bodies.len()];
    let mut add = |k: u32, force: DVec3, point: DVec3| {
        moments[k as usize] -= outer(force, point - s.bodies.position_m[k as usize]);
    };
    for c in &s.contacts {
        let point = c.point_m(&s.bodies);
        add(c.i, c.force_n, point);
        add(c.j, -c.force_n, point);
    }
    for c in &s.wall_contacts {
        add(c.body, c.force_n, c.point_m(&s.bodies, wall_normal(c)?));
    }
    Ok(moments)
}

/// Where stress is averaged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Region {
    /// the smallest sphere about the mass centre that holds all bodies
    Whole,
    /// a sphere about the mass centre
    Sphere {
        /// (m)
        radius_m: f64,
    },
    /// between two corners
    Box {
        /// lowest coordinates (m)
        low_m: DVec3,
        /// highest coordinates (m)
        high_m: DVec3,
    },
}

impl std::str::FromStr for Region {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Region, String> {
        let wanted = || format!("`{text}`: whole, sphere:R or box:X0,X1,Y0,Y1,Z0,Z1, in m, X0 < X1");
        let (kind, numbers) = match text.split_once(':') {
            Some((kind, rest)) => (kind, rest.split(',').map(str::parse).collect()),
            None => (text, Ok(vec![])),
        };
        let numbers: Vec<f64> = numbers.map_err(|_: std::num::ParseFloatError| wanted())?;
        let region = match (kind, numbers.as_slice()) {
            ("whole", []) => Region::Whole,
            ("sphere", [radius_m]) => Region::Sphere { radius_m: *radius_m },
            ("box", [x0, x1, y0, y1, z0, z1]) => {
                Region::Box { low_m: DVec3::new(*x0, *y0, *z0), high_m: DVec3::new(*x1, *y1, *z1) }
            }
            _ => return Err(wanted()),
        };
        let volume = match region {
            Region::Whole => 1.0,
            Region::Sphere { radius_m } => radius_m,
            Region::Box { low_m, high_m } => (high_m - low_m).min_element(),
        };
        if volume > 0.0 && volume.is_finite() { Ok(region) } else { Err(wanted()) }
    }
}

/// Mean stress of a volume.
#[derive(Debug, Clone, Serialize)]
pub struct Stress {
    /// where
    pub region: Region,
    /// (m3)
    pub volume_m3: f64,
    /// bodies whose centre lies in it; the moments of these, whole, are summed
    pub bodies: usize,
    /// solid volume of these bodies over the volume
    pub packing: f64,
    /// rows of the tensor (Pa)
    pub tensor_pa: [[f64; 3]; 3],
    /// principal stresses, largest first (Pa)
    pub principal_pa: [f64; 3],
    /// unit vectors along them
    pub axes: [DVec3; 3],
    /// a third of the trace (Pa)
    pub pressure_pa: f64,
    /// sqrt(3/2 s:s) of the deviator s (von Mises) (Pa)
    pub deviator_pa: f64,
    /// contacts of these bodies, if they were measured too
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fabric: Option<Fabric>,
}

/// The bodies whose centre lies in a region, and its volume (m3).
pub fn members(s: &Snapshot, region: Region) -> (Vec<usize>, f64) {
    let (middle, _) = centre(s);
    let reach = enclosing_radius_m(s, middle);
    let (inside, volume_m3): (Box<dyn Fn(DVec3) -> bool>, f64) = match region {
        Region::Whole => (Box::new(|_| true), ball_m3(reach)),
        Region::Sphere { radius_m } => (Box::new(move |p| p.distance(middle) <= radius_m), ball_m3(radius_m)),
        Region::Box { low_m, high_m } => {
            (Box::new(move |p| p.cmpge(low_m).all() && p.cmplt(high_m).all()), (high_m - low_m).element_product())
        }
    };
    ((0..s.bodies.len()).filter(|k| inside(s.bodies.position_m[*k])).collect(), volume_m3)
}

/// Mean stress over a volume: the sum of the moments of the bodies in it, over it (eq. 20).
pub fn stress(s: &Snapshot, moments: &[DMat3], region: Region) -> Stress {
    let (chosen, volume_m3) = members(s, region);
    let tensor = chosen.iter().map(|k| moments[*k]).sum::<DMat3>() * (1.0 / volume_m3);
    let (values, axes) = principal(tensor);
    Stress {
        region,
        volume_m3,
        bodies: chosen.len(),
        packing: chosen.iter().map(|k| s.bodies.volume_m3(*k)).sum::<f64>() / volume_m3,
        tensor_pa: tensor.transpose().to_cols_array_2d(),
        principal_pa: values,
        axes,
        pressure_pa: pressure(values),
        deviator_pa: deviator(values),
        fabric: None,
    }
}

/// Mean of the principal stresses.
pub fn pressure(principal: [f64; 3]) -> f64 {
    principal.iter().sum::<f64>() / 3.0
}

/// sqrt(3/2 s:s), the difference of the axial and the lateral stress where two are equal.
pub fn deviator(principal: [f64; 3]) -> f64 {
    let mean = pressure(principal);
    (1.5 * principal.iter().map(|p| (p - mean).powi(2)).sum::<f64>()).sqrt()
}
