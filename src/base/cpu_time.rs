//! CPU time of this process: what it took, however many other programs ran meanwhile.

use std::time::Duration;

/// CPU time that the living threads of this process have had; `None` where the system does not tell (Linux does). Threads
/// that end between two calls take theirs along.
pub fn cpu_time() -> Option<Duration> {
    let mut all = Duration::ZERO;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        all += Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::cpu_time;

    #[test]
    fn work_takes_time() {
        let Some(before) = cpu_time() else { return };
        let sum = (0..20_000_000u64).fold(0, |sum: u64, k| std::hint::black_box(sum ^ k));
        let after = cpu_time().expect("told before");
        assert!(after > before, "{sum}: {before:?}, {after:?}");
    }
}
