//! A frame that is opened for reading, whichever form it was written in: an .npy file an array or all in one .npz, with 64 bits
//! or 32, with what never changes in the frame or once in its run, with all bodies or a part of them.

use super::arrays::RELATIVE;
use super::frame_arrays::{BODIES, CONSTANTS, FOLDER, columns};
use super::names::{MANIFEST, TIME};
use super::npy::{all_whole, decode, to_f64};
use super::shapes;
use crate::base::checksums::Checksums;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::model::body::{Bodies, Polyhedra};
use glam::{DQuat, DVec3};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// Name of the file of all arrays of a compressed frame.
pub const PACKED: &str = "arrays.npz";

/// Most bytes that deflate makes of one.
const GROWTH_MAX: u64 = 1100;

/// A frame and the run that it is in. What is read of it is held against its checksums, and that of the run against those
/// beside it; frames outside of a run, put together by hand or kept as an input, may have none.
pub struct FrameFiles {
    frame: PathBuf,
    sums: Checksums,
    once: OnceCell<Checksums>,
    packed: Option<RefCell<ZipArchive<Cursor<Vec<u8>>>>>,
    packed_bytes: u64,
    offsets: BTreeMap<String, DVec3>,
    /// rows of the run's bodies, if the frame holds a part of them
    rows: Option<Vec<usize>>,
}

/// The run that a frame is in.
fn run_of(frame: &Path) -> &Path {
    frame.ancestors().nth(2).unwrap_or(frame)
}

/// Checksums of a folder, which those of a run must have.
pub(super) fn checksums_of(folder: &Path, run: &Path) -> Result<Checksums> {
    if run.join(MANIFEST).exists() { Checksums::read(folder) } else { Checksums::read_if_there(folder) }
}

impl FrameFiles {
    /// Opens a frame directory. Refuses one that lacks a file.
    pub fn open(frame: &Path) -> Result<FrameFiles> {
        let sums = checksums_of(frame, run_of(frame))?;
        sums.need_files()?;
        let bad = |e: serde_json::Error| Fault::new(e.to_string()).path(frame.join(TIME)).data();
        let time: serde_json::Value = serde_json::from_slice(&sums.file(TIME)?).map_err(bad)?;
        let bad = |e: serde_json::Error| Fault::new(format!("offset: {e}")).path(frame.join(TIME)).data();
        let offsets =
            time.get("offset").map_or(Ok(BTreeMap::new()), |o| serde_json::from_value(o.clone()).map_err(bad))?;
        let path = frame.join(PACKED);
        let bytes = path.exists().then(|| sums.file(PACKED)).transpose()?;
        let packed_bytes = bytes.as_ref().map_or(0, |b| b.len() as u64);
        let open =
            |bytes| ZipArchive::new(Cursor::new(bytes)).map_err(|e| Fault::new(e.to_string()).path(&path).data());
        let packed = bytes.map(open).transpose()?.map(RefCell::new);
        let (frame, once) = (frame.to_owned(), OnceCell::new());
        let mut files = FrameFiles { frame, sums, once, packed, packed_bytes, offsets, rows: None };
        if files.holds("body") {
            let rows = files.whole("body", files.numbers("body")?.0)?;
            files.rows = Some(rows.into_iter().map(|row| row as usize).collect());
        }
        Ok(files)
    }

    /// The run that the frame is in.
    fn run(&self) -> &Path {
        run_of(&self.frame)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.frame.join(format!("{name}.npy"))
    }

    fn holds_file(&self, name: &str) -> bool {
        let inside = |zip: &RefCell<ZipArchive<_>>| zip.borrow().index_for_name(&format!("{name}.npy")).is_some();
        self.packed.as_ref().map_or_else(|| self.file(name).exists(), inside)
    }

    /// True if the frame itself holds the array.
    pub fn holds(&self, name: &str) -> bool {
        self.holds_file(name) || self.holds_file(&format!("{name}{RELATIVE}"))
    }

    /// True if its numbers have 32 bits.
    pub fn is_single(&self) -> bool {
        !self.offsets.is_empty()
    }

