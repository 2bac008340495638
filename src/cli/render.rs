//! `breccia render`: pictures, movie and plots of a run.

use super::common::{Axes, Device};
use breccia::analysis::force_chains::{chains, force_chains, mean_force_n};
use breccia::base::error::{Error, Result};
use breccia::gpu::device::describe;
use breccia::model::stored::names::{MOVIES, PICTURES, PLOTS};
use breccia::model::stored::resolved::Resolved;
use breccia::record::files::recorded::{Recorded, Wanted, choose};
use breccia::record::files::series;
use breccia::render::asteroid::Asteroid;
use breccia::render::camera::{Camera, Field};
use breccia::render::chains::Scale;
use breccia::render::colour::ColourMap;
use breccia::render::colour_scale::{Choice, ColourScale, Spread};
use breccia::render::figure::{Background, Style, figure};
use breccia::render::graticule::Step;
use breccia::render::left_out::LeftOut;
use breccia::render::lettering::Format;
use breccia::render::movie;
use breccia::render::picture::Painter;
use breccia::render::plots::draw_all;
use breccia::render::scene::{Frame, Quantity};
use breccia::render::viewpoint::{Centre, Cut, USUAL, Viewpoint, vector};
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
    /// As `--frame all`: all frames with one camera and one colour scale, and a movie: MP4 if ffmpeg is installed, else GIF
    #[arg(long)]
    all: bool,
    /// Quantity that colours the bodies: speed, pressure, coordination, radius, latitude, distance, aggregate_mass, material,
    /// id, cluster, track, strain, damage, none; or an array of the frames, such as mass, spin or velocity.z [default: speed; none
    /// with --chains]
    #[arg(long, visible_alias = "colour")]
    color: Option<String>,
    /// Ends of the colour scale (SI), as in 0:0.05 [default: from 0 or the least value to the largest; of speed and pressure to
    /// what 98 % of the bodies do not exceed]
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    range: Option<String>,
    /// A logarithmic colour scale
    #[arg(long)]
    log: bool,
    /// Colours of the scale: viridis, cividis, batlow, grey; vik for values about zero
    #[arg(long, default_value = "viridis", visible_alias = "colourmap", value_name = "MAP")]
    colormap: String,
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
    /// Parallel rays: sizes are the same at all depths, and the bar of length is true everywhere
    #[arg(long)]
    orthographic: bool,
    /// Point in the middle of the picture (m)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    centre: Option<String>,
    /// Keep this in the middle of all pictures: the id of a body, or heaviest for the heaviest aggregate of each frame
    #[arg(long, value_name = "ID", conflicts_with = "centre")]
    follow: Option<String>,
    /// Magnify by this factor
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    zoom: f64,
    /// Leave out bodies on this side of a plane through the middle of the picture, or OFFSET metres from it; the surface of an
    /// asteroid stays
    #[arg(long, value_name = "X,Y,Z[:OFFSET]", allow_hyphen_values = true)]
    clip: Option<String>,
    /// Direction to the sun [default: over the viewer's left shoulder]
    #[arg(long, allow_hyphen_values = true, value_name = "X,Y,Z")]
    light: Option<String>,
    /// body: coordinates of the frames, fixed to an asteroid if there is one; inertial: those of inertial space, where it turns
    #[arg(long, value_enum, default_value = "body")]
    axes: Axes,
    /// Leave out the asteroid of the run
    #[arg(long)]
    no_asteroid: bool,
    /// Circles of latitude and longitude on the asteroid, every so many degrees
    #[arg(long, value_name = "DEG", default_value_t = 0, conflicts_with = "no_asteroid")]
    graticule: u32,
    /// Background: white, dark or transparent
    #[arg(long, default_value = "white")]
    background: String,
    /// Words above the picture
    #[arg(long)]
    title: Option<String>,
    /// Kind of the pictures: png; or svg or pdf, with words, scales and legends as vectors over the picture of the bodies
    #[arg(long, value_enum, default_value = "png")]
    format: Format,
    /// Width and height of the plots (pixels), as in 600x400
    #[arg(long, value_name = "WxH", default_value = "900x520")]
    plot_size: String,
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
    let background = Background::parse(&args.background)
        .ok_or_else(|| Error::Usage(format!("--background {}: choose white, dark or transparent", args.background)))?;
    let cut = args.clip.as_deref().map(cut).transpose()?;
    let plots = plot_size(&args.plot_size)?;
    let centre = centre(&args)?;
    let wanted = if args.all { Wanted::All } else { args.frame };
    if wanted == Wanted::All && background == Background::Transparent {
        return Err(Error::Usage(
            "--background transparent: movies have no transparent ground; choose white or dark".into(),
        ));
    }
    let chosen = with_bodies(choose(&args.dir, wanted)?, wanted)?;
    let asteroid = if args.no_asteroid { None } else { asteroid(&args)? };
    let view = viewpoint(&args.view, asteroid.as_ref())?;
    let (field, scale, camera) = survey(&args, &chosen, &quantity, view, asteroid.as_ref())?;
    let run = Resolved::read_if_there(&args.dir)?;
    let chains = if args.chains { Some(force_scale(&chosen, run.as_ref())?) } else { None };
    let walls = if args.walls { Resolved::read(&args.dir)?.walls } else { vec![] };
    let materials = run.iter().flat_map(|r| r.materials.iter().map(|m| m.name.clone())).collect();
    let title = args.title.clone();
    let plain = Style::plain(quantity, scale, field, camera, args.size);
    let style = Style { background, chains, walls, asteroid, cut, materials, title, ..plain };
    let out = args.out.as_deref().unwrap_or(&args.dir);
    let pictures = draw(&args, &chosen, &style, centre, run.as_ref(), &out.join(PICTURES))?;
    let movie = if wanted == Wanted::All { film(out, &chosen, &pictures, args.format)? } else { None };
    let plots = if args.dir.join(series::FILE).exists() {
        draw_all(&args.dir, &out.join(PLOTS), plots)?
    } else {
        eprintln!("no plots: {} has no {}", args.dir.display(), series::FILE);
        vec![]
    };
    let shown = |list: &[PathBuf]| list.iter().map(|p| p.display().to_string()).collect::<Vec<_>>();
    if args.json {
        let movie = movie.map(|m| m.display().to_string());
        println!("{}", serde_json::json!({ "pictures": shown(&pictures), "movie": movie, "plots": shown(&plots) }));
    } else {
        let one_by_one = if wanted == Wanted::All { vec![out.join(PICTURES)] } else { pictures };
        shown(&one_by_one).iter().chain(&shown(movie.as_slice())).chain(&shown(&plots)).for_each(|p| println!("{p}"));
    }
    Ok(0)
}

