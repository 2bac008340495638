//! What a run says once, in its log and its manifest, when its numbers may be wrong.

use super::Run;
use super::carried::Unsolved;
use crate::base::error::{Error, Result};
use crate::base::readable::{number, percent};
use crate::model::scenario::Spun;
use crate::model::snapshot::Snapshot;
use crate::physics::measure::columns::column;
use crate::physics::measure::energy_guard::{SAID_FROM, drift};
use crate::physics::measure::outcome::WHOLE_FROM;

/// How much larger than the solver's the residual of the judge may be: the solver measures at the guess, before the last of
/// its iterations, and in f32.
const JUDGED_WORSE: f64 = 2.0;
/// Share of the steps with contacts that may end above the tolerance: piles that settle have up to half a percent.
const UNSOLVED_SAID_FROM: f64 = 0.01;
/// Steps with contacts before which a share says little.
const UNSOLVED_AFTER: u64 = 100;

impl Run {
    /// Counts the steps that ended above the tolerance. The first time that they are many, the log and the manifest say so.
    pub(super) fn count_unsolved(&mut self, snapshot: &Snapshot) -> Result<()> {
        let Some(solved) = &snapshot.solved else { return Ok(()) };
        let counted = &mut self.carried.unsolved;
        counted.solved += u64::from(solved.steps);
        counted.over += u64::from(solved.over_budget);
        counted.worst = counted.worst.max(solved.residual_worst);
        let Unsolved { solved, over, worst, said } = *counted;
        let share = over as f64 / solved as f64;
        if said || solved < UNSOLVED_AFTER || share < UNSOLVED_SAID_FROM {
            return Ok(());
        }
        let text = format!(
            "up to step {}, {} of the steps with contacts ended above contact_dynamics.tolerance, with a residual of {} at worst",
            snapshot.step,
            percent(share),
            number(worst)
        );
        let advice = "raise contact_dynamics.iterations_max or lower run.time_step_s: docs/method/contact_dynamics.md";
        self.warn(&text, advice)?;
        self.carried.unsolved.said = true;
        Ok(())
    }

    /// Has the last step judged in f64, if that is due with this row. The first time that it was solved worse than the
    /// solver says, the log and the manifest say so.
    pub(super) fn judge(&mut self, snapshot: &mut Snapshot) -> Result<()> {
        let Some(settings) = self.scenario.method.contact_dynamics() else { return Ok(()) };
        let due = settings.judge_every.is_some_and(|every| self.rows.len().is_multiple_of(every as usize));
        let Some(solved) = snapshot.solved.as_mut().filter(|_| due) else { return Ok(()) };
        solved.judged = self.engine.judge()?;
        let (found, said) = (solved.judged.unwrap_or_default(), solved.residual.max(settings.tolerance));
        if found <= JUDGED_WORSE * said || self.carried.judged {
            return Ok(());
        }
        let text = format!(
            "at step {} f64 finds a residual of {} where the solver found {}",
            snapshot.step,
            number(found),
            number(solved.residual)
        );
        self.warn(&text, "lower contact_dynamics.tolerance: docs/method/contact_dynamics.md")?;
        self.carried.judged = true;
        Ok(())
    }

    /// The first time that a pile to which rotations are still to be added has lost much of its mass, the log and the manifest
    /// say so: they turn what was shed too. `step` is that of the last row.
    pub(super) fn tell_shed(&mut self, step: u64) -> Result<()> {
        let of_all = self.scenario.spin_up.is_some_and(|spin| spin.bodies == Spun::All);
        let due = of_all && self.carried.spins > 0 && self.spin_step() < self.steps();
        let share = self.rows.last().map_or(1.0, |row| row[const { column("largest_aggregate_mass_share") }]);
        if !due || self.carried.shed || share.is_nan() || share > WHOLE_FROM {
            return Ok(());
        }
        let text = format!(
            "at step {step} the heaviest aggregate has {} of the mass, and rotations are still added to all bodies",
            percent(share)
        );
        self.warn(
            &text,
            "numbers of bodies that escape mean little from here on; give spin_up.end_s, or spin_up.bodies = \"largest_aggregate\": docs/user/spin_up.md",
        )?;
        self.carried.shed = true;
        Ok(())
    }

    /// Has the log say so, with what to do about it, and the manifest, also after the run is taken up again.
    pub(super) fn warn(&mut self, text: &str, advice: &str) -> Result<()> {
        tracing::warn!("{text}; {advice}");
        self.carried.told.push(text.to_owned());
        self.manifest.warnings.push(text.to_owned());
        self.store.as_ref().map_or(Ok(()), |store| self.manifest.write(store.path()))
    }

    /// Judges the energy ledger. The first time that it drifts, the log and the manifest say so; the error is that of a run
    /// with such a guard. `step` is that of the last row; `ends`: the run is over with it.
    pub(super) fn drift_too_far(&mut self, step: u64, ends: bool) -> Result<Option<Error>> {
        let limit = self.scenario.guards.energy_residual_max.unwrap_or(f64::INFINITY);
        let found = drift(&self.rows, &self.scenario, self.engine.time_step_s(), ends);
        let Some(found) = found.filter(|d| d.share > SAID_FROM.min(limit)) else { return Ok(None) };
        if !self.carried.drift {
            self.warn(&found.text(), "the numbers of this run may be wrong: docs/user/scenarios.md#energy-guard")?;
            self.carried.drift = true;
        }
        Ok((found.share > limit).then(|| Error::energy(step, &found.text(), limit)))
    }
}
