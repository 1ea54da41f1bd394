//! Channels.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::record::usable_name;
use crate::diagnostic::Code;
use crate::fields::Fields;
use crate::model::Channel;
use crate::report::{Path, Report};

/// Reads a channel; `None` when it has no name.
pub(super) fn build(map: Map<String, Value>, report: &mut Report<'_>) -> Option<Channel> {
    let fields = Fields::new(&map, Path::ROOT);
    let name =
        usable_name(fields.text("name", report), "name", Code::ChannelName, report)?.to_owned();
    let meta = fields.object("meta", report).cloned().unwrap_or_default();
    let color = Fields::new(&meta, Path::ROOT.key("meta")).string("color", report);
    Some(Channel {
        name,
        color,
        meta,
        raw: Arc::new(Value::Object(map)),
        origin: report.origin().clone(),
    })
}
