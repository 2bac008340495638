//! The asteroid as a free rigid body in f64 (Song et al. 2024, eq. 15): state in inertial axes, and its free rotation.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DQuat, DVec3};

/// Rounds of the implicit equation at most; each gains a factor of the angle turned in half a step.
const ROUNDS: usize = 60;

/// Largest turn by the midpoint rule at once (rad): its rate is too small by the square of this over 12, 3e-7.
const TURN_MAX_RAD: f64 = 2e-3;

/// What changes of it besides the orientation, which is the frame's: sums in f64, and what f64 could not add to them. A grain
/// at rest gives Bennu less than one part in 10^16 of its angular momentum in a step.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Motion {
    /// mass centre, in inertial axes (m)
    pub centre_m: DVec3,
    /// (kg m/s)
    pub momentum: DVec3,
    /// about the mass centre, in inertial axes (kg m2/s)
    pub angular: DVec3,
    /// what is still to be added to mass centre, momentum and angular momentum
    rest: [DVec3; 3],
}

/// `sum` + `more` with `rest` of earlier additions, and what is left over (Neumaier 1974).
fn add(sum: &mut DVec3, rest: &mut DVec3, more: DVec3) {
    let whole = *sum + more;
    let kept = whole - *sum;
    *rest += (*sum - (whole - kept)) + (more - kept);
    *sum = whole + *rest;
    *rest -= *sum - whole;
}

/// A rigid body of any inertia.
#[derive(Debug, Clone, Copy)]
pub struct Asteroid {
    /// (kg)
    pub mass_kg: f64,
    /// about the mass centre, in body axes (kg m2)
    pub inertia_kg_m2: DMat3,
    inverse: DMat3,
    /// where it is and what it carries
    pub motion: Motion,
}

impl Asteroid {
    /// A body at rest at the origin whose axes are those of inertial space, and which turns with `spin_rad_s`.
    pub fn new(mass_kg: f64, inertia_kg_m2: DMat3, spin_rad_s: DVec3) -> Asteroid {
        let motion = Motion { angular: inertia_kg_m2 * spin_rad_s, ..Motion::zeroed() };
        Asteroid { mass_kg, inertia_kg_m2, inverse: inertia_kg_m2.inverse(), motion }
    }

    /// Spin in body axes (rad/s) at this orientation (body to inertial).
    pub fn spin_rad_s(&self, orientation: DQuat) -> DVec3 {
        self.inverse * (orientation.inverse() * self.motion.angular)
    }

    /// Velocity of the mass centre (m/s).
    pub fn velocity_m_s(&self) -> DVec3 {
        self.motion.momentum / self.mass_kg
    }

    /// Kinetic energies of translation and rotation (J).
    pub fn kinetic_j(&self, orientation: DQuat) -> [f64; 2] {
        let body = orientation.inverse() * self.motion.angular;
        [0.5 * self.motion.momentum.length_squared() / self.mass_kg, 0.5 * body.dot(self.inverse * body)]
    }

    /// Rotation vector in body axes (rad) by which the free body turns in `h_s`, in as many turns of the midpoint rule as its
    /// error in the rate asks for.
    pub fn turn_rad(&self, orientation: DQuat, h_s: f64) -> DVec3 {
        let turns = (self.spin_rad_s(orientation).length() * h_s / TURN_MAX_RAD).ceil();
        if turns <= 1.0 {
            return self.short_turn_rad(orientation, h_s);
        }
        let turned = (0..turns as u64).fold(orientation, |now, _| {
            (now * DQuat::from_scaled_axis(self.short_turn_rad(now, h_s / turns))).normalize()
        });
        (orientation.inverse() * turned).normalize().to_scaled_axis()
    }

    /// Rotation vector in body axes (rad) of one turn in `h_s`: the implicit midpoint rule for the angular
    /// momentum in body axes, p' - p = h m x w with m = (p + p')/2 and w = I^-1 m. Then p' = (1 + h W/2)^-1 (1 - h W/2) p,
    /// so that the rotation with this transform of Cayley, by 2 atan(h |w|/2), keeps the angular momentum in inertial axes;
    /// the rule keeps the energy too, both whatever `h_s` (Austin, Krishnaprasad and Wang 1993).
    fn short_turn_rad(&self, orientation: DQuat, h_s: f64) -> DVec3 {
        let start = orientation.inverse() * self.motion.angular;
        let mut middle = start;
        for _ in 0..ROUNDS {
            let next = start + 0.5 * h_s * middle.cross(self.inverse * middle);
            let off = (next - middle).length();
            middle = next;
            if off <= 1e-17 * start.length() {
                break;
            }
        }
        let spin = self.inverse * middle;
        let half = 0.5 * h_s * spin.length();
        if half > 0.0 { spin * (h_s * half.atan() / half) } else { DVec3::ZERO }
    }

    /// Takes the impulse (N s) and the torque impulse (N m s) that bodies got, with the opposite sign, and goes on for `h_s`.
    /// The impulse acts as if at `origin_m`, about which the torque is taken; the frame's origin may be off the mass centre.
    pub fn step(&mut self, impulse: DVec3, torque: DVec3, origin_m: DVec3, h_s: f64) {
        let Motion { centre_m, momentum, angular, rest } = &mut self.motion;
        add(momentum, &mut rest[1], -impulse);
        add(angular, &mut rest[2], -(torque + (origin_m - *centre_m).cross(impulse)));
        add(centre_m, &mut rest[0], *momentum / self.mass_kg * h_s);
    }
}
