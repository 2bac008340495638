//! Chooses the threads of software Vulkan by the size of what is to be computed.

use breccia::gpu::threads::{Share, VARIABLE};
use breccia::model::body::Bodies;
use breccia::model::scenario::Scenario;

/// [`suit`] for a run.
pub(super) fn suit_run(scenario: &Scenario, bodies: &Bodies) {
    suit(Share::of(&scenario.method, bodies), bodies.len());
}

/// Sets the variable that lavapipe reads, unless the user has. No other driver reads it. To be called before a device is
/// looked for.
#[allow(unsafe_code, reason = "only the environment tells Mesa, and another thread might read it meanwhile")]
pub(super) fn suit(share: Share, bodies: usize) {
    if std::env::var_os(VARIABLE).is_none() {
        // SAFETY: no driver is loaded yet, so all threads are this program's own. The thread that waits for signals never
        // reads the environment, and those that share out work have ended.
        unsafe { std::env::set_var(VARIABLE, share.suits(bodies).to_string()) };
    }
}
