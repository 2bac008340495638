//! Bodies, snapshots and what a run used, as arrays and JSON on disk.

pub mod arrays;
pub mod frame_arrays;
pub mod frame_files;
pub mod frames;
pub mod names;
pub mod npy;
pub mod resolved;
pub mod shapes;
pub mod size;