    /// An array's numbers and shape, whichever form it has.
    pub fn numbers(&self, name: &str) -> Result<(Vec<f64>, Vec<usize>)> {
        if self.holds_file(name) {
            return self.own(name);
        }
        let relative = format!("{name}{RELATIVE}");
        if self.holds_file(&relative) {
            let (mut numbers, shape) = self.own(&relative)?;
            let offset = self
                .offsets
                .get(name)
                .filter(|o| o.is_finite())
                .ok_or_else(|| self.fault(TIME, format!("has no finite `offset` of `{name}`")))?;
            numbers.iter_mut().zip(offset.to_array().iter().cycle()).for_each(|(v, o)| *v += o);
            return Ok((numbers, shape));
        }
        let once = self.run().join(FOLDER).join(format!("{name}.npy"));
        if CONSTANTS.iter().any(|a| a.name == name) && once.exists() {
            let all = to_f64(&self.of_run()?.file(&format!("{name}.npy"))?, &once)?;
            return self.rows.as_ref().map_or(Ok(all.clone()), |rows| self.pick(&once, &all.0, rows));
        }
        Err(self.missing(name))
    }

    /// Checksums of what the run keeps once.
    fn of_run(&self) -> Result<&Checksums> {
        if let Some(known) = self.once.get() {
            return Ok(known);
        }
        let read = checksums_of(&self.run().join(FOLDER), self.run())?;
        Ok(self.once.get_or_init(|| read))
    }

    fn pick(&self, once: &Path, all: &[f64], rows: &[usize]) -> Result<(Vec<f64>, Vec<usize>)> {
        let found: Option<Vec<f64>> = rows.iter().map(|k| all.get(*k).copied()).collect();
        let what = || format!("names rows that {} does not have", once.display());
        found.map(|v| (v, vec![rows.len()])).ok_or_else(|| self.fault("body.npy", what()))
    }

    fn own(&self, name: &str) -> Result<(Vec<f64>, Vec<usize>)> {
        let Some(packed) = &self.packed else {
            return to_f64(&self.sums.file(&format!("{name}.npy"))?, &self.file(name));
        };
        let bad = |e: String| Fault::new(format!("{name}.npy: {e}")).path(self.frame.join(PACKED)).data();
        let mut zip = packed.borrow_mut();
        let entry = zip.by_name(&format!("{name}.npy")).map_err(|e| bad(e.to_string()))?;
        let mut bytes = vec![];
        let most = self.packed_bytes.saturating_mul(GROWTH_MAX);
        entry.take(most).read_to_end(&mut bytes).map_err(|e| bad(e.to_string()))?;
        decode(&bytes, &bad)
    }

    /// Numbers of an array that counts: none is negative or has a fraction.
    fn whole(&self, name: &str, numbers: Vec<f64>) -> Result<Vec<u32>> {
        all_whole(numbers).map_err(|what| self.fault(&format!("{name}.npy"), what))
    }

    fn fault(&self, file: &str, what: String) -> Error {
        Fault::new(what).path(self.frame.join(file)).data()
    }

    fn missing(&self, name: &str) -> Error {
        let fault = Fault::new(format!("holds no `{name}` ({name}.npy)")).path(&self.frame);
        let chosen = columns().any(|c| c == name);
        let once = CONSTANTS.iter().any(|a| a.name == name);
        let of = BODIES
            .iter()
            .find(|a| a.name == name && !a.when.is_empty())
            .map_or(String::new(), |a| format!(" of {}", a.when));
        match (chosen, once) {
            (true, _) => {
                fault.remedy(format!("a run{of} writes it if `output.columns` names \"{name}\", or without that key"))
            }
            (_, true) => fault.remedy(format!(
                "and its run has none in `{FOLDER}/`; copy that folder from where the frame comes from"
            )),
            _ => fault,
        }
        .data()
    }

    /// An error if the frame holds a part of the bodies; `what` needs all.
    pub fn need_all(&self, what: &str) -> Result<()> {
        let Some(rows) = &self.rows else { return Ok(()) };
        Err(Fault::new(format!("holds {} bodies of its run, and {what} needs all of them", rows.len()))
            .remedy("make the run without `output.stride` and `output.region`")
            .path(&self.frame)
            .data())
    }

