//! `[collision]`: two groups of bodies, target and projectile, on their way to an impact (Guidos et al. 2024, section 3 and
//! Fig. 4), in the frame of the common mass centre.

use super::place::{Whole, whole};
use crate::base::cores::on_all_cores;
use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::readable::number;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::base::units::G;
use crate::model::body::Bodies;
use crate::model::scenario::{CollisionSpec, GravitySource, Impact, ImpactSpeed, Placing, Scenario};
use crate::physics::measure::momentum::MomentumSums;
use crate::physics::measure::whole::{principal_moments, rigid_spin_rad_s};
use glam::{DVec2, DVec3};
use std::f64::consts::PI;
use std::ops::Range;

/// Keys of `[collision]`.
pub(super) const KEYS: &[Key] = &[
    Key::within("impact_angle_deg", D::Pure, 0.0, 90.0)
        .required()
        .says("angle at contact between the relative velocity and the line of centres, in degrees")
        .eg("22"),
    Key::positive("eta", D::Pure)
        .without("see speed_m_s")
        .says("kinetic energy of the relative motion at contact over the potential energy")
        .eg("3"),
    Key::positive("speed_m_s", D::Speed).without("see eta").says("relative speed at contact").eg("\"1 m/s\""),
    Key::positive("speed_over_escape", D::Pure)
        .without("see eta")
        .says("relative speed at contact over the mutual escape speed")
        .eg("2"),
    Key::not_negative("gap_m", D::Length)
        .or(0.0)
        .says("distance at the start between the spheres that hold the groups")
        .eg("\"10 km\""),
];

/// `[collision]`, if there is one.
pub(super) fn collision(root: &Table) -> Option<CollisionSpec> {
    let t = root.table_if("collision")?;
    let given: Vec<&str> = ["eta", "speed_m_s", "speed_over_escape"].into_iter().filter(|key| t.has(key)).collect();
    if given.is_empty() {
        t.fault("eta", "the speed at contact is missing", "give one of eta, speed_m_s and speed_over_escape");
    }
    for more in given.iter().skip(1) {
        t.fault(
            more,
            format!("conflicts with {}, which gives the speed at contact too", given[0]),
            "remove one of the two",
        );
    }
    let key = given.first().copied().unwrap_or("eta");
    let value = t.value_if(key).unwrap_or(1.0);
    let speed = match key {
        "speed_m_s" => ImpactSpeed::SpeedMS(value),
        "speed_over_escape" => ImpactSpeed::SpeedOverEscape(value),
        _ => ImpactSpeed::Eta(value),
    };
    let spec = CollisionSpec { impact_angle_deg: t.value("impact_angle_deg"), speed, gap_m: t.value("gap_m") };
    t.close();
    Some(spec)
}

/// The faults of a collision with other groups, without self-gravity, or whose groups are moved besides.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    if scenario.collision.is_none() {
        return;
    }
    if scenario.bodies.len() != 2 {
        root.fault(
            "collision",
            format!("needs two [[bodies]] groups, target and projectile, but there are {}", scenario.bodies.len()),
            "remove the other groups, or remove [collision] and move groups by offset_m and velocity_m_s",
        );
    }
    if !scenario.has_self_gravity() {
        root.fault(
            "collision",
            "needs the gravity of the bodies, which binds the groups",
            "add a [[gravity]] of kind = \"self\"",
        );
    }
    if let Some(other) = scenario.gravity.iter().find(|g| !matches!(g, GravitySource::SelfGravity { .. })) {
        let what = format!(
            "conflicts with [[gravity]] of kind = \"{}\": speed, angle and start are those of two groups that nothing else attracts",
            other.kind()
        );
        root.fault("collision", what, "remove one of the two, or move groups by offset_m and velocity_m_s");
    }
    let moved = |p: &Placing| p.offset_m != DVec3::ZERO || p.velocity_m_s != DVec3::ZERO;
    if scenario.bodies.iter().any(|g| moved(&g.placing)) {
        let what = "conflicts with offset_m and velocity_m_s of its groups, whose positions and velocities it sets";
        root.fault("collision", what, "remove offset_m and velocity_m_s");
    }
}

/// Puts target and projectile at the start of the collision.
pub(super) fn arrange(
    scenario: &Scenario,
    spec: &CollisionSpec,
    b: &mut Bodies,
    groups: &[Range<usize>],
) -> Result<Impact> {
    let fault = |what: &str, remedy: &str| scenario.fault("collision", what, remedy);
    let [target, projectile] = groups else {
        return Err(fault("needs two [[bodies]] groups", "give a target and a projectile").into());
    };
    let groups = [target.clone(), projectile.clone()];
    if groups.iter().any(|g| b.mass_kg[g.clone()].iter().sum::<f64>() <= 0.0) {
        return Err(fault("a group has no bodies", "give target and projectile some").into());
    }
    let [t, p] = groups.clone().map(|g| whole(b, g));
    let contact = (t.radius_m + p.radius_m) * DVec2::from_angle(spec.impact_angle_deg.to_radians());
    move_to(b, &groups, contact, DVec2::ZERO);
    let mut impact = at_contact(spec, b, &groups, [t, p]);
    let velocity = DVec2::new(-impact.speed_m_s, 0.0);
    let way = Conic { gm: G * (t.mass_kg + p.mass_kg), position: contact, velocity };
    // the radius of the sphere with the moments of a ring or a binary may be larger than what holds it
    let held = t.reach_m + p.reach_m;
    let apart = (held + spec.gap_m).max(contact.length());
    let (position, velocity) = way.before(apart).ok_or_else(|| unreachable_start(scenario, spec, impact.speed_m_s))?;
    if apart > held + spec.gap_m {
        impact.gap_m = apart - held;
    }
    impact.speed_start_m_s = velocity.length();
    impact.time_to_contact_s = way.time_from_s(apart);
    move_to(b, &groups, position, velocity);
    Ok(impact)
}

