//! Inputs made from the rules of a format, not from a valid file: most are wrong in one place only.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Draws of one input.
pub struct Draw(Pcg64Mcg);

/// Numbers that formats and laws may stumble over.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2.5",
    "1e-9",
    "1e-300",
    "1e15",
    "1e16",
    "1e300",
    "-1e300",
    "4294967296",
    "18446744073709551615",
    "0.1",
    "nan",
    "inf",
    "1e400",
];

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(Pcg64Mcg::seed_from_u64(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n.max(1))
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// A coordinate; one in `odd` is extreme.
    fn number(&mut self, odd: usize) -> String {
        if self.one_in(odd) {
            self.pick(&NUMBERS).to_owned()
        } else {
            format!("{:.3}", self.0.random_range(-10.0..10.0))
        }
    }

    fn point(&mut self) -> String {
        (0..3).map(|_| self.number(60)).collect::<Vec<_>>().join(" ")
    }

    /// Names of up to four of `n` vertices from `first` on; one in thirty is beyond.
    fn corners(&mut self, n: usize, first: usize) -> Vec<String> {
        let count = if self.one_in(10) { self.below(7) } else { 3 };
        let corner =
            |d: &mut Draw| if d.one_in(30) { d.pick(&NUMBERS).to_owned() } else { (first + d.below(n)).to_string() };
        (0..count).map(|_| corner(self)).collect()
    }

    /// TOML from the sections and lines of valid files, each in the wrong place as often as not.
    pub fn toml(&mut self, valid: &[String]) -> Vec<u8> {
        let lines: Vec<&str> = valid.iter().flat_map(|text| text.lines()).filter(|l| !l.trim().is_empty()).collect();
        let (heads, keys): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|l| l.starts_with('['));
        let mut text = String::from("format = 1\n");
        let line = |d: &mut Draw| {
            let line = d.pick(&keys);
            match line.split_once('=') {
                Some((key, _)) if d.one_in(6) => format!("{key} = {}\n", d.pick(&NUMBERS)),
                _ => line.to_owned() + "\n",
            }
        };
        // a section as some file has it, or one of lines from anywhere
        for _ in 0..1 + self.below(8) {
            let from = self.below(valid.len());
            let sections: Vec<&str> = valid[from].split("\n[").skip(1).collect();
            if !sections.is_empty() && !self.one_in(3) {
                text += &format!("[{}\n", sections[self.below(sections.len())]);
            } else {
                text += self.pick(&heads);
                text += "\n";
                (0..self.below(5)).for_each(|_| text += &line(self));
            }
        }
        text.into_bytes()
    }

    pub fn obj(&mut self) -> Vec<u8> {
        let n = 1 + self.below(12);
        let mut text: String = (0..n).map(|_| format!("v {}\n", self.point())).collect();
        for _ in 0..self.below(24) {
            text += &format!("f {}\n", self.corners(n, 1).join(" "));
            if self.one_in(9) {
                text += self.pick(&["o a\n", "g\n", "vt 0 0\n", "s off\n", "l 1 2\n", "\n", "curv 1\n"]);
            }
        }
        text.into_bytes()
    }

    pub fn plate(&mut self) -> Vec<u8> {
        let (n, f) = (1 + self.below(12), self.below(24));
        let [vertices, faces] =
            [n, f].map(|k| if self.one_in(12) { self.pick(&NUMBERS).to_owned() } else { k.to_string() });
        let numbered = self.one_in(2);
        let own = |k: usize| if numbered { format!("{} ", k + 1) } else { String::new() };
        let mut text = if self.one_in(2) { format!("{vertices} {faces}\n") } else { format!("{vertices}\n") };
        (0..n).for_each(|k| text += &format!("{}{}\n", own(k), self.point()));
        if self.one_in(2) {
            text += &format!("{faces}\n");
        }
        (0..f).for_each(|k| text += &format!("{}{}\n", own(k), self.corners(n, 1).join(" ")));
        text.into_bytes()
    }

    pub fn icq(&mut self) -> Vec<u8> {
        let q = 1 + self.below(3);
        let rows = if self.one_in(4) { self.below(60) } else { 6 * (q + 1) * (q + 1) };
        let told = if self.one_in(8) { self.pick(&NUMBERS).to_owned() } else { q.to_string() };
        let points: String = (0..rows).map(|_| self.point() + "\n").collect();
        format!("{told}\n{points}").into_bytes()
    }

    pub fn stl(&mut self) -> Vec<u8> {
        let f = self.below(16);
        if self.one_in(2) {
            let mut bytes = vec![b' '; 80];
            let told = if self.one_in(6) { self.0.random() } else { f as u32 };
            bytes.extend(told.to_le_bytes());
            for _ in 0..f {
                (0..12).for_each(|_| {
                    let x = if self.one_in(60) { f32::from_bits(self.0.random()) } else { self.below(4) as f32 };
                    bytes.extend(x.to_le_bytes());
                });
                bytes.extend([0, 0]);
            }
            return bytes;
        }
        let mut text = String::from("solid a\n");
        for _ in 0..f {
            text += "facet normal 0 0 1\nouter loop\n";
            let corners = if self.one_in(10) { self.below(5) } else { 3 };
            (0..corners)
                .for_each(|_| text += &format!("vertex {} {} {}\n", self.below(3), self.below(3), self.below(3)));
            text += "endloop\nendfacet\n";
        }
        (text + if self.one_in(9) { "" } else { "endsolid a\n" }).into_bytes()
    }

    pub fn ply(&mut self) -> Vec<u8> {
        let (n, f) = (1 + self.below(10), self.below(16));
        let format = self.pick(&["ascii", "ascii", "binary_little_endian", "binary_big_endian", "morse"]);
        let [vertices, faces] =
            [n, f].map(|k| if self.one_in(15) { self.pick(&NUMBERS).to_owned() } else { k.to_string() });
        let kinds = ["float", "double", "int", "uchar", "short", "list uchar int", "quad"];
        let coordinate = |d: &mut Draw| if d.one_in(12) { d.pick(&kinds) } else { "float" };
        let sides = self.pick(&[
            "list uchar int vertex_indices",
            "list uchar int vertex_index",
            "list int uint vertex_indices",
            "list uint double vertex_indices",
            "int vertex_indices",
        ]);
        let head = format!(
            "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty {} x\nproperty {} y\nproperty {} z\nelement face {faces}\nproperty {sides}\nend_header\n",
            coordinate(self),
            coordinate(self),
            coordinate(self)
        );
        let mut bytes = head.into_bytes();
        if format == "ascii" {
            (0..n).for_each(|_| bytes.extend((self.point() + "\n").bytes()));
            for _ in 0..f {
                let corners = self.corners(n, 0);
                bytes.extend(format!("{} {}\n", corners.len(), corners.join(" ")).bytes());
            }
        } else {
            (0..12 * n + 13 * f).for_each(|_| bytes.push(if self.one_in(3) { self.0.random() } else { 0 }));
        }
        bytes
    }

    pub fn npy(&mut self) -> Vec<u8> {
        let kind = self.pick(&["<f8", "<f8", "<f4", ">f8", "<i8", "<u4", "|b1", "<c16", "|O", "<M8[ns]", "f8"]);
        let (rows, columns) = (self.below(6), self.pick(&[&4usize, &7, &10, &0, &3]));
        let [a, b] =
            [rows, *columns].map(|k| if self.one_in(10) { self.pick(&NUMBERS).to_owned() } else { k.to_string() });
        let shape = match self.below(8) {
            0 => format!("({a},)"),
            1 => "()".into(),
            2 => "(".repeat(self.below(300)),
            3 => format!("({a}, {b}, {a})"),
            _ => format!("({a}, {b})"),
        };
        let order = self.pick(&["False", "True", "None"]);
        let dict = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY".to_vec();
        let version = if self.one_in(4) { 2 } else { 1 };
        bytes.extend([version, 0]);
        let told = if self.one_in(8) { self.0.random() } else { dict.len() as u32 };
        if version == 1 {
            bytes.extend((told as u16).to_le_bytes())
        } else {
            bytes.extend(told.to_le_bytes())
        }
        bytes.extend(dict.bytes());
        (0..rows * columns).for_each(|k| bytes.extend((k as f64 + 0.5).to_le_bytes()));
        bytes
    }

    pub fn csv(&mut self) -> Vec<u8> {
        let columns = *self.pick(&[&4usize, &7, &10, &5, &11]);
        let heads = ["x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz", "id"];
        let mut text = String::new();
        if self.one_in(2) {
            let unit = self.pick(&["", "_m", "_cm", " [km]", "_parsec", "_m_s"]);
            text += &(heads[..columns].iter().map(|h| format!("{h}{unit}")).collect::<Vec<_>>().join(",") + "\n");
        }
        for k in 0..self.below(9) {
            let cell = |d: &mut Draw, c: usize| {
                if c == 3 && !d.one_in(20) { "0.5".into() } else { format!("{}{}", k, d.number(40)) }
            };
            text += &((0..columns).map(|c| cell(self, c)).collect::<Vec<_>>().join(",") + "\n");
        }
        text.into_bytes()
    }

    /// Words of a state: mostly zeros and small ones.
    pub fn words(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| if self.one_in(8) { self.0.random() } else { 0 }).collect()
    }

    /// Changes one to three runs of bytes within named arrays, whose checksums will fit.
    pub fn forge(&mut self, state: &mut [(String, Vec<u8>)]) {
        for _ in 0..1 + self.below(3) {
            let k = self.below(state.len());
            let bytes = &mut state[k].1;
            match self.below(8) {
                0 => bytes.truncate(self.below(bytes.len() + 1)),
                1 => {
                    let more = self.below(64);
                    bytes.extend(self.words(more));
                }
                2 => state[k].0 += "x",
                _ if !bytes.is_empty() => {
                    let at = self.below(bytes.len()) & !3;
                    let word: [u8; 4] = *self.pick(&[
                        &[0xff; 4],
                        &[0; 4],
                        &[1, 0, 0, 0],
                        &[0, 0, 0xc0, 0x7f],
                        &[0xff, 0xff, 0, 0],
                        &[0, 0, 0, 0x80],
                    ]);
                    let end = bytes.len().min(at + 4 * (1 + self.below(4)));
                    bytes[at..end].iter_mut().zip(word.iter().cycle()).for_each(|(b, w)| *b = *w);
                }
                _ => {}
            }
        }
    }
}
