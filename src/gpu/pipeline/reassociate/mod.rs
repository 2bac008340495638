//! Makes of a shader what a compiler with fast math may make of it: sums and products of f32 in another order, equal terms
//! of opposite sign cancelled, common factors taken out, zeros left away, comparisons as if there were no NaN.
//!
//! Metal compiles so, other drivers in part. A pass whose checks hold with this too does not depend on the order of its
//! sums, on the sign of zero or on NaN: `breccia verify --perturb reassociated`. Two-sums and the like lose their rest here,
//! as they would there. Sums are followed through `let` and expressions, not through variables and calls.

mod rebuild;
mod terms;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    BinaryOperator, Expression, Function, Handle, Literal, Module, Scalar, ScalarKind, Span, TypeInner, UnaryOperator,
};
use rebuild::{Rebuild, mapped};
use std::collections::HashMap;
use terms::Term;

/// What cannot be rewritten, and where.
pub type Fault = (Span, String);

/// Rewrites all functions of a valid module; `info` is of that module, and no longer holds afterwards.
pub fn reassociate(module: &mut Module, info: &ModuleInfo) -> Result<usize, Fault> {
    // Functions that `perturb` has put in mean what they say.
    let ours = |f: &Function| f.name.as_deref().is_some_and(|name| name.starts_with("edge_"));
    let handles: Vec<_> = module.functions.iter().filter(|(_, f)| !ours(f)).map(|(handle, _)| handle).collect();
    let mut changed = 0;
    for handle in handles {
        let (function, count) = rewritten(module, &module.functions[handle], &info[handle])?;
        *module.functions.get_mut(handle) = function;
        changed += count;
    }
    for index in 0..module.entry_points.len() {
        let (function, count) = rewritten(module, &module.entry_points[index].function, info.get_entry_point(index))?;
        module.entry_points[index].function = function;
        changed += count;
    }
    Ok(changed)
}

/// A function with its expressions in another order, and how many were changed.
fn rewritten(module: &Module, function: &Function, info: &FunctionInfo) -> Result<(Function, usize), Fault> {
    let old = Old::new(module, function, info)?;
    let mut out = Rebuild::new(function);
    let zero = out.constant(Expression::Literal(Literal::F32(0.0)));
    let mut changed = 0;
    for (handle, expression) in function.expressions.iter() {
        out.begin();
        changed += usize::from(match old.instead(handle, &mut out, zero) {
            Some(made) => {
                out.end(handle, made);
                true
            }
            None => {
                let copy = out.copy(handle, expression)?;
                out.end(handle, copy);
                false
            }
        });
    }
    Ok((out.function(function)?, changed))
}

/// A function before it is rewritten.
struct Old<'a> {
    module: &'a Module,
    function: &'a Function,
    info: &'a FunctionInfo,
    /// of each expression the first that has the same value
    same: HashMap<Handle<Expression>, Handle<Expression>>,
}

