//! What keeps a surface from bounding one body, every fault with its first places.

use super::Mesh;
use super::crossing::{Crossings, crossings};
use super::edges::Edges;
use super::join::{firsts, mix};
use super::parts::Parts;
use crate::geometry::loops::area_vector;
use crate::geometry::mass::moments;
use serde::Serialize;

/// Places named of a fault at most.
pub const PLACES: usize = 5;

/// Corners up to which comparing all of them is the fastest.
const FEW: usize = 8;

/// Kinds of faults, in the order in which they are reported: the first may cause those that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// no area, or a vertex twice
    DegenerateFaces,
    /// the same vertices as an earlier face
    RepeatedFaces,
    /// the wrong way round
    FlippedFaces,
    /// of more than two faces
    BranchingEdges,
    /// of one face
    BoundaryEdges,
    /// cannot have an outside
    TwistedEdges,
    /// surfaces beyond the first
    Parts,
    /// flat, or as much inside out as not
    NoVolume,
    /// tunnels, or vertices at which the surface touches itself
    Tunnels,
    /// vertices of faces at the same place
    RepeatedVertices,
    /// faces that run through each other
    SelfIntersections,
}

/// Faults of a kind.
#[derive(Debug, Clone, Serialize)]
pub struct Fault {
    /// what
    pub kind: Kind,
    /// how many
    pub count: usize,
    /// the first of them: file, line or number, and what is wrong there
    pub first: Vec<String>,
    /// the remedy
    pub way: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let first = self.first.first().map_or("", String::as_str);
        let all = if self.count > 1 { format!(" (the first of {})", self.count) } else { String::new() };
        write!(f, "{first}{all}: {}", self.way)
    }
}

/// Counts of a surface, and its faults.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Audit {
    /// vertices that faces name
    pub vertices: usize,
    /// vertices that no face names
    pub unused_vertices: usize,
    /// vertices of faces at the same position as an earlier one
    pub repeated_vertices: usize,
    /// edges
    pub edges: usize,
    /// faces
    pub faces: usize,
    /// vertices - edges + faces: 2 of a surface without tunnels
    pub euler: i64,
    /// parts that share no edge
    pub parts: usize,
    /// numbers of the faces to be turned, from 0
    #[serde(skip)]
    pub flipped: Vec<usize>,
    /// numbers of the faces without area, from 0
    #[serde(skip)]
    pub degenerate: Vec<usize>,
    /// numbers of the faces that repeat an earlier one, from 0
    #[serde(skip)]
    pub repeated: Vec<usize>,
    /// empty: the surface bounds one body
    pub faults: Vec<Fault>,
}

impl Audit {
    /// Audits a surface, except for faces that cross each other.
    pub fn of(mesh: &Mesh) -> Audit {
        let edges = Edges::of(mesh.vertices_m.len(), &mesh.faces);
        let parts = Parts::of(mesh, &edges);
        let mut used = vec![false; mesh.vertices_m.len()];
        mesh.faces.corners().iter().for_each(|c| used[*c as usize] = true);
        let vertices = used.iter().filter(|u| **u).count();
        let count = edges.iter().count();
        let mut audit = Audit {
            vertices,
            unused_vertices: used.len() - vertices,
            edges: count,
            faces: mesh.faces.len(),
            euler: vertices as i64 - count as i64 + mesh.faces.len() as i64,
            parts: parts.count,
            ..Audit::default()
        };
        audit.degenerate = (0..mesh.faces.len()).filter(|f| is_degenerate(mesh, *f)).collect();
        audit.repeated = repeated_faces(mesh);
        let first = firsts(&mesh.vertices_m);
        let again: Vec<usize> =
            (0..used.len()).filter(|v| used[*v] && used[first[*v] as usize] && first[*v] as usize != *v).collect();
        audit.repeated_vertices = again.len();
        audit.face_faults(mesh, &parts);
        audit.edge_faults(mesh, &edges, &parts);
        audit.whole_faults(mesh, &parts, &again, &first);
        audit.flipped = parts.flipped;
        audit
    }

