//! What `breccia run` shows while it runs, and of its speed.

use super::limit::Limit;
use super::print::event;
use breccia::base::readable::{duration, number, quantity};
use breccia::engine::Timing;
use breccia::record::run::{Observer, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two lines of progress that a program reads, which may draw a bar from them.
const FOR_PROGRAMS: Duration = Duration::from_millis(200);

/// Time between two lines that stay in a log.
const FOR_LOGS: Duration = Duration::from_secs(10);

/// Seconds of steps from which on their speed tells how long the rest takes.
const SOON_S: f64 = 1.0;

/// A bar on a terminal, lines elsewhere.
pub(super) struct Show {
    bar: Option<ProgressBar>,
    json: bool,
    bodies: usize,
    start: Instant,
    /// when the first steps were done, and the step then: shaders are compiled before
    warm: Option<(Instant, u64)>,
    /// step at the start, and now
    steps: [u64; 2],
    last_line: Instant,
    stop: &'static AtomicBool,
    limit: Option<Limit>,
}

impl Show {
    /// `bodies` and the step at which the run starts; `stop`: set when it is to stop; `limit`: of its wall time.
    pub(super) fn new(json: bool, bodies: usize, step: u64, stop: &'static AtomicBool, limit: Option<Limit>) -> Show {
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
            ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let now = Instant::now();
        Show { bar, json, bodies, start: now, warm: None, steps: [step; 2], last_line: now, stop, limit }
    }

    /// Ends the bar and prints the speed.
    pub(super) fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let (done, seconds) = (self.done(), self.start.elapsed().as_secs_f64());
        if !self.json && done > 0 {
            let rate = self.rate() * self.bodies as f64;
            eprintln!("  {done} steps in {seconds:.1} s, {} particle-steps/s", number(rate));
        }
    }

    /// Where the time went.
    pub(super) fn timing(&self, timing: &Timing) {
        let done = self.done().max(1) as f64;
        if self.json {
            println!("{}", serde_json::json!({ "timing": timing }));
            return;
        }
        eprintln!("  time by {}:", timing.clock);
        for p in &timing.phases {
            let each = quantity(p.seconds / done, "s");
            eprintln!("    {:20} {:9.3} s  {:5.1} %  {each} a step", p.name, p.seconds, 100.0 * p.share);
        }
    }

    /// A line that the bar leaves alone.
    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.json => event(&serde_json::json!({ "warning": text })),
            None => eprintln!("{text}"),
        }
    }

    /// Steps since the start; none if a run went back behind it after the loss of its device.
    fn done(&self) -> u64 {
        self.steps[1].saturating_sub(self.steps[0])
    }

    /// Steps per second since the first steps were done, or from the start on.
    fn rate_now(&self) -> f64 {
        let since = |(at, step): (Instant, u64)| {
            let (seconds, done) = (at.elapsed().as_secs_f64(), self.steps[1].saturating_sub(step));
            (seconds > SOON_S && done > 0).then_some(done as f64 / seconds)
        };
        self.warm.and_then(since).unwrap_or_else(|| self.rate())
    }

    /// Steps per second.
    fn rate(&self) -> f64 {
        self.done() as f64 / self.start.elapsed().as_secs_f64().max(1e-9)
    }
}

impl Observer for Show {
    fn progress(&mut self, p: &Progress) {
        self.steps[1] = p.step;
        if self.done() > 0 {
            self.warm.get_or_insert((Instant::now(), p.step));
        }
        let rate = self.rate_now();
        let left_s = (p.steps - p.step) as f64 / rate.max(1e-9);
        let text = format!(
            "t = {}, {rate:.0} steps/s, {} particle-steps/s, contacts: {}, ends in {}",
            quantity(p.time_s, "s"),
            number(rate * self.bodies as f64),
            p.contacts,
            duration(left_s)
        );
        if let Some(warning) = self.limit.as_mut().and_then(|l| l.warning(left_s)) {
            self.say(&warning);
        }
        if let Some(bar) = &self.bar {
            bar.set_length(p.steps);
            bar.set_position(p.step);
            bar.set_message(text);
        } else if self.last_line.elapsed() > if self.json { FOR_PROGRAMS } else { FOR_LOGS } {
            self.last_line = Instant::now();
            if self.json {
                event(&serde_json::json!({ "progress": p, "steps_per_s": rate, "left_s": left_s }));
            } else {
                eprintln!("{:5.1} %  {text}", 100.0 * p.step as f64 / p.steps.max(1) as f64);
            }
        }
    }

    fn stop(&mut self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}
