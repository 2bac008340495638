//! Bodies at random above a place of the asteroid's surface, from where they fall to make a pile (Song et al. 2024, section
//! 3.2.1).

use super::apart::Apart;
use super::common::COUNT;
use super::sizes::{RADIUS, RANGE, range, sizes};
use super::take::{TRIES, at_rest};
use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::geometry::generate::direction;
use crate::geometry::ray::first_facet;
use crate::model::scenario::{Generator, ListItem, Scenario, Site};
use crate::physics::surface::ground::Ground;
use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::TAU;

/// Keys of a group above a site.
pub(super) const KEYS: &[Key] = &[
    COUNT,
    RADIUS,
    Key::within("latitude_deg", D::Pure, -90.0, 90.0)
        .without("see direction")
        .says("latitude of the place about z, in degrees")
        .eg("30"),
    Key::within("longitude_deg", D::Pure, -360.0, 360.0)
        .without("see direction")
        .says("longitude of the place about z, in degrees")
        .eg("120"),
    Key::vector("direction", D::Pure)
        .without("latitude and longitude")
        .says("direction from the mass centre towards the place")
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

/// A group above a site.
pub(super) fn read(t: &Table) -> Site {
    Site {
        direction: towards(t),
        count: t.count("count") as usize,
        radius: sizes(t),
        footprint_radius_m: t.value("footprint_radius_m"),
        height: range(t, "height_m"),
        speed_max_m_s: t.value("speed_max_m_s"),
    }
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

/// The fault of a site without an asteroid.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    let sites = scenario.bodies.iter().any(|g| matches!(g.generator, Generator::Site(_)));
    if sites && scenario.asteroid.is_none() {
        root.fault(
            "bodies",
            "generator = \"site\" places bodies above an asteroid, and there is none",
            "add an [asteroid] section, or choose another generator",
        );
    }
}

/// Puts the bodies down: a ray from outside finds the surface below each, so that hollows and boulders count.
pub(super) fn place(site: &Site, scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg) -> Result<Vec<ListItem>> {
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
    while apart.places().len() < radii.len() {
        let (done, radius) = (apart.places().len(), radii[apart.places().len()]);
        if tries == 0 {
            return Err(fault("count", no_room(site, done)));
        }
        tries -= 1;
        let (above, height) = (beside(site, rng), rng.random_range(0.0..1.0));
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
    let moving = |(place, radius)| ListItem { velocity_m_s: velocity(site, rng), ..at_rest(place, radius) };
    Ok(apart.into_places().into_iter().zip(radii).map(moving).collect())
}

/// A point of the disc, evenly over its area (m).
fn beside(site: &Site, rng: &mut Pcg64Mcg) -> DVec3 {
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
