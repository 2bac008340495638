//! Reads a surface of polygons from a Wavefront OBJ file (PDS radar tables are the same) and makes sure that it bounds
//! one body: closed, every face the right way round. Nothing is mended silently.

use super::loops::{area_vector, sides};
use super::mass::moments;
use crate::error::{Error, Result};
use glam::DVec3;
use std::collections::HashMap;
use std::path::Path;

/// Keywords of an OBJ file without a meaning for the surface.
const PASSED_OVER: [&str; 11] = ["vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p", "#"];

/// A surface, and the lines that it came from.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// name of the file, for messages
    pub name: String,
    /// (m)
    pub vertices_m: Vec<DVec3>,
    /// line of each vertex
    pub vertex_lines: Vec<usize>,
    /// loops of vertices, counter-clockwise from outside
    pub faces: Vec<Vec<u32>>,
    /// line of each face
    pub face_lines: Vec<usize>,
}

impl Mesh {
    /// Reads a file whose unit is `metres_per_unit`.
    pub fn read(path: &Path, metres_per_unit: f64) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
        Self::parse(&text, &path.display().to_string(), metres_per_unit)
    }

    /// The objects (`o` or `g` lines) of a file whose unit is `metres_per_unit`, each a body of its own.
    pub fn read_objects(path: &Path, metres_per_unit: f64) -> Result<Vec<Self>> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
        let whole = Self::lines(&text, &path.display().to_string(), metres_per_unit)?;
        let starts = |line: &&str| matches!(line.split_whitespace().next(), Some("o" | "g"));
        let heads = (1..).zip(text.lines()).filter(|(_, l)| starts(l)).map(|(k, _)| k);
        let heads: Vec<usize> = heads.chain([usize::MAX]).collect();
        // faces above the first head are an object too
        let mut object = vec![vec![]; heads.len()];
        for (f, line) in whole.face_lines.iter().enumerate() {
            object[heads.partition_point(|h| h < line)].push(f);
        }
        let pick = |faces: &Vec<usize>| {
            let mut mesh = whole.clone();
            mesh.faces = faces.iter().map(|f| whole.faces[*f].clone()).collect();
            mesh.face_lines = faces.iter().map(|f| whole.face_lines[*f]).collect();
            mesh.bounds_a_body().map(|()| mesh)
        };
        object.iter().filter(|faces| !faces.is_empty()).map(pick).collect()
    }

    /// As [`Self::read`] from a text; `name` stands in messages.
    pub fn parse(text: &str, name: &str, metres_per_unit: f64) -> Result<Self> {
        let mesh = Self::lines(text, name, metres_per_unit)?;
        mesh.bounds_a_body().map(|()| mesh)
    }

    /// Vertices and faces as they stand.
    fn lines(text: &str, name: &str, metres_per_unit: f64) -> Result<Self> {
        if !(metres_per_unit.is_finite() && metres_per_unit > 0.0) {
            return Err(Error::Usage(format!("{name}: {metres_per_unit} m per unit: give a length above zero")));
        }
        let mut mesh =
            Self { name: name.into(), vertices_m: vec![], vertex_lines: vec![], faces: vec![], face_lines: vec![] };
        for (k, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            mesh.take(k + 1, line, metres_per_unit).map_err(|e| mesh.fault(k + 1, &e))?;
        }
        let (used, known) = (mesh.faces.iter().flatten().max().copied(), mesh.vertices_m.len());
        match used {
            None => Err(Error::Data(format!(
                "{name}: {known} vertices and no faces (lines that begin with `f`): export the surface with its faces"
            ))),
            Some(_) => Ok(mesh),
        }
    }

    fn fault(&self, line: usize, what: &str) -> Error {
        Error::Data(format!("{}:{line}: {what}", self.name))
    }

    /// One line of the file.
    fn take(&mut self, number: usize, line: &str, metres_per_unit: f64) -> std::result::Result<(), String> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let cells: Vec<Option<f64>> =
                    words.take(3).map(|w| w.parse().ok().filter(|x: &f64| x.is_finite())).collect();
                let [Some(x), Some(y), Some(z)] = cells[..] else {
                    return Err("a vertex needs three finite numbers".into());
                };
                self.vertices_m.push(metres_per_unit * DVec3::new(x, y, z));
                self.vertex_lines.push(number);
            }
            Some("f") => {
                let corners: std::result::Result<Vec<u32>, String> = words.map(|w| self.index(w)).collect();
                let corners = corners?;
                if corners.len() < 3 || (1..corners.len()).any(|k| corners[..k].contains(&corners[k])) {
                    return Err(format!("`{}` is no face: it needs three or more different vertices", line.trim()));
                }
                self.faces.push(corners);
                self.face_lines.push(number);
            }
            Some(word) if !PASSED_OVER.contains(&word) && !word.starts_with('#') => {
                return Err(format!(
                    "`{word}` is not known: only vertices `v` and faces `f` are taken; export as polygons"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// A vertex of a face: `7`, `7/1/3` or, counted back from the last one, `-1`.
    fn index(&self, word: &str) -> std::result::Result<u32, String> {
        let known = self.vertices_m.len();
        let number: Option<i64> = word.split('/').next().and_then(|n| n.parse().ok());
        let place = number.map(|n| if n < 0 { n.saturating_add(known as i64) } else { n - 1 });
        match place {
            Some(p) if (0..known as i64).contains(&p) => Ok(p as u32),
            _ => Err(format!("`{word}` names none of the {known} vertices above: they count from 1, or back from -1")),
        }
    }

    /// `Err` unless the faces bound one body from outside.
    fn bounds_a_body(&self) -> Result<()> {
        self.every_edge_has_two_sides()?;
        for (face, line) in self.faces.iter().zip(&self.face_lines) {
            let corner = |k: u32| self.vertices_m[k as usize];
            let length = face.iter().map(|k| corner(*k).distance(corner(face[0]))).fold(0.0, f64::max);
            if area_vector(&self.vertices_m, face).length() <= 1e-12 * length * length {
                return Err(self.fault(*line, "the face has no area: remove it and join its neighbours"));
            }
        }
        let volume_m3 = moments(&self.vertices_m, self.faces.iter().map(Vec::as_slice)).volume_m3;
        if volume_m3 <= 0.0 {
            let way = "reverse the order of the vertices in every face";
            return Err(Error::Data(format!(
                "{}: the faces are inside out (volume {volume_m3:e} m3): {way}",
                self.name
            )));
        }
        let mut used: Vec<u32> = self.faces.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let sides: usize = self.faces.iter().map(Vec::len).sum();
        let euler = used.len() as i64 - (sides / 2) as i64 + self.faces.len() as i64;
        if euler != 2 {
            return Err(Error::Data(format!(
                "{}: vertices - edges + faces = {euler}, not 2: the surface has tunnels or several parts; give one simple body",
                self.name
            )));
        }
        Ok(())
    }

    /// Every edge belongs to two faces, which run through it in opposite directions.
    fn every_edge_has_two_sides(&self) -> Result<()> {
        let mut uses: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (f, face) in self.faces.iter().enumerate() {
            sides(face).for_each(|s| uses.entry(s).or_default().push(f));
        }
        let edge = |[a, b]: [u32; 2]| format!("edge {}-{}", a + 1, b + 1);
        let mut open = vec![];
        for (f, face) in self.faces.iter().enumerate() {
            for [a, b] in sides(face) {
                let [same, other] = [[a, b], [b, a]].map(|s| uses.get(&s).map_or(&[][..], Vec::as_slice));
                let lines: Vec<usize> = same.iter().chain(other).map(|k| self.face_lines[*k]).collect();
                match (same.len(), other.len()) {
                    (1, 1) => {}
                    (1, 0) => open.push((f, [a, b])),
                    (2, 0) => {
                        let what =
                            format!("the faces of lines {lines:?} run through {} in the same direction", edge([a, b]));
                        return Err(self.fault(lines[0], &format!("{what}: one is flipped; reverse its vertices")));
                    }
                    _ => {
                        let what = format!("{} belongs to {} faces (lines {lines:?})", edge([a, b]), lines.len());
                        return Err(self.fault(lines[0], &format!("{what}: a surface has two at each edge")));
                    }
                }
            }
        }
        let Some((f, first)) = open.first() else { return Ok(()) };
        let repeated = self.repeated_vertices();
        let way = if repeated > 0 { format!("join the {repeated} repeated vertices") } else { "fill the holes".into() };
        let what =
            format!("the surface is open: {} edges belong to one face only, such as {}", open.len(), edge(*first));
        Err(self.fault(self.face_lines[*f], &format!("{what}; {way}")))
    }

    /// Number of vertices that stand where an earlier one does.
    fn repeated_vertices(&self) -> usize {
        let places: std::collections::HashSet<[u64; 3]> =
            self.vertices_m.iter().map(|v| v.to_array().map(|c| (c + 0.0).to_bits())).collect();
        self.vertices_m.len() - places.len()
    }
}