    /// Adds faces that run through each other.
    pub fn with_crossings(mut self, mesh: &Mesh) -> Audit {
        let Crossings { pairs, whole } = crossings(mesh);
        let told = |[f, g]: &[usize; 2]| {
            format!(
                "{}: the face runs through or touches another, {}",
                mesh.at_face(*f),
                mesh.faces_in_words(&[*f, *g])
            )
        };
        let way = "the surface must not run through itself: mend it where it was made";
        self.add(Kind::SelfIntersections, pairs.len(), pairs.iter().map(told), way.into());
        if pairs.is_empty() && !whole {
            let what = format!("{}: so many faces lie close together that not all were compared", mesh.name);
            let way =
                "whether the surface runs through itself is not known: give one without vertices of thousands of faces";
            self.add(Kind::SelfIntersections, 1, [what].into_iter(), way.into());
        }
        self
    }

    fn add(&mut self, kind: Kind, count: usize, places: impl Iterator<Item = String>, way: String) {
        if count > 0 {
            self.faults.push(Fault { kind, count, first: places.take(PLACES).collect(), way });
        }
    }

    fn face_faults(&mut self, mesh: &Mesh, parts: &Parts) {
        let told = |what: &'static str| move |f: &usize| format!("{}: the face {what}", mesh.at_face(*f));
        let way = "remove it and join its neighbours, or let `breccia mesh fix` drop it";
        let list = std::mem::take(&mut self.degenerate);
        self.add(Kind::DegenerateFaces, list.len(), list.iter().map(told("has no area")), way.into());
        self.degenerate = list;
        let list = std::mem::take(&mut self.repeated);
        let way = "remove it, or let `breccia mesh fix` drop it";
        self.add(
            Kind::RepeatedFaces,
            list.len(),
            list.iter().map(told("has the vertices of an earlier one")),
            way.into(),
        );
        self.repeated = list;
        let flipped = &parts.flipped;
        if !flipped.is_empty() && flipped.len() == mesh.faces.len() {
            let volume_m3 = moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
            let what = format!("{}: the faces are inside out (volume {volume_m3:e} m3)", mesh.name);
            let way = "reverse the order of the vertices in every face, or let `breccia mesh fix` do so";
            self.add(Kind::FlippedFaces, flipped.len(), [what].into_iter(), way.into());
        } else {
            let way = "it is flipped; reverse its vertices, or let `breccia mesh fix` do so";
            self.add(Kind::FlippedFaces, flipped.len(), flipped.iter().map(told("is the wrong way round")), way.into());
        }
    }

    fn edge_faults(&mut self, mesh: &Mesh, edges: &Edges, parts: &Parts) {
        let sided = |wanted: fn(usize) -> bool| edges.iter().filter(move |(_, s)| wanted(s.len()));
        let edge = |[a, b]: [u32; 2]| format!("edge {}-{}", mesh.number_of(a as usize), mesh.number_of(b as usize));
        let branching = sided(|n| n > 2).map(|(e, sides)| {
            let faces: Vec<usize> = sides.iter().map(|s| s.face()).collect();
            let what = format!("{} belongs to {} faces ({})", edge(e), faces.len(), mesh.faces_in_words(&faces));
            format!("{}: {what}", mesh.at_face(faces[0]))
        });
        let way = "a surface has two faces at each edge";
        self.add(Kind::BranchingEdges, sided(|n| n > 2).count(), branching, way.into());
        let open = sided(|n| n == 1);
        let open = open.map(|(e, s)| format!("{}: {} belongs to one face only", mesh.at_face(s[0].face()), edge(e)));
        let way = match self.repeated_vertices {
            0 => "the surface is open; fill the holes".into(),
            n => format!("the surface is open; join the {n} repeated vertices (`breccia mesh fix`)"),
        };
        self.add(Kind::BoundaryEdges, sided(|n| n == 1).count(), open, way);
        let what = format!("{}: {} edges have no way to turn their faces alike", mesh.name, parts.twisted);
        self.add(Kind::TwistedEdges, parts.twisted, [what].into_iter(), "the surface has one side only".into());
    }

