//! Bodies aloft about an asteroid: which of them fall back, which orbit it, and which escape (Song et al. 2024, section 3.2.2).
//!
//! Orbits are those of two points at one instant, about the asteroid's mass centre in inertial space, under what the scenario lets
//! attract towards it. The true field is that of the shape, and grains attract each other as well, so that an orbit near the
//! surface changes within a turn.

use super::orbit::Elements;
use super::report::Subject;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::model::scenario::{Motion, Scenario};
use crate::model::snapshot::Snapshot;
use crate::model::stored::arrays::save;
use crate::physics::gravity::attraction::Attraction;
use crate::physics::measure::grains::lofted;
use glam::DVec3;
use serde::Serialize;
use std::path::Path;

/// What a run must have for its orbits to be measured.
pub const NEEDS_A_FIELD: &str =
    "`orbits` need [[gravity]] with kind = \"asteroid\", or \"central\" or \"uniform_sphere\" about the origin";

/// What the orbits are about.
pub struct Centre {
    /// of what attracts towards it (m3/s2)
    pub gm_m3_s2: f64,
    /// of a free asteroid, which bodies pull in turn; infinite of one that they do not move (kg)
    pub mass_kg: f64,
    /// fields besides, which the orbits leave out
    pub besides: Vec<String>,
    /// of the sphere about the mass centre that contains the surface (m)
    pub radius_m: f64,
    /// number of the surface in the frames' `wall_pair`
    pub surface: u32,
}

impl Centre {
    /// The asteroid of a scenario; an error without one, or if nothing attracts towards it.
    pub fn of(scenario: Option<&Scenario>, run: &Path) -> Result<Centre> {
        let Some(scenario) = scenario else {
            let remedy = "`orbits` need the directory that `breccia run` made, with scenario.toml and settings.json";
            return Err(Fault::new("does not say which scenario was run").remedy(remedy).path(run).data());
        };
        let Some(spec) = &scenario.asteroid else {
            let remedy =
                "`orbits` are about the [asteroid] of a scenario; measure `aggregates` for bodies about a body";
            return Err(Fault::new("has no asteroid").remedy(remedy).path(run).data());
        };
        let surface = spec.surface()?;
        let Attraction { gm_m3_s2, besides, .. } = Attraction::of(scenario, spec)?;
        if gm_m3_s2 == 0.0 {
            let what = "has no field that attracts towards the asteroid, so that there are no orbits";
            return Err(Fault::new(what).remedy(NEEDS_A_FIELD).path(run).data());
        }
        Ok(Centre {
            gm_m3_s2,
            mass_kg: match spec.motion {
                Motion::Free { .. } => spec.mass_kg()?,
                Motion::Rotating | Motion::Fixed => f64::INFINITY,
            },
            besides,
            radius_m: surface.radius_m(),
            surface: scenario.walls.len() as u32,
        })
    }
}

/// Bodies about an asteroid.
#[derive(Debug, Clone, Serialize)]
pub struct Orbits {
    /// in the frame
    pub bodies: usize,
    /// of these not connected to the surface, directly or through others; the rest of the counts is of them
    pub aloft: usize,
    /// bound, and so low that they pass through the sphere that contains the surface
    pub returning: usize,
    /// bound, with all of the orbit outside that sphere
    pub orbiting: usize,
    /// not bound, whatever their direction
    pub escaping: usize,
    /// radius of that sphere (m)
    pub sphere_radius_m: f64,
    /// of what attracts towards the mass centre, without the mass of the body (m3/s2)
    pub gm_m3_s2: f64,
    /// fields that the orbits leave out, such as `gravity.1 (uniform)`
    pub fields_left_out: Vec<String>,
    /// farthest body aloft, from the mass centre; none if nothing is aloft (m)
    pub distance_max_m: Option<f64>,
    /// of bound bodies aloft; none without any (m)
    pub semi_major_axis_m: Option<Quartiles>,
    /// the same
    pub eccentricity: Option<Quartiles>,
    /// the same (m)
    pub periapsis_m: Option<Quartiles>,
    /// the same, between orbital angular momentum and spin of the asteroid, or z if that does not turn (degrees)
    pub inclination_deg: Option<Quartiles>,
}

/// Values that a quarter, half and three quarters lie below.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Quartiles {
    /// a quarter
    pub lower: f64,
    /// half
    pub median: f64,
    /// three quarters
    pub upper: f64,
}

