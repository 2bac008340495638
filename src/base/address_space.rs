//! A limit on the address space of a process (`ulimit -v`), under which drivers crash instead of refusing.

use super::error::{Error, Result};

/// Least address space that a GPU driver is opened in (MiB). Mesa's software driver with LLVM 15 crashes inside
/// `vkCreateDevice` at some limits up to 450 MiB, finds no memory at others up to 550, and works from 600 on.
const LEAST_MIB: u64 = 1024;

/// Refuses a limit so low that opening a driver would end the process without a word.
pub fn refuse_low() -> Result<()> {
    match std::fs::read_to_string("/proc/self/limits").ok().as_deref().and_then(soft_limit_mib) {
        Some(mib) if mib < LEAST_MIB => Err(Error::Capacity(format!(
            "the address space of this process is limited to {mib} MiB, and GPU drivers need {LEAST_MIB}, else they crash; raise the limit (`ulimit -v unlimited`, or the memory that the job asks its scheduler for), or run with `--engine reference`, which needs no driver"
        ))),
        _ => Ok(()),
    }
}

/// The soft limit in the text of `/proc/self/limits` (MiB); `None` if it is unlimited.
fn soft_limit_mib(text: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with("Max address space"))?;
    let bytes: u64 = line["Max address space".len()..].split_whitespace().next()?.parse().ok()?;
    Some(bytes >> 20)
}

#[cfg(test)]
mod tests {
    #[test]
    fn limits_are_read_as_linux_writes_them() {
        let text = |limit: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \nMax address space         {limit:20} unlimited            bytes     \n"
            )
        };
        assert_eq!(super::soft_limit_mib(&text("262144000")), Some(250));
        assert_eq!(super::soft_limit_mib(&text("unlimited")), None);
        assert_eq!(super::soft_limit_mib(""), None);
    }
}