/// How far a point of a picture may be from the origin (m).
const FARTHEST_M: f64 = 1e15;

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
    let graticule = Step::parse("--graticule", args.graticule)?;
    match Asteroid::of_run(&args.dir, args.axes == Axes::Inertial).map_err(missing)? {
        None if graticule.is_some() => Err(Error::Usage("--graticule: the run has no asteroid to draw it on".into())),
        found => Ok(found.map(|asteroid| Asteroid { graticule, ..asteroid })),
    }
}

/// Largest `--zoom`: positions in a picture are single precision.
const ZOOM_MAX: f64 = 1e4;

/// What `--clip` asks for.
fn cut(text: &str) -> Result<Cut> {
    let missing =
        "three numbers, and a length if the plane is not in the middle, as in --clip 0,-1,0 or --clip 0,-1,0:5";
    Cut::parse(text).ok_or_else(|| Error::Usage(format!("--clip {text}: {missing}")))
}

/// What `--centre` or `--follow` ask for.
fn centre(args: &Args) -> Result<Centre> {
    match (&args.centre, args.follow.as_deref()) {
        (Some(at), _) => Ok(Centre::Point(point(at)?)),
        (None, Some("heaviest")) => Ok(Centre::Heaviest),
        (None, Some(id)) => id
            .parse()
            .map(Centre::Body)
            .map_err(|_| Error::Usage(format!("--follow {id}: the id of a body, or heaviest"))),
        (None, None) => Ok(Centre::Field),
    }
}

/// The point of `--centre`.
fn point(at: &str) -> Result<DVec3> {
    let point = numbers("--centre", at)?;
    // a comparison that also refuses what is not a number
    if !point.to_array().iter().all(|c| c.abs() <= FARTHEST_M) {
        return Err(Error::Usage(format!("--centre {at}: three numbers from -{FARTHEST_M:e} to {FARTHEST_M:e} m")));
    }
    Ok(point)
}

/// What `--plot-size` asks for.
fn plot_size(text: &str) -> Result<(i32, i32)> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    sides.filter(|(w, h)| (400..=4000).contains(w) && (200..=4000).contains(h)).ok_or_else(|| {
        Error::Usage(format!(
            "--plot-size {text}: width and height in pixels, from 400x200 to 4000x4000, as in 900x520"
        ))
    })
}

/// The two ends of `--range`.
pub(super) fn range(text: &str) -> Result<[f64; 2]> {
    let ends = text.split_once(':').and_then(|(low, high)| Some([low.trim().parse().ok()?, high.trim().parse().ok()?]));
    ends.filter(|[low, high]: &[f64; 2]| low < high && low.is_finite() && high.is_finite()).ok_or_else(|| {
        Error::Usage(format!("--range {text}: two numbers, the smaller one first, as in --range 0:0.05"))
    })
}

/// Those of all frames that hold bodies; one that was asked for may be refused later.
fn with_bodies(chosen: Vec<(usize, PathBuf)>, wanted: Wanted) -> Result<Vec<(usize, PathBuf)>> {
    if wanted != Wanted::All {
        return Ok(chosen);
    }
    let empty = chosen.iter().map(|(_, path)| Frame::is_empty(path)).collect::<Result<Vec<_>>>()?;
    let count = empty.iter().filter(|empty| **empty).count();
    if count == 0 || count == chosen.len() {
        return Ok(chosen);
    }
    eprintln!(
        "left out {count} of {} frames: none of their bodies were in the region of `output.region`",
        chosen.len()
    );
    Ok(chosen.into_iter().zip(empty).filter(|(_, empty)| !empty).map(|(frame, _)| frame).collect())
}

