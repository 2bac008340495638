//! A user's law in f64: the text that the GPU runs, run by [`super::interpret`].

use super::interface::Checked;
use super::interpret::call;
use super::value::Value;
use crate::physics::laws::contact::{ContactResult, ContactState, Most, Normal, Springs, Twin};
use glam::DVec3;

/// The law with constants for two materials. Like the GPU it counts a step as the unit of time, so that one that is made
/// for SI has the unit kg m^2/step^2 of energy.
#[derive(Debug)]
pub struct OwnTwin {
    law: &'static Checked,
    /// `struct Law`
    row: Value,
    /// its steps (s), or 1 for those of the GPU
    step: f64,
}

/// What two rows of a contact's memory hold.
fn rows(springs: &Springs) -> [Value; 2] {
    let first = springs.sliding.to_array().into_iter().chain([springs.twisting]);
    [Value::vector(first), Value::vector(springs.rolling.to_array())]
}

fn vector(value: &Value) -> Option<DVec3> {
    let [x, y, z] = value.numbers()?.try_into().ok()?;
    Some(DVec3::new(x, y, z))
}

impl OwnTwin {
    /// The law with `constants` by the names of its members, for steps of `step`.
    pub fn new(law: &'static Checked, constants: &[(&'static str, f64)], step: f64) -> OwnTwin {
        let value = |name: &&str| constants.iter().find(|c| c.0 == *name).map_or(0.0, |c| c.1);
        let row = Value::vector(law.members("Law").iter().map(value));
        OwnTwin { law, row, step }
    }

    fn state(&self, s: &ContactState) -> Value {
        let [first, second] = rows(&s.springs);
        let vector = |v: DVec3| Value::vector(v.to_array());
        let member = |name: &str| match name {
            "normal" => vector(s.normal),
            "overlap" => Value::Number(s.overlap),
            "velocity" => vector(s.velocity * self.step),
            "arm_i" => Value::Number(s.arm_i),
            "spin_i" => vector(s.spin_i * self.step),
            "arm_j" => Value::Number(s.arm_j),
            "spin_j" => vector(s.spin_j * self.step),
            "mass" => Value::Number(s.mass),
            "first" => first.clone(),
            "second" => second.clone(),
            "radius" => Value::Number(s.radius),
            _ => Value::Number(s.before),
        };
        Value::List(self.law.members("ContactState").into_iter().map(member).collect())
    }

    fn run(&self, name: &str, arguments: Vec<Value>) -> Option<Value> {
        call(&self.law.module, self.law.function(name), arguments)
    }

    /// Energies by channel (J); NaN if the law does not end, as everything that it gives then.
    fn energies(&self, name: &str, s: &ContactState) -> [f64; 4] {
        let found = self.run(name, vec![self.row.clone(), self.state(s)]).and_then(|v| v.numbers()?.try_into().ok());
        found.map_or([f64::NAN; 4], |e: [f64; 4]| e.map(|e| e / (self.step * self.step)))
    }

    fn result(&self, value: &Value) -> Option<ContactResult> {
        let names = self.law.members("ContactResult");
        let member = |name: &str| value.list()?.get(names.iter().position(|n| *n == name)?);
        let scale = 1.0 / (self.step * self.step);
        let [x, y, z, w] = member("first")?.numbers()?.try_into().ok()?;
        let dissipated: [f64; 4] = member("dissipated")?.numbers()?.try_into().ok()?;
        Some(ContactResult {
            force: vector(member("force")?)? * scale,
            torque_i: vector(member("torque_i")?)? * scale,
            torque_j: vector(member("torque_j")?)? * scale,
            springs: Springs {
                sliding: DVec3::new(x, y, z),
                twisting: w,
                rolling: vector(member("second")?)?,
                ..Springs::default()
            },
            dissipated: dissipated.map(|e| e * scale),
        })
    }
}

impl Twin for OwnTwin {
    fn arm(&self, radius_i: f64, radius_j: f64, distance: f64) -> f64 {
        let gap = distance - radius_i - radius_j;
        let arguments = [radius_i, radius_j, gap, distance].map(Value::Number);
        self.run("contact_arm", arguments.into()).and_then(|v| v.number()).unwrap_or(f64::NAN)
    }

    /// `dt` is the step that the law was made for.
    fn force(&self, s: &ContactState, _dt: f64) -> ContactResult {
        let found = self.run("contact_force", vec![self.row.clone(), self.state(s)]);
        let lost = ContactResult { force: DVec3::NAN, dissipated: [f64::NAN; 4], ..ContactResult::default() };
        found.and_then(|value| self.result(&value)).unwrap_or(lost)
    }

    fn normal(&self, radius: f64, overlap: f64) -> Normal {
        let arguments = vec![self.row.clone(), Value::Number(radius), Value::Number(overlap)];
        let found = self.run("normal_spring", arguments).and_then(|v| v.numbers()?.try_into().ok());
        let [force, energy] = found.map_or([f64::NAN; 2], |n: [f64; 2]| n.map(|n| n / (self.step * self.step)));
        Normal { force, energy }
    }

    fn held(&self, radius: f64, before: f64, springs: &Springs) -> [f64; 3] {
        let s = ContactState { radius, before, overlap: before, springs: *springs, ..ContactState::default() };
        let [normal, sliding, rolling, twisting] = self.energies("held_energy", &s);
        [normal + sliding, rolling, twisting]
    }

    fn end(&self, radius: f64, before: f64, overlap: f64, springs: &Springs) -> [f64; 4] {
        let s = ContactState { radius, before, overlap, springs: *springs, ..ContactState::default() };
        self.energies("contact_end", &s)
    }

    /// As the rows are, whatever the law means by them.
    fn memory(&self, first: [f32; 4], second: [f32; 3]) -> Springs {
        Springs::stretched(first, second)
    }

    /// By halving: the overlap at which the normal spring holds the energy of the approach.
    fn deepest(&self, mass: f64, radius: f64, speed: f64) -> f64 {
        let wanted = 0.5 * mass * speed * speed;
        let (mut low, mut high) = (0.0, radius);
        for _ in 0..100 {
            let mid = 0.5 * (low + high);
            if self.normal(radius, mid).energy < wanted { low = mid } else { high = mid }
        }
        high
    }

    fn most(&self, s: &ContactState, speed: f64) -> Most {
        let fastest = ContactState { velocity: -speed * s.normal, ..*s };
        let held: f64 = self.held(s.radius, s.overlap.max(s.before), &s.longest(speed)).iter().sum();
        Most { force: self.force(&fastest, self.step).force.length(), stored: 2.0 * held.abs() }
    }
}
