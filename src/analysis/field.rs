//! The gravity of bodies and of an asteroid at any point: potential, acceleration, Laplacian, inside or outside.

use crate::base::cores::on_all_cores;
use crate::base::units::G;
use crate::geometry::box_tree::Node;
use crate::geometry::facet_tree::FacetTree;
use crate::geometry::inside::inside;
use crate::geometry::mass::ball_radius_m;
use crate::geometry::surface::Surface;
use crate::model::body::Bodies;
use crate::physics::gravity::face_tree::FaceTree;
use crate::physics::gravity::faces::{Attraction, Triangle, by_triangles};
use glam::DVec3;
use std::f64::consts::TAU;

/// Accuracy of the walks of a tree: errors of about 2e-5 of a round body, and up to 2e-4 of a flat or long one.
const ACCURACY: f64 = 1e-5;

/// What attracts.
#[derive(Default)]
pub struct Masses {
    /// a homogeneous polyhedron
    pub polyhedron: Option<Polyhedron>,
    /// homogeneous spheres
    pub spheres: Vec<Sphere>,
    /// rotation of the coordinates about their centre (rad/s)
    pub rotation_rad_s: DVec3,
    /// a point of its axis (m)
    pub centre_m: DVec3,
}

/// A homogeneous polyhedron.
pub struct Polyhedron {
    /// what points count from (m)
    origin_m: DVec3,
    g_rho_s2: f64,
    faces: Vec<Triangle>,
    /// in the place of the sum over all faces
    trees: Option<(FaceTree, FacetTree)>,
}

/// A homogeneous sphere.
#[derive(Debug, Clone, Copy)]
pub struct Sphere {
    /// (m)
    pub centre_m: DVec3,
    /// (m)
    pub radius_m: f64,
    /// G times the mass (m3/s2)
    pub gm_m3_s2: f64,
}

/// The field at a point.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Field {
    /// negative, 0 far away (J/kg)
    pub potential_j_kg: f64,
    /// (m/s2)
    pub acceleration_m_s2: DVec3,
    /// of the potential: 4 pi G rho where there is matter, 0 elsewhere (1/s2)
    pub laplacian_s2: f64,
    /// the point is in a body or in the asteroid
    pub inside: bool,
}

impl Polyhedron {
    /// A surface whose mass centre is at `centre_m` in the coordinates of points, filled with matter of this density (kg/m3).
    /// `fast`: by a tree over its faces, with errors of 2e-5 of a round body, in place of the sum over all of them.
    pub fn new(surface: &Surface, centre_m: DVec3, density_kg_m3: f64, fast: bool) -> Polyhedron {
        let trees = fast.then(|| (FaceTree::new(surface), FacetTree::new(surface)));
        Polyhedron { origin_m: centre_m, g_rho_s2: G * density_kg_m3, faces: Triangle::all(surface), trees }
    }

    fn at(&self, p: DVec3) -> Field {
        let at = p - self.origin_m;
        let sum = match &self.trees {
            None => by_triangles(&self.faces, at),
            Some((faces, facets)) => {
                let Attraction { acceleration, potential, .. } = faces.walk(at / faces.unit_m, ACCURACY).field;
                let laplacian = if in_a_plane(facets, at) {
                    by_triangles(&self.faces, at).laplacian // half or less of the whole on the surface: no ray tells
                } else if inside(facets, at) {
                    2.0 * TAU
                } else {
                    0.0
                };
                let (acceleration, potential) = (faces.unit_m * acceleration, faces.unit_m.powi(2) * potential);
                Attraction { acceleration, potential, laplacian }
            }
        };
        Field {
            potential_j_kg: self.g_rho_s2 * sum.potential,
            acceleration_m_s2: self.g_rho_s2 * sum.acceleration,
            laplacian_s2: self.g_rho_s2 * sum.laplacian,
            // a point of a face sees half of the whole
            inside: sum.laplacian > TAU * (1.0 + 1e-9),
        }
    }
}

