//! `breccia render`: pictures, movie and plots of a run.

use super::common::{Axes, Device};
use breccia::analysis::force_chains::force_chains;
use breccia::base::error::{Error, Result};
use breccia::base::fault::Fault;
use breccia::gpu::device::describe;
use breccia::model::snapshot::Snapshot;
use breccia::model::stored::resolved::Resolved;
use breccia::record::files::recorded::{Recorded, Wanted, choose};
use breccia::render::asteroid::Asteroid;
use breccia::render::camera::{Camera, Field};
use breccia::render::chains::Scale;
use breccia::render::figure::{Background, Style, figure};
use breccia::render::movie;
use breccia::render::picture::Painter;
use breccia::render::plots::draw_all;
use breccia::render::scene::{ColourScale, Frame, Quantity, Spread};
use breccia::render::viewpoint::{USUAL, Viewpoint, vector};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Draw the bodies of a run, and its series as plots
#[derive(clap::Args)]
pub(super) struct Args {
    /// Run directory
    dir: PathBuf,
    /// A frame's number, `last` or `all`
    #[arg(long, default_value = "last", value_name = "NUMBER", conflicts_with = "all")]
    frame: Wanted,
    /// As `--frame all`: all frames with one camera and one colour scale, and a movie if ffmpeg is installed
    #[arg(long)]
    all: bool,
    /// Quantity that colours the bodies: speed, pressure, coordination, radius, latitude, distance, id, cluster, track, strain,
    /// none [default: speed; none with --chains]
    #[arg(long, visible_alias = "colour")]
    color: Option<String>,
    /// Draw force chains over faded bodies: as wide as force over the mean, red where they push, blue where they pull
    #[arg(long)]
    chains: bool,
    /// Draw walls as translucent plates
    #[arg(long)]
    walls: bool,
    /// Height of the picture (pixels)
    #[arg(long, default_value_t = 1200)]
    size: u32,
    /// Direction from the bodies to the eye; with an asteroid also a close-up of the grains: grains, or grains:X,Y,Z
    #[arg(long, default_value = USUAL, allow_hyphen_values = true, value_name = "X,Y,Z")]
    view: String,
    /// Direction to the sun [default: over the viewer's left shoulder]
    #[arg(long, allow_hyphen_values = true, value_name = "X,Y,Z")]
    light: Option<String>,
    /// body: coordinates of the frames, fixed to an asteroid if there is one; inertial: those of inertial space, where it turns
    #[arg(long, value_enum, default_value = "body")]
    axes: Axes,
    /// Leave out the asteroid of the run
    #[arg(long)]
    no_asteroid: bool,
    /// Background: white or dark
    #[arg(long, default_value = "white")]
    background: String,
    /// Folder of pictures and plots (default: DIR)
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    device: Device,
    /// What was written, as one JSON line
    #[arg(long)]
    json: bool,
}

/// `breccia render`.
pub(super) fn run(args: Args) -> Result<u8> {
    let usual = if args.chains { "none" } else { "speed" };
    let quantity = Quantity::parse(args.color.as_deref().unwrap_or(usual))?;
    let background = match args.background.as_str() {
        "white" => Background::White,
        "dark" => Background::Dark,
        other => return Err(Error::Usage(format!("--background {other}: choose white or dark"))),
    };
    let wanted = if args.all { Wanted::All } else { args.frame };
    let chosen = choose(&args.dir, wanted)?;
    let asteroid = if args.no_asteroid { None } else { asteroid(&args)? };
    let view = viewpoint(&args.view, asteroid.as_ref())?;
    let (field, scale, camera) = survey(&args, &chosen, quantity, view, asteroid.as_ref())?;
    let run = Resolved::read_if_there(&args.dir)?;
    let chains = if args.chains { Some(force_scale(&chosen, run.as_ref())?) } else { None };
    let walls = if args.walls { Resolved::read(&args.dir)?.walls } else { vec![] };
    let style = Style { quantity, scale, field, camera, size: args.size, background, chains, walls, asteroid };
    let out = args.out.as_deref().unwrap_or(&args.dir);
    let pictures = draw(&args, &chosen, &style, run.as_ref(), &out.join("pictures"))?;
    let movie = if wanted == Wanted::All { film(out, &chosen)? } else { None };
    let plots = draw_all(&args.dir, &out.join("plots"))?;
    let shown = |list: &[PathBuf]| list.iter().map(|p| p.display().to_string()).collect::<Vec<_>>();
    if args.json {
        let movie = movie.map(|m| m.display().to_string());
        println!("{}", serde_json::json!({ "pictures": shown(&pictures), "movie": movie, "plots": shown(&plots) }));
    } else {
        let one_by_one = if wanted == Wanted::All { vec![out.join("pictures")] } else { pictures };
        shown(&one_by_one).iter().chain(&shown(movie.as_slice())).chain(&shown(&plots)).for_each(|p| println!("{p}"));
    }
    Ok(0)
}

