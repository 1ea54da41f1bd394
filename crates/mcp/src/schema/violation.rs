//! Violations of a schema, as a model can act on them.

use std::fmt;

use deskwire_wire::excerpt;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::error::kind_of;

/// Longest message in characters.
const MAX_MESSAGE: usize = 300;

/// One place where a value does not fit a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer into the value; empty for the value itself.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Violation {
    pub(super) fn too_costly() -> Self {
        Self { path: String::new(), message: "too large to be checked against this schema".into() }
    }

    pub(super) fn new(error: &ValidationError<'_>) -> Self {
        let (path, message) = describe(error);
        Self { path, message: excerpt(&message, MAX_MESSAGE) }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "`{}` {}", excerpt(&self.path, 200), self.message)
        }
    }
}

fn describe(error: &ValidationError<'_>) -> (String, String) {
    use ValidationErrorKind as Kind;
    let path = error.instance_path().to_string();
    let message = match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            return (format!("{path}/{}", escaped(name)), "is missing".into());
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let names: Vec<_> = unexpected.iter().map(|name| format!("`{name}`")).collect();
            format!("must not have {}", names.join(", "))
        }
        Kind::Type { kind } => {
            format!("must be {}, not {}", wanted(kind), kind_of(error.instance()))
        }
        Kind::Enum { options } => match options.as_array() {
            Some(options) => {
                let options: Vec<_> = options.iter().map(Value::to_string).collect();
                format!("must be one of {}", options.join(", "))
            }
            None => error.masked().to_string(),
        },
        Kind::Constant { expected_value } => format!("must be {expected_value}"),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            return match nearest(context) {
                Some(near) => {
                    let (below, message) = describe(near);
                    let hint =
                        format!("{message} (or fit another of {} alternatives)", context.len());
                    (if below.is_empty() { path } else { below }, hint)
                }
                None => (path, "fits none of the alternatives".into()),
            };
        }
        Kind::OneOfMultipleValid { .. } => "fits more than one of the alternatives".into(),
        Kind::FalseSchema => "must not be there".into(),
        Kind::PropertyNames { error } => format!("has a property name that is wrong: {error}"),
        Kind::Pattern { pattern } => format!("must match the pattern {pattern}"),
        Kind::MinLength { limit } => format!("must be at least {limit} characters long"),
        Kind::MaxLength { limit } => format!("must be at most {limit} characters long"),
        Kind::MinItems { limit } => format!("must have at least {limit} items"),
        Kind::MaxItems { limit } => format!("must have at most {limit} items"),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::UniqueItems => "must not repeat items".into(),
        _ => error.masked().to_string(),
    };
    (path, message)
}

/// Of the alternatives that failed, the one that went deepest, then the one
/// with the fewest complaints: it is most likely the one that was meant.
fn nearest<'a>(
    context: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a ValidationError<'static>> {
    let depth =
        |error: &ValidationError<'_>| error.instance_path().to_string().matches('/').count();
    context
        .iter()
        .filter_map(|errors| errors.first().map(|first| (first, errors.len())))
        .min_by_key(|(first, errors)| (std::cmp::Reverse(depth(first)), *errors))
        .map(|(first, _)| first)
}

fn wanted(kind: &TypeKind) -> String {
    let name = |kind: JsonType| match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    };
    match kind {
        TypeKind::Single(kind) => name(*kind).into(),
        TypeKind::Multiple(kinds) => kinds.into_iter().map(name).collect::<Vec<_>>().join(" or "),
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
