//! Runs functions of a WGSL module on the CPU, in f64: the law of a user has no other form in f64. The part of WGSL that
//! laws need is known; [`strange`] names what else a module has.

use super::math;
use super::value::Value;
use naga::{Arena, Block, Expression, Function, Handle, LocalVariable, Module, Span, Statement, SwitchValue};
use naga::{RelationalFunction, ScalarKind, Type, TypeInner, UnaryOperator};

/// Turns of all loops of a call; more are taken for a loop without an end.
const TURNS_MAX: u32 = 1 << 20;
/// Numbers of a variable at most.
const NUMBERS_MAX: usize = 4096;

/// What a function gives; `None` where it does not end, or does what [`strange`] names.
pub fn call(module: &Module, function: Handle<Function>, arguments: Vec<Value>) -> Option<Value> {
    run(module, &module.functions[function], arguments, &mut 0)
}

fn run(module: &Module, function: &Function, arguments: Vec<Value>, turns: &mut u32) -> Option<Value> {
    *turns += 1;
    if *turns >= TURNS_MAX {
        return None;
    }
    let known = vec![None; function.expressions.len()];
    let mut frame = Frame { module, function, arguments, locals: vec![], known, turns };
    for (_, local) in function.local_variables.iter() {
        let value = match local.init {
            Some(init) => frame.value(init)?,
            None => zero(module, local.ty)?,
        };
        frame.locals.push(value);
    }
    match frame.block(&function.body)? {
        Flow::Return(value) => value,
        _ => None,
    }
}

/// How a block ended.
enum Flow {
    On,
    Break,
    Continue,
    Return(Option<Value>),
}

/// A running function.
struct Frame<'a> {
    module: &'a Module,
    function: &'a Function,
    arguments: Vec<Value>,
    locals: Vec<Value>,
    known: Vec<Option<Value>>,
    turns: &'a mut u32,
}

impl Frame<'_> {
    fn block(&mut self, block: &Block) -> Option<Flow> {
        for statement in block.iter() {
            match self.statement(statement)? {
                Flow::On => {}
                other => return Some(other),
            }
        }
        Some(Flow::On)
    }

    fn statement(&mut self, statement: &Statement) -> Option<Flow> {
        match statement {
            Statement::Emit(range) => {
                for expression in range.clone() {
                    // a variable is looked up when it is read or written
                    if !is_variable(&self.function.expressions, expression) {
                        self.known[expression.index()] = None;
                        let value = self.value(expression)?;
                        self.known[expression.index()] = Some(value);
                    }
                }
                Some(Flow::On)
            }
            Statement::Block(block) => self.block(block),
            Statement::If { condition, accept, reject } => {
                let accepted = self.value(*condition)?.flag()?;
                self.block(if accepted { accept } else { reject })
            }
            Statement::Switch { selector, cases } => self.switch(*selector, cases),
            Statement::Loop { body, continuing, break_if } => self.turn(body, continuing, *break_if),
            Statement::Break => Some(Flow::Break),
            Statement::Continue => Some(Flow::Continue),
            Statement::Return { value } => Some(Flow::Return(match value {
                Some(value) => Some(self.value(*value)?),
                None => None,
            })),
            Statement::Store { pointer, value } => {
                let value = self.value(*value)?;
                let (local, path) = self.variable(*pointer)?;
                let mut at = self.locals.get_mut(local.index())?;
                for k in path {
                    let Value::List(list) = at else { return None };
                    at = list.get_mut(k)?;
                }
                *at = value;
                Some(Flow::On)
            }
            Statement::Call { function, arguments, result } => {
                let arguments = arguments.iter().map(|a| self.value(*a)).collect::<Option<_>>()?;
                let value = run(self.module, &self.module.functions[*function], arguments, self.turns)?;
                if let Some(result) = result {
                    self.known[result.index()] = Some(value);
                }
                Some(Flow::On)
            }
            _ => None,
        }
    }

    fn switch(&mut self, selector: Handle<Expression>, cases: &[naga::SwitchCase]) -> Option<Flow> {
        let selected = self.value(selector)?;
        let meant = |case: &naga::SwitchCase| match case.value {
            SwitchValue::I32(x) => selected == Value::Signed(x),
            SwitchValue::U32(x) => selected == Value::Unsigned(x),
            SwitchValue::Default => false,
        };
        let default = || cases.iter().position(|case| case.value == SwitchValue::Default);
        let first = cases.iter().position(meant).or_else(default)?;
        for case in &cases[first..] {
            match self.block(&case.body)? {
                Flow::On if case.fall_through => {}
                Flow::On | Flow::Break => return Some(Flow::On),
                other => return Some(other),
            }
        }
        Some(Flow::On)
    }

    fn turn(&mut self, body: &Block, continuing: &Block, end: Option<Handle<Expression>>) -> Option<Flow> {
        while *self.turns < TURNS_MAX {
            *self.turns += 1;
            match self.block(body)? {
                Flow::Break => return Some(Flow::On),
                Flow::Return(value) => return Some(Flow::Return(value)),
                Flow::On | Flow::Continue => {}
            }
            self.block(continuing)?;
            if let Some(end) = end
                && self.value(end)?.flag()?
            {
                return Some(Flow::On);
            }
        }
        None
    }

    /// A local variable, and the way to a member of it.
    fn variable(&mut self, pointer: Handle<Expression>) -> Option<(Handle<LocalVariable>, Vec<usize>)> {
        let (base, index) = match &self.function.expressions[pointer] {
            Expression::LocalVariable(local) => return Some((*local, vec![])),
            Expression::AccessIndex { base, index } => (*base, *index as usize),
            Expression::Access { base, index } => (*base, self.value(*index)?.index()?),
            _ => return None,
        };
        let (local, mut path) = self.variable(base)?;
        path.push(index);
        Some((local, path))
    }

    fn value(&mut self, expression: Handle<Expression>) -> Option<Value> {
        if let Some(value) = &self.known[expression.index()] {
            return Some(value.clone());
        }
        match &self.function.expressions[expression] {
            Expression::FunctionArgument(k) => self.arguments.get(*k as usize).cloned(),
            Expression::Load { pointer } => {
                let (local, path) = self.variable(*pointer)?;
                let mut at = self.locals.get(local.index())?;
                for k in path {
                    at = at.list()?.get(k)?;
                }
                Some(at.clone())
            }
            other => compute(self.module, other, &mut |operand| self.value(operand)),
        }
    }
}

