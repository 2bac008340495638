//! Holds a user's law against what passes expect of a law: `wgsl/laws/contact.wgsl` says it.

use super::header::Declared;
use super::interpret::strange;
use super::turns::turns_of_call;
use crate::base::fault::Fault;
use crate::base::reader::nearest;
use naga::{Expression, Function, Handle, Module, Span, Type, TypeInner};

/// What every law takes and gives, behind what that module imports.
const IMPORTED_FILES: [&str; 2] =
    [include_str!("../../../../wgsl/math/raised.wgsl"), include_str!("../../../../wgsl/laws/contact.wgsl")];
/// The one module that a law of a user imports.
const IMPORTED: &str = "package::laws::contact";
/// What it may import from there.
const EXPORTED: [&str; 7] = [
    "ContactState",
    "ContactResult",
    "FrictionSprings",
    "arm_to_cut",
    "cohesive_pull",
    "friction_by_springs",
    "shorten",
];

/// Functions of a law: name, arguments, result.
const FUNCTIONS: [(&str, &[&str], &str); 5] = [
    ("contact_arm", &["f32", "f32", "f32", "f32"], "f32"),
    ("contact_force", &["Law", "ContactState"], "ContactResult"),
    ("contact_end", &["Law", "ContactState"], "vec4<f32>"),
    ("held_energy", &["Law", "ContactState"], "vec4<f32>"),
    ("normal_spring", &["Law", "f32", "f32"], "vec2<f32>"),
];

/// Functions that are called when there is no motion to speak of, and what they may read.
const AT_REST: [&str; 2] = ["contact_end", "held_energy"];
const READ_AT_REST: [&str; 5] = ["overlap", "first", "second", "radius", "before"];

/// Turns of the loops of one call at most. A software device grants 65,535 for all calls of eight contacts, and ends the
/// loops beyond without a word; a GPU that has a loop without an end is lost.
const GRANTED_TO_A_CALL: u64 = 1000;

/// A law that holds what passes expect.
#[derive(Debug)]
pub struct Checked {
    /// the law with what it imports
    pub module: Module,
    functions: [Handle<Function>; 5],
}

impl Checked {
    /// A function of the interface.
    pub fn function(&self, name: &str) -> Handle<Function> {
        let index = FUNCTIONS.iter().position(|f| f.0 == name);
        self.functions[index.unwrap_or_default()]
    }

    /// Names of the members of a struct, in order.
    pub fn members(&self, name: &str) -> Vec<&str> {
        members(&self.module, name).map_or(vec![], |m| m.iter().filter_map(|m| m.name.as_deref()).collect())
    }
}

/// The text with what it imports in front, and a map back.
struct Joined {
    text: String,
    before: usize,
}

/// The line, or an empty one in place of an import, so that lines keep their numbers.
fn no_import(line: &str) -> &str {
    if line.starts_with("import ") { "" } else { line }
}

impl Joined {
    fn new(text: &str) -> Joined {
        let mut all: Vec<&str> = IMPORTED_FILES.into_iter().flat_map(str::lines).map(no_import).collect();
        let before = all.len();
        all.extend(text.lines().map(no_import));
        Joined { text: all.join("\n") + "\n", before }
    }

    /// The fault at a spot of the text; at no line if that is in what is imported.
    fn fault(&self, span: Span, what: impl Into<String>, remedy: &str) -> Fault {
        let fault = Fault::new(what).remedy(remedy);
        let line = (span.location(&self.text).line_number as usize).checked_sub(self.before).filter(|line| *line > 0);
        Fault { line: line.filter(|_| span.is_defined()), ..fault }
    }
}

/// Checks a law; faults have lines where they are at one.
pub fn check(text: &str, keys: &[Declared]) -> Result<Checked, Vec<Fault>> {
    let faults: Vec<Fault> = text.lines().zip(1..).filter_map(|(line, number)| import(line, number)).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let joined = Joined::new(text);
    let module = naga::front::wgsl::parse_str(&joined.text).map_err(|e| {
        let label = e.labels().next();
        let (span, why) = label.map_or((Span::UNDEFINED, String::new()), |(span, text)| (span, format!(": {text}")));
        vec![joined.fault(span, format!("{}{why}", e.message()), "")]
    })?;
    let (flags, core) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    naga::valid::Validator::new(flags, core).validate(&module).map_err(|e| {
        let mut what = e.to_string();
        let mut source: &dyn std::error::Error = e.as_inner();
        while let Some(next) = source.source() {
            what = format!("{what}: {next}");
            source = next;
        }
        vec![joined.fault(e.spans().next().map_or(Span::UNDEFINED, |(span, _)| *span), what, "")]
    })?;
    let mut faults = strangers(&joined, &module);
    faults.extend(law_members(&joined, &module, keys));
    let functions = FUNCTIONS.map(|wanted| find(&joined, &module, wanted));
    faults.extend(functions.iter().filter_map(|f| f.as_ref().err().map(|fault| (**fault).clone())));
    let [Ok(a), Ok(b), Ok(c), Ok(d), Ok(e)] = functions else { return Err(faults) };
    let checked = Checked { module, functions: [a, b, c, d, e] };
    faults.extend(AT_REST.iter().filter_map(|name| motion(&joined, &checked, name)));
    faults.extend(unused(&checked, keys));
    faults.extend(checked.functions.iter().filter_map(|function| unbounded(&joined, &checked, *function)));
    if faults.is_empty() { Ok(checked) } else { Err(faults) }
}

