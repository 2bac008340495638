//! What a picture shows: the bodies of a frame in the camera's units, each with a colour.

use super::camera::Field;
use super::colour;
use super::colour_scale::ColourScale;
use super::column::Column;
use super::facets::Facets;
use crate::analysis::strain::{TOP_PERCENT, largest_overlap_m, most_strained, need_soft};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::geometry::narrow::Placed;
use crate::geometry::polyhedron::Face;
use crate::gpu::elements::picture::{BodyPlanes, Plane, Sphere};
use crate::model::body::Bodies;
use crate::model::placed::placed;
use crate::model::snapshot::{FrameState, Snapshot};
use crate::model::stored::frame_files::FrameFiles;
use crate::model::stored::frames::{read_f64, read_pose, read_time};
use crate::model::stored::names::ANALYSIS;
use crate::record::files::recorded::Recorded;
use glam::DVec3;
use std::path::Path;

/// Quantity that colours the bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// speed against the frame of reference (m/s)
    Speed,
    /// mean contact pressure in the body (Pa)
    Pressure,
    /// number of contacts
    Coordination,
    /// body radius (m)
    Radius,
    /// above the equator of the frame's own axes (degrees)
    Latitude,
    /// from the origin of the frame, the mass centre of an asteroid (m)
    Distance,
    /// one colour per id, no scale
    Id,
    /// one colour per cluster by its rank, free bodies grey; of `breccia analyze RUN clusters`
    Cluster,
    /// the same by the number that a cluster keeps from frame to frame
    Track,
    /// the most strained bodies among all others as a haze
    Strain,
    /// share of the body's contacts of the first frame that are broken, of `breccia analyze RUN damage`
    Damage,
    /// one colour per material
    Material,
    /// mass of the aggregate that a body belongs to, over that of all bodies
    AggregateMass,
    /// an array of the frame
    Column(Column),
    /// one colour for all
    None,
}

impl Quantity {
    /// All of them but arrays, with their names on the command line.
    pub const NAMES: [(&'static str, Quantity); 14] = [
        ("speed", Quantity::Speed),
        ("pressure", Quantity::Pressure),
        ("coordination", Quantity::Coordination),
        ("radius", Quantity::Radius),
        ("latitude", Quantity::Latitude),
        ("distance", Quantity::Distance),
        ("id", Quantity::Id),
        ("cluster", Quantity::Cluster),
        ("track", Quantity::Track),
        ("strain", Quantity::Strain),
        ("damage", Quantity::Damage),
        ("material", Quantity::Material),
        ("aggregate_mass", Quantity::AggregateMass),
        ("none", Quantity::None),
    ];

    /// The quantity of that name.
    pub fn parse(name: &str) -> Result<Quantity> {
        let found = Quantity::NAMES.into_iter().find(|(n, _)| *n == name).map(|(_, q)| q);
        let known = || Quantity::NAMES.map(|(n, _)| n).join(", ");
        found.or_else(|| Column::parse(name).map(Quantity::Column)).ok_or_else(|| {
            let columns = Column::names().join(", ");
            Error::Usage(format!(
                "--color {name}: unknown quantity; choose one of: {}; or an array: {columns}",
                known()
            ))
        })
    }

    /// Name and unit; `None` for those without a scale.
    pub fn title(&self) -> Option<(String, String)> {
        let (name, unit) = match self {
            Quantity::Speed => ("speed", "m/s"),
            Quantity::Pressure => ("pressure", "Pa"),
            Quantity::Coordination => ("contacts", ""),
            Quantity::Radius => ("radius", "m"),
            Quantity::Latitude => ("latitude [degrees]", ""),
            Quantity::Distance => ("distance", "m"),
            Quantity::AggregateMass => ("aggregate / total mass", ""),
            Quantity::Damage => ("broken / first contacts", ""),
            Quantity::Column(column) => return Some(column.title()),
            Quantity::Id
            | Quantity::Cluster
            | Quantity::Track
            | Quantity::Strain
            | Quantity::Material
            | Quantity::None => {
                return None;
            }
        };
        Some((name.to_owned(), unit.to_owned()))
    }

    /// Colour of a value that has no scale, of the body with this id.
    pub fn colour(&self, value: f64, id: u32) -> [f64; 3] {
        match self {
            Quantity::Id => colour::label(id),
            Quantity::Cluster | Quantity::Track | Quantity::Material if value >= 0.0 => colour::label(value as u32),
            Quantity::Cluster | Quantity::Track => colour::FREE,
            Quantity::Strain if value > 0.0 => colour::STRAINED,
            _ => colour::PLAIN,
        }
    }
}

/// A frame read for drawing.
#[derive(Debug, Clone)]
pub struct Frame {
    /// its bodies
    pub bodies: Bodies,
    /// simulated time (s)
    pub time_s: f64,
    /// the quantity, one value a body, SI; number of the cluster, -1 for free ones; 1 for the most strained, 0 for others;
    /// empty where all are alike or the id decides
    pub values: Vec<f64>,
    /// way of each wall along its normal (m), if some answer to force; else empty
    pub wall_travel_m: Vec<f64>,
    /// of the frame's own axes in inertial space, if they are not inertial
    pub pose: Option<FrameState>,
    /// bodies are as they are in inertial space
    pub inertial: bool,
}

impl Frame {
    /// True if none of the run's bodies were in the region whose bodies the frame holds.
    pub fn is_empty(frame: &Path) -> Result<bool> {
        let files = FrameFiles::open(frame)?;
        Ok(files.holds("body") && files.numbers("body")?.0.is_empty())
    }

