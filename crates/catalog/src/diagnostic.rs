//! What is not as it should be in a definition, and where.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::source::{Origin, SourceLabel};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Read as meant; nothing is lost.
    Note,
    /// Something of the record is left out, or was understood by a guess.
    Warning,
    /// The record is left out, or what it describes cannot be started.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// What kind of problem it is. The names are stable: tools may rely on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The stable name, such as `appd.raises.object`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How bad it is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// The source could not be fetched or opened; whoever tried tells why.
    FileUnreadable = "file.unreadable", Error;
    /// The source is longer than [`crate::limits::MAX_BYTES`] and is not read.
    FileTooLarge = "file.too-large", Error;
    /// Text that is not JSON; what stands around it is read.
    FileSyntax = "file.syntax", Error;
    /// More records than [`crate::limits::MAX_RECORDS`]; the rest is not read.
    FileTooManyRecords = "file.too-many-records", Error;
    /// Nothing in the source is a definition.
    FileNoRecords = "file.no-records", Warning;
    /// More diagnostics than [`crate::limits::MAX_DIAGNOSTICS`]; the rest is counted.
    FileMoreDiagnostics = "file.more-diagnostics", Note;
    /// The source leads out of the folders that may be read.
    FileNotAllowed = "file.not-allowed", Error;
    /// The source cannot be read now; what was read before stays in force.
    FileStale = "file.stale", Warning;
    /// A record that is no application, layout or channel.
    RecordUnrecognised = "record.unrecognised", Error;
    /// A key with blanks around it; read as if they were not there.
    RecordKeyBlanks = "record.key-blanks", Warning;
    /// A field of another type than it should be; left out.
    FieldType = "field.type", Warning;
    /// An application without a name.
    AppName = "app.name", Error;
    /// A type that no dialect knows; kept as `other`.
    AppTypeUnknown = "app.type.unknown", Warning;
    /// A type that exists, but that Deskwire cannot start.
    AppTypeUnsupported = "app.type.unsupported", Warning;
    /// No type; read as a window, since there is an address.
    AppTypeMissing = "app.type.missing", Note;
    /// A window without an address.
    AppUrlMissing = "app.url.missing", Error;
    /// An address that lacks its host.
    AppUrlRelative = "app.url.relative", Error;
    /// An address that is neither http nor https.
    AppUrlScheme = "app.url.scheme", Error;
    /// An address that cannot be read.
    AppUrlInvalid = "app.url.invalid", Error;
    /// A program without a command.
    AppCommandMissing = "app.command.missing", Error;
    /// An icon without a usable address; left out.
    AppIcon = "app.icon", Note;
    /// An intent that cannot be read; left out.
    AppIntent = "app.intent", Warning;
    /// A name that an earlier application has; left out.
    AppDuplicate = "app.duplicate", Warning;
    /// A method of `customProperties.interop` that cannot be read; left out.
    InteropMethod = "interop.method", Warning;
    /// An intent of `customProperties.interop` that cannot be read; left out.
    InteropIntent = "interop.intent", Warning;
    /// An intent that is described, but not among the `intents` of the application.
    InteropIntentUndeclared = "interop.intent.undeclared", Warning;
    /// A source of context that does not exist.
    InteropContextSource = "interop.context.source", Warning;
    /// A schema that is neither an object nor the text of one; left out.
    InteropSchema = "interop.schema", Warning;
    /// A schema that is written as text; read.
    InteropSchemaText = "interop.schema.text", Note;
    /// A directory record without `appId`; its `name` is used.
    AppdAppId = "appd.app-id", Warning;
    /// `raises` as objects in place of lists of context types; read.
    AppdRaisesObject = "appd.raises.object", Warning;
    /// `raises` of another shape; what can be read of it is.
    AppdRaises = "appd.raises", Warning;
    /// `listensFor` of another shape; what can be read of it is.
    AppdListensFor = "appd.listens-for", Warning;
    /// A host manifest that lies elsewhere; it is not fetched.
    AppdManifestRemote = "appd.manifest.remote", Note;
    /// A host manifest for this desktop that is no object; left out.
    AppdManifest = "appd.manifest", Warning;
    /// A layout without a name.
    LayoutName = "layout.name", Error;
    /// A workspace without a name, called after its title.
    LayoutNameFromTitle = "layout.name.from-title", Note;
    /// A layout without a type.
    LayoutType = "layout.type", Error;
    /// No type; read as a workspace, since its component is one.
    LayoutTypeMissing = "layout.type.missing", Note;
    /// A type of layout that is not known; kept as `other`.
    LayoutTypeUnknown = "layout.type.unknown", Warning;
    /// A layout without components; read as an empty one.
    LayoutComponents = "layout.components", Warning;
    /// A name that an earlier layout of the same type has; left out.
    LayoutDuplicate = "layout.duplicate", Warning;
    /// A channel without a name.
    ChannelName = "channel.name", Error;
    /// A name that an earlier channel has; left out.
    ChannelDuplicate = "channel.duplicate", Warning;
    /// An application that was to be registered at run time, which its name forbids.
    AppNotAllowed = "app.not-allowed", Warning;
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which record of a source is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordRef {
    /// Counted from 0.
    pub index: usize,
    /// The record as a JSON pointer into its source.
    pub pointer: String,
    /// Its name, where it has one.
    pub name: Option<String>,
}

impl RecordRef {
    pub(crate) fn new(origin: &Origin, name: Option<&str>) -> Self {
        Self { index: origin.index, pointer: origin.pointer.clone(), name: name.map(str::to_owned) }
    }
}

/// One problem: what, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// What kind of problem.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// The source it is in.
    pub source: SourceLabel,
    /// The line, counted from 1: that of the field where it could be found, else
    /// that of the record.
    pub line: Option<usize>,
    /// The record; `None` when the source as a whole is meant.
    pub record: Option<RecordRef>,
    /// The field in the record: `details.url`, `intents[0].name`.
    pub field: Option<String>,
    /// What is wrong and what would be right, in one sentence.
    pub message: String,
}

/// `apps.json:12: chart: details.url: message`, without the parts that are not known.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if let Some(record) = &self.record {
            match &record.name {
                Some(name) => write!(f, "{name}: ")?,
                None => write!(f, "record {}: ", record.index + 1)?,
            }
        }
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)
    }
}
