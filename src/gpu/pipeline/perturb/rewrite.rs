//! Puts calls in the place of expressions of a naga module, which are those of the functions in [`super::text`].

use super::Fuse;
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    BinaryOperator, Block, Constant, Expression, Function, Handle, Literal, MathFunction, Module, Range, ScalarKind,
    Span, Statement, SwitchCase, TypeInner, VectorSize,
};
use std::collections::{BTreeMap, HashMap};

type Call = (Handle<Function>, Vec<Handle<Expression>>);
type Calls = HashMap<Handle<Expression>, Call>;
type Fault = (Span, String);

/// Rewrites all functions but those of [`super::text`]. Errors: a built-in whose error is not known here.
pub(super) fn rewrite(module: &mut Module, info: &ModuleInfo, fuse: Option<Fuse>) -> Result<(), Fault> {
    let named = module.functions.iter().filter_map(|(handle, f)| Some((f.name.clone()?, handle)));
    let ours: BTreeMap<String, Handle<Function>> = named.filter(|(name, _)| name.starts_with("edge_")).collect();
    let handles: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    for handle in handles.into_iter().filter(|h| !ours.values().any(|o| o == h)) {
        let found =
            Finder { module, function: &module.functions[handle], info: &info[handle], ours: &ours, fuse }.calls()?;
        place(module.functions.get_mut(handle), found);
    }
    for index in 0..module.entry_points.len() {
        let function = &module.entry_points[index].function;
        let found = Finder { module, function, info: info.get_entry_point(index), ours: &ours, fuse }.calls()?;
        place(&mut module.entry_points[index].function, found);
    }
    Ok(())
}

struct Finder<'a> {
    module: &'a Module,
    function: &'a Function,
    info: &'a FunctionInfo,
    ours: &'a BTreeMap<String, Handle<Function>>,
    fuse: Option<Fuse>,
}

