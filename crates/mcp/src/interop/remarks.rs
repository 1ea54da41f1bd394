//! What someone should look at, though the tool is there.

use std::sync::Arc;

use deskwire_wire::excerpt;
use rmcp::model::JsonObject;
use serde_json::Value;

use super::Unfit;
use crate::schema::Published;
use crate::surface::{Remark, RemarkCode, Stage};
use crate::text::MAX_DESCRIPTION;

/// Longest property name that all model vendors take.
const MAX_PROPERTY: usize = 64;
/// Properties that are named at most.
const MAX_PROPERTIES: usize = 10;

/// Gathers the remarks about one tool.
#[derive(Debug, Default)]
pub(crate) struct Remarks(Vec<Arc<Remark>>);

impl Remarks {
    pub(crate) fn add(
        &mut self,
        code: RemarkCode,
        stage: Stage,
        reason: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.0.push(Arc::new(Remark { code, stage, reason: reason.into(), fix: fix.into() }));
    }

    /// The output schema is not shown.
    pub(crate) fn about_output(&mut self, unfit: &Unfit) {
        let reason = format!("its output schema is not published: {unfit}");
        self.add(RemarkCode::OutputSchemaNotPublished, Stage::Schema, reason, unfit.fix());
    }

    /// What there is to say about a published input schema.
    pub(crate) fn about_input(&mut self, input: &Published) {
        self.about_properties(&input.schema);
        for left_out in &input.left_out {
            let reason = format!("left out of its input schema: {left_out}");
            let fix = "annotate strings, integers and booleans, each with a header of its own";
            self.add(RemarkCode::FieldIgnored, Stage::Schema, reason, fix);
        }
    }

    /// Texts of a published schema were cut off.
    pub(crate) fn about_length(&mut self, schemas: &[Option<&Published>]) {
        if schemas.iter().flatten().any(|published| published.texts.shortened) {
            self.add(
                RemarkCode::DescriptionShortened,
                Stage::Schema,
                format!("a text in its schemas is longer than {MAX_DESCRIPTION} characters"),
                "shorten the descriptions in the schemas; the end is cut off",
            );
        }
    }

    /// Some models refuse what the published input schema calls a property.
    fn about_properties(&mut self, input: &JsonObject) {
        let usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let odd = |name: &&String| {
            name.is_empty() || name.len() > MAX_PROPERTY || !name.bytes().all(usual)
        };
        let properties = input.get("properties").and_then(Value::as_object).into_iter();
        let names = properties.flat_map(serde_json::Map::keys).filter(odd).take(MAX_PROPERTIES);
        for name in names {
            let reason = format!("some models refuse the property name `{}`", excerpt(name, 80));
            let fix = "use 1 to 64 of the characters A-Z a-z 0-9 _ . -";
            self.add(RemarkCode::PropertyName, Stage::Schema, reason, fix);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Arc<Remark>> {
        self.0
    }
}
