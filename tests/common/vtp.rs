//! Arrays of an exported VTP file.

use flate2::read::ZlibDecoder;
use std::io::Read;

/// The part of a VTP file that names its arrays.
pub fn head(file: &[u8]) -> String {
    let mark = b"<AppendedData";
    let end = file.windows(mark.len()).position(|w| w == mark).expect("appended data");
    String::from_utf8(file[..end].to_vec()).expect("text")
}

/// VTK's name of the type of an array of a VTP file, and its bytes.
pub fn array(file: &[u8], name: &str) -> (String, Vec<u8>) {
    let text = head(file);
    let tag = text.lines().find(|l| l.contains(&format!("Name=\"{name}\""))).unwrap_or_else(|| panic!("no {name}"));
    let value = |key: &str| tag.split(&format!("{key}=\"")).nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mark = b"encoding=\"raw\">\n_";
    let start = file.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len();
    let data = &file[start + value("offset").parse::<usize>().unwrap()..];
    let number = |k: usize| u64::from_le_bytes(data[8 * k..8 * k + 8].try_into().unwrap()) as usize;
    let (blocks, whole, last) = (number(0), number(1), number(2));
    let (mut at, mut bytes) = (8 * (3 + blocks), vec![]);
    for k in 0..blocks {
        let before = bytes.len();
        ZlibDecoder::new(&data[at..at + number(3 + k)]).read_to_end(&mut bytes).expect("zlib");
        assert_eq!(bytes.len() - before, if k + 1 == blocks && last > 0 { last } else { whole });
        at += number(3 + k);
    }
    (value("type"), bytes)
}

/// Floating-point numbers of an array.
pub fn floats(file: &[u8], name: &str) -> Vec<f64> {
    let (kind, bytes) = array(file, name);
    match kind.as_str() {
        "Float64" => bytes.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect(),
        "Float32" => bytes.chunks_exact(4).map(|c| f32::from_le_bytes(c.try_into().unwrap()).into()).collect(),
        _ => panic!("{name} has {kind}"),
    }
}

/// Whole numbers of an array.
pub fn integers(file: &[u8], name: &str) -> Vec<i64> {
    let (kind, bytes) = array(file, name);
    match kind.as_str() {
        "Int64" => bytes.chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect(),
        "UInt32" => bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap()).into()).collect(),
        _ => panic!("{name} has {kind}"),
    }
}
