//! Which application serves a static tool at the moment.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::{Client, Directory, RegisteredMethod, Server};

use super::absence::absence;
use super::compile::{CompiledMethod, StaticTools};
use super::config::Availability;
use crate::interop::{self, MethodTool, Target};
use crate::schema::Validators;
use crate::surface::{
    Definition, Kind, Offer, Origin, Remark, RemarkCode, Source, Stage, Tool, Withheld,
};

/// The source of static tools.
pub(crate) struct StaticSource {
    bus: Client,
    /// Where the bus is, for people.
    address: Option<String>,
    response_timeout: Duration,
    validators: Arc<Validators>,
    slots: Vec<Slot>,
}

/// A static tool and who serves it.
struct Slot {
    tool: Arc<CompiledMethod>,
    /// In the order they came.
    servers: Vec<Arc<RegisteredMethod>>,
}

impl StaticSource {
    pub(crate) fn new(
        bus: Client,
        tools: &StaticTools,
        response_timeout: Duration,
        address: Option<String>,
    ) -> Self {
        let slots = tools.methods.iter();
        let slots = slots.map(|tool| Slot { tool: Arc::clone(tool), servers: Vec::new() });
        let (slots, validators) = (slots.collect(), Arc::clone(&tools.validators));
        Self { bus, address, response_timeout, validators, slots }
    }

    fn tool(&self, tool: &CompiledMethod, target: Target, remarks: Vec<Arc<Remark>>) -> MethodTool {
        let compiled = Arc::clone(&tool.compiled);
        MethodTool {
            bus: self.bus.clone(),
            validators: Arc::clone(&self.validators),
            limit: compiled.response_timeout.unwrap_or(self.response_timeout),
            compiled,
            target,
            remarks,
        }
    }
}

impl Source for StaticSource {
    fn origin(&self) -> Origin {
        Origin::Static
    }

    fn offer(&mut self, directory: &Directory) -> Offer {
        let mut offer = Offer::default();
        for slot in &mut self.slots {
            slot.update(directory);
        }
        for Slot { tool, servers } in &self.slots {
            let mut remarks = tool.compiled.remarks.clone();
            let target = match servers.first() {
                Some(method) => {
                    let server = directory.server(&method.key.server);
                    let application =
                        server.and_then(|server| interop::application(&server.identity));
                    Target::Method { key: method.key.clone(), application }
                }
                None => {
                    let absence = absence(tool, directory, self.address.as_deref());
                    let (stage, reason, fix) = (absence.stage, absence.reason, absence.fix);
                    if tool.availability == Availability::Variable {
                        offer.withheld.push(Arc::new(absent(
                            &tool.compiled.definition,
                            stage,
                            reason,
                            fix,
                        )));
                        continue;
                    }
                    remarks.push(would_fail(stage, &reason, &fix));
                    Target::None { reason, fix }
                }
            };
            offer.tools.push(Arc::new(self.tool(tool, target, remarks)) as Arc<dyn Tool>);
        }
        offer
    }
}

impl Slot {
    /// Drops servers that are gone and adds new ones behind those that stay.
    fn update(&mut self, directory: &Directory) {
        let present: Vec<_> = directory
            .find(&self.tool.method)
            .filter(|(server, method)| self.tool.takes(server, method))
            .map(|(_, method)| method)
            .collect();
        let addresses: HashSet<_> = present.iter().map(|method| Arc::as_ptr(method)).collect();
        self.servers.retain(|method| addresses.contains(&Arc::as_ptr(method)));
        let known: HashSet<_> = self.servers.iter().map(Arc::as_ptr).collect();
        let new = present.into_iter().filter(|method| !known.contains(&Arc::as_ptr(method)));
        self.servers.extend(new.cloned());
    }
}

impl CompiledMethod {
    /// Whether a call may go to this method.
    fn takes(&self, server: &Server, method: &RegisteredMethod) -> bool {
        !method.method.flags.streaming && self.allows(server)
    }
}

/// A tool that nobody serves.
pub(super) fn absent(
    definition: &Definition,
    stage: Stage,
    reason: String,
    fix: String,
) -> Withheld {
    Withheld {
        kind: Kind::Tool,
        name: definition.name().to_string(),
        application: None,
        method: definition.method().map(str::to_owned),
        stage,
        reason,
        fix,
    }
}

/// That a call of a tool nobody serves would fail.
pub(super) fn would_fail(stage: Stage, reason: &str, fix: &str) -> Arc<Remark> {
    Arc::new(Remark {
        code: RemarkCode::NoServer,
        stage,
        reason: format!("a call would fail: {reason}"),
        fix: fix.to_owned(),
    })
}
