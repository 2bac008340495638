import package::math::turn::{turned};

// Root of the inverse inertia in the world's frame: sum of r r^T / sqrt(I) over the principal axes r.
struct InertiaRoot {
    diagonal: vec3<f32>, // xx, yy, zz
    mixed: vec3<f32>,    // xy, xz, yz
}

fn inertia_root(q: vec4<f32>, moment: vec3<f32>) -> InertiaRoot {
    let root = inverseSqrt(moment);
    let x = turned(q, vec3<f32>(1.0, 0.0, 0.0));
    let y = turned(q, vec3<f32>(0.0, 1.0, 0.0));
    let z = turned(q, vec3<f32>(0.0, 0.0, 1.0));
    let diagonal = root.x * x * x + root.y * y * y + root.z * z * z;
    let mixed = root.x * x.xxy * x.yzz + root.y * y.xxy * y.yzz + root.z * z.xxy * z.yzz;
    return InertiaRoot(diagonal, mixed);
}
