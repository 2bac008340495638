//! The functions that replace built-in ones, as WGSL text.

use super::{Bend, Fuse, Perturb};
use std::fmt::Write;

/// Scalar functions of one argument, with the built-in that each replaces.
const UNARY: [(&str, &str); 4] =
    [("edge_sqrt", "sqrt"), ("edge_inverse_sqrt", "inverseSqrt"), ("edge_sin", "sin"), ("edge_cos", "cos")];

/// All functions of a kind of perturbation, scalar and by component, in an order that naga takes.
pub(super) fn functions(kind: Perturb) -> String {
    let mut text = String::new();
    match kind.bend {
        Some(bend) => {
            let sign = match bend {
                Bend::Up => "1",
                Bend::Down => "-1",
                Bend::Scattered => "edge_hash(bits)",
            };
            text += include_str!("edge.wgsl");
            line(&mut text, format!("fn edge_sign(bits: u32) -> i32 {{ return {sign}; }}"));
        }
        None => {
            for (name, plain) in UNARY {
                line(&mut text, format!("fn {name}(x: f32) -> f32 {{ return {plain}(x); }}"));
            }
            line(&mut text, "fn edge_divide(a: f32, b: f32) -> f32 { return a / b; }".into());
        }
    }
    for n in 1..=4 {
        sums(&mut text, n, kind.fuse.is_some());
    }
    for n in 2..=4 {
        by_component(&mut text, n);
        geometry(&mut text, n, kind.fuse);
    }
    line(&mut text, cross(kind.fuse));
    text
}

fn line(text: &mut String, line: String) {
    // writing to a string does not fail
    let _ = writeln!(text, "{line}");
}

/// `vec3<f32>(part(x), part(y), part(z))`
fn vector(n: usize, part: impl Fn(char) -> String) -> String {
    let parts: Vec<_> = "xyzw".chars().take(n).map(part).collect();
    format!("vec{n}<f32>({})", parts.join(", "))
}

fn by_component(text: &mut String, n: usize) {
    let v = format!("vec{n}<f32>");
    for (name, _) in UNARY {
        let parts = vector(n, |c| format!("{name}(x.{c})"));
        line(text, format!("fn {name}_{n}(x: {v}) -> {v} {{ return {parts}; }}"));
    }
    let parts = vector(n, |c| format!("edge_divide(a.{c}, b.{c})"));
    line(text, format!("fn edge_divide_{n}(a: {v}, b: {v}) -> {v} {{ return {parts}; }}"));
}

/// A product and one more term, by the sign of each: `sum`, `less` (product less term), `from` (term less product); with a
/// scalar factor on the left (`_s`) or on the right (`_t`).
fn sums(text: &mut String, n: usize, exact: bool) {
    for (name, product, term) in [("sum", "", "+ "), ("less", "", "- "), ("from", "-", "+ ")] {
        let of = |a: &str, b: &str, c: &str| match exact {
            true => format!("f32({product}(f64({a}) * f64({b})) {term}f64({c}))"),
            false => format!("{product}({a} * {b}) {term}{c}"),
        };
        if n == 1 {
            let value = of("a", "b", "c");
            line(text, format!("fn edge_{name}(a: f32, b: f32, c: f32) -> f32 {{ return {value}; }}"));
            continue;
        }
        let v = format!("vec{n}<f32>");
        for (kind, a, b) in [("", &*v, &*v), ("_s", "f32", &*v), ("_t", &*v, "f32")] {
            let part = |name: &str, of: &str, c: char| if of == "f32" { name.into() } else { format!("{name}.{c}") };
            let value = vector(n, |c| of(&part("a", a, c), &part("b", b, c), &format!("c.{c}")));
            line(text, format!("fn edge_{name}{kind}_{n}(a: {a}, b: {b}, c: {v}) -> {v} {{ return {value}; }}"));
        }
    }
}

/// Dot product and what inherits its error from it, of `n` components.
fn geometry(text: &mut String, n: usize, fuse: Option<Fuse>) {
    let v = format!("vec{n}<f32>");
    let mut order: Vec<_> = "xyzw".chars().take(n).collect();
    if fuse == Some(Fuse::Right) {
        order.reverse();
    }
    let first = order[0];
    let dot =
        order[1..].iter().fold(format!("a.{first} * b.{first}"), |sum, c| format!("edge_sum(a.{c}, b.{c}, {sum})"));
    let dot = if fuse.is_some() { dot } else { "dot(a, b)".into() };
    line(text, format!("fn edge_dot_{n}(a: {v}, b: {v}) -> f32 {{ return {dot}; }}"));
    line(text, format!("fn edge_length_{n}(x: {v}) -> f32 {{ return edge_sqrt(edge_dot_{n}(x, x)); }}"));
    line(text, format!("fn edge_distance_{n}(a: {v}, b: {v}) -> f32 {{ return edge_length_{n}(a - b); }}"));
    line(text, format!("fn edge_normalize_{n}(x: {v}) -> {v} {{ return x * edge_inverse_sqrt(edge_dot_{n}(x, x)); }}"));
}

fn cross(fuse: Option<Fuse>) -> String {
    let part = |p: char, q: char| match fuse {
        None => format!("a.{p} * b.{q} - a.{q} * b.{p}"),
        Some(Fuse::Left) => format!("edge_less(a.{p}, b.{q}, a.{q} * b.{p})"),
        Some(Fuse::Right) => format!("edge_from(a.{q}, b.{p}, a.{p} * b.{q})"),
    };
    let parts = [part('y', 'z'), part('z', 'x'), part('x', 'y')].join(", ");
    format!("fn edge_cross_3(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {{ return vec3<f32>({parts}); }}")
}
