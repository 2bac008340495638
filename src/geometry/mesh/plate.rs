//! Plate models of PDS: a row `NV NP`, then vertices, then plates, each with or without its number before it; or the
//! count of each part above it. Rows above the first count are passed over. Plates name vertices from 1.

use super::Mesh;
use super::rows::{counts, point, rows, words};
use crate::base::error::Result;

/// Index of the row of counts, and the one or two counts: the first row of such numbers that a row of three or four
/// numbers follows.
pub(super) fn head(rows: &[(usize, &str)]) -> Option<(usize, Vec<u64>)> {
    let numbers = |line: &str| words(line).all(|w| w.parse::<f64>().is_ok()) && (3..=4).contains(&words(line).count());
    rows.windows(2).enumerate().find_map(|(k, pair)| {
        let counts = counts(pair[0].1).filter(|c| c.len() <= 2)?;
        numbers(pair[1].1).then_some((k, counts))
    })
}

/// Takes vertices and plates.
pub(super) fn read(text: &str, mesh: &mut Mesh) -> Result<()> {
    let rows: Vec<(usize, &str)> = rows(text).collect();
    let (head, counts) = head(&rows)
        .ok_or_else(|| mesh.fault("has no row with the numbers of vertices and plates above rows of numbers").data())?;
    let (line, rest) = (rows[head].0, &rows[head + 1..]);
    let (vertices, rest) = part(mesh, line, "vertices", counts[0], rest)?;
    let (line, plates, rest) = match counts[..] {
        [_, plates] => (line, plates, rest),
        _ => match rest.split_first().and_then(|((line, row), rest)| Some((*line, single(row)?, rest))) {
            Some(found) => found,
            None => {
                let last = vertices.last().map_or(line, |r| r.0);
                return Err(mesh.line_error(last, "the number of plates must follow this last vertex"));
            }
        },
    };
    let (plates, rest) = part(mesh, line, "plates", plates, rest)?;
    if let Some((line, _)) = rest.first() {
        return Err(mesh.line_error(*line, "this row follows the last plate: the counts do not fit the file"));
    }
    take_vertices(vertices, mesh)?;
    take_plates(plates, mesh)
}

type Rows<'a, 'b> = &'a [(usize, &'b str)];

/// The first `count` rows and the others.
fn part<'a, 'b>(
    mesh: &Mesh,
    line: usize,
    what: &str,
    count: u64,
    rows: Rows<'a, 'b>,
) -> Result<(Rows<'a, 'b>, Rows<'a, 'b>)> {
    let wanted = usize::try_from(count).ok();
    wanted.and_then(|n| rows.split_at_checked(n)).ok_or_else(|| {
        mesh.line_error(
            line,
            format!("announces {count} {what}, but only {} rows follow: the file is cut off", rows.len()),
        )
    })
}

fn single(row: &str) -> Option<u64> {
    counts(row).filter(|c| c.len() == 1).map(|c| c[0])
}

fn take_vertices(rows: Rows, mesh: &mut Mesh) -> Result<()> {
    let numbered = rows.first().is_some_and(|(_, l)| words(l).count() == 4);
    for (k, (line, row)) in rows.iter().enumerate() {
        let numbers = own_words(mesh, *line, row, numbered, k)?;
        let position = point(numbers).ok_or_else(|| mesh.line_error(*line, "a vertex needs three finite numbers"))?;
        mesh.vertices_m.push(position);
        mesh.vertex_lines.push(*line as u32);
    }
    Ok(())
}

fn take_plates(rows: Rows, mesh: &mut Mesh) -> Result<()> {
    let numbered = rows.first().is_some_and(|(_, l)| words(l).count() == 4);
    let known = mesh.vertices_m.len();
    for (k, (line, row)) in rows.iter().enumerate() {
        let mut plate = [0; 3];
        for (corner, word) in plate.iter_mut().zip(own_words(mesh, *line, row, numbered, k)?) {
            let vertex = word.parse().ok().filter(|n| (1..=known).contains(n));
            *corner = match vertex {
                Some(n) => n as u32 - 1,
                None => {
                    let what = format!("unknown vertex `{word}`: there are {known}, counted from 1");
                    return Err(mesh.line_error(*line, what));
                }
            };
        }
        mesh.faces.push(&plate);
        mesh.face_lines.push(*line as u32);
    }
    Ok(())
}

/// The three words of a row behind its number, which must be `k` + 1.
fn own_words<'b>(
    mesh: &Mesh,
    line: usize,
    row: &'b str,
    numbered: bool,
    k: usize,
) -> Result<impl Iterator<Item = &'b str> + use<'b>> {
    let width = if numbered { 4 } else { 3 };
    if words(row).count() != width {
        return Err(mesh.line_error(line, format!("`{}` must have {width} numbers, as the rows above", row.trim())));
    }
    let own = words(row).next().and_then(|w| w.parse::<usize>().ok());
    if numbered && own != Some(k + 1) {
        return Err(mesh.line_error(line, format!("`{}` must begin with the number of its row, {}", row.trim(), k + 1)));
    }
    Ok(words(row).skip(width - 3))
}