impl<'a> Old<'a> {
    fn new(module: &'a Module, function: &'a Function, info: &'a FunctionInfo) -> Result<Old<'a>, Fault> {
        let mut old = Old { module, function, info, same: HashMap::new() };
        let mut first: HashMap<String, Handle<Expression>> = HashMap::new();
        for (handle, expression) in function.expressions.iter() {
            // A load or a call may give another value each time.
            let fixed = !matches!(
                expression,
                Expression::Load { .. } | Expression::CallResult(_) | Expression::AtomicResult { .. }
            );
            let known = if fixed {
                let span = function.expressions.get_span(handle);
                let shown = format!("{:?}", mapped(expression, span, &mut |h| old.same[&h])?);
                *first.entry(shown).or_insert(handle)
            } else {
                handle
            };
            old.same.insert(handle, known);
        }
        Ok(old)
    }

    fn inner(&self, handle: Handle<Expression>) -> &TypeInner {
        self.info[handle].ty.inner_with(&self.module.types)
    }

    /// Components of a scalar or vector of f32; `None` of all else.
    fn size(&self, handle: Handle<Expression>) -> Option<usize> {
        match *self.inner(handle) {
            TypeInner::Scalar(s) if s == Scalar::F32 => Some(1),
            TypeInner::Vector { size, scalar } if scalar == Scalar::F32 => Some(size as usize),
            _ => None,
        }
    }

    /// The replacement of an expression, or `None` if it stays.
    fn instead(
        &self,
        handle: Handle<Expression>,
        out: &mut Rebuild,
        zero: Handle<Expression>,
    ) -> Option<Handle<Expression>> {
        match self.function.expressions[handle] {
            Expression::Binary { op: BinaryOperator::Add | BinaryOperator::Subtract, .. } => {
                self.sum(handle, self.size(handle)?, out, zero)
            }
            Expression::Binary { op: BinaryOperator::Multiply, .. } => {
                self.size(handle)?;
                self.product(handle, out)
            }
            Expression::Binary { op, left, right } => {
                self.size(left)?;
                // x == x and x != x detect NaN
                let equal = self.same[&left] == self.same[&right];
                let order = match op {
                    BinaryOperator::Equal if equal => BinaryOperator::GreaterEqual,
                    BinaryOperator::NotEqual if equal => BinaryOperator::Less,
                    _ => return None,
                };
                // of two values that are not NaN: always, and never
                let bits = |out: &mut Rebuild| {
                    let at = out.at(left);
                    out.push(Expression::As { expr: at, kind: ScalarKind::Uint, convert: None })
                };
                let (left, right) = (bits(out), bits(out));
                Some(out.push(Expression::Binary { op: order, left, right }))
            }
            Expression::Unary { op: UnaryOperator::LogicalNot, expr } => self.negated(expr, out),
            _ => None,
        }
    }

    /// `!(a < b)` is `a >= b` if neither is NaN.
    fn negated(&self, expr: Handle<Expression>, out: &mut Rebuild) -> Option<Handle<Expression>> {
        use BinaryOperator as B;
        let Expression::Binary { op, left, right } = self.function.expressions[expr] else { return None };
        self.size(left)?;
        let op = match op {
            B::Less => B::GreaterEqual,
            B::LessEqual => B::Greater,
            B::Greater => B::LessEqual,
            B::GreaterEqual => B::Less,
            _ => return None,
        };
        let (left, right) = (out.at(left), out.at(right));
        Some(out.push(Expression::Binary { op, left, right }))
    }

    /// A sum of three terms or more, or with terms that cancel, in another order.
    fn sum(
        &self,
        handle: Handle<Expression>,
        size: usize,
        out: &mut Rebuild,
        zero: Handle<Expression>,
    ) -> Option<Handle<Expression>> {
        let all = self.terms(handle);
        let mut terms = self.cancelled(&all);
        if terms.is_empty() {
            return Some(out.minus_zero(size, zero));
        }
        let factored = self.factored(&mut terms, out);
        if all.len() < 3 && terms.len() == all.len() && !factored {
            return None;
        }
        let mut terms = terms.into_iter().rev();
        let Term { value, plus, .. } = terms.next()?;
        let start = value.in_new(out);
        let first = if plus { start } else { out.push(Expression::Unary { op: UnaryOperator::Negate, expr: start }) };
        Some(terms.fold(first, |left, Term { value, plus, .. }| {
            let right = value.in_new(out);
            let op = if plus { BinaryOperator::Add } else { BinaryOperator::Subtract };
            out.push(Expression::Binary { op, left, right })
        }))
    }

    /// A product of three factors or more in another order, scalars first.
    fn product(&self, handle: Handle<Expression>, out: &mut Rebuild) -> Option<Handle<Expression>> {
        let factors = self.factors(handle);
        if factors.len() < 3 {
            return None;
        }
        let (vectors, scalars): (Vec<_>, Vec<_>) = factors.into_iter().rev().partition(|f| self.size(*f) != Some(1));
        let mut times = |list: Vec<Handle<Expression>>| {
            let new: Vec<_> = list.into_iter().map(|f| out.at(f)).collect();
            new.into_iter()
                .reduce(|left, right| out.push(Expression::Binary { op: BinaryOperator::Multiply, left, right }))
        };
        match (times(vectors), times(scalars)) {
            (Some(left), Some(right)) => {
                Some(out.push(Expression::Binary { op: BinaryOperator::Multiply, left, right }))
            }
            (one, other) => one.or(other),
        }
    }
}
