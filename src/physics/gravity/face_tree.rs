//! A tree over the faces of a polyhedron: a binary radix tree over Morton codes of their centres, made once on the host.
//!
//! g = -G rho sum of n_f I_f, with I_f the integral of 1 / distance over a face (`physics::gravity::faces`): the charge
//! of a face is the vector n_f A_f. A node holds the moments of these charges about its own centre up to the second,
//! made in f64 and kept in f32. Nodes are in the order of a walk that opens all, each with the node that follows when
//! it is not opened. Lengths are in radii of the body: its farthest vertex is at 1.

use super::faces::Triangle;
use crate::base::eigen::outer;
use crate::geometry::lbvh::morton63;
use crate::geometry::surface::Surface;
use glam::{DMat3, DVec3};

/// Faces of a leaf at most.
pub const LEAF: usize = 4;
/// Error of an accepted node over the body's attraction, unless typed: 1e-4 in all (docs/method/gravity.md).
pub const ACCURACY: f64 = 4e-5;

/// A node as a walk reads it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NodeRow {
    /// mean of the faces, weighted by area
    pub centre: [f32; 3],
    /// distance from it that holds every face
    pub reach: f32,
    /// sum of n A
    pub charge: [f32; 3],
    /// integral of the cubed distance from the centre over the faces
    pub third: f32,
    /// node that follows when this one is not opened
    pub next: u32,
    /// first face of a leaf
    pub first: u32,
    /// faces of a leaf; 0: a node with children, the first of which follows it
    pub count: u32,
}

/// Moments of a node, a row an axis k of the charge q = n_k dA at s from the centre.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MomentRows {
    /// first moments, then xx of the second: sum of q s, half the sum of q (3 s s - s^2)
    pub first: [[f32; 4]; 3],
    /// second moments, traceless: half of yy; xy, xz, yz
    pub second: [[f32; 4]; 3],
}

/// Moments of n.s dA, a scalar, for the potential.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScalarMoments {
    /// sum of the charges
    pub charge: f32,
    /// as a row of [`MomentRows::first`]
    pub first: [f32; 4],
    /// as a row of [`MomentRows::second`]
    pub second: [f32; 4],
}

/// The tree.
pub struct FaceTree {
    /// length of one unit: radius of the body (m)
    pub unit_m: f64,
    /// volume of the body, in cubed radii
    pub volume: f64,
    /// triangle of the surface by its index in the tree
    pub order: Vec<u32>,
    /// nodes in the order of the walk
    pub nodes: Vec<NodeRow>,
    /// their moments
    pub moments: Vec<MomentRows>,
    /// their moments for the potential
    pub scalar: Vec<ScalarMoments>,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// A face while moments are summed.
struct Charge {
    centre: DVec3,
    vector: DVec3,
    /// second moments about its own centre, over its area
    own: DMat3,
    area: f64,
}

impl FaceTree {
    /// Builds the tree over a surface, which has faces.
    pub fn new(surface: &Surface) -> FaceTree {
        let unit_m = surface.radius_m();
        let vertices: Vec<DVec3> = surface.vertices_m.iter().map(|v| *v / unit_m).collect();
        let centre = |t: &[u32; 3]| t.iter().map(|v| vertices[*v as usize]).sum::<DVec3>() / 3.0;
        // 21 bits an axis over the box of the sphere about the body
        let cell = |c: f64| ((c + 1.0) * 1_048_575.5) as u32;
        let key = |t: &[u32; 3]| morton63(centre(t).to_array().map(cell));
        let mut sorted: Vec<(u64, u32)> = (0..).zip(&surface.triangles).map(|(k, t)| (key(t), k)).collect();
        sorted.sort_unstable();
        let order: Vec<u32> = sorted.iter().map(|s| s.1).collect();
        let keys: Vec<u64> = sorted.iter().map(|s| s.0).collect();
        let triangles: Vec<[u32; 3]> = order.iter().map(|k| surface.triangles[*k as usize]).collect();
        let volume = surface.volume_m3 / unit_m.powi(3);
        let (nodes, moments, scalar) = Default::default();
        let mut tree = FaceTree { unit_m, volume, order, nodes, moments, scalar, vertices, triangles };
        let charges: Vec<Charge> = (0..tree.triangles.len()).map(|k| charge(&tree.face(k))).collect();
        tree.grow(&keys, &charges, 0, keys.len());
        tree
    }

