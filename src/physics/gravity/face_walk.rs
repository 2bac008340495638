//! The walk of a tree over faces in f64: what a GPU must give, and what it costs.

use super::face_tree::FaceTree;
use super::faces::{Attraction, Triangle};
use crate::geometry::mass::ball_radius_m;
use glam::{DVec3, DVec4, Vec4};

/// Reach over distance of a node that acts as a whole, at most, of faces and of bodies: closer by, its series does not fall.
pub const REACH_MAX: f64 = 0.7;

/// From this many radii on, charges count from the mass centre.
pub const REMOTE_FROM: f64 = 2.0;
/// Ratios of the criterion so near to 1 may come out on either side in f32.
const DOUBT: f64 = 1e-5;

/// Field at a point and what it took; lengths in radii of the body.
#[derive(Debug, Clone, Copy, Default)]
pub struct FaceWalk {
    /// over G and density; its Laplacian is left out
    pub field: Attraction,
    /// faces summed
    pub near: u32,
    /// nodes that acted as a whole
    pub far: u32,
    /// nodes looked at
    pub visits: u32,
    /// f32 may decide otherwise at a node
    pub doubt: bool,
}

impl FaceTree {
    /// Field at `at`, in radii of the body from its mass centre. A node acts as a whole if the moment left out, third / R^4,
    /// is below `accuracy` times the body's attraction, V / r^2, and if its reach is below 0.7 R. A plain angle would not
    /// do: far away the charges of a closed surface cancel, and the error with respect to what is left grows.
    pub fn walk(&self, at: DVec3, accuracy: f64) -> FaceWalk {
        let mut out = FaceWalk::default();
        let strictness = accuracy * self.volume / at.length_squared().max(self.round_squared());
        // As on a GPU: charges, which f32 rounds, sum to nothing only if they count from the mass centre.
        let remote = if at.length() > REMOTE_FROM { at.length_recip() } else { 0.0 };
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            out.visits += 1;
            let d = DVec3::from_array(node.centre.map(f64::from)) - at;
            let square = d.length_squared();
            let far = f64::from(node.third) / (strictness * square * square);
            let large = f64::from(node.reach) / (REACH_MAX * square.sqrt());
            out.doubt |= (far.max(large) - 1.0).abs() < DOUBT;
            if far < 1.0 && large < 1.0 {
                out.far += 1;
                self.whole(k).add(d, remote, &mut out.field);
                k = node.next as usize;
            } else if node.count > 0 {
                out.near += node.count;
                let faces = node.first as usize..(node.first + node.count) as usize;
                faces.for_each(|f| near(&self.face(f), at, remote, &mut out.field));
                k = node.next as usize;
            } else {
                k += 1;
            }
        }
        out
    }

    /// The sum over every face, without its Laplacian.
    pub fn exact(&self, at: DVec3) -> Attraction {
        let mut field = Attraction::default();
        (0..self.len()).for_each(|f| near(&self.face(f), at, 0.0, &mut field));
        field
    }

    /// Square of the radius of the sphere of equal volume: nearer than that the criterion gets no looser.
    pub fn round_squared(&self) -> f64 {
        ball_radius_m(self.volume).powi(2)
    }

    /// What acts of a node as a whole.
    pub(super) fn whole(&self, k: usize) -> Whole {
        let (m, s) = (&self.moments[k], &self.scalar[k]);
        let wide = |row: &[f32; 4]| Vec4::from_array(*row).as_dvec4();
        Whole {
            charge: DVec3::from_array(self.nodes[k].charge.map(f64::from)),
            first: [0, 1, 2].map(|a| wide(&m.first[a])),
            second: [0, 1, 2].map(|a| wide(&m.second[a])),
            scalar: (s.charge.into(), wide(&s.first), wide(&s.second)),
        }
    }
}

/// Moments of a node, by the axis of its charges and of n.s dA.
pub(super) struct Whole {
    pub charge: DVec3,
    pub first: [DVec4; 3],
    pub second: [DVec4; 3],
    pub scalar: (f64, DVec4, DVec4),
}

impl Whole {
    /// Adds what it gives at the distance `d` from the point to its centre.
    fn add(&self, d: DVec3, remote: f64, field: &mut Attraction) {
        let of = |a: usize| multipole(self.charge[a], self.first[a], self.second[a], d);
        let integral = DVec3::from_array([0, 1, 2].map(of));
        let (charge, first, second) = self.scalar;
        field.acceleration -= integral - remote * self.charge;
        field.potential -= 0.5 * (d.dot(integral) + multipole(charge, first, second, d));
    }
}

/// Adds a face.
fn near(face: &Triangle, at: DVec3, remote: f64, field: &mut Attraction) {
    let term = face.term(at);
    field.acceleration -= (term.integral - remote * face.area) * face.normal;
    field.potential += term.potential();
}

/// Sum of q / distance over charges with these moments at `d` from the point; moments as the tree has them.
pub(super) fn multipole(charge: f64, first: DVec4, second: DVec4, d: DVec3) -> f64 {
    let r = d.length();
    let u = d / r;
    let squares = first.w * (u.x * u.x - u.z * u.z) + second.x * (u.y * u.y - u.z * u.z);
    let cross = second.y * u.x * u.y + second.z * u.x * u.z + second.w * u.y * u.z;
    (charge - (first.truncate().dot(u) - (squares + cross) / r) / r) / r
}