    /// An array of so many numbers a body: one without `row`, or as many as it says.
    fn column(&self, name: &str, row: &[usize]) -> Result<Vec<f64>> {
        let (numbers, shape) = self.numbers(name)?;
        if shape.len() != 1 + row.len() || shape[1..] != *row {
            let wanted = row.first().map_or("(bodies)".into(), |n| format!("(bodies, {n})"));
            let has = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(self.fault(&format!("{name}.npy"), format!("has the shape ({has}), and {wanted} is wanted")));
        }
        Ok(numbers)
    }

    /// Its bodies. Of `velocity` and `spin` those that are not `needed` may be missing, and are NaN then; numbers that
    /// cannot be measured are refused. Shapes of polyhedra are those of its run.
    pub fn bodies(&self, needed: &[&str]) -> Result<Bodies> {
        let read = |name: &str| self.column(name, &[]);
        let vectors = |name: &str| {
            Ok::<_, Error>(self.column(name, &[3])?.chunks_exact(3).map(DVec3::from_slice).collect::<Vec<_>>())
        };
        let whole = |name: &str| self.whole(name, read(name)?);
        let position_m = vectors("position")?;
        let n = position_m.len();
        let motion = |name: &str| match self.holds(name) || needed.contains(&name) {
            true => vectors(name),
            false => Ok(vec![DVec3::NAN; n]),
        };
        let bodies = Bodies {
            id: whole("id")?,
            position_m,
            velocity_m_s: motion("velocity")?,
            spin_rad_s: motion("spin")?,
            radius_m: read("radius")?,
            mass_kg: read("mass")?,
            material: whole("material")?,
            polyhedra: self.polyhedra()?,
        };
        let lengths = [
            bodies.id.len(),
            bodies.velocity_m_s.len(),
            bodies.spin_rad_s.len(),
            bodies.radius_m.len(),
            bodies.mass_kg.len(),
            bodies.material.len(),
            bodies.polyhedra.as_ref().map_or(n, |p| p.orientation.len()),
        ];
        if lengths.iter().any(|l| *l != n) {
            return Err(Fault::new("arrays of different lengths").path(&self.frame).data());
        }
        self.need_numbers(&bodies)?;
        Ok(bodies)
    }

    /// An error unless positions, sizes and the motions that the frame holds can be measured.
    fn need_numbers(&self, b: &Bodies) -> Result<()> {
        let [moves, turns] = ["velocity", "spin"].map(|name| self.holds(name));
        let finite = |held: bool, v: DVec3| !held || v.is_finite();
        let is_sound = |k: &usize| {
            let sizes = [b.radius_m[*k], b.mass_kg[*k]];
            b.position_m[*k].is_finite()
                && finite(moves, b.velocity_m_s[*k])
                && finite(turns, b.spin_rad_s[*k])
                && sizes.iter().all(|v| v.is_finite() && *v > 0.0)
        };
        let Some(k) = (0..b.len()).find(|k| !is_sound(k)) else { return Ok(()) };
        let what = "has a position, motion, radius or mass that is not finite, or a radius or mass that is not above 0";
        Err(Fault::new(format!("body {} {what}", b.id[k])).path(&self.frame).data())
    }

    /// Polyhedra, if the run has shapes.
    fn polyhedra(&self) -> Result<Option<Polyhedra>> {
        if !self.holds("orientation") && !self.run().join(shapes::FOLDER).exists() {
            return Ok(None);
        }
        let turns: Vec<DQuat> = self.column("orientation", &[4])?.chunks_exact(4).map(DQuat::from_slice).collect();
        if turns.iter().any(|q| (q.length() - 1.0).abs() > 1e-6 || !q.is_finite()) {
            return Err(self.fault("orientation.npy", "holds a quaternion that is not of length 1".into()));
        }
        shapes::read(self.run(), self.rows.as_deref(), turns).map(Some)
    }
}
