//! Rubble piles of spheres under their own gravity, made by contact dynamics.

use breccia::engine::reference::dynamics::{Dynamics, RigidLaw};
use breccia::model::body::Bodies;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;

/// Time step while a pile forms (s): a body falls 0.2 m in it at the end of the collapse.
const STEP_S: f64 = 2.0;

/// The collapse jams after about 820 s, whatever the number of bodies.
const COLLAPSED_S: f64 = 1200.0;

/// When the pile counts as settled (s).
pub const SETTLED_S: f64 = 4000.0;

/// Part of its velocity that a body keeps over a step after the collapse, so that the pile comes to rest soon.
const KEPT: f64 = 0.98;

/// Spheres of 5164 kg/m3 and 7.5 to 10 m, equal volume in every size class, on a cubic lattice of mesh 10 m (Sanchez et
/// al. 2021, section 3.1).
pub fn lattice(count: usize) -> Bodies {
    let text = format!(
        "format = 1\nseed = 7\n[run]\nduration_s = 1.0\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 5164.0\n\
         speed_max_m_s = 0.1\nrestitution_normal = 0.2\nfriction_sliding = 0.4\n[[bodies]]\ngenerator = \"lattice\"\n\
         count = {count}\ngrid_spacing_m = 10.0\nradius_m = {{ min_m = 3.75, max_m = 5.0 }}\n"
    );
    let scenario = parse(&text, "pile.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    generate(&scenario).unwrap_or_else(|e| panic!("{e}"))
}

/// The lattice at rest, before it falls together: plastic shocks, sequential Gauss-Seidel.
pub fn loose(count: usize, friction: f64) -> Dynamics {
    moved_on(count, friction, 0)
}

/// As [`loose`], every size moved on by `steps` of the lattice: another pile of the same spheres.
pub fn moved_on(count: usize, friction: f64, steps: usize) -> Dynamics {
    let mut bodies = lattice(count);
    bodies.radius_m.rotate_left(steps);
    bodies.mass_kg.rotate_left(steps);
    let law = RigidLaw { friction, ..Default::default() };
    let mut d = Dynamics { self_gravity: true, ..Dynamics::new(bodies, law, STEP_S) };
    d.stop.iterations_max = 200;
    d
}

/// Lets it fall together and come to rest until `time_s`.
pub fn settle(d: &mut Dynamics, time_s: f64) {
    while d.time_s < time_s {
        d.step();
        if d.time_s > COLLAPSED_S {
            d.bodies.velocity_m_s.iter_mut().for_each(|v| *v *= KEPT);
            d.bodies.spin_rad_s.iter_mut().for_each(|w| *w *= KEPT);
        }
    }
}

/// A pile that has settled.
pub fn settled(count: usize, friction: f64) -> Dynamics {
    let mut d = loose(count, friction);
    settle(&mut d, SETTLED_S);
    d
}