/// A constant of the module.
fn constant(module: &Module, expression: Handle<Expression>) -> Option<Value> {
    compute(module, &module.global_expressions[expression], &mut |operand| constant(module, operand))
}

/// The value of an expression; `of` gives those of its operands.
fn compute(
    module: &Module,
    expression: &Expression,
    of: &mut dyn FnMut(Handle<Expression>) -> Option<Value>,
) -> Option<Value> {
    match expression {
        Expression::Literal(literal) => literal_value(*literal),
        Expression::Constant(handle) => constant(module, module.constants[*handle].init),
        Expression::ZeroValue(ty) => zero(module, *ty),
        Expression::Compose { ty, components } => {
            let parts = components.iter().map(|c| of(*c)).collect::<Option<Vec<_>>>()?;
            // a vector of vectors is flat
            let flat = matches!(module.types[*ty].inner, TypeInner::Vector { .. });
            let flattened = |part: Value| match part {
                Value::List(list) if flat => list,
                one => vec![one],
            };
            Some(Value::List(parts.into_iter().flat_map(flattened).collect()))
        }
        Expression::Access { base, index } => of(*base)?.list()?.get(of(*index)?.index()?).cloned(),
        Expression::AccessIndex { base, index } => of(*base)?.list()?.get(*index as usize).cloned(),
        Expression::Splat { size, value } => Some(Value::List(vec![of(*value)?; *size as usize])),
        Expression::Swizzle { size, vector, pattern } => {
            let vector = of(*vector)?;
            let part = |k: &naga::SwizzleComponent| vector.list()?.get(k.index() as usize).cloned();
            pattern[..*size as usize].iter().map(part).collect::<Option<_>>().map(Value::List)
        }
        Expression::Unary { op, expr } => of(*expr)?.each(&|x| unary(*op, x)),
        Expression::Binary { op, left, right } => of(*left)?.binary(*op, &of(*right)?),
        Expression::Select { condition, accept, reject } => select(&of(*condition)?, &of(*accept)?, &of(*reject)?),
        Expression::Relational { fun, argument } => {
            let flags = of(*argument)?.list()?.iter().map(Value::flag).collect::<Option<Vec<_>>>()?;
            match fun {
                RelationalFunction::All => Some(Value::Flag(flags.iter().all(|f| *f))),
                RelationalFunction::Any => Some(Value::Flag(flags.iter().any(|f| *f))),
                _ => None,
            }
        }
        Expression::Math { fun, arg, arg1, arg2, arg3: None } => {
            let arguments = [Some(*arg), *arg1, *arg2].into_iter().flatten();
            math::call(*fun, &arguments.map(of).collect::<Option<Vec<_>>>()?)
        }
        Expression::As { expr, kind, convert: Some(_) } => of(*expr)?.each(&|x| cast(x, *kind)),
        _ => None,
    }
}

