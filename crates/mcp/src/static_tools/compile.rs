//! From the configuration to tools, or to what is wrong with it.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use deskwire_connect::Server;
use deskwire_connect::services::intents;
use rmcp::model::ToolAnnotations;
use serde_json::Value;

use super::config::{
    Availability, ResolutionStrategy, StaticIntent, StaticMethod, StaticToolConfig,
    StaticToolsConfig,
};
use crate::interop::{self, Compiled, InputSide, Looks, OutputSide, Remarks, Unfit};
use crate::names;
use crate::schema::{Validators, read_value};
use crate::surface::{RemarkCode, Stage};
use crate::text::{self, MAX_TITLE};

/// Longest description in characters. The operator's own words are not cut off.
use crate::text::MAX_OPERATORS_DESCRIPTION as MAX_DESCRIPTION;
/// Where static tools stand in the configuration.
const METHODS: &str = "server.tools.static.methods";
const INTENTS: &str = "server.tools.static.intents";

/// Static tools that can be published: the checked form of a
/// [`StaticToolsConfig`]. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct StaticTools {
    pub(super) methods: Vec<Arc<CompiledMethod>>,
    pub(super) intents: Vec<Arc<CompiledIntent>>,
    pub(super) validators: Arc<Validators>,
}

/// A static tool and the method it invokes.
#[derive(Debug)]
pub(super) struct CompiledMethod {
    pub(super) availability: Availability,
    pub(super) compiled: Arc<Compiled>,
    pub(super) method: String,
    pub(super) allowed: Option<Vec<String>>,
    /// Where it stands in the configuration.
    pub(super) path: String,
}

/// A static tool and the intent it raises.
#[derive(Debug)]
pub(super) struct CompiledIntent {
    pub(super) availability: Availability,
    pub(super) compiled: Arc<Compiled>,
    pub(super) intent: String,
    pub(super) strategy: ResolutionStrategy,
    pub(super) allowed: Option<Vec<String>>,
    /// Where it stands in the configuration.
    pub(super) path: String,
}

/// Something that is wrong with a static tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StaticFault {
    /// The list in the configuration, such as `server.tools.static.methods`.
    pub list: &'static str,
    /// Index in the list.
    pub index: usize,
    /// The field in the entry, such as `config.inputSchema`.
    pub field: &'static str,
    /// What is wrong.
    pub reason: String,
    /// What would be right.
    pub fix: String,
}

/// Static tools that cannot be published; everything that is wrong with them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .faults.iter().map(StaticFault::to_string).collect::<Vec<_>>().join("\n"))]
pub struct InvalidStaticTools {
    /// What is wrong, in the order of the configuration.
    pub faults: Vec<StaticFault>,
}

impl StaticFault {
    /// The field of the configuration that is at fault.
    #[must_use]
    pub fn path(&self) -> String {
        let Self { list, index, field, .. } = self;
        format!("{list}[{index}].{field}")
    }
}

impl fmt::Display for StaticFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.path(), self.reason, self.fix)
    }
}

impl StaticTools {
    /// Checks the tools of a configuration and makes them ready to be served.
    ///
    /// # Errors
    /// When a name, a description, a schema, a time limit or a list of
    /// applications is of no use; all that is wrong is told at once. An output
    /// schema that is valid but cannot be shown to clients is no error: the tool
    /// is published without it, and with a remark.
    pub fn new(config: &StaticToolsConfig) -> Result<Self, InvalidStaticTools> {
        let mut tools = Self::default();
        let mut faults = Vec::new();
        let mut holders: HashMap<&str, String> = HashMap::new();
        let methods = config.methods.iter().map(|method| &*method.name);
        let intents = config.intents.iter().map(|intent| &*intent.name);
        let places = (0..config.methods.len()).map(|at| (METHODS, at));
        let places = places.chain((0..config.intents.len()).map(|at| (INTENTS, at)));
        for ((list, index), name) in places.zip(methods.chain(intents)) {
            let mut compiler = Compiler { list, index, faults: &mut faults };
            match holders.get(name) {
                Some(holder) => {
                    let reason = format!("{holder} has the name `{name}` already");
                    compiler.fault("name", reason, "give one of the two another name");
                }
                None => {
                    holders.insert(name, compiler.path());
                }
            }
            if list == METHODS {
                let method = compiler.method(&config.methods[index]);
                tools.methods.extend(method.map(Arc::new));
            } else {
                let intent = compiler.intent(&config.intents[index]);
                tools.intents.extend(intent.map(Arc::new));
            }
        }
        if faults.is_empty() { Ok(tools) } else { Err(InvalidStaticTools { faults }) }
    }

