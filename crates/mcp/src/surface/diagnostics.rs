//! Why something is not visible, and what is odd about what is.

use serde::Serialize;

/// What is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Kind {
    /// The bus, and with it the tools of all applications, while this server is
    /// not on it.
    Bus,
    /// A tool, from every list that lacks it.
    Tool,
    /// An application, from search.
    Application,
    /// A workspace layout, from search.
    Workspace,
    /// An intent, for want of a handler.
    Intent,
    /// A running instance of an application.
    Instance,
}

/// Where on its way something was stopped. In this order things are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// This build of the server does not have it.
    Build,
    /// The definition by the application is incomplete or wrong.
    Definition,
    /// The configuration of this server leaves it out.
    Configuration,
    /// The bus does not offer what it needs.
    Bus,
    /// A guard refused it.
    Guard,
    /// A schema cannot be used.
    Schema,
    /// The client does not declare what it needs.
    ClientCapability,
}

/// Something that is not visible, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// What it is.
    pub kind: Kind,
    /// Its name; of a tool whose name is not usable, the name of its method.
    pub name: String,
    /// The application it comes from.
    pub application: Option<String>,
    /// The interop method behind it.
    pub method: Option<String>,
    /// Where it was stopped.
    pub stage: Stage,
    /// Why.
    pub reason: String,
    /// What would make it visible.
    pub fix: String,
}

/// Something about a visible tool that someone should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// What it is about.
    pub code: RemarkCode,
    /// Where it came up.
    pub stage: Stage,
    /// What there is to know.
    pub reason: String,
    /// What would end the remark.
    pub fix: String,
}

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RemarkCode {
    /// A text hides something, or gives orders to the model.
    SuspiciousDescription,
    /// A text was cut off.
    DescriptionShortened,
    /// The output schema is not published.
    OutputSchemaNotPublished,
    /// A schema came as an object where a JSON string is usual.
    SchemaNotText,
    /// A field of the definition was not understood and left out.
    FieldIgnored,
    /// The name becomes too long once clients put the server's before it.
    LongName,
    /// A property name that some model vendors refuse.
    PropertyName,
    /// Nothing serves it at the moment, so a call would fail.
    NoServer,
    /// It says that it is an application, and nothing proves it.
    Unverified,
}

/// One finding about a tool: that it is visible, why it is not, or what someone
/// should look at. The form that programs are given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// What it is about.
    pub kind: Kind,
    /// The tool's name; of a tool whose name is not usable, its method's.
    pub name: String,
    /// The application it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// The interop method behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Whether clients see it.
    pub visible: bool,
    /// Where it was stopped, or where the remark came up. A visible tool without
    /// remark has neither this nor what follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// What the remark about a visible tool is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<RemarkCode>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Diagnostic {
    /// The findings about a visible tool: one for each remark, or that there is
    /// none.
    pub(super) fn visible(entry: &super::Entry) -> Vec<Self> {
        let definition = entry.tool.definition();
        let plain = Self {
            kind: Kind::Tool,
            name: definition.name().to_string(),
            app: definition.application().map(str::to_owned),
            method: definition.method().map(str::to_owned),
            visible: true,
            stage: None,
            code: None,
            reason: None,
            fix: None,
        };
        let remarked = |remark: &Remark| Self {
            stage: Some(remark.stage),
            code: Some(remark.code),
            reason: Some(remark.reason.clone()),
            fix: Some(remark.fix.clone()),
            ..plain.clone()
        };
        let findings: Vec<_> = entry.remarks().map(remarked).collect();
        if findings.is_empty() { vec![plain] } else { findings }
    }

    /// What orders findings about what is not visible: where, what, whose.
    pub(super) fn place(&self) -> impl Ord + use<'_> {
        (self.stage, self.kind, &self.name, &self.app, &self.method, &self.reason, &self.fix)
    }
}

impl From<&Withheld> for Diagnostic {
    fn from(withheld: &Withheld) -> Self {
        Self {
            kind: withheld.kind,
            name: withheld.name.clone(),
            app: withheld.application.clone(),
            method: withheld.method.clone(),
            visible: false,
            stage: Some(withheld.stage),
            code: None,
            reason: Some(withheld.reason.clone()),
            fix: Some(withheld.fix.clone()),
        }
    }
}