/// The three numbers of an option.
pub(super) fn numbers(option: &str, text: &str) -> Result<DVec3> {
    let missing = || Error::Usage(format!("{option} {text}: three numbers, as in {option} 1,-2,1"));
    vector(text).ok_or_else(missing)
}

/// What `--view` asks for.
fn viewpoint(text: &str, asteroid: Option<&Asteroid>) -> Result<Viewpoint> {
    let missing = "three numbers, as in --view 1,-2,1; or with an asteroid grains, or grains:X,Y,Z";
    let view = Viewpoint::parse(text).ok_or_else(|| Error::Usage(format!("--view {text}: {missing}")))?;
    if !view.fits(asteroid) {
        return Err(Error::Usage(format!("--view {text}: is a close-up of an asteroid, and the picture has none")));
    }
    Ok(view)
}

/// The asteroid of the run, if it has one.
fn asteroid(args: &Args) -> Result<Option<Asteroid>> {
    let missing = |e| Error::Data(format!("{e}; --no-asteroid draws the bodies alone"));
    Asteroid::of_run(&args.dir, args.axes == Axes::Inertial).map_err(missing)
}

/// The field, the scale and the camera that serve all chosen frames.
fn survey(
    args: &Args,
    chosen: &[(usize, PathBuf)],
    quantity: Quantity,
    view: Viewpoint,
    asteroid: Option<&Asteroid>,
) -> Result<(Field, Option<ColourScale>, Camera)> {
    let mut fields: Option<Field> = None;
    let (mut spreads, mut first) = (vec![], None);
    for (_, path) in chosen {
        let frame = Frame::read(path, quantity, args.axes == Axes::Inertial)?;
        let field = view.field(&frame, asteroid)?;
        fields = Some(fields.map_or(field, |f| f.union(field)));
        spreads.extend(Spread::of(&frame.values));
        first.get_or_insert(frame);
    }
    let (Some(field), Some(frame)) = (fields, first) else { return Err(Error::Data("no frames".into())) };
    let camera = view.camera(&frame, field, asteroid)?;
    let light = args.light.as_ref().map(|l| numbers("--light", l)).transpose()?;
    let camera = light.map_or(Ok(camera), |l| camera.lit_from(l))?;
    Ok((field, ColourScale::over(quantity, &spreads), camera))
}

/// The mean force that serves all chosen frames.
fn force_scale(chosen: &[(usize, PathBuf)], run: Option<&Resolved>) -> Result<Scale> {
    let (mut forces, mut diameters) = (vec![], vec![]);
    for (_, path) in chosen {
        let frame = Recorded::read(path)?;
        frame.need_contacts("--chains")?;
        forces.extend(force_chains(&frame.instant, run)?.iter().map(|l| l.normal_force_n.abs()));
        diameters.extend(frame.instant.bodies.radius_m.iter().map(|r| 2.0 * r));
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    Ok(Scale { mean_n: mean(&forces), diameter_m: mean(&diameters) })
}

/// A frame with its contacts, in the axes asked for.
fn instant(args: &Args, path: &Path) -> Result<Snapshot> {
    let instant = Recorded::read(path)?.instant;
    Ok(if args.axes == Axes::Inertial { instant.in_inertial_space() } else { instant })
}

fn draw(
    args: &Args,
    chosen: &[(usize, PathBuf)],
    style: &Style,
    run: Option<&Resolved>,
    folder: &Path,
) -> Result<Vec<PathBuf>> {
    let gpu = args.device.open()?;
    if !args.json {
        eprintln!("drawing on {}", describe(&gpu.info));
    }
    let mut painter = Painter::new(&gpu, args.device.sources())?;
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let mut files = vec![];
    for (number, path) in chosen {
        let links = if args.chains { force_chains(&instant(args, path)?, run)? } else { vec![] };
        let picture =
            figure(&mut painter, &Frame::read(path, style.quantity, args.axes == Axes::Inertial)?, &links, style)?;
        let file = folder.join(format!("{number:06}.png"));
        picture.save(&file).map_err(|e| Fault::new(e.to_string()).path(&file).data())?;
        files.push(file);
    }
    Ok(files)
}

/// The movie of all pictures, or the reason why there is none.
fn film(out: &Path, chosen: &[(usize, PathBuf)]) -> Result<Option<PathBuf>> {
    let path = out.join("movie.mp4");
    let first = chosen.first().map_or(0, |c| c.0);
    if movie::make(&out.join("pictures"), first, &path)? {
        return Ok(Some(path));
    }
    eprintln!("no movie: ffmpeg is not on the PATH; the pictures are in {}", out.join("pictures").display());
    Ok(None)
}
