//! Frames read back as the instants that they show, contacts included.

use super::directory::need_run;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::readable::number;
use crate::model::body::Bodies;
use crate::model::snapshot::{Contact, Snapshot, WallContact};
use crate::model::stored::frame_files::FrameFiles;
use crate::model::stored::frames::{list_frames, number_of, read_pose, read_time};
use crate::model::stored::npy::whole;
use crate::physics::measure::aggregates::{Aggregate, aggregates};
use crate::physics::measure::links::{TOLERANCE, by_force, by_gap};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// A frame read back.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// its number in the run
    pub number: usize,
    /// bodies and, where they were written, contacts; fields and sums of the run are not in frames
    pub instant: Snapshot,
    /// contacts were written with it
    pub has_contacts: bool,
    path: PathBuf,
}

impl Recorded {
    /// Reads a frame directory with all bodies and all of their motion; refuses arrays that do not belong together.
    pub fn read(frame: &Path) -> Result<Recorded> {
        Recorded::of_all(frame, &["velocity", "spin"])
    }

    /// Reads a frame directory with all bodies, for what does not depend on their motion: velocities and spins that were not
    /// written are NaN.
    pub fn unmoved(frame: &Path) -> Result<Recorded> {
        Recorded::of_all(frame, &[])
    }

    fn of_all(frame: &Path, needed: &[&str]) -> Result<Recorded> {
        let files = FrameFiles::open(frame)?;
        files.need_all("what is measured of a frame")?;
        Recorded::of(frame, &files, needed)
    }

    /// Reads a frame that may hold a part of the bodies. Of `velocity` and `spin` those that are not `needed` are NaN if they are
    /// missing.
    pub fn of(frame: &Path, files: &FrameFiles, needed: &[&str]) -> Result<Recorded> {
        let number =
            number_of(frame).ok_or_else(|| Fault::new("is not the directory of a frame").path(frame).data())?;
        let (step, time_s) = read_time(frame)?;
        let (bodies, pose) = (files.bodies(needed)?, read_pose(frame)?);
        let mut instant = Snapshot { step, time_s, bodies, frame: pose, ..Snapshot::default() };
        let has_contacts = files.holds("pair");
        if has_contacts {
            let table = Table { frame, files, bodies: &instant.bodies };
            let (contacts, wall_contacts) = (table.contacts()?, table.wall_contacts()?);
            (instant.contacts, instant.wall_contacts) = (contacts, wall_contacts);
        }
        Ok(Recorded { number, instant, has_contacts, path: frame.to_owned() })
    }

    /// Pairs of bodies that hold together, and what makes them so: contacts that carry force, or gaps below a tolerance (mean
    /// radii) where it is given or contacts were not written. Before the first step of contact dynamics no contact carries force yet.
    pub fn links(&self, tolerance: Option<f64>) -> (Vec<[u32; 2]>, String) {
        match (tolerance, self.has_contacts && (self.instant.step > 0 || self.carries_force())) {
            (None, true) => (by_force(&self.instant), "contacts that carry force".to_owned()),
            (given, _) => {
                let tolerance = given.unwrap_or(TOLERANCE);
                (by_gap(&self.instant.bodies, tolerance), format!("gaps below {tolerance} mean radii"))
            }
        }
    }

    fn carries_force(&self) -> bool {
        !by_force(&self.instant).is_empty()
    }

    /// Aggregates of these links without a tolerance given, the heaviest first; a body that touches no other is one by itself.
    pub fn aggregates(&self) -> Vec<Aggregate> {
        aggregates(&self.instant, &self.links(None).0)
    }

    /// An error unless contacts were written with the frame.
    pub fn need_contacts(&self, what: &str) -> Result<()> {
        if self.has_contacts {
            return Ok(());
        }
        Err(Fault::new(format!("holds no contacts (pair.npy), which {what} needs"))
            .remedy("a run writes them with `output.contacts = true`")
            .path(&self.path)
            .data())
    }
}

/// The frames of a run that were asked for: one by its number, the last one, or all.
pub fn choose(run: &Path, wanted: Wanted) -> Result<Vec<(usize, PathBuf)>> {
    let mut frames = numbered(run)?;
    let Some((last, _)) = frames.last() else {
        return Err(Fault::new("has no frames").path(run).data());
    };
    let (last, one) = match (wanted, *last) {
        (Wanted::All, last) => {
            let gone = last + 1 - frames.len();
            if gone > 0 {
                tracing::warn!("{}: {gone} of {} frames are missing; see `breccia info`", run.display(), last + 1);
            }
            return Ok(frames);
        }
        (Wanted::Last, last) => (last, last),
        (Wanted::Number(one), last) => (last, one),
    };
    frames.retain(|(k, _)| *k == one);
    if frames.is_empty() {
        let run = run.display();
        let what = if one < last {
            format!("{run} lacks it; see `breccia info`")
        } else {
            format!("{run} has frames up to {last}")
        };
        return Err(Error::Usage(format!("--frame {one}: {what}")));
    }
    Ok(frames)
}

