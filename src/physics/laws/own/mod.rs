//! A contact law of the user's own: a WGSL file that is read with the scenario. [`header`] reads the keys that it declares,
//! [`interface`] holds it against what passes expect of a law, and [`twin`] runs the same text in f64, so that energies of
//! snapshots, contacts of the start and the reference engine need nothing else. docs/user/own_law.md is for users.

pub mod header;
pub mod interface;
pub mod interpret;
pub mod law;
pub mod math;
pub mod turns;
pub mod twin;
pub mod unit;
pub mod value;
