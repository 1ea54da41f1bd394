//! An MCP client of either era on one connection.

use std::fmt::Write as _;

use serde_json::Value;

use super::http::{Connection, Response};
use super::reply::{self, Anything, Called, Counted};
use crate::failure::Failure;

/// Pages of a list that are followed before a server is taken to go round in circles.
const PAGES: usize = 1_000;

/// How a client and a server know what they agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Era {
    /// Revision 2025-11-25: `initialize`, then a session.
    Session,
    /// Revision 2026-07-28: every request says everything.
    Stateless,
}

const SESSION_VERSION: &str = "2025-11-25";
const STATELESS_VERSION: &str = "2026-07-28";
/// What a stateless request says about its client.
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"deskwire-bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A whole list of tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    /// Number of tools.
    pub(crate) tools: usize,
    /// Length of the answers.
    pub(crate) bytes: usize,
}

/// A client that has been let in.
#[derive(Debug)]
pub(crate) struct Client {
    connection: Connection,
    response: Response,
    era: Era,
    /// Headers of every request, without those that name its method.
    headers: String,
    next_id: u64,
    body: String,
}

impl Client {
    /// Connects and, where the era has one, opens a session.
    pub(crate) async fn connect(url: &str, era: Era) -> Result<Self, Failure> {
        let mut client = Self {
            connection: Connection::open(url).await?,
            response: Response::default(),
            era,
            headers: String::new(),
            next_id: 0,
            body: String::new(),
        };
        match era {
            Era::Session => client.initialize().await?,
            Era::Stateless => {
                client.headers = format!("mcp-protocol-version: {STATELESS_VERSION}\r\n");
            }
        }
        Ok(client)
    }

    async fn initialize(&mut self) -> Result<(), Failure> {
        let params = format!(
            r#""protocolVersion":"{SESSION_VERSION}","capabilities":{{}},"clientInfo":{{"name":"deskwire-bench","version":"1"}}"#
        );
        let id = self.request("initialize", &params, "").await?;
        reply::read::<Anything>(&self.response, id)?;
        let session = self
            .response
            .session
            .take()
            .ok_or_else(|| Failure::protocol("the server opened no session"))?;
        self.headers =
            format!("mcp-session-id: {session}\r\nmcp-protocol-version: {SESSION_VERSION}\r\n");
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        self.connection.post(&self.headers, notification, &mut self.response).await?;
        match self.response.status {
            202 => Ok(()),
            status => Err(Failure::answer(&format!("HTTP {status}"), &self.response.body)),
        }
    }

    /// Calls the tool `tool`, which answers with the text it was given, and sees to it that it did.
    pub(crate) async fn echo(&mut self, tool: &str, text: &str) -> Result<(), Failure> {
        let params = format!(r#""name":"{tool}","arguments":{{"text":"{text}"}}"#);
        let id = self.request("tools/call", &params, tool).await?;
        let called: Called<'_> = reply::read(&self.response, id)?;
        match called.structured_content {
            Some(said) if !called.is_error && said.text == text => Ok(()),
            _ => Err(Failure::answer("not what was said", &self.response.body)),
        }
    }

    /// Lists all tools, page by page.
    pub(crate) async fn list_tools(&mut self) -> Result<List, Failure> {
        let mut list = List { tools: 0, bytes: 0 };
        let mut params = String::new();
        for _ in 0..PAGES {
            let id = self.request("tools/list", &params, "").await?;
            let page: Counted = reply::read(&self.response, id)?;
            list.tools += page.tools.len();
            list.bytes += self.response.body.len();
            match page.next_cursor {
                None => return Ok(list),
                Some(cursor) => params = format!(r#""cursor":{}"#, Value::from(cursor)),
            }
        }
        Err(Failure::protocol(format!("a list of more than {PAGES} pages")))
    }

    /// Ends the session, if there is one, so that a later measurement does not find it.
    pub(crate) async fn close(mut self) -> Result<(), Failure> {
        if self.era == Era::Stateless {
            return Ok(());
        }
        self.connection.request("DELETE", &self.headers, "", &mut self.response).await?;
        match self.response.status {
            200 | 202 | 204 => Ok(()),
            status => Err(Failure::answer(&format!("HTTP {status}"), &self.response.body)),
        }
    }

    /// Sends one request, leaves the answer in `self.response` and returns the request's id.
    async fn request(&mut self, method: &str, params: &str, name: &str) -> Result<u64, Failure> {
        self.next_id += 1;
        let id = self.next_id;
        let meta = if self.era == Era::Stateless { META } else { "" };
        let comma = if params.is_empty() || meta.is_empty() { "" } else { "," };
        self.body.clear();
        // Writing into a string has no way to fail.
        let _ = write!(
            self.body,
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{comma}{meta}}}}}"#
        );
        if self.era == Era::Stateless {
            let mut headers = format!("{}mcp-method: {method}\r\n", self.headers);
            if !name.is_empty() {
                let _ = write!(headers, "mcp-name: {name}\r\n");
            }
            self.connection.post(&headers, &self.body, &mut self.response).await?;
        } else {
            self.connection.post(&self.headers, &self.body, &mut self.response).await?;
        }
        Ok(id)
    }
}
