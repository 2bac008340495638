//! What Mesa, which has software Vulkan, is told by the environment: its threads, and that there is no screen.

use breccia::gpu::threads::{Share, VARIABLE};
use breccia::model::body::Bodies;
use breccia::model::scenario::Scenario;

/// Turns Mesa's layer off if it is set.
const LAYER: &str = "NODEVICE_SELECT";

/// Leaves out Mesa's layer that orders devices by the screen, on a machine without one: it complains of the missing screen,
/// and Breccia chooses the device itself. To be called first of all.
#[allow(unsafe_code, reason = "only the environment tells Mesa, and another thread might read it meanwhile")]
pub(super) fn quieten() {
    let chosen = ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "MESA_VK_DEVICE_SELECT", LAYER];
    if chosen.iter().all(|name| std::env::var_os(name).is_none()) {
        // SAFETY: the program has one thread yet.
        unsafe { std::env::set_var(LAYER, "1") };
    }
}

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
