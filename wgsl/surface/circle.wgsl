import package::surface::facet::{Facet};
import package::math::elementary::{arctan2};

const PI: f32 = 3.14159265;
const FADE: f32 = 0.5;

// Area of the unit circle between its centre, the foot on a line at the distance `within` and the position `t` on it.
fn swept(within: f32, t: f32) -> f32 {
    let far = abs(within);
    let chord = sqrt(max(1.0 - far * far, 0.0));
    let inner = clamp(t, -chord, chord);
    let sector = 0.5 * (arctan2(abs(t), far) - arctan2(abs(inner), far));
    let same = (within < 0.0) == (t < 0.0);
    return 0.5 * within * inner + select(0.0, select(-sector, sector, same), within != 0.0);
}

// Part of the circle in which the sphere cuts the facet's plane that lies in the facet (Song et al. 2024, eq. 6: S_P / S_O);
// it fades where the centre is about to go behind the plane.
fn facet_share(f: Facet, radius: f32) -> f32 {
    let height = radius - f.above;
    let circle = sqrt(max(f.above * (radius + height), 1.0e-30));
    let all = min(f.sides.x, min(f.sides.y, f.sides.z)) >= circle;
    let within = f.sides / circle;
    let end = f.end / circle;
    let start = f.start / circle;
    let area = (swept(within.x, end.x) - swept(within.x, start.x)) + (swept(within.y, end.y) - swept(within.y, start.y))
        + (swept(within.z, end.z) - swept(within.z, start.z));
    return select(clamp(area / PI, 0.0, 1.0), 1.0, all) * min(height / (FADE * radius), 1.0);
}
