//! What runs passes: the [`device`], the [`buffer_table`] and the [`elements`] of its buffers, named [`counts`] and
//! [`features`], [`pipeline`]s of passes, [`blocks`] of passes that pipelines use, and what concerns software Vulkan: its [`threads`] and the
//! versions of [`mesa`]. A [`kernel`] is for what is no pass.
//!
//! This floor imports from [`crate::model`] and below, for sizes of what buffers hold. It knows no physics.

pub mod blocks;
pub mod buffer_table;
pub mod choice;
pub mod constants;
pub mod counts;
pub mod device;
pub mod drivers;
pub mod element;
pub mod elements;
pub mod features;
pub mod grant;
pub mod kernel;
pub mod layout;
pub mod mesa;
pub mod pipeline;
pub mod threads;
pub mod uniform;
