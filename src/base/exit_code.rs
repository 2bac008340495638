//! Exit codes of the command line: one table, from which docs/user/exit_codes.md and the end of `breccia --help` are made.

/// An exit code and when it occurs.
pub struct ExitCode {
    /// the number
    pub code: u8,
    /// what it is called
    pub name: &'static str,
    /// one line for `--help`
    pub meaning: &'static str,
    /// every case in which a command ends with it, and what to do then
    pub cases: &'static [(&'static str, &'static str)],
}

/// The command did what it was asked to do.
pub const DONE: u8 = 0;
/// The command ended, but a result is not what was expected.
pub const MISSED: u8 = 1;
/// Wrong command line or scenario.
pub const USAGE: u8 = 2;
/// No adapter that may be used.
pub const NO_ADAPTER: u8 = 3;
/// The device was lost.
pub const DEVICE_LOST: u8 = 4;
/// Too large for the device or the machine.
pub const CAPACITY: u8 = 5;
/// The numbers of a run cannot be trusted.
pub const NUMERICAL: u8 = 6;
/// A file cannot be read or written, or its contents are wrong.
pub const FILE: u8 = 7;
/// Stopped with a valid checkpoint; `EX_TEMPFAIL` of sysexits.h, on which batch systems may requeue.
pub const STOPPED: u8 = 75;
/// Ended at once by a second Ctrl-C: 128 plus the number of SIGINT.
pub const INTERRUPTED: u8 = 130;

/// All codes, in order.
pub const EXIT_CODES: &[ExitCode] = &[
    ExitCode { code: DONE, name: "done", meaning: "done", cases: &[("The command is done.", "")] },
    ExitCode {
        code: MISSED,
        name: "missed",
        meaning: "done, but an expectation, a check or a case failed",
        cases: &[
            (
                "The run ended, and an expectation of the scenario was not met.",
                "The last lines name the expectation and the measured value. With `--set` this only warns: [expectations](#expectations).",
            ),
            (
                "`breccia verify`: the result of a pass differs from its reference by more than the bound.",
                "Do not trust runs on this adapter: [verify.md](../method/verify.md).",
            ),
            (
                "`breccia bench --compile`: a pass is over its budget.",
                "The last lines name it: [performance.md](../method/performance.md#what-gpu-compilers-make-of-the-passes).",
            ),
            (
                "`breccia sweep`: the campaign ended, and some cases failed or could not be measured, or with `--expect fail` an expectation of the campaign was missed, or some pictures could not be drawn.",
                "The last lines name them and the reasons; `--retry` runs cases again, `--table` draws again: [campaigns.md](campaigns.md).",
            ),
        ],
    },
    ExitCode {
        code: USAGE,
        name: "usage",
        meaning: "wrong command line or scenario",
        cases: &[
            ("The command line or the scenario is wrong.", "The text lists every fault that was found."),
            (
                "`breccia resume`, `breccia sweep`: a file that the scenario names has changed.",
                "Restore it, or use the copies of the run: [output.md](output.md#inputs).",
            ),
        ],
    },
    ExitCode {
        code: NO_ADAPTER,
        name: "no adapter",
        meaning: "no GPU adapter that may be used",
        cases: &[
            (
                "There is no adapter, or not the GPU that is granted or required.",
                "The text lists the adapters; see `breccia doctor` and [install.md](install.md).",
            ),
            (
                "Only software adapters answer, and a GPU has a driver on this machine.",
                "`breccia doctor` looks for the reason; `--software` computes on the CPU: [install.md](install.md#which-gpu-is-used).",
            ),
        ],
    },
    ExitCode {
        code: DEVICE_LOST,
        name: "device lost",
        meaning: "device lost; resume the run",
        cases: &[
            (
                "The device was lost, and again before there was a newer checkpoint, or it cannot be opened any more.",
                "The first time a run goes on by itself. `breccia resume` goes on from the last checkpoint, a few seconds old at most; the driver's log may give the reason.",
            ),
            (
                "`breccia doctor`: its test kernel failed, or gave wrong answers.",
                "Do not trust runs on this adapter; the last lines say what to try.",
            ),
        ],
    },
    ExitCode {
        code: CAPACITY,
        name: "capacity",
        meaning: "too large for the device or the memory",
        cases: &[(
            "A buffer would be larger than the device or the machine allows.",
            "Use fewer bodies or another adapter; raise the limit on the address space (`ulimit -v`) if there is one.",
        )],
    },
    ExitCode {
        code: NUMERICAL,
        name: "numerical",
        meaning: "a guard stopped the run: its numbers cannot be trusted",
        cases: &[
            (
                "A guard stopped the run: [numerical failures](#numerical-failures).",
                "The text says what to change; the last checkpoint, a few seconds old at most, is kept.",
            ),
            ("`breccia check`: a guard would stop the run in its first steps.", "The text says what to change."),
        ],
    },
    ExitCode {
        code: FILE,
        name: "file",
        meaning: "a file cannot be read or written, or its contents are wrong",
        cases: &[
            (
                "A file cannot be read or written, is not a regular file, is too large, or does not hold what it should.",
                "The text names the file; [sizes and their limits](scenarios.md#what-is-taken).",
            ),
            (
                "The disk is full.",
                "The manifest says `stopped` and `disk full`; free some space, then `breccia resume`.",
            ),
            (
                "The copy of an input in a run directory is missing or has changed, or `breccia info` finds something of a run missing or damaged.",
                "The text names each file and the remedy: [output.md](output.md#inputs).",
            ),
            (
                "`breccia resume`: rows, frames or checkpoints are damaged.",
                "The text names them and the command that repairs the run: [output.md](output.md#what-is-cut-off).",
            ),
            (
                "`breccia mesh check`, `breccia mesh fix`: the surface has defects.",
                "The text lists all of them: [shapes.md](../method/shapes.md).",
            ),
            ("`breccia doctor`: files cannot be written in its `--folder`.", "The text gives the reason."),
        ],
    },
    ExitCode {
        code: STOPPED,
        name: "stopped",
        meaning: "stopped with a valid checkpoint; resume the run",
        cases: &[
            (
                "A signal (Ctrl-C, SIGTERM, SIGUSR1, SIGHUP), `--max-walltime`, `--stop-at-step` or, with `--stop-at-eof`, the end of standard input stopped the run, with a valid checkpoint.",
                "`breccia resume` goes on when the machine is free again.",
            ),
            ("`breccia sweep`: it was stopped, and some cases are left.", "The same command goes on."),
        ],
    },
    ExitCode {
        code: INTERRUPTED,
        name: "interrupted",
        meaning: "interrupted by a second Ctrl-C",
        cases: &[(
            "A second Ctrl-C, more than a second after the first, ended the process at once.",
            "`breccia resume` goes on from the last checkpoint.",
        )],
    },
];

/// The table for the end of `breccia --help`.
pub fn help() -> String {
    let line = |c: &ExitCode| format!("\n  {:>3}  {}", c.code, c.meaning);
    format!("Exit codes:{}", EXIT_CODES.iter().map(line).collect::<String>())
}
