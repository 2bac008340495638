//! A function of naga's with other expressions: they refer to each other by index, so all of it is written anew.

use super::Fault;
use naga::{
    Arena, AtomicFunction, Block, Expression, Function, Handle, Range, Span, Statement, SwitchCase, VectorSize,
};
use std::collections::HashMap;

/// The new expressions, and which of them replace the old ones.
pub(super) struct Rebuild {
    expressions: Arena<Expression>,
    spans: Vec<Span>,
    /// of an old expression: the first that was made for it, and the one that has its value
    made: HashMap<Handle<Expression>, (Handle<Expression>, Handle<Expression>)>,
    /// the first that was made for the present one
    first: Option<Handle<Expression>>,
}

impl Rebuild {
    /// None yet of `function`.
    pub(super) fn new(function: &Function) -> Rebuild {
        let spans = function.expressions.iter().map(|(h, _)| function.expressions.get_span(h)).collect();
        Rebuild { expressions: Arena::new(), spans, made: HashMap::new(), first: None }
    }

    /// A constant for the whole function.
    pub(super) fn constant(&mut self, value: Expression) -> Handle<Expression> {
        self.expressions.append(value, Span::UNDEFINED)
    }

    /// What follows is for the next old expression.
    pub(super) fn begin(&mut self) {
        self.first = None;
    }

    /// One more expression.
    pub(super) fn push(&mut self, expression: Expression) -> Handle<Expression> {
        let span = self.spans.get(self.made.len()).copied().unwrap_or_default();
        let handle = self.expressions.append(expression, span);
        self.first.get_or_insert(handle);
        handle
    }

    /// Minus zero in all of `size` components: with fast math a zero has any sign.
    pub(super) fn minus_zero(&mut self, size: usize, zero: Handle<Expression>) -> Handle<Expression> {
        let value = self.push(Expression::Unary { op: naga::UnaryOperator::Negate, expr: zero });
        let size = match size {
            2 => VectorSize::Bi,
            3 => VectorSize::Tri,
            4 => VectorSize::Quad,
            _ => return value,
        };
        self.push(Expression::Splat { size, value })
    }

    /// The old expression has the value of `value`.
    pub(super) fn end(&mut self, old: Handle<Expression>, value: Handle<Expression>) {
        self.made.insert(old, (self.first.unwrap_or(value), value));
    }

    /// The replacement of an old expression.
    pub(super) fn at(&self, old: Handle<Expression>) -> Handle<Expression> {
        self.made[&old].1
    }

    /// The old expression as it was.
    pub(super) fn copy(
        &mut self,
        old: Handle<Expression>,
        expression: &Expression,
    ) -> Result<Handle<Expression>, Fault> {
        let span = self.spans.get(old.index()).copied().unwrap_or_default();
        let copy = mapped(expression, span, &mut |h| self.at(h))?;
        Ok(self.push(copy))
    }

    /// The whole function.
    pub(super) fn function(mut self, old: &Function) -> Result<Function, Fault> {
        let mut function = old.clone();
        function.body = self.block(&old.body)?;
        function.named_expressions =
            old.named_expressions.iter().map(|(handle, name)| (self.at(*handle), name.clone())).collect();
        for (_, variable) in function.local_variables.iter_mut() {
            variable.init = variable.init.map(|h| self.at(h));
        }
        function.expressions = std::mem::take(&mut self.expressions);
        Ok(function)
    }

    fn block(&self, old: &Block) -> Result<Block, Fault> {
        let mut block = Block::with_capacity(old.len());
        for (statement, span) in old.span_iter() {
            block.push(self.statement(statement, *span)?, *span);
        }
        Ok(block)
    }

