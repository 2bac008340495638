//! A run as a page that a browser shows: served while the run goes on, or written as one file.

pub mod blocks;
pub mod fence;
pub mod frame;
pub mod ground;
pub mod index;
pub mod report;
pub mod resource;
pub mod run;
pub mod server;