    /// Number of tools.
    #[must_use]
    pub fn len(&self) -> usize {
        self.methods.len() + self.intents.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl CompiledMethod {
    /// Whether a call may go to this server.
    pub(super) fn allows(&self, server: &Server) -> bool {
        allows(self.allowed.as_deref(), server)
    }
}

impl CompiledIntent {
    /// Whether this server may handle it.
    pub(super) fn allows(&self, server: &Server) -> bool {
        allows(self.allowed.as_deref(), server)
    }
}

/// Whether a list of applications, if there is one, has that of a server.
fn allows(allowed: Option<&[String]>, server: &Server) -> bool {
    let Some(allowed) = allowed else { return true };
    let application = server.identity.application();
    application.is_some_and(|application| allowed.iter().any(|name| name == application))
}

/// Compiles one entry of a list.
struct Compiler<'a> {
    list: &'static str,
    index: usize,
    faults: &'a mut Vec<StaticFault>,
}

impl Compiler<'_> {
    /// The tool, unless a fault was found on the way.
    fn method(&mut self, tool: &StaticMethod) -> Option<CompiledMethod> {
        let StaticMethod { availability, name, config, interop } = tool;
        let on_bus = interop.method_name.clone();
        let compiled = self.tool(name, config, on_bus, interop.response_timeout_ms);
        if interop.method_name.trim().is_empty() {
            let fix = "name the method that applications register";
            self.fault("interop.methodName", "it is blank", fix);
        }
        self.allowed(interop.allowed_applications.as_deref());
        Some(CompiledMethod {
            availability: *availability,
            compiled: Arc::new(compiled?),
            method: interop.method_name.clone(),
            allowed: interop.allowed_applications.clone(),
            path: self.path(),
        })
    }

    /// The tool, unless a fault was found on the way.
    fn intent(&mut self, tool: &StaticIntent) -> Option<CompiledIntent> {
        let StaticIntent { availability, name, config, interop } = tool;
        let on_bus = intents::method_name(&interop.intent_name);
        let compiled = self.tool(name, config, on_bus, interop.response_timeout_ms);
        if interop.intent_name.trim().is_empty() {
            let fix = "name the intent that applications handle";
            self.fault("interop.intentName", "it is blank", fix);
        }
        self.allowed(interop.allowed_applications.as_deref());
        Some(CompiledIntent {
            availability: *availability,
            compiled: Arc::new(compiled?),
            intent: interop.intent_name.clone(),
            strategy: interop.resolution_strategy,
            allowed: interop.allowed_applications.clone(),
            path: self.path(),
        })
    }

