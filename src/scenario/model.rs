//! The checked scenario: what a run needs to know, in SI, every default resolved.

pub use super::collision::{CollisionSpec, Impact, ImpactSpeed};
pub use super::model_asteroid::{AsteroidSpec, Motion, SurfaceKind, SurfaceLaw};
pub use super::model_shape::{PartSpec, ShapeKind, ShapeSpec, Solid};
pub use super::model_wall::{Block, Servo, Wall};
pub use super::place::{About, Placing, SpinBreakUp};
pub use super::rest::StopWhen;
pub use super::site::Site;
pub use super::sizes::{RadiusRange, Share, Sizes};
use glam::{DQuat, DVec3};
use serde::Serialize;

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
    /// walls; a box stands here as its six planes
    pub walls: Vec<Wall>,
    /// boxes in which bodies are counted
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
    pub contact_law: SoftLaw,
    /// ends the run before its duration
    pub stop_when: Option<StopWhen>,
}

/// Contact laws of soft spheres; all contacts of a run have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SoftLaw {
    /// springs and dashpots, with springs for sliding, rolling and twisting (Song et al. 2024)
    LinearSpringDashpot,
    /// two stiffnesses, loading and unloading, with friction that has no springs (Guidos et al. 2024)
    Hysteretic,
}

impl SoftLaw {
    /// The shader module of the law.
    pub fn module(self) -> &'static str {
        match self {
            SoftLaw::LinearSpringDashpot => "laws/linear_spring_dashpot",
            SoftLaw::Hysteretic => "laws/hysteretic",
        }
    }
}

/// How contacts are computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Method {
    /// elastic contacts over many small steps
    SoftSphere,
    /// non-smooth contact dynamics: impulses of rigid bodies over large implicit steps (Sanchez et al. 2021)
    ContactDynamics(ContactDynamics),
}

impl Method {
    /// Settings of contact dynamics, if that is the method.
    pub fn contact_dynamics(&self) -> Option<&ContactDynamics> {
        match self {
            Method::ContactDynamics(c) => Some(c),
            Method::SoftSphere => None,
        }
    }
}

/// Settings of contact dynamics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContactDynamics {
    /// of the time stepping, in [0.5, 1] (Sanchez et al. 2021, eq. 4-5)
    pub theta: f64,
    /// which iterations
    pub solver: ContactSolver,
    /// residual at which a step's impulses are good enough, relative to the impulses
    pub tolerance: f64,
    /// iterations of a step at most; `None`: what suits the solver
    pub iterations_max: Option<u32>,
    /// what happens when a step takes more
    pub on_budget: OnBudget,
    /// share of a penetration that a step may take back
    pub recovery: f64,
    /// speed of that at most (m/s); `None`: any
    pub recovery_speed_m_s: Option<f64>,
    /// cohesion acts from this instant on (s)
    pub cohesion_from_s: f64,
}

/// Iterations that solve a step's contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactSolver {
    /// whichever was found to be faster for this many bodies on such a device
    Auto,
    /// projected Jacobi in the mass-splitting metric with short momentum
    Jacobi,
    /// projected Gauss-Seidel, colour by colour, with short momentum
    GaussSeidel,
}

/// What happens when a step takes more iterations than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnBudget {
    /// the step is counted in the series, and the run goes on
    Warn,
    /// the run ends
    Stop,
}

