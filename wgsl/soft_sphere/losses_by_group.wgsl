// Losses of contacts on a GPU: the pairs of a workgroup share a slot, so that a step moves a sixty-fourth of the bytes. The sum
// has one order, whatever else runs. The slot is a row of numbers here and no vector: whoever writes a component of a vector may
// write all of it, as Metal does, and here four invocations write one each.
var<storage, read_write> pair_dissipated: array<array<f32, 4>>;

var<workgroup> losses_room: array<vec4<f32>, 64>; // what the invocations have for it
var<workgroup> losses_part: array<f32, 64>;       // sums of four of them, by kind

// Adds what pair `p` has lost in this step. All invocations of the workgroup call it, with 0 where nothing was lost.
fn keep_losses(p: u32, l: u32, lost: vec4<f32>) {
    losses_room[l] = lost;
    workgroupBarrier();
    let kind = l % 4u;
    let first = l - kind;
    losses_part[l] = (losses_room[first][kind] + losses_room[first + 1u][kind])
        + (losses_room[first + 2u][kind] + losses_room[first + 3u][kind]);
    workgroupBarrier();
    if (l < 4u) {
        var sum = 0.0;
        for (var k = 0u; k < 16u; k++) {
            sum += losses_part[4u * k + l];
        }
        pair_dissipated[p / 64u][l] += sum;
    }
}
