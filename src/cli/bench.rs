//! `breccia bench`: steps, neighbour lists, sorts and gravity of this device, compared with its copy bandwidth.

use super::mesa;
use breccia::base::error::{Error, Result};
use breccia::base::exit_code;
use breccia::base::json;
use breccia::base::readable::{number, quantity};
use breccia::base::version::version;
use breccia::bench::compile::{self, Row as Compiled};
use breccia::bench::measure::run as measure;
use breccia::bench::packing::packing;
use breccia::bench::{Device, Part, Row, lammps};
use breccia::gpu::device::Gpu;
use breccia::gpu::threads::Share;
use breccia::physics::laws::registry::LAWS;
use std::path::{Path, PathBuf};

/// Measure steps, sorts and gravity on this device
#[derive(clap::Args)]
pub(super) struct Args {
    /// Numbers of bodies (and of keys), as in 10000,1e6
    #[arg(long, value_delimiter = ',', default_values_t = [10_000usize, 100_000], value_parser = count)]
    bodies: Vec<usize>,
    /// Only these of step, sort, gravity, contacts, tree, polyhedron, hash, regolith [default: the first four]
    #[arg(long, value_delimiter = ',', value_parser = part)]
    only: Vec<Part>,
    /// Adapter: index, or part of its name (see `breccia gpus`)
    #[arg(long)]
    gpu: Option<String>,
    /// Measure nothing; write the packing that would be stepped, for LAMMPS, into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["gpu", "only"])]
    save_packing: Option<PathBuf>,
    /// Measure nothing; show what the device's driver makes of each pass: registers, instructions, local memory
    #[arg(long, conflicts_with_all = ["bodies", "only", "save_packing"])]
    compile: bool,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> std::result::Result<usize, String> {
    let whole = |x: f64| (x >= 1.0 && x.fract() == 0.0 && x < 1e15).then_some(x as usize);
    text.parse().ok().and_then(whole).ok_or_else(|| "a whole number from 1 on, as in 100000 or 1e5".to_owned())
}

fn part(text: &str) -> std::result::Result<Part, String> {
    let known = Part::KNOWN.map(Part::name);
    Part::KNOWN.into_iter().find(|p| p.name() == text).ok_or_else(|| format!("one of: {}", known.join(", ")))
}

/// `breccia bench --compile`: 0, or 1 if a pass is over its budget.
fn compile(args: &Args) -> Result<u8> {
    let mut headed = false;
    let mut said = |device: &str, row: &Compiled| {
        if !args.json {
            if !std::mem::replace(&mut headed, true) {
                println!("{device}, breccia {}", version());
                println!("{COMPILED}");
            }
            print_compiled(row);
        }
    };
    let table = compile::table(args.gpu.as_deref(), &mut said)?;
    if args.json {
        println!("{}", json::pretty(&table)?);
    } else {
        println!();
        table.over.iter().for_each(|over| println!("over budget: {over}"));
        println!("{} passes, {} over budget", table.passes.len(), table.over.len());
    }
    Ok(if table.over.is_empty() { exit_code::DONE } else { exit_code::MISSED })
}

const COMPILED: &str =
    "pass                                      registers  spilled  local  instructions    code  waves      compile";

fn print_compiled(r: &Compiled) {
    let name = r.form.as_ref().map_or(r.pass.clone(), |form| format!("{} {form}", r.pass));
    let number = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    let columns = [(r.registers, 9), (r.spilled, 8), (r.local_bytes, 6), (r.instructions, 13), (r.code_bytes, 7)];
    let columns: String = columns.map(|(n, width)| format!(" {:>width$}", number(n))).concat();
    println!("{name:42}{columns} {:>6} {:>12}", number(r.waves), time(r.seconds));
}

/// `breccia bench`: 0, or 5 if a size does not fit the device (the others are still measured).
pub(super) fn run(args: Args) -> Result<u8> {
    if let Some(folder) = &args.save_packing {
        return save(folder, &args);
    }
    if args.compile {
        return compile(&args);
    }
    let parts = if args.only.is_empty() { Part::ALL.to_vec() } else { args.only.clone() };
    let mut headed = false;
    let mut said = |device: &Device, row: &Row| {
        if !args.json {
            if !std::mem::replace(&mut headed, true) {
                head(device);
            }
            print_row(device, row);
        }
    };
    mesa::suit(Share::SoftSpheres, args.bodies.iter().copied().max().unwrap_or(0));
    let report = measure(&|| Gpu::open(args.gpu.as_deref()), &args.bodies, &parts, &mut said)?;
    if args.json {
        println!("{}", json::pretty(&report)?);
    } else {
        report.missing.iter().for_each(|m| println!("not measured: {}, {}: {}", m.what, m.count, m.why));
    }
    Ok(if report.missing.is_empty() { 0 } else { 5 })
}

fn save(folder: &Path, args: &Args) -> Result<u8> {
    let [n] = args.bodies[..] else {
        return Err(Error::Usage("--save-packing writes one packing; give one number, as in --bodies 8000".into()));
    };
    if n > 10_000_000 {
        return Err(Error::Usage(format!("--bodies {n}: --save-packing writes at most 10000000")));
    }
    let packing = packing(n, LAWS[0].law)?;
    let paths = lammps::save(&packing, folder)?;
    if args.json {
        println!("{}", serde_json::json!({ "bodies": packing.bodies.len(), "files": paths.map(|p| json::text(&p)) }));
    } else {
        paths.iter().for_each(|p| println!("{}", p.display()));
    }
    Ok(0)
}

fn head(d: &Device) {
    println!("{} ({}, {}, {}), breccia {}", d.name, d.kind, d.backend, d.driver, d.breccia);
    if let Some(threads) = d.threads {
        println!("threads: {threads}");
    }
    println!("copy, read plus written: {:.1} GB/s", d.copy_gb_s);
    println!("passes: GB/s if each touched its buffers once, and the share of the copy");
    if d.clock == "wall" {
        println!("no timestamps on this adapter: wall times of whole submissions, no passes");
    }
}

fn print_row(d: &Device, r: &Row) {
    println!();
    let error = r.error_rms.map_or(String::new(), |e| format!("  rms error {}", number(e)));
    println!("{} {}", r.count, r.what);
    let cpu = r.seconds_cpu.map_or(String::new(), |s| format!(", CPU {}", time(s)));
    println!(
        "  {:22} {:>12}  {} {}/s{error}  ({}, least {}{cpu})",
        "all",
        time(r.seconds),
        number(r.rate),
        r.unit,
        r.clock,
        time(r.seconds_least)
    );
    for p in &r.passes {
        let name = if p.dispatches > 1 { format!("{} x {}", p.pass, p.dispatches) } else { p.pass.clone() };
        let share = 100.0 * p.gb_s / d.copy_gb_s;
        println!("  {name:22} {:>12}  {:8.2} GB/s {share:6.1} %", time(p.seconds), p.gb_s);
    }
}

fn time(seconds: f64) -> String {
    quantity(seconds, "s")
}
