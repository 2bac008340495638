//! A cube of edge 2 about (5, 0, 0) in every format of surfaces.
#![allow(dead_code, reason = "every test program uses its own part")]

pub const VERTICES: [[i32; 3]; 8] =
    [[4, -1, -1], [6, -1, -1], [6, 1, -1], [4, 1, -1], [4, -1, 1], [6, -1, 1], [6, 1, 1], [4, 1, 1]];

pub const TRIANGLES: [[u32; 3]; 12] = [
    [3, 2, 1],
    [3, 1, 0],
    [4, 5, 6],
    [4, 6, 7],
    [0, 1, 5],
    [0, 5, 4],
    [1, 2, 6],
    [1, 6, 5],
    [2, 3, 7],
    [2, 7, 6],
    [3, 0, 4],
    [3, 4, 7],
];

fn row(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ") + "\n"
}

pub fn obj() -> String {
    let vertices = VERTICES.iter().map(|v| format!("v {}", row(v)));
    vertices.chain(TRIANGLES.iter().map(|t| format!("f {}", row(t.map(|k| k + 1))))).collect()
}

fn ply_header(encoding: &str) -> String {
    format!(
        "ply\nformat {encoding} 1.0\ncomment a cube\nobj_info cube\nelement vertex 8\nproperty float x\n\
         property double y\nproperty short z\nproperty uchar red\nelement face 12\n\
         property list uchar int vertex_indices\nproperty float quality\nelement edge 1\nproperty list uchar uchar ends\n\
         end_header\n"
    )
}

pub fn ply_text() -> String {
    let vertices = VERTICES.iter().map(|v| row(v).trim_end().to_owned() + " 7\n");
    let faces = TRIANGLES.iter().map(|t| format!("3 {} 0.5\n", row(t).trim_end()));
    ply_header("ascii") + &vertices.chain(faces).collect::<String>() + "2 0 1\n"
}

pub fn ply_binary(big: bool) -> Vec<u8> {
    let mut bytes = ply_header(if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
    let mut put = |little: &[u8]| {
        let mut b = little.to_vec();
        if big {
            b.reverse();
        }
        bytes.extend(b);
    };
    for [x, y, z] in VERTICES {
        put(&(x as f32).to_le_bytes());
        put(&f64::from(y).to_le_bytes());
        put(&(z as i16).to_le_bytes());
        put(&[7]);
    }
    for t in TRIANGLES {
        put(&[3]);
        t.iter().for_each(|k| put(&(*k as i32).to_le_bytes()));
        put(&0.5f32.to_le_bytes());
    }
    [2, 0, 1].iter().for_each(|k| put(&[*k]));
    bytes
}

pub fn stl_text() -> String {
    let vertex = |k: u32| format!("      vertex {}", row(VERTICES[k as usize].map(f64::from)));
    let facet = |t: &[u32; 3]| {
        let corners: String = t.iter().map(|k| vertex(*k)).collect();
        format!("  facet normal 0 0 0\n    outer loop\n{corners}    endloop\n  endfacet\n")
    };
    format!("solid cube\n{}endsolid cube\n", TRIANGLES.iter().map(facet).collect::<String>())
}

/// Binary, with a head that begins as a text file does.
pub fn stl_binary() -> Vec<u8> {
    let mut bytes = b"solid is what some programs write here".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(12u32.to_le_bytes());
    for t in TRIANGLES {
        bytes.extend([0; 12]);
        t.iter().flat_map(|k| VERTICES[*k as usize]).for_each(|c| bytes.extend((c as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// A plate model with rows of `head` above, with or without leading numbers, counts together or apart.
pub fn plate(head: &str, numbered: bool, apart: bool) -> String {
    let lead = |k: usize| if numbered { format!("{:6} ", k + 1) } else { String::new() };
    let vertices: String = VERTICES.iter().enumerate().map(|(k, v)| lead(k) + &row(v)).collect();
    let plates: String = TRIANGLES.iter().enumerate().map(|(k, t)| lead(k) + &row(t.map(|k| k + 1))).collect();
    match apart {
        true => format!("{head}8\n{vertices}12\n{plates}"),
        false => format!("{head}8 12\n{vertices}{plates}"),
    }
}

/// Six squares of `q` by `q` on the cube, two of them with rows and columns exchanged.
pub fn icq(q: u32) -> String {
    let mut text = format!("{q}\n");
    let coordinate = |k: u32| 2.0 * f64::from(k) / f64::from(q) - 1.0;
    for side in 0..6 {
        for (j, i) in (0..=q).flat_map(|j| (0..=q).map(move |i| (j, i))) {
            let (u, v, w) = (coordinate(i), coordinate(j), if side % 2 == 0 { 1.0 } else { -1.0 });
            let [x, y, z] = match side / 2 {
                0 => [w, u, v],
                1 => [u, w, v],
                _ => [u, v, w],
            };
            text += &row([5.0 + x, y, z]);
        }
    }
    text
}

/// All of them: name, bytes.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("cube.obj", obj().into_bytes()),
        ("text.ply", ply_text().into_bytes()),
        ("little.ply", ply_binary(false)),
        ("big.ply", ply_binary(true)),
        ("text.stl", stl_text().into_bytes()),
        ("binary.stl", stl_binary()),
        ("radar.tab", obj().into_bytes()),
        ("plain.tab", plate("", false, false).into_bytes()),
        ("headed.tab", plate("SHAPE OF A CUBE\n1996-06-01\n 3 rows above\n", true, false).into_bytes()),
        ("apart.tab", plate("", true, true).into_bytes()),
        ("quads.txt", icq(3).into_bytes()),
        ("named.icq", icq(2).into_bytes()),
    ]
}
