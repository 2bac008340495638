//! `breccia check`: what a run would be, and how long it would take.

use super::common::{Device, Source, heading};
use super::impact;
use super::wall_time::{self, Measured};
use breccia::base::error::{Error, Result};
use breccia::base::readable::{bytes, duration, number, percent, quantity, whole};
use breccia::engine::gpu::limits::refuse_run;
use breccia::model::scenario::{Impact, Scenario};
use breccia::record::check::{AsteroidEstimate, Estimate, check};
use breccia::record::disk_use::DiskUse;
use breccia::record::material_estimate::MaterialEstimate;
use breccia::record::warnings::contact_warning;
use breccia::scenario::generate::arranged;
use breccia::scenario::load;
use serde_json::json;

/// Check a scenario and estimate time step, memory, disk, and by some steps on the device the wall time
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Compute no steps to estimate the wall time
    #[arg(long)]
    no_time: bool,
    #[command(flatten)]
    device: Device,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia check`.
pub(super) fn run(args: Args) -> Result<u8> {
    let mut scenario = load(&args.source.scenario, &args.source.set)?;
    let as_read = scenario.clone();
    let (bodies, collision) = arranged(&mut scenario)?;
    let mut e = check(&scenario, &bodies)?;
    e.warnings.extend(contact_warning(&scenario, collision.as_ref()));
    refuse_run(&scenario, &bodies, e.time_step.dt_s)?;
    let time = (!args.no_time).then(|| wall_time::measure(as_read, &args.device));
    if args.json {
        let words = |e: &Error| json!({ "error": e.to_string() });
        let time = time.as_ref().map(|t| t.as_ref().map_or_else(words, |t| json!(t)));
        println!("{}", json!({ "scenario": scenario, "estimate": e, "collision": collision, "wall_time": time }));
    } else {
        print(&scenario, &e, &collision, &time);
    }
    match time {
        // The run itself would stop there; without a device a scenario is as good.
        Some(Err(stopped @ Error::Numerical(_))) => Err(stopped),
        _ => Ok(0),
    }
}

/// The estimates in words.
fn print(scenario: &Scenario, e: &Estimate, collision: &Option<Impact>, time: &Option<Result<Measured>>) {
    println!("{}", heading(scenario));
    println!("bodies            {}", e.bodies);
    println!("mass              {} kg", number(e.mass_kg));
    println!("time step         {}: {}", quantity(e.time_step.dt_s, "s"), e.time_step.reason);
    if let Some(contact_time_s) = e.time_step.contact_time_s {
        println!("contact time      {}", quantity(contact_time_s, "s"));
    }
    println!("steps             {}", e.steps);
    if let Some(overlap) = e.overlap_at_speed_max {
        let [pair, wall] = overlap.map(percent);
        println!("overlap at v_max  {pair} of the radius of two bodies that meet, {wall} against a wall");
    }
    e.materials.iter().filter_map(material).for_each(|line| println!("{line}"));
    println!("extent            within {} of the mass centre", quantity(e.reach_m, "m"));
    println!("speed limit       {} near others, on a GPU", speed(e.speed_limit_m_s));
    e.asteroid.iter().for_each(asteroid);
    // of the grains alone, which lie on the asteroid if there is one, or are two bodies that meet
    if scenario.has_self_gravity() && e.asteroid.is_none() && collision.is_none() {
        println!("free-fall time    {}", quantity(e.free_fall_s, "s"));
        println!("surface gravity   {} m/s2 on a sphere of the solid volume", number(e.surface_gravity_m_s2));
        println!("escape speed      {} from there", speed(e.escape_speed_m_s));
    }
    collision.iter().flat_map(impact::lines).for_each(|line| println!("{line}"));
    let [constant, state, scratch] = e.gpu_bytes_by_life.map(bytes);
    println!("GPU memory        {}: {constant} constant, {state} state, {scratch} scratch", bytes(e.gpu_bytes));
    println!("largest buffer    {}, {}", e.largest_buffer, bytes(e.largest_buffer_bytes));
    disk(&e.disk, e.disk_bytes);
    match time {
        Some(Ok(t)) => println!(
            "wall time         {} at the speed of {} first steps, {} each; {}",
            duration(t.wall_s),
            whole(t.steps),
            quantity(t.s_per_step, "s"),
            t.device
        ),
        Some(Err(error)) => println!("wall time         not measured: {error}"),
        None => {}
    }
    if e.input_files > 0 {
        println!("inputs            {} in {} files, copied into the run", bytes(e.input_bytes), e.input_files);
    }
    e.warnings.iter().for_each(|text| println!("WARNING: {text}"));
}

/// Stiffness and cohesion of a material in one line, if it has either.
fn material(m: &MaterialEstimate) -> Option<String> {
    let stiffness = m.stiffness_n_m.map(|k| format!("stiffness {}", quantity(k, "N/m")));
    let cohesion = m.cohesion.as_ref().map(|c| {
        let weight = c.over_weight.map_or(String::new(), |ratio| format!(", {} times the weight", number(ratio)));
        let [force, strength] = [quantity(c.force_n, "N"), quantity(c.tensile_strength_pa, "Pa")];
        format!("cohesion {force} a contact{weight}, tensile strength about {strength}")
    });
    let parts: Vec<String> = stiffness.into_iter().chain(cohesion).collect();
    (!parts.is_empty()).then(|| format!("material          {}: {}", m.name, parts.join("; ")))
}

fn asteroid(a: &AsteroidEstimate) {
    let faces = whole(a.faces as u64);
    println!(
        "asteroid          {faces} faces, up to {} from its centre, {} kg",
        quantity(a.radius_m, "m"),
        number(a.mass_kg)
    );
    println!("  gravity         {} m/s2 on a sphere of its volume", number(a.surface_gravity_m_s2));
    let turns = a.period_h.map_or("does not turn".into(), |h| format!("turns in {} h", number(h)));
    println!("  rotation        {turns}");
}

/// What the run will leave, part by part.
fn disk(parts: &DiskUse, all: u64) {
    let most = if parts.compressed { "at most " } else { "" };
    println!("disk              {most}{}", bytes(all));
    let frames = parts.frames;
    println!(
        "  frames          {most}{} in {frames} of {}",
        bytes(parts.frame_bytes * frames),
        bytes(parts.frame_bytes)
    );
    if parts.contact_bytes > 0 {
        println!("  contacts        {most}{}, at three a body", bytes(parts.contact_bytes * frames));
    }
    println!("  series          about {}", bytes(parts.series_bytes));
    println!("  checkpoints     {}, the two newest", bytes(parts.checkpoint_bytes));
    if parts.once_bytes > 0 {
        println!("  once            {}", bytes(parts.once_bytes));
    }
}

fn speed(m_s: f64) -> String {
    quantity(m_s, "m/s")
}
