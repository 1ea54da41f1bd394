//! Guards of the configuration: expressions in CEL over what is let in or kept out.
//!
//! An expression is compiled when the configuration is read, and its variables
//! are checked then, so that a slip of the pen fails the start instead of
//! hiding tools. What depends on data, such as a flag that some methods lack, can
//! only fail later; whoever asks gets the reason.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use cel::common::ast::{EntryExpr, Expr, IdedExpr, LiteralValue, operators};
use cel::{Context, ExecutionError, Program, Value as CelValue};
use serde::Deserialize;
use serde_json::Value;

/// What a guard decides about, and the variables it may use.
pub(crate) trait Subject {
    /// Each variable with its members; no members means that any may be asked for.
    const VARIABLES: &'static [(&'static str, &'static [&'static str])];
}

/// A method that may become a tool: `method` and `server`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MethodSubject {}

impl Subject for MethodSubject {
    const VARIABLES: &'static [(&'static str, &'static [&'static str])] = &[
        ("method", &["name", "description", "flags"]),
        ("server", &["applicationName", "instance", "user"]),
    ];
}

/// An application that search may offer, or that may be started: `app`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AppSubject {}

impl Subject for AppSubject {
    const VARIABLES: &'static [(&'static str, &'static [&'static str])] =
        &[("app", &["name", "metadata"])];
}

/// A workspace that search may offer, or that may be opened: `ws`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkspaceSubject {}

impl Subject for WorkspaceSubject {
    const VARIABLES: &'static [(&'static str, &'static [&'static str])] =
        &[("ws", &["name", "metadata"])];
}

/// A compiled guard.
pub(crate) struct Guard<S> {
    source: Arc<str>,
    program: Arc<Program>,
    subject: PhantomData<fn(S)>,
}

impl<S: Subject> Guard<S> {
    fn compile(source: &str) -> Result<Self, String> {
        let program = Program::compile(source)
            .map_err(|error| format!("`{source}` is not a CEL expression: {error}"))?;
        check(program.expression(), S::VARIABLES, &mut Vec::new())?;
        Ok(Self { source: source.into(), program: Arc::new(program), subject: PhantomData })
    }

    /// Decides.
    ///
    /// # Errors
    /// When the expression fails on these values or is no yes or no.
    pub(crate) fn allows(&self, variables: &[(&str, Value)]) -> Result<bool, String> {
        let failed = |reason: &dyn fmt::Display| format!("the guard `{}` {reason}", self.source);
        let mut context = Context::default();
        for (name, value) in variables {
            context
                .add_variable(*name, value)
                .map_err(|error| failed(&format_args!("cannot use `{name}`: {error}")))?;
        }
        match self.program.execute(&context) {
            Ok(CelValue::Bool(verdict)) => Ok(verdict),
            Ok(other) => Err(failed(&format_args!("gives {other:?}, not true or false"))),
            Err(error) => Err(failed(&format_args!("fails: {error}"))),
        }
    }
}

impl<S> Clone for Guard<S> {
    fn clone(&self) -> Self {
        Self {
            source: Arc::clone(&self.source),
            program: Arc::clone(&self.program),
            subject: PhantomData,
        }
    }
}

impl<S> PartialEq for Guard<S> {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl<S> fmt::Debug for Guard<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guard").field(&self.source).finish()
    }
}

impl<'de, S: Subject> Deserialize<'de> for Guard<S> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        Self::compile(&source).map_err(serde::de::Error::custom)
    }
}

