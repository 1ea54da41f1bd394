//! One pass over a frame's text.
//!
//! Frames are flat objects, and no two fields of one name mean different
//! shapes, so one struct of optional fields reads them all; [`Taken`] then hands
//! the fields of one type out by hand. (A tagged enum cannot do it: serde
//! buffers tagged content and loses raw text on the way.)

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::DomainName;
use crate::{
    CallId, ContextId, DecodeError, Domain, Head, Id, Identity, MethodDef, Payload, PeerId,
};

/// A string that borrows from the frame when it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

macro_rules! fields {
    ($($(#[$meta:meta])* $name:ident: $type:ty),* $(,)?) => {
        /// Every field that some frame of either direction has.
        #[derive(Deserialize)]
        struct Fields<'a> {
            #[serde(borrow)]
            domain: Option<Text<'a>>,
            #[serde(rename = "type", borrow)]
            kind: Option<Text<'a>>,
            request_id: Option<Id>,
            peer_id: Option<PeerId>,
            $($(#[$meta])* $name: Option<$type>,)*
        }

        impl Taken<'_> {
            $(
                /// Takes the field; `null` and absent are the same.
                pub(crate) fn $name(&mut self) -> Field<$type> {
                    Field { name: stringify!($name), value: self.fields.$name.take() }
                }
            )*
        }
    };
}

fields! {
    arguments: Payload,
    arguments_kv: Payload,
    authentication: Payload,
    available_domains: Payload,
    caller_id: PeerId,
    context: Payload,
    context_id: ContextId,
    creator_id: PeerId,
    data: Payload,
    delta: Payload,
    destination: String,
    flags: Payload,
    identity: Identity,
    invocation_id: CallId,
    lifetime: String,
    meta: Payload,
    method_id: Id,
    methods: Box<RawValue>,
    name: String,
    new_peer_id: PeerId,
    oob: bool,
    options: Payload,
    #[serde(rename = "publisher-identity")]
    publisher_identity: Identity,
    reason: String,
    reason_uri: String,
    removed_id: PeerId,
    resolved_identity: Identity,
    result: Payload,
    routing_key: String,
    sequence: Payload,
    server_id: PeerId,
    snapshot: Payload,
    stream_id: Id,
    subscription_id: CallId,
    target_identity: Identity,
    token: String,
    topic: String,
    updater_id: PeerId,
}

/// A frame's fields on their way into a message.
pub(crate) struct Taken<'a> {
    /// The domain, where the frame names one.
    pub(crate) domain: Option<Domain>,
    kind: Cow<'a, str>,
    fields: Fields<'a>,
}

/// A field that may be there.
pub(crate) struct Field<T> {
    name: &'static str,
    value: Option<T>,
}

impl<T> Field<T> {
    /// The value, if there is one.
    pub(crate) fn optional(self) -> Option<T> {
        self.value
    }

    /// The value, which this type cannot do without.
    pub(crate) fn required(self, taken: &Taken<'_>) -> Result<T, DecodeError> {
        self.value.ok_or_else(|| DecodeError::Missing {
            kind: taken.kind.to_string(),
            field: self.name,
            head: taken.head(),
        })
    }
}

impl<T: Default> Field<T> {
    /// The value, or an empty one.
    pub(crate) fn or_default(self) -> T {
        self.value.unwrap_or_default()
    }
}

impl<'a> Taken<'a> {
    /// Reads the text of one frame.
    pub(crate) fn from_text(text: &'a str) -> Result<Self, DecodeError> {
        if crate::depth::too_deep(text) {
            return Err(DecodeError::TooDeep);
        }
        let mut fields: Fields<'a> = serde_json::from_str(text).map_err(|error| {
            if error.is_data() {
                match lenient_head(text) {
                    Some(head) => DecodeError::Shape { reason: error.to_string(), head },
                    None => DecodeError::NotAnObject,
                }
            } else {
                DecodeError::NotJson(error.to_string())
            }
        })?;
        let domain = match fields.domain.take() {
            None => None,
            Some(Text(name)) => match Domain::parse(&name) {
                Some(domain) => Some(domain),
                None => {
                    return Err(DecodeError::UnknownDomain {
                        name: name.into_owned(),
                        head: head_of(&fields, None),
                    });
                }
            },
        };
        let Some(Text(kind)) = fields.kind.take() else {
            return Err(DecodeError::Missing {
                kind: "frame".into(),
                field: "type",
                head: head_of(&fields, domain),
            });
        };
        Ok(Self { domain, kind, fields })
    }

    /// Domain and type, to match on.
    pub(crate) fn kind(&self) -> (Domain, Cow<'a, str>) {
        (self.domain.unwrap_or(Domain::Global), self.kind.clone())
    }

    /// The fields every frame may carry.
    pub(crate) fn head(&self) -> Box<Head> {
        let mut head = head_of(&self.fields, self.domain);
        head.kind = Some(self.kind.to_string());
        head
    }

    /// Request and peer id, at the end of the taking.
    pub(crate) fn into_ids(self) -> (Option<Id>, Option<PeerId>) {
        (self.fields.request_id, self.fields.peer_id)
    }

    /// The error for a type that this domain does not have.
    pub(crate) fn unknown_type(&self) -> DecodeError {
        DecodeError::UnknownType {
            kind: self.kind.to_string(),
            domain: DomainName(self.domain),
            head: self.head(),
        }
    }

    /// The error for a field that is there but cannot be used.
    pub(crate) fn shape(&self, reason: impl ToString) -> DecodeError {
        DecodeError::Shape { reason: reason.to_string(), head: self.head() }
    }

    /// `methods` as definitions.
    pub(crate) fn method_defs(&mut self) -> Result<Vec<MethodDef>, DecodeError> {
        self.method_list("methods")
    }

    /// `methods` as ids.
    pub(crate) fn method_ids(&mut self) -> Result<Vec<Id>, DecodeError> {
        self.method_list("methods")
    }

    fn method_list<T: for<'de> Deserialize<'de>>(
        &mut self,
        field: &str,
    ) -> Result<Vec<T>, DecodeError> {
        let raw = self.methods().required(self)?;
        serde_json::from_str(raw.get()).map_err(|error| self.shape(format!("`{field}`: {error}")))
    }
}

fn head_of(fields: &Fields<'_>, domain: Option<Domain>) -> Box<Head> {
    Box::new(Head {
        domain,
        kind: fields.kind.as_ref().map(|Text(kind)| kind.to_string()),
        request_id: fields.request_id.clone(),
        peer_id: fields.peer_id.clone(),
        call_id: fields.invocation_id.clone().or_else(|| fields.subscription_id.clone()),
    })
}

/// What can be read of the head of an object that as a whole has another shape.
/// Of a field that stands there twice, the last one counts.
fn lenient_head(text: &str) -> Option<Box<Head>> {
    let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(text).ok()?;
    fn read<'a, T: Deserialize<'a>>(
        fields: &HashMap<Cow<'_, str>, &'a RawValue>,
        name: &str,
    ) -> Option<T> {
        fields.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }
    Some(Box::new(Head {
        domain: read::<String>(&fields, "domain").and_then(|name| Domain::parse(&name)),
        kind: read(&fields, "type"),
        request_id: read(&fields, "request_id"),
        peer_id: read(&fields, "peer_id"),
        call_id: read(&fields, "invocation_id").or_else(|| read(&fields, "subscription_id")),
    }))
}
