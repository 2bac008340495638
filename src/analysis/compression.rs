//! An aggregate between two plates (Azema et al. 2018, Phys. Rev. E 98, 030901): the mean stress that it bears at a small
//! deformation, and the inertial number that counts overburden and cohesion.

use super::report::Subject;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::units::G;
use crate::model::body::Bodies;
use crate::model::stored::resolved::{Field, Resolved, Surface};
use crate::physics::contacts::effective_radius;
use crate::physics::laws::keys::adhesion_n;
use crate::record::files::{rows, series};
use serde::Serialize;
use std::f64::consts::PI;
use std::path::Path;

/// Share of the tensile strength that counts as pressure unless another one is asked for.
pub const STRENGTH_SHARE: f64 = 0.48;

/// Deformations over which the stress is averaged.
const DEFORMATION: [f64; 2] = [0.01, 0.03];
/// Deformation that a run must have reached: that of the work.
const DEFORMED: f64 = 0.02;

/// How far the directions of the plates may be from opposite: 1 plus the product of their normals.
const ASKEW: f64 = 1e-6;

/// What two plates have done to an aggregate until a frame.
#[derive(Debug, Clone, Serialize)]
pub struct Compression {
    /// names of the plates
    pub plates: [String; 2],
    /// distance of the plates when both have borne force: the height H of the aggregate (m)
    pub height_m: f64,
    /// way of the plates towards each other since then, over H
    pub deformation: f64,
    /// speed of the plates towards each other over H (1/s)
    pub shear_rate_per_s: f64,
    /// of the bodies (m)
    pub mean_diameter_m: f64,
    /// mass of the bodies over their volume (kg/m3)
    pub density_kg_m3: f64,
    /// P0, in the centre of a sphere of diameter H (Pa)
    pub overburden_pa: f64,
    /// eta, force of cohesion of two bodies of the mean diameter over its square (Pa)
    pub tensile_strength_pa: f64,
    /// alpha
    pub strength_share: f64,
    /// shear rate times mean diameter times the root of density over (P0 + alpha eta)
    pub inertial_number: f64,
    /// rows of the series between 1 and 3 % of deformation, none before 2 % are reached
    pub rows: usize,
    /// mean force of both plates over these rows (N); none without rows
    pub force_n: Option<f64>,
    /// force times H over the volume of a sphere of diameter H (Pa)
    pub stress_pa: Option<f64>,
    /// stress over (P0 + alpha eta)
    pub stress_ratio: Option<f64>,
}

/// A row of the series.
#[derive(Debug, Clone, Copy)]
struct At {
    time_s: f64,
    /// between the plates (m)
    distance_m: f64,
    /// along the normals, into the plates (N)
    force_n: [f64; 2],
}

/// What of the bodies and of the field counts.
struct Matter {
    mass_kg: f64,
    volume_m3: f64,
    mean_diameter_m: f64,
    cohesion_force_n: f64,
    field: Field,
}

impl Subject<'_> {
    /// Compression of all bodies by the two plates of the run, until the frame, or until a plate is removed.
    pub fn compression(&self) -> Result<Compression> {
        let resolved = Resolved::read(self.run)?;
        let until_s = self.recorded.instant.time_s;
        let pair = plates(&resolved).ok_or_else(|| lacking("two plates that face each other", "wall", self.run))?;
        let removed_s = pair.iter().filter_map(|w| resolved.walls[*w].removed_at_s).fold(f64::INFINITY, f64::min);
        let stand = |row: &At| row.time_s <= until_s && row.time_s < removed_s;
        let rows: Vec<At> = rows(&resolved, pair, self.run)?.into_iter().filter(stand).collect();
        let matter = matter(&resolved, &self.recorded.instant.bodies, self.run)?;
        let names = pair.map(|w| resolved.walls[w].name.clone());
        measured(names, &rows, &matter, self.options.strength_share)
            .ok_or_else(|| lacking("rows in which each plate bears force", "run.duration_s", self.run))
    }
}

fn lacking(what: &str, key: &str, run: &Path) -> Error {
    Fault::new(format!("has no {what}, and compression needs them"))
        .remedy(format!("take another run or frame, or another scenario ({key}); `diametral_compression` has all"))
        .path(run)
        .data()
}

