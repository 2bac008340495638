import package::contact_dynamics::shape::{shape_vector};
import package::math::turns::{turns, TURNS_MAX};
import package::state::shape::{ShapePart};

// The corner of a body that is farthest in a direction, among the few that a table has for the cell of the direction
// (geometry::direction_cells).
var<storage, read> shape_data: array<vec4<u32>>;

// Corners in the row of a cell of directions; a row of cells with more says that all are to be looked at.
const LISTED: u32 = 8u;
const ALL_CORNERS: u32 = 0xffffffffu;

// The cell of a direction: the side of a cube that it leaves by, and where.
fn direction_cell(d: vec3<f32>, across: u32) -> u32 {
    let size = abs(d);
    var side = 4u;
    var ahead = d.zxy;
    if (size.x >= size.y && size.x >= size.z) {
        side = 0u;
        ahead = d;
    } else if (size.y >= size.z) {
        side = 2u;
        ahead = d.yzx;
    }
    let n = f32(across);
    let place = (0.5 + 0.5 * ahead.yz / abs(ahead.x)) * n;
    let cell = vec2<u32>(clamp(place, vec2<f32>(0.0), vec2<f32>(n - 0.5)));
    return ((side + select(0u, 1u, ahead.x < 0.0)) * across + cell.x) * across + cell.y;
}

// The corner that is highest along a direction of the body's own axes, of equal ones the first.
fn highest_corner(part: ShapePart, local: vec3<f32>) -> u32 {
    var row = shape_data[part.first_cell + direction_cell(local, part.cells_across)];
    let listed = row.x != ALL_CORNERS;
    let count = select(part.point_count, LISTED, listed);
    var best = -3.0e38;
    var corner = 0u;
    for (var k = 0u; k < count && turns < TURNS_MAX; k += 2u) {
        turns += 1u;
        let one = select(k, row.x & 0xffffu, listed);
        let next = select(min(k + 1u, count - 1u), row.x >> 16u, listed);
        row = row.yzwx;
        let height = dot(shape_vector(part.first_point + one), local);
        let other = dot(shape_vector(part.first_point + next), local);
        corner = select(corner, one, height > best);
        best = max(best, height);
        corner = select(corner, next, other > best);
        best = max(best, other);
    }
    return corner;
}
