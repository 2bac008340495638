//! Numbers of .npy files, whatever their type.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::input;
use std::path::Path;

/// A number that counts, if it is a whole one from 0 on that 32 bits hold.
pub fn whole(value: f64) -> Option<u32> {
    let is_whole = value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX);
    is_whole.then_some(value as u32)
}

/// Numbers that all count; else what is wrong with the first that does not.
pub fn all_whole(numbers: Vec<f64>) -> std::result::Result<Vec<u32>, String> {
    let wanted = |v: f64| whole(v).ok_or_else(|| format!("has {v}, and whole numbers from 0 on are wanted"));
    numbers.into_iter().map(wanted).collect()
}

/// Numbers and shape of an .npy file, converted to f64.
pub fn read_f64(path: &Path) -> Result<(Vec<f64>, Vec<usize>)> {
    to_f64(&input::read(path)?, path)
}

/// The same of what the file of this path holds.
pub(super) fn to_f64(bytes: &[u8], path: &Path) -> Result<(Vec<f64>, Vec<usize>)> {
    let bad =
        |e: String| Fault::new(e).remedy("an array of float64, float32, uint32 or int64 is wanted").path(path).data();
    decode(bytes, &bad)
}

/// The same of what such a file holds; `bad` makes an error of what is wrong with it.
pub(super) fn decode(bytes: &[u8], bad: &dyn Fn(String) -> Error) -> Result<(Vec<f64>, Vec<usize>)> {
    if !has_header(bytes) {
        return Err(bad("is not an .npy file, or its header is cut off or not that of a plain array".into()));
    }
    let open = || npyz::NpyFile::new(bytes).map_err(|e| bad(e.to_string()));
    let shape: Vec<usize> = open()?.shape().iter().map(|s| *s as usize).collect();
    let data = match open()?.dtype().descr().as_str() {
        d if d.contains("f8") => each(bytes, |v: f64| v),
        d if d.contains("f4") => each(bytes, |v: f32| v.into()),
        d if d.contains("u4") => each(bytes, |v: u32| v.into()),
        d if d.contains("i8") => each(bytes, |v: i64| v as f64),
        d => return Err(bad(format!("elements of type {d}"))),
    };
    let data = data.map_err(|e| bad(e.to_string()))?;
    let count = shape.iter().try_fold(1usize, |n, side| n.checked_mul(*side));
    if count != Some(data.len()) {
        return Err(bad(format!("{} elements do not fill the shape {shape:?}", data.len())));
    }
    match (open()?.order(), shape.as_slice()) {
        (npyz::Order::Fortran, [rows, columns]) => {
            let at = |k: usize| data[k / columns + rows * (k % columns)];
            Ok(((0..data.len()).map(at).collect(), shape))
        }
        _ => Ok((data, shape)),
    }
}

/// Longest header of a plain array (bytes): it holds a type, an order and a shape.
const HEADER_MAX: usize = 4096;

/// Brackets inside brackets in the header of a plain array: its shape is in a dictionary.
const NESTED_MAX: usize = 2;

/// True if the file holds all of its header and the header is no longer and no deeper than that of a plain array. A reader
/// allocates memory for it, and tries nested parts in several ways, each twice as long as the next one inside.
fn has_header(bytes: &[u8]) -> bool {
    let (size, start) = match bytes.get(..12) {
        Some(b) if b[6] == 1 => (u32::from(u16::from_le_bytes([b[8], b[9]])), 10),
        Some(b) => (u32::from_le_bytes([b[8], b[9], b[10], b[11]]), 12),
        None => return false,
    };
    if size as usize > HEADER_MAX.min(bytes.len() - start) {
        return false;
    }
    let mut open = 0usize;
    bytes[start..start + size as usize].iter().all(|b| {
        match b {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open <= NESTED_MAX
    })
}

/// All elements, one by one, so that there is no second copy of them.
fn each<T: npyz::Deserialize>(bytes: &[u8], number: fn(T) -> f64) -> std::io::Result<Vec<f64>> {
    let reader = npyz::NpyFile::new(bytes)?.data::<T>().map_err(std::io::Error::other)?;
    reader.map(|element| element.map(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::has_header;

    /// A header of version 1, which a file of that version holds whole.
    fn file(header: &str) -> Vec<u8> {
        let size = (header.len() as u16).to_le_bytes();
        [&b"\x93NUMPY\x01\x00"[..], &size, header.as_bytes(), &[0; 8]].concat()
    }

    #[test]
    fn headers_of_plain_arrays_alone_are_read() {
        assert!(has_header(&file("{'descr': '<f8', 'fortran_order': False, 'shape': (10, 7), }\n")));
        let deep = format!("{{'descr': {}'<f8', 'shape': (1,)}}\n", "[".repeat(40));
        assert!(!has_header(&file(&deep)), "a reader would take hours");
        assert!(!has_header(&file("{'descr': [('x', '<f8')], 'shape': (1,)}\n")), "a structure");
        assert!(!has_header(&file(&" ".repeat(5000))));
        assert!(!has_header(b"\x93NUMPY\x01\x00\xff\x00{"), "cut off");
    }
}
