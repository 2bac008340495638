//! What keeps a surface from bounding one body: its defects, each kind with the first of them.

use super::Mesh;
use super::crossing::{Crossings, crossings};
use super::edges::Edges;
use super::join::{firsts, mix};
use super::parts::Parts;
use crate::base::fault::Fault;
use crate::base::readable::number;
use crate::geometry::loops::{area_vector, named};
use crate::geometry::mass::moments;
use serde::Serialize;

/// Faults listed of one kind at most.
pub const LISTED: usize = 5;

/// Corners up to which comparing all of them is the fastest.
const FEW: usize = 8;

/// Kinds of defects, in the order in which they are reported: the first may cause those that follow.
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
    /// vertices of faces at the same position
    RepeatedVertices,
    /// faces that run through each other
    SelfIntersections,
}

impl Kind {
    /// The kind in words, as in `degenerate faces`.
    pub fn words(self) -> &'static str {
        match self {
            Kind::DegenerateFaces => "degenerate faces",
            Kind::RepeatedFaces => "repeated faces",
            Kind::FlippedFaces => "flipped faces",
            Kind::BranchingEdges => "branching edges",
            Kind::BoundaryEdges => "boundary edges",
            Kind::TwistedEdges => "twisted edges",
            Kind::Parts => "parts",
            Kind::NoVolume => "no volume",
            Kind::Tunnels => "tunnels",
            Kind::RepeatedVertices => "repeated vertices",
            Kind::SelfIntersections => "self intersections",
        }
    }
}

/// Defects of a kind.
#[derive(Debug, Clone, Serialize)]
pub struct Defect {
    /// what
    pub kind: Kind,
    /// how many
    pub count: usize,
    /// the first of them: file, line or number, and what is wrong there
    pub first: Vec<Fault>,
    /// what to do about all of them
    pub remedy: String,
}

impl Defect {
    /// The first of them, with its remedy.
    pub fn fault(&self) -> Fault {
        let mut fault = self.first.first().cloned().unwrap_or_default().remedy(&self.remedy);
        if self.count > 1 {
            fault.what = format!("{} (the first of {})", fault.what, self.count);
        }
        fault
    }
}

/// Counts of a surface, and its defects.
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
    /// faces of more than three corners that are not flat
    pub bent_faces: usize,
    /// the most that a corner is off the plane of such a face, over the length of the face
    pub bent_most: f64,
    /// numbers of the faces to be turned, from 0
    #[serde(skip)]
    pub flipped: Vec<usize>,
    /// numbers of the faces without area, from 0
    #[serde(skip)]
    pub degenerate: Vec<usize>,
    /// numbers of the faces that repeat an earlier one, from 0
    #[serde(skip)]
    pub repeated: Vec<usize>,
    /// none: the surface bounds one body
    pub defects: Vec<Defect>,
}

