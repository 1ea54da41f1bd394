//! Which applications and workspaces search may offer.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use deskwire_catalog::{Application, Catalog, ContextSource, Layout};

use crate::surface::{Kind, Stage, Withheld};
use crate::text::{MAX_DESCRIPTION, clean};

/// The most of a name that is repeated, in characters.
const MAX_NAME: usize = 128;
/// The most of a guard's reason that is repeated, in characters.
const MAX_REASON: usize = 400;

/// Decides whether search may offer something. `Err` keeps it out, with the reason.
pub type SearchGuard<T> = Arc<dyn Fn(&T) -> Result<bool, String> + Send + Sync>;

/// What decides besides the definitions.
#[derive(Clone, Default)]
pub struct SearchGuards {
    /// Which applications; all without it.
    pub applications: Option<SearchGuard<Application>>,
    /// Which workspaces; all without it.
    pub workspaces: Option<SearchGuard<Layout>>,
}

impl fmt::Debug for SearchGuards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchGuards")
            .field("applications", &self.applications.is_some())
            .field("workspaces", &self.workspaces.is_some())
            .finish()
    }
}

/// What search may offer, in the order of the catalog, and what it leaves out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    /// Applications with a caption that can be given something.
    pub(crate) applications: Vec<Arc<Application>>,
    /// Workspaces with a description.
    pub(crate) workspaces: Vec<Arc<Layout>>,
    /// The others, each with its reason.
    pub(crate) left_out: Vec<Withheld>,
}

impl Candidates {
    /// Decides on everything in `catalog`.
    #[must_use]
    pub(crate) fn of(catalog: &Catalog, guards: &SearchGuards) -> Self {
        let mut candidates = Self::default();
        for application in catalog.applications() {
            let refused = || refusal(guards.applications.as_ref(), application, "searchApps");
            match why_not(application) {
                Some((reason, fix)) => candidates.left_out.push(left_out(
                    Kind::Application,
                    &application.name,
                    reason,
                    fix,
                )),
                None => match refused() {
                    Some((reason, fix)) => candidates.left_out.push(Withheld {
                        stage: Stage::Guard,
                        ..left_out(Kind::Application, &application.name, &reason, &fix)
                    }),
                    None => candidates.applications.push(Arc::clone(application)),
                },
            }
        }
        for workspace in catalog.workspaces() {
            let refused = || refusal(guards.workspaces.as_ref(), workspace, "searchWorkspaces");
            if !is_said(workspace.description.as_deref()) {
                candidates.left_out.push(left_out(
                    Kind::Workspace,
                    &workspace.name,
                    "excluded: no description, by which a model could choose it",
                    "describe the workspace in metadata.description of its layout",
                ));
            } else if let Some((reason, fix)) = refused() {
                candidates.left_out.push(Withheld {
                    stage: Stage::Guard,
                    ..left_out(Kind::Workspace, &workspace.name, &reason, &fix)
                });
            } else {
                candidates.workspaces.push(Arc::clone(workspace));
            }
        }
        candidates
    }
}

/// Why a guard keeps something out, and what would let it in.
fn refusal<T>(guard: Option<&SearchGuard<T>>, one: &T, setting: &str) -> Option<(String, String)> {
    let fix = format!("change server.tools.system.{setting}.guard");
    match guard?(one) {
        Ok(true) => None,
        Ok(false) => Some(("excluded: refused by the guard".into(), fix)),
        Err(reason) => {
            let reason = clean(&reason, MAX_REASON).text;
            Some((format!("excluded: the guard could not decide: {reason}"), fix))
        }
    }
}

/// Why search leaves an application out, and what would let it in.
fn why_not(application: &Application) -> Option<(&'static str, &'static str)> {
    if !is_said(application.caption.as_deref()) {
        return Some((
            "excluded: no caption, by which a model could choose it",
            "say what the application is for in `caption` of its definition",
        ));
    }
    if application.disabled {
        return Some(("excluded: it is disabled", "remove `disabled` from its definition"));
    }
    let interop = application.interop.as_ref()?;
    let sources = interop.context.as_ref().map_or(&[][..], |context| &context.sources);
    let shared =
        |source: &ContextSource| matches!(source, ContextSource::Global | ContextSource::Channel);
    let cannot_be_given = !sources.is_empty()
        && sources.iter().all(shared)
        && interop.methods.is_empty()
        && interop.intents.is_empty()
        && application.intents.is_empty();
    cannot_be_given.then_some((
        "excluded: it reads global and channel contexts alone, which nobody can give to it alone",
        "add another source to interop.context.sources of its definition, or a method or an intent",
    ))
}

/// Whether a text says something that can be seen.
fn is_said(text: Option<&str>) -> bool {
    text.is_some_and(|text| !clean(text, MAX_DESCRIPTION).text.is_empty())
}

/// Intents that applications say they raise, and that nobody handles. `handled` are
/// those that somebody on the bus handles now.
pub(crate) fn raised_in_vain(catalog: &Catalog, handled: &BTreeSet<String>) -> Vec<Withheld> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for application in catalog.applications() {
        for intent in application.raises.keys() {
            let taken = handled.contains(intent)
                || catalog.applications().iter().any(|other| other.handles(intent));
            if !taken && seen.insert(intent) {
                let by = Withheld {
                    application: Some(clean(&application.name, MAX_NAME).text),
                    ..left_out(
                        Kind::Intent,
                        intent,
                        "raised by this application, and handled by none",
                        "start or define an application that handles it",
                    )
                };
                found.push(Withheld { stage: Stage::Bus, ..by });
            }
        }
    }
    found
}

