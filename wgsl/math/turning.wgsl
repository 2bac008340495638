import package::math::wide3::{Wide3};
import package::math::wide96::{add96, mul96, round96};

// First component of -turn x d, rounded once.
fn turn_way(turn: vec3<i32>, shift: u32, d: Wide3) -> vec2<u32> {
    return round96(add96(mul96(d.y, turn.z), mul96(d.z, -turn.y)), shift);
}

fn row_times(p: Wide3, m: vec3<i32>, shift: u32) -> vec2<u32> {
    return round96(add96(add96(mul96(p.x, m.x), mul96(p.y, m.y)), mul96(p.z, m.z)), shift);
}
