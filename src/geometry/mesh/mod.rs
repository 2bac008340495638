//! Surfaces of polygons from files, one format a file, and whether they bound one body: closed, every face the right
//! way round, nowhere through themselves. Nothing is repaired silently.

pub mod audit;
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
use crate::base::error::Error;
use glam::DVec3;

/// How many faces of one fault are reported.
const FACES_TOLD: usize = 20;

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
    /// vertices of the file that stood where an earlier one does and became that one: a property of STL and ICQ
    pub joined: usize,
}

impl Mesh {
    /// A fault of a line of the file.
    fn line_fault(&self, line: usize, what: &str) -> Error {
        Error::Data(format!("{}:{line}: {what}", self.name))
    }

    /// Number of a vertex in the file, from 1.
    pub fn number_of(&self, vertex: usize) -> usize {
        self.vertex_numbers.get(vertex).map_or(vertex, |n| *n as usize) + 1
    }

    /// The source of a vertex: file and line, or the file if it has no lines.
    pub fn at_vertex(&self, vertex: usize) -> String {
        match self.vertex_lines.get(vertex) {
            Some(line) => format!("{}:{line}", self.name),
            None => self.name.clone(),
        }
    }

    /// The source of a face: file and line, or file and number if it has no lines.
    pub fn at_face(&self, face: usize) -> String {
        match self.face_lines.get(face) {
            Some(line) => format!("{}:{line}", self.name),
            None => format!("{}: face {}", self.name, face + 1),
        }
    }

    /// Faces by their lines, or by their numbers.
    fn faces_in_words(&self, faces: &[usize]) -> String {
        if faces.len() > FACES_TOLD {
            return format!("{}, ...", self.faces_in_words(&faces[..FACES_TOLD]));
        }
        match self.face_lines.is_empty() {
            true => format!("faces {:?}", faces.iter().map(|f| f + 1).collect::<Vec<_>>()),
            false => format!("lines {:?}", faces.iter().map(|f| self.face_lines[*f]).collect::<Vec<_>>()),
        }
    }
}
