//! Delaunay tetrahedra of points in space: one point after another digs out the tetrahedra whose circumscribed spheres
//! hold it and fills the cavity anew (Bowyer 1981, Watson 1981).
//!
//! Both questions asked of the points, on which side of a plane and in which sphere, are answered exactly (Shewchuk
//! 1997). A point on a sphere counts as outside. Then every cavity is seen whole from its point, and points of a lattice,
//! eight and more to a sphere, need no special care.

use crate::base::error::{Error, Result};
use crate::geometry::box_tree::bounds;
use crate::geometry::lbvh::morton63;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use robust::{Coord3D, insphere, orient3d};

/// The vertex at infinity: with it, the triangles of the convex hull are tetrahedra too, and every face has two sides.
pub const INFINITE: u32 = u32::MAX;
/// No neighbour yet.
const NOBODY: u32 = u32::MAX;
/// Corners of the face opposite each corner, so that the corner lies on the positive side.
const FACES: [[usize; 3]; 4] = [[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]];

/// Four points, or three of the hull and the one at infinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tetrahedron {
    /// indices of points
    pub vertex: [u32; 4],
    /// tetrahedra across the faces opposite the vertices
    pub neighbour: [u32; 4],
}

impl Tetrahedron {
    /// The face opposite vertex `k`; counterclockwise as seen from outside.
    pub fn face(&self, k: usize) -> [u32; 3] {
        FACES[k].map(|corner| self.vertex[corner])
    }

    /// Lies outside the convex hull.
    pub fn is_infinite(&self) -> bool {
        self.vertex.contains(&INFINITE)
    }
}

/// The Delaunay tetrahedra of the points, those outside the hull included. Equal points count once. Refuses points that
/// all lie in a plane or are not finite.
pub fn delaunay(points: &[DVec3]) -> Result<Vec<Tetrahedron>> {
    if let Some(p) = points.iter().find(|p| !p.is_finite()) {
        return Err(Error::Data(format!("the point at {p} cannot be joined to the tetrahedra")));
    }
    // Insertion runs through memory in its own order: three times as fast for a million points.
    let order = insertion_order(points);
    let sorted: Vec<DVec3> = order.iter().map(|k| points[*k as usize]).collect();
    let first = spanning(&sorted).ok_or_else(|| {
        Error::Data(format!("all {} points are in one plane, so there is no tetrahedron", points.len()))
    })?;
    let mut mesh = Mesh::of_four(&sorted, first);
    (0..sorted.len() as u32).filter(|k| !first.contains(k)).for_each(|k| mesh.insert(k));
    let original = |v: u32| if v == INFINITE { INFINITE } else { order[v as usize] };
    Ok(mesh.compact().into_iter().map(|t| Tetrahedron { vertex: t.vertex.map(original), ..t }).collect())
}

/// Rounds that double, each along a Morton curve (Amenta, Choi and Rote 2003): near the point before, and never long in a
/// bad order.
fn insertion_order(points: &[DVec3]) -> Vec<u32> {
    let [low, high] = bounds(points.iter().copied());
    let cell = (high - low).max_element().max(f64::MIN_POSITIVE) / f64::from(1 << 20);
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(1);
    let mut keyed: Vec<(u32, u64, u32)> = points
        .iter()
        .enumerate()
        .map(|(k, p)| {
            let halvings = rng.random::<u64>().trailing_zeros();
            (64 - halvings, morton63(((*p - low) / cell).to_array().map(|c| c as u32)), k as u32)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, k)| k).collect()
}

/// Four points that span a tetrahedron, positively oriented.
fn spanning(points: &[DVec3]) -> Option<[u32; 4]> {
    let at = |k: u32| points[k as usize];
    // Farthest in each sense: certain, unless there is no such point.
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len() as u32).max_by(|j, k| measure(at(*j)).total_cmp(&measure(at(*k))))
    };
    let a = farthest(&|p| p.x)?;
    let b = farthest(&|p| p.distance_squared(at(a)))?;
    let c = farthest(&|p| (p - at(a)).cross(at(b) - at(a)).length_squared())?;
    let d = farthest(&|p| side(at(a), at(b), at(c), p).abs())?;
    match side(at(a), at(b), at(c), at(d)) {
        s if s > 0.0 => Some([a, b, c, d]),
        s if s < 0.0 => Some([b, a, c, d]),
        _ => None,
    }
}

fn coordinates(p: DVec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

/// Above zero if `d` lies on the positive side of the plane through a, b, c; exact sign.
fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(d))
}

struct Mesh<'a> {
    points: &'a [DVec3],
    cells: Vec<Tetrahedron>,
    /// indices in `cells` to be used again
    free: Vec<u32>,
    /// the insertion that last looked at each cell: twice its number, and one more if the cell is dug out
    looked: Vec<u32>,
    insertion: u32,
    /// where the search for the next point starts
    last: u32,
    // kept between insertions for their memory
    cavity: Vec<u32>,
    border: Vec<(u32, usize)>,
    edges: Vec<([u32; 2], u32, usize)>,
}