/// Steps do not always divide evenly among frames, so that spacings differ a little.
const UNEVEN: f64 = 1.02;

/// How far from a frame an instant may be that it stands for (s): half the spacing of the frames around the instant, without
/// those that are lost. `times`: number and time of each frame.
fn reach_s(times: &[(usize, f64)], at_s: f64) -> f64 {
    let after = times.iter().position(|t| t.1 >= at_s).unwrap_or(times.len());
    let last = after.clamp(1, times.len().saturating_sub(1).max(1));
    let (Some(a), Some(b)) = (times.get(last - 1), times.get(last)) else { return 0.0 };
    0.5 * UNEVEN * (b.1 - a.1) / (b.0 - a.0).max(1) as f64
}

/// Index of the frame nearest to an instant (s), the earlier of two as near; the error says which instants have one. `times`:
/// number and time (s) of each frame.
pub fn nearest_of(times: &[(usize, f64)], at_s: f64) -> std::result::Result<usize, String> {
    let away = times.iter().map(|(_, time_s)| (time_s - at_s).abs()).enumerate();
    let reach_s = reach_s(times, at_s);
    let found = away.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, away)| *away <= reach_s);
    found.map(|(k, _)| k).ok_or_else(|| {
        let [first, last] = [times.first(), times.last()].map(|t| number(t.map_or(0.0, |t| t.1)));
        format!("has frames from {first} to {last} s, none within {} s of {} s", number(reach_s), number(at_s))
    })
}

/// Number and directory of each frame of a run, in order.
pub fn numbered(run: &Path) -> Result<Vec<(usize, PathBuf)>> {
    need_run(run)?;
    Ok(list_frames(run)?.into_iter().filter_map(|path| Some((number_of(&path)?, path))).collect())
}

/// Number and time (s) of each of these frames.
pub fn times_of(frames: &[(usize, PathBuf)]) -> Result<Vec<(usize, f64)>> {
    frames.iter().map(|(number, path)| Ok((*number, read_time(path)?.1))).collect()
}

/// The frames of a run that are nearest to instants (s). Refuses an instant that has none within half the spacing around it.
pub fn nearest(run: &Path, instants_s: &[f64]) -> Result<Vec<(usize, PathBuf)>> {
    let frames = if instants_s.is_empty() { return Ok(vec![]) } else { choose(run, Wanted::All)? };
    let times = times_of(&frames)?;
    let near = |at_s: &f64| {
        let (at, run) = (number(*at_s), run.display());
        if !at_s.is_finite() || *at_s < 0.0 {
            let last = number(times.last().map_or(0.0, |t| t.1));
            return Err(Error::Usage(format!("--at {at}: is not an instant of {run}; name one from 0 to {last} s")));
        }
        let missing = |what| Error::Usage(format!("--at {at}: {run} {what}; name another instant"));
        nearest_of(&times, *at_s).map(|k| frames[k].clone()).map_err(missing)
    };
    instants_s.iter().map(near).collect()
}

/// Which frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// the last one
    Last,
    /// this one
    Number(usize),
    /// all
    All,
}

impl std::str::FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Wanted, String> {
        match text {
            "last" => Ok(Wanted::Last),
            "all" => Ok(Wanted::All),
            _ => text.parse().map(Wanted::Number).map_err(|_| "give the number of a frame, `last` or `all`".into()),
        }
    }
}

/// Arrays of one frame, compared with its bodies.
struct Table<'a> {
    frame: &'a Path,
    files: &'a FrameFiles,
    bodies: &'a Bodies,
}

