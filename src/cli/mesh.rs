//! `breccia mesh`: measures a surface, lists its defects, repairs what can be repaired.

use super::asteroid::unit;
use breccia::base::error::Result;
use breccia::base::fault::Fault;
use breccia::base::readable::{digits, number, percent};
use breccia::geometry::mesh::audit::{Audit, Defect};
use breccia::geometry::mesh::fix::{Fixed, fix};
use breccia::geometry::mesh::format::Format;
use breccia::geometry::mesh::measure::Measures;
use breccia::geometry::mesh::{Mesh, write};
use std::path::{Path, PathBuf};

/// Shape models: measure, check, repair or make closed surfaces
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Info(InfoArgs),
    Check(CheckArgs),
    Fix(FixArgs),
    Make(super::mesh_make::Args),
    Remesh(super::mesh_remesh::Args),
}

/// Counts, defects, volume, inertia, size and form of a surface
#[derive(clap::Args)]
struct InfoArgs {
    #[command(flatten)]
    file: File,
    #[command(flatten)]
    unit: Unit,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// Say whether a surface bounds one body, and list its defects; exit code 7 if there is one
#[derive(clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    file: File,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// Write a repaired copy: equal vertices joined, flipped faces turned, degenerate and repeated faces dropped; exit code
/// 7 if defects remain
#[derive(clap::Args)]
struct FixArgs {
    #[command(flatten)]
    file: File,
    /// New file: .obj, .ply or .stl, in the unit of the old one
    out: PathBuf,
    /// Replace OUT if it is there; the file that is read never
    #[arg(long)]
    overwrite: bool,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct File {
    /// Surface: OBJ, PLY, STL, PDS plate model or ICQ
    file: PathBuf,
    /// Format, if name and content do not show it
    #[arg(long, value_parser = format)]
    format: Option<Format>,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Unit {
    /// Length of one unit of the file (m)
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    unit_m: Option<f64>,
    /// Unit of the file by name, m, km, cm or mm, or as in "2 km"
    #[arg(long, value_name = "NAME", value_parser = unit)]
    unit: Option<f64>,
}

pub(super) fn format(name: &str) -> std::result::Result<Format, String> {
    Format::named(name).ok_or_else(|| format!("one of {}", Format::NAMES.join(", ")))
}

/// `breccia mesh`.
pub(super) fn run(args: Args) -> Result<u8> {
    match args.what {
        What::Info(args) => info(args),
        What::Check(args) => check(args),
        What::Fix(args) => repair(args),
        What::Make(args) => super::mesh_make::run(args),
        What::Remesh(args) => super::mesh_remesh::run(args),
    }
}

fn info(args: InfoArgs) -> Result<u8> {
    let unit_m = args.unit.unit_m.or(args.unit.unit).unwrap_or(f64::NAN);
    let mesh = Mesh::load(&args.file.file, unit_m, args.file.format)?;
    let (audit, measures) = (Audit::of(&mesh).with_crossings(&mesh), Measures::of(&mesh));
    if args.json {
        let output = serde_json::json!({
            "file": mesh.name, "unit_m": unit_m, "joined_vertices": mesh.joined, "cut_faces": mesh.cut, "counts": counts(&audit),
            "measures": measures, "defects": audit.defects,
        });
        println!("{output}");
        return Ok(0);
    }
    println!("{}, 1 unit = {unit_m} m", mesh.name);
    print_counts(&mesh, &audit);
    print_measures(&measures);
    print_defects(&audit.defects);
    Ok(0)
}

fn check(args: CheckArgs) -> Result<u8> {
    let mesh = Mesh::load(&args.file.file, 1.0, args.file.format)?;
    let audit = Audit::of(&mesh).with_crossings(&mesh);
    if args.json {
        let output = serde_json::json!({ "file": mesh.name, "counts": counts(&audit), "defects": audit.defects });
        println!("{output}");
    } else {
        print_counts(&mesh, &audit);
        print_defects(&audit.defects);
    }
    Ok(if audit.defects.is_empty() { 0 } else { 7 })
}

/// A file that is read is never written.
pub(super) fn refuse_same(from: &Path, out: &Path) -> Result<()> {
    match (from.canonicalize(), out.canonicalize()) {
        (Ok(a), Ok(b)) if a == b => {
            Err(Fault::new("is the file that is read").remedy("name another one").path(out).into())
        }
        _ => Ok(()),
    }
}

fn repair(args: FixArgs) -> Result<u8> {
    let (from, out) = (&args.file.file, &args.out);
    write::format_of(out)?;
    refuse_same(from, out)?;
    let mut mesh = Mesh::load(from, 1.0, args.file.format)?;
    let done = fix(&mut mesh);
    mesh.name = out.display().to_string();
    (mesh.vertex_lines, mesh.face_lines) = (vec![], vec![]);
    if mesh.faces.is_empty() {
        return Err(Fault::new("no face with an area is left").path(from).data());
    }
    let comment = format!("{} as repaired by breccia", from.file_name().unwrap_or_default().to_string_lossy());
    write::write(out, &mesh.vertices_m, &mesh.faces, &comment, args.overwrite)?;
    // what was written is judged: STL has single precision
    let mesh = Mesh { name: out.display().to_string(), ..Mesh::load(out, 1.0, None)? };
    let audit = Audit::of(&mesh).with_crossings(&mesh);
    if args.json {
        let output =
            serde_json::json!({ "file": mesh.name, "done": done, "counts": counts(&audit), "defects": audit.defects });
        println!("{output}");
    } else {
        println!("{}", mesh.name);
        print_done(&done);
        print_counts(&mesh, &audit);
        print_defects(&audit.defects);
    }
    Ok(if audit.defects.is_empty() { 0 } else { 7 })
}

/// Counts alone.
fn counts(audit: &Audit) -> serde_json::Value {
    serde_json::json!({
        "vertices": audit.vertices, "unused_vertices": audit.unused_vertices,
        "repeated_vertices": audit.repeated_vertices, "edges": audit.edges, "faces": audit.faces,
        "euler": audit.euler, "parts": audit.parts, "flipped_faces": audit.flipped.len(),
        "degenerate_faces": audit.degenerate.len(), "repeated_faces": audit.repeated.len(),
        "bent_faces": audit.bent_faces, "bent_most": audit.bent_most,
    })
}

fn print_counts(mesh: &Mesh, audit: &Audit) {
    println!("vertices          {}, and {} that no face names", audit.vertices, audit.unused_vertices);
    if mesh.joined > 0 {
        println!("joined            {} vertices with the position of an earlier one", mesh.joined);
    }
    if mesh.cut > 0 {
        println!("cut               {} faces that are not convex, into triangles", mesh.cut);
    }
    println!("edges             {}", audit.edges);
    println!("faces             {}", audit.faces);
    if audit.bent_faces > 0 {
        println!(
            "not flat          {} faces of more than three corners, by up to {} of their length: cut at another corner they bound another volume",
            audit.bent_faces,
            percent(audit.bent_most)
        );
    }
    println!("V - E + F         {}", audit.euler);
    println!("parts             {}", audit.parts);
}

/// Three numbers in six digits, as shapes are compared.
fn six(values: [f64; 3]) -> String {
    values.map(|v| digits(v, 6)).join(" ")
}

fn print_measures(m: &Measures) {
    let [low, high] = m.box_m;
    let [least, mean, most] = m.edge_m;
    println!("volume            {} m3", digits(m.volume_m3, 9));
    println!("area              {} m2", digits(m.area_m2, 9));
    if m.centre_m.is_finite() {
        println!("mass centre       {} m", six(m.centre_m.to_array()));
        println!("inertia           {} m5, per unit of density, about the mass centre", six(m.inertia_m5));
        for (k, axis) in m.axes.iter().enumerate() {
            println!("  axis {}          {}", k + 1, six(axis.to_array()));
        }
    } else {
        println!("mass centre       none, nor inertia: the faces enclose no volume");
    }
    println!("box               {} m", six(low.to_array()));
    println!("  to              {} m", six(high.to_array()));
    println!("edges             {} to {} m, mean {} m", number(least), number(most), number(mean));
    match m.hidden_faces {
        0 => println!("star-shaped       yes: the mass centre sees all faces from inside"),
        n => println!("star-shaped       no: {n} faces turn away from the mass centre"),
    }
}

fn print_defects(defects: &[Defect]) {
    if defects.is_empty() {
        println!("bounds one body: closed, every face the right way round, nowhere through itself");
    }
    for defect in defects {
        println!("{}: {}: {}", defect.kind.words(), defect.count, defect.remedy);
        defect.first.iter().for_each(|fault| println!("  {fault}"));
        if defect.count > defect.first.len() {
            println!("  ...");
        }
    }
}

fn print_done(done: &Fixed) {
    let lines = [
        (done.joined_vertices, "vertices joined to an earlier one of the same position"),
        (done.cut_faces, "faces that are not convex cut into triangles"),
        (done.dropped_corners, "corners dropped that followed themselves"),
        (done.dropped_degenerate_faces, "faces without area dropped"),
        (done.dropped_repeated_faces, "faces dropped that had the vertices of an earlier one"),
        (done.turned_faces, "faces turned"),
        (done.dropped_vertices, "vertices dropped that no face named"),
    ];
    lines.iter().filter(|(n, _)| *n > 0).for_each(|(n, what)| println!("{n} {what}"));
    if lines.iter().all(|(n, _)| *n == 0) {
        println!("nothing to repair");
    }
}
