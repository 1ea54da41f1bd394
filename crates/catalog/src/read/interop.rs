//! `customProperties.interop`.

use serde_json::Map;

use crate::diagnostic::Code;
use crate::fields::{Fields, kind_of};
use crate::model::{ContextSource, ContextUse, Intent, Interop, InteropIntent, InteropMethod};
use crate::report::{Path, Report, quote};

/// Reads the block; `declared` are the intents of the application itself.
pub(super) fn read_interop(
    custom: Fields<'_>,
    declared: &[Intent],
    report: &mut Report<'_>,
) -> Option<Interop> {
    let path = custom.path.key("interop");
    let fields = Fields::new(custom.object("interop", report)?, path);
    let mut methods = Vec::new();
    each_named(fields, "methods", Code::InteropMethod, report, |name, own, report| {
        methods.push(InteropMethod {
            name,
            description: own.string("description", report),
            input_schema: own.schema("inputSchema", report),
            output_schema: own.schema("outputSchema", report),
        });
    });
    let context = read_context(fields, report);
    let mut intents = Vec::new();
    each_named(fields, "intents", Code::InteropIntent, report, |name, own, report| {
        if !declared.iter().any(|intent| intent.name == name) {
            let message = format!(
                "`{0}` is not among the `intents` of the application, so it is not started for \
                 it; add {{\"name\": \"{0}\"}} there",
                quote(&name)
            );
            report.tell(Code::InteropIntentUndeclared, own.path.key("name"), message);
        }
        intents.push(InteropIntent {
            name,
            display_name: own.string("displayName", report),
            description: own.string("description", report),
            context_types: own.texts("contextTypes", report),
            input_schema: own.schema("inputSchema", report),
            output_schema: own.schema("outputSchema", report),
            result_type: own.string("resultType", report),
        });
    });
    Some(Interop { methods, context, intents })
}

/// Hands on each object with a name; what is not one is told.
fn each_named(
    fields: Fields<'_>,
    key: &str,
    code: Code,
    report: &mut Report<'_>,
    mut take: impl FnMut(String, Fields<'_>, &mut Report<'_>),
) {
    let path = fields.path.key(key);
    for (index, value) in fields.list(key, report).iter().enumerate() {
        let path: Path<'_> = path.index(index);
        let none = Map::new();
        let own = Fields::new(value.as_object().unwrap_or(&none), path);
        match own.string("name", report) {
            Some(name) => take(name, own, report),
            None if value.is_object() => {
                report.tell(code, path, "it has no `name` and is left out; give it one");
            }
            None => {
                let message = format!(
                    "expected an object with a `name`, found {}; it is left out",
                    kind_of(value)
                );
                report.tell(code, path, message);
            }
        }
    }
}

fn read_context(fields: Fields<'_>, report: &mut Report<'_>) -> Option<ContextUse> {
    let path = fields.path.key("context");
    let own = Fields::new(fields.object("context", report)?, path);
    let mut sources: Vec<ContextSource> = Vec::new();
    for name in own.texts("sources", report) {
        let source = ContextSource::parse(&name);
        if matches!(source, ContextSource::Other(_)) {
            let message = format!(
                "`{}` is no source of context; there are {}",
                quote(&name),
                ContextSource::NAMES.join(", ")
            );
            report.tell(Code::InteropContextSource, path.key("sources"), message);
        }
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    Some(ContextUse {
        sources,
        description: own.string("description", report),
        schema: own.schema("schema", report),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::Findings;
    use crate::source::{Origin, SourceLabel};

    #[test]
    fn sources_are_known_once_each() {
        let Value::Object(map) = serde_json::json!({ "interop": { "context": {
            "sources": ["workspace", "global", "workspace", "clipboard"] } } })
        else {
            panic!("an object")
        };
        let origin =
            Origin { source: SourceLabel::new("t"), pointer: String::new(), index: 0, line: None };
        let mut findings = Findings::default();
        let mut report = Report::new(&origin, None, None, &mut findings);
        let interop = read_interop(Fields::new(&map, Path::ROOT), &[], &mut report).unwrap();
        assert_eq!(
            interop.context.unwrap().sources,
            [
                ContextSource::Workspace,
                ContextSource::Global,
                ContextSource::Other("clipboard".to_owned()),
            ]
        );
        assert_eq!(findings.into_vec(&origin.source).len(), 1);
    }
}
