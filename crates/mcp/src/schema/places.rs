//! Where schemas, anchors and references stand in the author's schema, and where a
//! reference leads.

use std::collections::{HashMap, HashSet};

use deskwire_wire::excerpt;
use jsonschema::Draft;
use serde_json::{Map, Value};

use super::error::SchemaError;
use super::keywords::each_subschema;
use super::normal::ignores_siblings;
use super::read::check_against_dialect;

/// Keywords whose content is data, never a schema that could be referred to.
const DATA: [&str; 8] =
    ["const", "default", "enum", "examples", "required", "type", "dependentRequired", "$comment"];

/// The map of one schema.
pub(super) struct Places<'a> {
    root: &'a Value,
    draft: Draft,
    /// Places of schemas, as JSON pointers.
    schemas: HashSet<String>,
    /// Parts with an identity of their own, the root among them: by place, with
    /// the identity.
    resources: Vec<(String, String)>,
    /// Places of anchors, by the place of their resource and their name.
    anchors: HashMap<(String, &'a str), String>,
    /// References, each with the place of the resource it stands in.
    pub(super) references: Vec<(&'a str, String)>,
}

impl<'a> Places<'a> {
    /// The map of a valid schema of `draft`.
    pub(super) fn of(root: &'a Value, draft: Draft) -> Self {
        let mut places = Self {
            root,
            draft,
            schemas: HashSet::new(),
            resources: vec![(String::new(), String::new())],
            anchors: HashMap::new(),
            references: Vec::new(),
        };
        places.survey(root, &mut String::new(), "");
        places
    }

    /// Takes in the schema at `place`, which stands in the resource at `base`.
    fn survey(&mut self, schema: &'a Value, place: &mut String, base: &str) {
        self.schemas.insert(place.clone());
        let Some(schema) = schema.as_object() else { return };
        let mut base = base.to_owned();
        let id = schema.get(if self.draft == Draft::Draft4 { "id" } else { "$id" });
        match id.and_then(Value::as_str) {
            Some(id) if id.starts_with('#') => {
                self.anchors.insert((base.clone(), id.trim_start_matches('#')), place.clone());
            }
            // Nothing beside a reference counts there.
            Some(_) if ignores_siblings(self.draft) && schema.contains_key("$ref") => {}
            Some(id) => {
                let identity = joined(self.identity(&base), id.trim_end_matches('#'));
                self.resources.retain(|(known, _)| known != place);
                self.resources.push((place.clone(), identity));
                base.clone_from(place);
            }
            None => {}
        }
        for anchor in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = schema.get(anchor).and_then(Value::as_str) {
                self.anchors.insert((base.clone(), name), place.clone());
            }
        }
        self.references.extend(references(schema).map(|reference| (reference, base.clone())));
        each_subschema(schema, |keyword, step, below| {
            let length = place.len();
            push_step(place, keyword);
            if let Some(step) = step {
                push_step(place, step);
            }
            self.survey(below, place, &base);
            place.truncate(length);
        });
    }

    /// The place of the resource that the schema at `place` stands in.
    pub(super) fn resource_of(&self, place: &str) -> &str {
        let holds = |resource: &str| {
            place
                .strip_prefix(resource)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let resources = self.resources.iter().map(|(resource, _)| resource.as_str());
        resources.filter(|resource| holds(resource)).max_by_key(|it| it.len()).unwrap_or_default()
    }

    fn identity(&self, resource: &str) -> &str {
        let known = self.resources.iter().find(|(place, _)| place == resource);
        known.map_or("", |(_, identity)| identity)
    }

    /// The place a reference in the resource at `base` leads to. A place that is
    /// no schema so far, since it stands beside the keywords, is taken in.
    pub(super) fn find(&mut self, reference: &str, base: &str) -> Result<String, SchemaError> {
        let place = self.pointed(reference, base)?;
        if let Some(place) = &place
            && !self.schemas.contains(place)
            && let Some(schema) = self.beside_keywords(place)
        {
            check_against_dialect(self.draft, schema)?;
            let base = self.resource_of(place).to_owned();
            self.survey(schema, &mut place.clone(), &base);
        }
        self.a_schema(place, reference)
    }

    /// The place a reference in the resource at `base` leads to.
    pub(super) fn resolve(&self, reference: &str, base: &str) -> Result<String, SchemaError> {
        self.a_schema(self.pointed(reference, base)?, reference)
    }

    fn a_schema(&self, place: Option<String>, reference: &str) -> Result<String, SchemaError> {
        let dangling = || SchemaError::DanglingReference { reference: excerpt(reference, 120) };
        place.filter(|place| self.schemas.contains(place)).ok_or_else(dangling)
    }

    /// Where a reference points, whatever is there.
    fn pointed(&self, reference: &str, base: &str) -> Result<Option<String>, SchemaError> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if document.is_empty() {
            base
        } else {
            let identity = joined(self.identity(base), document);
            let known = self.resources.iter().find(|(_, known)| *known == identity);
            let Some((resource, _)) = known else {
                return Err(SchemaError::RemoteReference { reference: excerpt(reference, 120) });
            };
            resource
        };
        Ok(if fragment.is_empty() || fragment.starts_with('/') {
            percent_decoded(fragment).map(|pointer| format!("{resource}{pointer}"))
        } else {
            self.anchors.get(&(resource.to_owned(), fragment)).cloned()
        })
    }

    /// What stands at `place`, if that is below a keyword nobody knows.
    fn beside_keywords(&self, place: &str) -> Option<&'a Value> {
        let known = place
            .match_indices('/')
            .map(|(at, _)| &place[..at])
            .filter(|prefix| self.schemas.contains(*prefix))
            .max_by_key(|prefix| prefix.len())?;
        let keyword = place[known.len()..].split('/').nth(1)?;
        let schema = self.root.pointer(place)?;
        (!DATA.contains(&keyword) && (schema.is_object() || schema.is_boolean())).then_some(schema)
    }
}

/// The references of one schema object. The dynamic kinds lead where the plain
/// kind does, since nothing from outside takes their place.
pub(super) fn references(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .into_iter()
        .filter_map(|keyword| schema.get(keyword).and_then(Value::as_str))
}

pub(super) fn push_step(place: &mut String, step: &str) {
    place.push('/');
    for character in step.chars() {
        match character {
            '~' => place.push_str("~0"),
            '/' => place.push_str("~1"),
            other => place.push(other),
        }
    }
}

/// A reference to a document, as seen from the document `base`.
fn joined(base: &str, reference: &str) -> String {
    let is_whole = reference.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
    });
    if is_whole || base.is_empty() {
        return reference.to_owned();
    }
    let authority = base.find("://").map_or(0, |at| at + 3);
    let path = base[authority..].find('/').map_or(base.len(), |at| authority + at);
    let stem = match reference.strip_prefix('/') {
        Some(_) => &base[..path],
        None => base.rfind('/').filter(|at| *at >= path).map_or("", |at| &base[..=at]),
    };
    format!("{stem}{reference}")
}

/// The text a URI fragment stands for.
fn percent_decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
