//! Extended XYZ, which OVITO and ASE open: one frame after another, a line a body, the columns named in each head.

use crate::model::snapshot::Snapshot;
use crate::model::stored::resolved::Resolved;
use std::fmt::Write;

/// Columns by the names that OVITO knows.
const COLUMNS: &str =
    "species:S:1:pos:R:3:id:I:1:radius:R:1:mass:R:1:velo:R:3:angular_velocity:R:3:coordination:I:1:pressure:R:1";

/// A frame, SI. Without `resolved` materials are called by their numbers.
pub fn text(s: &Snapshot, coordination: &[f64], pressure_pa: &[f64], resolved: Option<&Resolved>) -> String {
    let b = &s.bodies;
    let mut text = format!("{}\nProperties={COLUMNS} Time={} pbc=\"F F F\"\n", b.len(), s.time_s);
    for k in 0..b.len() {
        let named = resolved.and_then(|r| r.material(b.material[k]).ok());
        let species = named.map_or(format!("material{}", b.material[k]), |m| m.name.replace(char::is_whitespace, "_"));
        let ([x, y, z], [u, v, w]) = (b.position_m[k].to_array(), b.velocity_m_s[k].to_array());
        let [p, q, r] = b.spin_rad_s[k].to_array();
        let (id, radius, mass) = (b.id[k], b.radius_m[k], b.mass_kg[k]);
        let (contacts, pressure) = (coordination[k], pressure_pa[k]);
        // Writing to a string does not fail.
        let _ =
            writeln!(text, "{species} {x} {y} {z} {id} {radius} {mass} {u} {v} {w} {p} {q} {r} {contacts} {pressure}");
    }
    text
}
