//! The in-memory store: applications that others register at run time. Pure.

use std::collections::VecDeque;
use std::sync::Arc;

use deskwire_catalog::{
    AllowedNames, Application, Code, Diagnostic, Read, Severity, SourceLabel, read_value,
};
use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::limits::Limits;

/// What an import does with applications that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// They go. An import of which nothing is taken changes nothing.
    Replace,
    /// They stay, unless the import has one of their name.
    Merge,
}

impl ImportMode {
    /// Reads a mode as clients write it; `replace` where they write none.
    pub(crate) fn parse(mode: Option<&str>) -> Option<Self> {
        match mode {
            None | Some("replace") => Some(Self::Replace),
            Some("merge") => Some(Self::Merge),
            Some(_) => None,
        }
    }
}

/// What became of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Names that were taken.
    pub imported: Vec<String>,
    /// Definitions that were not, by name, and why.
    pub errors: Vec<(String, String)>,
}

/// Applications registered at run time.
#[derive(Debug)]
pub(super) struct Memory {
    allowed: Vec<AllowedNames>,
    applications: IndexMap<String, Arc<Application>>,
    /// Names that `allowedApps` refused last, and why.
    refused: VecDeque<(String, String)>,
    label: SourceLabel,
}

impl Memory {
    /// One list of names for each store that is configured.
    pub(super) fn new(allowed: Vec<AllowedNames>) -> Self {
        Self {
            allowed,
            applications: IndexMap::new(),
            refused: VecDeque::new(),
            label: SourceLabel::new("in-memory"),
        }
    }

    /// Takes what may be taken. `holder` says where a name is defined already, outside
    /// of this store.
    pub(super) fn import(
        &mut self,
        definitions: Vec<Value>,
        mode: ImportMode,
        holder: impl Fn(&str) -> Option<String>,
        limits: &Limits,
    ) -> Imported {
        let mut imported = Imported::default();
        let empty = definitions.is_empty();
        let mut taken: IndexMap<String, Arc<Application>> = match mode {
            ImportMode::Merge => self.applications.clone(),
            ImportMode::Replace => IndexMap::new(),
        };
        for (index, definition) in definitions.into_iter().enumerate() {
            let name = name_of(&definition, index);
            match self.judge(definition, &name, &holder, limits) {
                Ok(application) => {
                    let known = taken.contains_key(&application.name);
                    if !known && taken.len() >= limits.memory_applications {
                        let reason = format!(
                            "the in-memory store is full: it takes {} applications",
                            limits.memory_applications
                        );
                        imported.errors.push((name, reason));
                        continue;
                    }
                    self.refused.retain(|(refused, _)| *refused != application.name);
                    imported.imported.push(application.name.clone());
                    taken.insert(application.name.clone(), application);
                }
                Err(reason) => imported.errors.push((name, reason)),
            }
        }
        if empty || !imported.imported.is_empty() {
            self.applications = taken;
        }
        imported
    }

    /// Removes applications by name; those that were there.
    pub(super) fn remove(&mut self, names: &[String]) -> Vec<String> {
        let was_there = |name: &&String| self.applications.shift_remove(name.as_str()).is_some();
        names.iter().filter(was_there).cloned().collect()
    }

    /// Removes them all.
    pub(super) fn clear(&mut self) {
        self.applications.clear();
    }

    /// Whether it holds an application.
    pub(super) fn has(&self, name: &str) -> bool {
        self.applications.contains_key(name)
    }

    /// The definitions, in order of their coming.
    pub(super) fn export(&self) -> Vec<Value> {
        self.applications.values().map(|application| Value::clone(&application.raw)).collect()
    }

    /// The store as a source of a catalog.
    pub(super) fn read(&self) -> Read {
        let mut read = Read::empty(self.label.clone());
        read.applications = self.applications.values().cloned().collect();
        read.diagnostics = self
            .refused
            .iter()
            .map(|(name, reason)| Diagnostic {
                code: Code::AppNotAllowed,
                severity: Code::AppNotAllowed.severity(),
                source: self.label.clone(),
                line: None,
                record: None,
                field: None,
                message: format!("`{name}` was not registered: {reason}"),
            })
            .collect();
        read
    }

    fn judge(
        &mut self,
        definition: Value,
        name: &str,
        holder: &impl Fn(&str) -> Option<String>,
        limits: &Limits,
    ) -> Result<Arc<Application>, String> {
        let bytes = definition.to_string().len();
        if bytes > limits.memory_definition_bytes {
            return Err(format!(
                "the definition has {bytes} bytes; at most {} are taken",
                limits.memory_definition_bytes
            ));
        }
        let read = read_value(&self.label, json!([definition]));
        let fault = read.diagnostics.iter().find(|one| one.severity == Severity::Error);
        let application = match (read.applications.first(), fault) {
            (Some(application), None) => application.clone(),
            (_, Some(fault)) => return Err(in_words(fault)),
            (None, None) => return Err("it is no definition of an application".into()),
        };
        if let Err(reason) = self.allows(&application.name) {
            self.remember(&application.name, &reason, limits);
            return Err(reason);
        }
        if let Some(place) = holder(&application.name) {
            return Err(format!("`{name}` is defined in {place} already; choose another name"));
        }
        Ok(application)
    }

    fn allows(&self, name: &str) -> Result<(), String> {
        if self.allowed.is_empty() {
            return Err("no in-memory store is configured; add \
                        {\"type\": \"in-memory\", \"details\": {\"allowedApps\": […]}} to `appStores`"
                .into());
        }
        if self.allowed.iter().any(|allowed| allowed.allows(name)) {
            return Ok(());
        }
        Err(format!(
            "the name `{name}` is not among the `allowedApps` of the in-memory store; add it \
             there, in `appStores`"
        ))
    }

    fn remember(&mut self, name: &str, reason: &str, limits: &Limits) {
        self.refused.retain(|(refused, _)| refused != name);
        self.refused.push_back((name.to_owned(), reason.to_owned()));
        while self.refused.len() > limits.remembered_refusals {
            self.refused.pop_front();
        }
    }
}

/// The name a definition gives itself, to be told by, or its place.
fn name_of(definition: &Value, index: usize) -> String {
    let own = ["name", "appId"].iter().find_map(|key| definition.get(key)?.as_str());
    own.map_or_else(
        || format!("application {}", index + 1),
        |name| name.chars().take(256).collect(),
    )
}

fn in_words(fault: &Diagnostic) -> String {
    match &fault.field {
        Some(field) => format!("{field}: {}", fault.message),
        None => fault.message.clone(),
    }
}
