//! Bodies at random above a position of the asteroid's surface, from where they fall to make a pile (Song et al. 2024, section
//! 3.2.1).

use super::entry::{Entry, Group};
use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::geometry::generate::direction;
use crate::geometry::ray::first_facet;
use crate::model::generator::{Generate, Generator, Take};
use crate::model::scenario::{ListItem, RadiusRange, Scenario, Sizes};
use crate::physics::surface::ground::Ground;
use crate::scenario::apart::Apart;
use crate::scenario::common::COUNT;
use crate::scenario::sizes::{RADIUS, RANGE, range, sizes};
use crate::scenario::take::{TRIES, at_rest};
use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::f64::consts::TAU;

pub(super) const ENTRY: Entry =
    Entry::new("site", "at random above a position on the surface of the asteroid", KEYS, read);

const KEYS: &[Key] = &[
    COUNT,
    RADIUS,
    Key::within("latitude_deg", D::Pure, -90.0, 90.0)
        .without("see direction")
        .says("latitude about z, in degrees")
        .eg("30"),
    Key::within("longitude_deg", D::Pure, -360.0, 360.0)
        .without("see direction")
        .says("longitude about z, in degrees")
        .eg("120"),
    Key::vector("direction", D::Pure)
        .without("latitude and longitude")
        .says("direction from the mass centre")
        .eg("[0, 0, 1]"),
    Key::positive("footprint_radius_m", D::Length)
        .required()
        .says("radius of the disc, across the direction, over which the bodies are placed")
        .eg("\"10 m\""),
    Key::either("height_m", RANGE)
        .required()
        .says("height of the lowest points above the surface, along the direction; one or a range")
        .eg("{ min_m = 1.0, max_m = 5.0 }"),
    Key::not_negative("speed_max_m_s", D::Speed)
        .or(0.0)
        .says("speeds are drawn evenly from 0 to this one, in any direction")
        .eg("\"1 cm/s\""),
];

/// Above a disc across the ray from the mass centre through a point of the surface.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "site")]
struct Site {
    /// from the mass centre to the point, in the axes of the surface, of length 1
    direction: DVec3,
    /// number of bodies
    count: usize,
    /// sizes
    radius: Sizes,
    /// centres lie within it of the ray (m)
    footprint_radius_m: f64,
    /// lowest points lie so high over the surface, along the ray (m)
    height: RadiusRange,
    /// speeds are drawn evenly from 0 to it, in any direction (m/s)
    speed_max_m_s: f64,
}

fn read(t: &Table, _: &Group) -> Generator {
    Generator::new(Site {
        direction: towards(t),
        count: t.count("count") as usize,
        radius: sizes(t),
        footprint_radius_m: t.value("footprint_radius_m"),
        height: range(t, "height_m"),
        speed_max_m_s: t.value("speed_max_m_s"),
    })
}

/// `direction`, or `latitude_deg` and `longitude_deg` about z.
fn towards(t: &Table) -> DVec3 {
    let angles = t.has("latitude_deg") || t.has("longitude_deg");
    if t.has("direction") {
        if angles {
            t.fault("direction", "conflicts with latitude_deg and longitude_deg", "remove one or the other");
        }
        return t.direction("direction").unwrap_or(DVec3::X);
    }
    if !angles {
        let remedy = "give latitude_deg and longitude_deg, or direction = [x, y, z]";
        t.fault("latitude_deg", "is missing", remedy);
        return DVec3::X;
    }
    let angle = |key: &str| t.value(key).to_radians();
    let (latitude, longitude) = (angle("latitude_deg"), angle("longitude_deg"));
    DVec3::new(latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin())
}

impl Generate for Site {
    fn count(&self) -> usize {
        self.count
    }

    fn places_at_random(&self) -> bool {
        true
    }

    fn needs_asteroid(&self) -> bool {
        true
    }

    fn place(&self, scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        place(self, scenario, group, rng)?.into_iter().for_each(|body| to.take(body));
        Ok(())
    }
}

/// Puts the bodies down: a ray from outside finds the surface below each, so that hollows and boulders count.
fn place(site: &Site, scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg) -> Result<Vec<ListItem>> {
    let fault = |key: &str, [what, remedy]: [String; 2]| {
        Error::from(scenario.fault(&format!("bodies.{group}.{key}"), what, remedy))
    };
    let Some(ground) = Ground::of(scenario)? else {
        let what = "\"site\" places bodies above an asteroid, and there is none";
        return Err(fault("generator", [what.into(), "add an [asteroid] section".into()]));
    };
    let radii: Vec<f64> = site.radius.all(site.count, rng);
    let mut apart = Apart::new(&radii);
    let mut tries = TRIES * radii.len();
    while apart.positions().len() < radii.len() {
        let (done, radius) = (apart.positions().len(), radii[apart.positions().len()]);
        if tries == 0 {
            return Err(fault("count", no_room(site, done)));
        }
        tries -= 1;
        let (above, height) = (in_disc(site, rng), rng.random_range(0.0..1.0));
        let start = above + 2.0 * ground.reach_m * site.direction;
        let Some(far) = first_facet(&ground.tree, start, -site.direction) else {
            return Err(fault("footprint_radius_m", beyond(site)));
        };
        let height = site.height.min_m + height * (site.height.max_m - site.height.min_m);
        let centre = start + site.direction * (height + radius - far);
        // A sphere can touch a slope though nothing is below it.
        if ground.met(centre, radius).is_empty() {
            apart.add(centre);
        }
    }
    let moving = |(position, radius)| ListItem { velocity_m_s: velocity(site, rng), ..at_rest(position, radius) };
    Ok(apart.into_positions().into_iter().zip(radii).map(moving).collect())
}

/// A point of the disc, evenly over its area (m).
fn in_disc(site: &Site, rng: &mut Pcg64Mcg) -> DVec3 {
    let (along, across) = site.direction.any_orthonormal_pair();
    let (distance, angle): (f64, f64) = (rng.random_range(0.0..1.0f64).sqrt(), rng.random_range(0.0..TAU));
    site.footprint_radius_m * distance * (angle.cos() * along + angle.sin() * across)
}

fn velocity(site: &Site, rng: &mut Pcg64Mcg) -> DVec3 {
    let speed = site.speed_max_m_s * rng.random_range(0.0..1.0);
    speed * direction(rng)
}

fn no_room(site: &Site, done: usize) -> [String; 2] {
    let what = format!(
        "only {done} of {} bodies found room over a footprint of {} m radius at heights of {} to {} m",
        site.count, site.footprint_radius_m, site.height.min_m, site.height.max_m
    );
    [what, "lower the count, or raise footprint_radius_m or height_m.max_m".into()]
}

fn beyond(site: &Site) -> [String; 2] {
    let what = format!("{} m reach beyond the asteroid, where there is no surface below", site.footprint_radius_m);
    [what, "lower it".into()]
}
