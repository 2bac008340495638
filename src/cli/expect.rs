//! What a missed expectation of the scenario does to a run: `--expect`.

use breccia::base::exit_code;
use breccia::physics::measure::outcome::Verdict;

/// What becomes of expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Expect {
    /// one that is missed ends the run with exit code 1
    Fail,
    /// they are shown, and the run ends with exit code 0
    Warn,
    /// they are not shown
    Off,
}

/// Keys that change what a run writes, and not what it computes.
const OF_OUTPUT: [&str; 4] = ["output", "contact_dynamics.judge_every", "name", "title"];

/// True if a setting, as `--set` takes it, is of this key or of one in its table.
fn is_of(set: &str, key: &str) -> bool {
    let named = set.split_once('=').map_or(set, |(named, _)| named).trim();
    named.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Expect {
    /// What the settings of a run lead to: expectations are those of the scenario as it is written. Who sets one means it.
    pub(super) fn of(set: &[String]) -> Expect {
        let of_output = |s: &String| OF_OUTPUT.iter().any(|key| is_of(s, key));
        if set.iter().all(of_output) || set.iter().any(|s| is_of(s, "expect")) { Expect::Fail } else { Expect::Warn }
    }

    /// The exit code of a run that is done.
    pub(super) fn exit_code(self, verdicts: &[Verdict]) -> u8 {
        match self == Expect::Fail && verdicts.iter().any(|v| !v.ok) {
            true => exit_code::MISSED,
            false => exit_code::DONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expect;

    #[test]
    fn settings_that_change_the_numbers_make_expectations_those_of_another_run() {
        let of = |set: &[&str]| Expect::of(&set.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        assert_eq!([of(&[]), of(&["output.frames=9", "contact_dynamics.judge_every=1"])], [Expect::Fail; 2]);
        assert_eq!([of(&["seed=3"]), of(&["output.frames=9", "run.duration_s=4"])], [Expect::Warn; 2]);
        assert_eq!(of(&["seed=3", "expect.packing_final.value=0.6"]), Expect::Fail);
    }

    #[test]
    fn blanks_and_whole_tables_change_nothing_about_a_setting() {
        let of = |set: &[&str]| Expect::of(&set.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        for kept in ["name = q", "title = \"t\"", " output.frames = 3", "output={frames=3}", "output = { frames = 3 }"]
        {
            assert_eq!(of(&[kept]), Expect::Fail, "{kept}");
        }
        assert_eq!(of(&["contact_dynamics.judge_every = 1"]), Expect::Fail);
        for meant in ["expect={}", " expect = {}", "expect.packing_final.value = 0.6"] {
            assert_eq!(of(&["seed=3", meant]), Expect::Fail, "{meant}");
        }
        for other in ["names=3", "outputs.frames=3", "contact_dynamics.judge_every_other=1", "seed=\"name=q\""] {
            assert_eq!(of(&[other]), Expect::Warn, "{other}");
        }
        assert_eq!(of(&["seed=3", "expected.value=0.6"]), Expect::Warn);
    }
}