/// The collision in numbers, the groups being in contact; of the start nothing is known yet.
fn at_contact(spec: &CollisionSpec, b: &Bodies, groups: &[Range<usize>; 2], [t, p]: [Whole; 2]) -> Impact {
    let (total, touch) = (t.mass_kg + p.mass_kg, t.radius_m + p.radius_m);
    let reduced = t.mass_kg * p.mass_kg / total;
    let potential_j = groups.clone().map(|g| 0.5 * pairs(b, g.clone(), g));
    let potential_mutual_j = pairs(b, groups[0].clone(), groups[1].clone());
    let bound = -(potential_j[0] + potential_j[1] + potential_mutual_j);
    let escape_speed_m_s = (2.0 * G * total / touch).sqrt();
    let speed_m_s = match spec.speed {
        ImpactSpeed::Eta(eta) => (2.0 * eta * bound / reduced).sqrt(),
        ImpactSpeed::SpeedMS(speed) => speed,
        ImpactSpeed::SpeedOverEscape(ratio) => ratio * escape_speed_m_s,
    };
    let kinetic = 0.5 * reduced * speed_m_s * speed_m_s;
    Impact {
        mass_kg: [t.mass_kg, p.mass_kg],
        radius_m: [t.radius_m, p.radius_m],
        reach_m: [t.reach_m, p.reach_m],
        rotation_rad_s: groups.clone().map(|g| rotation_rad_s(&b.select(&g.collect::<Vec<_>>())).to_array()),
        potential_j,
        potential_mutual_j,
        eta: kinetic / bound,
        speed_m_s,
        escape_speed_m_s,
        specific_energy_j_kg: kinetic / total,
        impact_angle_deg: spec.impact_angle_deg,
        impact_parameter_m: touch * spec.impact_angle_deg.to_radians().sin(),
        gap_m: spec.gap_m,
        speed_start_m_s: 0.0,
        time_to_contact_s: 0.0,
    }
}

/// The rigid rotation with the angular momentum of bodies about their mass centre, spins included (rad/s).
fn rotation_rad_s(b: &Bodies) -> DVec3 {
    let (centre, drift) = (b.mean_by_mass(&b.position_m), b.mean_by_mass(&b.velocity_m_s));
    let (_, moments, axes) = principal_moments(b, centre);
    rigid_spin_rad_s(MomentumSums::about(centre, drift, b).angular(), moments, axes)
}

fn unreachable_start(scenario: &Scenario, spec: &CollisionSpec, speed_m_s: f64) -> Error {
    let [speed, gap] = [speed_m_s, spec.gap_m].map(number);
    let what = format!("groups that meet at {speed} m/s are bound and were never {gap} m apart");
    scenario.fault("collision.gap_m", what, "lower gap_m, or raise the speed").into()
}

/// Puts the mass centre of the projectile at `position` (m) from that of the target, moving at `velocity` (m/s) past
/// it, and the common mass centre at rest in the origin.
fn move_to(b: &mut Bodies, groups: &[Range<usize>; 2], position: DVec2, velocity: DVec2) {
    let [t, p] = groups.clone().map(|g| whole(b, g));
    let total = t.mass_kg + p.mass_kg;
    for (group, whole, share) in [(&groups[0], t, -p.mass_kg / total), (&groups[1], p, t.mass_kg / total)] {
        let shift = share * position.extend(0.0) - whole.centre_m;
        let kick = share * velocity.extend(0.0) - whole.velocity_m_s;
        for i in group.clone() {
            b.position_m[i] += shift;
            b.velocity_m_s[i] += kick;
        }
    }
}

/// Potential energy of all pairs of a body of `one` and another of `other`, each pair twice if they are the same (J).
fn pairs(b: &Bodies, one: Range<usize>, other: Range<usize>) -> f64 {
    let of = |i: &usize| {
        let each = other.clone().filter(|j| j != i).map(|j| b.mass_kg[j] / b.position_m[*i].distance(b.position_m[j]));
        -G * b.mass_kg[*i] * each.sum::<f64>()
    };
    let list: Vec<usize> = one.collect();
    on_all_cores(&list, of).into_iter().sum()
}

/// Motion of two mass points about each other, in its plane.
struct Conic {
    /// of both together (m3/s2)
    gm: f64,
    /// of one from the other (m)
    position: DVec2,
    /// of one past the other (m/s)
    velocity: DVec2,
}

