//! How long a command may take: `--max-walltime`, and the end of the Slurm job that it runs in.

use super::signals;
use breccia::base::quantity::{Dimension, parse};
use breccia::base::readable::duration;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Instant at which Slurm ends the job, in seconds of the Unix clock.
const JOB_END: &str = "SLURM_JOB_END_TIME";
/// A speed is taken for that of the whole run after this much time, or a tenth of what is allowed.
const SETTLED: Duration = Duration::from_secs(20);
/// Longest limit (s): 30 years.
const LONGEST_S: f64 = 1e9;

/// Reads `90 min`, `1.5h`, `5400`, or `D-HH:MM:SS` as Slurm writes it.
pub(super) fn wall_time(text: &str) -> Result<Duration, String> {
    let seconds = if text.contains(':') { clock(text) } else { with_unit(text) };
    match seconds {
        Some(s) if s > 0.0 && s <= LONGEST_S => Ok(Duration::from_secs_f64(s)),
        _ => Err("write a time above 0 s, up to 30 years: seconds, a number with one of the units s, min, h, d, or HH:MM:SS, or D-HH:MM:SS".into()),
    }
}

fn with_unit(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(text.len());
    parse(&format!("{} {}", text[..end].trim(), &text[end..]), Dimension::Time).ok()
}

fn clock(text: &str) -> Option<f64> {
    let (days, time) = text.split_once('-').unwrap_or(("0", text));
    let parts = time.split(':').map(|p| p.parse::<u32>().ok()).collect::<Option<Vec<_>>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    let whole = (minutes < 60 && seconds < 60)
        .then_some(())
        .map(|()| f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + f64::from(seconds))?;
    Some(f64::from(days.parse::<u32>().ok()?) * 86400.0 + whole)
}

/// A limit, of which a run that will not end before it warns once.
pub(super) struct Limit {
    begun: Instant,
    allowed: Duration,
    what: &'static str,
    way_out: String,
    warned: bool,
}

impl Limit {
    /// Starts to count: what is asked for stops the run with a checkpoint, and `then` says what goes on from there. Gives the
    /// first of the limits, if there is one.
    pub(super) fn start(asked: Option<Duration>, then: &str) -> Option<Limit> {
        if let Some(time) = asked {
            signals::stop_after(time);
        }
        let job = std::env::var(JOB_END).ok().and_then(|text| text.trim().parse().ok()).and_then(until);
        Limit::first(asked, job, then)
    }

    fn first(asked: Option<Duration>, job: Option<Duration>, then: &str) -> Option<Limit> {
        let of_job = job.filter(|job| asked.is_none_or(|asked| *job < asked));
        let (what, way_out) = match of_job {
            Some(_) => (
                "the end of the Slurm job",
                // Slurm sends this signal to what srun started, and not to other processes of the script.
                "give it more time, or let it stop with a checkpoint before: --max-walltime, or #SBATCH --signal=USR1@120 and srun before the command".to_owned(),
            ),
            None => ("--max-walltime", format!("it will stop with a checkpoint then, and {then}")),
        };
        Some(Limit { begun: Instant::now(), allowed: of_job.or(asked)?, what, way_out, warned: false })
    }

    /// What is to be said, once, of a command that needs this much longer (s).
    pub(super) fn warning(&mut self, left_s: f64) -> Option<String> {
        let spent = self.begun.elapsed();
        let allowed = self.allowed.saturating_sub(spent).as_secs_f64();
        if self.warned || spent < SETTLED.min(self.allowed / 10) || left_s <= allowed {
            return None;
        }
        self.warned = true;
        let [left, allowed] = [left_s, allowed].map(duration);
        Some(format!("WARNING: {left} to go at this speed, and {allowed} until {}; {}", self.what, self.way_out))
    }
}

/// Time until an instant of the Unix clock.
fn until(end_s: f64) -> Option<Duration> {
    let now_s = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs_f64();
    (end_s.is_finite() && end_s - now_s < LONGEST_S).then(|| Duration::from_secs_f64((end_s - now_s).max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::{Limit, wall_time};
    use std::time::Duration;

    #[test]
    fn wall_times_as_people_and_slurm_write_them() {
        let seconds = |text: &str| wall_time(text).map(|d| d.as_secs_f64()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let read = ["90 min", "1.5h", "5400", "01:30:00", "0-01:30:00"].map(seconds);
        assert_eq!(read, [5400.0; 5]);
        assert_eq!((seconds("2-00:00:01"), seconds("0.5 s"), seconds("1e3")), (172_801.0, 0.5, 1000.0));
        for wrong in ["", "soon", "0", "-5 s", "1:30", "1:70:00", "3 parsecs", "nan", "inf", "1e30 d", "a-1:00:00"] {
            assert!(wall_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_run_that_will_not_end_in_time_says_so_once() {
        let [hour, day] = [3600, 86400].map(Duration::from_secs);
        let mut limit = Limit::first(Some(day), Some(hour), "this").expect("two limits");
        assert_eq!(limit.warning(1e5), None, "nothing is known of its speed yet");
        limit.allowed = Duration::ZERO;
        assert!(limit.warning(7200.0).is_some_and(|t| t.contains("2 h to go") && t.contains("end of the Slurm job")));
        assert_eq!(limit.warning(7200.0), None, "said already");
        let asked = Limit::first(Some(hour), Some(day), "this goes on").expect("two limits");
        assert_eq!((asked.what, asked.allowed), ("--max-walltime", hour));
        assert_eq!(asked.way_out, "it will stop with a checkpoint then, and this goes on");
        assert!(Limit::first(None, None, "this").is_none());
    }
}
