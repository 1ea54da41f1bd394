//! One method made into a tool, or into the reason why it is none.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use deskwire_connect::RegisteredMethod;
use deskwire_connect::wire::{Identity, Method, excerpt, shown_name};
use serde_json::{Value, json};

use super::Settings;
use super::flag::{self, FLAG, Flag, FlagError, Source};
use super::guard::{self, Verdict};
use super::near_miss;
use crate::interop::{Compiled, InputSide, Looks, OutputSide, Remarks, Unfit, application};
use crate::names;
use crate::surface::{Kind, RemarkCode, Stage, Withheld};
use crate::text::{self, MAX_DESCRIPTION};

/// Key of `_meta` that names the application a tool comes from.
const APPLICATION_META: &str = "deskwire/application";

/// What a method came to.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// A tool.
    Tool {
        compiled: Arc<Compiled>,
        /// The same for every server that registers the very same.
        same_as: u64,
    },
    /// None, though it was meant to be one.
    Withheld(Arc<Withheld>),
    /// A method like others.
    NoTool,
}

/// Makes a method with the flag into a tool.
pub(super) fn compile(
    settings: &Settings,
    server: &Identity,
    registered: &RegisteredMethod,
) -> Outcome {
    let method = &registered.method;
    let flags = &method.flags.metadata;
    let withheld = |name: Option<&str>, stop: Stop| {
        let name = name.filter(|name| names::check(name).is_ok()).map(str::to_owned);
        Outcome::Withheld(Arc::new(Withheld {
            kind: Kind::Tool,
            name: name.unwrap_or_else(|| shown_name(&method.name)),
            application: application(server),
            method: Some(shown_name(&method.name)),
            stage: stop.stage,
            reason: stop.reason,
            fix: stop.fix.into_owned(),
        }))
    };
    let Some(flag) = flags.get(FLAG) else {
        return match near_miss::find(flags, registered.def.definition().text()) {
            Some((miss, name)) => withheld(name, Stop::new(Stage::Definition, &miss, miss.fix())),
            None => Outcome::NoTool,
        };
    };
    let compiler = Compiler { settings, server, method };
    match compiler.compile(flag) {
        Ok(compiled) => {
            Outcome::Tool { compiled: Arc::new(compiled), same_as: same_as(server, method, flag) }
        }
        Err(stop) => withheld(flag::name(flag), stop),
    }
}

struct Compiler<'a> {
    settings: &'a Settings,
    server: &'a Identity,
    method: &'a Method,
}

/// Why there is no tool.
struct Stop {
    stage: Stage,
    reason: String,
    fix: Cow<'static, str>,
}

impl Stop {
    fn new(stage: Stage, reason: impl ToString, fix: impl Into<Cow<'static, str>>) -> Self {
        Self { stage, reason: reason.to_string(), fix: fix.into() }
    }
}

impl From<FlagError> for Stop {
    fn from(error: FlagError) -> Self {
        Self::new(Stage::Definition, &error, error.fix())
    }
}