impl Table<'_> {
    fn fault(&self, name: &str, what: String) -> Error {
        Fault::new(what).file(self.frame.join(format!("{name}.npy")).display().to_string()).data()
    }

    /// Rows of an array of `count` rows (`None`: any number) and `width` columns.
    fn rows(&self, name: &str, width: usize, count: Option<usize>) -> Result<Vec<Vec<f64>>> {
        let (data, shape) = self.files.numbers(name)?;
        let fits = match shape[..] {
            [rows] => width == 1 && count.is_none_or(|n| rows == n),
            [rows, columns] => columns == width && count.is_none_or(|n| rows == n),
            _ => false,
        };
        if !fits {
            let rows = count.map_or("n".into(), |n| n.to_string());
            return Err(self.fault(name, format!("shape {shape:?}, ({rows}, {width}) is wanted")));
        }
        Ok(data.chunks_exact(width).map(<[f64]>::to_vec).collect())
    }

    fn vectors(&self, name: &str, count: usize) -> Result<Vec<DVec3>> {
        Ok(self.rows(name, 3, Some(count))?.iter().map(|r| DVec3::from_slice(r)).collect())
    }

    /// Points of contact, which polyhedra have.
    fn points(&self, name: &str, count: usize) -> Result<Option<Vec<DVec3>>> {
        self.bodies.polyhedra.as_ref().map(|_| self.vectors(name, count)).transpose()
    }

    /// Index of a body, if there is such a body.
    fn body(&self, name: &str, index: f64) -> Result<u32> {
        let known = self.bodies.len();
        whole(index)
            .filter(|index| (*index as usize) < known)
            .ok_or_else(|| self.fault(name, format!("names body {index} of {known}")))
    }

    /// Number of a wall, or of the asteroid behind them.
    fn wall(&self, number: f64) -> Result<u32> {
        whole(number).ok_or_else(|| self.fault("wall_pair", format!("names wall {number}")))
    }

    fn contacts(&self) -> Result<Vec<Contact>> {
        let pairs = self.rows("pair", 2, None)?;
        let m = pairs.len();
        let (force, normal) = (self.vectors("contact_force", m)?, self.vectors("contact_normal", m)?);
        let point = self.points("contact_point", m)?;
        let (overlap, torque) = (self.rows("contact_overlap", 1, Some(m))?, self.rows("contact_torque", 6, Some(m))?);
        let contact = |k: usize| {
            Ok(Contact {
                i: self.body("pair", pairs[k][0])?,
                j: self.body("pair", pairs[k][1])?,
                overlap_m: overlap[k][0],
                normal: normal[k],
                force_n: force[k],
                at_m: point.as_ref().map(|p| p[k]),
                torque_i_n_m: DVec3::from_slice(&torque[k][..3]),
                torque_j_n_m: DVec3::from_slice(&torque[k][3..]),
                ..Contact::default()
            })
        };
        (0..m).map(contact).collect()
    }

    fn wall_contacts(&self) -> Result<Vec<WallContact>> {
        let pairs = self.rows("wall_pair", 2, None)?;
        let (force, overlap) =
            (self.vectors("wall_force", pairs.len())?, self.rows("wall_overlap", 1, Some(pairs.len()))?);
        // spheres have points on the surface of an asteroid alone
        let there = self.files.holds("wall_point");
        let point = there.then(|| self.vectors("wall_point", pairs.len())).transpose()?;
        let contact = |k: usize| {
            Ok(WallContact {
                body: self.body("wall_pair", pairs[k][0])?,
                wall: self.wall(pairs[k][1])?,
                overlap_m: overlap[k][0],
                force_n: force[k],
                at_m: point.as_ref().map(|p| p[k]).filter(|p| p.is_finite()),
                ..WallContact::default()
            })
        };
        (0..pairs.len()).map(contact).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_frame_stands_for_an_instant_and_none_far_away() {
        // every 100 s, and three frames were lost
        let times = [(0, 0.0), (1, 100.0), (2, 200.0), (3, 300.0), (7, 700.0)];
        for (wanted, found) in
            [(0.0, 0), (49.0, 0), (50.0, 0), (51.0, 1), (-50.0, 0), (349.0, 3), (210.0, 2), (750.0, 4)]
        {
            assert_eq!(nearest_of(&times, wanted), Ok(found), "{wanted}");
        }
        for wanted in [-52.0, 352.0, 500.0, 752.0, f64::NAN] {
            assert!(nearest_of(&times, wanted).is_err(), "{wanted}");
        }
        assert!(nearest_of(&[], 0.0).is_err() && nearest_of(&[(5, 5.0)], 5.0) == Ok(0));
        // each ten times as late as the one before
        let late = [(0, 0.0), (1, 1.0), (2, 10.0), (3, 100.0), (4, 1000.0)];
        assert_eq!([3.0, 54.0, 600.0, 1400.0].map(|at_s| nearest_of(&late, at_s)), [Ok(1), Ok(2), Ok(4), Ok(4)]);
        assert!(nearest_of(&late, 1500.0).is_err());
        assert!(nearest_of(&times, 500.0).unwrap_err().contains("from 0 to 700 s, none within 51 s of 500 s"));
    }
}
