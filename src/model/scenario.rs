//! The checked scenario: what a run needs to know, in SI, every default resolved.

pub use super::asteroid::{AsteroidSpec, Motion, SurfaceKind, SurfaceLaw};
pub use super::collision::{CollisionSpec, Impact, ImpactSpeed};
pub use super::generator::Generator;
pub use super::gravity::{FaceSum, GravitySource, SelfGravityMethod};
pub use super::material::Material;
pub use super::method::{ContactDynamics, ContactSolver, LawFile, LawName, Method, OnBudget};
pub use super::output::{Compression, Constants, FrameEvent, FrameForm, FrameTimes, OutputSpec, Precision, Stride};
pub use super::placing::{About, Placing, SpinBreakUp};
pub use super::shape::{PartSpec, ShapeKind, ShapeSpec, Solid};
pub use super::sizes::{RadiusRange, Share, Sizes};
pub use super::wall::{Block, Servo, Wall};
use crate::base::fault::Fault;
use crate::base::reader::line_of;
use crate::base::steps::steps_until;
use glam::{DQuat, DVec3};
use serde::Serialize;
use std::path::PathBuf;

/// A whole study, checked and complete.
#[derive(Debug, Clone, Serialize)]
pub struct Scenario {
    /// short name; names the default run directory
    pub name: String,
    /// one line for people
    pub title: String,
    /// seed of every random choice
    pub seed: u64,
    /// duration and time step
    pub run: RunSpec,
    /// how contacts are computed
    pub method: Method,
    /// contact materials; bodies and walls refer to them by index
    pub materials: Vec<Material>,
    /// groups of bodies, made by generators in this order
    pub bodies: Vec<BodyGroup>,
    /// how two groups meet, if they are to collide
    pub collision: Option<CollisionSpec>,
    /// gravity sources, summed
    pub gravity: Vec<GravitySource>,
    /// the asteroid whose frame the bodies live in, if there is one
    pub asteroid: Option<AsteroidSpec>,
    /// walls; a box is six planes
    pub walls: Vec<Wall>,
    /// boxes and spheres in which bodies are counted
    pub regions: Vec<Region>,
    /// neighbour search
    pub neighbours: Neighbours,
    /// what is written
    pub output: OutputSpec,
    /// when to stop a run gone wrong
    pub guards: Guards,
    /// rigid rotations added to all bodies during the run
    pub spin_up: Option<SpinUp>,
    /// quantities that the run must reproduce
    pub expect: Vec<Expectation>,
    /// what it was read from; `None`: it was put together field by field
    #[serde(skip)]
    pub source: Option<Source>,
}

/// What is wrong with `bodies` if there are none, and the way out.
pub const NO_BODIES: [&str; 2] = ["there are no bodies", "add a [[bodies]] table"];
/// What is wrong with `gravity` if it names an asteroid that is not there, and the way out.
pub const NO_ASTEROID: [&str; 2] =
    ["kind = \"asteroid\" needs an asteroid, and there is none", "add an [asteroid] section, or remove the source"];

impl Scenario {
    /// A fault of one of its keys, with file and line: what is wrong, and what to do about it. Without a key the fault is
    /// about the whole scenario.
    pub fn fault(&self, key: &str, what: impl Into<String>, remedy: impl Into<String>) -> Fault {
        let fault = Fault::new(what).remedy(remedy);
        let fault = if key.is_empty() { fault } else { fault.key(key) };
        let Some(source) = &self.source else { return fault.file(&self.name) };
        let fault = fault.file(&source.file);
        if source.set.iter().any(|set| set.split_once('=').is_some_and(|(path, _)| path.trim() == key)) {
            return fault.by_set();
        }
        match line_of(&source.text, key) {
            Some(line) => fault.line(line),
            None => fault,
        }
    }
}

/// The text of a scenario. A run directory keeps it, so that the run can be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// the text, TOML
    pub text: String,
    /// its file, for messages
    pub file: String,
    /// where its paths count from: the folder of a file, the current one of a built-in scenario; "": they are left as typed
    pub folder: PathBuf,
    /// changes of keys, each as `key=value`
    pub set: Vec<String>,
    /// the file of the contact law, in place of the one that the text names: the copy that a run keeps
    pub law: Option<PathBuf>,
}