impl Quartiles {
    /// Of any number of values, with straight lines between them, those that are not finite left out; none of no value.
    fn of(mut values: Vec<f64>) -> Option<Quartiles> {
        values.retain(|v| v.is_finite());
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
            low + (high - low) * place.fract()
        };
        Some(Quartiles { lower: at(0.25), median: at(0.5), upper: at(0.75) })
    }
}

/// What becomes of a body, as `orbit_kind.npy` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Grounded = -1,
    Returning = 0,
    Orbiting = 1,
    Escaping = 2,
}

/// A body, and its orbit if it is aloft.
struct Body {
    kind: Kind,
    orbit: Option<Orbit>,
}

/// An orbit about the asteroid's mass centre.
struct Orbit {
    elements: Elements,
    distance_m: f64,
    inclination_deg: f64,
}

impl Subject<'_> {
    /// Orbits; `orbit_kind.npy` (n), int64: -1 on the ground, 0 returning, 1 orbiting, 2 escaping; `orbit_elements.npy` (n, 3):
    /// semi-major axis (m), below zero if it escapes, eccentricity and inclination (degrees), NaN on the ground.
    pub fn orbits(&self, folder: &Path, centre: &Centre) -> Result<Orbits> {
        self.recorded.need_contacts("orbits")?;
        let bodies = orbits(&self.recorded.instant, centre);
        let n = bodies.len() as u64;
        save(folder, "orbit_kind", &[n], bodies.iter().map(|b| b.kind as i64).collect())?;
        let row = |b: &Body| match &b.orbit {
            Some(o) => [o.elements.semi_major_axis_m, o.elements.eccentricity, o.inclination_deg],
            None => [f64::NAN; 3],
        };
        save(folder, "orbit_elements", &[n, 3], bodies.iter().flat_map(row).collect())?;
        Ok(summary(centre, &bodies))
    }
}

/// Each body's orbit.
fn orbits(s: &Snapshot, centre: &Centre) -> Vec<Body> {
    let inertial = s.inertial();
    let (origin, drift) = s.frame.map_or((DVec3::ZERO, DVec3::ZERO), |f| (f.origin_m, f.velocity_m_s));
    let axis = s.frame.and_then(|f| (f.orientation * f.spin_rad_s).try_normalize()).unwrap_or(DVec3::Z);
    let mut aloft = vec![false; inertial.len()];
    lofted(s, centre.surface).into_iter().for_each(|k| aloft[k] = true);
    let body = |k: usize| {
        if !aloft[k] {
            return Body { kind: Kind::Grounded, orbit: None };
        }
        let gm = centre.gm_m3_s2 * (1.0 + inertial.mass_kg[k] / centre.mass_kg);
        let position_m = inertial.position_m[k] - origin;
        let e = Elements::new(gm, position_m, inertial.velocity_m_s[k] - drift);
        let kind = match e.energy_j_kg {
            energy if energy >= 0.0 => Kind::Escaping,
            _ if e.periapsis_m() - inertial.radius_m[k] > centre.radius_m => Kind::Orbiting,
            _ => Kind::Returning,
        };
        let inclination_deg = e.angular_momentum_m2_s.angle_between(axis).to_degrees();
        Body { kind, orbit: Some(Orbit { elements: e, distance_m: position_m.length(), inclination_deg }) }
    };
    (0..inertial.len()).map(body).collect()
}

