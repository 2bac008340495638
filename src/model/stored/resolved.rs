//! `resolved.json`: what a run used. Read back as far as pictures and analysis need it.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::json;
use crate::model::body::Bodies;
use crate::model::material::of_pair;
use crate::model::scenario::Block;
use crate::model::snapshot::WallContact;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Name of the file in a run directory.
pub const FILE: &str = "resolved.json";

/// Materials and walls of a run.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Resolved {
    /// how contacts were computed
    #[serde(default)]
    pub method: Method,
    /// in the order of the bodies' `material`
    pub materials: Vec<Surface>,
    /// in the order of the frames' `wall_pair`
    pub walls: Vec<Plane>,
    /// its fields
    #[serde(default)]
    pub gravity: Vec<Field>,
    /// the asteroid, a wall behind all others
    #[serde(default)]
    pub asteroid: Option<Asteroid>,
    /// what must come out
    #[serde(default)]
    pub expect: Vec<Promise>,
    #[serde(skip)]
    path: PathBuf,
}

/// A number that must come out of a run.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Promise {
    /// its name
    pub quantity: String,
    /// in the quantity's unit
    pub value: f64,
    /// of the value, or a share of it
    pub tolerance: f64,
    /// the tolerance has the unit of the value
    pub absolute: bool,
    /// why it must come out
    pub source: String,
}

/// How contacts were computed.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Method {
    /// `soft_sphere` or `contact_dynamics`; empty if the file does not say
    pub method: String,
    /// cohesion of contact dynamics acts from this instant on (s)
    #[serde(default)]
    pub cohesion_from_s: f64,
}

/// A source of gravity.
#[derive(Debug, Clone, Deserialize)]
pub struct Field {
    /// its `kind` in the scenario, but `self_gravity` for `self`
    pub kind: String,
    /// of a uniform sphere (kg/m3)
    #[serde(default)]
    pub density_kg_m3: Option<f64>,
    /// of a frame that turns (rad/s)
    #[serde(default)]
    pub rotation_rad_s: Option<DVec3>,
}

/// What contacts need of a material.
#[derive(Debug, Clone, Deserialize)]
pub struct Surface {
    /// name
    pub name: String,
    /// mu_S
    #[serde(default)]
    pub friction_sliding: f64,
    /// c (Pa)
    #[serde(default)]
    pub cohesion_pa: f64,
    /// of contact dynamics (N)
    #[serde(default)]
    pub cohesion_force_n: f64,
    /// largest gap at which that force acts (m)
    #[serde(default)]
    pub cohesion_range_m: f64,
    /// beta
    #[serde(default)]
    pub shape_parameter: f64,
}

/// What contacts need of an asteroid.
#[derive(Debug, Clone, Deserialize)]
pub struct Asteroid {
    /// index of its material
    pub material: u32,
}

/// An infinite wall, or a block.
#[derive(Debug, Clone, Deserialize)]
pub struct Plane {
    /// name
    pub name: String,
    /// index of its material
    pub material: u32,
    /// a point of it at time 0, or the middle of a block (m)
    pub point_m: DVec3,
    /// unit normal, towards the bodies; of a block its own z axis
    pub normal: DVec3,
    /// (m/s)
    pub velocity_m_s: DVec3,
    /// the block, if it is not a plane
    #[serde(default)]
    pub block: Option<Block>,
    /// instant from which on it is gone (s)
    #[serde(default)]
    pub removed_at_s: Option<f64>,
}

impl Plane {
    /// A point of it at time `t_s` (m); `travel_m`: its way along the normal until then, of walls that answer to force.
    pub fn point_at_m(&self, t_s: f64, travel_m: Option<f64>) -> DVec3 {
        travel_m.map_or(self.velocity_m_s * t_s, |travel_m| travel_m * self.normal) + self.point_m
    }
}

impl Resolved {
    /// Reads it from a run directory.
    pub fn read(run: &Path) -> Result<Resolved> {
        json::read(&run.join(FILE)).map(|read| Resolved::of(run, read))
    }

    /// As above, or `None` if the file is missing, as in a directory of frames put together by hand.
    pub fn read_if_there(run: &Path) -> Result<Option<Resolved>> {
        Ok(json::read_if_there(&run.join(FILE))?.map(|read| Resolved::of(run, read)))
    }

    fn of(run: &Path, read: Resolved) -> Resolved {
        Resolved { path: run.join(FILE), ..read }
    }

    /// Names of the materials, by their index.
    pub fn material_names(&self) -> Vec<String> {
        self.materials.iter().map(|m| m.name.clone()).collect()
    }

    /// A wall by its number.
    pub fn wall(&self, number: u32) -> Result<&Plane> {
        self.walls.get(number as usize).ok_or_else(|| self.missing("wall", number))
    }

    /// Unit normal, towards the body, and material of what a body touches: a wall, or the asteroid behind all walls.
    pub fn touched(&self, c: &WallContact, bodies: &Bodies) -> Result<(DVec3, u32)> {
        let away = |at_m: DVec3| (bodies.position_m[c.body as usize] - at_m).normalize_or_zero();
        let on_asteroid = self.asteroid.as_ref().filter(|_| c.wall as usize == self.walls.len());
        if let Some((asteroid, at_m)) = on_asteroid.zip(c.at_m) {
            return Ok((away(at_m), asteroid.material));
        }
        let wall = self.wall(c.wall)?;
        let of_block = c.at_m.filter(|_| wall.block.is_some()).map(away);
        Ok((of_block.unwrap_or(wall.normal), wall.material))
    }

    /// A material by its number.
    pub fn material(&self, number: u32) -> Result<&Surface> {
        self.materials.get(number as usize).ok_or_else(|| self.missing("material", number))
    }

    /// What a contact between two materials has.
    pub fn pair(&self, a: &Surface, b: &Surface) -> Surface {
        let mean = |of: fn(&Surface) -> f64| of_pair(of(a), of(b));
        Surface {
            name: format!("{} on {}", a.name, b.name),
            friction_sliding: mean(|s| s.friction_sliding),
            cohesion_pa: mean(|s| s.cohesion_pa),
            cohesion_force_n: mean(|s| s.cohesion_force_n),
            cohesion_range_m: mean(|s| s.cohesion_range_m),
            shape_parameter: mean(|s| s.shape_parameter),
        }
    }

    fn missing(&self, what: &str, number: u32) -> Error {
        Fault::new(format!("has no {what} {number}, which the frame names")).path(&self.path).data()
    }
}
