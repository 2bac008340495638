//! VTK's XML files of points, lines and polygons (PolyData, appended data compressed by zlib), which ParaView opens, and the
//! index over time (PVD). Format: VTK File Formats, vtk.org.

use crate::base::disk;
use crate::base::error::Result;
use crate::model::stored::arrays::flat;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use glam::DVec3;
use std::io::Write;
use std::path::Path;

/// Numbers of one quantity.
#[derive(Debug, Clone)]
pub enum Data {
    /// Float64
    Float(Vec<f64>),
    /// Float32
    Single(Vec<f32>),
    /// Int64
    Integer(Vec<i64>),
    /// UInt32
    Count(Vec<u32>),
}

impl Data {
    /// VTK's name of the type, and the bytes.
    fn bytes(&self) -> (&'static str, Vec<u8>) {
        match self {
            Data::Float(v) => ("Float64", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Data::Single(v) => ("Float32", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Data::Integer(v) => ("Int64", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Data::Count(v) => ("UInt32", v.iter().flat_map(|x| x.to_le_bytes()).collect()),
        }
    }
}

/// One value, or `components` values, for each point or cell.
#[derive(Debug, Clone)]
pub struct Array {
    /// name in ParaView
    pub name: &'static str,
    /// unit, which VTK keeps as UNITS_LABEL; empty for counts, indices and directions
    pub unit: &'static str,
    /// values a point or cell
    pub components: usize,
    /// one after another
    pub data: Data,
}

impl Array {
    /// One number each, in this unit.
    pub fn numbers(name: &'static str, unit: &'static str, data: Vec<f64>) -> Array {
        Array { name, unit, components: 1, data: Data::Float(data) }
    }

    /// One vector each.
    pub fn vectors(name: &'static str, unit: &'static str, data: &[DVec3]) -> Array {
        Array { name, unit, components: 3, data: Data::Float(flat(data)) }
    }

    /// One whole number each.
    pub fn integers(name: &'static str, data: impl Iterator<Item = i64>) -> Array {
        Array { name, unit: "", components: 1, data: Data::Integer(data.collect()) }
    }

    /// One count or index each.
    pub fn counts(name: &'static str, data: impl Iterator<Item = u32>) -> Array {
        Array { name, unit: "", components: 1, data: Data::Count(data.collect()) }
    }

    /// With 32 bits, if it has floating-point numbers and `single` says so.
    pub fn with_precision(self, single: bool) -> Array {
        match self.data {
            Data::Float(v) if single => Array { data: Data::Single(v.iter().map(|v| *v as f32).collect()), ..self },
            _ => self,
        }
    }

    /// Each value as often as `times` says: what belongs to a body, for each of its faces.
    pub fn repeated(&self, times: &[usize]) -> Array {
        fn spread<T: Copy>(data: &[T], components: usize, times: &[usize]) -> Vec<T> {
            let values = data.chunks_exact(components).zip(times);
            values.flat_map(|(v, n)| std::iter::repeat_n(v, *n)).flatten().copied().collect()
        }
        let data = match &self.data {
            Data::Float(v) => Data::Float(spread(v, self.components, times)),
            Data::Single(v) => Data::Single(spread(v, self.components, times)),
            Data::Integer(v) => Data::Integer(spread(v, self.components, times)),
            Data::Count(v) => Data::Count(spread(v, self.components, times)),
        };
        Array { data, ..*self }
    }
}

/// What joins the points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cells {
    /// each point by itself
    Verts,
    /// points 0 and 1, 2 and 3, ...
    Lines,
    /// these points around each face, counterclockwise from outside
    Polys(Vec<Vec<u32>>),
}

impl Cells {
    /// VTK's name, points of all cells one after another, and where each cell ends.
    fn parts(&self, points: i64) -> (&str, Vec<i64>, Vec<i64>) {
        let each = |n: i64| ((0..points).collect(), (1..=points / n).map(|k| k * n).collect());
        let (name, (connectivity, ends)) = match self {
            Cells::Verts => ("Verts", each(1)),
            Cells::Lines => ("Lines", each(2)),
            Cells::Polys(faces) => {
                let mut end = 0;
                let mut next = |f: &Vec<u32>| {
                    end += f.len() as i64;
                    end
                };
                let ends = faces.iter().map(&mut next).collect();
                ("Polys", (faces.iter().flatten().map(|k| i64::from(*k)).collect(), ends))
            }
        };
        (name, connectivity, ends)
    }
}

/// A file to be.
#[derive(Debug, Clone)]
pub struct PolyData {
    /// simulated time (s)
    pub time_s: f64,
    /// lists of names, as those of the materials by their index
    pub names: Vec<(&'static str, Vec<String>)>,
    /// (m)
    pub points: Vec<DVec3>,
    /// what joins them
    pub cells: Cells,
    /// quantities of points
    pub point_data: Vec<Array>,
    /// quantities of cells
    pub cell_data: Vec<Array>,
}

/// The text of a file with gaps for its data, and the data.
struct Writer {
    text: String,
    appended: Vec<u8>,
}

/// Bytes that are compressed together: VTK's own size of a block.
const BLOCK: usize = 1 << 15;

impl Writer {
    fn array(&mut self, a: &Array) {
        let (kind, bytes) = a.data.bytes();
        let (name, components, offset) = (a.name, a.components, self.appended.len());
        self.text += &format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\""
        );
        self.text += &match a.unit {
            "" => "/>\n".to_owned(),
            unit => format!(
                ">\n<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{unit}</InformationKey>\n</DataArray>\n"
            ),
        };
        self.append(&bytes);
    }

    /// Numbers of blocks and bytes in front of the blocks, each compressed for itself.
    fn append(&mut self, bytes: &[u8]) {
        let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(deflated).collect();
        let head = [blocks.len(), BLOCK, bytes.len() % BLOCK];
        let sizes = head.into_iter().chain(blocks.iter().map(Vec::len));
        self.appended.extend(sizes.flat_map(|n| (n as u64).to_le_bytes()));
        self.appended.extend(blocks.into_iter().flatten());
    }

    fn section(&mut self, name: &str, arrays: &[Array]) {
        self.text += &format!("<{name}>\n");
        arrays.iter().for_each(|a| self.array(a));
        self.text += &format!("</{name}>\n");
    }

    /// Time, names, and the units of all arrays once more, since few programs show those of the arrays.
    fn fields(&mut self, p: &PolyData) {
        let time = &p.time_s;
        self.text += &format!(
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time}</DataArray>\n"
        );
        let arrays = p.point_data.iter().chain(&p.cell_data).filter(|a| !a.unit.is_empty());
        let mut units: Vec<String> = vec![];
        for unit in arrays.map(|a| format!("{}: {}", a.name, a.unit)) {
            // points and cells may have the same quantity
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        for (name, list) in p.names.iter().chain([&("units", units)]) {
            let codes = |text: &String| text.bytes().map(|b| format!("{b} ")).collect::<String>() + "0 ";
            let (count, codes) = (list.len(), list.iter().map(codes).collect::<String>());
            if count > 0 {
                self.text += &format!(
                    "<Array type=\"String\" Name=\"{name}\" NumberOfTuples=\"{count}\" format=\"ascii\">{codes}</Array>\n"
                );
            }
        }
        self.text += "</FieldData>\n";
    }
}

/// Level 1 makes numbers that cannot be compressed longer.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut to = ZlibEncoder::new(vec![], Compression::new(2));
    // Writing to memory does not fail.
    let _ = to.write_all(bytes);
    to.finish().unwrap_or_default()
}

/// The file.
pub fn bytes(p: &PolyData) -> Vec<u8> {
    let points = p.points.len() as i64;
    let (section, connectivity, ends) = p.cells.parts(points);
    let count = |name| if name == section { ends.len() } else { 0 };
    let [verts, lines, polys] = ["Verts", "Lines", "Polys"].map(count);
    let mut w = Writer { text: String::new(), appended: vec![] };
    w.text += "<?xml version=\"1.0\"?>\n";
    w.text += "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n";
    w.fields(p);
    w.text += &format!(
        "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polys}\">\n"
    );
    w.section("PointData", &p.point_data);
    w.section("CellData", &p.cell_data);
    w.section("Points", &[Array::vectors("Points", "m", &p.points)]);
    let [connectivity, ends] =
        [("connectivity", connectivity), ("offsets", ends)].map(|(name, data)| Array::integers(name, data.into_iter()));
    w.section(section, &[connectivity, ends]);
    w.text += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    let mut bytes = w.text.into_bytes();
    bytes.extend(w.appended);
    bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
    bytes
}

/// Writes it.
pub fn write(path: &Path, p: &PolyData) -> Result<()> {
    disk::write_new(path, &bytes(p), true)
}

/// Writes an index of files, in the same folder, by time (s).
pub fn write_index(path: &Path, files: &[(f64, String)]) -> Result<()> {
    let line = |(t, file): &(f64, String)| format!("<DataSet timestep=\"{t}\" part=\"0\" file=\"{file}\"/>\n");
    let lines: String = files.iter().map(line).collect();
    let head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
    disk::write_new(path, format!("{head}{lines}</Collection>\n</VTKFile>\n").as_bytes(), true)
}
