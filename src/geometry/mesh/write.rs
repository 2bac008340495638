//! Writes surfaces: OBJ with all digits, PLY little-endian in f64, STL binary, which has f32 alone.

use super::format::Format;
use crate::base::disk::write_new;
use crate::base::error::{Fault, Result};
use crate::geometry::loops::Loops;
use glam::DVec3;
use std::fmt::Write as _;
use std::path::Path;

/// The formats that are written.
const WRITTEN: [Format; 3] = [Format::Obj, Format::Ply, Format::Stl];

/// The format that the end of a file's name asks for, of those that are written.
pub fn format_of(path: &Path) -> Result<Format> {
    let end = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    Format::named(&end).filter(|f| WRITTEN.contains(f)).ok_or_else(|| {
        let remedy = "end the name with .obj, .ply or .stl";
        Fault::new("unknown format of a surface").remedy(remedy).path(path).into()
    })
}

/// Writes a file; one that is there stays, unless `overwrite`. `comment`: a line for people, without line breaks.
pub fn write(path: &Path, vertices: &[DVec3], faces: &Loops, comment: &str, overwrite: bool) -> Result<()> {
    let bytes = match format_of(path)? {
        Format::Obj => obj(vertices, faces, comment),
        Format::Ply => ply(vertices, faces, comment),
        _ => stl(vertices, faces),
    };
    write_new(path, &bytes, overwrite)
}

fn obj(vertices: &[DVec3], faces: &Loops, comment: &str) -> Vec<u8> {
    let mut text = format!("# {comment}\n");
    // to a string nothing can fail
    for v in vertices {
        let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
    }
    for face in faces.iter() {
        text.push('f');
        for corner in face {
            let _ = write!(text, " {}", corner + 1);
        }
        text.push('\n');
    }
    text.into_bytes()
}

fn ply(vertices: &[DVec3], faces: &Loops, comment: &str) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment {comment}\nelement vertex {}\nproperty double x\n\
         property double y\nproperty double z\nelement face {}\nproperty list uint uint vertex_indices\nend_header\n",
        vertices.len(),
        faces.len()
    )
    .into_bytes();
    vertices.iter().flat_map(|v| v.to_array()).for_each(|c| bytes.extend(c.to_le_bytes()));
    for face in faces.iter() {
        bytes.extend((face.len() as u32).to_le_bytes());
        face.iter().for_each(|c| bytes.extend(c.to_le_bytes()));
    }
    bytes
}

fn stl(vertices: &[DVec3], faces: &Loops) -> Vec<u8> {
    let triangles: Vec<[u32; 3]> = faces.triangles().map(|(_, t)| t).collect();
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for [a, b, c] in triangles.into_iter().map(|t| t.map(|v| vertices[v as usize])) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let numbers = [normal, a, b, c].map(|p| p.as_vec3().to_array()).concat();
        numbers.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}