    /// Reads a frame directory; `inertial`: bodies as they are in inertial space. An error if it holds no bodies.
    pub fn read(frame: &Path, quantity: &Quantity, inertial: bool) -> Result<Frame> {
        let read = Frame::read_any(frame, quantity, inertial)?;
        if read.bodies.is_empty() {
            let what = "holds no bodies: none were in the region of `output.region`";
            return Err(Fault::new(what).remedy("choose another frame").path(frame).data());
        }
        Ok(read)
    }

    /// The same of a frame that may hold no bodies.
    pub fn read_any(frame: &Path, quantity: &Quantity, inertial: bool) -> Result<Frame> {
        let files = FrameFiles::open(frame)?;
        let needed: &[&str] = if *quantity == Quantity::Speed { &["velocity"] } else { &[] };
        let (bodies, pose) = (files.bodies(needed)?, read_pose(frame)?);
        let (_, time_s) = read_time(frame)?;
        let own = Snapshot { bodies, frame: pose, ..Snapshot::default() };
        let latitude = |p: &DVec3| p.z.atan2(p.truncate().length()).to_degrees();
        let latitudes = || own.bodies.position_m.iter().map(latitude).collect();
        let distances = || own.bodies.position_m.iter().map(|p| p.length()).collect();
        let bodies = if inertial { own.inertial().into_owned() } else { own.bodies.clone() };
        let column = |name: &str| Ok::<_, Error>(files.numbers(name)?.0);
        let values = match quantity {
            Quantity::Speed => bodies.velocity_m_s.iter().map(|v| v.length()).collect(),
            Quantity::Pressure => column("pressure")?,
            Quantity::Coordination => column("coordination")?,
            Quantity::Radius => bodies.radius_m.clone(),
            Quantity::Cluster => analysed(frame, "cluster", "clusters")?,
            Quantity::Track => analysed(frame, "cluster_track", "clusters --frame all")?,
            Quantity::Strain => strained(frame)?,
            Quantity::Damage => analysed(frame, "body_damage", "damage")?,
            Quantity::Material => bodies.material.iter().map(|m| f64::from(*m)).collect(),
            Quantity::AggregateMass => aggregate_masses(frame)?,
            Quantity::Column(of) if inertial && pose.is_some() && of.has_axes() => {
                let what = "--color: vectors of the frames are in their own axes, which turn";
                return Err(Error::Usage(format!("{what}; leave out --axes inertial, or color by speed")));
            }
            Quantity::Column(of) => of.read(frame, &files)?,
            Quantity::Latitude => latitudes(),
            Quantity::Distance => distances(),
            Quantity::Id | Quantity::None => vec![],
        };
        if !matches!(quantity, Quantity::Id | Quantity::None) && values.len() != bodies.len() {
            return Err(Fault::new("has arrays of different lengths").path(frame).data());
        }
        let moved = files.holds("wall_travel");
        let wall_travel_m = if moved { column("wall_travel")? } else { vec![] };
        Ok(Frame { bodies, time_s, values, wall_travel_m, pose, inertial })
    }

