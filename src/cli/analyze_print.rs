//! `breccia analyze` in words.

use super::analyze::Report;
use breccia::analysis::cluster_report::Clusters;
use breccia::analysis::envelope::Envelope;
use breccia::analysis::outcome::Outcome;
use breccia::analysis::report::Aggregates;
use breccia::analysis::strain::Strain;
use breccia::analysis::stress::Stress;

/// What was measured of a frame.
pub fn print(report: &Report) {
    println!("frame {}, step {}, t = {} s", report.frame, report.step, report.time_s);
    report.aggregates.iter().for_each(print_aggregates);
    report.clusters.iter().for_each(print_clusters);
    report.outcome.iter().for_each(print_outcome);
    report.strain.iter().for_each(print_strain);
    if report.shape.is_some() || report.stress.is_some() || report.velocity.is_some() {
        println!("of {} bodies:", report.bodies);
    }
    report.shape.iter().for_each(print_shape);
    report.stress.iter().for_each(print_stress);
    if let Some(v) = &report.velocity {
        println!(
            "  velocity        plane {}, {} x {} nodes, up to {:.4e} m/s",
            v.plane.name(),
            v.columns,
            v.rows,
            v.speed_max_m_s
        );
    }
    println!("files: {}", report.folder.display());
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
            format!("{:.4e}", g.mass_kg),
            format!("{:.4}", g.mass_share),
            or_none(r.period_h, 3),
            or_none(r.rigid_share, 4),
            or_none(r.wobble_deg, 1),
            format!("{:.4}", r.elongation),
            format!("{a:.3} {b:.3} {c:.3}"),
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

fn or_none(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |v| format!("{v:.digits$}"))
}

fn print_clusters(c: &Clusters) {
    println!(
        "clusters of {} bodies and more by {} and escape speed: {}, and {} free bodies with {:.4} of the mass",
        c.minimum_bodies, c.linked_by, c.count, c.free_bodies, c.free_mass_share
    );
    let head = ["rank", "track", "bodies", "by contact", "mass kg", "share", "mean body/all", "period h", "rigid"];
    let mut lines = vec![head.map(str::to_owned)];
    for row in c.list.iter().take(LINES) {
        lines.push([
            row.rank.to_string(),
            row.track.map_or("-".into(), |t| t.to_string()),
            row.aggregate.bodies.to_string(),
            row.by_contact.to_string(),
            format!("{:.4e}", row.aggregate.mass_kg),
            format!("{:.4}", row.aggregate.mass_share),
            format!("{:.4}", row.mean_body_mass_ratio),
            or_none(row.rotation.period_h, 3),
            or_none(row.rotation.rigid_share, 4),
        ]);
    }
    table(&lines);
    if c.list.len() > LINES {
        println!("  and {} more: clusters.json", c.list.len() - LINES);
    }
    for pair in c.bound_pairs.iter().take(LINES) {
        let ([a, b], o) = (pair.ranks, &pair.orbit);
        println!(
            "  {a} and {b} are bound: semi-major axis {:.4e} m, eccentricity {:.4}, {:.4} h",
            o.semi_major_axis_m, o.eccentricity, o.orbit_period_h
        );
    }
}

fn print_outcome(o: &Outcome) {
    let short = |v: f64| if v.fract() == 0.0 && v.abs() < 1e6 { format!("{v}") } else { format!("{v:.5e}") };
    let cells: Vec<String> = o.columns().iter().map(|(name, value)| format!("{name} {}", short(*value))).collect();
    println!("outcome: {}", cells.join(", "));
}

fn print_strain(s: &Strain) {
    println!(
        "most strained {} %: {} bodies with overlaps from {} to {:.4e} m",
        s.top_percent,
        s.top_bodies,
        s.overlap_top_m.map_or("-".into(), |o| format!("{o:.4e}")),
        s.overlap_max_m
    );
    let mut lines = vec![["radius m", "bodies", "strained most", "over an equal share"].map(str::to_owned)];
    for size in &s.sizes {
        let (low, high) = (size.class.radius_min_m, size.class.radius_max_m);
        let radii = if low == high { format!("{low:.5}") } else { format!("{low:.5} to {high:.5}") };
        lines.push([radii, size.bodies.to_string(), size.top_bodies.to_string(), or_none(size.strain_share, 4)]);
    }
    table(&lines);
}

fn print_shape(e: &Envelope) {
    println!("  alpha           {} m, {} points on each body", e.alpha_m, e.points_per_body);
    println!(
        "  volume          {:.6e} m3, of it closed voids {:.3e} m3; area {:.4e} m2",
        e.volume_m3, e.voids_m3, e.area_m2
    );
    println!(
        "  bulk density    {:.2} kg/m3, of the material {:.2} kg/m3",
        e.bulk_density_kg_m3, e.material_density_kg_m3
    );
    println!("  porosity        {:.2} %", 100.0 * e.porosity);
}

fn print_stress(s: &Stress) {
    let [a, b, c] = s.principal_pa;
    println!("  stress over     {:.4e} m3 with {} bodies, packing {:.4}", s.volume_m3, s.bodies, s.packing);
    println!("  principal       {a:.5e} {b:.5e} {c:.5e} Pa, compression positive");
    println!("  pressure        {:.5e} Pa, deviator {:.5e} Pa", s.pressure_pa, s.deviator_pa);
}
