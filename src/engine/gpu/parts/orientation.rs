//! Orientation and angular momentum of polyhedra on the GPU.

use super::{Fill, Part, Pause};
use crate::base::error::Result;
use crate::base::fixed_point::in_q30;
use crate::base::units::Units;
use crate::engine::gpu::start::Start;
use crate::gpu::elements::body::{BodyInertia, BodyMoment, BodyState, BodyView, Orientation};
use crate::gpu::layout::BodyWords;
use crate::model::body::Bodies;
use crate::physics::turn::{spin, turned};
use glam::{DMat3, DQuat, DVec3};

/// Orientation and angular momentum of polyhedra in memory order and code units, at the first detection; empty for
/// spheres.
#[derive(Debug, Default)]
pub struct Turning {
    /// rows of `body_moment`
    pub moment: Vec<BodyMoment>,
    /// rows of `body_turn`
    pub turn: Vec<Orientation>,
    /// elements of `body_angular`
    pub angular: Vec<[i64; 3]>,
    orientation: Vec<DQuat>,
    moments: Vec<DVec3>,
    spin: Vec<[i64; 3]>,
}

impl Turning {
    /// At the first detection.
    pub(crate) fn new(start: &Start, order: &[u32], units: &Units) -> Turning {
        let mut turning = Turning::default();
        let bodies = start.bodies;
        let Some(polyhedra) = &bodies.polyhedra else {
            return turning;
        };
        for &k in order {
            let k = k as usize;
            let (moments, angular) = (bodies.moments_kg_m2(k), bodies.inertia_kg_m2(k) * bodies.spin_rad_s[k]);
            let ahead = turned(polyhedra.orientation[k], angular, moments, start.ahead_s);
            let (q, angular) = (start.axes.map_or(ahead, |axes| axes * ahead), start.turned(angular));
            let code = in_code_units(moments, units);
            let largest = moments.max_element();
            let relative = (moments / largest).as_vec3().to_array();
            turning.moment.push(BodyMoment { relative, largest: code.max_element() as f32 });
            turning.turn.push(q30(q));
            turning.angular.push(angular_of(angular / largest, units));
            turning.orientation.push(q);
            turning.moments.push(code);
            turning.spin.push(spin(q, angular, moments).to_array().map(|w| units.angle(w)));
        }
        turning
    }

    /// The row of `body_inertia` of a polyhedron, sum of r r^T / sqrt(I) over its principal axes r; none of a sphere.
    pub(crate) fn inertia(&self, index: usize, inverse_mass: f32) -> Option<BodyInertia> {
        Some(inertia_row(*self.orientation.get(index)?, self.moments[index], inverse_mass))
    }

    /// Puts the spins at the first detection into `body_state` and `body_view`.
    pub(crate) fn set_spins(&self, state: &mut [BodyState], view: &mut [BodyView]) {
        for ((spin, state), view) in self.spin.iter().zip(state).zip(view) {
            state.spin = *spin;
            view.spin = BodyWords { spin: *spin, ..BodyWords::default() }.view().spin;
        }
    }
}

impl Part for Turning {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.write("body_moment", &self.moment)?;
        to.write("body_turn", &self.turn)?;
        to.write("body_angular", &self.angular)
    }
}

/// The row of `body_inertia` of a body that is turned so, of these principal moments (M L2) and 1/mass (1/M).
pub(crate) fn inertia_row(orientation: DQuat, moments: DVec3, inverse_mass: f32) -> BodyInertia {
    let axes = DMat3::from_quat(orientation);
    let root = DMat3::from_diagonal(moments.map(|i| i.sqrt().recip()));
    let m = (axes * root * axes.transpose()).as_mat3().to_cols_array_2d();
    let mixed = [m[1][0], m[2][0], m[2][1]];
    BodyInertia { inverse_mass, xx: m[0][0], yy: m[1][1], zz: m[2][2], mixed, wall: 0.0 }
}

/// An angular momentum over the largest moment of its body (rad/s) as the GPU keeps it.
pub(crate) fn angular_of(rate_rad_s: DVec3, units: &Units) -> [i64; 3] {
    rate_rad_s.to_array().map(|w| units.angle(w))
}

/// Moments of inertia (kg m2) in M L2.
pub(crate) fn in_code_units(moments_kg_m2: DVec3, units: &Units) -> DVec3 {
    moments_kg_m2 / (units.mass_kg * units.length_m * units.length_m)
}

/// What such numbers say (rad/s).
pub(crate) fn angular_rate(angular: &[i64; 3], units: &Units) -> DVec3 {
    angular.map(|w| units.spin_rad_s(w)).into()
}

/// An orientation as the GPU keeps it.
pub(crate) fn q30(q: DQuat) -> Orientation {
    Orientation { quaternion: in_q30(q.to_array()) }
}

/// Brings orientations and spins of polyhedra, which the GPU has as of the detection, to the instant.
pub(crate) fn turn_back(at: &Pause, bodies: &mut Bodies) -> Result<()> {
    if bodies.polyhedra.is_none() {
        return Ok(());
    }
    let turn: Vec<Orientation> = at.buffers.read(at.gpu, "body_turn", bodies.len())?;
    let angular: Vec<[i64; 3]> = at.buffers.read(at.gpu, "body_angular", bodies.len())?;
    for (index, &k) in at.order.iter().enumerate() {
        let k = k as usize;
        let moments = bodies.moments_kg_m2(k);
        let q = DQuat::from_array(turn[index].quaternion.map(f64::from)).normalize();
        let momentum = angular_rate(&angular[index], &at.units) * moments.max_element();
        let q = turned(q, momentum, moments, -at.earlier * at.units.time_s);
        bodies.spin_rad_s[k] = spin(q, momentum, moments);
        if let Some(p) = &mut bodies.polyhedra {
            p.orientation[k] = q;
        }
    }
    Ok(())
}