    /// Face at an index of the tree, in radii.
    pub fn face(&self, index: usize) -> Triangle {
        Triangle::new(self.triangles[index].map(|v| self.vertices[v as usize]))
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// True without faces.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Adds the node of the faces `first..end` and all below it.
    fn grow(&mut self, keys: &[u64], charges: &[Charge], first: usize, end: usize) {
        let index = self.nodes.len();
        let (mut node, moments, scalar) = self.measure(&charges[first..end], first);
        if end - first <= LEAF {
            (node.first, node.count) = (first as u32, (end - first) as u32);
        }
        self.nodes.push(node);
        self.moments.push(moments);
        self.scalar.push(scalar);
        if end - first > LEAF {
            let middle = split(&keys[first..end]) + first;
            self.grow(keys, charges, first, middle);
            self.grow(keys, charges, middle, end);
        }
        self.nodes[index].next = self.nodes.len() as u32;
    }

    /// Centre, reach and moments of a run of faces, about the centre as f32 holds it.
    fn measure(&self, run: &[Charge], first: usize) -> (NodeRow, MomentRows, ScalarMoments) {
        let area: f64 = run.iter().map(|c| c.area).sum();
        let centre = (run.iter().map(|c| c.area * c.centre).sum::<DVec3>() / area).as_vec3();
        let about = centre.as_dvec3();
        let mut sums = [(0.0, DVec3::ZERO, DMat3::ZERO); 4];
        let (mut reach, mut third) = (0.0f64, 0.0);
        for (k, charge) in run.iter().enumerate() {
            let s = charge.centre - about;
            let second = outer(s, s) + charge.own;
            let along = charge.vector.dot(s);
            for (sum, q) in sums.iter_mut().zip([charge.vector.x, charge.vector.y, charge.vector.z, along]) {
                (sum.0, sum.1, sum.2) = (sum.0 + q, sum.1 + q * s, sum.2 + second * q);
            }
            let corners = self.triangles[first + k].map(|v| self.vertices[v as usize] - about);
            reach = corners.into_iter().map(DVec3::length_squared).fold(reach, f64::max);
            // by the middles of the sides, exact for squares
            let middles = [[0, 1], [1, 2], [2, 0]].map(|[a, b]| 0.5 * (corners[a] + corners[b]));
            third += charge.area / 3.0 * middles.map(|m| m.length().powi(3)).iter().sum::<f64>();
        }
        let rows = sums.map(|(_, first, second)| packed(first, second));
        let node = NodeRow {
            centre: centre.to_array(),
            reach: reach.sqrt() as f32,
            charge: [0, 1, 2].map(|k| sums[k].0 as f32),
            third: third as f32,
            ..NodeRow::default()
        };
        let moments = MomentRows { first: [0, 1, 2].map(|k| rows[k].0), second: [0, 1, 2].map(|k| rows[k].1) };
        (node, moments, ScalarMoments { charge: sums[3].0 as f32, first: rows[3].0, second: rows[3].1 })
    }
}

fn charge(face: &Triangle) -> Charge {
    let centre = face.centre();
    let own = face.corners.iter().fold(DMat3::ZERO, |sum, c| sum + outer(*c - centre, *c - centre)) * (1.0 / 12.0);
    Charge { centre, vector: face.area * face.normal, own, area: face.area }
}

/// First moments and the traceless second as rows have them.
fn packed(first: DVec3, second: DMat3) -> ([f32; 4], [f32; 4]) {
    let [x, y, z] = [second.x_axis, second.y_axis, second.z_axis];
    let third = (x.x + y.y + z.z) / 3.0;
    let traceless = [x.x - third, y.y - third].map(|d| 1.5 * d);
    let first = first.extend(traceless[0]);
    (first.as_vec4().to_array(), [traceless[1], 3.0 * x.y, 3.0 * x.z, 3.0 * y.z].map(|q| q as f32))
}

/// How many of the sorted keys lack their highest bit that is not common to all; half where all are equal.
fn split(keys: &[u64]) -> usize {
    let apart = keys[0] ^ keys[keys.len() - 1];
    if apart == 0 {
        return keys.len() / 2;
    }
    let bit = 1u64 << (63 - apart.leading_zeros());
    keys.partition_point(|k| k & bit == 0)
}