/// Duration and time step.
#[derive(Debug, Clone, Serialize)]
pub struct RunSpec {
    /// simulated time (s)
    pub duration_s: f64,
    /// `None`: from the stiffest contact, see `time_step_fraction`
    pub time_step_s: Option<f64>,
    /// time step over contact time when automatic (0.02); of the hysteretic law over sqrt(m/k) (0.01)
    pub time_step_fraction: f64,
    /// of soft spheres
    pub contact_law: LawName,
    /// ends the run before its duration
    pub stop_when: Option<StopWhen>,
}

/// One group of bodies.
#[derive(Debug, Clone, Serialize)]
pub struct BodyGroup {
    /// index into [`Scenario::materials`]
    pub material: usize,
    /// what makes the bodies
    pub generator: Generator,
    /// what they are; `None`: spheres
    pub shape: Option<ShapeSpec>,
    /// where it goes as a whole
    #[serde(flatten)]
    pub placing: Placing,
}

/// One body of a list.
#[derive(Debug, Clone, Serialize)]
pub struct ListItem {
    /// centre (m)
    pub position_m: DVec3,
    /// (m)
    pub radius_m: f64,
    /// (m/s)
    pub velocity_m_s: DVec3,
    /// (rad/s)
    pub spin_rad_s: DVec3,
    /// turns the shape as it was given; random for bodies that a generator places
    pub orientation: DQuat,
    /// index into [`Scenario::materials`], if it is not that of the group
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<usize>,
}

impl Scenario {
    /// True if its bodies attract each other.
    pub fn has_self_gravity(&self) -> bool {
        self.gravity.iter().any(|g| matches!(g, GravitySource::SelfGravity { .. }))
    }

    /// How the faces of the asteroid are summed, as typed; `None`: it does not attract.
    pub fn asteroid_sum(&self) -> Option<FaceSum> {
        self.gravity.iter().find_map(|source| match source {
            GravitySource::Asteroid { sum, .. } => Some(*sum),
            _ => None,
        })
    }

    /// Sum of the uniform fields (m/s2).
    pub fn uniform_m_s2(&self) -> DVec3 {
        let part = |source: &GravitySource| match source {
            GravitySource::Uniform { acceleration_m_s2 } => *acceleration_m_s2,
            _ => DVec3::ZERO,
        };
        self.gravity.iter().map(part).sum()
    }

    /// Rotation of the source `rotating_frame` (rad/s).
    pub fn rotating_frame_rad_s(&self) -> Option<DVec3> {
        self.gravity.iter().find_map(|source| match source {
            GravitySource::RotatingFrame { rotation_rad_s } => Some(*rotation_rad_s),
            _ => None,
        })
    }

    /// Steps that its gravity is held, as each source types them.
    pub fn typed_holds(&self) -> Vec<u32> {
        self.gravity.iter().filter_map(|g| g.update_every()?).collect()
    }

    /// The source that says how long gravity is held: the first that types it, else the first that may.
    pub fn held_by(&self) -> Option<usize> {
        let first = |says: fn(&GravitySource) -> bool| self.gravity.iter().position(says);
        first(|g| g.update_every().is_some_and(|typed| typed.is_some()))
            .or_else(|| first(|g| g.update_every().is_some()))
    }

    /// Steps that a field is held: as typed, else by what it costs; the swing of a held orbit grows as their square.
    /// Contact dynamics steps so far that it evaluates every time.
    pub fn held_steps(&self) -> u32 {
        let default = match self.method {
            Method::ContactDynamics(_) => 1,
            Method::SoftSphere if self.has_expensive_gravity() => 50,
            Method::SoftSphere => 10,
        };
        self.typed_holds().first().copied().unwrap_or(default).max(1)
    }

    /// True if its gravity is expensive to evaluate: self-gravity, or that of an asteroid's shape.
    pub fn has_expensive_gravity(&self) -> bool {
        use GravitySource::{Asteroid, SelfGravity};
        self.gravity.iter().any(|g| matches!(g, SelfGravity { .. } | Asteroid { .. }))
    }

    /// True if a wall answers to force.
    pub fn has_servo(&self) -> bool {
        self.walls.iter().any(|w| w.servo.is_some())
    }
}

/// A box whose bodies a row of the series counts, by their centres; one that touches the next shares no body with it.
#[derive(Debug, Clone, Serialize)]
pub struct Region {
    /// name in the series
    pub name: String,
    /// where it is
    #[serde(flatten)]
    pub extent: Extent,
}

/// Where a region is.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum Extent {
    /// a box
    Box {
        /// least corner, which belongs to it (m)
        min_m: DVec3,
        /// largest corner, which does not (m)
        max_m: DVec3,
    },
    /// a sphere, with its surface
    Sphere {
        /// its middle (m)
        position_m: DVec3,
        /// (m)
        radius_m: f64,
    },
}

