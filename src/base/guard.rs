//! Errors of guards that stop a run. Each names the step, who ran into the guard, and the remedies.

use super::error::Error;
use super::readable::{number, quantity};

/// What `who` did at the end of a step, and the way out.
fn stopped(step: u64, who: &str, what: &str, dt_s: f64, remedy: &str) -> Error {
    let [after, dt] = [step as f64 * dt_s, dt_s].map(|s| quantity(s, "s"));
    Error::Numerical(format!("step {step}, after {after}: {who} {what}; the time step is {dt}: {remedy}"))
}

impl Error {
    /// A guard that stopped a run of soft spheres; `what`: what `who` does, such as "overlaps another"; `overlap_max`: the largest
    /// overlap that is allowed, over the smaller radius.
    pub fn guard(step: u64, who: &str, what: &str, dt_s: f64, overlap_max: f64) -> Self {
        let most = number(overlap_max);
        let remedy = format!(
            "raise speed_max_m_s, or with a law that has none the stiffness, so that contacts are stiffer and steps shorter, or raise guards.overlap_max above {most} if such overlaps are intended"
        );
        stopped(step, who, what, dt_s, &remedy)
    }

    /// A force that is not finite where nothing overlaps too much.
    pub fn guard_force(step: u64, who: &str, what: &str, dt_s: f64) -> Self {
        let remedy = "lower run.time_step_s or the speeds at the start; with a contact law of your own look in it for a division by zero, the root of a negative number or a number beyond 3e38";
        stopped(step, who, what, dt_s, remedy)
    }

    /// A limit of what one invocation of a pass takes, whose remedy does not concern speeds.
    pub fn guard_size(step: u64, who: &str, what: &str, remedy: &str) -> Self {
        Error::Numerical(format!("step {step}: {who} {what}; {remedy}"))
    }

    /// A guard whose way out is a shorter step: any of contact dynamics, and soft spheres that move or turn too fast.
    pub fn guard_step(step: u64, who: &str, what: &str, dt_s: f64) -> Self {
        stopped(step, who, what, dt_s, "lower run.time_step_s, or the speeds at the start")
    }

    /// A guard that a wall moved by force ran into.
    pub fn guard_wall(step: u64, name: &str, what: &str, dt_s: f64) -> Self {
        let remedy = "give the wall a servo_speed_max_m_s, lower its servo_force_n, or lower run.time_step_s";
        stopped(step, &format!("wall `{name}`"), what, dt_s, remedy)
    }

    /// A step of contact dynamics that `on_budget = "stop"` ends a run for.
    pub fn over_budget(step: u64, residual: f32, tolerance: f32, iterations: u32) -> Self {
        let [residual, tolerance] = [residual, tolerance].map(|value| number(value.into()));
        Error::Numerical(format!(
            "step {step}: after {iterations} iterations the residual is {residual}, above the tolerance {tolerance}: raise contact_dynamics.iterations_max or contact_dynamics.tolerance, lower run.time_step_s, or continue with contact_dynamics.on_budget = \"warn\", which counts such steps in the series"
        ))
    }

    /// An energy ledger that drifts; `what`: how far.
    pub fn energy(step: u64, what: &str, limit: f64) -> Self {
        Error::Numerical(format!(
            "step {step}: {what}, above guards.energy_residual_max = {limit}: lower run.time_step_s or run.time_step_fraction, try `breccia verify` on this device, or raise the guard; `breccia resume` continues from the checkpoint of this step"
        ))
    }

    /// A device that accepted work and did none of it.
    pub fn idle(step: u32) -> Self {
        Error::DeviceLost(format!("step {step}: the device accepted the work and did nothing; see `breccia doctor`"))
    }
}
