//! A peer that has joined the interop domain of a gateway.

use super::frame::{Frame, Method};
use super::websocket::{self, Reader, Writer};
use crate::failure::Failure;

/// One peer on one socket.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: String,
    pub(super) reader: Reader,
    pub(super) writer: Writer,
    /// Methods that were there when the peer joined.
    pub(super) methods: Vec<Announced>,
    /// Peers that were there when the peer joined.
    pub(super) others: usize,
}

/// A method of some server.
#[derive(Debug, Clone)]
pub(super) struct Announced {
    pub(super) server: String,
    /// As JSON: ids are strings or numbers.
    pub(super) id: String,
    pub(super) name: String,
}

impl Peer {
    /// Says hello as `application` and joins `agm`. All peers of the benchmark have the same user.
    pub(super) async fn join(url: &str, application: &str) -> Result<Self, Failure> {
        let (mut reader, mut writer) = websocket::connect(url).await?;
        writer.queue(&format!(
            r#"{{"domain":"global","type":"hello","request_id":"hello","identity":{{"application":"{application}"}},"authentication":{{"method":"secret","login":"bench","secret":"bench"}}}}"#
        ));
        writer.flush().await?;
        let id = reader
            .until(|text| {
                let frame = Frame::read(text)?;
                Ok((frame.kind == "welcome").then(|| frame.peer_id.unwrap_or_default().to_owned()))
            })
            .await?;

        let mut peer = Self { id, reader, writer, methods: Vec::new(), others: 0 };
        peer.writer.queue(&peer.request("join", "global", "join", r#""destination":"agm""#));
        peer.writer.flush().await?;
        let (mut methods, mut others) = (Vec::new(), 0);
        peer.reader
            .until(|text| {
                let frame = Frame::read(text)?;
                methods.extend(announced(&frame)?);
                others += usize::from(frame.kind == "peer-added");
                let joined = frame.domain == Some("agm") && frame.answers("join");
                Ok(joined.then_some(()))
            })
            .await?;
        Ok(Self { methods, others, ..peer })
    }

    /// Registers one method, with id `"0"`, and waits until it is there.
    pub(super) async fn register(&mut self, name: &str, streaming: bool) -> Result<(), Failure> {
        let method = format!(
            r#""methods":[{{"id":"0","name":"{name}","flags":{{"metadata":{{}},"streaming":{streaming}}}}}]"#
        );
        self.writer.queue(&self.request("register", "agm", "register", &method));
        self.writer.flush().await?;
        self.reader.until(|text| Ok(Frame::read(text)?.answers("register").then_some(()))).await
    }

    /// Waits for the announcement of the method `name`, of the peer `server` or of anybody, if it was
    /// not there at the join. Peers of an earlier load have the same methods, and may not have left yet.
    pub(super) async fn find(
        &mut self,
        server: Option<&str>,
        name: &str,
    ) -> Result<Announced, Failure> {
        let wanted = |method: &Announced| {
            method.name == name && server.is_none_or(|server| method.server == server)
        };
        if let Some(found) = self.methods.iter().find(|method| wanted(method)) {
            return Ok(found.clone());
        }
        self.reader.until(|text| Ok(announced(&Frame::read(text)?)?.into_iter().find(wanted))).await
    }

    /// The text of a request of this peer.
    pub(super) fn request(&self, kind: &str, domain: &str, id: &str, fields: &str) -> String {
        let peer = &self.id;
        format!(
            r#"{{"domain":"{domain}","type":"{kind}","request_id":"{id}","peer_id":"{peer}",{fields}}}"#
        )
    }
}

fn announced(frame: &Frame<'_>) -> Result<Vec<Announced>, Failure> {
    let server = frame.server_id.unwrap_or_default();
    let method = |method: Method<'_>| Announced {
        server: server.to_owned(),
        id: method.id.get().to_owned(),
        name: method.name.into_owned(),
    };
    Ok(frame.announced()?.into_iter().map(method).collect())
}