impl Conic {
    /// Square of the radial speed at the distance `r` (m2/s2); below 0 where it never is.
    fn radial_squared(&self, r: f64) -> f64 {
        let (r1, v1) = (self.position.length(), self.velocity.length_squared());
        v1 + 2.0 * self.gm * (1.0 / r - 1.0 / r1) - (self.position.perp_dot(self.velocity) / r).powi(2)
    }

    /// Time on the way in from the distance `r`, where it has been, to here (s).
    fn time_from_s(&self, r: f64) -> f64 {
        // Distances go as a cosine: the radial speed may be zero at either end, and below by rounding.
        const PARTS: i32 = 2000;
        let (here, angle) = (self.position.length(), PI / f64::from(PARTS));
        let part = |k: i32| {
            let (sin, cos) = (angle * (f64::from(k) + 0.5)).sin_cos();
            let square = self.radial_squared(here + 0.5 * (r - here) * (1.0 - cos));
            if square > 0.0 { sin / square.sqrt() } else { 0.0 }
        };
        0.5 * (r - here) * angle * (0..PARTS).map(part).sum::<f64>()
    }

    /// Position and velocity on the way in at the distance `r` (m); `None` if it never was so far on this way.
    fn before(&self, r: f64) -> Option<(DVec2, DVec2)> {
        let r1 = self.position.length();
        let h = self.position.perp_dot(self.velocity);
        let (radial1, across) = (self.position.dot(self.velocity) / r1, h / r);
        if r == r1 {
            return Some((self.position, self.velocity));
        }
        let inwards = self.radial_squared(r);
        if inwards < 0.0 {
            return None;
        }
        let radial = -inwards.sqrt();
        // of the true anomaly f: e cos f = h^2 / (gm r) - 1, e sin f = h v_r / gm
        let anomaly = |r: f64, radial: f64| f64::atan2(h * radial / self.gm, h * h / (self.gm * r) - 1.0);
        let swept = anomaly(r, radial) - anomaly(r1, radial1);
        let (sin, cos) = (self.position.to_angle() + swept).sin_cos();
        let out = DVec2::new(cos, sin);
        Some((r * out, radial * out + across * out.perp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way back, followed forwards in small steps (velocity Verlet), ends where the contact is.
    #[test]
    fn the_start_leads_to_the_contact() {
        let gm = 8.2e9;
        for (angle, speed, gap) in
            [(0.0f64, 262.0, 2e5), (22.0, 640.0, 4e5), (44.0, 180.0, 1e5), (80.0, 900.0, 1e6), (44.0, 640.0, 0.0)]
        {
            let contact = 4.06e5 * DVec2::from_angle(angle.to_radians());
            let velocity = DVec2::new(-speed, 0.0);
            let way = Conic { gm, position: contact, velocity };
            let (mut x, mut v) = way.before(4.06e5 + gap).expect("comes from there");
            assert!((x.length() - 4.06e5 - gap).abs() < 1e-6);
            assert!(v.dot(x) <= 0.0);
            let (pull, h) = (|x: DVec2| -gm * x / x.length().powi(3), 0.01);
            let mut time = 0.0;
            // up to the contact, on whose line the rest is less than a step
            while (x - contact).dot(velocity) < 0.0 {
                v += 0.5 * h * pull(x);
                x += h * v;
                v += 0.5 * h * pull(x);
                time += h;
            }
            let over = (x - contact).dot(velocity) / velocity.dot(v);
            x -= v * over;
            assert!(x.distance(contact) < 1.0, "{angle} deg: {x} is not {contact}");
            assert!(v.distance(velocity) < 1e-3 * speed, "{angle} deg: {v} is not {velocity}");
            let told = way.time_from_s(4.06e5 + gap);
            assert!((told - time + over).abs() < 1e-5 * (1.0 + time), "{angle} deg: {told} s is not {time} s");
        }
    }

    #[test]
    fn bound_pairs_do_not_come_from_far() {
        let way = Conic { gm: 8.2e9, position: DVec2::new(4.06e5, 0.0), velocity: DVec2::new(-150.0, 0.0) };
        // apoapsis: 1/r = 1/r1 - v^2 / (2 gm)
        let apoapsis = 1.0 / (1.0 / 4.06e5 - 150f64.powi(2) / (2.0 * 8.2e9));
        assert!(way.before(0.999 * apoapsis).is_some() && way.before(1.001 * apoapsis).is_none());
        assert_eq!(Conic { velocity: DVec2::new(0.0, 150.0), ..way }.time_from_s(4.06e5), 0.0);
        // from the apoapsis, by Kepler's equation: half of the ellipse less the way from here to its centre
        let (a, here) = (0.5 * apoapsis, 4.06e5 / (0.5 * apoapsis) - 1.0);
        let fall = (here.acos() + (1.0 - here * here).sqrt()) * (a.powi(3) / 8.2e9).sqrt();
        let told = way.time_from_s(apoapsis * (1.0 - 1e-15));
        assert!((told / fall - 1.0).abs() < 1e-5, "{told} s is not {fall} s");
    }
}
