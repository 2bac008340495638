//! Surfaces of polygons from files, one format a file, and whether they bound one body: closed, every face the right
//! way round, nowhere through themselves. Nothing is repaired silently.

pub mod audit;
mod bent;
mod concave;
pub mod crossing;
mod edges;
pub mod fix;
pub mod format;
mod icq;
pub(super) mod join;
pub mod lat_lon;
pub mod measure;
mod obj;
mod parts;
mod plate;
mod ply;
mod read;
mod rows;
mod stl;
pub mod write;

use super::loops::Loops;
use crate::base::error::{Error, Fault};
use glam::DVec3;

/// Faces that one message names at most.
const FACES_NAMED: usize = 20;

/// A surface, and the lines that it came from.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// name of the file, for messages
    pub name: String,
    /// (m)
    pub vertices_m: Vec<DVec3>,
    /// line of each vertex; empty where the format has no lines
    pub vertex_lines: Vec<u32>,
    /// number of each vertex in the file, from 0; empty: in their order
    pub vertex_numbers: Vec<u32>,
    /// loops of vertices, counter-clockwise from outside
    pub faces: Loops,
    /// line of each face; empty where the format has no lines
    pub face_lines: Vec<u32>,
    /// vertices of the file that had the position of an earlier one and became that one: a property of STL and ICQ
    pub joined: usize,
    /// faces of the file that were not convex and became triangles
    pub cut: usize,
    /// faces of the file that were not flat, and the most that a corner was off the plane of its face, over the length of the face
    pub bent: (usize, f64),
}

impl Mesh {
    /// A fault of the file as a whole.
    pub fn fault(&self, what: impl Into<String>) -> Fault {
        Fault::new(what).file(&self.name)
    }

    /// The error of a line of the file.
    fn line_error(&self, line: usize, what: impl Into<String>) -> Error {
        self.fault(what).line(line).data()
    }

    /// Number of a vertex in the file, from 1.
    pub fn number_of(&self, vertex: usize) -> usize {
        self.vertex_numbers.get(vertex).map_or(vertex, |n| *n as usize) + 1
    }

    /// A fault of a vertex: of its line, or of the file if the format has no lines.
    pub fn vertex_fault(&self, vertex: usize, what: impl Into<String>) -> Fault {
        Fault { line: self.vertex_lines.get(vertex).map(|l| *l as usize), ..self.fault(what) }
    }

    /// A fault of a face: of its line, or of its number if the format has no lines.
    pub fn face_fault(&self, face: usize, what: impl Into<String>) -> Fault {
        match self.face_lines.get(face) {
            Some(line) => self.fault(what).line(*line as usize),
            None => self.fault(what).key(format!("face {}", face + 1)),
        }
    }

    /// Faces by their lines, or by their numbers.
    fn faces_in_words(&self, faces: &[usize]) -> String {
        if faces.len() > FACES_NAMED {
            return format!("{}, ...", self.faces_in_words(&faces[..FACES_NAMED]));
        }
        match self.face_lines.is_empty() {
            true => format!("faces {:?}", faces.iter().map(|f| f + 1).collect::<Vec<_>>()),
            false => format!("lines {:?}", faces.iter().map(|f| self.face_lines[*f]).collect::<Vec<_>>()),
        }
    }
}
