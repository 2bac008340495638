//! Elements of GPU buffers as the host fills them in and reads them: a file for each of `wgsl/state`.

pub mod body;
pub mod control;
pub mod face;
pub mod frame;
pub mod gravity;

use super::element::Layout;

/// All of them, file by file.
pub const LAYOUTS: [&[Layout]; 5] = [body::LAYOUTS, control::LAYOUTS, face::LAYOUTS, frame::LAYOUTS, gravity::LAYOUTS];
