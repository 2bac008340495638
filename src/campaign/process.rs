//! A process of this program, on a line that ends with us: when its standard input ends, a run stops with a checkpoint.

use crate::base::error::{Error, Result};
use crate::gpu::threads::VARIABLE;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How much of the end of a log is searched for an error (bytes).
const LAST_WORDS: u64 = 1 << 20;
/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A process that runs; what it says goes behind what is in its log.
pub struct Process {
    child: Child,
    log: PathBuf,
    /// length of the log before it started (bytes)
    before: u64,
}

/// How a process ended.
#[derive(Debug, Clone)]
pub struct Ending {
    /// exit code; none if a signal ended it
    pub code: Option<i32>,
    /// what it said last, from its last "error: " on
    pub error: String,
}

impl Process {
    /// Starts the program; `threads`: of software Vulkan, if it is not to choose.
    pub fn start(program: &Path, arguments: &[String], threads: Option<usize>, log: &Path) -> Result<Process> {
        let fault = |e| Error::io(log, e);
        let file = File::options().append(true).create(true).open(log).map_err(fault)?;
        let before = file.metadata().map_err(fault)?.len();
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        if let Some(threads) = threads.filter(|_| std::env::var_os(VARIABLE).is_none()) {
            command.env(VARIABLE, threads.to_string());
        }
        command.stdout(file.try_clone().map_err(fault)?).stderr(file);
        let child = command.spawn().map_err(|e| Error::io(program, e))?;
        Ok(Process { child, log: log.to_owned(), before })
    }

    /// Waits for its end, which `stop` brings about.
    pub fn wait(mut self, stop: &dyn Fn() -> bool) -> Result<Ending> {
        let mut line = self.child.stdin.take();
        let status = loop {
            if let Some(status) = self.child.try_wait().map_err(|e| Error::io(&self.log, e))? {
                break status;
            }
            if line.is_some() && stop() {
                line = None;
            }
            std::thread::sleep(LOOK);
        };
        let code = status.code();
        let error = match (code, self.said()) {
            (None, _) => format!("its process was ended by a signal ({status})"),
            (_, Some(text)) => text,
            (Some(code), None) => format!("exit code {code}; see {}", self.log.display()),
        };
        Ok(Ending { code, error })
    }

    /// The last error of the log, if there is one.
    fn said(&self) -> Option<String> {
        let mut file = File::open(&self.log).ok()?;
        // its last words, of however much it has said
        let end = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(self.before.max(end.saturating_sub(LAST_WORDS)))).ok()?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let at = text.rfind("error: ")?;
        Some(text[at + "error: ".len()..].trim().to_owned())
    }
}
