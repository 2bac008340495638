//! `[[column]]`: columns that are computed from others, case by case for the table, row by row for plots against time.

use super::known::{Known, is_taken, refuse_constant};
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::base::units::G;
use crate::physics::measure::columns;
use exmex::{Express, FlatEx};

/// Keys of `[[column]]`.
pub(super) const KEYS: &[Key] = &[
    Key::text("name").required().says("name of the new column").eg("\"kinetic_per_body_j\""),
    Key::text("expression")
        .required()
        .says("of columns of the table or of the series, numbers, + - * / ^, sqrt, ln, exp, abs; G and PI")
        .eg("\"kinetic_translational_j / bodies\""),
];

/// A computed column.
#[derive(Debug, Clone)]
pub struct Computed {
    /// its name
    pub name: String,
    /// true if the table has all columns that it needs; else it is one of the series
    pub in_table: bool,
    /// in the order in which the expression takes them: as typed, and as the table calls them
    variables: Vec<(String, Option<String>)>,
    expression: FlatEx<f64>,
}

impl Computed {
    /// Names of the columns that it needs.
    pub(super) fn needs(&self) -> impl Iterator<Item = &str> + Clone {
        self.variables.iter().map(|(typed, named)| named.as_ref().unwrap_or(typed).as_str())
    }

    /// The value, `of` giving the number of a column by its name in the table or in the series; none if that lacks one, or
    /// the result is no number.
    pub fn value(&self, of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
        let number = |(typed, named): &(String, Option<String>)| match typed.as_str() {
            "G" => Some(G),
            _ => of(named.as_ref().unwrap_or(typed)).or_else(|| of(typed)),
        };
        let values = self.variables.iter().map(number).collect::<Option<Vec<f64>>>()?;
        self.expression.eval(&values).ok().filter(|v| v.is_finite())
    }
}

/// Reads all of them; those of the table are known to plots from then on.
pub(super) fn read(root: &Table, known: &mut Known) -> Vec<Computed> {
    let mut list: Vec<Computed> = vec![];
    for table in root.tables("column") {
        let new = column(&table, known, &list);
        list.extend(new);
    }
    known.add(list.iter().filter(|c| c.in_table).map(|c| c.name.clone()));
    list
}

fn column(t: &Table, known: &Known, before: &[Computed]) -> Option<Computed> {
    let (name, text) = (t.text("name"), t.text("expression"));
    t.close();
    let (name, text) = (name?, text?);
    let repeated = before.iter().any(|other| other.name == name);
    if repeated || is_taken(&name) || known.found(&name).is_some() || columns::is_known(&name) {
        t.fault("name", format!("\"{name}\" is the name of another column"), "give it a name of its own");
    }
    refuse_constant(t, Some(&name));
    if let Some(why) = unwritable(&name) {
        t.fault(
            "name",
            format!("{name:?} {why}, and no expression or plot could name it"),
            "use letters, digits, _, - and .",
        );
    }
    if has_unclear_power(&text) {
        let what = format!("\"{text}\" has a power behind a sign or behind another power");
        t.fault("expression", what, "write parentheses, as in -(x^2) or (2^3)^2");
    }
    let expression = match exmex::parse::<f64>(&in_braces(&text)) {
        Ok(expression) => expression,
        Err(e) => {
            let remedy = "write operators between names; put a name with a - in it in braces, as in {material.rock-1.density_kg_m3}";
            t.fault("expression", format!("\"{text}\" cannot be read as an expression: {}", e.msg()), remedy);
            return None;
        }
    };
    let variables: Vec<(String, Option<String>)> =
        expression.var_names().iter().map(|typed| (typed.clone(), known.found(typed))).collect();
    for (typed, named) in &variables {
        if named.is_none() && typed != "G" && !columns::is_known(typed) {
            t.fault("expression", format!("unknown column \"{typed}\""), known.hint(t, typed));
        }
    }
    let in_table = variables.iter().all(|(typed, named)| named.is_some() || typed == "G");
    Some(Computed { name, in_table, variables, expression })
}

/// What keeps a name from being written in an expression, if anything does.
fn unwritable(name: &str) -> Option<&'static str> {
    match name {
        _ if name.trim().is_empty() => Some("is empty"),
        _ if name.contains(['{', '}']) => Some("has braces"),
        _ if name.chars().any(char::is_control) => Some("has a line break or another control character"),
        _ if name.trim() != name => Some("begins or ends with a blank"),
        _ => None,
    }
}