impl Finder<'_> {
    fn calls(&self) -> Result<Calls, Fault> {
        let mut calls = Calls::new();
        for (handle, expression) in self.function.expressions.iter() {
            let found = match *expression {
                Expression::Math { fun, arg, arg1, .. } => self.math(handle, fun, arg, arg1)?,
                Expression::Binary { op: BinaryOperator::Divide, left, right } => {
                    self.size(handle).map(|n| self.call("divide", n, vec![left, right]))
                }
                Expression::Binary { op: BinaryOperator::Modulo, .. } if self.size(handle).is_some() => {
                    return Err(self.fault(handle, "the error of % on floats is not known here".into()));
                }
                Expression::Binary { op: BinaryOperator::Add, left, right } => self.sum(handle, false, left, right),
                Expression::Binary { op: BinaryOperator::Subtract, left, right } => self.sum(handle, true, left, right),
                _ => None,
            };
            calls.extend(found.map(|call| (handle, call)));
        }
        Ok(calls)
    }

    fn fault(&self, handle: Handle<Expression>, what: String) -> Fault {
        (self.function.expressions.get_span(handle), what)
    }

    fn inner(&self, handle: Handle<Expression>) -> &TypeInner {
        self.info[handle].ty.inner_with(&self.module.types)
    }

    /// Components of an f32 scalar or vector; `None` of all else.
    fn size(&self, handle: Handle<Expression>) -> Option<usize> {
        match *self.inner(handle) {
            TypeInner::Scalar(s) if s.kind == ScalarKind::Float => Some(1),
            TypeInner::Vector { size, scalar } if scalar.kind == ScalarKind::Float => Some(match size {
                VectorSize::Bi => 2,
                VectorSize::Tri => 3,
                VectorSize::Quad => 4,
            }),
            _ => None,
        }
    }

    fn call(&self, name: &str, n: usize, arguments: Vec<Handle<Expression>>) -> Call {
        let full = if n == 1 { format!("edge_{name}") } else { format!("edge_{name}_{n}") };
        (self.ours[&full], arguments)
    }

    fn math(
        &self,
        handle: Handle<Expression>,
        fun: MathFunction,
        arg: Handle<Expression>,
        arg1: Option<Handle<Expression>>,
    ) -> Result<Option<Call>, Fault> {
        use MathFunction as M;
        let Some(n) = self.size(arg) else { return Ok(None) };
        let name = match fun {
            M::Sqrt => "sqrt",
            M::InverseSqrt => "inverse_sqrt",
            M::Sin => "sin",
            M::Cos => "cos",
            // the length of a number is its size
            M::Length if n == 1 => return Ok(None),
            M::Length => "length",
            M::Distance if n > 1 => "distance",
            M::Normalize => "normalize",
            M::Dot => "dot",
            M::Cross => "cross",
            // correctly rounded, or nothing is rounded
            M::Abs | M::Min | M::Max | M::Clamp | M::Saturate | M::Sign | M::Step => return Ok(None),
            M::Ceil | M::Floor | M::Round | M::Trunc | M::Fract => return Ok(None),
            // of 8 bits
            M::Pack4x8unorm | M::Unpack4x8unorm => return Ok(None),
            other => return Err(self.fault(handle, format!("the error of {other:?} is not known here"))),
        };
        Ok(Some(self.call(name, n, std::iter::once(arg).chain(arg1).collect())))
    }

    /// Whether a factor is a power of two. Its product is exact, so it stays as it is: Mesa 25 turns an integer that becomes
    /// f32 and then f64, as a call would have it, into f64 at once, which is another number.
    fn power_of_two(&self, handle: Handle<Expression>) -> bool {
        let constant = |c: Handle<Constant>| &self.module.global_expressions[self.module.constants[c].init];
        let found = match &self.function.expressions[handle] {
            Expression::Constant(c) => constant(*c),
            here => here,
        };
        matches!(found, Expression::Literal(Literal::F32(x)) if x.is_normal() && x.to_bits() & 0x7f_ffff == 0)
    }

    /// The factors of a product of floats, and which of them applies to all components of the other.
    fn product(&self, handle: Handle<Expression>) -> Option<([Handle<Expression>; 2], &'static str)> {
        match self.function.expressions[handle] {
            Expression::Binary { op: BinaryOperator::Multiply, left, right } => {
                if self.power_of_two(left) || self.power_of_two(right) {
                    return None;
                }
                match (self.size(left)?, self.size(right)?) {
                    (a, b) if a == b => Some(([left, right], "")),
                    (1, _) => Some(([left, right], "_s")),
                    (_, 1) => Some(([left, right], "_t")),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A sum or difference of which one side is a product.
    fn sum(
        &self,
        at: Handle<Expression>,
        minus: bool,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Option<Call> {
        let n = self.size(at)?;
        let of_left = || Some((self.product(left)?, if minus { "less" } else { "sum" }, right));
        let of_right = || Some((self.product(right)?, if minus { "from" } else { "sum" }, left));
        let (([a, b], kind), name, c) = match self.fuse? {
            Fuse::Left => of_left().or_else(of_right)?,
            Fuse::Right => of_right().or_else(of_left)?,
        };
        Some(self.call(&format!("{name}{kind}"), n, vec![a, b, c]))
    }
}

/// Replaces expressions by results of calls.
fn place(function: &mut Function, calls: Calls) {
    for (handle, (callee, _)) in &calls {
        *function.expressions.get_mut(*handle) = Expression::CallResult(*callee);
    }
    let mut body = std::mem::take(&mut function.body);
    in_block(&mut body, &calls);
    function.body = body;
}

fn in_block(block: &mut Block, calls: &Calls) {
    let mut out = Block::with_capacity(block.len());
    for (mut statement, span) in std::mem::take(block).span_into_iter() {
        match &mut statement {
            Statement::Emit(range) => {
                emit(range.clone(), span, calls, &mut out);
                continue;
            }
            Statement::Block(inner) => in_block(inner, calls),
            Statement::If { accept, reject, .. } => {
                in_block(accept, calls);
                in_block(reject, calls);
            }
            Statement::Switch { cases, .. } => {
                for SwitchCase { body, .. } in cases {
                    in_block(body, calls);
                }
            }
            Statement::Loop { body, continuing, .. } => {
                in_block(body, calls);
                in_block(continuing, calls);
            }
            _ => {}
        }
        out.push(statement, span);
    }
    *block = out;
}

/// Emits the same expressions in the same order, with calls between them.
fn emit(range: Range<Expression>, span: Span, calls: &Calls, out: &mut Block) {
    let mut plain: Option<(Handle<Expression>, Handle<Expression>)> = None;
    for handle in range {
        let Some((function, arguments)) = calls.get(&handle) else {
            plain = Some((plain.map_or(handle, |p| p.0), handle));
            continue;
        };
        if let Some((first, last)) = plain.take() {
            out.push(Statement::Emit(Range::new_from_bounds(first, last)), span);
        }
        let (function, arguments) = (*function, arguments.clone());
        out.push(Statement::Call { function, arguments, result: Some(handle) }, span);
    }
    if let Some((first, last)) = plain {
        out.push(Statement::Emit(Range::new_from_bounds(first, last)), span);
    }
}
