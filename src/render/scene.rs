//! What a picture shows: the bodies of a frame in the camera's units, each with a colour.

use super::camera::Field;
use super::colour;
use super::facets::Facets;
use super::scale::{Ticks, prefixed};
use crate::analysis::strain::{TOP_PERCENT, largest_overlap_m, most_strained, need_soft};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::geometry::narrow::Placed;
use crate::geometry::polyhedron::Face;
use crate::gpu::elements::picture::{BodyPlanes, Plane, Sphere};
use crate::model::body::Bodies;
use crate::model::placed::placed;
use crate::model::snapshot::{FrameState, Snapshot};
use crate::model::stored::frames::{read_f64, read_frame, read_pose, read_time};
use crate::record::files::recorded::Recorded;
use glam::DVec3;
use std::path::Path;

/// Quantity that colours the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// one colour for all
    None,
}

impl Quantity {
    /// All of them, with their names on the command line.
    pub const NAMES: [(&'static str, Quantity); 11] = [
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
        ("none", Quantity::None),
    ];

    /// The quantity of that name.
    pub fn parse(name: &str) -> Result<Quantity> {
        let found = Quantity::NAMES.iter().find(|(n, _)| *n == name).map(|(_, q)| *q);
        let known = || Quantity::NAMES.map(|(n, _)| n).join(", ");
        found.ok_or_else(|| Error::Usage(format!("--color {name}: unknown quantity; choose one of: {}", known())))
    }

    /// Name and unit; `None` for those without a scale.
    pub fn title(self) -> Option<(&'static str, &'static str)> {
        match self {
            Quantity::Speed => Some(("speed", "m/s")),
            Quantity::Pressure => Some(("pressure", "Pa")),
            Quantity::Coordination => Some(("contacts", "")),
            Quantity::Radius => Some(("radius", "m")),
            Quantity::Latitude => Some(("latitude [degrees]", "")),
            Quantity::Distance => Some(("distance", "m")),
            Quantity::Id | Quantity::Cluster | Quantity::Track | Quantity::Strain | Quantity::None => None,
        }
    }

    /// Colour of a value that has no scale, of the body with this id.
    fn colour(self, value: f64, id: u32) -> [f64; 3] {
        match self {
            Quantity::Id => colour::label(id),
            Quantity::Cluster | Quantity::Track if value >= 0.0 => colour::label(value as u32),
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
}

impl Frame {
    /// Reads a frame directory; `inertial`: bodies as they are in inertial space.
    pub fn read(frame: &Path, quantity: Quantity, inertial: bool) -> Result<Frame> {
        let (bodies, pose) = (read_frame(frame)?, read_pose(frame)?);
        let (_, time_s) = read_time(frame)?;
        let own = Snapshot { bodies, frame: pose, ..Snapshot::default() };
        let latitude = |p: &DVec3| p.z.atan2(p.truncate().length()).to_degrees();
        let latitudes = || own.bodies.position_m.iter().map(latitude).collect();
        let distances = || own.bodies.position_m.iter().map(|p| p.length()).collect();
        let bodies = if inertial { own.inertial() } else { own.bodies.clone() };
        let column = |name: &str| Ok::<_, Error>(read_f64(&frame.join(format!("{name}.npy")))?.0);
        let values = match quantity {
            Quantity::Speed => bodies.velocity_m_s.iter().map(|v| v.length()).collect(),
            Quantity::Pressure => column("pressure")?,
            Quantity::Coordination => column("coordination")?,
            Quantity::Radius => bodies.radius_m.clone(),
            Quantity::Cluster => labels(frame, "cluster", "")?,
            Quantity::Track => labels(frame, "cluster_track", " --frame all")?,
            Quantity::Strain => strained(frame)?,
            Quantity::Latitude => latitudes(),
            Quantity::Distance => distances(),
            Quantity::Id | Quantity::None => vec![],
        };
        if !matches!(quantity, Quantity::Id | Quantity::None) && values.len() != bodies.len() {
            return Err(Fault::new("has arrays of different lengths").path(frame).data());
        }
        let moved = frame.join("wall_travel.npy").exists();
        let wall_travel_m = if moved { column("wall_travel")? } else { vec![] };
        Ok(Frame { bodies, time_s, values, wall_travel_m, pose })
    }

    /// The field that shows it.
    pub fn field(&self) -> Result<Field> {
        Field::around(&self.bodies.position_m, &self.bodies.radius_m, &self.bodies.mass_kg)
    }
}

/// What `breccia analyze RUN clusters` wrote about a frame.
fn labels(frame: &Path, name: &str, option: &str) -> Result<Vec<f64>> {
    let run = frame.ancestors().nth(2).unwrap_or(frame);
    let path = run.join("analysis").join(frame.file_name().unwrap_or_default()).join(format!("{name}.npy"));
    if path.exists() {
        return Ok(read_f64(&path)?.0);
    }
    Err(Fault::new("is missing")
        .remedy(format!(
            "`breccia analyze {} clusters{option}` writes it, `--frame` with the frame's number or `all`",
            run.display()
        ))
        .path(&path)
        .data())
}

/// 1 for the most strained bodies of a frame, 0 for the others.
fn strained(frame: &Path) -> Result<Vec<f64>> {
    let recorded = Recorded::read(frame)?;
    recorded.need_contacts("--color strain")?;
    need_soft(frame.ancestors().nth(2).unwrap_or(frame))?;
    let s = &recorded.instant;
    let mut values = vec![0.0; s.bodies.len()];
    most_strained(&largest_overlap_m(s), &s.bodies.id, TOP_PERCENT).into_iter().for_each(|k| values[k] = 1.0);
    Ok(values)
}

/// Spread of a quantity over one frame.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    /// smallest value
    pub low: f64,
    /// at least 98 % of the bodies are not above this; of up to fifty, all
    pub most: f64,
    /// largest value
    pub high: f64,
}

impl Spread {
    /// The spread of the finite values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (*sorted.first()?, *sorted.last()?);
        Some(Spread { low, most: sorted[((sorted.len() - 1) * 98).div_ceil(100)], high })
    }
}

/// A few bodies so far above all others take the top colour, or the others would all look alike.
const OUTLIER: f64 = 3.0;

/// Scale of the colours: a range of the quantity in a unit with a fitting prefix.
#[derive(Debug, Clone)]
pub struct ColourScale {
    /// name and unit, as in `speed [mm/s]`
    pub title: String,
    /// from SI to the unit of `title`
    pub factor: f64,
    /// range and ticks in the unit of `title`
    pub ticks: Ticks,
    /// some values lie above the range and have its top colour
    pub clipped: bool,
}

impl ColourScale {
    /// The scale for frames of these spreads, from zero where that costs little; `None` for a quantity without one.
    /// It ends below values that are more than three times what 98 % of the bodies have in every frame.
    pub fn over(quantity: Quantity, spreads: &[Spread]) -> Option<ColourScale> {
        let (name, unit) = quantity.title()?;
        let largest = |value: fn(&Spread) -> f64| spreads.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        let (most, high) = (largest(|s| s.most), largest(|s| s.high));
        let low = spreads.iter().map(|s| s.low).fold(f64::INFINITY, f64::min);
        let (low, most, high) = if low <= high { (low, most, high) } else { (0.0, 0.0, 0.0) };
        let own_low = matches!(quantity, Quantity::Radius | Quantity::Distance | Quantity::Latitude);
        let low = if own_low || low < 0.0 { low } else { 0.0 };
        let spread = matches!(quantity, Quantity::Speed | Quantity::Pressure);
        let top = if spread && most > 0.0 && high > OUTLIER * most { most } else { high };
        Some(ColourScale::between(name, unit, quantity == Quantity::Coordination, [low, top, high]))
    }

