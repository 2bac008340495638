//! Reads `[run]`, `[neighbours]` and `[guards]`.

use super::common::word;
use super::method::{LAW_WORDS, METHODS};
use super::rest;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Bounds, Key, Kind};
use crate::model::scenario::*;
use crate::physics::laws::registry;

/// Keys of `[run]`.
pub(super) const RUN: &[Key] = &[
    Key::positive("duration_s", D::Time).required().says("simulated time").eg("\"2 h\""),
    Key::choice("method", METHODS).or_word("soft_sphere").says("how contacts are computed").eg("\"soft_sphere\""),
    Key::either("contact_law", &[Kind::Choice(&LAW_WORDS), Kind::Text])
        .or_word("linear_spring_dashpot")
        .says("contact law of soft spheres; \"file:PATH\" is a law of your own")
        .eg("\"hysteretic\""),
    Key::either(
        "time_step_s",
        &[
            Kind::Choice(&[word("auto", "a fraction of the shortest contact or damping time")]),
            Kind::Number(D::Time, Bounds::Positive),
        ],
    )
    .or_word("auto")
    .says("time step; contact dynamics needs a number")
    .eg("\"1 ms\""),
    Key::within("time_step_fraction", D::Pure, 1e-4, 0.1)
        .without("0.02; another law has its own, see contact laws")
        .says("automatic time step over the shortest contact time, or over what the contact law takes in its place")
        .eg("0.02"),
    Key::table("stop_when", rest::KEYS)
        .says("ends the run once the bodies are at rest")
        .eg("{ kinetic_share_below = 1e-5, for_s = \"10 min\" }"),
];

/// Keys of `[neighbours]`.
pub(super) const NEIGHBOURS: &[Key] = &[
    Key::within("skin_radii", D::Pure, 0.001, SKIN_RADII_MAX)
        .or(0.1)
        .says("distance over the largest radius up to which pairs are listed; in contact dynamics as far as a step reaches, if that is more")
        .eg("0.1"),
    Key::within("hash_ratio", D::Pure, 0.5, 64.0)
        .or(4.0)
        .says("cells of the hash table for each body; the total is rounded up to a power of two")
        .eg("4"),
];

/// Keys of `[guards]`.
pub(super) const GUARDS: &[Key] = &[
    Key::within("overlap_max", D::Pure, 1e-4, 0.5)
        .or(0.25)
        .says("largest overlap over the smaller radius; contact dynamics checks it at the start alone")
        .eg("0.25"),
    Key::within("energy_residual_max", D::Pure, 1e-3, 1e6)
        .says("drift of the energy ledger, as a share of what is dissipated, that stops the run")
        .eg("0.05"),
];

/// `[run]`; method and law are read before, since materials depend on them.
pub(super) fn run(t: &Table, method: &Method, contact_law: LawName) -> RunSpec {
    let automatic = !t.has("time_step_s") || t.text_if("time_step_s").as_deref() == Some("auto");
    let spec = RunSpec {
        duration_s: t.value("duration_s"),
        time_step_s: if automatic { None } else { t.value_if("time_step_s") },
        time_step_fraction: t
            .value_if("time_step_fraction")
            .unwrap_or_else(|| registry::of(&contact_law).time_step_fraction()),
        contact_law,
        stop_when: rest::stop_when(t),
    };
    let rigid = method.contact_dynamics().is_some();
    if !rigid && automatic && !registry::of(&spec.contact_law).has_time_scale() {
        let remedy = "type a small fraction of a collision's duration, or add `//! time_step KEY` to the law";
        t.fault("time_step_s", "is missing, and the law of the file knows no time scale", remedy);
    }
    if rigid && automatic && !t.is_unknown("method") {
        let what = if t.has("time_step_s") { "contact dynamics has no automatic time step" } else { "is missing" };
        let remedy = "type the longest step in which no body moves more than a few percent of its diameter";
        t.fault("time_step_s", what, remedy);
    }
    if t.has("time_step_fraction") && rigid {
        t.fault("time_step_fraction", "belongs to method = \"soft_sphere\"", "remove it");
    } else if t.has("time_step_fraction") && !automatic {
        t.fault("time_step_fraction", "has no effect with a typed time_step_s", "remove one of the two");
    }
    if let Some(step) = spec.time_step_s.filter(|s| *s > spec.duration_s) {
        let what = format!("{step} s is longer than the run, duration_s = {}", spec.duration_s);
        t.fault("time_step_s", what, "shorten the step");
    }
    t.close();
    spec
}

/// `[neighbours]`.
pub(super) fn neighbours(t: &Table) -> Neighbours {
    let n = Neighbours { skin_radii: t.value("skin_radii"), hash_ratio: t.value("hash_ratio") };
    t.close();
    n
}

/// `[guards]`.
pub(super) fn guards(t: &Table) -> Guards {
    let g = Guards { overlap_max: t.value("overlap_max"), energy_residual_max: t.value_if("energy_residual_max") };
    t.close();
    g
}
