//! Direct sum of Newtonian gravity in f64.

use glam::DVec3;

/// Acceleration (m/s2) and potential (J/kg) of point masses (position (m), G m (m3/s2)) at each target (m). A source in
/// the same position as the target gives nothing, so that bodies may be targets and sources at once.
pub fn direct(targets: &[DVec3], sources: &[(DVec3, f64)]) -> Vec<(DVec3, f64)> {
    let at = |target: &DVec3| {
        let (mut acceleration, mut potential) = (DVec3::ZERO, 0.0);
        for (position, gm) in sources {
            let d = position - target;
            let distance = d.length();
            if distance > 0.0 {
                acceleration += gm / distance.powi(3) * d;
                potential -= gm / distance;
            }
        }
        (acceleration, potential)
    };
    targets.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_masses_by_hand() {
        let sources = [(DVec3::ZERO, 8.0), (DVec3::new(0.0, 2.0, 0.0), 3.0)];
        let field = direct(&[sources[0].0, sources[1].0, DVec3::new(4.0, 0.0, 0.0)], &sources);
        assert_eq!(field[0], (DVec3::new(0.0, 0.75, 0.0), -1.5));
        assert_eq!(field[1], (DVec3::new(0.0, -2.0, 0.0), -4.0));
        // 3 at the distance sqrt(20), along (-4, 2): 20^1.5 = 89.4427191
        let far = DVec3::new(-0.5 - 12.0 / 89.442_719_1, 6.0 / 89.442_719_1, 0.0);
        assert!((field[2].0 - far).length() < 1e-9);
        assert!((field[2].1 + 2.0 + 3.0 / 20f64.sqrt()).abs() < 1e-12);
    }
}
