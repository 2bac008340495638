//! What a run leaves on disk, besides the arrays of [`crate::model::stored`]: the [`series`] in CSV, the [`checkpoint`],
//! the [`manifest`], what the run showed ([`quantities`]) and how long it took ([`timing`], [`sessions`]); all in one [`directory`],
//! held by a [`lock`]. [`recorded`] reads frames back as the instants that they show.

pub mod checkpoint;
pub mod directory;
pub mod inputs;
pub mod lock;
pub mod manifest;
pub mod parts;
pub mod quantities;
pub mod recorded;
pub mod recover;
pub mod rows;
pub mod series;
pub mod sessions;
pub mod settings;
pub mod status;
pub mod timing;

pub use crate::base::disk::write_atomic;
