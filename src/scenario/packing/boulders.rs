//! Boulders: the first spheres in a container, which stay where they are.

use super::order::{Boulder, Order};
use super::pile::{At, Room};
use super::wall::Wall;
use crate::base::error::Result;
use crate::base::readable::number;
use crate::geometry::levels::Levels;
use crate::scenario::take::TRIES;
use rand_pcg::Pcg64Mcg;

/// Random places for all boulders together, at least: one that nearly fills its container fits once in thousands.
const TRIES_MIN: usize = 100_000;

/// The boulders of a container: those at positions of their own, then those at random.
pub(super) fn boulders(order: &Order, room: &Room, at: &At, rng: &mut Pcg64Mcg) -> Result<Vec<Boulder>> {
    let mut radii = order.random_boulders.as_ref().map_or(vec![], |s| s.radius.all(s.count, rng));
    // the largest first, while there is room
    radii.sort_by(|a, b| b.total_cmp(a));
    let all: Vec<f64> = order.boulders.iter().map(|b| b.radius_m).chain(radii.iter().copied()).collect();
    let mut levels = Levels::new(&all);
    let mut list: Vec<Boulder> = vec![];
    for (k, b) in order.boulders.iter().enumerate() {
        let key = format!("boulders.{k}.position_m");
        if !wholly_in(room.container(), b) {
            let what = "the boulder is not wholly in the container";
            return Err(at.fault(&key, what, "move it inwards, or make it smaller"));
        }
        if let Some(other) = met(&list, &levels, b) {
            return Err(at.fault(&key, format!("the boulder overlaps boulder {other}"), "move one of the two"));
        }
        levels.put(k, b.position_m, b.radius_m);
        list.push(b.clone());
    }
    let Some(scatter) = &order.random_boulders else { return Ok(list) };
    let mut tries = (TRIES * radii.len()).max(TRIES_MIN);
    while let Some(radius_m) = radii.get(list.len() - order.boulders.len()).copied() {
        if tries == 0 {
            let done = list.len() - order.boulders.len();
            let largest = number(radii[0]);
            let what = format!("only {done} of {} boulders found room, the largest of {largest} m radius", radii.len());
            return Err(at.fault("random_boulders", what, "lower the count, or make them smaller"));
        }
        tries -= 1;
        let b = Boulder { position_m: room.somewhere(rng), radius_m, material: scatter.material };
        if wholly_in(room.container(), &b) && met(&list, &levels, &b).is_none() {
            levels.put(list.len(), b.position_m, b.radius_m);
            list.push(b);
        }
    }
    Ok(list)
}

fn wholly_in(container: &Wall, b: &Boulder) -> bool {
    container.holds(b.position_m) && container.closest(b.position_m, b.radius_m).is_none()
}

/// The number of a boulder that this one overlaps.
fn met(list: &[Boulder], levels: &Levels, b: &Boulder) -> Option<usize> {
    let mut met = None;
    levels.near(b.position_m, b.radius_m, |k| {
        if list[k].position_m.distance(b.position_m) < list[k].radius_m + b.radius_m {
            met = Some(k);
        }
        met.is_none()
    });
    met
}
