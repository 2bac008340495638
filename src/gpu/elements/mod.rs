//! Elements of GPU buffers as the host fills them in and reads them: a file for each of `wgsl/state`.

pub mod body;
pub mod frame;

use super::element::Layout;

/// All of them, file by file.
pub const LAYOUTS: [&[Layout]; 2] = [body::LAYOUTS, frame::LAYOUTS];