/// The expression as the parser wants it: names in braces, since some have dots or begin like a function, and numbers without
/// powers of ten. What an opening parenthesis follows is a function, and PI stays a constant.
fn in_braces(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let (word, after) = rest.split_at(token(rest));
        let is_name = (first.is_alphabetic() || first == '_') && word != "PI" && !after.trim_start().starts_with('(');
        match word.parse::<f64>() {
            _ if is_name => out.extend(["{", word, "}"]),
            Ok(number) => out.push_str(&number.to_string()),
            Err(_) => out.push_str(word),
        }
        rest = after;
    }
    out
}

/// Bytes of the first name, number or character.
fn token(text: &str) -> usize {
    match text.chars().next() {
        None => 0,
        Some('{') => text.find('}').map_or(text.len(), |end| end + 1),
        Some('0'..='9' | '.') => number(text),
        Some(c) if c.is_alphabetic() || c == '_' => length(text, |c| c.is_alphanumeric() || c == '_' || c == '.'),
        Some(c) => c.len_utf8(),
    }
}

/// True if the parser would read a power otherwise than people do: it takes -x^2 for (-x)^2, and 2^3^2 for (2^3)^2.
fn has_unclear_power(text: &str) -> bool {
    let (mut rest, mut begins) = (text.trim_start(), true);
    while let Some(first) = rest.chars().next() {
        let after = rest[token(rest)..].trim_start();
        let binds = first == '^' || (begins && matches!(first, '-' | '+'));
        if binds && after[operand(after)..].trim_start().starts_with('^') {
            return true;
        }
        begins = matches!(first, '(' | ',' | '+' | '-' | '*' | '/' | '^');
        rest = after;
    }
    false
}

/// Bytes of a name, a number, a function with its argument or something in parentheses, with its signs.
fn operand(text: &str) -> usize {
    let signs = length(text, |c| c.is_whitespace() || c == '-' || c == '+');
    let word = if text[signs..].starts_with('(') { 0 } else { token(&text[signs..]) };
    let named = signs + word + length(&text[signs + word..], char::is_whitespace);
    if !text[named..].starts_with('(') {
        return signs + word;
    }
    let mut depth = 0;
    let closes = |(_, c): &(usize, char)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    };
    text[named..].char_indices().find(closes).map_or(text.len(), |(end, _)| named + end + 1)
}

/// Bytes of the characters at the beginning that fulfil this.
fn length(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|c| !of(c)).unwrap_or(text.len())
}

/// Bytes of a number, such as 6.5e-3, at the beginning.
fn number(text: &str) -> usize {
    let digits = length(text, |c| c.is_ascii_digit() || c == '.');
    let Some(power) = text[digits..].strip_prefix(['e', 'E']) else { return digits };
    let sign = length(power, |c| c == '-' || c == '+').min(1);
    match length(&power[sign..], |c| c.is_ascii_digit()) {
        0 => digits,
        more => digits + 1 + sign + more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(text: &str) -> Computed {
        let expression = exmex::parse::<f64>(&in_braces(text)).expect("parses");
        let variables = expression.var_names().iter().map(|v| (v.clone(), None)).collect();
        Computed { name: "new".into(), in_table: true, variables, expression }
    }

    #[test]
    fn names_may_begin_like_functions_and_have_dots() {
        let of = |name: &str| match name {
            "expectations_missed" => Some(2.0),
            "minimum_m" => Some(3.0),
            "aggregates.0.period_h" => Some(5.0),
            _ => None,
        };
        let near = |text: &str, wanted: f64| {
            let found = computed(text).value(of).expect("a number");
            assert!((found / wanted - 1.0).abs() < 1e-14, "{text}: {found}, not {wanted}");
        };
        near("expectations_missed + minimum_m * 2", 8.0);
        near("{aggregates.0.period_h}^2 / sqrt(minimum_m)", 25.0 / 3f64.sqrt());
        near("aggregates.0.period_h*2.5e-1+1E+1", 11.25);
        near("G * PI", G * std::f64::consts::PI);
        near("exp(ln(minimum_m))", 3.0);
    }

    #[test]
    fn powers_that_the_parser_reads_otherwise_are_unclear() {
        for text in ["-x^2", "exp(-x ^ 2)", "a / -b.c^2", "2^3^2", "2^-x^2", "2^f(x)^2", "-(x + 1)^2", "- {a.0.b}^2"] {
            assert!(has_unclear_power(text), "{text}");
        }
        for text in ["-(x^2)", "0 - x^2", "x^-2", "a*b^2 - c^2", "(2^3)^2", "1e-3 * x^2", "exp(-(x^2))", "(-x)^2"] {
            assert!(!has_unclear_power(text), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        let of = |name: &str| (name == "zero").then_some(0.0);
        assert_eq!(computed("1 / zero").value(of), None);
        assert_eq!(computed("absent + 1").value(of), None);
        assert_eq!(computed("zero + 1").value(of), Some(1.0));
    }
}
