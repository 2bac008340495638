//! Which parts of `breccia analyze` an option changes: for the command, and for `[analysis]` of campaigns.

/// An option, and the parts that it changes.
const APPLIES: [(&str, &[&str]); 10] = [
    ("--minimum", &["aggregates", "clusters", "outcome"]),
    ("--tolerance", &["aggregates", "shape", "stress", "velocity", "clusters", "outcome", "damage"]),
    ("--aggregate", &["shape", "stress", "velocity"]),
    ("--alpha", &["shape"]),
    ("--points", &["shape"]),
    ("--region", &["stress"]),
    ("--plane", &["velocity"]),
    ("--reach", &["velocity"]),
    ("--top", &["strain"]),
    ("--strength-share", &["compression"]),
];

/// The parts that an option changes; none: it changes all of them.
pub fn parts_of(option: &str) -> &'static [&'static str] {
    APPLIES.iter().find(|known| known.0 == option).map_or(&[], |known| known.1)
}
