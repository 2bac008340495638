//! CPU time of this process: what it took, however many other programs ran meanwhile.

use std::time::Duration;

/// CPU time that all threads of this process have had, those that ended with them; `None` where the system does not tell
/// (Unix does).
#[cfg(unix)]
pub fn cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ProcessCPUTime).try_into().ok()
}

#[cfg(not(unix))]
pub fn cpu_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::cpu_time;

    #[test]
    fn work_takes_time_though_its_thread_ends() {
        let work = || (0..20_000_000u64).fold(0, |sum: u64, k| std::hint::black_box(sum ^ k));
        let Some(before) = cpu_time() else { return };
        std::thread::spawn(work).join().expect("does not fail");
        let after = cpu_time().expect("told before");
        assert!(after > before, "{before:?}, {after:?}");
    }
}
