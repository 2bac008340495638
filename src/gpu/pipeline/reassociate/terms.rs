//! Sums as lists of terms, products as lists of factors.

use super::Old;
use super::rebuild::Rebuild;
use naga::{BinaryOperator, Expression, Handle, Literal, UnaryOperator};

/// Terms and factors that are followed; a longer sum is rewritten in parts.
const MOST: usize = 24;

/// A value of the function as it was, or one that was made for the new one.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// of the function as it was
    Old(Handle<Expression>),
    /// of the new one
    New(Handle<Expression>),
}

impl Value {
    /// The handle of the expression in the new function.
    pub(super) fn in_new(self, out: &Rebuild) -> Handle<Expression> {
        match self {
            Value::Old(handle) => out.at(handle),
            Value::New(handle) => handle,
        }
    }
}

/// A term of a sum.
#[derive(Clone, Copy)]
pub(super) struct Term {
    /// what is added
    pub value: Value,
    /// false if it is subtracted
    pub plus: bool,
}

impl Old<'_> {
    /// The terms of a sum, those of sums in it included.
    pub(super) fn terms(&self, handle: Handle<Expression>) -> Vec<Term> {
        let mut list = vec![];
        self.add_terms(handle, true, &mut list);
        list
    }

    fn add_terms(&self, handle: Handle<Expression>, plus: bool, list: &mut Vec<Term>) {
        match self.function.expressions[handle] {
            Expression::Binary { op: BinaryOperator::Add, left, right } if list.len() < MOST => {
                self.add_terms(left, plus, list);
                self.add_terms(right, plus, list);
            }
            Expression::Binary { op: BinaryOperator::Subtract, left, right } if list.len() < MOST => {
                self.add_terms(left, plus, list);
                self.add_terms(right, !plus, list);
            }
            Expression::Unary { op: UnaryOperator::Negate, expr } => self.add_terms(expr, !plus, list),
            _ => list.push(Term { value: Value::Old(handle), plus }),
        }
    }

    /// The terms without zeros, and without those that are both added and subtracted.
    pub(super) fn cancelled(&self, terms: &[Term]) -> Vec<Term> {
        let mut left: Vec<Term> = vec![];
        for term in terms {
            let Value::Old(handle) = term.value else { continue };
            if self.is_zero(handle) {
                continue;
            }
            let opposite = |t: &Term| {
                t.plus != term.plus && matches!(t.value, Value::Old(h) if self.same[&h] == self.same[&handle])
            };
            match left.iter().position(opposite) {
                Some(k) => {
                    left.remove(k);
                }
                None => left.push(*term),
            }
        }
        left
    }

    fn is_zero(&self, handle: Handle<Expression>) -> bool {
        match self.function.expressions[handle] {
            Expression::Literal(Literal::F32(x)) => x == 0.0,
            Expression::Splat { value, .. } => self.is_zero(value),
            Expression::ZeroValue(_) => true,
            _ => false,
        }
    }

    /// `a * x + b * x` as `(a + b) * x`, for the first two terms of which it can be said; true if there were such.
    pub(super) fn factored(&self, terms: &mut Vec<Term>, out: &mut Rebuild) -> bool {
        let pair = |term: &Term| match term.value {
            Value::Old(handle) => match self.function.expressions[handle] {
                Expression::Binary { op: BinaryOperator::Multiply, left, right } => Some([left, right]),
                _ => None,
            },
            Value::New(_) => None,
        };
        for i in 0..terms.len() {
            for j in i + 1..terms.len() {
                let (Some(a), Some(b)) = (pair(&terms[i]), pair(&terms[j])) else { continue };
                let Some((common, left, right)) = self.common(a, b) else { continue };
                let op = if terms[i].plus == terms[j].plus { BinaryOperator::Add } else { BinaryOperator::Subtract };
                let (left, right) = (out.at(left), out.at(right));
                let inner = out.push(Expression::Binary { op, left, right });
                let common = out.at(common);
                let whole = out.push(Expression::Binary { op: BinaryOperator::Multiply, left: inner, right: common });
                terms[i].value = Value::New(whole);
                terms.remove(j);
                return true;
            }
        }
        false
    }

    /// A factor that two products share, and the other one of each, which are of one type.
    fn common(
        &self,
        a: [Handle<Expression>; 2],
        b: [Handle<Expression>; 2],
    ) -> Option<(Handle<Expression>, Handle<Expression>, Handle<Expression>)> {
        let ways = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let found = ways.into_iter().find(|(i, j)| {
            let others = [self.size(a[1 - i]), self.size(b[1 - j])];
            self.same[&a[*i]] == self.same[&b[*j]] && others[0].is_some() && others[0] == others[1]
        });
        found.map(|(i, j)| (a[i], a[1 - i], b[1 - j]))
    }

    /// The factors of a product, those of products in it included.
    pub(super) fn factors(&self, handle: Handle<Expression>) -> Vec<Handle<Expression>> {
        let mut list = vec![];
        self.add_factors(handle, &mut list);
        list
    }

    fn add_factors(&self, handle: Handle<Expression>, list: &mut Vec<Handle<Expression>>) {
        match self.function.expressions[handle] {
            Expression::Binary { op: BinaryOperator::Multiply, left, right }
                if list.len() < MOST && self.size(left).is_some() && self.size(right).is_some() =>
            {
                self.add_factors(left, list);
                self.add_factors(right, list);
            }
            _ => list.push(handle),
        }
    }
}
