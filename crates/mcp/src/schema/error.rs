//! What is wrong with a schema, and what would be right.

use serde_json::Value;

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The text is longer than is read.
    #[error("the schema is {bytes} bytes long, more than {limit}")]
    TooLong {
        /// Length of the text.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The text is no JSON.
    #[error("the schema is not JSON: {0}")]
    NotJson(String),
    /// Schemas nest in each other too deep.
    #[error("the schema nests deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// References lead too far.
    #[error("the {definitions} definitions of the schema lead too far into each other")]
    Entangled {
        /// Schemas that are referred to.
        definitions: usize,
    },
    /// There are more regular expressions than are kept.
    #[error("the schema has {patterns} different regular expressions, which is too many")]
    ManyPatterns {
        /// How many there are.
        patterns: usize,
    },
    /// A regular expression takes too much room.
    #[error("the regular expression at `{path}` takes too much room once it is compiled")]
    LargePattern {
        /// JSON pointer into the schema.
        path: String,
    },
    /// The schema was made text twice.
    #[error("the schema is a string that holds another JSON text")]
    WrittenTwice,
    /// The JSON is neither object nor boolean.
    #[error("the schema is {found}")]
    NotASchema {
        /// What it is.
        found: &'static str,
    },
    /// The schema breaks the rules of its dialect.
    #[error("not a valid schema of {dialect}, at `{path}`: {reason}")]
    Invalid {
        /// JSON pointer into the schema.
        path: String,
        /// The rule that is broken.
        reason: String,
        /// The dialect.
        dialect: &'static str,
    },
    /// A reference leaves the schema.
    #[error("`$ref` to `{reference}` leaves the schema")]
    RemoteReference {
        /// The reference.
        reference: String,
    },
    /// A reference leads to nothing, or to something that is no schema.
    #[error("`$ref` to `{reference}` leads to no schema")]
    DanglingReference {
        /// The reference.
        reference: String,
    },
    /// The schema cannot be made into a checker, mostly for a pattern.
    #[error("the schema cannot be checked with, at `{path}`: {reason}")]
    NotCheckable {
        /// JSON pointer into the schema.
        path: String,
        /// Why.
        reason: String,
    },
}

impl SchemaError {
    /// Whether the text is JSON at least.
    #[must_use]
    pub fn is_json(&self) -> bool {
        !matches!(self, Self::NotJson(_))
    }

    /// What the author can do about it.
    #[must_use]
    pub fn fix(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "describe less, or move alternatives into several tools",
            Self::NotJson(_) => "pass the result of JSON.stringify(schema)",
            Self::TooDeep { .. } | Self::Entangled { .. } => "flatten the schema",
            Self::WrittenTwice => "call JSON.stringify once",
            Self::NotASchema { .. } => "a schema is a JSON object such as {\"type\":\"object\"}",
            Self::Invalid { .. } => {
                "correct the keyword, or name the dialect it belongs to in `$schema`"
            }
            Self::RemoteReference { .. } => "copy what it refers to into `$defs`",
            Self::DanglingReference { .. } => "refer to an entry of `$defs` of the same schema",
            Self::ManyPatterns { .. } => "use fewer patterns, or say in words what is meant",
            Self::LargePattern { .. } => {
                "repeat less in the pattern, and bound the length by `maxLength`"
            }
            Self::NotCheckable { .. } => {
                "use regular expressions without look-around and back-references"
            }
        }
    }
}

/// Why a schema that is valid cannot be shown to clients.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unpublishable {
    /// The root describes something that is no object.
    #[error("the schema describes {found}, not an object")]
    NotAnObject {
        /// What it describes.
        found: String,
    },
    /// Alternatives at the root have nothing in common that is an object.
    #[error("no alternative of `{keyword}` at the root is an object")]
    NoObjectAlternative {
        /// `anyOf`, `oneOf` or `allOf`.
        keyword: &'static str,
    },
    /// The schema says neither what type it is nor what properties it has.
    #[error("the schema has neither `type` nor `properties`")]
    SaysNothing,
    /// The schema is longer than clients are sent, references inlined.
    #[error("the schema is longer than {limit} bytes once its references are inlined")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
}

impl Unpublishable {
    /// What the author can do about it.
    #[must_use]
    pub fn fix(&self) -> &'static str {
        match self {
            Self::NotAnObject { .. } | Self::SaysNothing => {
                "give the root `type: \"object\"` and `properties`"
            }
            Self::NoObjectAlternative { .. } => "make the alternatives objects with `properties`",
            Self::TooLarge { .. } => "describe less, or split the tool",
        }
    }
}

/// A JSON type for messages, with its article.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
