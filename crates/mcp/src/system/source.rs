//! Which system tools there are at the moment, and why others are not.

use std::collections::BTreeSet;
use std::sync::Arc;

use deskwire_connect::services::intents::handlers;
use deskwire_connect::{Client, Directory};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use rmcp::model::ToolAnnotations;
use tokio_stream::wrappers::WatchStream;

use super::roles::{DEFINITIONS_API, Role, WORKSPACES_API};
use super::schemas::schemas;
use super::search::{Names, SearchTool};
use super::settings::{Matching, SystemTools};
use crate::interop::{Compiled, InputSide, OutputSide};
use crate::profile::Needs;
use crate::schema::{Validators, read_value};
use crate::search::{DefinitionsFeed, Searchable, follow, raised_in_vain};
use crate::surface::{Definition, Kind, Offer, Origin, Source, Stage, Tool, Withheld};

/// The source of system tools.
pub(crate) struct SystemSource {
    settings: SystemTools,
    definitions: DefinitionsFeed,
    validators: Arc<Validators>,
    names: Arc<Names>,
    slots: Vec<Slot>,
    /// Made once for each revision of the definitions.
    searchable: Option<(u64, Arc<Searchable>)>,
    /// Made once for each revision, and each set of intents that are handled.
    in_vain: Option<(u64, BTreeSet<String>, Vec<Arc<Withheld>>)>,
}

/// A tool that may be there.
struct Slot {
    role: Role,
    /// What it looks like, or why it cannot be there at all.
    compiled: Result<Arc<Compiled>, Arc<Withheld>>,
}

impl SystemSource {
    /// # Panics
    /// Outside a tokio runtime.
    pub(crate) fn new(bus: &Client, settings: &SystemTools) -> Self {
        let name = |role| settings.name(role).to_owned();
        let slot = |role| Slot { role, compiled: compile(role, settings).map(Arc::new) };
        Self {
            definitions: settings.definitions.clone().unwrap_or_else(|| follow(bus)),
            names: Arc::new(Names {
                search_applications: name(Role::SearchApplications),
                search_workspaces: name(Role::SearchWorkspaces),
                start_applications: name(Role::StartApplications),
                start_workspace: name(Role::StartWorkspace),
            }),
            slots: Role::ALL.into_iter().map(slot).collect(),
            settings: settings.clone(),
            validators: Arc::default(),
            searchable: None,
            in_vain: None,
        }
    }

    /// What may be searched now, and why the rest may not.
    fn searchable(&mut self, directory: &Directory) -> (Arc<Searchable>, Vec<Arc<Withheld>>) {
        let definitions = self.definitions.borrow_and_update().clone();
        let revision = definitions.revision;
        let searchable = match &self.searchable {
            Some((of, searchable)) if *of == revision => Arc::clone(searchable),
            _ => {
                let catalog = definitions.catalog.as_ref();
                let searchable = Arc::new(Searchable::of(catalog, &self.settings.guards));
                self.searchable = Some((revision, Arc::clone(&searchable)));
                searchable
            }
        };
        let handled: BTreeSet<_> =
            handlers(directory, &[]).into_iter().map(|handler| handler.intent).collect();
        let known = self.in_vain.take().filter(|(of, by, _)| *of == revision && *by == handled);
        let (_, _, in_vain) = self.in_vain.insert(known.unwrap_or_else(|| {
            let found = definitions.catalog.map(|it| raised_in_vain(&it, &handled));
            let found = found.into_iter().flatten().map(Arc::new).collect();
            (revision, handled, found)
        }));
        let left_out = searchable.left_out.iter().chain(&*in_vain).cloned().collect();
        (searchable, left_out)
    }
}

impl Source for SystemSource {
    fn origin(&self) -> Origin {
        Origin::System
    }

    fn nudges(&self) -> BoxStream<'static, ()> {
        WatchStream::from_changes(self.definitions.clone()).map(drop).boxed()
    }

    fn offer(&mut self, directory: &Directory) -> Offer {
        let (searchable, withheld) = self.searchable(directory);
        let mut offer = Offer { tools: Vec::new(), withheld };
        let expects_definitions = directory.find(DEFINITIONS_API).next().is_some();
        let has_workspaces = directory.find(WORKSPACES_API).next().is_some();
        for Slot { role, compiled } in &self.slots {
            let compiled = match compiled {
                Ok(compiled) => compiled,
                Err(withheld) => {
                    offer.withheld.push(Arc::clone(withheld));
                    continue;
                }
            };
            if role.needs_workspaces() && !has_workspaces {
                offer.withheld.push(Arc::new(missing(
                    *role,
                    &self.settings,
                    Stage::Bus,
                    format!("nobody on the bus has workspaces (`{WORKSPACES_API}`)"),
                    "start a desktop that has them (`deskwire up`), or connect this server to its bus",
                )));
                continue;
            }
            offer.tools.push(Arc::new(SearchTool {
                role: *role,
                matching: self.settings.matching(*role).unwrap_or_default(),
                compiled: Arc::clone(compiled),
                validators: Arc::clone(&self.validators),
                searchable: Arc::clone(&searchable),
                expects_definitions,
                names: Arc::clone(&self.names),
            }) as Arc<dyn Tool>);
        }
        offer
    }
}

/// What a tool looks like, or why it cannot be there whatever is on the bus.
fn compile(role: Role, settings: &SystemTools) -> Result<Compiled, Arc<Withheld>> {
    let no = |stage, reason: String, fix: &str| {
        Err(Arc::new(missing(role, settings, stage, reason, fix)))
    };
    let field = format!("server.tools.system.{}", role.field());
    if !settings.tool(role).enabled {
        return no(
            Stage::Configuration,
            "it is switched off".into(),
            &format!("set {field}.enabled to true"),
        );
    }
    let Some((input, output)) = schemas(role).filter(|_| role.is_built()) else {
        let reason = "not built yet: this version of the server does not have it";
        return no(Stage::Build, reason.into(), "use what is there; a later version will have it");
    };
    if settings.matching(role) == Some(Matching::Model) {
        let reason =
            "not built yet: this version of the server has no model of its own to match with";
        return no(
            Stage::Build,
            reason.into(),
            &format!("set {field}.matching to lexical, sampling or auto"),
        );
    }
    // Both are written here, so what is wrong with them shows in the tests.
    let input = match InputSide::new(read_value(&input)) {
        Ok(input) => input,
        Err(error) => return no(Stage::Schema, error.to_string(), error.fix()),
    };
    let output = OutputSide::new(read_value(&output));
    let mut tool = rmcp::model::Tool::new(
        settings.name(role).to_owned(),
        settings.description(role),
        input.published.schema,
    );
    tool.output_schema = output.published.map(|published| published.schema);
    tool.annotations =
        Some(ToolAnnotations::new().read_only(true).idempotent(true).open_world(false));
    let needs = settings.matching(role).map_or(Needs::NOTHING, Role::needs);
    Ok(Compiled {
        definition: Definition::new(tool, needs),
        input: input.enforced,
        output: output.output,
        response_timeout: None,
        remarks: Vec::new(),
    })
}

fn missing(
    role: Role,
    settings: &SystemTools,
    stage: Stage,
    reason: String,
    fix: &str,
) -> Withheld {
    Withheld {
        kind: Kind::Tool,
        name: settings.name(role).to_owned(),
        application: None,
        method: None,
        stage,
        reason,
        fix: fix.to_owned(),
    }
}
