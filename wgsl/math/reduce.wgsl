// Sums over a workgroup of 64 in a fixed order: five vectors at once. All threads call `reduce_sums`.
var<workgroup> reduce_room: array<array<vec4<f32>, 5>, 64>;

fn reduce_sums(l: u32, own: array<vec4<f32>, 5>) -> array<vec4<f32>, 5> {
    reduce_room[l] = own;
    for (var half = 32u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if l < half {
            for (var k = 0u; k < 5u; k++) {
                reduce_room[l][k] += reduce_room[l + half][k];
            }
        }
    }
    workgroupBarrier();
    return reduce_room[0];
}
