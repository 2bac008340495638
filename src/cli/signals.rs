//! Signals that ask a run to stop: it finishes the batch of steps in hand, writes a checkpoint and ends with exit code 75.

use breccia::base::error::{Error, Result};
use breccia::base::exit_code;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);

/// A second Ctrl-C this long after the first is a person who wants out at once. Schedulers and `timeout` send their signals
/// twice, to a process and to its group, within milliseconds: those say nothing new.
const APART: Duration = Duration::from_secs(1);

/// A flag that Ctrl-C, SIGTERM, SIGUSR1 and SIGHUP set. A second Ctrl-C after more than a second ends the process at once;
/// no other signal does.
pub(super) fn stop_flag() -> Result<&'static AtomicBool> {
    static SET: OnceLock<std::result::Result<(), String>> = OnceLock::new();
    SET.get_or_init(listen).clone().map_err(|e| Error::Usage(format!("cannot listen to signals: {e}")))?;
    Ok(&STOP)
}

/// Sets the flag of [`stop_flag`] when standard input ends: also when the process at its other end is killed.
pub(super) fn stop_at_end_of_input() {
    std::thread::spawn(|| {
        // An input that cannot be read has ended too.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        STOP.store(true, Ordering::SeqCst);
    });
}

/// Sets the flag of [`stop_flag`] after this much time, as a signal does.
pub(super) fn stop_after(time: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(time);
        STOP.store(true, Ordering::SeqCst);
    });
}

/// True of a Ctrl-C that ends the process at once; `first`: when the first one came.
fn is_final(first: &mut Option<Instant>) -> bool {
    first.get_or_insert_with(Instant::now).elapsed() > APART
}

#[cfg(unix)]
fn listen() -> std::result::Result<(), String> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGUSR1]).map_err(|e| e.to_string())?;
    let heed = move || {
        let mut first = None;
        for signal in signals.forever() {
            STOP.store(true, Ordering::SeqCst);
            if signal == SIGINT && is_final(&mut first) {
                eprintln!("interrupted twice: ended at once; `breccia resume` goes on from the last checkpoint");
                signal_hook::low_level::exit(exit_code::INTERRUPTED.into());
            }
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(heed).map(|_| ()).map_err(|e| e.to_string())
}

#[cfg(not(unix))]
fn listen() -> std::result::Result<(), String> {
    let mut first = None;
    ctrlc::set_handler(move || {
        STOP.store(true, Ordering::SeqCst);
        if is_final(&mut first) {
            std::process::exit(exit_code::INTERRUPTED.into());
        }
    })
    .map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::{APART, is_final};
    use std::time::{Duration, Instant};

    #[test]
    fn only_an_interrupt_that_comes_a_second_later_is_final() {
        let mut first = None;
        assert!(!is_final(&mut first), "the first one");
        assert!(!is_final(&mut first), "one that comes with it");
        let mut long_ago = Instant::now().checked_sub(APART + Duration::from_millis(1));
        assert!(long_ago.is_some() && is_final(&mut long_ago));
    }
}
