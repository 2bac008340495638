//! STL, text or binary: triangles by their corners, so that equal corners become one vertex. Normals are not read: the
//! order of the corners says where outside is.

use super::Mesh;
use super::rows::{point, rows, words};
use crate::base::error::Result;
use glam::DVec3;

/// Bytes before the triangles: a free text and their number.
const HEAD: usize = 84;
/// Bytes of a triangle: normal, corners, attribute.
const TRIANGLE: usize = 50;

/// Takes the triangles and joins equal vertices. Binary files may begin with `solid` too, so their length
/// decides, and zeros, which no text has.
pub(super) fn read(bytes: &[u8], mesh: &mut Mesh) -> Result<()> {
    let claimed = bytes.get(80..HEAD).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let fits = claimed.is_some_and(|n| n.checked_mul(TRIANGLE).is_some_and(|b| b + HEAD == bytes.len()));
    if fits {
        binary(&bytes[HEAD..], mesh)?;
    } else if bytes.trim_ascii_start().starts_with(b"solid") && !bytes.contains(&0) {
        text(&String::from_utf8_lossy(bytes), mesh)?;
    } else {
        let claimed = claimed.map_or("no number of triangles".into(), |n| format!("{n} triangles"));
        let what = format!(
            "has {} bytes and {claimed}: a binary STL file has 84 bytes and 50 for each triangle, a text one begins \
             with `solid`",
            bytes.len()
        );
        return Err(mesh.fault(what).remedy("the file is cut off or has another format").data());
    }
    mesh.join();
    Ok(())
}

fn binary(triangles: &[u8], mesh: &mut Mesh) -> Result<()> {
    for (f, triangle) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let number = |k: usize| {
            let at = 12 + 4 * k;
            f64::from(f32::from_le_bytes([triangle[at], triangle[at + 1], triangle[at + 2], triangle[at + 3]]))
        };
        let corners: [DVec3; 3] = [0, 3, 6].map(|k| DVec3::new(number(k), number(k + 1), number(k + 2)));
        if !corners.iter().all(|c| c.is_finite()) {
            return Err(mesh.face_fault(f, "the position of a corner is not finite").data());
        }
        push(mesh, &corners);
    }
    Ok(())
}

fn text(text: &str, mesh: &mut Mesh) -> Result<()> {
    let (mut corners, mut ended) = (vec![], false);
    for (number, line) in rows(text) {
        let mut words = words(line);
        let word = words.next().unwrap_or_default();
        let fault = match word {
            "vertex" => match point(words) {
                Some(p) => {
                    corners.push(p);
                    mesh.vertex_lines.push(number as u32);
                    None
                }
                None => Some("a vertex needs three finite numbers".into()),
            },
            "endfacet" if corners.len() != 3 => {
                Some(format!("the face has {} vertices, and must have three", corners.len()))
            }
            "endfacet" => {
                push(mesh, &corners);
                mesh.face_lines.push(number as u32);
                corners.clear();
                None
            }
            "solid" | "endsolid" => {
                ended = word == "endsolid";
                None
            }
            "facet" | "outer" | "endloop" => None,
            _ => Some(format!("unknown word `{word}` in an STL file")),
        };
        if let Some(fault) = fault {
            return Err(mesh.line_error(number, fault));
        }
    }
    match ended && corners.is_empty() {
        true => Ok(()),
        false => Err(mesh.fault("the file is cut off: it does not end with `endsolid`").data()),
    }
}

fn push(mesh: &mut Mesh, corners: &[DVec3]) {
    let first = mesh.vertices_m.len() as u32;
    mesh.vertices_m.extend_from_slice(corners);
    mesh.faces.push(&[first, first + 1, first + 2]);
}