fn literal_value(literal: naga::Literal) -> Option<Value> {
    match literal {
        naga::Literal::F32(x) => Some(Value::Number(x.into())),
        // numbers that have no type yet, such as 1 in 1 + x
        naga::Literal::AbstractFloat(x) => Some(Value::Number(x)),
        naga::Literal::AbstractInt(x) => i32::try_from(x).ok().map(Value::Signed),
        naga::Literal::I32(x) => Some(Value::Signed(x)),
        naga::Literal::U32(x) => Some(Value::Unsigned(x)),
        naga::Literal::Bool(x) => Some(Value::Flag(x)),
        _ => None,
    }
}

fn unary(op: UnaryOperator, value: &Value) -> Option<Value> {
    Some(match (op, value) {
        (UnaryOperator::Negate, Value::Number(x)) => Value::Number(-x),
        (UnaryOperator::Negate, Value::Signed(x)) => Value::Signed(x.wrapping_neg()),
        (UnaryOperator::LogicalNot, Value::Flag(x)) => Value::Flag(!x),
        (UnaryOperator::BitwiseNot, Value::Signed(x)) => Value::Signed(!x),
        (UnaryOperator::BitwiseNot, Value::Unsigned(x)) => Value::Unsigned(!x),
        _ => return None,
    })
}

fn select(condition: &Value, accept: &Value, reject: &Value) -> Option<Value> {
    if let Value::Flag(condition) = condition {
        return Some(if *condition { accept.clone() } else { reject.clone() });
    }
    let members = condition.list()?.iter().zip(accept.list()?.iter().zip(reject.list()?));
    members.map(|(c, (a, r))| select(c, a, r)).collect::<Option<_>>().map(Value::List)
}

fn cast(value: &Value, kind: ScalarKind) -> Option<Value> {
    let number = match value {
        Value::Number(x) => *x,
        Value::Signed(x) => f64::from(*x),
        Value::Unsigned(x) => f64::from(*x),
        Value::Flag(x) => f64::from(u8::from(*x)),
        Value::List(_) => return None,
    };
    Some(match (kind, value) {
        (ScalarKind::Float, _) => Value::Number(number),
        (ScalarKind::Sint, Value::Unsigned(x)) => Value::Signed(*x as i32),
        (ScalarKind::Sint, _) => Value::Signed(number as i32),
        (ScalarKind::Uint, Value::Signed(x)) => Value::Unsigned(*x as u32),
        (ScalarKind::Uint, _) => Value::Unsigned(number as u32),
        (ScalarKind::Bool, _) => Value::Flag(number != 0.0),
        _ => return None,
    })
}

fn zero(module: &Module, ty: Handle<Type>) -> Option<Value> {
    match &module.types[ty].inner {
        TypeInner::Scalar(scalar) => zero_of(scalar.kind),
        TypeInner::Vector { size, scalar } => Some(Value::List(vec![zero_of(scalar.kind)?; *size as usize])),
        TypeInner::Array { base, size: naga::ArraySize::Constant(count), .. } => {
            Some(Value::List(vec![zero(module, *base)?; count.get() as usize]))
        }
        TypeInner::Struct { members, .. } => {
            members.iter().map(|m| zero(module, m.ty)).collect::<Option<_>>().map(Value::List)
        }
        _ => None,
    }
}

fn zero_of(kind: ScalarKind) -> Option<Value> {
    match kind {
        ScalarKind::Float => Some(Value::Number(0.0)),
        ScalarKind::Sint => Some(Value::Signed(0)),
        ScalarKind::Uint => Some(Value::Unsigned(0)),
        ScalarKind::Bool => Some(Value::Flag(false)),
        _ => None,
    }
}

