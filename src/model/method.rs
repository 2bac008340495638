//! How contacts are computed: the two methods, the laws of one, the settings of the other.

use serde::{Serialize, Serializer};

/// The contact law of soft spheres that a scenario names; all contacts of a run have the same. `physics::laws` has the
/// laws, and makes these names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LawName {
    /// a law of this program
    BuiltIn(&'static str),
    /// a law of the user's own
    File(LawFile),
}

/// The file of a law, which was read and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawFile {
    /// where it is
    pub path: String,
    /// its stem
    pub name: &'static str,
    /// what it holds, WGSL
    pub text: &'static str,
}

impl LawName {
    /// For the list of laws alone, so that there are no names without a law.
    pub(crate) const fn of(name: &'static str) -> LawName {
        LawName::BuiltIn(name)
    }

    /// As `run.contact_law` has it.
    pub fn typed(&self) -> String {
        match self {
            LawName::BuiltIn(name) => (*name).to_owned(),
            LawName::File(file) => format!("file:{}", file.path),
        }
    }
}

impl Serialize for LawName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.typed())
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
    /// iterations of a step at most
    pub iterations_max: u32,
    /// what happens when a step takes more
    pub on_budget: OnBudget,
    /// share of a penetration that a step may take back
    pub recovery: f64,
    /// speed of that at most (m/s); `None`: any
    pub recovery_speed_m_s: Option<f64>,
    /// cohesion acts from this instant on (s)
    pub cohesion_from_s: f64,
    /// rows of the series between two in which the last step is judged in f64; `None`: none is
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_every: Option<u32>,
    /// speed that no body will exceed (m/s), for which the GPU engine chooses its units; `None`: twice the speeds at
    /// the start
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_max_m_s: Option<f64>,
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
    /// the same, all iterations of a step by one workgroup
    GaussSeidelOneGroup,
}

impl ContactSolver {
    /// True if contacts are solved one colour after the other.
    pub fn sweeps(self) -> bool {
        matches!(self, ContactSolver::GaussSeidel | ContactSolver::GaussSeidelOneGroup)
    }
}

/// What happens when a step takes more iterations than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnBudget {
    /// the step is counted in the series, and the run goes on; it says so once there are many
    Warn,
    /// the run ends
    Stop,
}