fn left_out(kind: Kind, name: &str, reason: &str, fix: &str) -> Withheld {
    Withheld {
        kind,
        name: clean(name, MAX_NAME).text,
        application: None,
        method: None,
        stage: Stage::Definition,
        reason: reason.into(),
        fix: fix.into(),
    }
}

#[cfg(test)]
mod tests {
    use deskwire_catalog::{SourceLabel, read_value};
    use serde_json::{Value, json};

    use super::*;

    fn catalog(records: Value) -> Catalog {
        Catalog::merge([read_value(&SourceLabel::new("apps.json"), records)])
    }

    fn app(name: &str, more: Value) -> Value {
        let mut record = json!({
            "name": name, "type": "window", "caption": "Shows things",
            "details": { "url": "http://localhost:4100/" },
        });
        for (key, value) in more.as_object().unwrap() {
            record[key] = value.clone();
        }
        record
    }

    fn context(sources: Value) -> Value {
        json!({ "interop": { "context": { "sources": sources } } })
    }

    #[test]
    fn an_application_is_a_candidate_if_a_model_can_choose_it_and_give_it_something() {
        let with_method = json!({ "interop": {
            "context": { "sources": ["global"] },
            "methods": [{ "name": "Show" }],
        } });
        for (more, reason) in [
            (json!({}), None),
            (json!({ "caption": " " }), Some("no caption")),
            (json!({ "caption": "\u{200b}" }), Some("no caption")),
            (json!({ "caption": null, "title": "Chart" }), Some("no caption")),
            (json!({ "disabled": true }), Some("disabled")),
            (json!({ "customProperties": context(json!(["global"])) }), Some("global and channel")),
            (json!({ "customProperties": context(json!(["channel", "global"])) }), Some("global")),
            (json!({ "customProperties": context(json!(["channel", "window"])) }), None),
            (json!({ "customProperties": context(json!([])) }), None),
            (json!({ "customProperties": with_method }), None),
            (
                json!({
                    "customProperties": context(json!(["channel"])),
                    "intents": [{ "name": "ShowChart" }],
                }),
                None,
            ),
        ] {
            let candidates = Candidates::of(
                &catalog(json!([app("chart", more.clone())])),
                &SearchGuards::default(),
            );
            let given = candidates.left_out.first().map(|left| left.reason.as_str());
            match reason {
                None => assert_eq!((candidates.applications.len(), given), (1, None), "{more}"),
                Some(reason) => {
                    assert!(candidates.applications.is_empty(), "{more}");
                    assert!(given.is_some_and(|given| given.contains(reason)), "{more}: {given:?}");
                }
            }
        }
    }

    #[test]
    fn each_application_without_a_caption_is_named() {
        let records = json!([
            app("one", json!({})),
            app("two", json!({ "caption": null })),
            app("three\u{202e}\n", json!({ "caption": "" })),
        ]);
        let candidates = Candidates::of(&catalog(records), &SearchGuards::default());
        assert_eq!(candidates.applications.len(), 1);
        let names: Vec<_> = candidates.left_out.iter().map(|left| left.name.as_str()).collect();
        assert_eq!(names, ["two", "three"]);
    }

    #[test]
    fn a_guard_keeps_out_what_it_refuses_and_what_it_cannot_decide() {
        let records = json!([app("one", json!({})), app("two", json!({})), app("odd", json!({}))]);
        let guard: SearchGuard<Application> = Arc::new(|app| match app.name.as_str() {
            "odd" => Err("no such field".into()),
            name => Ok(name != "two"),
        });
        let guards = SearchGuards { applications: Some(guard), workspaces: None };
        let candidates = Candidates::of(&catalog(records), &guards);
        assert_eq!(candidates.applications.len(), 1);
        let told: Vec<_> =
            candidates.left_out.iter().map(|left| (left.stage, left.reason.as_str())).collect();
        assert_eq!(
            told,
            [
                (Stage::Guard, "excluded: refused by the guard"),
                (Stage::Guard, "excluded: the guard could not decide: no such field"),
            ]
        );
    }

    #[test]
    fn a_workspace_needs_a_description() {
        let layout = |name: &str, metadata: Value| {
            json!({ "name": name, "type": "Workspace", "metadata": metadata,
                    "components": [{ "type": "Workspace", "state": { "children": [] } }] })
        };
        let candidates = Candidates::of(
            &catalog(json!({ "layouts": [
                layout("a", json!({ "description": "Morning" })),
                layout("b", json!({})),
            ] })),
            &SearchGuards::default(),
        );
        assert_eq!(candidates.workspaces.len(), 1);
        assert_eq!(candidates.left_out[0].name, "b");
        assert_eq!(candidates.left_out[0].kind, Kind::Workspace);
    }

    #[test]
    fn an_intent_that_is_raised_needs_a_handler() {
        let raising = json!({ "appId": "blotter", "title": "Blotter", "type": "web",
            "description": "Orders", "details": { "url": "http://localhost:1/" },
            "interop": { "intents": { "raises": { "ShowChart": ["fdc3.instrument"] } } } });
        let catalog = catalog(json!({ "applications": [raising] }));
        let in_vain = |handled: &[&str]| {
            let handled = handled.iter().map(|&intent| intent.to_owned()).collect();
            raised_in_vain(&catalog, &handled)
        };
        let [found] = &in_vain(&["Other"])[..] else { panic!("one intent") };
        assert_eq!((found.kind, found.name.as_str()), (Kind::Intent, "ShowChart"));
        assert_eq!(found.application.as_deref(), Some("blotter"));
        assert_eq!(in_vain(&["ShowChart"]), []);
    }
}
