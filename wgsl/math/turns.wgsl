// Turns that the loops of an invocation have taken, where no constant bounds them one by one. Software devices end all loops
// of an invocation together after 65,535, without a word: a loop whose condition asks `turns < TURNS_MAX` ends before that,
// and the pass says so. `tests/passes/turns.rs` reads from every pass that its loops are bounded by constants or by this.
const TURNS_MAX: u32 = 60000u;

var<private> turns: u32;

// Whether the device has ended loops before their conditions did. Software devices run invocations in step, eight at a
// time, and count a turn of any as one of all: where loops are nested, eight that differ may together use up what each
// of them keeps within. From then on every loop ends after its first turn, this one too. `zero` is 0, read from a
// buffer: a loop of a known length would be unrolled. True where this invocation took much of it by itself, `own`
// turns: of sixteen that spent 65,535 one took as many as this asks for.
fn cut_short(zero: u32, own: u32) -> bool {
    var seen = 0u;
    for (var k = 0u; k < min(3u + zero, 64u); k++) {
        seen += 1u;
    }
    return seen != 3u + zero && own >= 4000u;
}
