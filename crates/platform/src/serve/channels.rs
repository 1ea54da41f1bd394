//! `T42.Channels.Announce`: what channels there are to be on, and who is.

use deskwire_connect::{Call, CallFailure, RegisterError};
use serde_json::{Map, Value, json};

use super::message::{done, maybe_object, maybe_text, object, text};
use super::{Answer, Offer};
use crate::channels::Channels;
use crate::config::ChannelDef;

/// Offers the method.
pub(crate) async fn offer(offer: &mut Offer, channels: &Channels) -> Result<(), RegisterError> {
    let all = channels.clone();
    let answer = move |call: Call| {
        let all = all.clone();
        async move { command(&all, &call).await }
    };
    offer.method("T42.Channels.Announce", answer).await
}

async fn command(channels: &Channels, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let identity = call.caller_identity.as_ref();
    let own = identity.and_then(|identity| identity.instance());
    let member = maybe_text(arguments, "swId").or(own);
    let Some(command) = maybe_text(arguments, "command") else {
        // Without a command a member tells of itself.
        let member = member.ok_or("`swId` must be a text")?;
        channels.announce(member, identity.and_then(|identity| identity.application()));
        return Ok(json!({ "restrictions": channels.restrictions(member) }).into());
    };
    let data = maybe_object(arguments, "data")?;
    let named = || member.ok_or_else(|| CallFailure::new("`swId` must be a text"));
    match command {
        "getChannelsMode" => Ok(json!({ "mode": "single" }).into()),
        "switchChannel" => {
            let member = named()?;
            let channel = maybe_text(&data, "newChannel").filter(|name| !name.is_empty());
            if channel.is_some_and(|name| !channels.names().iter().any(|known| known == name)) {
                let reason = format!("there is no channel `{}`", channel.unwrap_or_default());
                return Err(CallFailure::new(reason));
            }
            // A member tells of its own switch; for another one, that one is asked.
            if Some(member) == own || own.is_none() || is_window_of(call, member) {
                channels.is_on(member, channel);
            } else {
                channels.send(member, channel).await?;
            }
            Ok(done())
        }
        "leaveChannel" => {
            let member = named()?;
            if Some(member) == own || is_window_of(call, member) {
                channels.is_on(member, None);
            } else {
                channels.send(member, None).await?;
            }
            Ok(done())
        }
        "restrict" => {
            let member = named()?;
            let name = text(&data, "name")?.to_owned();
            channels.restrict(member, &[name], flag(&data, "read"), flag(&data, "write"));
            channels.tell_restrictions(member).await;
            Ok(done())
        }
        "restrictAll" => {
            let member = named()?;
            let (read, write) = (flag(&data, "read"), flag(&data, "write"));
            channels.restrict(member, &channels.names(), read, write);
            channels.tell_restrictions(member).await;
            Ok(done())
        }
        "getRestrictions" => Ok(channels.restrictions(named()?).into()),
        "getChannelsInfo" => {
            let filter = maybe_object(&data, "filter")?;
            let wanted = filter.get("channels").and_then(Value::as_array);
            let wanted: Option<Vec<_>> =
                wanted.map(|all| all.iter().filter_map(Value::as_str).collect());
            Ok(json!({ "windows": channels.members(wanted.as_deref()) }).into())
        }
        "addChannel" => {
            let mut meta = Map::new();
            for key in ["color", "label"] {
                if let Some(value) = data.get(key).filter(|value| !value.is_null()) {
                    meta.insert(key.into(), value.clone());
                }
            }
            let name = text(&data, "id")?.to_owned();
            channels.add(ChannelDef { name, meta, data: Map::new() }).await?;
            Ok(done())
        }
        "removeChannel" => {
            channels.remove(text(&data, "id")?).await?;
            Ok(done())
        }
        other => Err(CallFailure::new(format!("there is no command `{other}`"))),
    }
}

fn is_window_of(call: &Call, member: &str) -> bool {
    call.caller_identity.as_ref().and_then(|identity| identity.text("windowId")) == Some(member)
}

fn flag(data: &Map<String, Value>, key: &str) -> Option<bool> {
    data.get(key).and_then(Value::as_bool)
}
