//! TOML to checked scenario.
pub mod closure;
pub mod model;
