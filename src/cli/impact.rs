//! A collision in words.

use breccia::base::readable::{duration, list, number, quantity};
use breccia::model::scenario::Impact;

/// One line a quantity.
pub(super) fn lines(i: &Impact) -> Vec<String> {
    let mut lines = vec![];
    let speed = |m_s: f64| quantity(m_s, "m/s");
    let mut put = |name: &str, text: String| lines.push(format!("{name:<18}{text}"));
    for (k, name) in ["target", "projectile"].into_iter().enumerate() {
        let [x, y, z] = i.rotation_rad_s[k];
        let spin =
            if [x, y, z] == [0.0; 3] { String::new() } else { format!(", turning at [{}] rad/s", list(&[x, y, z])) };
        put(
            name,
            format!(
                "{} kg, radius {} (all within {}), U {} J{spin}",
                number(i.mass_kg[k]),
                quantity(i.radius_m[k], "m"),
                quantity(i.reach_m[k], "m"),
                number(i.potential_j[k])
            ),
        );
    }
    put("mutual", format!("U {} J, escape speed {}", number(i.potential_mutual_j), speed(i.escape_speed_m_s)));
    put(
        "impact",
        format!("{}, eta {}, Q_R {} J/kg", speed(i.speed_m_s), number(i.eta), number(i.specific_energy_j_kg)),
    );
    put(
        "",
        format!("at {} degrees, impact parameter {}", number(i.impact_angle_deg), quantity(i.impact_parameter_m, "m")),
    );
    put("start", format!("{}, gap {}", speed(i.speed_start_m_s), quantity(i.gap_m, "m")));
    put("contact", format!("after {}", duration(i.time_to_contact_s)));
    lines
}