    fn statement(&self, old: &Statement, span: Span) -> Result<Statement, Fault> {
        let at = |h: &Handle<Expression>| self.at(*h);
        Ok(match old {
            Statement::Emit(range) => {
                let mut all = range.clone();
                let first = all.next();
                let last = all.last().or(first);
                match first.zip(last) {
                    Some((first, last)) => Statement::Emit(Range::new_from_bounds(self.made[&first].0, self.at(last))),
                    None => old.clone(),
                }
            }
            Statement::Block(inner) => Statement::Block(self.block(inner)?),
            Statement::If { condition, accept, reject } => {
                Statement::If { condition: at(condition), accept: self.block(accept)?, reject: self.block(reject)? }
            }
            Statement::Switch { selector, cases } => {
                let case = |c: &SwitchCase| Ok(SwitchCase { body: self.block(&c.body)?, ..c.clone() });
                Statement::Switch {
                    selector: at(selector),
                    cases: cases.iter().map(case).collect::<Result<_, Fault>>()?,
                }
            }
            Statement::Loop { body, continuing, break_if } => Statement::Loop {
                body: self.block(body)?,
                continuing: self.block(continuing)?,
                break_if: break_if.as_ref().map(at),
            },
            Statement::Return { value } => Statement::Return { value: value.as_ref().map(at) },
            Statement::Store { pointer, value } => Statement::Store { pointer: at(pointer), value: at(value) },
            Statement::Atomic { pointer, fun, value, result } => {
                let fun = match fun {
                    AtomicFunction::Exchange { compare } => {
                        AtomicFunction::Exchange { compare: compare.as_ref().map(at) }
                    }
                    other => *other,
                };
                let result = result.as_ref().map(at);
                Statement::Atomic { pointer: at(pointer), fun, value: at(value), result }
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                Statement::WorkGroupUniformLoad { pointer: at(pointer), result: at(result) }
            }
            Statement::Call { function, arguments, result } => Statement::Call {
                function: *function,
                arguments: arguments.iter().map(at).collect(),
                result: result.as_ref().map(at),
            },
            Statement::Break
            | Statement::Continue
            | Statement::Kill
            | Statement::ControlBarrier(_)
            | Statement::MemoryBarrier(_) => old.clone(),
            other => return Err((span, format!("a statement that is not rewritten: {other:?}"))),
        })
    }
}

/// An expression over other operands.
pub(super) fn mapped(
    expression: &Expression,
    span: Span,
    at: &mut dyn FnMut(Handle<Expression>) -> Handle<Expression>,
) -> Result<Expression, Fault> {
    use Expression as E;
    Ok(match expression.clone() {
        E::Compose { ty, components } => E::Compose { ty, components: components.into_iter().map(at).collect() },
        E::Access { base, index } => E::Access { base: at(base), index: at(index) },
        E::AccessIndex { base, index } => E::AccessIndex { base: at(base), index },
        E::Splat { size, value } => E::Splat { size, value: at(value) },
        E::Swizzle { size, vector, pattern } => E::Swizzle { size, vector: at(vector), pattern },
        E::Load { pointer } => E::Load { pointer: at(pointer) },
        E::Unary { op, expr } => E::Unary { op, expr: at(expr) },
        E::Binary { op, left, right } => E::Binary { op, left: at(left), right: at(right) },
        E::Select { condition, accept, reject } => {
            E::Select { condition: at(condition), accept: at(accept), reject: at(reject) }
        }
        E::Relational { fun, argument } => E::Relational { fun, argument: at(argument) },
        E::Math { fun, arg, arg1, arg2, arg3 } => {
            E::Math { fun, arg: at(arg), arg1: arg1.map(&mut *at), arg2: arg2.map(&mut *at), arg3: arg3.map(at) }
        }
        E::As { expr, kind, convert } => E::As { expr: at(expr), kind, convert },
        E::ArrayLength(expr) => E::ArrayLength(at(expr)),
        other @ (E::Literal(_)
        | E::Constant(_)
        | E::Override(_)
        | E::ZeroValue(_)
        | E::FunctionArgument(_)
        | E::GlobalVariable(_)
        | E::LocalVariable(_)
        | E::CallResult(_)
        | E::AtomicResult { .. }
        | E::WorkGroupUniformLoadResult { .. }) => other,
        other => return Err((span, format!("an expression that is not rewritten: {other:?}"))),
    })
}