impl<S: Subject> schemars::JsonSchema for Guard<S> {
    fn schema_name() -> Cow<'static, str> {
        "Guard".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

type Variables = [(&'static str, &'static [&'static str])];

/// Checks every variable, and every member of one whose members are known.
/// `bound` holds the names that macros such as `exists` bring in.
fn check(expr: &IdedExpr, known: &Variables, bound: &mut Vec<String>) -> Result<(), String> {
    let is_bound = |bound: &[String], name: &str| bound.iter().any(|bound| bound == name);
    match &expr.expr {
        Expr::Unspecified | Expr::Literal(_) => Ok(()),
        Expr::Ident(name) => {
            if is_bound(bound, name) || known.iter().any(|(variable, _)| variable == name) {
                Ok(())
            } else {
                let names: BTreeMap<_, _> = known.iter().copied().collect();
                let names: Vec<_> = names.into_keys().collect();
                Err(format!("unknown variable `{name}`; a guard here knows {}", names.join(", ")))
            }
        }
        Expr::Select(select) => {
            check_member(&select.operand, &select.field, known, bound)?;
            check(&select.operand, known, bound)
        }
        Expr::Call(call) => {
            if let (operators::INDEX, [operand, index]) =
                (call.func_name.as_str(), call.args.as_slice())
                && let Expr::Literal(LiteralValue::String(field)) = &index.expr
            {
                check_member(operand, field.inner(), known, bound)?;
            }
            check_function(&call.func_name, call.target.is_some())?;
            call.target.iter().try_for_each(|target| check(target, known, bound))?;
            call.args.iter().try_for_each(|argument| check(argument, known, bound))
        }
        Expr::List(list) => list.elements.iter().try_for_each(|item| check(item, known, bound)),
        Expr::Map(map) => {
            map.entries.iter().try_for_each(|entry| check_entry(&entry.expr, known, bound))
        }
        Expr::Struct(of) => {
            of.entries.iter().try_for_each(|entry| check_entry(&entry.expr, known, bound))
        }
        Expr::Comprehension(of) => {
            check(&of.iter_range, known, bound)?;
            check(&of.accu_init, known, bound)?;
            let before = bound.len();
            bound.extend([of.iter_var.clone(), of.accu_var.clone()]);
            bound.extend(of.iter_var2.clone());
            let inner = [&of.loop_cond, &of.loop_step, &of.result]
                .into_iter()
                .try_for_each(|expr| check(expr, known, bound));
            bound.truncate(before);
            inner
        }
    }
}

/// Checks `operand.field`, however it is written.
fn check_member(
    operand: &IdedExpr,
    field: &str,
    known: &Variables,
    bound: &[String],
) -> Result<(), String> {
    let Expr::Ident(name) = &operand.expr else { return Ok(()) };
    let members = known.iter().find(|(variable, _)| variable == name).map(|(_, members)| *members);
    match members {
        Some(members)
            if !bound.contains(name) && !members.is_empty() && !members.contains(&field) =>
        {
            let members = members.join(", ");
            Err(format!("unknown variable `{name}.{field}`; `{name}` has {members}"))
        }
        _ => Ok(()),
    }
}

/// Checks that there is a function of this name. Its arguments show only when the
/// guard is asked.
fn check_function(name: &str, is_member: bool) -> Result<(), String> {
    // Operators are calls, too.
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(());
    }
    let call = if is_member { format!("''.{name}()") } else { format!("{name}()") };
    // What cannot be called so is a macro.
    let Ok(program) = Program::compile(&call) else { return Ok(()) };
    match program.execute(&Context::default()) {
        Err(ExecutionError::UndeclaredReference(_)) => Err(format!(
            "unknown function `{name}`; texts have startsWith, endsWith, contains, matches, size"
        )),
        _ => Ok(()),
    }
}

fn check_entry(
    entry: &EntryExpr,
    known: &Variables,
    bound: &mut Vec<String>,
) -> Result<(), String> {
    match entry {
        EntryExpr::StructField(field) => check(&field.value, known, bound),
        EntryExpr::MapEntry(entry) => {
            check(&entry.key, known, bound)?;
            check(&entry.value, known, bound)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn method(name: &str, application: &str) -> [(&'static str, Value); 2] {
        [
            (
                "method",
                json!({ "name": name, "description": "d", "flags": { "tags": ["a", "b"] } }),
            ),
            ("server", json!({ "applicationName": application, "instance": "i", "user": "u" })),
        ]
    }

    fn decide(source: &str, name: &str, application: &str) -> Result<bool, String> {
        Guard::<MethodSubject>::compile(source)?.allows(&method(name, application))
    }

    #[test]
    fn expressions_decide() {
        let source = r#"method.name.startsWith("mcp_") && server.applicationName == "allowed-app""#;
        assert_eq!(decide(source, "mcp_x", "allowed-app"), Ok(true));
        assert_eq!(decide(source, "x", "allowed-app"), Ok(false));
        assert_eq!(decide(source, "mcp_x", "other"), Ok(false));
        let source = "size(method.name) == 1 && method['name'] == 'x' && method.name.matches('^x')";
        assert_eq!(decide(source, "x", "y"), Ok(true));
        let source = r#"method.flags.tags.exists(tag, tag == "b") && !has(method.flags.hidden)"#;
        assert_eq!(decide(source, "x", "y"), Ok(true));
    }

    #[test]
    fn a_slip_fails_when_the_guard_is_read() {
        for (source, reason) in [
            ("methd.name == 'x'", "unknown variable `methd`; a guard here knows method, server"),
            ("app.name == 'x'", "unknown variable `app`"),
            (
                "server.appName == 'x'",
                "unknown variable `server.appName`; `server` has applicationName",
            ),
            ("has(method.nmae)", "unknown variable `method.nmae`"),
            ("method['nmae'] == 'x'", "unknown variable `method.nmae`; `method` has name"),
            ("method.name.startWith('x')", "unknown function `startWith`; texts have startsWith"),
            ("lenght(method.name) > 3", "unknown function `lenght`"),
            ("[1].exists(i, j == i)", "unknown variable `j`"),
            ("method.name ==", "is not a CEL expression"),
        ] {
            let error = Guard::<MethodSubject>::compile(source).unwrap_err();
            assert!(error.contains(reason), "{source}: {error}");
        }
    }

    #[test]
    fn applications_and_workspaces_have_variables_of_their_own() {
        let app = [("app", json!({ "name": "internal-app", "metadata": { "team": "fx" } }))];
        for (source, allowed) in
            [(r#"app.name != "internal-app""#, false), (r#"app.metadata.team == "fx""#, true)]
        {
            let guard = Guard::<AppSubject>::compile(source).unwrap();
            assert_eq!(guard.allows(&app), Ok(allowed), "{source}");
        }
        let ws = [("ws", json!({ "name": "_internal", "metadata": {} }))];
        let guard =
            Guard::<WorkspaceSubject>::compile(r#"!ws.name.startsWith("_internal")"#).unwrap();
        assert_eq!(guard.allows(&ws), Ok(false));
        let error = Guard::<WorkspaceSubject>::compile("app.name == 'x'").unwrap_err();
        assert!(error.contains("unknown variable `app`; a guard here knows ws"), "{error}");
    }

    #[test]
    fn a_guard_that_cannot_decide_says_why() {
        for (source, reason) in [
            ("method.flags.missing.deep == 1", "fails"),
            ("method.name", "not true or false"),
            ("method.name < 5", "fails"),
        ] {
            let error = decide(source, "x", "y").unwrap_err();
            assert!(error.contains(reason) && error.contains(source), "{error}");
        }
    }
}
