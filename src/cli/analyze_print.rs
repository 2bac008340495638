//! `breccia analyze` in words.

use super::analyze::Report;
use breccia::analysis::cluster_report::Clusters;
use breccia::analysis::compression::Compression;
use breccia::analysis::damage::Damage;
use breccia::analysis::envelope::Envelope;
use breccia::analysis::orbits::Orbits;
use breccia::analysis::outcome::Outcome;
use breccia::analysis::report::Aggregates;
use breccia::analysis::strain::Strain;
use breccia::analysis::stress::Stress;
use breccia::base::readable::{digits, list, number, percent, quantity};

/// What was measured of a frame.
pub(super) fn print(report: &Report) {
    println!("frame {}, step {}, t = {} s", report.frame, report.step, digits(report.time_s, 6));
    report.aggregates.iter().for_each(print_aggregates);
    report.clusters.iter().for_each(print_clusters);
    report.outcome.iter().for_each(print_outcome);
    report.strain.iter().for_each(print_strain);
    report.compression.iter().for_each(print_compression);
    report.damage.iter().for_each(print_damage);
    report.orbits.iter().for_each(print_orbits);
    if report.shape.is_some() || report.stress.is_some() || report.velocity.is_some() {
        let unit = if report.bodies == 1 { "body" } else { "bodies" };
        println!("measured over {} {unit}:", report.bodies);
    }
    report.shape.iter().for_each(print_shape);
    report.stress.iter().for_each(print_stress);
    if let Some(v) = &report.velocity {
        println!(
            "  velocity        plane {}, {} x {} nodes, {}",
            v.plane.name(),
            v.columns,
            v.rows,
            v.speed_max_m_s.map_or("none near a body".to_owned(), |most| format!("up to {}", quantity(most, "m/s")))
        );
    }
    println!("files: {}", report.folder.display());
}

fn print_orbits(o: &Orbits) {
    println!("orbits about the asteroid: {} of {} bodies are aloft", o.aloft, o.bodies);
    if o.aloft == 0 {
        return;
    }
    if !o.fields_left_out.is_empty() {
        println!(
            "  left out        {}: orbits are those about G m = {} m3/s2 alone",
            o.fields_left_out.join(", "),
            number(o.gm_m3_s2)
        );
    }
    let sphere = quantity(o.sphere_radius_m, "m");
    println!("  returning       {}, bound, whose periapsis is within {sphere}", o.returning);
    println!("  orbiting        {}, bound, whose periapsis is outside", o.orbiting);
    println!("  escaping        {}, not bound", o.escaping);
    o.distance_max_m.iter().for_each(|d| println!("  farthest        {}", quantity(*d, "m")));
    let bound = o.semi_major_axis_m.iter().zip(&o.eccentricity).zip(&o.inclination_deg);
    for ((a, e), i) in bound {
        let [a, e, i] = [quantity(a.median, "m"), number(e.median), number(i.median)];
        println!("  bound, medians  semi-major axis {a}, eccentricity {e}, inclination {i} deg");
    }
}

fn print_compression(c: &Compression) {
    println!("compression between {} and {}:", c.plates[0], c.plates[1]);
    println!("  height          {}, deformed by {}", quantity(c.height_m, "m"), percent(c.deformation));
    println!("  shear rate      {} 1/s", digits(c.shear_rate_per_s, 3));
    let share = number(c.strength_share);
    println!(
        "  pressure        {} Pa overburden, {} Pa strength, {share} of which counts",
        number(c.overburden_pa),
        number(c.tensile_strength_pa)
    );
    println!("  inertial number {}", digits(c.inertial_number, 3));
    match (c.stress_pa, c.stress_ratio) {
        (Some(stress), Some(ratio)) => {
            println!(
                "  stress          {} Pa between 1 and 3 % of deformation, {} of the pressure",
                number(stress),
                number(ratio)
            );
        }
        _ => println!("  stress          none: no row of the series is between 1 and 3 % of deformation"),
    }
}

fn print_damage(d: &Damage) {
    let share = d.broken_share.map_or(String::new(), |share| format!(", {}", percent(share)));
    println!("damage since frame {}, touching within {} mean radii:", d.first_frame, number(d.tolerance));
    println!("  broken          {} of {} contacts{share}; {} new ones", d.broken, d.contacts, d.new);
    let Some(crack) = &d.largest else { return };
    println!("  cracks          {} of two contacts and more", d.cracks);
    println!(
        "  largest crack   {} contacts of {} bodies, {} of all broken, {} long, within {} (rms) of a plane",
        crack.contacts,
        crack.bodies,
        percent(crack.broken_share),
        quantity(crack.length_m, "m"),
        quantity(crack.thickness_m, "m")
    );
    if let (Some(mean), Some(deviation)) = (d.random_largest_mean, d.random_largest_deviation) {
        println!("  if at random    {} +- {} contacts", number(mean), number(deviation));
    }
}

/// Lines of the table at most; `--json` and aggregates.json have all.
const LINES: usize = 20;

