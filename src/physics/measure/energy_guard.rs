//! A guard on the energy ledger: energy that appears or vanishes without being booked shows that the numbers are wrong,
//! be it a time step, a state of too few bits or a broken device. Judged row by row, over a window.
//!
//! In a window of 20 rows the ledger has drifted by the distance between the values of its residual in the first
//! quarter and those in the last one, zero where these overlap, so that a change that a contact reverses is not a
//! drift. In the first window of a run the first row stands for the first quarter. The drift is taken over what was
//! dissipated between the two quarters, or over a floor if that is more: what rounding and the step leave of energies that
//! merely change hands.

use super::columns::column;
use crate::base::readable::{digits, number, percent};
use crate::model::scenario::{Method, Scenario};
use crate::physics::laws::registry;

/// Rows of a window after its first one.
const WINDOW: usize = 20;

const RESIDUAL: usize = column("energy_residual_j");
const GRAVITY: usize = column("gravitational_j");
const DISSIPATED: [usize; 4] = [
    column("dissipated_normal_j"),
    column("dissipated_sliding_j"),
    column("dissipated_rolling_j"),
    column("dissipated_twisting_j"),
];

/// What shows in a row that bodies touch; losses show what has come and gone between two rows.
const TOUCHING: [usize; 2] = [column("contacts"), column("elastic_j")];

/// Share from which a run says so.
pub const SAID_FROM: f64 = 0.05;

/// Floor over the kinetic energy: f32 springs and torques gain or lose about 2e-6 of it while bodies roll.
const OF_KINETIC: f64 = 1e-4;
/// This share for bodies that bounce without loss: a step leaves about 1e-4 of the energy of every bounce. And for bodies that
/// touch nothing: an orbit has what the step, and the delay of a coupling, leave of it.
const OF_KINETIC_ELASTIC: f64 = 0.02;
/// Floor over the kinetic energy that a servo would give its wall in a step: the bodies that hold it take as much in every step.
const OF_SERVO: f64 = 1e-4;
/// Floor over the size of the potential energy: f32 fields and potentials are good to 1e-7.
const OF_POTENTIAL: f64 = 1e-5;
/// Floor over what potential and work of walls have changed: fields of a tree, held over steps, are good to 1e-4 or so.
const OF_EXCHANGE: f64 = 0.01;
/// Floor over the energy in springs: half a step's worth of it is not booked yet while a contact lasts.
const OF_ELASTIC: f64 = 2.0;
/// The same over what springs took up and gave back, which is booked late where a contact lasts longer than the window.
const OF_ELASTIC_EXCHANGE: f64 = 1.0;
/// Floor over the most that a step dissipated, and that walls did: where a contact begins or ends, or begins to stick, half of
/// what its step took is not booked, and the rest of its change may lie outside the window.
const OF_STEP: f64 = 20.0;
/// This part of the floor over what the whole window dissipated, at most, in contact dynamics: an impact is one step there, and
/// where rows are few steps it would hide a loss that is not booked.
const OF_STEP_MOST: f64 = 10.0;

/// How far the ledger is from closing in a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// over what was dissipated, or the floor
    pub share: f64,
    /// (J)
    pub residual_j: f64,
    /// or the floor (J)
    pub scale_j: f64,
    /// of the first and last row of the window (s)
    pub time_s: [f64; 2],
}

/// The drift of the window that ends with the last of `rows`, of a run with this time step; `None`: there are too few rows
/// yet, and it is not the `last` of the run, which is judged by what there is.
pub fn drift(rows: &[Vec<f64>], scenario: &Scenario, time_step_s: f64, last: bool) -> Option<Drift> {
    if rows.len() <= WINDOW && !(last && rows.len() > 1) {
        return None;
    }
    let window = &rows[rows.len().saturating_sub(WINDOW + 1)..];
    let quarter = (window.len() / 4).max(1);
    // No earlier window holds the first rows of a run, and the ledger begins at zero.
    let begin = if window.len() == rows.len() { 1 } else { quarter };
    let (first, end) = (&window[..begin], &window[window.len() - quarter..]);
    let residual_j = apart(&values(first, RESIDUAL), &values(end, RESIDUAL));
    let between = &window[begin - 1..=window.len() - quarter];
    let lost_j: f64 = DISSIPATED.iter().map(|channel| changes(&values(between, *channel))).sum();
    let most_j = if scenario.method == Method::SoftSphere { f64::INFINITY } else { OF_STEP_MOST * lost_j };
    let of_step_j = (OF_STEP * changed_in_step_j(window, time_step_s)).min(most_j);
    let floor_j = floor_j(window, scenario, lost_j > 0.0) + OF_SERVO * of_servos_j(scenario, time_step_s) + of_step_j;
    let scale_j = lost_j.max(floor_j);
    let time = values(window, const { column("time_s") });
    // A ledger of nothing but zeros is closed; what is not finite is reported by other guards.
    let share = if residual_j > 0.0 { residual_j / scale_j } else { 0.0 };
    Some(Drift { share, residual_j, scale_j, time_s: [time[0], time[time.len() - 1]] })
}

