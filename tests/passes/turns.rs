//! No invocation takes more turns of loops than every device grants: software devices end them all together after
//! 65,535, without an error.

use crate::common::translated::all_shaders;
use breccia::physics::laws::own::turns::{GRANTED, most_turns};

#[test]
fn loops_of_every_pass_are_bounded() {
    let (mut wrong, mut all) = (vec![], vec![]);
    for shader in all_shaders() {
        let pass = shader.stem;
        match most_turns(&shader.module) {
            Err(text) => wrong.push(format!("{pass}: {text}")),
            Ok(turns) if turns > GRANTED => wrong.push(format!("{pass}: up to {turns} turns, {GRANTED} are granted")),
            Ok(turns) => all.push((turns, pass)),
        }
    }
    all.sort();
    all.dedup();
    all.iter().for_each(|(turns, pass)| println!("{turns:6} {pass}"));
    wrong.dedup();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(all.len() > 90, "only {} passes were read", all.len());
}

/// A pass with this body, `n` read from a buffer.
fn pass(body: &str) -> Result<u64, String> {
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
         var<private> turns: u32;
         @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32) {{ let n = data[l]; {body} }}"
    );
    most_turns(&naga::front::wgsl::parse_str(&text).expect("WGSL"))
}

#[test]
fn bounds_are_seen() {
    for (body, turns) in [
        ("for (var k = 0u; k < 10u; k++) { data[k] = k; }", 11),
        ("for (var k = n; k < min(n + 16u, data[0]); k += 4u) { data[k] = k; }", 5),
        ("for (var k = 0u; k < min(n, 9u) && data[k] > 3u; k++) { data[k] = k; }", 10),
        ("for (var k = 0u; k < l; k++) { data[k] = k; }", 65),
        ("for (var k = 0u; k < 3u; k++) { for (var m = 0u; m < 5u; m++) { data[k] = m; } }", 3 * 7 + 1),
        ("for (var k = 2; k < 10; k++) { data[k] = 0u; }", 11),
        ("for (var k = 32u; k > 0u; k /= 2u) { data[k] = k; }", 34),
        ("while (data[0] > 3u && turns < 500u) { turns += 1u; data[0] = n; }", 501),
        (
            "var left = 40u; for (var k = 0u; k < 9u; k++) { let look = min(n, left); left -= look;
             for (var e = 0u; e < look; e++) { data[e] = k; } }",
            9 * 2 + 1 + 40,
        ),
    ] {
        assert_eq!(pass(body), Ok(turns), "{body}");
    }
}

#[test]
fn loops_without_a_bound_are_refused() {
    for body in [
        "for (var k = 0u; k < n; k++) { data[k] = k; }",
        "while (data[0] > 3u) { data[0] = n; }",
        "loop { data[0] = n; if (data[1] == 0u) { break; } }",
        // the counter is set back
        "for (var k = 0u; k < 10u; k++) { if (n == 3u) { k = 0u; } }",
        "for (var k = -10; k < 10; k++) { data[0] = 0u; }",
        // the bound may be far from the start
        "for (var k = 7u; k < min(n + 16u, data[0]); k++) { data[k] = k; }",
        // what is divided and never spent, or not in every turn
        "for (var k = 5u; k > 0u; k = (k + 1u) / 2u) { data[k] = k; }",
        "for (var k = n; k >= 0u; k /= 2u) { data[k] = k; }",
        "var k = n; while (k > 0u) { if (data[k] > 3u) { k = k / 2u; } }",
        // a start that the loop changes
        "var s = n; for (var k = s; k < s + 10u; k++) { s += 1u; data[k] = k; }",
        // what does not always count
        "while (turns < 500u) { if (n == 3u) { turns += 1u; } }",
        "while (turns < 500u) { if (n == 3u) { continue; } turns += 1u; }",
        // turns that are taken and not counted
        "while (turns < 500u) { turns += 1u; for (var k = 0u; k < 4u; k++) { data[k] = k; } }",
        "while (turns < 500u) { turns = 1u; }",
        // a budget that something fills again
        "var left = 40u; for (var k = 0u; k < 9u; k++) { let look = min(n, left); left -= look; left += 3u;
         for (var e = 0u; e < look; e++) { data[e] = k; } }",
    ] {
        assert!(pass(body).is_err(), "{body}: {:?}", pass(body));
    }
}
