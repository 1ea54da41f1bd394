//! The start page: what runs here, for a person who opened the address.

use std::fmt::Write;

use axum::http::header::{CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::response::{Html, IntoResponse, Response};
use deskwire_mcp::{McpServer, Profile};

const STYLE: &str = "\
:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}\
body{max-width:44rem;margin:3rem auto;padding:0 1rem}\
h1{font-size:1.25rem;font-weight:600}h2{font-size:1rem;font-weight:600;margin-top:2rem}\
code{font:13px ui-monospace,monospace}dt{margin-top:.75rem}\
dd{margin:0;color:color-mix(in srgb,currentColor 70%,transparent)}";

/// The page as it is now. `advice` is a sentence on why this is not the desk.
pub(super) fn start(mcp: &McpServer, advice: Option<&str>) -> Response {
    let surface = mcp.surface();
    let mut list = String::new();
    for tool in surface.tools(Profile::ALL) {
        let tool = tool.definition().published();
        let description = tool.description.as_deref().unwrap_or_default();
        // Writing to a string does not fail.
        let _ = write!(
            list,
            "<dt><code>{}</code></dt><dd>{}</dd>",
            escaped(&tool.name),
            escaped(description)
        );
    }
    if list.is_empty() {
        list.push_str("<dd>None yet. An application registers one on the bus.</dd>");
    }
    let advice = advice.map(|advice| format!("<p>{}</p>", escaped(advice))).unwrap_or_default();
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8>\
         <meta name=viewport content=\"width=device-width\"><title>Deskwire</title>\
         <style>{STYLE}</style><h1>Deskwire is running</h1>{advice}\
         <p>Chat applications connect to <code>/mcp</code>, applications of the desktop to \
         <code>/gw</code> at this address.</p><h2>Tools a model sees</h2><dl>{list}</dl></html>"
    );
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    let headers = [(CONTENT_SECURITY_POLICY, policy), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, Html(page)).into_response()
}

/// Text for the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
