//! Printing that never panics: `print!`, `println!` and `eprintln!` of the whole command line. Those of the standard
//! library do when nobody reads any more, as in `breccia run accretion | head`, which would end a run.

use serde_json::{Value, json};
use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by `--json`: a program reads what is printed.
static MACHINE: AtomicBool = AtomicBool::new(false);

/// From now on messages for people are lines of JSON.
pub(super) fn for_machines() {
    MACHINE.store(true, Ordering::Relaxed);
}

macro_rules! print {
    ($($words:tt)*) => { $crate::cli::print::out(format_args!($($words)*)) };
}

macro_rules! println {
    () => { print!("\n") };
    ($($words:tt)*) => { print!("{}\n", format_args!($($words)*)) };
}

macro_rules! eprintln {
    ($($words:tt)*) => { $crate::cli::print::err(format_args!("{}\n", format_args!($($words)*))) };
}

/// Prints results. A closed pipe is not an error; a full disk is (exit code 7).
pub(super) fn out(words: Arguments<'_>) {
    let mut out = stdout().lock();
    if let Err(e) = out.write_fmt(words).and_then(|()| out.flush())
        && e.kind() != ErrorKind::BrokenPipe
    {
        err(format_args!("error: standard output: {e}\n"));
        std::process::exit(7);
    }
}

/// Prints messages for people, with `--json` as `{"message": words}`. An error is ignored: there is nobody left to report it
/// to.
pub(super) fn err(words: Arguments<'_>) {
    if MACHINE.load(Ordering::Relaxed) {
        return event(&json!({ "message": words.to_string().trim() }));
    }
    let _ = stderr().write_fmt(words);
}

/// Prints what happens, as a line of JSON on standard error.
pub(super) fn event(value: &Value) {
    let _ = stderr().write_fmt(format_args!("{value}\n"));
}
