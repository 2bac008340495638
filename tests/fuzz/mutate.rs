//! Changes of valid files: of bytes, of lines, of numbers, of words.

use proptest::prelude::*;

/// A change; offsets are shares of the length, so that they stay offsets whatever the length is.
#[derive(Debug, Clone)]
pub enum Change {
    /// a bit
    Flip(u16, u8),
    /// some bytes go
    Cut(u16, u8),
    /// all from here on goes
    End(u16),
    /// a line goes, or is there once more, or takes the place of another
    DropLine(u16),
    RepeatLine(u16, u8),
    MoveLine(u16, u16),
    /// the number at or behind this offset becomes another
    Number(u16, u8),
    /// a token of another kind comes in between
    Insert(u16, u8),
}

/// What numbers become.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "255",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "1e-300",
    "1e300",
    "-1e308",
    "1e309",
    "nan",
    "inf",
    "0.1",
    "1e-17",
    "99999999999999999999999999999999",
];

/// What comes in between.
const TOKENS: [&str; 26] = [
    "\0",
    "\n",
    "\r\n",
    "\"",
    "'",
    "#",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    ".",
    "_",
    " ",
    "\u{feff}",
    "\u{1f980}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p = 1\n",
    "f 1 2 3\n",
    "v 1 2 3\n",
    "endfacet\n",
    "-",
    "true",
];

/// None to six of them.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    use Change::*;
    let change = prop_oneof![
        (any::<u16>(), 0u8..8).prop_map(|(a, b)| Flip(a, b)),
        (any::<u16>(), any::<u8>()).prop_map(|(a, b)| Cut(a, b)),
        any::<u16>().prop_map(End),
        any::<u16>().prop_map(DropLine),
        (any::<u16>(), 1u8..40).prop_map(|(a, b)| RepeatLine(a, b)),
        (any::<u16>(), any::<u16>()).prop_map(|(a, b)| MoveLine(a, b)),
        (any::<u16>(), any::<u8>()).prop_map(|(a, b)| Number(a, b)),
        (any::<u16>(), any::<u8>()).prop_map(|(a, b)| Number(a, b)),
        (any::<u16>(), any::<u8>()).prop_map(|(a, b)| Insert(a, b)),
    ];
    prop_oneof![4 => prop::collection::vec(change.clone(), 0..3), 1 => prop::collection::vec(change, 3..7)]
}

fn offset(share: u16, length: usize) -> usize {
    length * usize::from(share) / 65_536
}

/// The line around a offset, with its end.
fn line(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1);
    let end = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |k| at + k + 1);
    start..end
}

/// The number at or behind a offset.
fn number(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[at..].iter().position(u8::is_ascii_digit).map_or(bytes.len(), |k| at + k);
    let of_number = |b: &u8| b.is_ascii_digit() || b"._eE+-".contains(b);
    let end = bytes[start..].iter().position(|b| !of_number(b)).map_or(bytes.len(), |k| start + k);
    start..end
}

/// The bytes with the changes made one after the other.
pub fn changed(valid: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for change in changes.iter().filter(|_| !bytes.is_empty()).cloned().collect::<Vec<_>>() {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        match change {
            Change::Flip(at, bit) => bytes[offset(at, length)] ^= 1 << bit,
            Change::Cut(at, count) => {
                let start = offset(at, length);
                bytes.drain(start..length.min(start + usize::from(count)));
            }
            Change::End(at) => bytes.truncate(offset(at, length)),
            Change::DropLine(at) => {
                bytes.drain(line(&bytes, offset(at, length)));
            }
            Change::RepeatLine(at, times) => {
                let range = line(&bytes, offset(at, length));
                let again = bytes[range.clone()].repeat(times.into());
                bytes.splice(range.start..range.start, again);
            }
            Change::MoveLine(from, to) => {
                let again = bytes[line(&bytes, offset(from, length))].to_vec();
                let to = line(&bytes, offset(to, length)).start;
                bytes.splice(to..to, again);
            }
            Change::Number(at, which) => {
                let range = number(&bytes, offset(at, length));
                bytes.splice(range, NUMBERS[usize::from(which) % NUMBERS.len()].bytes());
            }
            Change::Insert(at, which) => {
                let at = offset(at, length);
                bytes.splice(at..at, TOKENS[usize::from(which) % TOKENS.len()].bytes());
            }
        }
    }
    bytes
}