impl Mesh<'_> {
    fn of_four(points: &[DVec3], [a, b, c, d]: [u32; 4]) -> Mesh<'_> {
        let vertex = [a, b, c, d];
        let inner = Tetrahedron { vertex, neighbour: [1, 2, 3, 4] };
        let mut cells = vec![inner];
        for face in FACES {
            // Seen from outside a face turns the other way round; across the face opposite one of its corners lies the
            // hull's triangle opposite that corner.
            let [x, y, z] = face.map(|corner| corner as u32);
            let corners = [x, z, y];
            let [e, f, g] = corners.map(|corner| vertex[corner as usize]);
            let [l, m, n] = corners.map(|corner| corner + 1);
            cells.push(Tetrahedron { vertex: [e, f, g, INFINITE], neighbour: [l, m, n, 0] });
        }
        let looked = vec![0; cells.len()];
        let (free, cavity, border, edges) = Default::default();
        Mesh { points, cells, free, looked, insertion: 0, last: 0, cavity, border, edges }
    }

    fn at(&self, k: u32) -> DVec3 {
        self.points[k as usize]
    }

    fn insert(&mut self, k: u32) {
        let p = self.at(k);
        if let Some(start) = self.locate(p) {
            self.dig(start, p);
            self.fill(k);
        }
    }

    /// A tetrahedron whose circumscribed sphere holds `p`, by a walk towards it; `None` if `p` is one of the points.
    fn locate(&self, p: DVec3) -> Option<u32> {
        let mut here = self.last;
        loop {
            let cell = &self.cells[here as usize];
            if let Some(k) = cell.vertex.iter().position(|v| *v == INFINITE) {
                let [a, b, c] = cell.face(k).map(|v| self.at(v));
                if side(a, b, c, p) > 0.0 {
                    return Some(here);
                }
                here = cell.neighbour[k];
                continue;
            }
            let beyond = (0..4).find(|k| {
                let [a, b, c] = cell.face(*k).map(|v| self.at(v));
                side(a, b, c, p) < 0.0
            });
            match beyond {
                Some(k) => here = cell.neighbour[k],
                None => return cell.vertex.iter().all(|v| self.at(*v) != p).then_some(here),
            }
        }
    }

    /// The circumscribed sphere holds `p`. The sphere of a triangle of the hull is the half space outside it, and on its
    /// plane the circle of the triangle, which is that of the sphere across.
    fn holds(&self, cell: &Tetrahedron, p: DVec3) -> bool {
        if let Some(k) = cell.vertex.iter().position(|v| *v == INFINITE) {
            let [a, b, c] = cell.face(k).map(|v| self.at(v));
            let side = side(a, b, c, p);
            return side > 0.0 || (side == 0.0 && self.holds(&self.cells[cell.neighbour[k] as usize], p));
        }
        let [a, b, c, d] = cell.vertex.map(|v| coordinates(self.at(v)));
        insphere(a, b, c, d, coordinates(p)) > 0.0
    }

    /// Finds all tetrahedra whose spheres hold `p`, which are connected, and the faces around them.
    fn dig(&mut self, start: u32, p: DVec3) {
        self.insertion += 1;
        let (outside, inside) = (2 * self.insertion, 2 * self.insertion + 1);
        self.cavity.clear();
        self.border.clear();
        self.cavity.push(start);
        self.looked[start as usize] = inside;
        let mut done = 0;
        while done < self.cavity.len() {
            let here = self.cavity[done];
            done += 1;
            for k in 0..4 {
                let next = self.cells[here as usize].neighbour[k];
                if self.looked[next as usize] < outside {
                    let held = self.holds(&self.cells[next as usize], p);
                    self.looked[next as usize] = if held { inside } else { outside };
                    if held {
                        self.cavity.push(next);
                    }
                }
                if self.looked[next as usize] == outside {
                    self.border.push((here, k));
                }
            }
        }
    }

    /// A tetrahedron from every face around the cavity to point `p`; those that share an edge of the border are neighbours.
    fn fill(&mut self, p: u32) {
        self.edges.clear();
        let border = std::mem::take(&mut self.border);
        for &(old, k) in &border {
            let cell = self.cells[old as usize];
            let ([a, b, c], outer) = (cell.face(k), cell.neighbour[k]);
            let new = self.store(Tetrahedron { vertex: [a, b, c, p], neighbour: [NOBODY, NOBODY, NOBODY, outer] });
            if let Some(back) = self.cells[outer as usize].neighbour.iter_mut().find(|n| **n == old) {
                *back = new;
            }
            for (slot, [u, v]) in [(0, [b, c]), (1, [a, c]), (2, [a, b])] {
                self.edges.push(([u.min(v), u.max(v)], new, slot));
            }
            self.last = new;
        }
        self.border = border;
        self.edges.sort_unstable();
        for pair in self.edges.chunks_exact(2) {
            let [(_, one, slot_one), (_, other, slot_other)] = [pair[0], pair[1]];
            self.cells[one as usize].neighbour[slot_one] = other;
            self.cells[other as usize].neighbour[slot_other] = one;
        }
        self.free.append(&mut self.cavity);
    }

    fn store(&mut self, cell: Tetrahedron) -> u32 {
        if let Some(k) = self.free.pop() {
            self.cells[k as usize] = cell;
            self.looked[k as usize] = 0;
            return k;
        }
        self.cells.push(cell);
        self.looked.push(0);
        (self.cells.len() - 1) as u32
    }

    /// The tetrahedra without the entries that are free.
    fn compact(mut self) -> Vec<Tetrahedron> {
        let mut index = vec![0; self.cells.len()];
        self.free.iter().for_each(|k| index[*k as usize] = NOBODY);
        index.iter_mut().filter(|p| **p != NOBODY).zip(0..).for_each(|(p, used)| *p = used);
        self.cells.iter_mut().for_each(|c| c.neighbour = c.neighbour.map(|n| index[n as usize]));
        let kept = self.cells.iter().zip(&index).filter(|(_, p)| **p != NOBODY).map(|(c, _)| *c);
        kept.collect()
    }
}
