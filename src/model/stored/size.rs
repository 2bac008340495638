//! Bytes that frames will take, from the tables of their arrays.

use super::arrays::{Array, Numbers};
use super::frame_arrays::{BODIES, CONSTANTS, CONTACTS, PART, columns};
use crate::model::body::Bodies;
use crate::model::output::{Constants, FrameForm, Precision};
use crate::model::snapshot::Snapshot;

/// Of an .npy file before its numbers.
const HEAD: u64 = 128;
/// Of an array in SHA256SUMS.
const SUM: u64 = 80;
/// Of time.json.
const TIME: u64 = 100;

/// Bytes of one frame without compression.
#[derive(Debug, Clone, Copy)]
pub struct FrameSize {
    /// arrays of bodies, and the small files
    pub bodies: u64,
    /// arrays of contacts between bodies
    pub contacts: u64,
    /// the folder `bodies/`, once a run
    pub once: u64,
}

/// Bytes of a frame of these bodies, with so many contacts each; 0: contacts are not written.
pub fn frame_size(form: &FrameForm, bodies: &Bodies, contacts_per_body: u64) -> FrameSize {
    let one = Snapshot { bodies: bodies.select(&[0]), ..Snapshot::default() };
    let single = form.precision == Precision::F32;
    let inside = |k: &usize| form.region.as_ref().is_none_or(|r| r.holds(bodies.position_m[*k]));
    let n = (0..bodies.len()).step_by(form.stride.0).filter(inside).count() as u64;
    let chosen = |name: &str| form.has(name) || !columns().any(|c| c == name);
    let of = |list: &[Array<Snapshot>], single, rows| -> u64 {
        let written = list.iter().filter(|a| (a.written)(&one) && chosen(a.name));
        written.map(|a| HEAD + SUM + rows * a.width as u64 * width_of(a, single)).sum()
    };
    let in_frame = if form.constants == Constants::EveryFrame { of(CONSTANTS, false, n) } else { 0 };
    let part = if form.is_part() { of(PART, false, n) } else { 0 };
    FrameSize {
        bodies: TIME + in_frame + part + of(BODIES, single, n),
        contacts: if contacts_per_body > 0 { of(CONTACTS, single, contacts_per_body * n) } else { 0 },
        once: if form.constants == Constants::Once { of(CONSTANTS, false, bodies.len() as u64) } else { 0 },
    }
}

/// Bytes of one number.
fn width_of(array: &Array<Snapshot>, single: bool) -> u64 {
    match array.numbers {
        Numbers::F64(_) if !single => 8,
        _ => 4,
    }
}
