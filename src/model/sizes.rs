//! How the radii of a group of bodies are distributed.

use serde::Serialize;

/// Lengths between two bounds.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RadiusRange {
    /// (m)
    pub min_m: f64,
    /// (m)
    pub max_m: f64,
}

/// How radii of bodies are distributed.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Sizes {
    /// number density ~ r^-exponent between the bounds; 3, where none is typed: the same volume in every interval of radii
    /// (Sanchez et al. 2021, section 3.1)
    PowerLaw {
        /// bounds
        #[serde(flatten)]
        range: RadiusRange,
        /// of the number density
        exponent: f64,
    },
    /// probability density ~ exp(-(r - min) / (mean - min)) between the bounds; `mean_m` is that of the law without an upper
    /// bound
    Exponential {
        /// bounds
        #[serde(flatten)]
        range: RadiusRange,
        /// (m)
        mean_m: f64,
    },
    /// a few radii, each with its share
    Classes {
        /// (m)
        classes_m: Vec<f64>,
        /// what the classes share, in these parts; empty: equal ones
        #[serde(skip_serializing_if = "Vec::is_empty")]
        parts: Vec<f64>,
        /// what the classes share
        share: Share,
    },
}

/// What classes of sizes have in equal parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// mass, so that numbers go as r^-3 (Guidos et al. 2024, section 3.1)
    Mass,
    /// number
    Number,
}