/// Whether a point lies in the plane of a facet whose box holds it, as all points of the surface do.
fn in_a_plane(facets: &FacetTree, at: DVec3) -> bool {
    let mut found = false;
    let holds = |node: &Node| at == at.clamp(node.low, node.high);
    facets.boxes.walk(holds, |k| found |= Triangle::new(facets.corners_m[k]).term(at).height == 0.0);
    found
}

impl Sphere {
    fn at(&self, p: DVec3) -> Field {
        let (gm, radius, towards) = (self.gm_m3_s2, self.radius_m, self.centre_m - p);
        let square = towards.length_squared();
        if square >= radius * radius {
            let distance = square.sqrt();
            let acceleration_m_s2 = gm / (square * distance) * towards;
            return Field { potential_j_kg: -gm / distance, acceleration_m_s2, ..Field::default() };
        }
        let cube = radius.powi(3);
        Field {
            potential_j_kg: -0.5 * gm * (3.0 * radius * radius - square) / cube,
            acceleration_m_s2: gm / cube * towards,
            laplacian_s2: 3.0 * gm / cube,
            inside: true,
        }
    }
}

impl Masses {
    /// Bodies as homogeneous spheres of their volumes.
    pub fn spheres_of(bodies: &Bodies) -> Vec<Sphere> {
        let sphere = |k: usize| Sphere {
            centre_m: bodies.position_m[k],
            radius_m: ball_radius_m(bodies.volume_m3(k)),
            gm_m3_s2: G * bodies.mass_kg[k],
        };
        (0..bodies.len()).map(sphere).collect()
    }

    /// The field of all at each of the points (m), without what rotation adds.
    pub fn at_all(&self, points_m: &[DVec3]) -> Vec<Field> {
        on_all_cores(points_m, |p| {
            let spheres = self.spheres.iter().map(|s| s.at(*p));
            spheres.chain(self.polyhedron.iter().map(|b| b.at(*p))).fold(Field::default(), |sum, f| Field {
                potential_j_kg: sum.potential_j_kg + f.potential_j_kg,
                acceleration_m_s2: sum.acceleration_m_s2 + f.acceleration_m_s2,
                laplacian_s2: sum.laplacian_s2 + f.laplacian_s2,
                inside: sum.inside || f.inside,
            })
        })
    }

    /// Effective potential (J/kg) and acceleration (m/s2) at a point of coordinates that turn.
    pub fn effective(&self, p: DVec3, field: &Field) -> (f64, DVec3) {
        let speed = self.rotation_rad_s.cross(p - self.centre_m);
        let lifted = field.acceleration_m_s2 - self.rotation_rad_s.cross(speed);
        (field.potential_j_kg - 0.5 * speed.length_squared(), lifted)
    }

    /// True if the coordinates turn.
    pub fn turns(&self) -> bool {
        self.rotation_rad_s != DVec3::ZERO
    }

    /// Names of the columns of [`Masses::row`], with units.
    pub fn columns(&self) -> Vec<&'static str> {
        let mut list = vec!["x_m", "y_m", "z_m", "potential_j_kg"];
        list.extend(["acceleration_x_m_s2", "acceleration_y_m_s2", "acceleration_z_m_s2", "laplacian_s2", "inside"]);
        if self.turns() {
            list.extend(["effective_potential_j_kg", "effective_x_m_s2", "effective_y_m_s2", "effective_z_m_s2"]);
        }
        list
    }

    /// The numbers of a point: where it is, the field, and what it is with the rotation, if there is one.
    pub fn row(&self, p: DVec3, field: &Field) -> Vec<f64> {
        let mut row = p.to_array().to_vec();
        row.push(field.potential_j_kg);
        row.extend(field.acceleration_m_s2.to_array());
        row.extend([field.laplacian_s2, f64::from(u8::from(field.inside))]);
        if self.turns() {
            let (potential, acceleration) = self.effective(p, field);
            row.push(potential);
            row.extend(acceleration.to_array());
        }
        row
    }
}