fn print_aggregates(a: &Aggregates) {
    println!("aggregates by {}: {}, and {} single bodies", a.linked_by, a.count, a.single_bodies);
    let head = ["rank", "bodies", "mass kg", "share", "period h", "rigid", "wobble", "I_max/I_min", "semi-axes m"];
    let mut lines = vec![head.map(str::to_owned)];
    for row in a.list.iter().take(LINES) {
        let (g, r) = (&row.aggregate, &row.rotation);
        let [a, b, c] = r.semi_axes_m;
        lines.push([
            row.rank.to_string(),
            g.bodies.to_string(),
            number(g.mass_kg),
            number(g.mass_share),
            or_none(r.period_h),
            or_none(r.rigid_share),
            or_none(r.wobble_deg),
            number(r.elongation),
            [a, b, c].map(number).join(" "),
        ]);
    }
    table(&lines);
    if a.list.len() > LINES {
        println!("  and {} more: aggregates.json", a.list.len() - LINES);
    }
}

/// Cells below each other, to the right.
fn table<const N: usize>(lines: &[[String; N]]) {
    let widths: [usize; N] = std::array::from_fn(|k| lines.iter().map(|l| l[k].len()).max().unwrap_or(0));
    for line in lines {
        let cells: Vec<_> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        println!("  {}", cells.join("  "));
    }
}

fn or_none(value: Option<f64>) -> String {
    value.map_or("-".into(), number)
}

fn print_clusters(c: &Clusters) {
    println!(
        "clusters of at least {} bodies, by {} and escape speed: {}, and {} free bodies with {} of the mass",
        c.minimum_bodies,
        c.linked_by,
        c.count,
        c.free_bodies,
        percent(c.free_mass_share)
    );
    let head = ["rank", "track", "bodies", "by contact", "mass kg", "share", "mean body/all", "period h", "rigid"];
    let mut lines = vec![head.map(str::to_owned)];
    for row in c.list.iter().take(LINES) {
        lines.push([
            row.rank.to_string(),
            row.track.map_or("-".into(), |t| t.to_string()),
            row.aggregate.bodies.to_string(),
            row.by_contact.to_string(),
            number(row.aggregate.mass_kg),
            number(row.aggregate.mass_share),
            number(row.mean_body_mass_ratio),
            or_none(row.rotation.period_h),
            or_none(row.rotation.rigid_share),
        ]);
    }
    table(&lines);
    if c.list.len() > LINES {
        println!("  and {} more: clusters.json", c.list.len() - LINES);
    }
    for pair in c.bound_pairs.iter().take(LINES) {
        let ([a, b], o) = (pair.ranks, &pair.orbit);
        println!(
            "  {a} and {b} are bound: semi-major axis {} m, eccentricity {}, period {} h",
            number(o.semi_major_axis_m),
            number(o.eccentricity),
            number(o.orbit_period_h)
        );
    }
}

fn print_outcome(o: &Outcome) {
    let cells: Vec<String> = o
        .columns()
        .iter()
        .map(|(name, value)| format!("{name} {}", if value.is_nan() { "none".into() } else { number(*value) }))
        .collect();
    println!("outcome: {}", cells.join(", "));
}

fn print_strain(s: &Strain) {
    println!(
        "most strained {} %: {} bodies with overlaps from {} to {}",
        s.top_percent,
        s.top_bodies,
        s.overlap_top_m.map_or("-".into(), |o| quantity(o, "m")),
        quantity(s.overlap_max_m, "m")
    );
    let mut lines = vec![["radius m", "bodies", "strained most", "over an equal share"].map(str::to_owned)];
    for size in &s.sizes {
        let (low, high) = (size.class.radius_min_m, size.class.radius_max_m);
        let radii = if low == high { number(low) } else { format!("{} to {}", number(low), number(high)) };
        lines.push([radii, size.bodies.to_string(), size.top_bodies.to_string(), or_none(size.strain_share)]);
    }
    table(&lines);
}

fn print_shape(e: &Envelope) {
    println!("  alpha           {}, {} points on each body", quantity(e.alpha_m, "m"), e.points_per_body);
    println!(
        "  volume          {} m3, of it closed voids {} m3; area {} m2",
        digits(e.volume_m3, 6),
        number(e.voids_m3),
        number(e.area_m2)
    );
    println!(
        "  bulk density    {} kg/m3, of the material {} kg/m3",
        number(e.bulk_density_kg_m3),
        number(e.material_density_kg_m3)
    );
    println!("  porosity        {}", percent(e.porosity));
    for ball in e.balls.iter().skip(1) {
        println!(
            "  with a ball of {}: porosity {}, bulk density {} kg/m3",
            quantity(ball.alpha_m, "m"),
            percent(ball.porosity),
            number(ball.bulk_density_kg_m3)
        );
    }
}

fn print_stress(s: &Stress) {
    println!("  stress over     {} m3 with {} bodies, packing {}", number(s.volume_m3), s.bodies, number(s.packing));
    println!("  principal       {} Pa, compression positive", list(&s.principal_pa));
    println!("  pressure        {} Pa, deviator {} Pa", number(s.pressure_pa), number(s.deviator_pa));
    let Some(fabric) = &s.fabric else { return };
    let firm = fabric.coordination_without_rattlers.map_or("none".into(), number);
    println!("  coordination    {}; without {} rattlers {firm}", number(fabric.coordination), fabric.rattlers);
    if let (Some(values), Some(anisotropy)) = (&fabric.principal, fabric.anisotropy) {
        println!("  fabric          {} along its axes, anisotropy {}", list(values), number(anisotropy));
    }
}