    /// The pose by which bodies were turned out of the frame's own axes; none if they are in these.
    pub fn turned_by(&self) -> Option<&FrameState> {
        self.pose.as_ref().filter(|_| self.inertial)
    }

    /// The field that shows it.
    pub fn field(&self) -> Result<Field> {
        Field::around(&self.bodies.position_m, &self.bodies.radius_m, &self.bodies.mass_kg)
    }
}

/// What `breccia analyze` wrote about the bodies of a frame when it measured this part.
fn analysed(frame: &Path, name: &str, part: &str) -> Result<Vec<f64>> {
    let run = frame.ancestors().nth(2).unwrap_or(frame);
    let path = run.join(ANALYSIS).join(frame.file_name().unwrap_or_default()).join(format!("{name}.npy"));
    if path.exists() {
        return Ok(read_f64(&path)?.0);
    }
    Err(Fault::new("is missing")
        .remedy(format!(
            "`breccia analyze {} {part}` writes it, `--frame` with the frame's number or `all`",
            run.display()
        ))
        .path(&path)
        .data())
}

/// Mass of each body's aggregate over that of all bodies; aggregates are those of `breccia analyze RUN aggregates`.
fn aggregate_masses(frame: &Path) -> Result<Vec<f64>> {
    let recorded = Recorded::unmoved(frame)?;
    let mut values = vec![0.0; recorded.instant.bodies.len()];
    for aggregate in recorded.aggregates() {
        aggregate.indices.iter().for_each(|k| values[*k] = aggregate.mass_share);
    }
    Ok(values)
}

/// 1 for the most strained bodies of a frame, 0 for the others.
fn strained(frame: &Path) -> Result<Vec<f64>> {
    let recorded = Recorded::unmoved(frame)?;
    recorded.need_contacts("--color strain")?;
    need_soft(frame.ancestors().nth(2).unwrap_or(frame))?;
    let s = &recorded.instant;
    let mut values = vec![0.0; s.bodies.len()];
    most_strained(&largest_overlap_m(s), &s.bodies.id, TOP_PERCENT).into_iter().for_each(|k| values[k] = 1.0);
    Ok(values)
}

/// Size of bodies that others are seen through (their radius).
pub const HAZE: f64 = 0.3;

/// Reach of what hides the sky on a surface, at least (scene radius).
const RELIEF: f64 = 0.02;

/// Spheres, convex parts of polyhedra and colours for the GPU; lengths in radii of the field, origin in its middle.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// centre and radius of each sphere, or of the sphere that holds a part
    pub spheres: Vec<Sphere>,
    /// planes of each: none of a sphere
    pub faces: Vec<BodyPlanes>,
    /// of the parts' faces; without parts one that nobody reads
    pub planes: Vec<Plane>,
    /// colours, see [`colour::tint`]
    pub tints: Vec<u32>,
    /// mean radius: reach of what hides the sky
    pub grain: f64,
    /// the smallest radius that is drawn
    pub dot: f64,
    /// surface of the asteroid; none without one
    pub facets: Facets,
}

