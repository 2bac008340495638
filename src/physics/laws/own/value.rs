//! Values of WGSL in f64: numbers, flags, and lists of them for vectors, arrays and structs.

use naga::BinaryOperator as Op;

/// A value; `f32` of WGSL is computed in f64.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// f32
    Number(f64),
    /// i32
    Signed(i32),
    /// u32
    Unsigned(u32),
    /// bool
    Flag(bool),
    /// of a vector, an array or a struct
    List(Vec<Value>),
}

use Value::{Flag, List, Number, Signed, Unsigned};

impl Value {
    /// A vector.
    pub fn vector(list: impl IntoIterator<Item = f64>) -> Value {
        List(list.into_iter().map(Number).collect())
    }

    /// The number; `None` of anything else.
    pub fn number(&self) -> Option<f64> {
        if let Number(x) = self { Some(*x) } else { None }
    }

    /// The flag; `None` of anything else.
    pub fn flag(&self) -> Option<bool> {
        if let Flag(x) = self { Some(*x) } else { None }
    }

    /// The list; `None` of anything else.
    pub fn list(&self) -> Option<&[Value]> {
        if let List(list) = self { Some(list) } else { None }
    }

    /// The numbers of a vector.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.list()?.iter().map(Value::number).collect()
    }

    /// The index in a list that a whole number names.
    pub fn index(&self) -> Option<usize> {
        match self {
            Signed(x) => usize::try_from(*x).ok(),
            Unsigned(x) => usize::try_from(*x).ok(),
            _ => None,
        }
    }

    /// What `of` makes of the value, or of every member of a vector.
    pub fn each(&self, of: &dyn Fn(&Value) -> Option<Value>) -> Option<Value> {
        match self {
            List(list) => list.iter().map(|x| x.each(of)).collect::<Option<_>>().map(List),
            one => of(one),
        }
    }

    /// What `of` makes of both, member by member; a single value goes with every member of a vector.
    pub fn both(&self, other: &Value, of: &dyn Fn(&Value, &Value) -> Option<Value>) -> Option<Value> {
        match (self, other) {
            (List(a), List(b)) => a.iter().zip(b).map(|(x, y)| x.both(y, of)).collect::<Option<_>>().map(List),
            (List(a), one) => a.iter().map(|x| x.both(one, of)).collect::<Option<_>>().map(List),
            (one, List(b)) => b.iter().map(|y| one.both(y, of)).collect::<Option<_>>().map(List),
            (a, b) => of(a, b),
        }
    }

    /// Both, by an operator.
    pub fn binary(&self, op: Op, other: &Value) -> Option<Value> {
        self.both(other, &|a, b| single(op, a, b))
    }
}

fn single(op: Op, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Number(a), Number(b)) => of_numbers(op, *a, *b),
        (Signed(a), Signed(b)) => of_signed(op, *a, *b),
        (Unsigned(a), Unsigned(b)) => of_unsigned(op, *a, *b),
        (Signed(a), Unsigned(b)) => of_signed(op, *a, *b as i32),
        (Flag(a), Flag(b)) => Some(Flag(match op {
            Op::Equal => a == b,
            Op::NotEqual => a != b,
            Op::And | Op::LogicalAnd => *a && *b,
            Op::InclusiveOr | Op::LogicalOr => *a || *b,
            _ => return None,
        })),
        _ => None,
    }
}

fn compared<T: PartialOrd>(op: Op, a: T, b: T) -> Option<Value> {
    Some(Flag(match op {
        Op::Equal => a == b,
        Op::NotEqual => a != b,
        Op::Less => a < b,
        Op::LessEqual => a <= b,
        Op::Greater => a > b,
        Op::GreaterEqual => a >= b,
        _ => return None,
    }))
}

fn of_numbers(op: Op, a: f64, b: f64) -> Option<Value> {
    Some(Number(match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::Modulo => a % b,
        _ => return compared(op, a, b),
    }))
}

/// Arithmetic of whole numbers as WGSL has it: it wraps, a division by zero gives the dividend and leaves no remainder.
macro_rules! of_whole {
    ($name:ident, $type:ty, $kind:path) => {
        fn $name(op: Op, a: $type, b: $type) -> Option<Value> {
            Some($kind(match op {
                Op::Add => a.wrapping_add(b),
                Op::Subtract => a.wrapping_sub(b),
                Op::Multiply => a.wrapping_mul(b),
                Op::Divide => a.checked_div(b).unwrap_or(a),
                Op::Modulo => a.checked_rem(b).unwrap_or(0),
                Op::And => a & b,
                Op::ExclusiveOr => a ^ b,
                Op::InclusiveOr => a | b,
                Op::ShiftLeft => a.wrapping_shl(b as u32),
                Op::ShiftRight => a.wrapping_shr(b as u32),
                _ => return compared(op, a, b),
            }))
        }
    };
}

of_whole!(of_signed, i32, Signed);
of_whole!(of_unsigned, u32, Unsigned);