/// Parameters of the contact laws: soft spheres after Song et al. 2024, Tables 1 and 2, or Guidos et al. 2024; contact
/// dynamics takes density, restitution_normal, friction_sliding and the two of cohesion by force.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub struct Material {
    /// name that bodies and walls use
    pub name: String,
    /// (kg/m3)
    pub density_kg_m3: f64,
    /// k_N (N/m); `None`: from `speed_max_m_s`
    pub stiffness_normal_n_m: Option<f64>,
    /// k_in of the hysteretic law, force over half the overlap (N/m); `None`: from `speed_max_m_s`
    pub stiffness_loading_n_m: Option<f64>,
    /// v_max of the stiffness rule k = m (v/(s R))^2 (m/s); `None` only if the stiffness is given
    pub speed_max_m_s: Option<f64>,
    /// s of that rule, an overlap over the radius (0.01; of the hysteretic law 0.1)
    pub overlap_at_speed_max: f64,
    /// k_S / k_N (2/7)
    pub stiffness_ratio: f64,
    /// eps_N in [0, 1]
    pub restitution_normal: f64,
    /// eps_S in [0, 1]
    pub restitution_tangential: f64,
    /// mu_S
    pub friction_sliding: f64,
    /// mu_R
    pub friction_rolling: f64,
    /// mu_T
    pub friction_twisting: f64,
    /// beta
    pub shape_parameter: f64,
    /// c (Pa)
    pub cohesion_pa: f64,
    /// attraction of a contact in contact dynamics (N)
    pub cohesion_force_n: f64,
    /// gap up to which it acts (m)
    pub cohesion_range_m: f64,
    /// how the normal force ends a contact
    pub normal_tension: NormalTension,
}

/// How the normal force ends a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NormalTension {
    /// `linear_spring_dashpot`: the dashpot may pull at the end (Song et al. eq. 1)
    Kept,
    /// `linear_spring_dashpot_no_tension`: force clamped at zero, damping re-tuned (Schwager and Poeschel 2007)
    None,
}

/// One group of bodies.
#[derive(Debug, Clone, Serialize)]
pub struct BodyGroup {
    /// index into [`Scenario::materials`]
    pub material: usize,
    /// where the bodies come from
    pub generator: Generator,
    /// what they are; `None`: spheres
    pub shape: Option<ShapeSpec>,
    /// where it goes as a whole
    #[serde(flatten)]
    pub placing: Placing,
}

/// Generators by name.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename_all = "snake_case")]
pub enum Generator {
    /// random radii on a cubic lattice, one body a cell, shaken inside its cell (Sanchez et al. 2021, section 3.1)
    Lattice {
        /// number of bodies
        count: usize,
        /// cells along x, y, z, filled layer by layer from below; `None`: the smallest cube that holds them
        cells: Option<[usize; 3]>,
        /// mesh of the lattice (m)
        grid_spacing_m: f64,
        /// sizes
        radius: Sizes,
    },
    /// random without overlap in a sphere (Guidos et al. 2024): 200 tries a body, else the radius grows by the largest diameter
    Sphere {
        /// number of bodies
        count: usize,
        /// first radius of the container (m)
        container_radius_m: f64,
        /// sizes
        radius: Sizes,
    },
    /// each body written out
    List {
        /// the bodies
        items: Vec<ListItem>,
    },
    /// columns x y z radius [vx vy vz [wx wy wz]] from .npy or .csv, SI
    File {
        /// path, relative to the scenario
        path: String,
    },
    /// places, radii or shapes, velocities and spins of a run's last frame; no contact history
    Frame {
        /// run directory
        path: String,
        /// bodies keep their materials, found by name; else all are of the group's
        keep_materials: bool,
        /// only those that hang together in the heaviest aggregate, gaps below a hundredth of the mean radius
        largest_aggregate: bool,
    },
    /// random without overlap above a place of the asteroid's surface
    Site(Site),
}

impl Generator {
    /// True if bodies stand where the generator likes, so that it may turn them as it likes too.
    pub fn places_at_random(&self) -> bool {
        matches!(self, Generator::Lattice { .. } | Generator::Sphere { .. } | Generator::Site(_))
    }
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
}

