//! Bodies as the state has them at the start, in the order of memory.

use crate::base::units::Units;
use crate::gpu::elements::body::{BodyState, BodyView};
use crate::gpu::layout::BodyWords;
use crate::model::body::Bodies;
use glam::{DQuat, DVec3};

/// Indices of the bodies along a Morton curve: neighbours in space become neighbours in memory. The curve starts at
/// the smallest coordinates of the integers that bodies get, so a shift of the whole system does not change it.
pub(crate) fn morton_order(bodies: &Bodies, units: &Units) -> Vec<u32> {
    let positions: Vec<[i64; 3]> = bodies.position_m.iter().map(|p| units.absolute_position(*p)).collect();
    let low: [i64; 3] = std::array::from_fn(|k| positions.iter().map(|p| p[k]).min().unwrap_or(0));
    // Coarse on purpose: a finer cell than two diameters is not needed; ties keep the order of ids.
    let from_low = |p: &[i64; 3]| std::array::from_fn::<i128, 3, _>(|k| i128::from(p[k]) - i128::from(low[k]));
    let size = positions.iter().flat_map(from_low).max().unwrap_or(0).max(1);
    let key = |p: &[i64; 3]| {
        let [x, y, z] = from_low(p).map(|d| ((2 * 1023 * d + size) / (2 * size)) as u32);
        let spread = |v: u32| (0..10).fold(0u32, |k, b| k | ((v >> b) & 1) << (3 * b));
        spread(x) | spread(y) << 1 | spread(z) << 2
    };
    let mut order: Vec<u32> = (0..bodies.len() as u32).collect();
    order.sort_by_key(|i| (key(&positions[*i as usize]), *i));
    order
}

/// Bodies as the state has them at the start.
pub(crate) struct Start<'a> {
    pub bodies: &'a Bodies,
    /// positions are stored so much later (s)
    pub ahead_s: f64,
    /// and all vectors turned by this, in a turning frame of contact dynamics
    pub axes: Option<DQuat>,
}

impl Start<'_> {
    /// A vector of the bodies as the state has it.
    pub(super) fn turned(&self, v: DVec3) -> DVec3 {
        self.axes.map_or(v, |q| q * v)
    }
}

pub(super) fn body_words(start: &Start, order: &[u32], units: &Units) -> (Vec<BodyState>, Vec<BodyView>) {
    let (mut state, mut view) = (vec![], vec![]);
    let bodies = start.bodies;
    for &k in order {
        let k = k as usize;
        let vector = |v: DVec3| start.turned(v).to_array();
        let (position, ahead) = (
            units.absolute_position(start.turned(bodies.position_m[k])),
            units.way(start.turned(bodies.velocity_m_s[k] * start.ahead_s)),
        );
        let words = BodyWords {
            position: std::array::from_fn(|axis| position[axis] + ahead[axis]),
            velocity: vector(bodies.velocity_m_s[k]).map(|v| units.displacement(v)),
            spin: vector(bodies.spin_rad_s[k]).map(|w| units.angle(w)),
            radius: units.radius(bodies.radius_m[k]),
            inverse_mass: (units.mass_kg / bodies.mass_kg[k]) as f32,
            material: bodies.material[k],
        };
        state.push(words.state());
        view.push(words.view());
    }
    (state, view)
}