/// Indices of the only two planes that face each other.
fn plates(resolved: &Resolved) -> Option<[usize; 2]> {
    let planes: Vec<usize> = (0..resolved.walls.len()).filter(|w| resolved.walls[*w].block.is_none()).collect();
    let facing = |[a, b]: [usize; 2]| 1.0 + resolved.walls[a].normal.dot(resolved.walls[b].normal) < ASKEW;
    let pairs = planes.iter().flat_map(|a| planes.iter().filter(move |b| *b > a).map(move |b| [*a, *b]));
    let mut found = pairs.filter(|pair| facing(*pair));
    found.next().filter(|_| found.next().is_none())
}

/// Distance of the plates and force on each, by the series.
fn rows(resolved: &Resolved, pair: [usize; 2], run: &Path) -> Result<Vec<At>> {
    let path = run.join(series::FILE);
    let (columns, rows) = rows::read(run)?;
    let column = |name: &str| {
        let missing = || Fault::new(format!("has no column {name}, and compression needs it")).path(&path).data();
        columns.iter().position(|c| c == name).ok_or_else(missing)
    };
    let time = column("time_s")?;
    let mut travel = vec![];
    let mut force = vec![];
    for wall in pair.map(|w| &resolved.walls[w]) {
        // A plate at rest has no way.
        travel.extend(column(&format!("wall.{}.travel_m", wall.name)).ok());
        let along = ["x", "y", "z"].map(|axis| column(&format!("wall.{}.force_{axis}_n", wall.name)));
        let [x, y, z] = along;
        force.push(([x?, y?, z?], wall.normal));
    }
    let [a, b] = pair.map(|w| &resolved.walls[w]);
    let start_m = (b.point_m - a.point_m).dot(a.normal);
    let at = |row: &Vec<f64>| {
        let into = |k: usize| {
            let ([x, y, z], normal) = force[k];
            -(row[x] * normal.x + row[y] * normal.y + row[z] * normal.z)
        };
        let way: f64 = travel.iter().map(|column| row[*column]).sum();
        At { time_s: row[time], distance_m: start_m - way, force_n: [into(0), into(1)] }
    };
    Ok(rows.iter().map(at).collect())
}

/// Bodies must share one material and have one field.
fn matter(resolved: &Resolved, bodies: &Bodies, run: &Path) -> Result<Matter> {
    let material = bodies.material[0];
    if bodies.material.iter().any(|m| *m != material) {
        return Err(lacking("bodies of one material", "bodies", run));
    }
    let field = match &resolved.gravity[..] {
        [field] if ["uniform_sphere", "self_gravity"].contains(&field.kind.as_str()) => field,
        _ => return Err(lacking("one source of gravity, a uniform sphere or the bodies", "gravity", run)),
    };
    let mean_radius_m = bodies.mean_radius_m();
    Ok(Matter {
        mass_kg: bodies.total_mass_kg(),
        volume_m3: bodies.total_volume_m3(),
        mean_diameter_m: 2.0 * mean_radius_m,
        cohesion_force_n: cohesion_n(resolved.material(material)?, mean_radius_m),
        field: field.clone(),
    })
}

/// Force of cohesion of two bodies of this radius, by the area of their contact and by the force of contact dynamics (N).
fn cohesion_n(of: &Surface, radius_m: f64) -> f64 {
    adhesion_n(of.cohesion_pa, of.shape_parameter, effective_radius(radius_m, radius_m)) + of.cohesion_force_n
}

/// Density of the sphere of diameter `height_m` whose field it is (kg/m3).
fn field_density(matter: &Matter, height_m: f64) -> f64 {
    match matter.field.density_kg_m3 {
        Some(density) => density,
        None => matter.mass_kg / (PI / 6.0 * height_m.powi(3)),
    }
}

