//! Frames side by side: a table for each part that changes, and plots.

use crate::analysis::cluster_report::{ClusterRow, Clusters};
use crate::analysis::damage::Damage;
use crate::analysis::orbits::{Orbits, Quartiles};
use crate::analysis::outcome::Outcome;
use crate::analysis::report::Aggregates;
use crate::analysis::rotation::Rotation;
use crate::analysis::strain::Strain;
use crate::base::disk;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::record::files::series::Series;
use crate::render::plots::{Line, Plot, SIZE, draw};
use std::collections::HashSet;
use std::path::Path;

/// A frame's number, its time (s), and a part of what was measured of it.
pub type At<'a, T> = (usize, f64, &'a T);

/// Writes `clusters.csv`: a row for each cluster of each frame.
pub fn write_clusters(folder: &Path, frames: &[At<Clusters>]) -> Result<()> {
    if frames.is_empty() {
        return Ok(());
    }
    let mut rows = vec![];
    for (frame, time_s, found) in frames {
        rows.extend(found.list.iter().map(|c| (*frame, *time_s, c)));
    }
    write_table(&folder.join("clusters.csv"), CLUSTERS, &rows)
}

/// A column of a table: its name, and its value of what a row shows at an instant.
type Column<T> = (&'static str, fn(&At<T>) -> f64);

fn write_table<T>(path: &Path, columns: &[Column<T>], rows: &[At<T>]) -> Result<()> {
    let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut table = Series::create(path, &names)?;
    for row in rows {
        let values: Vec<f64> = columns.iter().map(|(_, value)| value(row)).collect();
        table.push(&values)?;
    }
    Ok(())
}

/// Writes a table with a row for each frame; none of no frames.
fn write_frames<T>(folder: &Path, frames: &[At<T>], (name, columns): (&str, &[Column<T>])) -> Result<()> {
    if frames.is_empty() { Ok(()) } else { write_table(&folder.join(name), columns, frames) }
}

/// A line of a plot: its label, and its value of what was measured of a frame.
type Curve<T> = (&'static str, fn(&T) -> f64);

fn drawn<T>(frames: &[At<T>], curves: &[Curve<T>]) -> Vec<Line> {
    let of = |(label, value): &Curve<T>| line((*label).into(), frames.iter().map(|f| (f.1, value(f.2))));
    curves.iter().map(of).collect()
}

const CLUSTERS: &[Column<ClusterRow>] = &[
    ("frame", |(frame, _, _)| *frame as f64),
    ("time_s", |(_, time_s, _)| *time_s),
    ("track", |(_, _, c)| c.track.map_or(f64::NAN, |t| t as f64)),
    ("rank", |(_, _, c)| c.rank as f64),
    ("bodies", |(_, _, c)| c.aggregate.bodies as f64),
    ("by_contact", |(_, _, c)| c.by_contact as f64),
    ("mass_kg", |(_, _, c)| c.aggregate.mass_kg),
    ("mass_share", |(_, _, c)| c.aggregate.mass_share),
    ("mean_body_mass_ratio", |(_, _, c)| c.mean_body_mass_ratio),
    ("centre_x_m", |(_, _, c)| c.aggregate.centre_m.x),
    ("centre_y_m", |(_, _, c)| c.aggregate.centre_m.y),
    ("centre_z_m", |(_, _, c)| c.aggregate.centre_m.z),
    ("velocity_x_m_s", |(_, _, c)| c.aggregate.velocity_m_s.x),
    ("velocity_y_m_s", |(_, _, c)| c.aggregate.velocity_m_s.y),
    ("velocity_z_m_s", |(_, _, c)| c.aggregate.velocity_m_s.z),
    ("angular_velocity_x_rad_s", |(_, _, c)| c.rotation.angular_velocity_rad_s.x),
    ("angular_velocity_y_rad_s", |(_, _, c)| c.rotation.angular_velocity_rad_s.y),
    ("angular_velocity_z_rad_s", |(_, _, c)| c.rotation.angular_velocity_rad_s.z),
    ("rigid_share", |(_, _, c)| c.rotation.rigid_share.unwrap_or(f64::NAN)),
    ("semi_axis_a_m", |(_, _, c)| c.rotation.semi_axes_m[0]),
    ("semi_axis_b_m", |(_, _, c)| c.rotation.semi_axes_m[1]),
    ("semi_axis_c_m", |(_, _, c)| c.rotation.semi_axes_m[2]),
];

/// Writes `aggregates.csv`, a row for each frame, and `rotation.svg`: how the heaviest aggregate turns.
pub fn write_aggregates(folder: &Path, run: &str, frames: &[At<Aggregates>]) -> Result<()> {
    let curves: [Curve<Aggregates>; 3] = [
        ("rotations a day", |a| heaviest(a, |r| r.period_h.map(|hours| 24.0 / hours))),
        ("rigid share", |a| heaviest(a, |r| r.rigid_share)),
        ("elongation", |a| heaviest(a, |r| Some(r.elongation))),
    ];
    write_frames(folder, frames, ("aggregates.csv", AGGREGATES))?;
    plot(folder, "rotation", run, "heaviest aggregate", drawn(frames, &curves))
}

/// A quantity of the heaviest aggregate, which may be a single body; NaN where it has none.
fn heaviest(found: &Aggregates, of: fn(&Rotation) -> Option<f64>) -> f64 {
    found.heaviest.as_ref().and_then(|row| of(&row.rotation)).unwrap_or(f64::NAN)
}

const AGGREGATES: &[Column<Aggregates>] = &[
    ("frame", |(frame, _, _)| *frame as f64),
    ("time_s", |(_, time_s, _)| *time_s),
    ("count", |(_, _, a)| a.count as f64),
    ("single_bodies", |(_, _, a)| a.single_bodies as f64),
    ("bound_bodies", |(_, _, a)| a.bound_bodies as f64),
    ("escaping_bodies", |(_, _, a)| a.escaping_bodies as f64),
    ("bound_mass_share", |(_, _, a)| a.bound_mass_share),
    ("escaping_mass_share", |(_, _, a)| a.escaping_mass_share),
    ("bodies", |(_, _, a)| a.heaviest.as_ref().map_or(f64::NAN, |row| row.aggregate.bodies as f64)),
    ("mass_share", |(_, _, a)| a.heaviest.as_ref().map_or(f64::NAN, |row| row.aggregate.mass_share)),
    ("angular_velocity_rad_s", |(_, _, a)| heaviest(a, |r| Some(r.angular_velocity_rad_s.length()))),
    ("period_h", |(_, _, a)| heaviest(a, |r| r.period_h)),
    ("rigid_share", |(_, _, a)| heaviest(a, |r| r.rigid_share)),
    ("wobble_deg", |(_, _, a)| heaviest(a, |r| r.wobble_deg)),
    ("elongation", |(_, _, a)| heaviest(a, |r| Some(r.elongation))),
    ("semi_axis_a_m", |(_, _, a)| heaviest(a, |r| Some(r.semi_axes_m[0]))),
    ("semi_axis_b_m", |(_, _, a)| heaviest(a, |r| Some(r.semi_axes_m[1]))),
    ("semi_axis_c_m", |(_, _, a)| heaviest(a, |r| Some(r.semi_axes_m[2]))),
];

/// Writes `outcome.csv`, a row for each frame, and `largest_cluster.svg`.
pub fn write_outcomes(folder: &Path, run: &str, frames: &[Outcome]) -> Result<()> {
    let Some(first) = frames.first() else { return Ok(()) };
    let names: Vec<String> = first.columns().iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut table = Series::create(&folder.join("outcome.csv"), &names)?;
    for frame in frames {
        let row: Vec<f64> = frame.columns().iter().map(|(_, value)| *value).collect();
        table.push(&row)?;
    }
    let curve = |label: &str, of: fn(&Outcome) -> Option<f64>| {
        line(label.into(), frames.iter().map(|o| (o.time_s, of(o).unwrap_or(f64::NAN))))
    };
    let lines = vec![
        curve("largest, share of mass", |o| o.largest_mass_share),
        curve("second, share of mass", |o| o.second_mass_share),
        curve("free bodies, share of mass", |o| Some(o.free_mass_share)),
        curve("largest, mean body mass over all", |o| o.largest_mean_body_mass_ratio),
    ];
    plot(folder, "largest_cluster", run, "share", lines)
}

/// Writes `strain.csv`, a row for each frame and a column `strain_share` for each class of sizes, and `strain.svg`.
pub fn write_strains(folder: &Path, run: &str, frames: &[At<Strain>]) -> Result<()> {
    let Some((_, _, first)) = frames.first() else { return Ok(()) };
    let classes = named(&first.sizes.iter().map(|s| [s.class.radius_min_m, s.class.radius_max_m]).collect::<Vec<_>>());
    let own = classes.iter().map(|c| format!("strain_share_{c}_m"));
    let names: Vec<String> = ["frame", "time_s", "overlap_max_m"].map(str::to_owned).into_iter().chain(own).collect();
    let mut table = Series::create(&folder.join("strain.csv"), &names)?;
    let share = |found: &Strain, k: usize| found.sizes[k].strain_share.unwrap_or(f64::NAN);
    for (frame, time_s, found) in frames {
        let shares = (0..classes.len()).map(|k| share(found, k));
        let row: Vec<f64> = [*frame as f64, *time_s, found.overlap_max_m].into_iter().chain(shares).collect();
        table.push(&row)?;
    }
    let curve = |(k, class): (usize, &String)| line(format!("{class} m"), frames.iter().map(|f| (f.1, share(f.2, k))));
    let lines = classes.iter().enumerate().map(curve).collect();
    plot(folder, "strain", run, "strained most, over an equal share", lines)
}

/// Writes `damage.csv`, a row for each frame, and `damage.svg`.
pub fn write_damages(folder: &Path, run: &str, frames: &[At<Damage>]) -> Result<()> {
    let curves: [Curve<Damage>; 2] = [
        ("broken, of the contacts of the first frame", |d| d.broken_share.unwrap_or(f64::NAN)),
        ("in the largest crack, of the broken ones", |d| d.largest.as_ref().map_or(f64::NAN, |c| c.broken_share)),
    ];
    write_frames(folder, frames, ("damage.csv", DAMAGE))?;
    plot(folder, "damage", run, "share", drawn(frames, &curves))
}

const DAMAGE: &[Column<Damage>] = &[
    ("frame", |(frame, _, _)| *frame as f64),
    ("time_s", |(_, time_s, _)| *time_s),
    ("contacts", |(_, _, d)| d.contacts as f64),
    ("broken", |(_, _, d)| d.broken as f64),
    ("new", |(_, _, d)| d.new as f64),
    ("cracks", |(_, _, d)| d.cracks as f64),
    ("largest_contacts", |(_, _, d)| d.largest.as_ref().map_or(0.0, |c| c.contacts as f64)),
    ("largest_length_m", |(_, _, d)| d.largest.as_ref().map_or(f64::NAN, |c| c.length_m)),
    ("largest_thickness_m", |(_, _, d)| d.largest.as_ref().map_or(f64::NAN, |c| c.thickness_m)),
    ("random_largest_mean", |(_, _, d)| d.random_largest_mean.unwrap_or(f64::NAN)),
    ("random_largest_deviation", |(_, _, d)| d.random_largest_deviation.unwrap_or(f64::NAN)),
];

/// Writes `orbits.csv`, a row for each frame, and `orbits.svg`.
pub fn write_orbits(folder: &Path, run: &str, frames: &[At<Orbits>]) -> Result<()> {
    let curves: [Curve<Orbits>; 4] = [
        ("aloft", |o| o.aloft as f64),
        ("returning", |o| o.returning as f64),
        ("orbiting", |o| o.orbiting as f64),
        ("escaping", |o| o.escaping as f64),
    ];
    write_frames(folder, frames, ("orbits.csv", ORBITS))?;
    plot(folder, "orbits", run, "bodies", drawn(frames, &curves))
}

const ORBITS: &[Column<Orbits>] = &[
    ("frame", |(frame, _, _)| *frame as f64),
    ("time_s", |(_, time_s, _)| *time_s),
    ("aloft", |(_, _, o)| o.aloft as f64),
    ("returning", |(_, _, o)| o.returning as f64),
    ("orbiting", |(_, _, o)| o.orbiting as f64),
    ("escaping", |(_, _, o)| o.escaping as f64),
    ("distance_max_m", |(_, _, o)| o.distance_max_m.unwrap_or(f64::NAN)),
    ("semi_major_axis_median_m", |(_, _, o)| median(o.semi_major_axis_m)),
    ("eccentricity_median", |(_, _, o)| median(o.eccentricity)),
    ("periapsis_median_m", |(_, _, o)| median(o.periapsis_m)),
    ("inclination_median_deg", |(_, _, o)| median(o.inclination_deg)),
];

fn median(of: Option<Quartiles>) -> f64 {
    of.map_or(f64::NAN, |q| q.median)
}

/// Digits after the first one that tell two numbers of 64 bits apart.
const DIGITS: usize = 16;

/// Classes of sizes, each between two radii (m), with as few digits as tell them apart: four, or more.
fn named(classes: &[[f64; 2]]) -> Vec<String> {
    let with = |digits: usize| classes.iter().map(|ends| radii(*ends, digits)).collect::<Vec<_>>();
    let differ = |names: &Vec<String>| names.iter().collect::<HashSet<_>>().len() == names.len();
    (3..DIGITS).map(with).find(differ).unwrap_or_else(|| with(DIGITS))
}

/// A class of sizes, with so many digits after the first one.
fn radii(ends_m: [f64; 2], digits: usize) -> String {
    let [low, high] = ends_m.map(|r| format!("{}", format!("{r:.digits$e}").parse::<f64>().unwrap_or(r)));
    if low == high { low } else { format!("{low}-{high}") }
}

fn line(label: String, points: impl Iterator<Item = (f64, f64)>) -> Line {
    Line { label, points: points.collect() }
}

/// A plot of numbers without unit, with a title and the name of their axis; none of less than two points.
fn plot(folder: &Path, file: &'static str, title: &str, axis: &'static str, mut lines: Vec<Line>) -> Result<()> {
    lines.retain(|l| l.points.iter().filter(|p| p.1.is_finite()).count() > 1);
    if lines.is_empty() {
        return Ok(());
    }
    let path = folder.join(format!("{file}.svg"));
    let wanted = Plot { file, axis, unit: "", logarithmic: false, curves: &[] };
    let text = draw(&wanted, lines, title, SIZE).map_err(|e| Fault::new(e.to_string()).path(&path).data())?;
    disk::write_new(&path, text.as_bytes(), true)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn classes_of_sizes_have_names_that_differ() {
        let list = |classes: &[[f64; 2]]| named(classes).join(" ");
        assert_eq!(list(&[[0.5, 0.5], [1.0, 1.23456]]), "0.5 1-1.235");
        assert_eq!(list(&[[1.0, 1.0], [1.0001, 1.0001], [1.0002, 1.0003]]), "1 1.0001 1.0002-1.0003");
        let next = f64::from_bits(1f64.to_bits() + 1);
        assert_eq!(list(&[[1.0, 1.0], [next, next]]), "1 1.0000000000000002");
    }
}