    /// A scale with these ends; `clipped`: values above have the top colour.
    pub fn fixed(name: &str, unit: &str, [low, high]: [f64; 2], clipped: bool) -> ColourScale {
        ColourScale { clipped, ..ColourScale::between(name, unit, false, [low, high, high]) }
    }

    fn between(name: &str, unit: &str, whole: bool, [low, top, high]: [f64; 3]) -> ColourScale {
        let (unit, factor) = prefixed(unit, low.abs().max(top.abs()));
        let ticks = if whole { Ticks::whole(low, top) } else { Ticks::over(low * factor, top * factor) };
        let title = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        ColourScale { title, factor, ticks, clipped: high * factor > ticks.high + 1e-9 * ticks.step }
    }

    /// Text at each tick; the last one says so where values lie above it.
    pub fn labels(&self) -> Vec<(f64, String)> {
        let mut labels: Vec<_> = self.ticks.values().into_iter().map(|v| (v, self.ticks.label(v))).collect();
        if let Some((_, text)) = labels.last_mut().filter(|_| self.clipped) {
            text.insert_str(0, "> ");
        }
        labels
    }

    /// Position of a value on the scale: 0 at its low end, 1 at its high end.
    pub fn fraction(&self, value: f64) -> f64 {
        (value * self.factor - self.ticks.low) / (self.ticks.high - self.ticks.low)
    }
}

/// Size of bodies that others are seen through (their radius).
const HAZE: f64 = 0.3;

/// Smallest radius that is drawn (scene radius): a dot of three pixels in a picture of 1,200.
const DOT: f64 = 0.0025;

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
            facets: Facets::default(),
        }
    }

    /// The frame in a field.
    pub fn new(frame: &Frame, field: Field, quantity: Quantity, scale: Option<&ColourScale>) -> Scene {
        let bodies = &frame.bodies;
        let value = |k: usize| frame.values.get(k).copied().unwrap_or(f64::NAN);
        let colour = |k: usize| match scale {
            Some(scale) => colour::viridis(scale.fraction(value(k))),
            None => quantity.colour(value(k), bodies.id[k]),
        };
        let haze = |k: usize| if quantity == Quantity::Strain && value(k) == 0.0 { HAZE } else { 1.0 };
        let mean_m = bodies.radius_m.iter().sum::<f64>() / bodies.len().max(1) as f64;
        let mut scene = Scene::of_spheres(vec![], vec![], mean_m / field.radius_m);
        for k in 0..bodies.len() {
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
        self.spheres.push(Sphere { centre: centre.as_vec3().to_array(), radius: radius.max(DOT) as f32 });
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
        if radius > DOT {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_cut_off_and_the_scale_says_so() {
        let mut speeds: Vec<f64> = (0..1000).map(|k| f64::from(k) * 1e-6).collect();
        speeds[0] = 0.5;
        let scale = |quantity| ColourScale::over(quantity, &[Spread::of(&speeds).unwrap()]).unwrap();
        let speed = scale(Quantity::Speed);
        assert_eq!((speed.title.as_str(), speed.clipped), ("speed [µm/s]", true));
        assert_eq!(speed.labels().last().unwrap().1, "> 1000");
        assert!(speed.fraction(0.5) > 1.0 && (speed.fraction(500e-6) - 0.5).abs() < 1e-12);
        let radius = scale(Quantity::Radius);
        assert!(!radius.clipped && radius.fraction(0.5) <= 1.0, "sizes are never cut off");
    }

    #[test]
    fn few_bodies_have_no_outliers() {
        for n in [1, 2, 49] {
            let mut speeds = vec![0.001; n];
            speeds[0] = 1.0;
            assert!(
                !ColourScale::over(Quantity::Speed, &[Spread::of(&speeds).unwrap()]).unwrap().clipped,
                "{n} bodies"
            );
        }
    }

    #[test]
    fn a_scale_of_nothing_is_still_a_scale() {
        for spreads in [vec![], vec![Spread::of(&[0.0, 0.0]).unwrap()]] {
            let scale = ColourScale::over(Quantity::Speed, &spreads).unwrap();
            assert!(scale.ticks.high > scale.ticks.low && !scale.clipped);
        }
        assert!(Spread::of(&[f64::NAN]).is_none());
    }
}
