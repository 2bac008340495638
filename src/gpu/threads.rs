//! How many threads lavapipe, Mesa's Vulkan on the CPU, computes with. Mesa reads `LP_NUM_THREADS` as adapters are listed;
//! without the variable it takes one thread for each core. Results have the same bits with any number.

use crate::base::cores::cores;
use crate::model::body::Bodies;
use crate::model::scenario::Method;
use wgpu::AdapterInfo;

/// The variable. 0 is one thread, to which work is not handed over; so is 1, which takes longer.
pub const VARIABLE: &str = "LP_NUM_THREADS";

/// Bodies that keep a thread busy for longer than it takes to hand their work over (docs/method/performance.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// a step has few passes
    SoftSpheres = 600,
    /// it has hundreds, one for each colour and sweep
    RigidSpheres = 1000,
    /// its passes are long
    Polyhedra = 50,
}

impl Share {
    /// That of a run.
    pub fn of(method: &Method, bodies: &Bodies) -> Share {
        match method {
            _ if bodies.polyhedra.is_some() => Share::Polyhedra,
            Method::SoftSphere => Share::SoftSpheres,
            Method::ContactDynamics(_) => Share::RigidSpheres,
        }
    }

    /// The value of the variable that suits so many bodies.
    pub fn suits(self, bodies: usize) -> usize {
        self.of_cores(bodies, cores())
    }

    fn of_cores(self, bodies: usize, cores: usize) -> usize {
        match cores.min(bodies / self as usize) {
            0 | 1 => 0,
            threads => threads,
        }
    }
}

/// The value for each of so many processes at once, where they leave less than two cores to each.
pub fn crowded(processes: usize) -> Option<usize> {
    (processes > 1 && processes * 2 > cores()).then_some(0)
}

/// Threads that an adapter computes with; `None` unless it is lavapipe.
pub fn taken(adapter: &AdapterInfo) -> Option<usize> {
    let asked = || std::env::var(VARIABLE).ok()?.parse().ok();
    (adapter.driver == "llvmpipe").then(|| asked().unwrap_or_else(cores).max(1))
}

#[cfg(test)]
mod tests {
    use super::{Share, crowded};

    #[test]
    fn every_thread_has_its_share() {
        let of = |bodies, cores| Share::SoftSpheres.of_cores(bodies, cores);
        assert_eq!([of(0, 64), of(1199, 64), of(1200, 64), of(6000, 64)], [0, 0, 2, 10]);
        assert_eq!([of(1_000_000, 64), of(1_000_000, 1)], [64, 0]);
    }

    #[test]
    fn one_process_is_never_crowded() {
        assert_eq!([crowded(1), crowded(usize::MAX / 2)], [None, Some(0)]);
    }
}
