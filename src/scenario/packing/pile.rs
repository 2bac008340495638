//! The spheres of a container: how many of which sizes, where they start, and what they come to.

use super::boulders::boulders;
use super::order::{Boulder, Order};
use super::relax::{Crowd, Settled};
use super::wall::{Wall, Watch};
use crate::base::error::{Error, Result};
use crate::base::readable::{digits, whole};
use crate::geometry::box_tree::{Bounds, bounds};
use crate::geometry::levels::Levels;
use crate::geometry::mass::ball_m3;
use crate::geometry::surface::Surface;
use crate::model::scenario::{ListItem, Scenario, Sizes};
use crate::scenario::common::COUNT_MAX;
use crate::scenario::take::at_rest;
use crate::scenario::vessel::scaled;
use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Packings that may be asked for.
pub(in crate::scenario) const PACKINGS: std::ops::RangeInclusive<f64> = 0.01..=0.9;
/// How far the packing may be from the wanted one, as a share of it.
const TOLERANCE: f64 = 0.01;
/// Spheres are so much smaller, as a share, than those that were packed: what is left of overlaps is then none.
const SLACK: f64 = 1e-3;
/// Points at random until a layer counts as too thin to be met.
const TRIES: usize = 100_000;
/// Points of a boulder that tell which layers it is in.
const SAMPLES: usize = 400;

/// A group of bodies, for messages.
pub(in crate::scenario) struct At<'a> {
    /// the scenario
    pub scenario: &'a Scenario,
    /// number of the group
    pub group: usize,
}

impl At<'_> {
    /// A key of the group with its file.
    pub(in crate::scenario) fn name(&self, key: &str) -> String {
        let file = self.scenario.source.as_ref().map_or(self.scenario.name.as_str(), |s| s.file.as_str());
        format!("{file}: bodies.{}.{key}", self.group)
    }

    /// A fault of a key of the group.
    pub(in crate::scenario) fn fault(&self, key: &str, what: impl Into<String>, remedy: impl Into<String>) -> Error {
        self.scenario.fault(&format!("bodies.{}.{key}", self.group), what, remedy).into()
    }
}

/// What lies in one surface and in no other further inside.
struct Shell<'a> {
    /// its surface
    outer: usize,
    /// the surface further inside
    inner: Option<usize>,
    volume_m3: f64,
    packing: f64,
    radius: &'a Sizes,
    material: Option<usize>,
    /// its key, with a point behind it
    key: String,
}

/// The container and its layers.
pub(super) struct Room<'a> {
    /// the container first, then the layers, the innermost first
    walls: Vec<Wall>,
    boxes: Vec<Bounds>,
    shells: Vec<Shell<'a>>,
    volume_m3: f64,
}

/// The bodies of a container, boulders first.
pub(in crate::scenario) fn fill(order: &Order, at: &At, rng: &mut Pcg64Mcg) -> Result<Vec<ListItem>> {
    let room = Room::new(order, at)?;
    let boulders = boulders(order, &room, at, rng)?;
    let radii = room.radii(&boulders, at, rng)?;
    let mut items: Vec<ListItem> =
        boulders.iter().map(|b| ListItem { material: b.material, ..at_rest(b.position_m, b.radius_m) }).collect();
    let levels = held(&boulders);
    let mut shells = vec![];
    for (s, (shell, radii)) in room.shells.iter().zip(&radii).enumerate() {
        for radius_m in radii {
            let start = room.start(shell, &boulders, &levels, at, rng)?;
            items.push(ListItem { material: shell.material, ..at_rest(start, *radius_m) });
            shells.push(s);
        }
    }
    room.settle(&mut items, &shells, at, rng)?;
    Ok(items)
}

fn held(boulders: &[Boulder]) -> Levels {
    let mut levels = Levels::new(&boulders.iter().map(|b| b.radius_m).collect::<Vec<_>>());
    boulders.iter().enumerate().for_each(|(k, b)| levels.put(k, b.position_m, b.radius_m));
    levels
}

