//! Plain data: the checked [`scenario`], the [`body`] arrays, the [`snapshot`] of an instant, and their arrays on disk
//! ([`stored`]).
//!
//! This floor imports from [`crate::geometry`] and below.

pub mod asteroid;
pub mod body;
pub mod collision;
pub mod deferred;
pub mod free_asteroid;
pub mod generator;
pub mod gravity;
pub mod material;
pub mod method;
pub mod output;
pub mod placed;
pub mod placing;
pub mod scenario;
pub mod shape;
pub mod sizes;
pub mod snapshot;
pub mod stored;
pub mod wall;