impl Scene {
    /// Spheres alone, centre and radius each.
    pub fn of_spheres(spheres: Vec<[f32; 4]>, tints: Vec<u32>, grain: f64) -> Scene {
        Scene {
            faces: vec![BodyPlanes::default(); spheres.len()],
            spheres: spheres.into_iter().map(Sphere::new).collect(),
            planes: vec![Plane::default()],
            tints,
            grain,
            dot: 0.0,
            facets: Facets::default(),
        }
    }

    /// The bodies of a frame that are `kept` by their positions, in a field; those smaller than `dot` (scene radius) as dots.
    pub fn new(
        frame: &Frame,
        field: Field,
        quantity: &Quantity,
        scale: Option<&ColourScale>,
        kept: &dyn Fn(DVec3) -> bool,
        dot: f64,
    ) -> Scene {
        let bodies = &frame.bodies;
        let value = |k: usize| frame.values.get(k).copied().unwrap_or(f64::NAN);
        let colour = |k: usize| match scale {
            Some(scale) => scale.colour(value(k)),
            None => quantity.colour(value(k), bodies.id[k]),
        };
        let seen_through = matches!(quantity, Quantity::Strain | Quantity::Damage);
        let haze = |k: usize| if seen_through && value(k) == 0.0 { HAZE } else { 1.0 };
        let mean_m = bodies.mean_radius_m();
        let mut scene = Scene { dot, ..Scene::of_spheres(vec![], vec![], mean_m / field.radius_m) };
        for k in (0..bodies.len()).filter(|k| kept(bodies.position_m[*k])) {
            let (p, tint) = (bodies.position_m[k] - field.centre_m, colour::tint(colour(k)));
            match &bodies.polyhedra {
                Some(all) => placed(all, k, p).iter().for_each(|part| scene.add_part(part, field.radius_m, tint)),
                None => scene.add_sphere(p / field.radius_m, haze(k) * bodies.radius_m[k] / field.radius_m, tint),
            }
        }
        scene
    }

    /// A surface alone.
    pub fn of_facets(facets: Facets) -> Scene {
        Scene::of_spheres(vec![], vec![], RELIEF).with_facets(facets)
    }

    /// Adds a surface, whose dents darken over a few hundredths of the field.
    pub fn with_facets(self, facets: Facets) -> Scene {
        Scene { facets, grain: self.grain.max(RELIEF), ..self }
    }

    /// Planes of a body.
    pub fn planes_of(&self, body: usize) -> &[Plane] {
        let BodyPlanes { first, count } = self.faces[body];
        &self.planes[first as usize..(first + count) as usize]
    }

    /// A sphere; one that is too small to see is a dot.
    pub fn add_sphere(&mut self, centre: DVec3, radius: f64, tint: u32) {
        self.spheres.push(Sphere { centre: centre.as_vec3().to_array(), radius: radius.max(self.dot) as f32 });
        self.faces.push(BodyPlanes { first: self.planes.len() as u32, count: 0 });
        self.tints.push(tint);
    }

    /// A convex part, lengths in units of `unit_m` (m); one that is too small to see is a dot.
    pub fn add_part(&mut self, part: &Placed, unit_m: f64, tint: u32) {
        let corners = &part.vertices_m;
        let (low, high) = corners.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), c| (l.min(*c), h.max(*c)));
        let centre = 0.5 * (low + high);
        let radius = corners.iter().map(|c| c.distance(centre)).fold(0.0, f64::max) / unit_m;
        self.add_sphere(centre / unit_m, radius, tint);
        if radius > self.dot {
            let first = self.planes.len() as u32;
            let distance = |n: &DVec3, f: &Face| n.dot(corners[f.vertices[0] as usize] - centre) / unit_m;
            let plane =
                |(n, f): (&DVec3, &Face)| Plane { normal: n.as_vec3().to_array(), distance: distance(n, f) as f32 };
            self.planes.extend(part.normals.iter().zip(&part.body.faces).map(plane));
            self.faces.pop();
            self.faces.push(BodyPlanes { first, count: self.planes.len() as u32 - first });
        }
    }
}
