//! A run as a whole: its loop ([`mod@run`]), what it measures ([`measure`]), the files that it leaves ([`files`]), and what can
//! be said of it before it starts ([`mod@check`]).
//!
//! This floor imports from [`crate::engine`] and below.

pub mod check;
pub mod files;
pub mod measure;
pub mod run;