    fn whole_faults(&mut self, mesh: &Mesh, parts: &Parts, again: &[usize], first: &[u32]) {
        if parts.count > 1 {
            let begins = |p: usize| parts.of_face.iter().position(|q| *q as usize == p).unwrap_or(0);
            let told = (1..parts.count.min(PLACES + 1))
                .map(|p| format!("{}: a further part begins here", mesh.at_face(begins(p))));
            let way = format!("the surface has {} parts that share no edge; give one body", parts.count);
            self.add(Kind::Parts, parts.count - 1, told, way);
        } else if self.faults.is_empty() && self.euler != 2 {
            let what = format!("{}: vertices - edges + faces = {}, not 2", mesh.name, self.euler);
            let way = "the surface has tunnels or touches itself at vertices; give one simple body";
            self.add(Kind::Tunnels, 1, [what].into_iter(), way.into());
        }
        let volume_m3 = moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
        // not above zero, nor a number
        if self.faults.is_empty() && !matches!(volume_m3.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
            let what = format!("{}: the faces enclose {volume_m3:e} m3", mesh.name);
            self.add(Kind::NoVolume, 1, [what].into_iter(), "give the surface of a body".into());
        }
        let told = |v: &usize| {
            format!(
                "{}: vertex {} stands where vertex {} does",
                mesh.at_vertex(*v),
                mesh.number_of(*v),
                mesh.number_of(first[*v] as usize)
            )
        };
        let way = "join them (`breccia mesh fix`)";
        self.add(Kind::RepeatedVertices, again.len(), again.iter().map(told), way.into());
    }
}

/// A corner twice, or an area below 1e-12 of the square of the length.
fn is_degenerate(mesh: &Mesh, face: usize) -> bool {
    let face = mesh.faces.get(face);
    let corner = |k: u32| mesh.vertices_m[k as usize];
    let length2 = face.iter().map(|k| corner(*k).distance_squared(corner(face[0]))).fold(0.0, f64::max);
    has_twice(face) || area_vector(&mesh.vertices_m, face).length() <= 1e-12 * length2
}

/// Whether a corner occurs twice; a face may have as many as its file has vertices.
fn has_twice(face: &[u32]) -> bool {
    if face.len() <= FEW {
        return (1..face.len()).any(|k| face[..k].contains(&face[k]));
    }
    let mut corners = face.to_vec();
    corners.sort_unstable();
    corners.windows(2).any(|w| w[0] == w[1])
}

/// Faces with the vertices of an earlier one, in any order.
fn repeated_faces(mesh: &Mesh) -> Vec<usize> {
    // alike whatever the order of the corners
    let key = |face: &[u32]| face.iter().map(|c| mix(u64::from(*c) + 1)).fold(0, u64::wrapping_add);
    let mut keyed: Vec<(u64, u32)> = mesh.faces.iter().zip(0..).map(|(face, f)| (key(face), f)).collect();
    keyed.sort_unstable();
    let sorted = |f: u32| {
        let mut corners = mesh.faces.get(f as usize).to_vec();
        corners.sort_unstable();
        corners
    };
    let mut repeated = vec![];
    for group in keyed.chunk_by(|a, b| a.0 == b.0).filter(|g| g.len() > 1) {
        let faces: Vec<Vec<u32>> = group.iter().map(|(_, f)| sorted(*f)).collect();
        let again = (1..faces.len()).filter(|k| faces[..*k].contains(&faces[*k]));
        repeated.extend(again.map(|k| group[k].1 as usize));
    }
    repeated.sort_unstable();
    repeated
}
