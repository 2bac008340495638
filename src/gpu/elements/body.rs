//! What there is of a body.

use glam::{DMat3, DVec3};

crate::element! {
    "state/body";

    /// Where a body is and how it moves, in 64-bit integers an axis. Spin has as many bits as velocity: what weak
    /// friction takes from a fast spin in a step is far below the last place of an f32.
    struct BodyState {
        /// centre (2^-38 L)
        position: [i64; 3],
        /// displacement per step (2^-58 L/T)
        velocity: [i64; 3],
        /// angular velocity (2^-58 /T)
        spin: [i64; 3],
    }

    /// What contacts read of a body.
    struct BodyView {
        /// window of the position, bits 8 to 39 (2^-30 L)
        position: [u32; 3],
        /// a multiple of 2^-24 (L)
        radius: f32,
        /// window of the velocity, bits 21 to 52 (2^-37 L/T)
        velocity: [u32; 3],
        /// 1 / mass (1/M)
        inverse_mass: f32,
        /// angular velocity (1/T)
        spin: [f32; 3],
        /// row of the table of laws, and bits 0 to 7 of the position: of x from bit 8 on, y, z
        material_and_tail: u32,
        /// `position` when the list of neighbours was made
        anchor: [u32; 3],
        /// of a clump's part its body and one, else 0; of a soft sphere its room, bits of an f32 (L)
        clump_or_room: u32,
    }

    /// How a body is turned: a unit quaternion, vector part first.
    struct Orientation {
        /// vector part, then scalar part (2^-30)
        quaternion: [i32; 4],
    }

    /// Attraction at a body.
    struct Field {
        /// sum of the pulls (L/T2)
        acceleration: [f32; 3],
        /// potential energy of a unit of mass (L2/T2)
        potential: f32,
    }

    /// What acts on a body in a step of a turning frame.
    struct BodyLoad {
        /// acceleration (L/T2)
        kick: [f32; 3],
        /// to 16 bytes
        pad0: u32,
        /// change of spin (1/T2)
        turning: [f32; 3],
        /// to 16 bytes
        pad1: u32,
    }

    /// Inertia of a body as whole numbers: `mass` 2^-mass_shift (M), `moment` 2^-moment_shift (M L2).
    struct BodyWeight {
        /// mass as a count of 2^-mass_shift M
        mass: u32,
        /// unit of the mass
        mass_shift: u32,
        /// moment of inertia as a count of 2^-moment_shift M L2
        moment: u32,
        /// unit of the moment of inertia
        moment_shift: u32,
    }

    /// Inverse inertia of a body or a wall: 1/mass, and the root of the inverse tensor of inertia.
    struct BodyInertia {
        /// 1 / mass (1/M)
        inverse_mass: f32,
        /// root of the inverse inertia, xx
        xx: f32,
        /// yy of it
        yy: f32,
        /// zz of it
        zz: f32,
        /// xy, xz, yz of it
        mixed: [f32; 3],
        /// 1 of a wall, which moves along its normal alone, else 0
        wall: f32,
    }

    /// Principal moments of inertia of a body.
    struct BodyMoment {
        /// moments over the largest one
        relative: [f32; 3],
        /// the largest one (M L2)
        largest: f32,
    }

    /// What impulses have given a body or a wall.
    struct BodyPush {
        /// change of velocity (L/T)
        velocity: [f32; 3],
        /// of a wall: length of `velocity` along its normal
        along: f32,
        /// angular velocity (1/T)
        spin: [f32; 3],
        /// to 16 bytes
        pad0: u32,
    }

    /// Highest proposals of a body's contacts for a colour, of even rounds and of odd ones.
    struct BodyLeader {
        /// by the lowest bit of the round
        proposal: [u32; 2],
    }
}

impl BodyInertia {
    /// Root of the inverse tensor of inertia.
    pub fn root(&self) -> DMat3 {
        let [xx, yy, zz] = [self.xx, self.yy, self.zz].map(f64::from);
        let [xy, xz, yz] = self.mixed.map(f64::from);
        DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
    }
}

impl Field {
    /// Rounded to f32.
    pub fn rounded(acceleration: DVec3, potential: f64) -> Field {
        Field { acceleration: acceleration.as_vec3().to_array(), potential: potential as f32 }
    }
}