impl Compiler<'_> {
    /// The stages in their order, so that the first thing that is wrong is what
    /// is told.
    fn compile(&self, flag: &Value) -> Result<Compiled, Stop> {
        let flag = Flag::read(flag)?;
        names::check(flag.name)
            .map_err(|error| Stop::new(Stage::Definition, &error, error.fix()))?;
        let description = self.description()?;
        self.admit()?;

        let mut remarks = Remarks::default();
        let input = self.input(&flag)?;
        let output = self.output(&flag, &mut remarks)?;
        let schemas = [Some(&input.published), output.published.as_ref()];
        let suspicious = description.is_suspicious()
            || flag.suspicious
            || schemas.iter().flatten().any(|published| published.texts.are_suspicious());
        if suspicious {
            remarks.add(
                RemarkCode::SuspiciousDescription,
                Stage::Definition,
                "its texts hide something, or give orders to the model; what is hidden was removed, \
                 except from names and values",
                "read them before you let a model read them; a guard can leave the method out",
            );
        }
        if description.shortened {
            remarks.add(
                RemarkCode::DescriptionShortened,
                Stage::Definition,
                format!("its description is longer than {MAX_DESCRIPTION} characters"),
                "shorten the description; the end is cut off",
            );
        }
        remarks.about_length(&schemas);
        for ignored in &flag.ignored {
            remarks.add(
                RemarkCode::FieldIgnored,
                Stage::Definition,
                format!("left out of `{FLAG}`: {ignored}"),
                "correct the field, or remove it",
            );
        }
        remarks.about_input(&input.published);

        let mut meta = flag.meta.unwrap_or_default();
        // Nobody says for others where a tool comes from.
        meta.shift_remove(APPLICATION_META);
        let application = application(self.server);
        if let Some(application) = &application {
            meta.insert(APPLICATION_META.into(), json!(application));
        }
        let looks = Looks {
            name: flag.name,
            title: flag.title,
            description: description.text,
            annotations: flag.annotations,
            meta,
            input: input.published,
            output: output.published,
        };
        let mut definition = looks.into_definition().from_method(shown_name(&self.method.name));
        if let Some(application) = application {
            definition = definition.from_application(application);
        }
        Ok(Compiled {
            definition,
            input: input.enforced,
            output: output.output,
            response_timeout: flag.response_timeout,
            remarks: remarks.into_vec(),
        })
    }

    fn description(&self) -> Result<text::Cleaned, Stop> {
        let description = self.method.description.as_deref().unwrap_or_default();
        let description = text::clean(description, MAX_DESCRIPTION);
        if description.text.is_empty() {
            let reason = if description.hidden {
                "nothing is left of the description once hidden text is removed"
            } else {
                "the method has no description"
            };
            return Err(Stop::new(
                Stage::Definition,
                reason,
                "register the method with a `description` that says when to use it",
            ));
        }
        Ok(description)
    }

    /// Whether the method may be a tool at all.
    fn admit(&self) -> Result<(), Stop> {
        if self.method.flags.streaming {
            return Err(Stop::new(
                Stage::Definition,
                "the method is a stream",
                "register a method that answers once",
            ));
        }
        if !self.settings.enabled {
            return Err(Stop::new(
                Stage::Configuration,
                "tools of applications are switched off",
                "set server.tools.dynamic.methods.enabled to true",
            ));
        }
        match guard::ask(self.settings.guard.as_ref(), self.method.into(), self.server.into()) {
            Verdict::Admitted => Ok(()),
            Verdict::Refused => Err(Stop::new(
                Stage::Guard,
                "the guard for dynamic methods refused it",
                "change server.tools.dynamic.methods.guard",
            )),
            Verdict::Failed(message) => Err(Stop::new(
                Stage::Guard,
                format!("the guard for dynamic methods failed: {}", excerpt(&message, 200)),
                "correct server.tools.dynamic.methods.guard",
            )),
        }
    }

    fn input(&self, flag: &Flag<'_>) -> Result<InputSide, Stop> {
        let source = schema_source(&flag.input_schema)?;
        InputSide::new(source.read()).map_err(|unfit| {
            Stop::new(Stage::Schema, format!("`inputSchema`: {unfit}"), unfit.fix())
        })
    }

    /// A schema that is JSON but no use costs only itself, not the tool.
    fn output(&self, flag: &Flag<'_>, remarks: &mut Remarks) -> Result<OutputSide, Stop> {
        let source = schema_source(&flag.output_schema)?;
        let output = OutputSide::new(source.read());
        match &output.unfit {
            Some(Unfit::Schema(error)) if !error.is_json() => {
                let reason = format!("`outputSchema`: {error}");
                return Err(Stop::new(Stage::Schema, reason, error.fix()));
            }
            Some(unfit) => remarks.about_output(unfit),
            None => {}
        }
        let schemas = [("inputSchema", &flag.input_schema), ("outputSchema", &flag.output_schema)];
        for (field, schema) in schemas {
            if matches!(schema, Ok(Source::Object(_))) {
                remarks.add(
                    RemarkCode::SchemaNotText,
                    Stage::Schema,
                    format!("`{FLAG}.{field}` is an object; other servers want a JSON string"),
                    format!("pass `{field}: JSON.stringify(schema)`"),
                );
            }
        }
        Ok(output)
    }
}

fn schema_source<'a>(schema: &Result<Source<'a>, FlagError>) -> Result<Source<'a>, Stop> {
    let wrong = |error: &FlagError| Stop::new(Stage::Schema, error, error.fix());
    schema.as_ref().copied().map_err(wrong)
}

fn same_as(server: &Identity, method: &Method, flag: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    server.application().hash(&mut hasher);
    method.name.hash(&mut hasher);
    method.description.hash(&mut hasher);
    flag.to_string().hash(&mut hasher);
    hasher.finish()
}
