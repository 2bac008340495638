//! Spheres that overlap push each other apart until none does: damped motion of unit springs whose damping and step follow
//! the power of the forces (FIRE: Bitzek et al. 2006; Guenole et al. 2020).

use super::wall::{Wall, Watch};
use crate::geometry::generate::direction;
use crate::geometry::levels::Levels;
use glam::DVec3;
use rand_pcg::Pcg64Mcg;

/// Spheres on their way to where none overlaps.
pub(super) struct Crowd<'a> {
    /// centres (m)
    pub(super) position_m: Vec<DVec3>,
    /// radii, a little larger than the spheres will be (m)
    pub(super) radius_m: Vec<f64>,
    /// the first so many never move
    pub(super) fixed: usize,
    /// surfaces
    pub(super) walls: &'a [Wall],
    /// who keeps away from which
    pub(super) watches: Vec<Watch>,
    /// a pair that overlaps by less than this share of both radii is apart
    pub(super) slack: f64,
}

/// Neighbours are listed up to this share of the least radius beyond contact.
const SKIN: f64 = 0.4;
/// Contacts that a sphere of mass 1 has at most.
const CONTACTS: f64 = 12.0;
/// Steps without a fall of power until the step grows (Bitzek et al. 2006, with the next four).
const DELAY: u32 = 5;
const GROW: f64 = 1.1;
const SHRINK: f64 = 0.5;
const MIX: f64 = 0.1;
const MIX_FALL: f64 = 0.99;
/// Least and largest step: springs are 1, a mass has 12 of them at most.
const STEPS: [f64; 2] = [0.02, 0.4];

/// How far spheres overlap.
struct Pushed {
    /// the largest overlap over both radii, or that with a wall over one
    worst: f64,
    /// of all overlaps (m2)
    squares: f64,
}

impl Pushed {
    fn note(&mut self, depth: f64, length: f64) {
        self.worst = self.worst.max(depth / length);
        self.squares += depth * depth;
    }
}

struct Pairs {
    list: Vec<[u32; 2]>,
    /// centres when they were listed (m)
    at: Vec<DVec3>,
    skin_m: f64,
    mass: Vec<f64>,
}

/// Steps of a first attempt, of one after the spheres were stirred, and of one with smaller spheres.
const ATTEMPTS: [u32; 3] = [1500, 3000, 400];
/// An overlap over both radii that stirring does not undo.
const HOPELESS: f64 = 0.1;
/// Steps of stirring, one attempt after another.
const STIRS: [u32; 2] = [1000, 4000];
/// Mean speed of stirring at its start, in mean radii over a unit of time.
const STIR_SPEED: f64 = 0.05;
/// Spheres that do not settle lose this share of their volume.
const LESS: f64 = 0.01;
/// Forces without balance, squared, over overlaps, squared, at which spheres are stuck.
const STUCK: f64 = 1e-7;

/// What came of packing.
pub(super) enum Settled {
    /// none overlaps
    Apart,
    /// none would, had those that move this share of their volume, so far as is known
    At {
        /// below 1
        share: f64,
    },
}

