//! Elements of GPU buffers as the host fills them in and reads them: a file for each of `wgsl/state`.

pub mod body;
pub mod control;
pub mod frame;

use super::element::Layout;

/// All of them, file by file.
pub const LAYOUTS: [&[Layout]; 3] = [body::LAYOUTS, control::LAYOUTS, frame::LAYOUTS];
