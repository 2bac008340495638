//! How many turns loops can take in one invocation, read from naga's IR: of a pass, and of a call of a law.
//!
//! A loop is bounded in one of four ways, and by nothing that is only said of it:
//! - its counter goes up by a constant towards a bound that constants limit (`k < 64u`, `k < min(n, 512u)`, or
//!   `k < min(last, first + 16u)` from `first` on), or is divided by a constant until it is spent;
//! - its condition asks `turns < CONSTANT`, and no way through it takes more turns than it adds to `turns`;
//! - it goes over `look`, where `look = min(n, left)` and `left -= look`, from a constant `left` on: a budget of the invocation.
//!
//! Calls count with their loops, nested loops multiply, of two branches the longer counts.

use naga::{
    BinaryOperator as Op, Block, Expression as E, Function, Handle, Literal, MathFunction, Module, Statement as S,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

type Value = Handle<E>;

/// Turns that a software device grants all loops of an invocation together.
pub const GRANTED: u64 = 65_535;
/// Turns beyond which they are not counted: their products are numbers too.
const TURNS_MOST: u64 = 1 << 31;

/// The most turns of the loops of a pass's entry point, or the loop that nothing bounds.
pub fn most_turns(module: &Module) -> Result<u64, String> {
    let entry = &module.entry_points[0];
    turns_of(module, &entry.function, entry.workgroup_size)
}

/// The most turns of the loops of one call, or the loop that nothing bounds.
pub fn turns_of_call(module: &Module, function: Handle<Function>) -> Result<u64, String> {
    turns_of(module, &module.functions[function], [1; 3])
}

fn turns_of(module: &Module, function: &Function, workgroup: [u32; 3]) -> Result<u64, String> {
    let turns = Turns { module, guard: Cell::new(0), budgets: RefCell::default() };
    let flow = turns.function(function, workgroup)?;
    let budgets = turns.budgets.borrow().values().fold(0u64, |sum, turns| sum.saturating_add(*turns));
    Ok(flow.turns.saturating_add(turns.guard.get()).saturating_add(budgets))
}

struct Turns<'a> {
    module: &'a Module,
    /// the largest constant that `turns` is compared with
    guard: Cell<u64>,
    /// turns of loops over a budget, by function and variable
    budgets: RefCell<BTreeMap<String, u64>>,
}

/// What a block may take: all its turns, and turns beyond what it adds to `turns`, by the way it is left.
#[derive(Clone, Copy, Default, Debug)]
struct Flow {
    turns: u64,
    end: Option<i64>,
    stop: Option<i64>,
    next: Option<i64>,
    out: Option<i64>,
}

fn most(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.max(b)
}

/// A function, and the size of its workgroup, which bounds what a lane counts to.
struct Scope<'a> {
    turns: &'a Turns<'a>,
    function: &'a Function,
    workgroup: [u32; 3],
}

impl<'a> Turns<'a> {
    fn function(&'a self, function: &'a Function, workgroup: [u32; 3]) -> Result<Flow, String> {
        let scope = Scope { turns: self, function, workgroup };
        let flow = scope.block(&function.body)?;
        Ok(Flow { end: most(flow.end, flow.out), ..flow })
    }
}

impl<'a> Scope<'a> {
    fn block(&self, block: &'a Block) -> Result<Flow, String> {
        let mut flow = Flow { end: Some(0), ..Flow::default() };
        let statements: Vec<&S> = block.iter().collect();
        for (at, statement) in statements.iter().enumerate() {
            let Some(so_far) = flow.end else { break };
            let part = self.statement(statement, &statements[..at])?;
            let after = |x: Option<i64>| x.map(|x| x + so_far);
            flow = Flow {
                turns: flow.turns.saturating_add(part.turns),
                end: after(part.end),
                stop: most(flow.stop, after(part.stop)),
                next: most(flow.next, after(part.next)),
                out: most(flow.out, after(part.out)),
            };
        }
        Ok(flow)
    }

