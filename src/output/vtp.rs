//! VTK's XML files of points, lines and triangles (PolyData, raw appended data), which ParaView opens, and the index over
//! time (PVD). Format: VTK File Formats, vtk.org.

use crate::error::{Error, Result};
use crate::output::frames::flat;
use glam::DVec3;
use std::path::Path;

/// Numbers of one quantity.
#[derive(Debug, Clone)]
pub enum Data {
    /// Float64
    Float(Vec<f64>),
    /// Int64
    Integer(Vec<i64>),
}

/// One value, or `components` values, for each point or cell.
#[derive(Debug, Clone)]
pub struct Array {
    /// name in ParaView
    pub name: &'static str,
    /// values a point or cell
    pub components: usize,
    /// one after another
    pub data: Data,
}

impl Array {
    /// One number each.
    pub fn numbers(name: &'static str, data: Vec<f64>) -> Array {
        Array { name, components: 1, data: Data::Float(data) }
    }

    /// One vector each.
    pub fn vectors(name: &'static str, data: &[DVec3]) -> Array {
        Array { name, components: 3, data: Data::Float(flat(data)) }
    }

    /// One whole number each.
    pub fn integers(name: &'static str, data: impl Iterator<Item = i64>) -> Array {
        Array { name, components: 1, data: Data::Integer(data.collect()) }
    }
}

/// What joins the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// each point by itself
    Verts,
    /// points 0 and 1, 2 and 3, ...
    Lines,
}

/// A file to be.
#[derive(Debug, Clone)]
pub struct PolyData {
    /// simulated time (s)
    pub time_s: f64,
    /// (m)
    pub points: Vec<DVec3>,
    /// what joins them
    pub cells: Cells,
    /// quantities of points
    pub point_data: Vec<Array>,
    /// quantities of cells
    pub cell_data: Vec<Array>,
}

/// The text of a file with places for its data, and the data.
struct Writer {
    text: String,
    appended: Vec<u8>,
}

impl Writer {
    fn array(&mut self, a: &Array) {
        let (kind, bytes): (&str, Vec<u8>) = match &a.data {
            Data::Float(v) => ("Float64", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Data::Integer(v) => ("Int64", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
        };
        let (name, components, offset) = (a.name, a.components, self.appended.len());
        self.text += &format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n"
        );
        self.appended.extend((bytes.len() as u64).to_le_bytes());
        self.appended.extend(bytes);
    }

    fn section(&mut self, name: &str, arrays: &[Array]) {
        self.text += &format!("<{name}>\n");
        arrays.iter().for_each(|a| self.array(a));
        self.text += &format!("</{name}>\n");
    }
}

/// The file.
pub fn bytes(p: &PolyData) -> Vec<u8> {
    let points = p.points.len() as i64;
    let (section, each) = if p.cells == Cells::Verts { ("Verts", 1) } else { ("Lines", 2) };
    let count = |cells| if p.cells == cells { points / each } else { 0 };
    let (verts, lines) = (count(Cells::Verts), count(Cells::Lines));
    let mut w = Writer { text: String::new(), appended: vec![] };
    w.text += "<?xml version=\"1.0\"?>\n";
    w.text +=
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
    w.text += "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
    w.text += &format!("{}</DataArray>\n</FieldData>\n", p.time_s);
    w.text += &format!(
        "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
    );
    w.section("PointData", &p.point_data);
    w.section("CellData", &p.cell_data);
    w.section("Points", &[Array::vectors("Points", &p.points)]);
    let ends = (1..=points / each).map(|k| k * each);
    w.section(section, &[Array::integers("connectivity", 0..points), Array::integers("offsets", ends)]);
    w.text += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    let mut bytes = w.text.into_bytes();
    bytes.extend(w.appended);
    bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
    bytes
}

/// Writes it.
pub fn write(path: &Path, p: &PolyData) -> Result<()> {
    std::fs::write(path, bytes(p)).map_err(|e| Error::io(path, e))
}

/// Writes an index of files, in the same folder, by time (s).
pub fn write_index(path: &Path, files: &[(f64, String)]) -> Result<()> {
    let line = |(t, file): &(f64, String)| format!("<DataSet timestep=\"{t}\" part=\"0\" file=\"{file}\"/>\n");
    let lines: String = files.iter().map(line).collect();
    let head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
    std::fs::write(path, format!("{head}{lines}</Collection>\n</VTKFile>\n")).map_err(|e| Error::io(path, e))
}
