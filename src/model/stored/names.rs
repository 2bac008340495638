//! Names of what stands in the directory of a run, where more than one module spells them.

/// What a run says of itself, which makes a directory that of a run.
pub const MANIFEST: &str = "manifest.json";
/// Folder of the frames.
pub const FRAMES: &str = "frames";
/// File of a frame that says its step and time.
pub const TIME: &str = "time.json";
/// Folder of what `breccia analyze` measures.
pub const ANALYSIS: &str = "analysis";
/// File of it that says what a campaign has had measured.
pub const MEASURED: &str = "measured.json";
/// Folder of what `breccia export` writes.
pub const EXPORT: &str = "export";
/// Folder of the pictures of `breccia render`.
pub const PICTURES: &str = "pictures";
/// Folder of the plots of `breccia render`, and of a campaign.
pub const PLOTS: &str = "plots";
/// File of the movie of `breccia render`, by ffmpeg and without it.
pub const MOVIES: [&str; 2] = ["movie.mp4", "movie.gif"];
/// File of `breccia report`.
pub const REPORT: &str = "report.html";