/// What is wrong with a line that imports.
fn import(line: &str, number: usize) -> Option<Fault> {
    let rest = line.strip_prefix("import ")?;
    let names = rest.trim().strip_prefix(IMPORTED).and_then(|rest| rest.strip_prefix("::{")?.strip_suffix("};"));
    let Some(names) = names else {
        let what = "a law may import from package::laws::contact alone";
        let remedy =
            format!("write `import {IMPORTED}::{{ContactState, ContactResult, shorten}};`, and copy other code");
        return Some(Fault::new(what).remedy(remedy).line(number));
    };
    let unknown = names.split(',').map(str::trim).find(|name| !name.is_empty() && !EXPORTED.contains(name))?;
    let what = format!("{IMPORTED} does not declare `{unknown}`");
    Some(Fault::new(what).remedy(nearest(unknown, EXPORTED.into_iter())).line(number))
}

/// Entry points, variables of the module, and code that has no form in f64.
fn strangers(joined: &Joined, module: &Module) -> Vec<Fault> {
    let mut faults: Vec<Fault> = vec![];
    for entry in &module.entry_points {
        let what = format!("`{}` is an entry point, which a law does not have", entry.name);
        faults.push(joined.fault(Span::UNDEFINED, what, "remove its attributes"));
    }
    for (handle, variable) in module.global_variables.iter() {
        let what = format!("`{}` is a variable of the module", variable.name.as_deref().unwrap_or_default());
        let remedy = "a law gets all by its arguments: remove it, or make it a const";
        faults.push(joined.fault(module.global_variables.get_span(handle), what, remedy));
    }
    let strange = module.functions.iter().filter_map(|(_, function)| strange(module, function));
    faults.extend(strange.map(|(span, what)| {
        joined.fault(
            span,
            format!("{what} has no form in f64, which snapshots need"),
            "use numbers, vectors and structs",
        )
    }));
    faults
}

fn members<'a>(module: &'a Module, name: &str) -> Option<&'a [naga::StructMember]> {
    module.types.iter().find_map(|(_, t)| match &t.inner {
        TypeInner::Struct { members, .. } if t.name.as_deref() == Some(name) => Some(members.as_slice()),
        _ => None,
    })
}

/// `struct Law` against the keys.
fn law_members(joined: &Joined, module: &Module, keys: &[Declared]) -> Vec<Fault> {
    let Some(list) = members(module, "Law") else {
        return vec![Fault::new("there is no `struct Law`").remedy("declare it with one f32 for each key")];
    };
    let span =
        module.types.iter().find(|(_, t)| t.name.as_deref() == Some("Law")).map(|(h, _)| module.types.get_span(h));
    let here = |what: String, remedy: &str| joined.fault(span.unwrap_or(Span::UNDEFINED), what, remedy);
    let mut faults = vec![];
    for member in list {
        let name = member.name.as_deref().unwrap_or_default();
        if type_text(module, member.ty) != "f32" {
            faults.push(here(format!("member `{name}` of struct Law is not f32"), "make it f32"));
        } else if keys.iter().all(|key| key.name != name) {
            let what = format!("member `{name}` of struct Law is not a key");
            faults.push(here(what, "declare it at the top of the file with `//! key`, or remove it"));
        }
    }
    let lacks = |key: &&Declared| list.iter().all(|m| m.name.as_deref() != Some(key.name.as_str()));
    faults.extend(keys.iter().filter(lacks).map(|key| {
        let what = format!("key `{}` is not a member of struct Law", key.name);
        Fault::new(what).remedy(format!("add `{}: f32,` to the struct, or remove the key", key.name)).line(key.line)
    }));
    faults
}

/// A type as it is written.
fn type_text(module: &Module, ty: Handle<Type>) -> String {
    let ty = &module.types[ty];
    match (&ty.name, &ty.inner) {
        (Some(name), _) => name.clone(),
        (None, TypeInner::Scalar(scalar)) => scalar_text(*scalar),
        (None, TypeInner::Vector { size, scalar }) => format!("vec{}<{}>", *size as u8, scalar_text(*scalar)),
        _ => "another type".into(),
    }
}

fn scalar_text(scalar: naga::Scalar) -> String {
    match scalar {
        naga::Scalar::F32 => "f32",
        naga::Scalar::I32 => "i32",
        naga::Scalar::U32 => "u32",
        naga::Scalar::BOOL => "bool",
        _ => "another number",
    }
    .into()
}

