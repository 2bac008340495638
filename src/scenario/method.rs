//! Reads how contacts are computed: `run.method`, `[contact_dynamics]`; and `[spin_up]`.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::scenario::*;
use crate::physics::laws::{LAWS, built_in};

/// The method of `run`, with its own table.
pub(super) fn method(root: &Table, run: &Table) -> Method {
    let word = run.choice("method", &["soft_sphere", "contact_dynamics"], Some("soft_sphere"));
    if word == "soft_sphere" {
        if root.is_table("contact_dynamics") {
            root.fault("contact_dynamics", "is for run.method = \"contact_dynamics\"; remove it or choose that method");
        }
        root.table("contact_dynamics");
        return Method::SoftSphere;
    }
    let t = root.table("contact_dynamics");
    let pure = |key: &str, default: f64, low: f64, high: f64| {
        t.within(key, t.number(key, D::Pure).unwrap_or(default), low, high)
    };
    let solver = match t.choice("solver", &["auto", "jacobi", "gauss_seidel"], Some("auto")).as_str() {
        "jacobi" => ContactSolver::Jacobi,
        "gauss_seidel" => ContactSolver::GaussSeidel,
        _ => ContactSolver::Auto,
    };
    let warn = t.choice("on_budget", &["warn", "stop"], Some("warn")) == "warn";
    let settings = ContactDynamics {
        theta: pure("theta", 0.5, 0.5, 1.0),
        solver,
        tolerance: pure("tolerance", 1e-3, 1e-6, 0.1),
        iterations_max: t.has("iterations_max").then(|| t.count("iterations_max", None, 8..=100_000) as u32),
        on_budget: if warn { OnBudget::Warn } else { OnBudget::Stop },
        recovery: pure("recovery", 0.2, 0.0, 1.0),
        recovery_speed_m_s: t.number("recovery_speed_m_s", D::Speed).map(|v| t.positive("recovery_speed_m_s", v)),
        cohesion_from_s: t.number("cohesion_from_s", D::Time).unwrap_or(0.0),
        speed_max_m_s: t.number("speed_max_m_s", D::Speed).map(|v| t.positive("speed_max_m_s", v)),
    };
    if settings.cohesion_from_s < 0.0 {
        t.fault("cohesion_from_s", format!("{} is before the start", settings.cohesion_from_s));
    }
    t.close();
    Method::ContactDynamics(settings)
}

/// `run.contact_law`, which soft spheres alone have.
pub(super) fn soft_law(run: &Table, method: &Method) -> LawName {
    if method.contact_dynamics().is_some() && run.has("contact_law") {
        run.fault("contact_law", "is for method = \"soft_sphere\", contact dynamics has one law; remove it");
    }
    let names: Vec<&str> = LAWS.iter().map(|law| law.name()).collect();
    let name = run.choice("contact_law", &names, names.first().copied());
    built_in(&name).unwrap_or(LAWS[0]).choice()
}

/// `[spin_up]`, if it is there.
pub(super) fn spin_up(root: &Table) -> Option<SpinUp> {
    let there = root.is_table("spin_up");
    let t = root.table("spin_up");
    if !there {
        return None;
    }
    if !t.has("increment_rad_s") {
        t.fault("increment_rad_s", "is missing");
    }
    let start_s = t.number("start_s", D::Time).unwrap_or(0.0);
    if start_s < 0.0 {
        t.fault("start_s", format!("{start_s} is before the start"));
    }
    let spin = SpinUp {
        start_s,
        initial_rad_s: t.vector("initial_rad_s", D::AngularSpeed).unwrap_or_default(),
        increment_rad_s: t.vector("increment_rad_s", D::AngularSpeed).unwrap_or_default(),
        interval_s: t.positive("interval_s", t.need("interval_s", D::Time)),
    };
    t.close();
    Some(spin)
}