/// A gravity source.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GravitySource {
    /// the same acceleration everywhere
    Uniform {
        /// (m/s2)
        acceleration_m_s2: DVec3,
    },
    /// inside a fixed uniform sphere, -(4/3) pi G rho r; outside it, the point mass of the whole
    UniformSphere {
        /// (kg/m3)
        density_kg_m3: f64,
        /// (m)
        radius_m: f64,
        /// (m)
        position_m: DVec3,
    },
    /// the frame turns uniformly about the origin: centrifugal and Coriolis acceleration (Ferrari et al. 2017, eq. 2)
    RotatingFrame {
        /// (rad/s)
        rotation_rad_s: DVec3,
    },
    /// a fixed point mass
    Central {
        /// (m3/s2)
        gm_m3_s2: f64,
        /// (m)
        position_m: DVec3,
    },
    /// the asteroid of the scenario, a homogeneous polyhedron (Werner and Scheeres 1997)
    Asteroid {
        /// how its faces are summed
        sum: FaceSum,
        /// steps between evaluations; `None`: 50
        update_every: Option<u32>,
    },
    /// the bodies attract each other
    SelfGravity {
        /// how it is summed
        method: SelfGravityMethod,
        /// steps between evaluations; `None`: 50
        update_every: Option<u32>,
    },
}

/// How self-gravity is summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum SelfGravityMethod {
    /// direct below a measured number of bodies, tree with the relative criterion above
    Auto,
    /// all pairs
    Direct,
    /// LBVH tree, geometric criterion: size / distance below the opening angle
    TreeGeometric {
        /// opening angle
        opening_angle: f64,
    },
    /// LBVH tree, relative criterion: G M b^3 / r^5 below `accuracy` times the last acceleration
    TreeRelative {
        /// accuracy
        accuracy: f64,
    },
}

/// How the faces of the asteroid are summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum FaceSum {
    /// exact below a measured number of faces, tree above
    Auto,
    /// every face
    Exact,
    /// tree over the faces
    Tree {
        /// error of a node over the asteroid's attraction
        accuracy: f64,
    },
}

impl Scenario {
    /// Steps that its gravity is held, as each source types them.
    pub fn typed_holds(&self) -> Vec<u32> {
        let typed = |g: &GravitySource| match g {
            GravitySource::SelfGravity { update_every, .. } | GravitySource::Asteroid { update_every, .. } => {
                *update_every
            }
            _ => None,
        };
        self.gravity.iter().filter_map(typed).collect()
    }

    /// True if evaluating its gravity is dear: self-gravity, or an asteroid of many faces.
    pub fn has_dear_gravity(&self) -> bool {
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
    /// least corner, which belongs to it (m)
    pub min_m: DVec3,
    /// largest corner, which does not (m)
    pub max_m: DVec3,
}

impl Region {
    /// The quantity of `[expect]` that says how many bodies it holds in the last row.
    pub fn quantity(&self) -> String {
        format!("{}_bodies_final", self.name)
    }

    /// True if a body centred here counts.
    pub fn holds(&self, centre_m: DVec3) -> bool {
        centre_m.cmpge(self.min_m).all() && centre_m.cmplt(self.max_m).all()
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

/// What is written, and how often.
#[derive(Debug, Clone, Serialize)]
pub struct OutputSpec {
    /// number of frames after the first one
    pub frames: usize,
    /// number of series rows after the first one
    pub series_rows: usize,
    /// contacts are written with the frames
    pub contacts: bool,
    /// wall-clock minutes between checkpoints
    pub checkpoint_minutes: f64,
}

/// When to stop a run gone wrong.
#[derive(Debug, Clone, Serialize)]
pub struct Guards {
    /// largest overlap over the smaller radius
    pub overlap_max: f64,
}

/// A rigid rotation about the common mass centre, added to all bodies again and again (Sanchez et al. 2021, 3.3).
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
}

/// A quantity the run must reproduce.
#[derive(Debug, Clone, Serialize)]
pub struct Expectation {
    /// name of an outcome quantity, see `diagnostics::outcome`
    pub quantity: String,
    /// expected value
    pub value: f64,
    /// allowed deviation, relative to `value` (absolute if `absolute`)
    pub tolerance: f64,
    /// the tolerance is absolute
    pub absolute: bool,
    /// where the number comes from
    pub source: String,
}
