//! What a search tells its client: what fits, in words and as data, and what to do
//! next. Bounded, whatever definitions hold.

use std::sync::Arc;

use deskwire_catalog::{Application, Layout};
use deskwire_wire::shown_name;
use serde_json::{Map, Value, json};

use super::searchable::{Searchable, What};
use super::tidy::{tidy, without_schemas};
use crate::text::{MAX_DESCRIPTION, MAX_TITLE, clean};

/// Bytes of all applications in an answer.
const MAX_BYTES: usize = 44_000;
/// Bytes of what one application says of its methods, contexts and intents.
const MAX_INTEROP: usize = 10_000;
/// Bytes of the schema of a workspace's context.
const MAX_SCHEMA: usize = 20_000;
/// Other workspaces that a summary names.
const MAX_NAMED: usize = 4;

/// What fits a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// Applications that fit by themselves, best first.
    pub(crate) applications: Vec<Arc<Application>>,
    /// Applications that belong together in one workspace.
    pub(crate) together: Vec<Arc<Application>>,
    /// Saved workspaces, best first; an answer holds one.
    pub(crate) workspaces: Vec<Arc<Layout>>,
    /// How many more fit and are left out.
    pub(crate) more: usize,
}

impl Found {
    /// Applications by their places among the candidates.
    pub(super) fn applications(
        of: &Searchable,
        places: &[usize],
        together: &[usize],
        more: usize,
    ) -> Self {
        let alone = places.iter().filter(|place| !together.contains(place));
        let take = |place: &usize| of.applications.get(*place).cloned();
        Self {
            applications: alone.filter_map(take).collect(),
            together: together.iter().filter_map(take).collect(),
            more,
            ..Self::default()
        }
    }

