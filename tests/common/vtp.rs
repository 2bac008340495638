//! Arrays of an exported VTP file.

/// The part of a VTP file that names its arrays.
pub fn head(file: &[u8]) -> String {
    String::from_utf8_lossy(&file[..file.len().min(6000)]).into_owned()
}

/// Bytes of an array of a VTP file.
pub fn array<const N: usize>(file: &[u8], name: &str) -> Vec<[u8; N]> {
    let text = head(file);
    let tag = text.lines().find(|l| l.contains(&format!("Name=\"{name}\""))).unwrap_or_else(|| panic!("no {name}"));
    let offset: usize = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let mark = b"encoding=\"raw\">\n_";
    let data = file.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len() + offset;
    let count = u64::from_le_bytes(file[data..data + 8].try_into().unwrap()) as usize;
    file[data + 8..data + 8 + count].chunks_exact(N).map(|c| c.try_into().unwrap()).collect()
}

pub fn floats(file: &[u8], name: &str) -> Vec<f64> {
    array::<8>(file, name).into_iter().map(f64::from_le_bytes).collect()
}

pub fn integers(file: &[u8], name: &str) -> Vec<i64> {
    array::<8>(file, name).into_iter().map(i64::from_le_bytes).collect()
}
