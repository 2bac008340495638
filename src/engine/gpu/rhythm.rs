//! What the host records between steps of soft spheres. An empty dispatch costs a GPU about a microsecond, a neighbour list
//! and an evaluation of gravity have a hundred, so they are left out of blocks of steps in which they are unlikely to be
//! due. Steps wait for what was left out, as the device decides, so the results do not depend on it.

use crate::gpu::elements::control::Control;
use std::iter::repeat_n;

/// Blocks that go by between two lists, at least so many times those that may wait for one.
const PATIENCE: f64 = 8.0;
/// Blocks that may wait for a list, at most.
const BARE_MAX: u32 = 32;

/// How often lists have been due, as far as submissions showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rhythm {
    /// steps from one list to the next
    interval: f64,
}

/// What is known when a submission is put together.
pub(super) struct Start {
    /// steps done
    pub step: u32,
    /// step at which gravity is due, and steps from one evaluation to the next; `None` without gravity
    pub gravity: Option<(u32, u32)>,
}

impl Rhythm {
    /// A list may be due at any time.
    pub(super) const fn new() -> Rhythm {
        Rhythm { interval: 0.0 }
    }

    /// Heeds a submission: `before` and `after` it.
    pub(super) fn heed(&mut self, before: &Control, after: &Control) {
        let steps = f64::from(after.step - before.step);
        self.interval = match after.rebuilds - before.rebuilds {
            0 => self.interval + steps,
            lists => steps / f64::from(lists),
        };
    }

    /// Every so many blocks of `steps` a list is recorded.
    fn every(&self, steps: u32) -> u32 {
        ((self.interval / (PATIENCE * f64::from(steps))) as u32).clamp(1, BARE_MAX)
    }

    /// Stages of `blocks` blocks of `steps` each. The first has all that may be due; so has every block while lists come
    /// often, for they delay gravity.
    pub(super) fn stages(&self, start: &Start, blocks: u32, steps: u32) -> Vec<&'static str> {
        let every = self.every(steps);
        let mut next = start.gravity.map(|(next, _)| next);
        let mut stages = vec![];
        for block in 0..blocks {
            let at = start.step + block * steps;
            let due = next.is_some_and(|next| at >= next);
            if due {
                next = start.gravity.map(|(_, interval)| at + interval);
            }
            stages.extend::<&[&str]>(match (block % every == 0, due) {
                (true, _) => &["prepare", "neighbours", "gravity"],
                (false, true) => &["prepare", "gravity"],
                (false, false) => &[],
            });
            stages.extend(repeat_n("step", steps as usize));
        }
        stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn at(step: u32, rebuilds: u32) -> Control {
        Control { step, rebuilds, ..Control::zeroed() }
    }

    /// What each block of two steps begins with: a all that may be due, g gravity alone, - nothing.
    fn heads(rhythm: &Rhythm, start: &Start, blocks: u32) -> String {
        let stages = rhythm.stages(start, blocks, 2).join(" ") + " ";
        let head = |block: &str| match block {
            "prepare neighbours gravity " => 'a',
            "prepare gravity " => 'g',
            "" => '-',
            other => panic!("{other}"),
        };
        stages.split_terminator("step step ").map(head).collect()
    }

    #[test]
    fn what_is_unlikely_to_be_due_is_left_out() {
        let start = Start { step: 10, gravity: Some((10, 4)) };
        let mut rhythm = Rhythm::new();
        assert_eq!(heads(&rhythm, &start, 4), "aaaa");
        rhythm.heed(&at(0, 0), &at(1000, 100));
        assert_eq!(heads(&rhythm, &start, 4), "aaaa");
        rhythm.heed(&at(1000, 100), &at(1050, 101));
        assert_eq!(heads(&rhythm, &start, 7), "a-gag-a");
        rhythm.heed(&at(1050, 101), &at(9000, 101));
        assert_eq!(heads(&rhythm, &start, 34), format!("a-{}a-", "g-".repeat(15)));
        let free = Start { step: 10, gravity: None };
        assert_eq!(heads(&rhythm, &free, 4), "a---");
    }

    #[test]
    fn gravity_that_is_late_is_evaluated_at_once() {
        let mut rhythm = Rhythm::new();
        rhythm.heed(&at(0, 0), &at(9000, 0));
        let late = Start { step: 11, gravity: Some((10, 4)) };
        assert_eq!(heads(&rhythm, &late, 5), "a-g-g");
    }
}
