//! TOML to checked scenario.
pub mod model;
