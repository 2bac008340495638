//! Built-in functions of WGSL that a law may call, in f64.

use super::value::Value;
use naga::MathFunction as F;

/// True if a law may call the function.
pub fn is_known(fun: F) -> bool {
    of_one(fun).is_some() || of_two(fun).is_some() || of_three(fun).is_some() || of_vectors(fun)
}

fn of_vectors(fun: F) -> bool {
    matches!(fun, F::Dot | F::Cross | F::Distance | F::Length | F::Normalize | F::Abs | F::Min | F::Max | F::Clamp)
}

/// What a function gives; `None` if it takes other arguments, which naga has refused before.
pub fn call(fun: F, arguments: &[Value]) -> Option<Value> {
    match (fun, arguments) {
        (F::Dot, [a, b]) => inner(a, b),
        (F::Sign, [a]) => a.each(&sign),
        (F::Length, [a]) => Some(Value::Number(length(a)?)),
        (F::Distance, [a, b]) => Some(Value::Number(length(&a.binary(naga::BinaryOperator::Subtract, b)?)?)),
        (F::Normalize, [a]) => a.binary(naga::BinaryOperator::Divide, &Value::Number(length(a)?)),
        (F::Cross, [a, b]) => cross(a, b),
        (F::Min, [a, b]) => a.both(b, &|a, b| least(a, b)),
        (F::Max, [a, b]) => a.both(b, &|a, b| most(a, b)),
        (F::Clamp, [a, low, high]) => a.both(low, &|a, b| most(a, b))?.both(high, &|a, b| least(a, b)),
        (F::Abs, [a]) => a.each(&absolute),
        (_, [a]) => a.each(&|a| Some(Value::Number(of_one(fun)?(a.number()?)))),
        (_, [a, b]) => a.both(b, &|a, b| Some(Value::Number(of_two(fun)?(a.number()?, b.number()?)))),
        (_, [a, b, c]) => three(fun, a, b, c),
        _ => None,
    }
}

fn length(a: &Value) -> Option<f64> {
    match a {
        Value::Number(a) => Some(a.abs()),
        vector => Some(inner(vector, vector)?.number()?.sqrt()),
    }
}

/// The inner product of vectors of any numbers.
fn inner(a: &Value, b: &Value) -> Option<Value> {
    let products = a.binary(naga::BinaryOperator::Multiply, b)?;
    let (first, others) = products.list()?.split_first()?;
    others.iter().try_fold(first.clone(), |sum, part| sum.binary(naga::BinaryOperator::Add, part))
}

fn sign(a: &Value) -> Option<Value> {
    Some(match a {
        Value::Signed(a) => Value::Signed(a.signum()),
        _ => Value::Number(of_one(F::Sign)?(a.number()?)),
    })
}

fn cross(a: &Value, b: &Value) -> Option<Value> {
    let (a, b) = (a.numbers()?, b.numbers()?);
    let [ax, ay, az] = a.try_into().ok()?;
    let [bx, by, bz] = b.try_into().ok()?;
    Some(Value::vector([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]))
}

fn least(a: &Value, b: &Value) -> Option<Value> {
    Some(match (a, b) {
        (Value::Number(a), Value::Number(b)) => Value::Number(a.min(*b)),
        (Value::Signed(a), Value::Signed(b)) => Value::Signed(*a.min(b)),
        (Value::Unsigned(a), Value::Unsigned(b)) => Value::Unsigned(*a.min(b)),
        _ => return None,
    })
}

fn most(a: &Value, b: &Value) -> Option<Value> {
    Some(match (a, b) {
        (Value::Number(a), Value::Number(b)) => Value::Number(a.max(*b)),
        (Value::Signed(a), Value::Signed(b)) => Value::Signed(*a.max(b)),
        (Value::Unsigned(a), Value::Unsigned(b)) => Value::Unsigned(*a.max(b)),
        _ => return None,
    })
}

fn absolute(a: &Value) -> Option<Value> {
    Some(match a {
        Value::Number(a) => Value::Number(a.abs()),
        Value::Signed(a) => Value::Signed(a.wrapping_abs()),
        Value::Unsigned(a) => Value::Unsigned(*a),
        _ => return None,
    })
}

fn three(fun: F, a: &Value, b: &Value, c: &Value) -> Option<Value> {
    let of = of_three(fun)?;
    let at = |v: &Value, k: usize| match v {
        Value::List(list) => list.get(k)?.number(),
        one => one.number(),
    };
    let lengths = [a, b, c].map(|v| v.list().map(<[Value]>::len));
    match lengths.into_iter().flatten().max() {
        None => Some(Value::Number(of(a.number()?, b.number()?, c.number()?))),
        Some(n) => {
            let one = |k| Some(Value::Number(of(at(a, k)?, at(b, k)?, at(c, k)?)));
            (0..n).map(one).collect::<Option<_>>().map(Value::List)
        }
    }
}

fn of_one(fun: F) -> Option<fn(f64) -> f64> {
    Some(match fun {
        F::Sqrt => f64::sqrt,
        F::InverseSqrt => |x| 1.0 / x.sqrt(),
        F::Exp => f64::exp,
        F::Exp2 => f64::exp2,
        F::Log => f64::ln,
        F::Log2 => f64::log2,
        F::Sin => f64::sin,
        F::Cos => f64::cos,
        F::Tan => f64::tan,
        F::Asin => f64::asin,
        F::Acos => f64::acos,
        F::Atan => f64::atan,
        F::Sinh => f64::sinh,
        F::Cosh => f64::cosh,
        F::Tanh => f64::tanh,
        F::Ceil => f64::ceil,
        F::Floor => f64::floor,
        F::Round => f64::round_ties_even,
        F::Trunc => f64::trunc,
        F::Fract => |x| x - x.floor(),
        F::Sign => |x| if x == 0.0 { 0.0 } else { x.signum() },
        F::Saturate => |x| x.clamp(0.0, 1.0),
        F::Radians => f64::to_radians,
        F::Degrees => f64::to_degrees,
        _ => return None,
    })
}

fn of_two(fun: F) -> Option<fn(f64, f64) -> f64> {
    Some(match fun {
        F::Pow => f64::powf,
        F::Atan2 => f64::atan2,
        F::Step => |edge, x| if edge <= x { 1.0 } else { 0.0 },
        _ => return None,
    })
}

fn of_three(fun: F) -> Option<fn(f64, f64, f64) -> f64> {
    Some(match fun {
        F::Fma => f64::mul_add,
        F::Mix => |a, b, share| a * (1.0 - share) + b * share,
        F::SmoothStep => |low, high, x| {
            let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        },
        _ => return None,
    })
}