/// Numbers of a type; `None` if [`zero`] has none of it.
fn numbers_of(module: &Module, ty: Handle<Type>) -> Option<usize> {
    match &module.types[ty].inner {
        TypeInner::Scalar(scalar) => zero_of(scalar.kind).map(|_| 1),
        TypeInner::Vector { size, scalar } => zero_of(scalar.kind).map(|_| *size as usize),
        TypeInner::Array { base, size: naga::ArraySize::Constant(count), .. } => {
            numbers_of(module, *base)?.checked_mul(count.get() as usize)
        }
        TypeInner::Struct { members, .. } => members.iter().map(|m| numbers_of(module, m.ty)).sum(),
        _ => None,
    }
}

/// True of a local variable and of its members.
fn is_variable(expressions: &Arena<Expression>, expression: Handle<Expression>) -> bool {
    match &expressions[expression] {
        Expression::LocalVariable(_) => true,
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => is_variable(expressions, *base),
        _ => false,
    }
}

/// What a function does that cannot be run here: where, and what it is.
pub fn strange(module: &Module, function: &Function) -> Option<(Span, &'static str)> {
    let of_types = function.local_variables.iter().find_map(|(handle, local)| {
        let what = match numbers_of(module, local.ty) {
            None => "a variable of this type",
            Some(numbers) if numbers > NUMBERS_MAX => "a variable of more than 4,096 numbers",
            Some(_) => return None,
        };
        Some((function.local_variables.get_span(handle), what))
    });
    let of_expressions = function.expressions.iter().find_map(|(handle, expression)| {
        let what = strange_expression(expression).or_else(|| matrix(module, function, expression));
        what.map(|what| (function.expressions.get_span(handle), what))
    });
    of_types.or(of_expressions).or_else(|| strange_statement(&function.body))
}

/// A matrix comes into a function as one of these.
fn matrix(module: &Module, function: &Function, expression: &Expression) -> Option<&'static str> {
    let of = match expression {
        Expression::Compose { ty, .. } | Expression::ZeroValue(ty) => *ty,
        Expression::Constant(constant) => module.constants[*constant].ty,
        Expression::FunctionArgument(index) => function.arguments[*index as usize].ty,
        _ => return None,
    };
    matches!(module.types[of].inner, TypeInner::Matrix { .. }).then_some("a matrix")
}

fn strange_expression(expression: &Expression) -> Option<&'static str> {
    match expression {
        Expression::Literal(literal) if literal_value(*literal).is_none() => Some("a number of this type"),
        Expression::Math { fun, .. } if !math::is_known(*fun) => Some("this built-in function"),
        Expression::Relational { fun: RelationalFunction::All | RelationalFunction::Any, .. } => None,
        Expression::As { convert: None, .. } => Some("bitcast"),
        Expression::GlobalVariable(_) => Some("a variable of the module"),
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::ZeroValue(_)
        | Expression::Compose { .. }
        | Expression::Access { .. }
        | Expression::AccessIndex { .. }
        | Expression::Splat { .. }
        | Expression::Swizzle { .. }
        | Expression::FunctionArgument(_)
        | Expression::LocalVariable(_)
        | Expression::Load { .. }
        | Expression::Unary { .. }
        | Expression::Binary { .. }
        | Expression::Select { .. }
        | Expression::Math { .. }
        | Expression::As { .. }
        | Expression::CallResult(_) => None,
        _ => Some("an expression of this kind"),
    }
}

fn strange_statement(block: &Block) -> Option<(Span, &'static str)> {
    block.span_iter().find_map(|(statement, span)| match statement {
        Statement::Emit(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Store { .. }
        | Statement::Call { .. } => None,
        Statement::Block(block) => strange_statement(block),
        Statement::If { accept, reject, .. } => strange_statement(accept).or_else(|| strange_statement(reject)),
        Statement::Switch { cases, .. } => cases.iter().find_map(|case| strange_statement(&case.body)),
        Statement::Loop { body, continuing, .. } => strange_statement(body).or_else(|| strange_statement(continuing)),
        _ => Some((*span, "a statement of this kind")),
    })
}