    /// What both kinds of tools have. `on_bus` is the method that is called in the end.
    fn tool(
        &mut self,
        name: &str,
        config: &StaticToolConfig,
        on_bus: String,
        response_timeout_ms: Option<f64>,
    ) -> Option<Compiled> {
        if let Err(error) = names::check(name) {
            self.fault("name", &error, error.fix());
        }
        let mut remarks = Remarks::default();
        let description = self.description(config, &mut remarks);
        let input = self.input(config);
        let output = self.output(config, &mut remarks);
        let response_timeout = self.response_timeout(response_timeout_ms);

        // Each part that is missing has a fault.
        let (description, input, output) = (description?, input?, output?);
        let schemas = [Some(&input.published), output.published.as_ref()];
        if schemas.iter().flatten().any(|published| published.texts.hidden) {
            remarks.add(
                RemarkCode::SuspiciousDescription,
                Stage::Schema,
                "its schemas hide something, which was removed, except from names and values",
                format!("remove what cannot be seen from the schemas of {}.config", self.path()),
            );
        }
        remarks.about_length(&schemas);
        remarks.about_input(&input.published);
        let title = config.title.as_deref().map(|title| text::clean(title, MAX_TITLE).text);
        let looks = Looks {
            name,
            title: title.filter(|title| !title.is_empty()),
            description,
            annotations: config.annotations.as_ref().map(ToolAnnotations::from),
            meta: config.meta.clone().unwrap_or_default(),
            input: input.published,
            output: output.published,
        };
        Some(Compiled {
            definition: looks.into_definition().from_method(on_bus),
            input: input.enforced,
            output: output.output,
            response_timeout,
            remarks: remarks.into_vec(),
        })
    }

    fn description(&mut self, config: &StaticToolConfig, remarks: &mut Remarks) -> Option<String> {
        let cleaned = text::clean(&config.description, MAX_DESCRIPTION);
        if cleaned.text.is_empty() {
            let fix = "say what the tool does and when to use it";
            self.fault("config.description", "there is no visible text in it", fix);
            return None;
        }
        if cleaned.shortened {
            let reason = format!("it is longer than {MAX_DESCRIPTION} characters");
            self.fault("config.description", reason, "shorten it");
            return None;
        }
        if cleaned.hidden {
            remarks.add(
                RemarkCode::SuspiciousDescription,
                Stage::Definition,
                "its description hides something, which was removed",
                format!("remove what cannot be seen from {}.config.description", self.path()),
            );
        }
        Some(cleaned.text)
    }

    fn input(&mut self, config: &StaticToolConfig) -> Option<InputSide> {
        let schema = read_value(&Value::Object(config.input_schema.clone()));
        InputSide::new(schema)
            .inspect_err(|unfit| self.fault("config.inputSchema", unfit, unfit.fix()))
            .ok()
    }

    fn output(&mut self, config: &StaticToolConfig, remarks: &mut Remarks) -> Option<OutputSide> {
        let schema = read_value(&Value::Object(config.output_schema.clone()));
        let output = OutputSide::new(schema);
        match &output.unfit {
            Some(unfit @ Unfit::Schema(_)) => {
                self.fault("config.outputSchema", unfit, unfit.fix());
                return None;
            }
            Some(unfit) => remarks.about_output(unfit),
            None => {}
        }
        Some(output)
    }

    fn response_timeout(&mut self, ms: Option<f64>) -> Option<std::time::Duration> {
        let ms = ms?;
        let limit = interop::response_timeout(ms);
        if limit.is_none() {
            let fix = "give a number of milliseconds above 0, at most a day, or nothing";
            self.fault("interop.responseTimeoutMs", format!("it is {ms}"), fix);
        }
        limit
    }

    fn allowed(&mut self, applications: Option<&[String]>) {
        let field = "interop.allowedApplications";
        match applications {
            Some([]) => {
                let fix = "name applications, or leave it out to allow all";
                self.fault(field, "it is empty, so that nothing could be called", fix);
            }
            Some(names) if names.iter().any(|name| name.trim().is_empty()) => {
                self.fault(field, "a name in it is blank", "remove the name");
            }
            _ => {}
        }
    }

    /// Where the entry stands.
    fn path(&self) -> String {
        format!("{}[{}]", self.list, self.index)
    }

    fn fault(&mut self, field: &'static str, reason: impl ToString, fix: impl Into<String>) {
        let (reason, fix) = (reason.to_string(), fix.into());
        let (list, index) = (self.list, self.index);
        self.faults.push(StaticFault { list, index, field, reason, fix });
    }
}