impl Audit {
    /// Audits a surface, except for faces that cross each other.
    pub fn of(mesh: &Mesh) -> Audit {
        let edges = Edges::of(mesh.vertices_m.len(), &mesh.faces);
        let parts = Parts::of(mesh, &edges);
        let used = named(mesh.vertices_m.len(), mesh.faces.corners());
        let vertices = used.iter().filter(|u| **u).count();
        let count = edges.iter().count();
        let (bent_faces, bent_most) = mesh.bent;
        let mut audit = Audit {
            vertices,
            unused_vertices: used.len() - vertices,
            edges: count,
            faces: mesh.faces.len(),
            euler: vertices as i64 - count as i64 + mesh.faces.len() as i64,
            parts: parts.count,
            bent_faces,
            bent_most,
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
        let fault = |[f, g]: &[usize; 2]| {
            let both = mesh.faces_in_words(&[*f, *g]);
            mesh.face_fault(*f, format!("the face runs through or touches another, {both}"))
        };
        let remedy = "a surface must not run through itself: correct it where it was made";
        self.add(Kind::SelfIntersections, pairs.len(), pairs.iter().map(fault), remedy);
        if pairs.is_empty() && !whole {
            let what = "so many faces lie close together that not all were compared";
            let remedy = "whether the surface runs through itself is not known: give one without vertices that thousands of faces share";
            self.add(Kind::SelfIntersections, 1, [mesh.fault(what)].into_iter(), remedy);
        }
        self
    }

    fn add(&mut self, kind: Kind, count: usize, first: impl Iterator<Item = Fault>, remedy: &str) {
        if count > 0 {
            self.defects.push(Defect { kind, count, first: first.take(LISTED).collect(), remedy: remedy.into() });
        }
    }

    fn face_faults(&mut self, mesh: &Mesh, parts: &Parts) {
        let fault = |what: &'static str| move |f: &usize| mesh.face_fault(*f, format!("the face {what}"));
        let remedy = "remove it and join its neighbours, or let `breccia mesh fix` drop it";
        let list = std::mem::take(&mut self.degenerate);
        self.add(Kind::DegenerateFaces, list.len(), list.iter().map(fault("has no area")), remedy);
        self.degenerate = list;
        let list = std::mem::take(&mut self.repeated);
        let remedy = "remove it, or let `breccia mesh fix` drop it";
        self.add(Kind::RepeatedFaces, list.len(), list.iter().map(fault("has the vertices of an earlier one")), remedy);
        self.repeated = list;
        let flipped = &parts.flipped;
        if !flipped.is_empty() && flipped.len() == mesh.faces.len() {
            let volume_m3 = moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
            let what = format!("the faces are inside out (volume {} m3)", number(volume_m3));
            let remedy = "reverse the order of the vertices in every face, or let `breccia mesh fix` do so";
            self.add(Kind::FlippedFaces, flipped.len(), [mesh.fault(what)].into_iter(), remedy);
        } else {
            let remedy = "reverse its vertices, or let `breccia mesh fix` do so";
            self.add(Kind::FlippedFaces, flipped.len(), flipped.iter().map(fault("is the wrong way round")), remedy);
        }
    }

    fn edge_faults(&mut self, mesh: &Mesh, edges: &Edges, parts: &Parts) {
        let sided = |wanted: fn(usize) -> bool| edges.iter().filter(move |(_, s)| wanted(s.len()));
        let edge = |[a, b]: [u32; 2]| format!("edge {}-{}", mesh.number_of(a as usize), mesh.number_of(b as usize));
        let branching = sided(|n| n > 2).map(|(e, sides)| {
            let faces: Vec<usize> = sides.iter().map(|s| s.face()).collect();
            let what = format!("{} belongs to {} faces ({})", edge(e), faces.len(), mesh.faces_in_words(&faces));
            mesh.face_fault(faces[0], what)
        });
        let remedy = "a surface has two faces at each edge";
        self.add(Kind::BranchingEdges, sided(|n| n > 2).count(), branching, remedy);
        let open = sided(|n| n == 1);
        let open = open.map(|(e, s)| mesh.face_fault(s[0].face(), format!("{} belongs to one face only", edge(e))));
        let remedy = match self.repeated_vertices {
            0 => "the surface is open: fill the holes".into(),
            n => format!("the surface is open: join the {n} repeated vertices (`breccia mesh fix`)"),
        };
        self.add(Kind::BoundaryEdges, sided(|n| n == 1).count(), open, &remedy);
        let what = format!("at {} edges the faces cannot be turned alike", parts.twisted);
        self.add(
            Kind::TwistedEdges,
            parts.twisted,
            [mesh.fault(what)].into_iter(),
            "the surface has one side only; give one with an inside",
        );
    }

    fn whole_faults(&mut self, mesh: &Mesh, parts: &Parts, again: &[usize], first: &[u32]) {
        if parts.count > 1 {
            let begins = |p: usize| parts.of_face.iter().position(|q| *q as usize == p).unwrap_or(0);
            let further =
                (1..parts.count.min(LISTED + 1)).map(|p| mesh.face_fault(begins(p), "a further part begins here"));
            let remedy = format!("the surface has {} parts that share no edge; give one body", parts.count);
            self.add(Kind::Parts, parts.count - 1, further, &remedy);
        } else if self.defects.is_empty() && self.euler != 2 {
            let what = format!("vertices - edges + faces is {}, not 2", self.euler);
            let remedy = "the surface has tunnels or touches itself at vertices; give one simple body";
            self.add(Kind::Tunnels, 1, [mesh.fault(what)].into_iter(), remedy);
        }
        let volume_m3 = moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
        // not above zero, nor a number
        if self.defects.is_empty() && !matches!(volume_m3.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
            let what = format!("the faces enclose {} m3", number(volume_m3));
            self.add(Kind::NoVolume, 1, [mesh.fault(what)].into_iter(), "give the surface of a body");
        }
        let fault = |v: &usize| {
            let [again, earlier] = [*v, first[*v] as usize].map(|v| mesh.number_of(v));
            mesh.vertex_fault(*v, format!("vertex {again} has the position of vertex {earlier}"))
        };
        let remedy = "join them (`breccia mesh fix`)";
        self.add(Kind::RepeatedVertices, again.len(), again.iter().map(fault), remedy);
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
