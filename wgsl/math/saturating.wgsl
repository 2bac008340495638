// Sum of two counts; 2^32 - 1 if it is more. Of counts it is the same in any order.
fn plus_saturating(a: u32, b: u32) -> u32 {
    return a + min(b, ~a);
}