/// `None` if the plates do not bear force yet.
fn measured(plates: [String; 2], rows: &[At], matter: &Matter, strength_share: f64) -> Option<Compression> {
    // Bodies without cohesion may leave a plate again before the other one is reached.
    let touched = |plate: usize| rows.iter().position(|row| row.force_n[plate] > 0.0);
    let first = touched(0)?.max(touched(1)?);
    let (begin, last) = (rows[first], *rows.last()?);
    let height_m = begin.distance_m;
    let deformation = |row: &At| 1.0 - row.distance_m / height_m;
    let passed_s = last.time_s - begin.time_s;
    let shear_rate_per_s = if passed_s > 0.0 { deformation(&last) / passed_s } else { 0.0 };
    let density_kg_m3 = matter.mass_kg / matter.volume_m3;
    let overburden_pa = 2.0 / 3.0 * PI * G * (field_density(matter, height_m) * 0.5 * height_m).powi(2);
    let tensile_strength_pa = matter.cohesion_force_n / matter.mean_diameter_m.powi(2);
    let held_pa = overburden_pa + strength_share * tensile_strength_pa;
    let counts = |row: &&At| (DEFORMATION[0]..=DEFORMATION[1]).contains(&deformation(row));
    let reached = rows[first..].iter().any(|row| deformation(row) >= DEFORMED);
    let inside: Vec<&At> = rows[first..].iter().filter(|row| reached && counts(row)).collect();
    let force: f64 = inside.iter().map(|row| 0.5 * (row.force_n[0] + row.force_n[1])).sum();
    let force_n = (!inside.is_empty()).then(|| force / inside.len() as f64);
    let stress_pa = force_n.map(|force| force / (PI / 6.0 * height_m.powi(2)));
    Some(Compression {
        plates,
        height_m,
        deformation: deformation(&last),
        shear_rate_per_s,
        mean_diameter_m: matter.mean_diameter_m,
        density_kg_m3,
        overburden_pa,
        tensile_strength_pa,
        strength_share,
        inertial_number: shear_rate_per_s * matter.mean_diameter_m * (density_kg_m3 / held_pa).sqrt(),
        rows: inside.len(),
        force_n,
        stress_pa,
        stress_ratio: stress_pa.map(|stress| stress / held_pa),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plates 10 m apart that touch at 4 s and come nearer by 0.1 m/s, with 3 N and 5 N on them from then on.
    fn rows() -> Vec<At> {
        let force = |t: f64| if t < 4.0 { [0.0, 1.0] } else { [3.0, 5.0] };
        let row = |k: i32| {
            let time_s = 0.5 * f64::from(k);
            At { time_s, distance_m: 10.4 - 0.1 * time_s, force_n: force(time_s) }
        };
        (0..=20).map(row).collect()
    }

    fn matter(field: Field) -> Matter {
        Matter { mass_kg: 1e6, volume_m3: 400.0, mean_diameter_m: 2.0, cohesion_force_n: 100.0, field }
    }

    #[test]
    fn numbers_are_those_of_the_formulas() {
        let field = Field { kind: "uniform_sphere".into(), density_kg_m3: Some(1800.0), rotation_rad_s: None };
        let c = measured(["top".into(), "bottom".into()], &rows(), &matter(field), 0.48).expect("plates touch");
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a}, not {b}");
        near(c.height_m, 10.0);
        near(c.deformation, 0.06);
        near(c.shear_rate_per_s, 0.01);
        // 1 to 3 % of 10 m is 1 to 3 s after the touch, in rows of 0.5 s.
        assert_eq!((c.rows, c.force_n), (5, Some(4.0)));
        near(c.stress_pa.unwrap(), 4.0 / (PI / 6.0 * 100.0));
        let held = 2.0 / 3.0 * PI * G * 1800f64.powi(2) * 25.0 + 0.48 * 25.0;
        near(c.overburden_pa + 0.48 * c.tensile_strength_pa, held);
        near(c.inertial_number, 0.01 * 2.0 * (2500.0 / held).sqrt());
        near(c.stress_ratio.unwrap(), 4.0 / (PI / 6.0 * 100.0) / held);
    }

    #[test]
    fn an_own_field_has_the_density_of_the_sphere() {
        let field = Field { kind: "self_gravity".into(), density_kg_m3: None, rotation_rad_s: None };
        let c = measured(["a".into(), "b".into()], &rows(), &matter(field), 0.48).expect("plates touch");
        let density = 1e6 / (PI / 6.0 * 1000.0);
        assert!((c.overburden_pa / (2.0 / 3.0 * PI * G * density * density * 25.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn before_both_plates_touch_there_is_nothing() {
        let field = Field { kind: "self_gravity".into(), density_kg_m3: None, rotation_rad_s: None };
        assert!(measured(["a".into(), "b".into()], &rows()[..8], &matter(field.clone()), 0.48).is_none());
        let touched = measured(["a".into(), "b".into()], &rows()[..10], &matter(field), 0.48).expect("plates touch");
        assert_eq!((touched.rows, touched.stress_pa), (0, None));
    }

    #[test]
    fn there_is_no_stress_before_the_deformation_of_the_work() {
        let field = Field { kind: "self_gravity".into(), density_kg_m3: None, rotation_rad_s: None };
        let until = |rows_there: usize| {
            let c = measured(["a".into(), "b".into()], &rows()[..rows_there], &matter(field.clone()), 0.48);
            let c = c.expect("plates touch");
            (c.rows, c.stress_pa.is_some())
        };
        // of 0.5 % a row from the ninth on: 1.5 and 2.5 %
        assert_eq!((until(12), until(14)), ((0, false), (4, true)));
    }
}
