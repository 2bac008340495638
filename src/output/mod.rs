//! What a run leaves on disk: [`frames`] and [`shapes`] in .npy, the [`series`] in CSV, the [`checkpoint`], the [`manifest`], what
//! the run showed ([`quantities`]), as [`json`]; all in one [`directory`], held by a [`lock`]. Frames read back as [`recorded`] instants, and what a run used as [`resolved`]; [`export`]
//! makes of them what ParaView ([`vtp`]) and OVITO ([`xyz`]) open.

pub mod arrays;
pub mod checkpoint;
pub mod checksums;
pub mod directory;
pub mod disk;
pub mod export;
pub mod frame_arrays;
pub mod frames;
pub mod inputs;
pub mod json;
pub mod lock;
pub mod manifest;
pub mod quantities;
pub mod recorded;
pub mod recover;
pub mod resolved;
pub mod series;
pub mod shapes;
pub mod vtp;
pub mod xyz;

pub use disk::write_atomic;