/// Says how many bodies lie outside of pictures that are not close-ups, and how to see them.
fn tell(args: &Args, left: LeftOut) {
    let LeftOut { bodies, behind, cut, of, factor } = left;
    if cut == of && of > 0 {
        eprintln!("--clip takes all {of} bodies away; give another plane, or its negative");
    }
    if bodies == 0 || args.zoom > 1.0 || args.view.starts_with("grains") {
        return;
    }
    // rounded down to three digits
    let zoom = args.zoom * factor;
    let size = 10f64.powf(2.0 - zoom.log10().floor());
    let zoom = (zoom * size).floor() / size;
    let mut ways = vec![];
    if bodies > behind {
        ways.push(format!("--zoom {zoom} shows them"));
    }
    if behind > 0 {
        let dir = args.dir.display();
        ways.push(format!(
            "{behind} of them are behind the eye: `breccia view {dir}` shows them by its button \"all\""
        ));
    }
    let picture = if args.all || args.frame == Wanted::All { "up to " } else { "" };
    eprintln!("{picture}{bodies} of {of} bodies lie outside of the picture: {}", ways.join("; "));
}

/// The field, the scale and the camera that serve all chosen frames.
fn survey(
    args: &Args,
    chosen: &[(usize, PathBuf)],
    quantity: &Quantity,
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
    let camera = if args.orthographic { camera.orthographic() } else { camera };
    if !(args.zoom > 0.0 && args.zoom <= ZOOM_MAX) {
        return Err(Error::Usage(format!("--zoom {}: a factor above 0, up to {ZOOM_MAX}", args.zoom)));
    }
    let range = args.range.as_deref().map(range).transpose()?;
    let choice = Choice { range, logarithmic: args.log, map: ColourMap::parse(&args.colormap)? };
    Ok((field, ColourScale::chosen(quantity, &spreads, choice)?, camera.zoomed(args.zoom)))
}

/// The mean force that serves all chosen frames.
fn force_scale(chosen: &[(usize, PathBuf)], run: Option<&Resolved>) -> Result<Scale> {
    let (mut forces, mut diameters) = (vec![], vec![]);
    for (_, path) in chosen {
        let frame = Recorded::unmoved(path)?;
        frame.need_contacts("--chains")?;
        forces.extend(chains(&force_chains(&frame.instant, run, false)?));
        diameters.extend(frame.instant.bodies.radius_m.iter().map(|r| 2.0 * r));
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    Ok(Scale { mean_n: mean_force_n(&forces), diameter_m: mean(&diameters) })
}

fn draw(
    args: &Args,
    chosen: &[(usize, PathBuf)],
    style: &Style,
    centre: Centre,
    run: Option<&Resolved>,
    folder: &Path,
) -> Result<Vec<PathBuf>> {
    let gpu = args.device.open()?;
    if !args.json {
        eprintln!("drawing on {}", describe(&gpu.info));
    }
    let mut painter = Painter::new(&gpu, args.device.sources())?;
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let (mut files, mut left) = (vec![], None);
    for (number, path) in chosen {
        let inertial = args.axes == Axes::Inertial;
        let contacts = || force_chains(&Recorded::unmoved(path)?.instant, run, inertial);
        let forces = if args.chains { chains(&contacts()?) } else { vec![] };
        let frame = Frame::read(path, &style.quantity, inertial)?;
        let field = Field { centre_m: centre.of(&frame, path, style.field)?, ..style.field };
        let file = folder.join(format!("{number:06}.{}", args.format.ending()));
        let style = Style { field, ..style.clone() };
        let of = LeftOut::of(&frame, &style);
        left = Some(left.map_or(of, |left: LeftOut| left.or(of)));
        figure(&mut painter, &frame, &forces, &style)?.save(&file)?;
        files.push(file);
    }
    left.into_iter().for_each(|left| tell(args, left));
    Ok(files)
}

/// The movie of all pictures, by ffmpeg or as an animated GIF; none of vectors.
fn film(out: &Path, chosen: &[(usize, PathBuf)], pictures: &[PathBuf], format: Format) -> Result<Option<PathBuf>> {
    if format != Format::Png {
        eprintln!("no movie: it is made of pictures with --format png");
        return Ok(None);
    }
    let path = out.join(MOVIES[0]);
    let first = chosen.first().map_or(0, |c| c.0);
    // ffmpeg ends at a frame that is lost
    let whole = chosen.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
    if whole && movie::make(&out.join(PICTURES), first, pictures.len(), &path)? {
        return Ok(Some(path));
    }
    let path = out.join(MOVIES[1]);
    movie::animate(pictures, &path)?;
    Ok(Some(path))
}
