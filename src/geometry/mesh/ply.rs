//! PLY, text or binary of both byte orders: elements `vertex` (x, y, z) and `face` (a list of vertices from 0);
//! other elements and properties are passed over.

use super::Mesh;
use crate::base::error::{Fault, Result};
use glam::DVec3;
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{ElementDef, Encoding, Property, PropertyAccess, PropertyAccessResult, PropertyType};

/// A row of any element, with what vertices and faces need.
struct Row {
    position: [Option<f64>; 3],
    corners: Option<Vec<u32>>,
}

impl PropertyAccess for Row {
    fn new() -> Row {
        Row { position: [None; 3], corners: None }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        match name {
            "x" => self.position[0] = number(&value),
            "y" => self.position[1] = number(&value),
            "z" => self.position[2] = number(&value),
            "vertex_indices" | "vertex_index" => self.corners = value.to_u32_list(),
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

fn number(value: &Property) -> Option<f64> {
    match value {
        Property::Double(x) => Some(*x),
        Property::Float(x) => Some(f64::from(*x)),
        Property::Int(x) => Some(f64::from(*x)),
        Property::UInt(x) => Some(f64::from(*x)),
        Property::Short(x) => Some(f64::from(*x)),
        Property::UShort(x) => Some(f64::from(*x)),
        Property::Char(x) => Some(f64::from(*x)),
        Property::UChar(x) => Some(f64::from(*x)),
        _ => None,
    }
}

/// Rows of the elements, one after the other.
struct Rows<'a> {
    parser: Parser<Row>,
    encoding: Encoding,
    rest: &'a [u8],
    /// of the next text
    line: usize,
}

impl Rows<'_> {
    fn next(&mut self, of: &ElementDef) -> std::result::Result<Row, String> {
        let row = match self.encoding {
            Encoding::Ascii => {
                let text = self.text_line().ok_or("the file ends before it")?;
                one_row(&text, of)?;
                self.parser.read_ascii_element(&text, of)
            }
            Encoding::BinaryBigEndian => self.parser.read_big_endian_element(&mut self.rest, of),
            Encoding::BinaryLittleEndian => self.parser.read_little_endian_element(&mut self.rest, of),
        };
        row.map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => "the file ends within it".into(),
            _ => e.to_string().lines().next().unwrap_or_default().trim_end_matches('.').to_owned(),
        })
    }

    /// The next line that is not blank.
    fn text_line(&mut self) -> Option<String> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|b| *b == b'\n').map_or(self.rest.len(), |p| p + 1);
            let (line, rest) = self.rest.split_at(end);
            (self.rest, self.line) = (rest, self.line + 1);
            if !line.trim_ascii().is_empty() {
                return Some(String::from_utf8_lossy(line.trim_ascii()).into_owned());
            }
        }
        None
    }
}

/// `Err` if a line has more numbers than its element, which the parser would pass over.
fn one_row(text: &str, of: &ElementDef) -> std::result::Result<(), String> {
    let mut words = text.split_whitespace();
    for (_, property) in &of.properties {
        let count = words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
        if let (PropertyType::List(..), 1..) = (&property.data_type, count) {
            words.nth(count - 1);
        }
    }
    words.next().map_or(Ok(()), |w| Err(format!("`{w}` is more than the header gives it")))
}

/// Takes vertices and faces as they are.
pub(super) fn read(bytes: &[u8], mesh: &mut Mesh) -> Result<()> {
    let parser = Parser::<Row>::new();
    let mut reader = Reader::new(bytes);
    let header = parser.read_header(&mut reader).map_err(|e| {
        let text = if e.line().is_some() { e.to_string() } else { format!(": {e}") };
        let what =
            text.lines().next().unwrap_or_default().trim_start_matches(|c| c != ':').trim_start_matches([':', ' ']);
        mesh.line_error(e.line().unwrap_or(1), format!("not the header of a PLY file: {what}"))
    })?;
    // a text begins on the line below the header
    let line = reader.line().saturating_sub(1);
    let mut rows = Rows { parser, encoding: header.encoding, rest: reader.into_inner(), line };
    for (name, element) in &header.elements {
        // every row has at least a byte, so that what a header claims costs no more than the file is long
        if element.properties.is_empty() && element.count > 0 || element.count > rows.rest.len() {
            let what =
                format!("announces {} rows of `{name}`, but only {} bytes follow", element.count, rows.rest.len());
            return Err(mesh.fault(what).remedy("the file is cut off, or its header is wrong").data());
        }
        for k in 0..element.count {
            let taken = rows.next(element).and_then(|row| take(mesh, name, row));
            let lines = rows.encoding == Encoding::Ascii;
            if let Err(what) = taken {
                let line = lines.then_some(rows.line);
                return Err(Fault { line, ..mesh.fault(what).key(format!("row {} of `{name}`", k + 1)) }.data());
            }
            match name.as_str() {
                "vertex" if lines => mesh.vertex_lines.push(rows.line as u32),
                "face" if lines => mesh.face_lines.push(rows.line as u32),
                _ => {}
            }
        }
    }
    if !rows.rest.trim_ascii().is_empty() {
        let what = format!("{} bytes follow the last row: the counts of the header do not fit", rows.rest.len());
        return Err(mesh.fault(what).data());
    }
    corners_exist(mesh)
}

fn take(mesh: &mut Mesh, element: &str, row: Row) -> std::result::Result<(), String> {
    match element {
        "vertex" => {
            let [Some(x), Some(y), Some(z)] = row.position.map(|c| c.filter(|c| c.is_finite())) else {
                return Err("a vertex needs finite numbers x, y, z".into());
            };
            mesh.vertices_m.push(DVec3::new(x, y, z));
        }
        "face" => match row.corners {
            Some(corners) if corners.len() >= 3 => mesh.faces.push(&corners),
            Some(corners) => {
                return Err(format!("{} vertices do not make a face, which needs three or more", corners.len()));
            }
            None => return Err("a face needs a list `vertex_indices` of whole numbers from 0 on".into()),
        },
        _ => {}
    }
    Ok(())
}

fn corners_exist(mesh: &Mesh) -> Result<()> {
    let known = mesh.vertices_m.len();
    let wrong = |face: &[u32]| face.iter().find(|c| **c as usize >= known).copied();
    match mesh.faces.iter().enumerate().find_map(|(f, face)| Some((f, wrong(face)?))) {
        None => Ok(()),
        Some((f, corner)) => {
            let what = format!("unknown vertex {corner}: there are {known}, counted from 0");
            Err(mesh.face_fault(f, what).data())
        }
    }
}
