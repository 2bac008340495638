//! Wavefront OBJ, as which PDS also keeps radar models: vertices `v`, faces `f`.

use super::Mesh;
use super::rows::point;
use crate::base::error::Result;
use crate::base::input;
use crate::geometry::loops::Loops;
use std::path::Path;

/// Keywords without a meaning for the surface.
const PASSED_OVER: [&str; 11] = ["vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p", "#"];

/// Takes vertices and faces as they are.
pub(super) fn read(text: &str, mesh: &mut Mesh) -> Result<()> {
    let mut corners = vec![];
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        take(mesh, number, line, &mut corners).map_err(|e| mesh.line_error(number as usize, e))?;
    }
    Ok(())
}

/// One line of the file.
fn take(mesh: &mut Mesh, number: u32, line: &str, corners: &mut Vec<u32>) -> std::result::Result<(), String> {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("v") => {
            mesh.vertices_m.push(point(words).ok_or("a vertex needs three finite numbers")?);
            mesh.vertex_lines.push(number);
        }
        Some("f") => {
            corners.clear();
            for word in words.take_while(|word| !word.starts_with('#')) {
                if word == "\\" {
                    return Err("a face that goes on in the next line is not read; write each face in one line".into());
                }
                corners.push(index(word, mesh.vertices_m.len())?);
            }
            if corners.len() < 3 {
                return Err(format!("`{}` is not a face, which needs three or more vertices", line.trim()));
            }
            mesh.faces.push(corners);
            mesh.face_lines.push(number);
        }
        Some(word) if !PASSED_OVER.contains(&word) && !word.starts_with('#') => {
            return Err(format!(
                "unknown keyword `{word}`: only vertices `v` and faces `f` are read; export the surface as polygons"
            ));
        }
        _ => {}
    }
    Ok(())
}

/// A vertex of a face: `7`, `7/1/3` or, counted back from the last one, `-1`.
fn index(word: &str, known: usize) -> std::result::Result<u32, String> {
    let number: Option<i64> = word.split('/').next().and_then(|n| n.parse().ok());
    let index = number.map(|n| if n < 0 { n.saturating_add(known as i64) } else { n - 1 });
    match index {
        Some(p) if (0..known as i64).contains(&p) => Ok(p as u32),
        _ => Err(format!("unknown vertex `{word}`: there are {known} above, counted from 1, or back from -1")),
    }
}

/// The faces below each `o` or `g` line of the file that `whole` came from; those above the first are an object too.
pub(super) fn objects(whole: &Mesh, path: &Path) -> Result<Vec<Mesh>> {
    let bytes = input::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let starts = |line: &&str| matches!(line.split_whitespace().next(), Some("o" | "g"));
    let heads = (1..).zip(text.lines()).filter(|(_, l)| starts(l)).map(|(k, _)| k);
    let heads: Vec<u32> = heads.chain([u32::MAX]).collect();
    let mut object = vec![vec![]; heads.len()];
    for (f, line) in whole.face_lines.iter().enumerate() {
        object[heads.partition_point(|h| h < line)].push(f);
    }
    Ok(object.iter().filter(|faces| !faces.is_empty()).map(|faces| pick(whole, faces)).collect())
}

/// Some faces of a mesh with the vertices that they name, so that many objects cost no more than the file is long.
fn pick(whole: &Mesh, faces: &[usize]) -> Mesh {
    let loops: Loops = faces.iter().map(|f| whole.faces.get(*f)).collect();
    let mut used = loops.corners().to_vec();
    used.sort_unstable();
    used.dedup();
    let mut mesh = Mesh {
        name: whole.name.clone(),
        vertices_m: used.iter().map(|v| whole.vertices_m[*v as usize]).collect(),
        vertex_lines: used.iter().map(|v| whole.vertex_lines[*v as usize]).collect(),
        faces: loops,
        face_lines: faces.iter().map(|f| whole.face_lines[*f]).collect(),
        ..Mesh::default()
    };
    mesh.faces.corners_mut().iter_mut().for_each(|c| *c = used.partition_point(|u| u < c) as u32);
    mesh.vertex_numbers = used;
    mesh
}