fn summary(centre: &Centre, bodies: &[Body]) -> Orbits {
    let count = |kind: Kind| bodies.iter().filter(|b| b.kind == kind).count();
    let is_bound = |b: &&Body| matches!(b.kind, Kind::Returning | Kind::Orbiting);
    let bound: Vec<&Orbit> = bodies.iter().filter(is_bound).filter_map(|b| b.orbit.as_ref()).collect();
    let of = |value: fn(&Orbit) -> f64| Quartiles::of(bound.iter().map(|o| value(o)).collect());
    let [returning, orbiting, escaping] = [Kind::Returning, Kind::Orbiting, Kind::Escaping].map(count);
    Orbits {
        bodies: bodies.len(),
        aloft: returning + orbiting + escaping,
        returning,
        orbiting,
        escaping,
        sphere_radius_m: centre.radius_m,
        gm_m3_s2: centre.gm_m3_s2,
        fields_left_out: centre.besides.clone(),
        distance_max_m: bodies.iter().filter_map(|b| Some(b.orbit.as_ref()?.distance_m)).max_by(f64::total_cmp),
        semi_major_axis_m: of(|o| o.elements.semi_major_axis_m),
        eccentricity: of(|o| o.elements.eccentricity),
        periapsis_m: of(|o| o.elements.periapsis_m()),
        inclination_deg: of(|o| o.inclination_deg),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::units::G;
    use crate::model::body::Bodies;
    use crate::model::snapshot::{Contact, FrameState, WallContact};
    use glam::DQuat;

    /// Two bodies on the ground, one on top of the other, and three aloft, seen from an asteroid that turns, moves and lies
    /// somewhere.
    #[test]
    fn bodies_fall_back_orbit_or_escape() {
        let gm_m3_s2 = G * 7.3e10;
        let centre = Centre { gm_m3_s2, mass_kg: 7.3e10, besides: vec![], radius_m: 280.0, surface: 1 };
        let frame = FrameState {
            origin_m: DVec3::new(3.0, -2.0, 1.0),
            orientation: DQuat::from_rotation_x(0.4),
            velocity_m_s: DVec3::new(0.01, 0.02, -0.03),
            spin_rad_s: DVec3::new(0.0, 0.0, 4e-4),
            asteroid: None,
        };
        let axis = frame.orientation * DVec3::Z;
        let east = frame.orientation * DVec3::X;
        let (gm, a, e, tilt) = (G * 7.3e10, 600.0, 0.3, 0.5f64);
        let periapsis = a * (1.0 - e);
        let fast = (gm * (2.0 / periapsis - 1.0 / a)).sqrt();
        let along = DQuat::from_axis_angle(east, tilt) * axis.cross(east);
        // position and velocity from the mass centre in inertial space
        let motions = [
            (250.0 * axis, DVec3::ZERO),
            (252.0 * axis, DVec3::ZERO),
            (300.0 * east, 0.02 * east),
            (periapsis * east, fast * along),
            (400.0 * axis, (2.02 * gm / 400.0).sqrt() * axis),
        ];
        let own = frame.orientation.inverse();
        let mut bodies = Bodies::default();
        for (k, (at, velocity)) in motions.into_iter().enumerate() {
            let position = own * at;
            bodies.id.push(k as u32);
            bodies.position_m.push(position);
            bodies.velocity_m_s.push(own * velocity - frame.spin_rad_s.cross(position));
            bodies.spin_rad_s.push(DVec3::ZERO);
            bodies.radius_m.push(1.0);
            bodies.mass_kg.push(1e-3);
            bodies.material.push(0);
        }
        let contacts = vec![Contact { i: 0, j: 1, ..Contact::default() }];
        let wall_contacts = vec![WallContact { body: 0, wall: 1, ..WallContact::default() }];
        let s = Snapshot { bodies, contacts, wall_contacts, frame: Some(frame), ..Snapshot::default() };
        let found = orbits(&s, &centre);
        let kinds: Vec<i64> = found.iter().map(|b| b.kind as i64).collect();
        assert_eq!(kinds, [-1, -1, 0, 1, 2]);
        let orbit = found[3].orbit.as_ref().unwrap();
        assert!(
            (orbit.elements.semi_major_axis_m / a - 1.0).abs() < 1e-9 && (orbit.elements.eccentricity - e).abs() < 1e-9
        );
        assert!((orbit.inclination_deg - tilt.to_degrees()).abs() < 1e-9);
        let told = summary(&centre, &found);
        assert_eq!((told.aloft, told.returning, told.orbiting, told.escaping), (3, 1, 1, 1));
        assert!((told.distance_max_m.unwrap() - periapsis).abs() < 1e-9);
        // a body that moves straight up falls back to the centre
        let found = told.periapsis_m.unwrap();
        assert!((found.median - 0.5 * periapsis).abs() < 1e-6 && (found.upper - 0.75 * periapsis).abs() < 1e-6);
    }

    #[test]
    fn quartiles_lie_between_values() {
        let found = Quartiles::of(vec![3.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!([found.lower, found.median, found.upper], [1.75, 2.5, 3.25]);
        assert!(Quartiles::of(vec![]).is_none());
        let found = Quartiles::of(vec![f64::NAN, 5.0, -f64::NAN]).unwrap();
        assert_eq!([found.lower, found.median, found.upper], [5.0; 3]);
    }
}
