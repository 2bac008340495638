//! A collision in words.

use breccia::model::scenario::Impact;

/// One line a quantity.
pub fn lines(i: &Impact) -> Vec<String> {
    let mut lines = vec![];
    let mut put = |name: &str, text: String| lines.push(format!("{name:<18}{text}"));
    for (k, name) in ["target", "projectile"].into_iter().enumerate() {
        let [x, y, z] = i.rotation_rad_s[k];
        let spin = if [x, y, z] == [0.0; 3] {
            String::new()
        } else {
            format!(", turning at [{x:.3e}, {y:.3e}, {z:.3e}] rad/s")
        };
        put(
            name,
            format!(
                "{:.4e} kg, radius {:.4e} m (all within {:.4e} m), U {:.4e} J{spin}",
                i.mass_kg[k], i.radius_m[k], i.reach_m[k], i.potential_j[k]
            ),
        );
    }
    put("mutual", format!("U {:.4e} J, escape speed {:.4e} m/s", i.potential_mutual_j, i.escape_speed_m_s));
    put("impact", format!("{:.4e} m/s, eta {:.4}, Q_R {:.4e} J/kg", i.speed_m_s, i.eta, i.specific_energy_j_kg));
    put("", format!("at {} degrees, impact parameter {:.4e} m", i.impact_angle_deg, i.impact_parameter_m));
    put("start", format!("{:.4e} m/s, gap {:.4e} m", i.speed_start_m_s, i.gap_m));
    lines
}
