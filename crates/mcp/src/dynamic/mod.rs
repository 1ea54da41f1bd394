//! Tools that applications register: methods with the flag `ioIntelMCPTool`.
//!
//! What a method comes to (a tool, or a reason) is worked out once for each
//! registration and kept by its `Arc`, so a change of the bus costs what
//! changed. Several servers of one identical method are one tool: the first
//! that registered it is called, and the next takes over when it leaves.

mod compile;
mod flag;
mod guard;
mod near_miss;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::{Identity, shown_name};
use deskwire_connect::{Client, Directory, MethodKey, RegisteredMethod};

pub(crate) use guard::message as panic_message;
pub use guard::{Guard, MethodView, ServerView};

use crate::interop::{Compiled, MethodTool, Target};
use crate::schema::Validators;
use crate::surface::{Kind, Offer, Origin, Source, Stage, Tool, Withheld};
use compile::{Outcome, compile};

/// How methods become tools.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) enabled: bool,
    pub(crate) guard: Option<Guard>,
    pub(crate) response_timeout: Duration,
}

/// The source of dynamic tools.
pub(crate) struct DynamicSource {
    bus: Client,
    methods: Methods,
}

impl DynamicSource {
    pub(crate) fn new(bus: Client, settings: Settings) -> Self {
        Self { bus, methods: Methods::new(settings) }
    }
}

impl Source for DynamicSource {
    fn origin(&self) -> Origin {
        Origin::Dynamic
    }

    fn offer(&mut self, directory: &Directory) -> Offer {
        let methods = directory
            .servers()
            .flat_map(|server| server.methods().map(move |method| (&server.identity, method)));
        let Published { tools, withheld } = self.methods.publish(methods);
        let tools = tools.into_iter().map(|Bound { compiled, key }| {
            let application = compiled.definition.application().map(str::to_owned);
            let default = self.methods.settings.response_timeout;
            Arc::new(MethodTool {
                bus: self.bus.clone(),
                validators: Arc::clone(&self.methods.validators),
                target: Target::Method { key, application },
                limit: compiled.response_timeout.unwrap_or(default),
                remarks: compiled.remarks.clone(),
                compiled,
            }) as Arc<dyn Tool>
        });
        Offer { tools: tools.collect(), withheld }
    }
}

/// The methods on the bus, and what each came to.
struct Methods {
    settings: Settings,
    validators: Arc<Validators>,
    /// By the address of the registration.
    known: HashMap<usize, Known>,
    registrations: u64,
}

struct Known {
    /// Keeps the address from being used again.
    method: Arc<RegisteredMethod>,
    /// Counts registrations in the order they were seen.
    number: u64,
    outcome: Outcome,
}

/// A tool and the method that is called for it.
struct Bound {
    compiled: Arc<Compiled>,
    key: MethodKey,
}

#[derive(Default)]
struct Published {
    tools: Vec<Bound>,
    withheld: Vec<Arc<Withheld>>,
}

impl Methods {
    fn new(settings: Settings) -> Self {
        let validators = Arc::default();
        Self { settings, validators, known: HashMap::new(), registrations: 0 }
    }

    /// What the methods on the bus come to. New ones are compiled, those that
    /// are gone forgotten.
    fn publish<'a>(
        &mut self,
        methods: impl Iterator<Item = (&'a Identity, &'a Arc<RegisteredMethod>)>,
    ) -> Published {
        let mut present = HashSet::new();
        for (server, method) in methods {
            let address = Arc::as_ptr(method).addr();
            present.insert(address);
            self.known.entry(address).or_insert_with(|| {
                self.registrations += 1;
                Known {
                    method: Arc::clone(method),
                    number: self.registrations,
                    outcome: compile(&self.settings, server, method),
                }
            });
        }
        self.known.retain(|address, _| present.contains(address));
        let known = self.known.values().filter(|it| !matches!(it.outcome, Outcome::NoTool));
        let mut known: Vec<_> = known.collect();
        known.sort_unstable_by_key(|known| known.number);
        arrange(&known)
    }
}

/// Gives each name to the first registration that has it.
fn arrange(known: &[&Known]) -> Published {
    let mut published = Published::default();
    let mut holders: HashMap<&str, (&Compiled, u64)> = HashMap::new();
    for Known { method, outcome, .. } in known {
        let (compiled, same_as) = match outcome {
            Outcome::Tool { compiled, same_as } => (compiled, *same_as),
            Outcome::Withheld(withheld) => {
                published.withheld.push(Arc::clone(withheld));
                continue;
            }
            Outcome::NoTool => continue,
        };
        match holders.get(&**compiled.definition.name()) {
            None => {
                holders.insert(compiled.definition.name(), (compiled, same_as));
                let key = method.key.clone();
                published.tools.push(Bound { compiled: Arc::clone(compiled), key });
            }
            Some((_, holder)) if *holder == same_as => {}
            Some((holder, _)) => {
                published.withheld.push(Arc::new(clash(compiled, method, holder)));
            }
        }
    }
    published
}

fn clash(compiled: &Compiled, method: &RegisteredMethod, holder: &Compiled) -> Withheld {
    let application = holder.definition.application().unwrap_or("another application");
    Withheld {
        kind: Kind::Tool,
        name: compiled.definition.name().to_string(),
        application: compiled.definition.application().map(str::to_owned),
        method: Some(shown_name(&method.method.name)),
        stage: Stage::Definition,
        reason: format!("a different tool of {application} has this name already"),
        fix: "give one of the two another name".into(),
    }
}

#[cfg(test)]
mod tests;
