//! Reading items: what each type has, and what is made of faults.

use std::sync::Arc;

use serde_json::Value;

use super::{Policy, is_item};
use crate::diagnostic::{Diagnostic, Fault, ReadError, shown, what};
use crate::id::{Ids, ItemId};
use crate::limits::{MAX_DEPTH, MAX_DIAGNOSTICS, MAX_ID, MAX_ITEMS, MAX_TITLE, MAX_VALUE_DEPTH};
use crate::path::{Path, Step};
use crate::tree::{Content, Item, Kind, Object, Root, Size, Window};

/// One reading: where it is, what it found wrong, and which ids are taken.
pub(super) struct Reader<'r, 's> {
    pub(super) path: Path,
    ids: &'r mut Ids<'s>,
    diagnostics: Vec<Diagnostic>,
    more: usize,
    seen: usize,
}

impl<'r, 's> Reader<'r, 's> {
    pub(super) fn new(ids: &'r mut Ids<'s>) -> Self {
        Self { path: Path::default(), ids, diagnostics: Vec::new(), more: 0, seen: 0 }
    }

    /// The diagnostics and how many were only counted, or the refusal of both.
    pub(super) fn finish(self, policy: Policy) -> Result<(Vec<Diagnostic>, usize), ReadError> {
        let mut diagnostics = self.diagnostics;
        if policy == Policy::Strict && diagnostics.iter().any(|found| found.fault.loses()) {
            diagnostics.sort_by_key(|found| !found.fault.loses());
            return Err(ReadError::Refused { diagnostics });
        }
        Ok((diagnostics, self.more))
    }