    fn statement(&self, statement: &'a S, before: &[&'a S]) -> Result<Flow, String> {
        let plain = Flow { end: Some(0), ..Flow::default() };
        Ok(match statement {
            S::Block(block) => self.block(block)?,
            S::If { accept, reject, .. } => either(self.block(accept)?, self.block(reject)?),
            S::Switch { cases, .. } => {
                let mut flow = Flow::default();
                for case in cases {
                    let part = self.block(&case.body)?;
                    // a break leaves the switch
                    flow = either(flow, Flow { end: most(part.end, part.stop), stop: None, ..part });
                }
                flow
            }
            S::Break => Flow { stop: Some(0), ..Flow::default() },
            S::Continue => Flow { next: Some(0), ..Flow::default() },
            S::Return { .. } | S::Kill => Flow { out: Some(0), ..Flow::default() },
            S::Call { function, .. } => {
                let part = self.turns.function(&self.turns.module.functions[*function], self.workgroup)?;
                Flow { turns: part.turns, end: part.end, ..Flow::default() }
            }
            S::Store { pointer, value } if self.is_guard(*pointer) => {
                let more =
                    self.added(*pointer, *value).ok_or("`turns` is set to something else than itself and more")?;
                Flow { end: Some(-(more as i64)), ..plain }
            }
            S::Loop { body, continuing, break_if } => {
                if break_if.is_some() {
                    return Err("a loop with `break if`".into());
                }
                self.a_loop(body, continuing, before)?
            }
            _ => plain,
        })
    }

    fn a_loop(&self, body: &'a Block, continuing: &'a Block, before: &[&'a S]) -> Result<Flow, String> {
        let (inner, last) = (self.block(body)?, self.block(continuing)?);
        let turn = inner.turns.saturating_add(last.turns).min(TURNS_MOST);
        let beyond = 1 + most(inner.end, inner.next).unwrap_or(0) + last.end.unwrap_or(0);
        let leaving = 1 + inner.stop.unwrap_or(0).max(0);
        let conditions = self.conditions(body);
        let flow = |turns, beyond: i64| Flow { turns, end: Some(beyond), out: inner.out, ..Flow::default() };
        if let Some((budget, granted)) = conditions.iter().find_map(|c| self.budget(*c)) {
            let name = format!("{:?} {budget}", self.function.name);
            let (mut budgets, turns) = (self.turns.budgets.borrow_mut(), granted.saturating_mul(1 + turn));
            budgets.entry(name).and_modify(|most| *most = turns.max(*most)).or_insert(turns);
            return Ok(flow(1, leaving));
        }
        if let Some(count) = conditions.iter().filter_map(|c| self.count(*c, body, continuing, before)).min() {
            let count = count.min(TURNS_MOST);
            return Ok(flow(count.saturating_mul(1 + turn).saturating_add(1), count as i64 * beyond.max(0) + leaving));
        }
        let Some(limit) = conditions.iter().find_map(|c| self.guarded(*c)) else {
            return Err(format!("nothing bounds the loop of {}", self.shown(&conditions)));
        };
        if beyond > 0 {
            let shown = self.shown(&conditions);
            return Err(format!("a turn of the loop of {shown} may take {beyond} more than it adds to `turns`"));
        }
        self.turns.guard.set(self.turns.guard.get().max(limit));
        Ok(flow(1 + turn, leaving))
    }

    /// What holds in every turn of a loop: the condition whose failing breaks it, in its parts.
    fn conditions(&self, body: &'a Block) -> Vec<Value> {
        let mut parts: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
        let mut found = vec![];
        for statement in body.iter() {
            let S::If { condition, accept, reject } = statement else { continue };
            if matches!(reject.last(), Some(S::Break)) && reject.len() == 1 && accept.is_empty() {
                found.push(*condition);
                break;
            }
            // a && b: if a then it is b, else false
            let (Some((variable, value)), Some((other, _))) = (stored(accept), stored(reject)) else { continue };
            if variable == other || self.same(variable, other) {
                parts.insert(variable, vec![*condition, value]);
            }
        }
        let mut whole = vec![];
        while let Some(value) = found.pop() {
            match &self.function.expressions[value] {
                E::Binary { op: Op::LogicalAnd, left, right } => found.extend([*left, *right]),
                E::Load { pointer } => match parts.iter().find(|(variable, _)| self.same(**variable, *pointer)) {
                    Some((_, both)) => found.extend(both),
                    None => whole.push(value),
                },
                _ => whole.push(value),
            }
        }
        whole
    }

    /// Turns of a loop whose counter this compares.
    fn count(&self, condition: Value, body: &'a Block, continuing: &'a Block, before: &[&'a S]) -> Option<u64> {
        let E::Binary { op, left, right } = self.function.expressions[condition] else { return None };
        let (counter, bound, extra) = match op {
            Op::Less => (left, right, 0),
            Op::LessEqual => (left, right, 1),
            Op::Greater => (right, left, 0),
            Op::GreaterEqual => (right, left, 1),
            _ => return None,
        };
        let (up, down) = (self.counter(counter), self.counter(bound));
        if let Some(pointer) = up
            && let [value] = self.stores(pointer, continuing)[..]
            && self.stores(pointer, body).is_empty()
            && let Some(step) = self.added(pointer, value)
        {
            let start = before.iter().rev().find_map(|s| match s {
                S::Store { pointer: p, value } if self.same(*p, pointer) => Some(*value),
                _ => None,
            });
            // a start that the loop changes is not where it starts
            let kept = |p: Value| [body, continuing].iter().all(|block| self.stores(p, block).is_empty());
            let fixed = start.filter(|start| self.counter(*start).is_none_or(kept));
            let limit = fixed.and_then(|start| self.limit(bound, Some(start))).or_else(|| {
                let known = self.is_unsigned(pointer)
                    || start.is_some_and(|s| self.constant(s).is_some())
                    || self.begins_with_constant(pointer);
                self.limit(bound, None).filter(|_| known)
            })?;
            return Some((limit + extra).div_ceil(step));
        }
        let pointer = down.filter(|_| extra == 0)?;
        let least = self.constant(counter)?;
        let values = [self.stores(pointer, body), self.stores(pointer, continuing)].concat();
        let [value] = values[..] else { return None };
        // in every turn, whatever the turn does
        let always = self.always_stores(pointer, continuing) || (self.always_stores(pointer, body) && !may_skip(body));
        (always && self.halved(pointer, value, least)).then_some(33)
    }

    /// True if a block stores to a variable under no condition.
    fn always_stores(&self, pointer: Value, block: &Block) -> bool {
        block.iter().any(|statement| match statement {
            S::Store { pointer: p, .. } => self.same(*p, pointer),
            S::Block(block) => self.always_stores(pointer, block),
            _ => false,
        })
    }

    /// A variable that is divided by a constant until it is `least`; one that is rounded up ends at 1.
    fn halved(&self, pointer: Value, value: Value, least: u64) -> bool {
        let E::Binary { op: Op::Divide, left, right } = self.function.expressions[value] else { return false };
        let down = self.counter(left).is_some_and(|p| self.same(p, pointer));
        let up = least >= 1 && self.added(pointer, left) == Some(1);
        (down || up) && self.constant(right).is_some_and(|c| c >= 2)
    }

    /// The budget that `counter < min(n, left)` goes over, and how much of it there is at the start.
    fn budget(&self, condition: Value) -> Option<(String, u64)> {
        let E::Binary { op: Op::Less, right: look, .. } = self.function.expressions[condition] else { return None };
        let E::Math { fun: MathFunction::Min, arg, arg1: Some(other), .. } = self.function.expressions[look] else {
            return None;
        };
        let left = [arg, other].into_iter().filter_map(|v| self.counter(v)).find(|p| {
            let stores = self.stores(*p, &self.function.body);
            let taken = |v: &Value| match self.function.expressions[*v] {
                E::Binary { op: Op::Subtract, left, right } => {
                    self.counter(left).is_some_and(|q| self.same(q, *p)) && right == look
                }
                // set to nothing, or left as it is
                E::Select { accept, reject, .. } => {
                    let kept = |v| self.constant(v) == Some(0) || self.counter(v).is_some_and(|q| self.same(q, *p));
                    kept(accept) && kept(reject)
                }
                _ => false,
            };
            let (taking, starting): (Vec<Value>, Vec<Value>) = stores.iter().copied().partition(|v| taken(v));
            !taking.is_empty() && starting.iter().all(|v| self.constant(*v).is_some())
        })?;
        let E::LocalVariable(local) = self.function.expressions[left] else { return None };
        let variable = &self.function.local_variables[local];
        let set = self.stores(left, &self.function.body).into_iter().filter_map(|v| self.constant(v));
        let start = set.chain(variable.init.and_then(|v| self.constant(v))).max()?;
        Some((variable.name.clone().unwrap_or_default(), start))
    }

    /// The constant that `turns` is compared with.
    fn guarded(&self, condition: Value) -> Option<u64> {
        let E::Binary { op: Op::Less, left, right } = self.function.expressions[condition] else { return None };
        let pointer = self.counter(left)?;
        self.is_guard(pointer).then(|| self.constant(right))?
    }

    fn is_guard(&self, pointer: Value) -> bool {
        let E::GlobalVariable(global) = self.function.expressions[pointer] else { return false };
        let global = &self.turns.module.global_variables[global];
        global.space == naga::AddressSpace::Private && global.name.as_deref() == Some("turns")
    }

    /// The variable that a value was loaded from.
    fn counter(&self, value: Value) -> Option<Value> {
        let E::Load { pointer } = self.function.expressions[value] else { return None };
        matches!(self.function.expressions[pointer], E::LocalVariable(_) | E::GlobalVariable(_)).then_some(pointer)
    }

    /// What is added to a variable, if `value` is the variable and a constant more.
    fn added(&self, pointer: Value, value: Value) -> Option<u64> {
        let E::Binary { op: Op::Add, left, right } = self.function.expressions[value] else { return None };
        let own = self.counter(left).is_some_and(|p| self.same(p, pointer));
        self.constant(right).filter(|c| own && *c > 0)
    }

    /// A constant that a value cannot exceed; of what it exceeds `start` by, if that is given.
    fn limit(&self, value: Value, start: Option<Value>) -> Option<u64> {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        match (&self.function.expressions[value], start) {
            (E::Math { fun: MathFunction::Min, arg, arg1: Some(other), .. }, _) => {
                least(self.limit(*arg, start), self.limit(*other, start))
            }
            (E::Select { accept, reject, .. }, _) => Some(self.limit(*accept, start)?.max(self.limit(*reject, start)?)),
            (E::Binary { op: Op::Add, left, right }, Some(start)) if self.alike(*left, start) => self.constant(*right),
            (_, Some(_)) => None,
            (E::Binary { op: Op::And, left, right }, None) => least(self.constant(*left), self.constant(*right)),
            (E::FunctionArgument(k), None) => {
                let binding = &self.function.arguments[*k as usize].binding;
                let lane = naga::Binding::BuiltIn(naga::BuiltIn::LocalInvocationIndex);
                (binding.as_ref() == Some(&lane)).then(|| self.workgroup.iter().map(|n| u64::from(*n)).product())
            }
            (_, None) => self.constant(value),
        }
    }

    /// The same value, or the same variable read twice.
    fn alike(&self, a: Value, b: Value) -> bool {
        a == b || self.counter(a).zip(self.counter(b)).is_some_and(|(p, q)| self.same(p, q))
    }

    fn same(&self, a: Value, b: Value) -> bool {
        match (&self.function.expressions[a], &self.function.expressions[b]) {
            (E::LocalVariable(a), E::LocalVariable(b)) => a == b,
            (E::GlobalVariable(a), E::GlobalVariable(b)) => a == b,
            _ => a == b,
        }
    }

    /// A variable that is never below 0.
    fn is_unsigned(&self, pointer: Value) -> bool {
        let E::LocalVariable(local) = self.function.expressions[pointer] else { return false };
        let ty = self.function.local_variables[local].ty;
        self.turns.module.types[ty].inner == naga::TypeInner::Scalar(naga::Scalar::U32)
    }

    /// A variable that its declaration sets to a constant of 0 or more, and that is set once more, where it counts.
    fn begins_with_constant(&self, pointer: Value) -> bool {
        let E::LocalVariable(local) = self.function.expressions[pointer] else { return false };
        let init = self.function.local_variables[local].init;
        init.and_then(|v| self.constant(v)).is_some() && self.stores(pointer, &self.function.body).len() == 1
    }

    fn constant(&self, value: Value) -> Option<u64> {
        let module = self.turns.module;
        let literal = |l: &Literal| match l {
            Literal::U32(v) => Some(u64::from(*v)),
            Literal::I32(v) => u64::try_from(*v).ok(),
            _ => None,
        };
        match &self.function.expressions[value] {
            E::Literal(l) => literal(l),
            E::Constant(c) => match &module.global_expressions[module.constants[*c].init] {
                E::Literal(l) => literal(l),
                _ => None,
            },
            _ => None,
        }
    }

    /// Values stored to a variable anywhere in a block.
    fn stores(&self, pointer: Value, block: &'a Block) -> Vec<Value> {
        let all = |blocks: &[&'a Block]| blocks.iter().flat_map(|b| self.stores(pointer, b)).collect::<Vec<_>>();
        let of = |s: &'a S| match s {
            S::Store { pointer: p, value } if self.same(*p, pointer) => vec![*value],
            // A function that gets the address of the variable may store anything there.
            S::Call { arguments, .. } => arguments.iter().copied().filter(|a| self.same(*a, pointer)).collect(),
            S::Block(block) => all(&[block]),
            S::If { accept, reject, .. } => all(&[accept, reject]),
            S::Loop { body, continuing, .. } => all(&[body, continuing]),
            S::Switch { cases, .. } => all(&cases.iter().map(|c| &c.body).collect::<Vec<_>>()),
            _ => vec![],
        };
        block.iter().flat_map(of).collect()
    }

    fn shown(&self, conditions: &[Value]) -> String {
        let name = self.function.name.as_deref().unwrap_or("the entry point");
        let text: Vec<_> = conditions.iter().map(|c| self.words(*c, 3)).collect();
        format!("`{name}` while {}", text.join(" && "))
    }

    fn words(&self, value: Value, depth: u32) -> String {
        if depth == 0 {
            return "..".into();
        }
        let of = |v: &Value| self.words(*v, depth - 1);
        match &self.function.expressions[value] {
            E::Binary { op, left, right } => format!("({} {op:?} {})", of(left), of(right)),
            E::Load { pointer } => of(pointer),
            E::LocalVariable(l) => self.function.local_variables[*l].name.clone().unwrap_or_default(),
            E::GlobalVariable(g) => self.turns.module.global_variables[*g].name.clone().unwrap_or_default(),
            E::Literal(l) => format!("{l:?}"),
            other => format!("{other:?}").chars().take(40).collect(),
        }
    }
}

fn either(a: Flow, b: Flow) -> Flow {
    Flow {
        turns: a.turns.max(b.turns),
        end: most(a.end, b.end),
        stop: most(a.stop, b.stop),
        next: most(a.next, b.next),
        out: most(a.out, b.out),
    }
}

/// True if a turn of a loop with this body may leave out what stands below.
fn may_skip(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        S::Continue => true,
        S::Block(block) => may_skip(block),
        S::If { accept, reject, .. } => may_skip(accept) || may_skip(reject),
        S::Switch { cases, .. } => cases.iter().any(|case| may_skip(&case.body)),
        _ => false,
    })
}

/// The one store of a block that does nothing else but call functions before it.
fn stored(block: &Block) -> Option<(Value, Value)> {
    let mut stores = block.iter().filter(|s| !matches!(s, S::Emit(_) | S::Call { .. }));
    match (stores.next(), stores.next()) {
        (Some(S::Store { pointer, value }), None) => Some((*pointer, *value)),
        _ => None,
    }
}
