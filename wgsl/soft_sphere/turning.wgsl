import package::math::wide3::{Wide3};
import package::math::wide96::{add96, mul96, round96};
import package::state::frame::{FrameRow};

// -turn x d, rounded once.
fn turn_way(row: FrameRow, d: Wide3) -> Wide3 {
    let t = row.turn;
    let x = add96(mul96(d.y, t.z), mul96(d.z, -t.y));
    let y = add96(mul96(d.z, t.x), mul96(d.x, -t.z));
    let z = add96(mul96(d.x, t.y), mul96(d.y, -t.x));
    return Wide3(round96(x, row.turn_shift), round96(y, row.turn_shift), round96(z, row.turn_shift));
}

fn row_times(p: Wide3, m: vec3<i32>, shift: u32) -> vec2<u32> {
    return round96(add96(add96(mul96(p.x, m.x), mul96(p.y, m.y)), mul96(p.z, m.z)), shift);
}

// C times a position.
fn position_way(row: FrameRow, p: Wide3) -> Wide3 {
    let x = row_times(p, row.by_position_x, row.by_position_shift);
    let y = row_times(p, row.by_position_y, row.by_position_shift);
    let z = row_times(p, row.by_position_z, row.by_position_shift);
    return Wide3(x, y, z);
}
