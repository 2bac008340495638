//! What every floor uses: errors, units, files of users, numbers with units, keys of scenarios, small algorithms.
//!
//! This floor imports from no other.

pub mod address_space;
pub mod checksums;
pub mod cores;
pub mod cpu_time;
pub mod disk;
pub mod eigen;
pub mod error;
pub mod exit_code;
pub mod fault;
pub mod fixed_point;
mod guard;
pub(crate) mod header;
pub mod input;
pub mod json;
pub mod machine;
pub mod quantity;
pub mod readable;
pub(crate) mod reader;
pub mod sha256;
pub mod shell;
pub mod steps;
pub mod units;
pub mod version;