impl Crowd<'_> {
    /// Moves the spheres until none overlaps, if they can; if not, finds how much smaller they would have to be.
    pub(super) fn pack(&mut self, rng: &mut Pcg64Mcg) -> Settled {
        let mut worst = self.settle(ATTEMPTS[0]);
        for steps in STIRS {
            if worst > self.slack && worst < HOPELESS {
                self.stir(steps, rng);
                worst = self.settle(ATTEMPTS[1]);
            }
        }
        if worst <= self.slack {
            return Settled::Apart;
        }
        let mut share = 1.0;
        while share > LESS && self.settle(ATTEMPTS[2]) > self.slack {
            share -= LESS;
            let times = (share / (share + LESS)).cbrt();
            self.radius_m[self.fixed..].iter_mut().for_each(|r| *r *= times);
            // margins are radii, or nothing at boundaries that only centres keep to
            self.watches.iter_mut().for_each(|w| w.margin_m *= times);
        }
        Settled::At { share }
    }

    /// Steps until none overlaps, all are stuck, or so many steps were taken; the largest overlap over both radii.
    fn settle(&mut self, steps: u32) -> f64 {
        let n = self.position_m.len();
        let (mut velocity, mut force) = (vec![DVec3::ZERO; n], vec![DVec3::ZERO; n]);
        let (mut dt, mut mix, mut rising) = (0.1, MIX, 0);
        let mut pairs = self.pairs();
        let mut worst = f64::INFINITY;
        for _ in 0..steps {
            if self.moved_too_far(&pairs) {
                pairs = self.pairs();
            }
            let mut pushed = self.push(&pairs, &mut force, false);
            if pushed.worst <= self.slack {
                pushed = self.push(&pairs, &mut force, true);
            }
            worst = pushed.worst;
            if worst <= self.slack {
                return worst;
            }
            let movers = self.fixed..n;
            let net: f64 = force[movers.clone()].iter().map(|f| f.length_squared()).sum();
            if net < STUCK * pushed.squares {
                return worst;
            }
            let power: f64 = movers.clone().map(|k| force[k].dot(velocity[k])).sum();
            if power > 0.0 {
                rising += 1;
                if rising > DELAY {
                    dt = (dt * GROW).min(STEPS[1]);
                    mix *= MIX_FALL;
                }
            } else {
                (rising, mix, dt) = (0, MIX, (dt * SHRINK).max(STEPS[0]));
                velocity.fill(DVec3::ZERO);
            }
            movers.clone().for_each(|k| velocity[k] += dt / pairs.mass[k] * force[k]);
            let speed: f64 = movers.clone().map(|k| velocity[k].length_squared()).sum();
            let ratio = (speed / net.max(f64::MIN_POSITIVE)).sqrt();
            movers.clone().for_each(|k| velocity[k] = (1.0 - mix) * velocity[k] + mix * ratio * force[k]);
            self.advance(&velocity, dt);
        }
        worst
    }

    /// Motion without damping from random velocities, whose mean falls steadily to nothing.
    fn stir(&mut self, steps: u32, rng: &mut Pcg64Mcg) {
        let n = self.position_m.len();
        let movers = self.fixed..n;
        let mut velocity = vec![DVec3::ZERO; n];
        movers.clone().for_each(|k| velocity[k] = direction(rng));
        let mut force = vec![DVec3::ZERO; n];
        let mut pairs = self.pairs();
        let count = movers.len().max(1) as f64;
        let mean_m = self.radius_m[movers.clone()].iter().sum::<f64>() / count;
        for step in 0..steps {
            if self.moved_too_far(&pairs) {
                pairs = self.pairs();
            }
            self.push(&pairs, &mut force, false);
            movers.clone().for_each(|k| velocity[k] += STEPS[1] / pairs.mass[k] * force[k]);
            let square: f64 = movers.clone().map(|k| velocity[k].length_squared()).sum();
            let wanted = STIR_SPEED * mean_m * (1.0 - f64::from(step) / f64::from(steps));
            let scale = wanted / (square / count).sqrt().max(f64::MIN_POSITIVE);
            velocity.iter_mut().for_each(|v| *v *= scale);
            self.advance(&velocity, STEPS[1]);
        }
    }

    fn advance(&mut self, velocity: &[DVec3], dt: f64) {
        let movers = self.position_m.iter_mut().zip(velocity).zip(&self.radius_m).skip(self.fixed);
        movers.for_each(|((p, v), r)| *p += (dt * *v).clamp_length_max(*r));
    }

    /// Forces of all springs.
    fn push(&mut self, pairs: &Pairs, force: &mut [DVec3], exact: bool) -> Pushed {
        force.fill(DVec3::ZERO);
        let mut pushed = Pushed { worst: 0.0, squares: 0.0 };
        for &[i, j] in &pairs.list {
            let [i, j] = [i as usize, j as usize];
            let apart = self.position_m[i] - self.position_m[j];
            let both = self.radius_m[i] + self.radius_m[j];
            let square = apart.length_squared();
            if square < both * both {
                let distance = square.sqrt();
                let depth = both - distance;
                let pull = depth * apart / distance.max(f64::MIN_POSITIVE);
                force[i] += pull;
                force[j] -= pull;
                pushed.note(depth, both);
            }
        }
        for watch in &mut self.watches {
            let k = watch.sphere;
            let radius = self.radius_m[k];
            let (depth, push) = watch.depth(&self.walls[watch.wall], self.position_m[k], radius, exact);
            if depth > 0.0 {
                force[k] += push;
                pushed.note(depth, radius);
            }
        }
        pushed
    }

    fn least_m(&self) -> f64 {
        self.radius_m.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn moved_too_far(&self, pairs: &Pairs) -> bool {
        let square = (0.5 * pairs.skin_m).powi(2);
        self.position_m.iter().zip(&pairs.at).any(|(p, q)| p.distance_squared(*q) > square)
    }

    /// Pairs that touch or nearly do.
    fn pairs(&self) -> Pairs {
        let skin_m = SKIN * self.least_m();
        let mut levels = Levels::new(&self.radius_m);
        let (mut list, mut near, mut seen) = (vec![], vec![0.0f64; self.position_m.len()], vec![]);
        for (k, (p, r)) in self.position_m.iter().zip(&self.radius_m).enumerate() {
            seen.clear();
            levels.near(*p, r + skin_m, |j| {
                if p.distance_squared(self.position_m[j]) < (r + self.radius_m[j] + skin_m).powi(2) {
                    seen.push(j);
                }
                true
            });
            seen.sort_unstable();
            seen.dedup();
            // boulders stay where they are
            for j in seen.iter().filter(|j| k >= self.fixed || **j >= self.fixed) {
                list.push([*j as u32, k as u32]);
                near[*j] += 1.0;
                near[k] += 1.0;
            }
            levels.put(k, *p, *r);
        }
        let mass = near.iter().map(|n| (n / CONTACTS).max(1.0)).collect();
        Pairs { list, at: self.position_m.clone(), skin_m, mass }
    }
}
