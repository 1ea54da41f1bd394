//! Who handles the intent of a static tool at the moment.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::services::apps::Declared;
use deskwire_connect::services::intents::{HandlerFilter, IntentHandler, handlers};
use deskwire_connect::{Client, Directory};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::super::compile::CompiledIntent;
use super::super::config::Availability;
use super::super::source::{absent, would_fail};
use super::absence::absence;
use super::tool::{Handled, IntentTool};
use crate::Config;
use crate::schema::Validators;
use crate::surface::{Offer, Origin, Source, Tool};

/// The source of static tools that raise intents.
pub(crate) struct IntentSource {
    bus: Client,
    /// Where the bus is, for people.
    address: Option<String>,
    response_timeout: Duration,
    intent_timeout: Duration,
    validators: Arc<Validators>,
    tools: Vec<Arc<CompiledIntent>>,
    /// What applications are defined to handle; not followed for nothing.
    declared: Option<watch::Receiver<Declared>>,
}

impl IntentSource {
    /// # Panics
    /// Outside a tokio runtime.
    pub(crate) fn new(bus: Client, config: &Config) -> Self {
        let tools = config.static_tools.intents.clone();
        let declared = (!tools.is_empty()).then(|| bus.apps().follow_intents());
        Self {
            bus,
            address: config.bus_address.clone(),
            response_timeout: config.response_timeout,
            intent_timeout: config.intent_timeout,
            validators: Arc::clone(&config.static_tools.validators),
            tools,
            declared,
        }
    }
}

impl Source for IntentSource {
    fn origin(&self) -> Origin {
        Origin::Static
    }

    fn nudges(&self) -> BoxStream<'static, ()> {
        match &self.declared {
            Some(declared) => WatchStream::from_changes(declared.clone()).map(drop).boxed(),
            None => futures_util::stream::pending().boxed(),
        }
    }

    fn offer(&mut self, directory: &Directory) -> Offer {
        let mut offer = Offer::default();
        let Some(declared) = &self.declared else { return offer };
        let declared = declared.borrow().clone();
        let all = handlers(directory, declared.applications());
        for tool in &self.tools {
            let mut remarks = tool.compiled.remarks.clone();
            let handled = match handled(tool, &all) {
                Some(handled) => handled,
                None => {
                    let absence =
                        absence(tool, directory, &declared, &all, self.address.as_deref());
                    let (stage, reason, fix) = (absence.stage, absence.reason, absence.fix);
                    if tool.availability == Availability::Variable {
                        let definition = &tool.compiled.definition;
                        offer.withheld.push(Arc::new(absent(definition, stage, reason, fix)));
                        continue;
                    }
                    remarks.push(would_fail(stage, &reason, &fix));
                    Handled::ByNobody { reason, fix }
                }
            };
            offer.tools.push(Arc::new(IntentTool {
                bus: self.bus.clone(),
                validators: Arc::clone(&self.validators),
                limit: tool.compiled.response_timeout.unwrap_or(self.response_timeout),
                deliver_within: self.intent_timeout,
                tool: Arc::clone(tool),
                handled,
                remarks,
            }) as Arc<dyn Tool>);
        }
        offer
    }
}

/// Whether somebody handles the intent of a tool.
fn handled(tool: &CompiledIntent, all: &[IntentHandler]) -> Option<Handled> {
    let filter = HandlerFilter {
        applications: tool.allowed.clone(),
        ..HandlerFilter::of(tool.intent.clone())
    };
    let mut fitting = all.iter().filter(|handler| filter.admits(handler)).peekable();
    fitting.peek()?;
    let context_type = fitting.find_map(|handler| handler.context_types.first().cloned());
    Some(Handled::ByApplications { context_type })
}
