//! What the page draws of a frame: bodies, their shapes, the quantity that colours them, contacts, aggregates.

use super::blocks::Blocks;
use super::run::{At, Run};
use crate::analysis::force_chains::{chains, force_chains, mean_force_n};
use crate::base::error::Result;
use crate::model::body::{Bodies, Polyhedra};
use crate::model::snapshot::Snapshot;
use crate::model::stored::frame_files::FrameFiles;
use crate::model::stored::frames::analysis_of;
use crate::physics::measure::aggregates::ranks;
use crate::record::files::recorded::Recorded;
use crate::render::camera::Field;
use crate::render::colour;
use crate::render::colour_scale::{Choice, ColourScale, Spread};
use crate::render::column::Column;
use crate::render::legend;
use crate::render::scene::{Frame, Quantity};
use crate::render::viewpoint::Viewpoint;
use glam::DVec3;
use serde_json::{Value, json};

/// Where the bodies are. Positions are from the mass centre, so that 32 bits hold them.
pub fn bodies(run: &Run, at: At) -> Result<Vec<u8>> {
    let frame = run.read(at, &Quantity::None)?;
    let files = FrameFiles::open(&run.folder(at.frame)?)?;
    let asteroid = run.given()?.asteroid_in(at);
    let b = &frame.bodies;
    let grains = (!b.is_empty()).then(|| frame.field()).transpose()?;
    let whole = || Viewpoint::Whole(DVec3::X).field(&frame, asteroid.as_ref());
    let field = (grains.is_some() || asteroid.is_some()).then(whole).transpose()?;
    let origin_m = grains.map_or(DVec3::ZERO, |g| g.centre_m);
    let pose = asteroid.as_ref().map(|a| a.pose(&frame));
    let about = json!({
        "time_s": frame.time_s,
        "origin_m": origin_m.to_array(),
        "field": field.map(sphere),
        "grains": grains.map(sphere),
        "pose": pose.map(|p| json!({ "origin_m": p.origin_m.to_array(), "orientation": p.orientation.to_array() })),
        "axis": frame.pose.map(|p| pose.map_or(p.spin_rad_s, |own| own.orientation * p.spin_rad_s).to_array()),
        "shapes": shapes_key(b),
        "contacts": files.holds("pair"),
        "quantities": quantities(run, at, &files)?,
    });
    let blocks = Blocks::about(about).whole("id", b.id.iter().copied());
    let blocks = blocks.floats("position", vectors(b.position_m.iter().map(|p| *p - origin_m)));
    let turns = b.polyhedra.iter().flat_map(|p| p.orientation.iter()).flat_map(|q| q.as_quat().to_array());
    blocks.floats("orientation", turns).into_bytes()
}

fn sphere(field: Field) -> Value {
    json!({ "centre_m": field.centre_m.to_array(), "radius_m": field.radius_m })
}

fn vectors(list: impl Iterator<Item = DVec3>) -> impl Iterator<Item = f32> {
    list.flat_map(|p| p.as_vec3().to_array())
}

/// Frames with the same key have the same bodies of the same shapes.
fn shapes_key(b: &Bodies) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(bytemuck::cast_slice(&b.id));
    sum.update(bytemuck::cast_slice(&b.radius_m));
    sum.finalize()
}

/// Names of what can colour the bodies of a frame: each has all that it needs there.
pub fn quantities(run: &Run, at: At, files: &FrameFiles) -> Result<Vec<String>> {
    let given = run.given()?;
    let analysed = analysis_of(&run.directory, at.frame);
    let is_analysed = |name: &str| analysed.join(format!("{name}.npy")).exists();
    let soft = given.resolved.as_ref().is_some_and(|r| r.method.method == "soft_sphere");
    let has = |quantity: &Quantity| match quantity {
        Quantity::Speed => files.holds("velocity"),
        Quantity::Pressure => files.holds("pressure"),
        Quantity::Coordination => files.holds("coordination"),
        Quantity::Cluster => is_analysed("cluster"),
        Quantity::Track => is_analysed("cluster_track"),
        Quantity::Damage => is_analysed("body_damage"),
        Quantity::Strain => files.holds("pair") && soft,
        Quantity::AggregateMass => files.need_all("aggregates").is_ok(),
        Quantity::Material => given.resolved.is_some(),
        Quantity::Latitude | Quantity::Distance => given.asteroid.is_some(),
        Quantity::Radius | Quantity::Id | Quantity::Column(_) | Quantity::None => true,
    };
    let named = Quantity::NAMES.into_iter().filter(|(_, quantity)| has(quantity)).map(|(name, _)| name.to_owned());
    Ok(named.chain(Column::names().into_iter().filter(|name| says_more(name, at, files))).collect())
}

/// Whether the frame holds an array, and it says more than the quantities with a name of their own.
fn says_more(name: &str, at: At, files: &FrameFiles) -> bool {
    let (array, component) = name.split_once('.').map_or((name, None), |(array, component)| (array, Some(component)));
    let known = Quantity::NAMES.iter().any(|(n, _)| *n == name);
    match (array, component) {
        ("mass", None) => true,
        // the size of a position depends on where coordinates count from, and that of a velocity is the speed
        ("orientation", _) | ("position" | "velocity", None) => false,
        // vectors are in the axes of the frame
        (_, Some(_)) | ("spin", None) => files.holds(array) && !at.inertial,
        _ => files.holds(array) && !known,
    }
}