/// What the ledger may miss times 1 / [`SAID_FROM`] (J). `lossy`: something was dissipated in the window.
fn floor_j(window: &[Vec<f64>], scenario: &Scenario, lossy: bool) -> f64 {
    let largest = |index: usize| values(window, index).iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let kinetic =
        largest(const { column("kinetic_translational_j") }) + largest(const { column("kinetic_rotational_j") });
    let law = registry::of(&scenario.run.contact_law);
    let elastic = scenario.method == Method::SoftSphere && scenario.materials.iter().any(|m| law.is_elastic(m));
    let wall_work = values(window, const { column("wall_work_j") });
    let exchanged = changes(&values(window, GRAVITY)) + changes(&wall_work);
    let apart = !lossy && TOUCHING.iter().all(|column| largest(*column) == 0.0);
    let of_kinetic = if elastic || apart { OF_KINETIC_ELASTIC } else { OF_KINETIC };
    of_kinetic * kinetic
        + OF_POTENTIAL * largest(GRAVITY)
        + OF_EXCHANGE * exchanged
        + OF_ELASTIC * largest(const { column("elastic_j") })
        + OF_ELASTIC_EXCHANGE * changes(&values(window, const { column("elastic_j") }))
}

/// The kinetic energy that servos would give their walls in a step, if nothing held them (J).
fn of_servos_j(scenario: &Scenario, time_step_s: f64) -> f64 {
    let servos = scenario.walls.iter().filter_map(|wall| wall.servo.as_ref());
    servos.map(|servo| 0.5 * (servo.force_n * time_step_s).powi(2) / servo.mass_kg).sum()
}

/// The most that a step dissipated and walls did in it, as the mean over the steps of a row tells (J).
fn changed_in_step_j(window: &[Vec<f64>], time_step_s: f64) -> f64 {
    let time = const { column("time_s") };
    let of_rows = |w: &[Vec<f64>]| {
        let channels = DISSIPATED.iter().chain([const { &column("wall_work_j") }]);
        let changed_j: f64 = channels.map(|channel| (w[1][*channel] - w[0][*channel]).abs()).sum();
        let steps = (w[1][time] - w[0][time]) / time_step_s;
        if steps > 0.0 { changed_j / steps.max(1.0) } else { 0.0 }
    };
    window.windows(2).map(of_rows).fold(0.0, f64::max)
}

fn values(rows: &[Vec<f64>], index: usize) -> Vec<f64> {
    rows.iter().map(|row| row[index]).collect()
}

/// Sum of the sizes of all changes.
fn changes(list: &[f64]) -> f64 {
    list.windows(2).map(|w| (w[1] - w[0]).abs()).sum()
}

/// Distance of the ranges of two lists; 0 where they overlap.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let range =
        |list: &[f64]| list.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |r, v| [r[0].min(*v), r[1].max(*v)]);
    let ([a0, a1], [b0, b1]) = (range(a), range(b));
    (b0 - a1).max(a0 - b1).max(0.0)
}

impl Drift {
    /// One sentence on it.
    pub fn text(&self) -> String {
        let [from_s, to_s] = self.time_s;
        format!(
            "energy ledger: between {} s and {} s energy_residual_j changed by {} J, {} of the {} J that were dissipated or may be rounding",
            digits(from_s, 6),
            digits(to_s, 6),
            number(self.residual_j),
            percent(self.share),
            number(self.scale_j)
        )
    }
}
