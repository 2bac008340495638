import package::state::face::{FaceCorner, FaceSide};
import package::math::elementary::{ln, arctanh, arctan2};
import package::math::root::{quotient, inverse_root, size_of};

// Faces of an asteroid and what they give. Lengths are in radii of the asteroid: its farthest vertex is at 1 from the
// mass centre, which is the origin of the scenario. g = -G rho sum of n_f I_f,  I_f: integral of 1 / distance over the
// face

const THIRD: f32 = 0.33333333;
// Beyond so many longest sides a face is integrated at seven points.
const POINTS_FROM: f32 = 4.0;
// From so many radii on charges count from the mass centre.
const REMOTE_FROM: f32 = 2.0;

// One side's part of I_f: its distance in the plane, outward, times ln((a + b + e) / (a + b - e)). The second form
// keeps its digits near the side, where a + b - e has no digits left.
fn side_part(r: vec3<f32>, a: f32, b: f32, side: vec3<f32>, e: f32, normal: vec3<f32>, height: f32) -> f32 {
    let along = side * quotient(1.0, e);
    let outward = dot(cross(along, normal), r);
    let ratio = quotient(e, a + b);
    let start = dot(r, along);
    let end = start + e;
    let near = max(a + abs(start), 1.0e-18);
    let far = max(b + abs(end), 1.0e-18);
    let off = max(outward * outward + height * height, 1.0e-36);
    let between = start < 0.0 && end > 0.0;
    let ahead = start >= 0.0;
    let beside = quotient(select(select(near, far, ahead), near * far, between), select(select(far, near, ahead), off, between));
    return outward * select(ln(beside), 2.0 * arctanh(ratio), ratio < 0.5);
}

// I_f in closed form.
fn close_integral(face: FaceCorner, side: FaceSide, at: vec3<f32>) -> f32 {
    let ra = face.corner - at;
    let rb = ra + face.ab;
    let rc = ra + side.ac;
    let a = size_of(ra);
    let b = size_of(rb);
    let c = size_of(rc);
    let height = dot(side.normal, ra);
    let below = a * b * c + a * dot(rb, rc) + b * dot(rc, ra) + c * dot(ra, rb);
    let angle = 2.0 * arctan2(side.twice_area * height, below);
    return side_part(ra, a, b, face.ab, face.ab_length, side.normal, height)
        + side_part(rb, b, c, side.ac - face.ab, face.bc_length, side.normal, height)
        + side_part(rc, c, a, -side.ac, side.ca_length, side.normal, height)
        - height * angle;
}

// 1 / distance to the mass centre where charges count from there, else 0.
fn remote_of(at: vec3<f32>) -> f32 {
    let square = dot(at, at);
    return select(0.0, inverse_root(max(square, 1.0)), square > REMOTE_FROM * REMOTE_FROM);
}

// 1 / distance to x, less 1 / distance to the mass centre if `remote` is that, without cancellation.
fn less_centre(x: vec3<f32>, at: vec3<f32>, remote: f32) -> f32 {
    let d = x - at;
    let inverse = inverse_root(max(dot(d, d), 1.0e-36));
    let product = inverse * remote;
    let nearer = dot(2.0 * at - x, x) * product * quotient(product, inverse + remote);
    return select(inverse, nearer, remote > 0.0);
}

// I_f by seven points, exact for polynomials of the fifth degree (Radon 1948).
fn far_integral(face: FaceCorner, side: FaceSide, at: vec3<f32>, remote: f32) -> f32 {
    let centre = face.corner + (face.ab + side.ac) * THIRD;
    let toward_b = face.ab - (face.ab + side.ac) * THIRD;
    let toward_c = side.ac - (face.ab + side.ac) * THIRD;
    let toward_a = -(toward_b + toward_c);
    let inner = -0.41042618;  // 1 - 3 (6 + sqrt 15) / 21, towards the middles of sides
    let outer = 0.69614045;   // 1 - 3 (6 - sqrt 15) / 21, towards corners
    let middles = less_centre(centre + inner * toward_a, at, remote) + less_centre(centre + inner * toward_b, at, remote) + less_centre(centre + inner * toward_c, at, remote);
    let corners = less_centre(centre + outer * toward_a, at, remote) + less_centre(centre + outer * toward_b, at, remote) + less_centre(centre + outer * toward_c, at, remote);
    return 0.5 * side.twice_area * (0.225 * less_centre(centre, at, remote) + 0.13239415 * middles + 0.12593918 * corners);
}

// n_f I_f. With `remote`, 1 / distance to the mass centre, the face's part of its own area as a charge there is left out: over
// a closed surface these parts cancel, and far away nothing else would be left of the digits.
fn face_pull(face: FaceCorner, side: FaceSide, at: vec3<f32>, remote: f32) -> vec3<f32> {
    let d = face.corner + (face.ab + side.ac) * THIRD - at;
    let longest = max(max(face.ab_length, face.bc_length), side.ca_length);
    let far = dot(d, d) > POINTS_FROM * POINTS_FROM * longest * longest;
    var integral = 0.0;
    if far {
        integral = far_integral(face, side, at, remote);
    } else {
        integral = close_integral(face, side, at) - 0.5 * side.twice_area * remote;
    }
    return integral * side.normal;
}
