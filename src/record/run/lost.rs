//! Goes on with a run whose device is lost: from its newest checkpoint, on a device that is opened anew.

use super::options::ResumeOptions;
use super::{Ended, Observer, Run};
use crate::base::error::{Error, Result};

impl Run {
    /// As [`Run::go_with`], but if the device is lost, the run goes on by itself from its newest checkpoint on a device that
    /// is opened anew with these options. It ends with the error if the device is lost again before there is a newer
    /// checkpoint, if none can be opened, and if it is a run in memory. Gives the run as it went on.
    pub fn go_despite_loss(self, options: &ResumeOptions, observer: &mut dyn Observer) -> Result<(Run, Ended)> {
        let (mut run, mut back_to) = (self, None);
        loop {
            let loss = match run.go_with(observer) {
                Err(Error::DeviceLost(what)) => what,
                ended => return ended.map(|ended| (run, ended)),
            };
            let newest = run.store.as_ref().map(|store| store.newest);
            if newest <= back_to {
                return Err(Error::DeviceLost(loss));
            }
            run = run.opened_anew(loss, options)?;
            back_to = run.resumed().map(|r| r.step);
        }
    }

    /// The run at its newest checkpoint after this loss. A GPU is not replaced by a software adapter.
    fn opened_anew(self, loss: String, options: &ResumeOptions) -> Result<Run> {
        let on_gpu = self.adapter().is_some_and(|a| !a.software);
        let (step, directory) = (self.steps_done(), self.directory().map(ToOwned::to_owned).unwrap_or_default());
        // with it goes the lock of its directory, and what is left of the device
        drop(self);
        let mut options = ResumeOptions { restart: false, kept_inputs: true, ..options.clone() };
        options.session.adapter.require_gpu |= on_gpu;
        let opened = Run::resume_with(directory, options);
        let mut run = opened.map_err(|e| Error::DeviceLost(format!("{loss}; the run cannot go on by itself: {e}")))?;
        let on = run.adapter().map_or_else(String::new, |a| format!(" on {}", a.name));
        tracing::warn!(
            "the device was lost at step {step}: {loss}; the run goes on by itself from step {}{on}",
            run.steps_done()
        );
        run.session.after_loss(loss);
        run.note(false);
        Ok(run)
    }
}
