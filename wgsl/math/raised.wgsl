// Lengths of forces, torques and impulses. Those of a grain beside a boulder a million times as heavy may be so small that their
// squares are no normal numbers: devices may take them for 0, and some processors take ten times as long.

// 2^40, by which numbers are raised before they are squared. Numbers up to 8e6 then have finite squares.
const RAISE: f32 = 1099511627776.0;

// What of `v` is left if it may be no longer than `limit`: a factor, 1 if it is not longer.
fn share_within(v: vec3<f32>, limit: f32) -> f32 {
    let size = length(RAISE * v);
    let most = RAISE * limit;
    return select(1.0, most / max(size, 1.0e-37), size > most);
}
