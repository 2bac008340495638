// Turns that the loops of an invocation have taken, where no constant bounds them one by one. Software devices end all loops
// of an invocation together after 65,535, without a word: a loop whose condition asks `turns < TURNS_MAX` ends before that,
// and the pass says so. `tests/passes/turns.rs` reads from every pass that its loops are bounded by constants or by this.
const TURNS_MAX: u32 = 60000u;

var<private> turns: u32;