/// The quantity that colours the bodies: numbers with the ends of their usual scales, or colours with a legend.
pub fn values(run: &Run, at: At, quantity: &Quantity) -> Result<Vec<u8>> {
    let frame = run.read(at, quantity)?;
    match quantity.title() {
        Some((name, unit)) => numbers(&frame, quantity, &name, &unit),
        None => labels(run, &frame, quantity),
    }
}

fn numbers(frame: &Frame, quantity: &Quantity, name: &str, unit: &str) -> Result<Vec<u8>> {
    let spread: Vec<Spread> = Spread::of(&frame.values).into_iter().collect();
    let ends = |logarithmic| {
        let chosen = ColourScale::chosen(quantity, &spread, Choice { logarithmic, ..Choice::default() });
        chosen.ok().flatten().map(|scale| scale.ends_si())
    };
    let about = json!({
        "name": name,
        "unit": unit,
        "range": ends(false),
        "log_range": ends(true),
        "all": spread.first().map(|s| [s.low, s.high]),
    });
    Blocks::about(about).floats("value", frame.values.iter().map(|v| *v as f32)).into_bytes()
}

fn labels(run: &Run, frame: &Frame, quantity: &Quantity) -> Result<Vec<u8>> {
    let entry = |e: legend::Entry| json!({ "colour": colour::bytes(e.colour), "text": e.text });
    let materials = run.given()?.materials();
    let legend: Vec<Value> = legend::entries(frame, quantity, &materials).into_iter().map(entry).collect();
    let rgba = |k: usize| {
        let value = frame.values.get(k).copied().unwrap_or(f64::NAN);
        let [r, g, b] = colour::bytes(quantity.colour(value, frame.bodies.id[k]));
        u32::from_le_bytes([r, g, b, 255])
    };
    let label = frame.values.iter().map(|v| *v as f32);
    Blocks::about(json!({ "legend": legend }))
        .whole("colour", (0..frame.bodies.len()).map(rgba))
        .floats("value", label)
        .into_bytes()
}

/// Radii of spheres, or triangles of polyhedra in the frames of their bodies; and the key of frames that have the same.
pub fn shapes(run: &Run, at: At) -> Result<(u32, Vec<u8>)> {
    let b = run.read(at, &Quantity::None)?.bodies;
    let key = shapes_key(&b);
    let mut blocks = Blocks::about(json!({ "shapes": key })).floats("radius", b.radius_m.iter().map(|r| *r as f32));
    if let Some(all) = &b.polyhedra {
        let (body, corner) = triangles(all);
        blocks = blocks.whole("body", body).floats("corner", corner);
    }
    Ok((key, blocks.into_bytes()?))
}

/// Corners of the triangles of all bodies, three coordinates each, and whose they are.
fn triangles(all: &Polyhedra) -> (Vec<u32>, Vec<f32>) {
    let (mut body, mut corner) = (vec![], vec![]);
    for k in 0..all.shape.len() {
        for part in all.parts(k) {
            for face in &part.faces {
                let around = &face.vertices;
                for pair in around[1..].windows(2) {
                    for v in [around[0], pair[0], pair[1]] {
                        body.push(k as u32);
                        corner.extend(part.vertices_m[v as usize].as_vec3().to_array());
                    }
                }
            }
        }
    }
    (body, corner)
}

/// Lines between what touches, with the normal force on each (N, compression positive).
pub fn contacts(run: &Run, at: At) -> Result<Vec<u8>> {
    let recorded = Recorded::unmoved(&run.folder(at.frame)?)?;
    recorded.need_contacts("a picture of forces")?;
    let forces = chains(&force_chains(&recorded.instant, run.given()?.resolved.as_ref(), at.inertial)?);
    let origin_m = middle(&in_axes(recorded.instant, at));
    let mean_n = mean_force_n(&forces);
    let ends = vectors(forces.iter().flat_map(|f| f.ends_m).map(|p| p - origin_m));
    Blocks::about(json!({ "origin_m": origin_m.to_array(), "mean_n": mean_n }))
        .floats("ends", ends)
        .floats("force", forces.iter().map(|f| f.normal_force_n as f32))
        .into_bytes()
}

/// The bodies in the axes asked for.
fn in_axes(instant: Snapshot, at: At) -> Bodies {
    if at.inertial { instant.inertial().into_owned() } else { instant.bodies }
}

/// The mass centre, from which 32 bits hold positions; the origin without bodies.
fn middle(b: &Bodies) -> DVec3 {
    if b.is_empty() { DVec3::ZERO } else { b.mean_by_mass(&b.position_m) }
}

/// Aggregates by their rank, the heaviest first: that of each body, and their mass centres.
pub fn aggregates(run: &Run, at: At) -> Result<Vec<u8>> {
    let recorded = Recorded::unmoved(&run.folder(at.frame)?)?;
    let found = recorded.aggregates();
    let bodies = in_axes(recorded.instant, at);
    let of = ranks(&found, bodies.len());
    let origin_m = middle(&bodies);
    let centre_m = |indices: &[usize]| {
        let moment = indices.iter().map(|i| bodies.position_m[*i] * bodies.mass_kg[*i]).sum::<DVec3>();
        moment / indices.iter().map(|i| bodies.mass_kg[*i]).sum::<f64>()
    };
    Blocks::about(json!({ "origin_m": origin_m.to_array() }))
        .whole("aggregate", of)
        .floats("centre", vectors(found.iter().map(|a| centre_m(&a.indices) - origin_m)))
        .into_bytes()
}
