//! Reads `[output]`: what a run writes, when, and in which form.

use super::common::word;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Kind, Word};
use crate::model::scenario::{
    Compression, Constants, FrameEvent, FrameForm, FrameTimes, OutputSpec, Precision, Region, Scenario, Stride,
};
use crate::model::stored::frame_arrays::{CONSTANTS, columns};
use std::collections::HashSet;

/// Keys of `[output]`.
pub(super) const KEYS: &[Key] = &[
    Key::count("frames", 1, 1_000_000).or_count(50).says("number of frames after the first").eg("50"),
    Key::choice(
        "frame_times",
        &[
            word("even", "the same time between frames"),
            Word::with(
                "logarithmic",
                "each frame later than the one before by the same factor",
                &[Key::positive("first_frame_s", D::Time)
                    .required()
                    .says("time of frame 1, the first after the start")
                    .eg("\"1 min\"")],
            ),
        ],
    )
    .or_word("even")
    .says("how frames are spread over the run")
    .eg("\"logarithmic\""),
    Key::with_kind("frame_events", Kind::Texts)
        .says("further frames at rows of the series: `first_contact`, `escape`, `failure`")
        .eg("[\"first_contact\", \"escape\"]"),
    Key::count("series_rows", 1, 10_000_000)
        .or_count(400)
        .says("number of rows of the series after the first")
        .eg("400"),
    Key::flag("contacts").says("writes the contacts into every frame").eg("true"),
    Key::with_kind("columns", Kind::Texts)
        .without("all")
        .says("arrays of bodies that frames hold")
        .eg("[\"position\", \"velocity\"]"),
    Key::choice(
        "precision",
        &[
            word("f64", "as the program has them"),
            word("f32", "half the bytes; positions and velocities are kept relative to those of the mass centre"),
        ],
    )
    .or_word("f64")
    .says("floating-point numbers of frames")
    .eg("\"f32\""),
    Key::choice(
        "compression",
        &[word("none", "an .npy file each"), word("deflate", "all in one compressed arrays.npz, which numpy opens")],
    )
    .or_word("none")
    .says("arrays of a frame")
    .eg("\"deflate\""),
    Key::choice(
        "constants",
        &[
            word("once", "in the folder `bodies/` of the run"),
            word("every_frame", "in each frame, so that its folder can be read by itself"),
        ],
    )
    .or_word("once")
    .says("where radius, mass, id and material of the bodies are kept")
    .eg("\"every_frame\""),
    Key::count("stride", 1, 1_000_000_000)
        .or_count(1)
        .says("one of every so many bodies is in the frames; such frames can be drawn and exported, not measured")
        .eg("10"),
    Key::text("region")
        .without("everywhere")
        .says(
            "name of a [[region]]: bodies outside are not in the frames, which can be drawn and exported, not measured",
        )
        .eg("\"chute\""),
    Key::positive("checkpoint_minutes", D::Pure)
        .or(10.0)
        .says("wall time between two checkpoints, in minutes")
        .eg("10"),
];

/// `[output]`.
pub(super) fn output(t: &Table, regions: &[Region]) -> OutputSpec {
    let o = OutputSpec {
        frames: t.count("frames") as usize,
        frame_times: frame_times(t),
        frame_events: events(t),
        series_rows: t.count("series_rows") as usize,
        contacts: t.flag("contacts"),
        checkpoint_minutes: t.value("checkpoint_minutes"),
        form: FrameForm {
            columns: chosen(t),
            precision: if t.choice("precision") == "f32" { Precision::F32 } else { Precision::F64 },
            compression: if t.choice("compression") == "deflate" { Compression::Deflate } else { Compression::None },
            constants: if t.choice("constants") == "every_frame" { Constants::EveryFrame } else { Constants::Once },
            stride: Stride(t.count("stride") as usize),
            region: region(t, regions),
        },
    };
    if o.contacts && o.form.is_part() {
        let key = if t.has("region") { "region" } else { "stride" };
        t.fault(
            key,
            "conflicts with contacts = true: a contact may have one body in the frame and one outside",
            "remove one of the two",
        );
    }
    t.close();
    o
}

fn frame_times(t: &Table) -> FrameTimes {
    if t.choice("frame_times") != "logarithmic" {
        return FrameTimes::Even;
    }
    if t.count("frames") < 2 {
        t.fault(
            "frames",
            "is 1, and logarithmic times need two frames after the first",
            "raise it, or take frame_times = \"even\"",
        );
    }
    FrameTimes::Logarithmic { first_s: t.value("first_frame_s") }
}

/// The strings of a list that are among the known ones, each once; the others are faults, and `else_what` may say what one is.
fn known(t: &Table, key: &str, all: &[&str], else_what: impl Fn(&str) -> Option<&'static str>) -> Option<Vec<String>> {
    let list = t.texts(key)?;
    if list.is_empty() && t.is_sound(key) {
        t.fault(key, "is an empty list", format!("name one of: {}, or remove the key", all.join(", ")));
    }
    let mut taken = HashSet::new();
    for (k, name) in list.iter().enumerate() {
        let at = format!("{key}.{k}");
        if let Some(what) = else_what(name) {
            t.fault(&at, format!("\"{name}\" {what}"), "remove it");
        } else if !all.contains(&name.as_str()) {
            t.fault(&at, format!("\"{name}\" is unknown"), t.hint(name, all.iter().copied()));
        } else if !taken.insert(name) {
            t.fault(&at, format!("\"{name}\" is there twice"), "remove one");
        }
    }
    Some(list)
}

fn chosen(t: &Table) -> Option<Vec<String>> {
    let all: Vec<&str> = columns().collect();
    let constant = |name: &str| {
        CONSTANTS
            .iter()
            .any(|a| a.name == name)
            .then_some("never changes and is kept without being named (output.constants)")
    };
    known(t, "columns", &all, constant)
}

fn events(t: &Table) -> Vec<FrameEvent> {
    let names = FrameEvent::NAMES.map(|(name, _)| name);
    let list = known(t, "frame_events", &names, |_| None).unwrap_or_default();
    FrameEvent::NAMES.iter().filter(|(name, _)| list.iter().any(|l| l == name)).map(|(_, event)| *event).collect()
}

fn region(t: &Table, regions: &[Region]) -> Option<Region> {
    let name = t.text("region")?;
    let found = regions.iter().find(|r| r.name == name);
    if found.is_none() {
        let hint = match regions.is_empty() {
            true => "add a [[region]] of that name".into(),
            false => t.hint(&name, regions.iter().map(|r| r.name.as_str())),
        };
        t.fault("region", format!("there is no [[region]] \"{name}\""), hint);
    }
    found.cloned()
}

/// What `[output]` says that does not fit the rest of the scenario.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    let t = root.table("output");
    let duration_s = scenario.run.duration_s;
    if let FrameTimes::Logarithmic { first_s } = scenario.output.frame_times
        && first_s >= duration_s
        && t.is_sound("first_frame_s")
    {
        let what = format!("{first_s} s is not before the end of the run, run.duration_s = {duration_s}");
        t.fault("first_frame_s", what, "lower it");
    }
    let free = scenario.has_self_gravity() && scenario.asteroid.is_none();
    if scenario.output.frame_events.contains(&FrameEvent::Escape) && !free {
        let what = "\"escape\" is from the bodies' own gravity, and the scenario has an asteroid or no self-gravity";
        t.fault("frame_events", what, "remove it");
    }
}
