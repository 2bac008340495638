//! The system's answers about this machine, this process and the time.

use jiff::Timestamp;

/// Now, in UTC, to the second.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// Name of this machine.
pub fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

/// The most memory that this process has held at once (bytes); none where the system does not say, as on macOS and Windows.
pub fn peak_memory_bytes() -> Option<u64> {
    peak(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// What `/proc/self/status` says of it.
fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::peak;

    #[test]
    fn the_peak_is_read_as_linux_writes_it() {
        assert_eq!(peak("Name:\tx\nVmPeak:\t  999 kB\nVmHWM:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(peak("Name:\tx\n"), None);
    }
}