impl Region {
    /// True if a body centred here counts.
    pub fn holds(&self, centre_m: DVec3) -> bool {
        match self.extent {
            Extent::Box { min_m, max_m } => centre_m.cmpge(min_m).all() && centre_m.cmplt(max_m).all(),
            Extent::Sphere { position_m, radius_m } => centre_m.distance(position_m) <= radius_m,
        }
    }
}

/// The widest margin of a neighbour list, in largest radii.
pub const SKIN_RADII_MAX: f64 = 0.15;

/// Neighbour search.
#[derive(Debug, Clone, Serialize)]
pub struct Neighbours {
    /// margin of the list, in largest radii, at most [`SKIN_RADII_MAX`]
    pub skin_radii: f64,
    /// hash table size over number of bodies (K/N)
    pub hash_ratio: f64,
}

/// When to stop a run gone wrong.
#[derive(Debug, Clone, Serialize)]
pub struct Guards {
    /// largest overlap over the smaller radius
    pub overlap_max: f64,
    /// largest drift of the energy ledger in a window, over what is dissipated there; `None`: a run only says so
    pub energy_residual_max: Option<f64>,
}

/// Which bodies a rotation of `[spin_up]` turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spun {
    /// all of them, about their common mass centre
    #[default]
    All,
    /// those of the heaviest aggregate at that instant, about its mass centre
    LargestAggregate,
}

impl Spun {
    /// As runs have it that were made before there was a choice.
    fn is_all(&self) -> bool {
        *self == Spun::All
    }
}

/// A rigid rotation, added to bodies again and again (Sanchez et al. 2021, 3.3).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SpinUp {
    /// when the first is added (s)
    pub start_s: f64,
    /// added first (rad/s)
    pub initial_rad_s: DVec3,
    /// added after every interval (rad/s)
    pub increment_rad_s: DVec3,
    /// (s)
    pub interval_s: f64,
    /// from then on none is added; `None`: until the end of the run (s)
    pub end_s: Option<f64>,
    /// which bodies it turns
    #[serde(skip_serializing_if = "Spun::is_all")]
    pub bodies: Spun,
}

impl SpinUp {
    /// Instant of a rotation in a run of `run_s`, the first of which has number 0; none from `end_s` or the end of the run on (s).
    pub fn due_s(&self, number: u32, run_s: f64) -> Option<f64> {
        let due_s = self.start_s + self.interval_s * f64::from(number);
        (u64::from(number) < self.count(run_s)).then_some(due_s)
    }

    /// Rotations in a run of `run_s`, the first included.
    pub fn count(&self, run_s: f64) -> u64 {
        let end_s = self.end_s.map_or(run_s, |end_s| end_s.min(run_s));
        steps_until(end_s - self.start_s, self.interval_s)
    }
}

/// A quantity the run must reproduce.
#[derive(Debug, Clone, Serialize)]
pub struct Expectation {
    /// name of an outcome quantity, see `physics::measure::outcome`
    pub quantity: String,
    /// the number, and how far from it the quantity may be
    #[serde(flatten)]
    pub wanted: Wanted,
    /// where the number comes from
    pub source: String,
}

/// A number, and how far from it another may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wanted {
    /// expected value
    pub value: f64,
    /// allowed deviation, relative to `value` (absolute if `absolute`)
    pub tolerance: f64,
    /// the tolerance is absolute
    pub absolute: bool,
}

impl Wanted {
    /// A number with an absolute tolerance.
    pub fn of(value: f64, tolerance: f64) -> Wanted {
        Wanted { value, tolerance, absolute: true }
    }

    /// The number, and the absolute tolerance.
    pub fn range(&self) -> [f64; 2] {
        [self.value, if self.absolute { self.tolerance } else { self.tolerance * self.value.abs() }]
    }

    /// How far from it another number is.
    pub fn off(&self, other: f64) -> f64 {
        (other - self.value).abs()
    }

    /// True if another number is near enough.
    pub fn holds(&self, other: f64) -> bool {
        self.off(other) <= self.range()[1]
    }
}

/// A run ends at the row of the series at which its bodies have been at rest for a time.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct StopWhen {
    /// kinetic energy about the mass centre, spins included, over |potential energy of self-gravity|
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinetic_share_below: Option<f64>,
    /// largest speed of any body, and of any point of its surface as it spins, in the axes of the frames (m/s)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_below_m_s: Option<f64>,
    /// held in all rows of so long a time (s)
    pub for_s: f64,
}
