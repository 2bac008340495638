//! A closed surface that spheres keep on one side of.

use crate::geometry::facet_tree::FacetTree;
use crate::geometry::inside::inside;
use crate::geometry::ray::first_facet;
use crate::geometry::surface::Surface;
use crate::physics::surface::facet::Facet;
use glam::DVec3;
use std::cell::Cell;

/// A closed surface, its facets in a tree.
pub(super) struct Wall {
    /// where the mass centre is that the facets count from (m)
    origin_m: DVec3,
    tree: FacetTree,
    /// in the order of the tree
    facets: Vec<Facet>,
}

/// A sphere that keeps its distance from a wall, with the last exact answer about it.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    /// number of the sphere
    pub(super) sphere: usize,
    /// number of the wall
    pub(super) wall: usize,
    /// 1: it stays inside, -1: outside
    pub(super) side: f64,
    /// least distance of its centre from the wall (m)
    pub(super) margin_m: f64,
    /// where the centre was when the wall was last asked (m)
    at: DVec3,
    /// signed distance then, positive on its side (m); not a number: not yet known
    distance_m: f64,
    /// the planes that stand for the wall there: the nearest, and those that are reached when the sphere is moved off it
    planes: Vec<Plane>,
}

/// A plane that a wall looks like from a sphere.
#[derive(Debug, Clone, Copy)]
struct Plane {
    /// a point of the wall (m)
    point: DVec3,
    /// unit vector away from the wall, into the sphere's side
    away: DVec3,
}

/// A corner of a box has so many.
const PLANES: usize = 3;
/// An answer holds for so small a part of the sphere's own length.
const STALE: f64 = 0.02;

impl Wall {
    /// The wall of a surface.
    pub(super) fn new(surface: &Surface) -> Wall {
        let tree = FacetTree::new(surface);
        let facets = tree.corners_m.iter().map(|c| Facet::new(*c)).collect();
        Wall { origin_m: surface.origin_m, tree, facets }
    }

    /// Whether a point is inside.
    pub(super) fn holds(&self, p: DVec3) -> bool {
        inside(&self.tree, p - self.origin_m)
    }

    /// Whether a line from `a` to `b` crosses the surface.
    pub(super) fn crosses(&self, a: DVec3, b: DVec3) -> bool {
        first_facet(&self.tree, a - self.origin_m, b - a).is_some_and(|far| far < 1.0)
    }

    /// The point of the surface that is closest to `p`, if one is nearer than `within_m`.
    pub(super) fn closest(&self, p: DVec3, within_m: f64) -> Option<DVec3> {
        let p = p - self.origin_m;
        let best = Cell::new(within_m * within_m);
        let mut found = None;
        let near = |low: DVec3, high: DVec3| p.distance_squared(p.clamp(low, high)) < best.get();
        self.tree.boxes.walk(
            |node| near(node.low, node.high),
            |k| {
                let point = self.facets[k].closest(p);
                if point.distance_squared(p) < best.get() {
                    best.set(point.distance_squared(p));
                    found = Some(point);
                }
            },
        );
        found.map(|point| point + self.origin_m)
    }
}

impl Watch {
    /// Not yet asked.
    pub(super) fn new(sphere: usize, wall: usize, side: f64, margin_m: f64) -> Watch {
        let (at, distance_m, planes) = (DVec3::ZERO, f64::NAN, vec![]);
        Watch { sphere, wall, side, margin_m, at, distance_m, planes }
    }

    /// How far the sphere is too near to the wall (m), and the way off it (m); below zero it is clear. `length_m`: the scale of
    /// the sphere. Exact to `STALE` squared of that scale, or wholly if `exact`.
    pub(super) fn depth(&mut self, wall: &Wall, p: DVec3, length_m: f64, exact: bool) -> (f64, DVec3) {
        let moved = p.distance(self.at);
        if self.distance_m - moved > self.margin_m && !exact {
            return (f64::NEG_INFINITY, DVec3::ZERO);
        }
        // of a comparison with what is not a number
        let fresh = moved <= STALE * length_m && self.distance_m.is_finite();
        if !fresh || (exact && moved > 0.0) {
            self.ask(wall, p, moved, STALE * length_m);
        }
        let (mut deepest, mut push) = (f64::NEG_INFINITY, DVec3::ZERO);
        for plane in &self.planes {
            let depth = self.margin_m - plane.away.dot(p - plane.point);
            deepest = deepest.max(depth);
            push += depth.max(0.0) * plane.away;
        }
        (deepest, push)
    }

    /// Asks the wall at `p`. At an edge one plane is not the wall: the sphere is moved off the nearest and asked again, with
    /// `reserve_m` for what it moves until it asks next.
    fn ask(&mut self, wall: &Wall, p: DVec3, moved: f64, reserve_m: f64) {
        let known = self.distance_m.is_finite();
        let same_side = known && moved < self.distance_m.abs();
        let right = if same_side { self.distance_m > 0.0 } else { self.is_right(wall, p) };
        let within = if known { self.distance_m.abs() + moved } else { f64::MAX.sqrt() };
        let (distance, nearest) = plane(wall, p, right, within * (1.0 + 1e-9));
        (self.at, self.distance_m) = (p, distance);
        self.planes.clear();
        self.planes.push(nearest);
        let clear = self.margin_m + reserve_m;
        let (mut q, mut depth) = (p, clear - distance);
        while depth > 0.0 && self.planes.len() < PLANES {
            q += depth * self.planes[self.planes.len() - 1].away;
            let (distance, next) = plane(wall, q, self.is_right(wall, q), f64::MAX.sqrt());
            depth = clear - distance;
            // of a smooth wall nothing is left
            if depth < 0.5 * reserve_m {
                break;
            }
            self.planes.push(next);
        }
    }

    fn is_right(&self, wall: &Wall, p: DVec3) -> bool {
        wall.holds(p) == (self.side > 0.0)
    }
}

/// The signed distance of a point from a wall, positive on the right side (m), and the plane in its place.
fn plane(wall: &Wall, p: DVec3, right: bool, within_m: f64) -> (f64, Plane) {
    let point = wall.closest(p, within_m).unwrap_or(p);
    let sign = if right { 1.0 } else { -1.0 };
    (sign * point.distance(p), Plane { point, away: sign * (p - point).normalize_or(DVec3::Z) })
}