/// The function of this name, arguments and result.
fn find(
    joined: &Joined,
    module: &Module,
    (name, arguments, result): (&str, &[&str], &str),
) -> Result<Handle<Function>, Box<Fault>> {
    let wanted = format!("fn {name}({}) -> {result}", arguments.join(", "));
    let found = module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(name));
    let Some((handle, function)) = found else {
        return Err(Fault::new(format!("there is no function `{name}`")).remedy(format!("declare `{wanted}`")).into());
    };
    let has: Vec<String> = function.arguments.iter().map(|a| type_text(module, a.ty)).collect();
    let gives = function.result.as_ref().map_or("nothing".into(), |r| type_text(module, r.ty));
    if has == arguments && gives == result {
        return Ok(handle);
    }
    let what = format!("`{name}` is declared as fn({}) -> {gives}", has.join(", "));
    Err(joined.fault(module.functions.get_span(handle), what, &format!("passes call `{wanted}`")).into())
}

/// The struct that a member is taken of, if the expression is a member; pointers to it count too.
fn member_of<'a>(module: &'a Module, function: &Function, expression: Handle<Expression>) -> Option<(&'a str, u32)> {
    let Expression::AccessIndex { base, index } = &function.expressions[expression] else { return None };
    Some((struct_of(module, function, *base)?, *index))
}

/// Name of the struct that an expression is.
fn struct_of<'a>(module: &'a Module, function: &Function, expression: Handle<Expression>) -> Option<&'a str> {
    let ty = match &function.expressions[expression] {
        Expression::FunctionArgument(k) => function.arguments.get(*k as usize)?.ty,
        Expression::LocalVariable(local) => function.local_variables[*local].ty,
        Expression::Load { pointer } => return struct_of(module, function, *pointer),
        Expression::CallResult(called) => module.functions[*called].result.as_ref()?.ty,
        Expression::Compose { ty, .. } | Expression::ZeroValue(ty) => *ty,
        _ => return None,
    };
    module.types[ty].name.as_deref()
}

/// All members that a function reads: struct, index in it, and where.
fn reads<'a>(module: &'a Module, function: &'a Function) -> impl Iterator<Item = (&'a str, u32, Span)> {
    let one = |(handle, _): (Handle<Expression>, &Expression)| {
        let (name, index) = member_of(module, function, handle)?;
        Some((name, index, function.expressions.get_span(handle)))
    };
    function.expressions.iter().filter_map(one)
}

/// Keys that no function reads.
fn unused(checked: &Checked, keys: &[Declared]) -> Vec<Fault> {
    let module = &checked.module;
    let list = checked.members("Law");
    let read = |name: &str| {
        let mut all = module.functions.iter().flat_map(|(_, function)| reads(module, function));
        all.any(|(of, index, _)| of == "Law" && list.get(index as usize) == Some(&name))
    };
    let fault = |key: &Declared| {
        Fault::new(format!("key `{}` is never used", key.name)).remedy("use it, or remove it").line(key.line)
    };
    keys.iter().filter(|key| list.contains(&key.name.as_str()) && !read(&key.name)).map(fault).collect()
}

/// A function with a loop that nothing bounds, or with more turns than are granted.
fn unbounded(joined: &Joined, checked: &Checked, handle: Handle<Function>) -> Option<Fault> {
    let name = checked.module.functions[handle].name.as_deref().unwrap_or_default();
    let what = match turns_of_call(&checked.module, handle) {
        Ok(turns) if turns <= GRANTED_TO_A_CALL => return None,
        Ok(turns) => format!("the loops of `{name}` take up to {turns} turns, and {GRANTED_TO_A_CALL} are granted"),
        Err(_) => format!("`{name}` has a loop whose bound cannot be read, so it may never end"),
    };
    let remedy =
        "count up to a constant, as `for (var k = 0u; k < 50u; k++) { .. }` does; `break` may leave it earlier";
    Some(joined.fault(checked.module.functions.get_span(handle), what, remedy))
}

/// A function that reads what a contact without motion does not have.
fn motion(joined: &Joined, checked: &Checked, name: &str) -> Option<Fault> {
    let (module, state) = (&checked.module, checked.members("ContactState"));
    let (mut seen, mut open) = (vec![], vec![checked.function(name)]);
    while let Some(handle) = open.pop() {
        if seen.contains(&handle) {
            continue;
        }
        seen.push(handle);
        let function = &module.functions[handle];
        for (of, index, span) in reads(module, function) {
            let member = state.get(index as usize).copied().unwrap_or_default();
            if of == "ContactState" && !READ_AT_REST.contains(&member) {
                let what = format!("`{name}` reads `{member}`, which nobody knows when energy is summed");
                return Some(joined.fault(span, what, &format!("read only {}", READ_AT_REST.join(", "))));
            }
        }
        let called = function.expressions.iter().filter_map(|(_, e)| match e {
            Expression::CallResult(called) => Some(*called),
            _ => None,
        });
        open.extend(called);
    }
    None
}