impl<'a> Room<'a> {
    fn new(order: &'a Order, at: &At) -> Result<Room<'a>> {
        let outer = order.container.surface(&at.name("container"))?;
        let (mut surfaces, mut shells) = (vec![], vec![]);
        for (k, layer) in order.layers.iter().enumerate() {
            let surface = match (&layer.container, layer.fraction) {
                (Some(own), _) => own.surface(&at.name(&format!("layers.{k}.container")))?,
                (None, times) => scaled(&outer, times.unwrap_or(0.5)),
            };
            let (inner, volume_m3) = ((k > 0).then_some(k), surface.volume_m3);
            let (packing, radius, material) = (layer.packing, &layer.radius, layer.material);
            shells.push(Shell {
                outer: k + 1,
                inner,
                volume_m3,
                packing,
                radius,
                material,
                key: format!("layers.{k}."),
            });
            surfaces.push(surface);
        }
        let (packing, radius) = (order.packing, &order.radius);
        let inner = (!surfaces.is_empty()).then_some(surfaces.len());
        let volume_m3 = outer.volume_m3;
        shells.push(Shell { outer: 0, inner, volume_m3, packing, radius, material: None, key: String::new() });
        surfaces.insert(0, outer);
        let walls: Vec<Wall> = surfaces.iter().map(Wall::new).collect();
        nested(&surfaces, &walls, at)?;
        for k in (1..shells.len()).rev() {
            shells[k].volume_m3 -= shells[k - 1].volume_m3;
        }
        let boxes = surfaces.iter().map(|s| bounds(s.vertices_m.iter().map(|v| *v + s.origin_m))).collect();
        Ok(Room { walls, boxes, shells, volume_m3 })
    }

    /// The container's surface.
    pub(super) fn container(&self) -> &Wall {
        &self.walls[0]
    }

    /// A point of the box around the container (m).
    pub(super) fn somewhere(&self, rng: &mut Pcg64Mcg) -> DVec3 {
        in_box(self.boxes[0], rng)
    }

    fn is_in(&self, shell: &Shell, p: DVec3) -> bool {
        self.walls[shell.outer].holds(p) && shell.inner.is_none_or(|inner| !self.walls[inner].holds(p))
    }

    /// Radii for each shell, which fill it as far as boulders do not.
    fn radii(&self, boulders: &[Boulder], at: &At, rng: &mut Pcg64Mcg) -> Result<Vec<Vec<f64>>> {
        let mut taken = vec![0.0; self.shells.len()];
        for b in boulders {
            let shares = self.shares(b);
            taken.iter_mut().zip(shares).for_each(|(t, share)| *t += share * ball_m3(b.radius_m));
        }
        let mut all = vec![];
        for (shell, taken) in self.shells.iter().zip(taken) {
            let key = format!("{}packing", shell.key);
            let (wanted, volume) = (shell.packing * shell.volume_m3, shell.volume_m3);
            if taken > wanted * (1.0 + TOLERANCE) {
                let filled = digits(taken / volume, 3);
                let what = format!("{}: boulders alone fill {filled} of the volume", shell.packing);
                return Err(at.fault(&key, what, "raise it, or take smaller or fewer boulders"));
            }
            let radii = shell.radius.filling(wanted - taken, COUNT_MAX as usize, rng).ok_or_else(|| {
                let what = format!("takes more than {} bodies", whole(COUNT_MAX));
                at.fault(&format!("{}radius_m", shell.key), what, "take larger ones, or a smaller container")
            })?;
            let filled = taken + radii.iter().map(|r| ball_m3(*r)).sum::<f64>();
            if (filled / wanted - 1.0).abs() > TOLERANCE {
                let (share, bodies) = (filled / volume, whole(radii.len() as u64));
                let nearest = digits(share, 4);
                let what =
                    format!("{}: so large bodies come no nearer than {nearest}, by {bodies} of them", shell.packing);
                let remedy = match PACKINGS.contains(&share) && radii.len() > 1 {
                    true => "take smaller bodies, a larger container, or that packing",
                    false => "take smaller bodies, or a larger container",
                };
                return Err(at.fault(&key, what, remedy));
            }
            all.push(radii);
        }
        Ok(all)
    }

    /// How a boulder is shared by the shells.
    fn shares(&self, b: &Boulder) -> Vec<f64> {
        if let [_] = self.shells[..] {
            return vec![1.0];
        }
        // a sequence that fills a cube evenly: powers of the root of x^4 = x + 1
        let step = DVec3::new(0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_960_8);
        let points = (1..).map(|n| 2.0 * (f64::from(n) * step).fract() - 1.0).filter(|p| p.length() < 1.0);
        let points: Vec<DVec3> = points.take(SAMPLES).map(|p| b.position_m + b.radius_m * p).collect();
        let share = |s: &Shell| points.iter().filter(|p| self.is_in(s, **p)).count() as f64 / SAMPLES as f64;
        self.shells.iter().map(share).collect()
    }

    /// A point of a shell that is in no boulder (m).
    fn start(
        &self,
        shell: &Shell,
        boulders: &[Boulder],
        levels: &Levels,
        at: &At,
        rng: &mut Pcg64Mcg,
    ) -> Result<DVec3> {
        for _ in 0..TRIES {
            let p = in_box(self.boxes[shell.outer], rng);
            let mut free = true;
            levels.near(p, 0.0, |k| {
                free = p.distance(boulders[k].position_m) > boulders[k].radius_m;
                free
            });
            if free && self.is_in(shell, p) {
                return Ok(p);
            }
        }
        let what = "there is no room for a body: the container or the layer is too thin, or boulders fill it";
        Err(at.fault(&format!("{}packing", shell.key), what, "make room"))
    }

    /// Moves the bodies behind the boulders until none overlaps; `shells`: of each of them.
    fn settle(&self, items: &mut [ListItem], shells: &[usize], at: &At, rng: &mut Pcg64Mcg) -> Result<()> {
        let fixed = items.len() - shells.len();
        let radius_m: Vec<f64> = items.iter().map(|i| i.radius_m / (1.0 - SLACK)).collect();
        let mut watches = vec![];
        for (k, s) in (fixed..).zip(shells) {
            let shell = &self.shells[*s];
            watches.push(Watch::new(k, 0, 1.0, radius_m[k]));
            watches.extend((shell.outer > 0).then(|| Watch::new(k, shell.outer, 1.0, 0.0)));
            watches.extend(shell.inner.map(|inner| Watch::new(k, inner, -1.0, 0.0)));
        }
        let position_m = items.iter().map(|i| i.position_m).collect();
        let mut crowd = Crowd { position_m, radius_m, fixed, walls: &self.walls, watches, slack: SLACK };
        let settled = crowd.pack(rng);
        if let Settled::At { share } = settled {
            let volume = |items: &[ListItem]| items.iter().map(|i| ball_m3(i.radius_m)).sum::<f64>();
            let reached = (volume(&items[..fixed]) + share * volume(&items[fixed..])) / self.volume_m3;
            let what = format!(
                "{} is not reached: the largest packing that these bodies came to in this container is {}",
                digits(volume(items) / self.volume_m3, 4),
                digits(reached, 3)
            );
            let remedy = "lower it, take smaller bodies, which waste less room at the walls, or a wider range of sizes: \
                          equal spheres reach 0.64 far from walls";
            return Err(at.fault("packing", what, remedy));
        }
        items.iter_mut().zip(&crowd.position_m).for_each(|(item, p)| item.position_m = *p);
        Ok(())
    }
}

fn in_box([low, high]: Bounds, rng: &mut Pcg64Mcg) -> DVec3 {
    low + (high - low) * DVec3::from_array([0; 3].map(|_| rng.random_range(0.0..1.0)))
}

/// Whether an edge of one surface crosses the other.
fn cross(surface: &Surface, other: &Wall) -> bool {
    let sides = surface.triangles.iter().flat_map(|t| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]));
    let at = |v: u32| surface.vertices_m[v as usize] + surface.origin_m;
    // each edge is a side of two triangles
    sides.filter(|[a, b]| a < b).any(|[a, b]| other.crosses(at(a), at(b)))
}

/// The fault of a layer that is not within the next one: with a vertex outside, or where one runs through the other.
fn nested(surfaces: &[Surface], walls: &[Wall], at: &At) -> Result<()> {
    for k in 1..surfaces.len() {
        let (around, name) = if k + 1 < surfaces.len() { (k + 1, "the next layer") } else { (0, "the container") };
        let outside = surfaces[k].vertices_m.iter().any(|v| !walls[around].holds(*v + surfaces[k].origin_m));
        if outside || cross(&surfaces[k], &walls[around]) || cross(&surfaces[around], &walls[k]) {
            let what = format!("the layer reaches out of {name}");
            let remedy = "layers are listed from the innermost to the outermost: make it smaller, or move it";
            return Err(at.fault(&format!("layers.{}", k - 1), what, remedy));
        }
    }
    Ok(())
}