    /// Workspaces by their places among the candidates.
    pub(super) fn workspaces(of: &Searchable, places: &[usize], more: usize) -> Self {
        let workspaces = places.iter().filter_map(|place| of.workspaces.get(*place).cloned());
        Self { workspaces: workspaces.collect(), more, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.applications.is_empty() && self.together.is_empty() && self.workspaces.is_empty()
    }
}

/// How something was found, or why nothing was.
#[derive(Debug, Clone)]
pub(crate) enum Summary {
    /// By words, among so many candidates.
    ByWords {
        /// The candidates.
        among: usize,
    },
    /// By a model; its words, and how many candidates it was not shown.
    ByModel {
        /// What it says.
        words: Option<String>,
        /// How many it was not shown.
        unseen: usize,
    },
    /// Not at all.
    Failed {
        /// Why.
        reason: String,
    },
}

/// Which tools the client can use next, by the names it sees.
#[derive(Debug, Clone)]
pub(crate) struct NextSteps {
    /// The tool that starts applications, or why there is none for this client.
    pub(crate) start_applications: Result<String, String>,
    /// The tool that opens workspaces, or why there is none for this client.
    pub(crate) start_workspace: Result<String, String>,
    /// The other search, if the client sees it.
    pub(crate) other_search: Option<String>,
}

/// The answer of a search, as its output schema says.
pub(crate) fn answer(what: What, found: &Found, summary: &Summary, next: &NextSteps) -> Value {
    let mut left = MAX_BYTES;
    let mut more = found.more;
    let mut infos = |applications: &[Arc<Application>]| -> Vec<Value> {
        let infos: Vec<_> =
            applications.iter().filter_map(|application| info(application, &mut left)).collect();
        more += applications.len() - infos.len();
        infos
    };
    let together = infos(&found.together);
    let alone = infos(&found.applications);
    let mut by = Map::new();
    match what {
        What::Applications => {
            if !together.is_empty() {
                by.insert("workspace".into(), json!({ "apps": together }));
            }
            if !alone.is_empty() {
                by.insert("apps".into(), alone.into());
            }
        }
        What::Workspaces => {
            if let Some(workspace) = found.workspaces.first() {
                by.insert("workspace".into(), workspace_info(workspace));
            }
        }
    }
    let summary = in_words(what, found, summary, more);
    json!({
        "canSatisfyUserIntent": !by.is_empty(),
        "summary": summary,
        "nextSteps": next_steps(what, found, next),
        "willSatisfyUserIntentBy": by,
    })
}

/// An application, with as much of its `interop` as there is room for; nothing where
/// there is no room at all.
fn info(application: &Application, left: &mut usize) -> Option<Value> {
    let caption = application.caption.as_deref().unwrap_or_default();
    let mut info = json!({ "name": application.name });
    if application.title != application.name {
        info["title"] = clean(&application.title, MAX_TITLE).text.into();
    }
    info["caption"] = clean(caption, MAX_DESCRIPTION).text.into();
    info["includeInWorkspaces"] = application.include_in_workspaces.into();
    let plain = info.to_string().len();
    let room = left.checked_sub(plain)?;
    *left = room;
    let interop = application.interop_raw().filter(|interop| interop.is_object()).map(tidy);
    if let Some(interop) = interop {
        let bare = without_schemas(&interop);
        let fitting = [interop, bare]
            .into_iter()
            .map(|interop| (interop.to_string().len(), interop))
            .find(|(bytes, _)| *bytes <= MAX_INTEROP.min(room));
        if let Some((bytes, interop)) = fitting {
            *left -= bytes;
            info["interop"] = interop;
        }
    }
    Some(info)
}

fn workspace_info(workspace: &Layout) -> Value {
    let schema = workspace.context_schema.as_ref().map(tidy);
    let schema =
        schema.filter(|schema| schema.is_object() && schema.to_string().len() <= MAX_SCHEMA);
    json!({
        "name": workspace.name,
        "description":
            clean(workspace.description.as_deref().unwrap_or_default(), MAX_DESCRIPTION).text,
        "contextSchema": schema.unwrap_or_else(|| json!({})),
    })
}

fn in_words(what: What, found: &Found, summary: &Summary, more: usize) -> String {
    let things = match what {
        What::Applications => "applications",
        What::Workspaces => "saved workspaces",
    };
    let fits = names(what, found);
    let mut text = match summary {
        Summary::Failed { reason } => return format!("Nothing was found: {reason}."),
        Summary::ByWords { among } if found.is_empty() => {
            format!("None of the {among} {things} fits by its words.")
        }
        Summary::ByWords { .. } => format!("These {things} fit by their words: {fits}."),
        Summary::ByModel { words: Some(words), .. } => words.clone(),
        Summary::ByModel { words: None, .. } if found.is_empty() => {
            format!("None of the {things} fits.")
        }
        Summary::ByModel { words: None, .. } => format!("These {things} fit: {fits}."),
    };
    if let Summary::ByModel { unseen, .. } = summary
        && *unseen > 0
    {
        text += &format!(" {unseen} {things} that share fewer words with it were left out before.");
    }
    if more > 0 {
        text +=
            &format!(" {more} more fit and are left out here; say more precisely what is wanted.");
    }
    text
}

fn names(what: What, found: &Found) -> String {
    let names: Vec<_> = match what {
        What::Applications => {
            let all = found.together.iter().chain(&found.applications);
            all.map(|application| shown_name(&application.title)).collect()
        }
        What::Workspaces => {
            found.workspaces.iter().take(MAX_NAMED).map(|it| shown_name(&it.name)).collect()
        }
    };
    names.join(", ")
}

fn next_steps(what: What, found: &Found, next: &NextSteps) -> String {
    if found.is_empty() {
        let other = match (what, &next.other_search) {
            (What::Applications, Some(other)) => {
                format!(" Or call `{other}` for a workspace that was saved for such a task.")
            }
            (What::Workspaces, Some(other)) => {
                format!(" Or call `{other}` for single applications.")
            }
            (_, None) => String::new(),
        };
        return format!(
            "Search again with other words for what the person wants to do, or tell the person that \
             the desktop has nothing for it.{other}"
        );
    }
    let mut steps = Vec::new();
    let without = |what: &str, reason: &str| {
        format!(
            "There is no tool to {what} for this client: {reason}. Tell the person what fits, so that \
             they open it themselves."
        )
    };
    if !found.workspaces.is_empty() {
        steps.push(match &next.start_workspace {
            Ok(tool) => format!(
                "Call `{tool}` with the name of the workspace, and a context that fits its contextSchema, \
                 filled with what the person said."
            ),
            Err(reason) => without("open workspaces", reason),
        });
    }
    if !found.together.is_empty() {
        steps.push(match &next.start_workspace {
            Ok(tool) => format!("Call `{tool}` with workspace.apps to open those side by side."),
            Err(reason) => without("open workspaces", reason),
        });
    }
    if !found.applications.is_empty() {
        steps.push(match &next.start_applications {
            Ok(tool) => format!(
                "Call `{tool}` with the names of those of `apps` that the person wants. Give each what \
                 interop.context, interop.methods or interop.intents describe, filled with what the \
                 person said."
            ),
            Err(reason) => without("start applications", reason),
        });
    }
    steps.join(" ")
}
