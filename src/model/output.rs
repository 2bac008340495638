//! What a run writes: when, and in which form.

use crate::model::scenario::Region;
use serde::Serialize;

/// What is written, and how often.
#[derive(Debug, Clone, Serialize)]
pub struct OutputSpec {
    /// number of frames after the first one, those at events apart
    pub frames: usize,
    /// how they are spread over the run
    pub frame_times: FrameTimes,
    /// what has a frame of its own
    pub frame_events: Vec<FrameEvent>,
    /// number of series rows after the first one
    pub series_rows: usize,
    /// contacts are written with the frames
    pub contacts: bool,
    /// wall-clock minutes between checkpoints
    pub checkpoint_minutes: f64,
    /// the form of frames
    #[serde(flatten)]
    pub form: FrameForm,
}

impl OutputSpec {
    /// So many frames and rows, evenly spread, without contacts, in the form that holds without any key.
    pub fn of(frames: usize, series_rows: usize) -> OutputSpec {
        OutputSpec {
            frames,
            frame_times: FrameTimes::Even,
            frame_events: vec![],
            series_rows,
            contacts: false,
            checkpoint_minutes: 10.0,
            form: FrameForm::default(),
        }
    }

    /// Step of frame `k` of a run of so many steps of `dt_s` (s): no two frames have one. Those for which there is no step are
    /// after the end.
    pub fn frame_step(&self, k: usize, steps: u64, dt_s: f64) -> u64 {
        let FrameTimes::Logarithmic { first_s } = self.frame_times else { return evenly(k, self.frames, steps) };
        let (first, last) = (first_s / dt_s, steps as f64);
        let planned = |k: usize| {
            let share = (k - 1) as f64 / (self.frames - 1) as f64;
            let step = if k >= self.frames { last } else { first * (last / first).powf(share) };
            step.round().clamp(1.0, last.max(1.0)) as u64
        };
        // the spacing grows, so where frames crowd they follow each other step by step from the first on
        if k == 0 { 0 } else { planned(k).max(planned(1) + k as u64 - 1) }
    }

    /// Frames of a run of so many steps of `dt_s` (s), the first one and those of events left out.
    pub fn frames_in(&self, steps: u64, dt_s: f64) -> usize {
        let (mut fit, mut beyond) = (0, self.frames + 1);
        while fit + 1 < beyond {
            let k = fit + (beyond - fit) / 2;
            if self.frame_step(k, steps, dt_s) <= steps { fit = k } else { beyond = k }
        }
        fit
    }
}

/// Step of output number `k` of `count` spread evenly over a run of so many steps: of more outputs than steps each step has one.
pub fn evenly(k: usize, count: usize, steps: u64) -> u64 {
    ((u128::from(steps) * k as u128 / count.max(1) as u128) as u64).max(k as u64)
}

/// How frames are spread over a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameTimes {
    /// the same time between all of them
    Even,
    /// each later than the one before by the same factor
    Logarithmic {
        /// of frame 1 (s)
        first_s: f64,
    },
}

/// What has a frame of its own, at the row of the series that shows it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameEvent {
    /// two bodies touch that had not touched anything before
    FirstContact,
    /// more bodies are unbound than in any row before
    Escape,
    /// the longest and the shortest semi-axis differ by three mean diameters
    Failure,
}

impl FrameEvent {
    /// As scenarios and frames write them.
    pub const NAMES: [(&'static str, FrameEvent); 3] =
        [("first_contact", FrameEvent::FirstContact), ("escape", FrameEvent::Escape), ("failure", FrameEvent::Failure)];

    /// As scenarios and frames write it.
    pub fn name(self) -> &'static str {
        FrameEvent::NAMES.iter().find(|(_, event)| *event == self).map_or("", |(name, _)| name)
    }
}

/// How a frame is written.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FrameForm {
    /// its arrays of bodies by name; `None`: all
    pub columns: Option<Vec<String>>,
    /// of its arrays of floating-point numbers
    pub precision: Precision,
    /// of its arrays
    pub compression: Compression,
    /// where what never changes is kept
    pub constants: Constants,
    /// one of every so many bodies, from the first on; 1: all
    pub stride: Stride,
    /// bodies outside are left out
    pub region: Option<Region>,
}

/// One of every so many bodies is written; 1 for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Stride(pub usize);

impl Default for Stride {
    fn default() -> Stride {
        Stride(1)
    }
}

impl FrameForm {
    /// Frames that hold all that there is, so that a folder can be read by itself.
    pub fn by_itself() -> FrameForm {
        FrameForm { constants: Constants::EveryFrame, ..FrameForm::default() }
    }

    /// True if the array is written.
    pub fn has(&self, column: &str) -> bool {
        self.columns.as_ref().is_none_or(|list| list.iter().any(|c| c == column))
    }

    /// The key for which frames cannot be measured, and what they lack.
    pub fn unmeasurable(&self) -> Option<(&'static str, String)> {
        let lacks = ["position", "velocity", "spin"].into_iter().find(|c| !self.has(c));
        let part = if self.stride.0 > 1 { "stride" } else { "region" };
        lacks
            .map(|c| ("columns", format!("what is measured needs the column \"{c}\" of frames")))
            .or_else(|| self.is_part().then(|| (part, "what is measured needs all bodies in the frames".into())))
    }

    /// True if a frame holds a part of the bodies.
    pub fn is_part(&self) -> bool {
        self.stride.0 > 1 || self.region.is_some()
    }
}

/// Of floating-point numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// as the program has them
    #[default]
    F64,
    /// 24 bits; positions and velocities about those of the mass centre
    F32,
}

/// Of the arrays of a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compression {
    /// an .npy file each
    #[default]
    None,
    /// all in one compressed .npz file
    Deflate,
}

/// Where radius, mass, id and material are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Constants {
    /// in the run, once
    #[default]
    Once,
    /// in every frame
    EveryFrame,
}