    /// Notes a fault at the present place. A fault that loses something is kept however many there
    /// are: strict readings depend on it.
    pub(super) fn fault(&mut self, fault: Fault) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic { path: self.path.clone(), fault });
            return;
        }
        self.more += 1;
        if fault.loses() && !self.diagnostics.iter().any(|found| found.fault.loses()) {
            self.diagnostics.pop();
            self.diagnostics.push(Diagnostic { path: self.path.clone(), fault });
        }
    }

    fn fault_at(&mut self, key: impl Into<Step>, fault: Fault) {
        self.within(key, |reader| reader.fault(fault));
    }

    fn within<T>(&mut self, key: impl Into<Step>, then: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(key);
        let result = then(self);
        self.path.pop();
        result
    }

    /// What belongs to the workspace as a whole.
    pub(super) fn root(&mut self, object: &Object) -> Root {
        let mut other = self.rest(object, &["children", "config", "context", "frame"]);
        // A workspace that calls itself a row would be read as one when it comes back.
        if is_item(&other) {
            other.shift_remove("type");
        }
        Root {
            config: self.object(object, "config"),
            context: self.object(object, "context"),
            frame: self.object(object, "frame"),
            other,
        }
    }

    /// The list at `children`, with the places that its items had in it.
    pub(super) fn children(
        &mut self,
        value: Option<&Value>,
        depth: usize,
        parent: Option<Kind>,
    ) -> Result<Vec<(usize, Arc<Item>)>, ReadError> {
        self.path.push("children");
        let children = match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(list)) => self.list(list, depth, parent)?,
            Some(other) => {
                self.fault(Fault::NotAList { found: what(other) });
                Vec::new()
            }
        };
        self.path.pop();
        Ok(children)
    }

    /// Items of a list that can be read, with their places.
    pub(super) fn list(
        &mut self,
        list: &[Value],
        depth: usize,
        parent: Option<Kind>,
    ) -> Result<Vec<(usize, Arc<Item>)>, ReadError> {
        let mut items = Vec::new();
        for (place, value) in list.iter().enumerate() {
            self.path.push(place);
            if let Some(item) = self.item(value, depth, parent)? {
                items.push((place, Arc::new(item)));
            }
            self.path.pop();
        }
        Ok(items)
    }

    /// An item, or `None` with a diagnostic. Its id is empty where one is still to be assigned.
    pub(super) fn item(
        &mut self,
        value: &Value,
        depth: usize,
        parent: Option<Kind>,
    ) -> Result<Option<Item>, ReadError> {
        self.seen += 1;
        if self.seen > MAX_ITEMS {
            return Err(ReadError::TooManyItems { path: self.path.clone() });
        }
        if depth > MAX_DEPTH {
            return Err(ReadError::TooDeep { path: self.path.clone() });
        }
        let object = match value {
            Value::Object(object) => object,
            Value::Null => return Ok(None),
            other => {
                self.fault(Fault::NotAnItem { found: what(other) });
                return Ok(None);
            }
        };
        let Some(kind) = self.kind(object) else { return Ok(None) };
        if parent == Some(Kind::Group) && kind != Kind::Window {
            self.fault(Fault::NotAWindow { found: kind });
            return Ok(None);
        }
        if kind == Kind::Window {
            Ok(self.window(object))
        } else {
            self.container(object, kind, depth)
        }
    }

    fn kind(&mut self, object: &Object) -> Option<Kind> {
        let given = object.get("type").unwrap_or(&Value::Null);
        let kind = given.as_str().and_then(Kind::parse);
        if kind.is_none() {
            let found = if given.is_null() { "nothing".to_owned() } else { shown(given) };
            self.fault_at("type", Fault::UnknownType { found });
        }
        kind
    }

    fn container(
        &mut self,
        object: &Object,
        kind: Kind,
        depth: usize,
    ) -> Result<Option<Item>, ReadError> {
        let id = self.id(object);
        let none = Object::new();
        let config = self.settings(object).unwrap_or(&none);
        let placed = self.children(object.get("children"), depth + 1, Some(kind))?;
        let mut known = vec!["width", "height", "title"];
        let active = (kind == Kind::Group).then(|| {
            known.push("activeTabIndex");
            let tabs = object.get("children").and_then(Value::as_array).map_or(0, Vec::len);
            let place = self.within("config", |reader| reader.tab(config, tabs))?;
            placed.iter().position(|(of, _)| *of == place)
        });
        let children = placed.into_iter().map(|(_, item)| item).collect();
        let content = match kind {
            Kind::Column => Content::Column(children),
            Kind::Group => Content::Group { windows: children, active: active.flatten() },
            Kind::Row | Kind::Window => Content::Row(children),
        };
        let other = self.rest(object, &["type", "id", "children", "config"]);
        Ok(Some(self.assemble(id, config, &known, other, content)))
    }

    fn window(&mut self, object: &Object) -> Option<Item> {
        let none = Object::new();
        let config = self.settings(object).unwrap_or(&none);
        match object.get("children") {
            None | Some(Value::Null) => {}
            Some(Value::Array(list)) if list.is_empty() => {}
            Some(_) => self.fault_at("children", Fault::WindowWithChildren),
        }
        let app_name = self.name(object, config, "appName");
        let window_id = self.name(object, config, "windowId");
        if app_name.is_none() && window_id.is_none() {
            self.fault(Fault::NoApp);
            return None;
        }
        let id = self.id(object);
        let inner = self.within("config", |reader| reader.object(config, "context"));
        let outer = self.object(object, "context");
        self.twice("context", outer.is_some() && inner.is_some() && outer != inner);
        let window = Window { app_name, window_id, context: outer.or(inner) };
        let known = ["width", "height", "title", "appName", "windowId", "context"];
        let other_known = ["type", "id", "children", "config", "appName", "windowId", "context"];
        let other = self.rest(object, &other_known);
        Some(self.assemble(id, config, &known, other, Content::Window(window)))
    }

    fn assemble(
        &mut self,
        id: ItemId,
        config: &Object,
        known: &[&str],
        other: Object,
        content: Content,
    ) -> Item {
        self.path.push("config");
        let size =
            Size { width: self.share(config, "width"), height: self.share(config, "height") };
        let title = self.title(config);
        let config = self.rest(config, known);
        self.path.pop();
        Item { id, size, title, config, other, content }
    }

    /// The id that was given, if no other item has it; else an empty one.
    fn id(&mut self, object: &Object) -> ItemId {
        let nameless = ItemId::from("");
        match object.get("id") {
            None | Some(Value::Null) => nameless,
            Some(Value::String(text)) if !text.is_empty() && text.len() <= MAX_ID => {
                let id = ItemId::from(text.as_str());
                if self.ids.take(&id) {
                    return id;
                }
                self.fault_at("id", Fault::DuplicateId { id });
                nameless
            }
            Some(_) => {
                self.fault_at("id", Fault::BadId);
                nameless
            }
        }
    }

    /// Gives every item that has none an id, each before what is in it. It comes after reading,
    /// because an id that stands further down is not to be given away further up.
    pub(super) fn name_all(&mut self, items: &mut [Arc<Item>]) {
        for item in items {
            let item = Arc::make_mut(item);
            if item.id.as_str().is_empty() {
                item.id = self.ids.assign();
            }
            if let Some(children) = item.children_mut() {
                self.name_all(children);
            }
        }
    }

    /// A name beside `config`, or in it.
    fn name(&mut self, object: &Object, config: &Object, key: &'static str) -> Option<String> {
        let outer = self.text(object, key);
        let inner = self.within("config", |reader| reader.text(config, key));
        self.twice(key, outer.is_some() && inner.is_some() && outer != inner);
        outer.or(inner)
    }

    fn twice(&mut self, key: &'static str, differs: bool) {
        if differs {
            self.within("config", |reader| reader.fault_at(key, Fault::SaidTwice { key }));
        }
    }

    /// Text that is not blank.
    fn text(&mut self, object: &Object, key: &'static str) -> Option<String> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.trim().is_empty() => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => {
                self.fault_at(key, Fault::NotText { found: what(other) });
                None
            }
        }
    }

    fn title(&mut self, config: &Object) -> Option<String> {
        let title = self.text(config, "title")?;
        if title.chars().count() > MAX_TITLE {
            self.fault_at("title", Fault::TitleTooLong);
            return None;
        }
        Some(title)
    }

    fn share(&mut self, config: &Object, key: &'static str) -> Option<f64> {
        let value = config.get(key).filter(|value| !value.is_null())?;
        let share = value.as_f64().filter(|share| *share > 0.0 && *share <= 100.0);
        if share.is_none() {
            self.fault_at(key, Fault::BadSize { found: shown(value) });
        }
        share
    }

    /// The place of the tab in front, among all that were given.
    fn tab(&mut self, config: &Object, tabs: usize) -> Option<usize> {
        let value = config.get("activeTabIndex").filter(|value| !value.is_null())?;
        let place = value.as_u64().and_then(|place| usize::try_from(place).ok());
        let place = place.filter(|place| *place < tabs);
        if place.is_none() {
            self.fault_at("activeTabIndex", Fault::BadTab { found: shown(value) });
        }
        place
    }

    /// The settings of an item.
    fn settings<'v>(&mut self, object: &'v Object) -> Option<&'v Object> {
        match object.get("config")? {
            Value::Object(config) => Some(config),
            Value::Null => None,
            other => {
                self.fault_at("config", Fault::NotAnObject { found: what(other) });
                None
            }
        }
    }

    /// A copy of the object at a key. An empty one is one.
    fn object(&mut self, object: &Object, key: &'static str) -> Option<Object> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::Object(found)) => Some(self.within(key, |reader| reader.rest(found, &[]))),
            Some(other) => {
                self.fault_at(key, Fault::NotAnObject { found: what(other) });
                None
            }
        }
    }

    /// All keys but the known ones, verbatim; without values that nest too deep.
    fn rest(&mut self, object: &Object, known: &[&str]) -> Object {
        let is_unknown = |key: &&String| !known.contains(&key.as_str());
        let mut rest = Object::with_capacity(object.keys().filter(is_unknown).count());
        for (key, value) in object.iter().filter(|(key, _)| is_unknown(key)) {
            if nests_within(value, MAX_VALUE_DEPTH) {
                rest.insert(key.clone(), value.clone());
            } else {
                self.fault_at(key.clone(), Fault::ValueTooDeep);
            }
        }
        rest
    }
}

/// Whether a value nests at most `levels` deep. Looks no deeper than that.
fn nests_within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(list) => levels > 0 && list.iter().all(|item| nests_within(item, levels - 1)),
        Value::Object(object) => {
            levels > 0 && object.values().all(|item| nests_within(item, levels - 1))
        }
        _ => true,
    }
}
