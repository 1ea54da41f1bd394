//! Who may ask: Host, Origin and token, checked on every route.
//!
//! A web page of any origin can send requests to a loopback port, and by DNS
//! rebinding even under a name of its own; the Host and Origin headers are what
//! gives it away. A Host that is an address cannot be rebound, a name can.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, HOST, HeaderName, ORIGIN, WWW_AUTHENTICATE,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use deskwire_gateway::Admission;
use serde_json::json;
use subtle::ConstantTimeEq;

use super::cors;
use super::pages::PageOrigins;
use crate::config::Listen;
use crate::fault::Fault;

/// The host of the demo's pages.
pub(super) const DEMO_HOST: &str = "demo.localhost";

/// The route of the bus.
const BUS: &str = "/gw";

/// Which of our hosts a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    /// The server itself.
    Own,
    /// The pages of the demo, which are applications as any other: of an origin of their own.
    Demo,
}

/// The rule of one listening port.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    port: u16,
    /// Bound to loopback alone; names other than `localhost` are refused.
    loopback: bool,
    /// The configured host, where it is a name or address of its own.
    host: String,
    allowed_origins: Vec<String>,
    /// Where the pages of defined applications are; they may be on the bus.
    pages: Option<Arc<PageOrigins>>,
    token: Option<Token>,
    /// The origin of the demo's pages, where the demo runs.
    demo: Option<String>,
}

#[derive(Clone)]
struct Token(Arc<str>);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Host,
    Origin,
    Token,
}

impl Guard {
    /// The rule for a port that is bound as `listen` says.
    pub(crate) fn new(listen: &Listen, port: u16) -> Result<Self, Fault> {
        let loopback = is_loopback(&listen.host);
        if !loopback && listen.token.is_none() {
            return Err(Fault::new(
                format!("listen on {}", listen.host),
                "other machines could reach it, and no token protects it",
            )
            .hint(
                "Set listen.token in deskwire.json, or leave listen.host out to stay on loopback.",
            )
            .field("listen.host"));
        }
        let mut allowed_origins = Vec::new();
        for (at, origin) in listen.allowed_origins.iter().enumerate() {
            allowed_origins.push(normal_origin(origin).ok_or_else(|| {
                Fault::new("use listen.allowedOrigins", format!("`{origin}` is not a web origin"))
                    .hint("An origin is scheme, host and port, such as https://chat.example.com.")
                    .field(format!("listen.allowedOrigins[{at}]"))
            })?);
        }
        let token = listen.token.as_deref().map(|token| Token(token.into()));
        let host = listen.host.clone();
        Ok(Self { port, loopback, host, allowed_origins, pages: None, token, demo: None })
    }

    /// The rule where the pages of the demo are served, too, under a host of their own.
    pub(super) fn with_demo(self) -> Self {
        Self { demo: normal_origin(&format!("http://{DEMO_HOST}:{}", self.port)), ..self }
    }

    /// Lets pages of these origins on the bus, and nowhere else.
    pub(crate) fn with_pages(self, pages: PageOrigins) -> Self {
        Self { pages: Some(Arc::new(pages)), ..self }
    }

    /// What the MCP endpoint is told: the doors are here.
    pub(crate) fn mcp_options(&self) -> deskwire_mcp::HttpOptions {
        deskwire_mcp::HttpOptions {
            doors: deskwire_mcp::Doors::Outside,
            ..deskwire_mcp::HttpOptions::default()
        }
    }

    fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(Site, Admission), Refusal> {
        let site = self.site(uri, headers).ok_or(Refusal::Host)?;
        let admission = match only(headers, &ORIGIN) {
            Ok(None) => Admission::Anonymous,
            Ok(Some(_)) if is_public(method, uri) => Admission::Anonymous,
            Ok(Some(origin)) => self.admission_at(site, uri, origin).ok_or(Refusal::Origin)?,
            Err(TooMany) => return Err(Refusal::Origin),
        };
        match &self.token {
            Some(token) if !is_open(method, uri, headers) && !carries(headers, &token.0) => {
                Err(Refusal::Token)
            }
            _ => Ok((site, admission)),
        }
    }

    /// The site that the Host header names, if it is one of ours.
    fn site(&self, uri: &Uri, headers: &HeaderMap) -> Option<Site> {
        let authority = match (only(headers, &HOST), uri.authority()) {
            (Ok(Some(host)), None) => host.parse::<Authority>().ok()?,
            // An absolute request target must agree with the header.
            (Ok(Some(host)), Some(authority)) if authority.as_str() == host => authority.clone(),
            _ => return None,
        };
        if authority.as_str().contains('@') || authority.port_u16().unwrap_or(80) != self.port {
            return None;
        }
        let host = authority.host();
        if host.eq_ignore_ascii_case(DEMO_HOST) {
            return self.demo.as_ref().map(|_| Site::Demo);
        }
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_own = match address {
            Ok(address) => address.is_loopback() || !self.loopback,
            Err(_) => {
                host.eq_ignore_ascii_case("localhost")
                    || (!self.loopback && host.eq_ignore_ascii_case(&self.host))
            }
        };
        is_own.then_some(Site::Own)
    }

    /// What a page of `origin` may do at this place. Those of the demo may ask their own site, and are
    /// elsewhere as those of any application.
    fn admission_at(&self, site: Site, uri: &Uri, origin: &str) -> Option<Admission> {
        match site {
            Site::Demo => (normal_origin(origin) == self.demo).then_some(Admission::Anonymous),
            Site::Own => self.admission_of(origin).or_else(|| self.admission_of_page(origin, uri)),
        }
    }

    /// Our own origins may stay anonymous, configured ones bring a token of the gateway.
    pub(super) fn admission_of(&self, origin: &str) -> Option<Admission> {
        let origin = normal_origin(origin)?;
        let own = ["127.0.0.1", "localhost", "[::1]"].iter().any(|host| {
            normal_origin(&format!("http://{host}:{}", self.port)).as_ref() == Some(&origin)
        });
        if own {
            Some(Admission::Anonymous)
        } else {
            self.allowed_origins.contains(&origin).then_some(Admission::TokenRequired)
        }
    }

    /// Pages of defined applications bring the token of their window to the bus. What
    /// else is served here is not for them.
    fn admission_of_page(&self, origin: &str, uri: &Uri) -> Option<Admission> {
        let pages = self.pages.as_ref().filter(|_| uri.path() == BUS)?;
        pages.contain(&normal_origin(origin)?).then_some(Admission::TokenRequired)
    }
}

/// The layer. Puts the [`Site`] of the request and the [`Admission`] of its origin into its
/// extensions.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    match guard.check(request.method(), request.uri(), request.headers()) {
        Ok((site, admission)) => {
            request.extensions_mut().insert(site);
            request.extensions_mut().insert(admission);
            next.run(request).await
        }
        // Its origin is one that is let in, so its page may know what is missing.
        Err(Refusal::Token) => {
            cors::readable(Refusal::Token.into_response(), request.headers().get(ORIGIN))
        }
        Err(refusal) => refusal.into_response(),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, code, message) = match self {
            Self::Host => (
                StatusCode::FORBIDDEN,
                "forbidden_host",
                "the Host header names no address of this server; use 127.0.0.1 or localhost",
            ),
            Self::Origin => (
                StatusCode::FORBIDDEN,
                "forbidden_origin",
                "pages of this origin may not use this server; list it in listen.allowedOrigins, \
                 or, for the bus alone, define an application whose page is there",
            ),
            Self::Token => (
                StatusCode::UNAUTHORIZED,
                "token_required",
                "send the configured token as `Authorization: Bearer <token>`",
            ),
        };
        let body = axum::Json(json!({ "error": { "code": code, "message": message } }));
        let mut response = (status, body).into_response();
        if self == Self::Token {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Whether `host` binds to loopback alone.
pub(super) fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Requests that hold no secret (health, a preflight), or bring credentials of
/// their own (a hello on the bus).
fn is_open(method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
    matches!(uri.path(), "/healthz" | BUS)
        || is_public(method, uri)
        || (method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD))
}

/// What pages of any origin load: the starter script, which holds nothing of this desktop.
fn is_public(method: &Method, uri: &Uri) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && uri.path() == "/deskwire.js"
}

struct TooMany;

/// The one value of a header; several, or one that is not text, are refused.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, TooMany> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| TooMany),
        (Some(_), Some(_)) => Err(TooMany),
    }
}

/// `scheme://host:port` in lower case with the port written out; `None` for
/// anything else, `null` included.
pub(super) fn normal_origin(origin: &str) -> Option<String> {
    let (scheme, rest) = origin.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    if rest.contains(['/', '?', '#', '@']) {
        return None;
    }
    let authority: Authority = rest.parse().ok()?;
    let port = match rest.strip_prefix(authority.host())? {
        "" => default_port,
        with_colon => with_colon.strip_prefix(':')?.parse::<u16>().ok()?,
    };
    Some(format!("{scheme}://{}:{port}", authority.host().to_ascii_lowercase()))
}

fn carries(headers: &HeaderMap, token: &str) -> bool {
    let Ok(Some(value)) = only(headers, &AUTHORIZATION) else { return false };
    let Some((scheme, given)) = value.split_once(' ') else { return false };
    // In a time that does not tell how much of it is right.
    scheme.eq_ignore_ascii_case("bearer") && given.trim().as_bytes().ct_eq(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(listen: &Listen) -> Guard {
        Guard::new(listen, 4111).unwrap()
    }

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn ask(guard: &Guard, path: &str, list: &[(&'static str, &str)]) -> Result<bool, Refusal> {
        guard
            .check(&Method::POST, &path.parse().unwrap(), &headers(list))
            .map(|(_, admission)| matches!(admission, Admission::Anonymous))
    }

    #[test]
    fn hosts_on_loopback() {
        let guard = guard(&Listen::default());
        for host in ["127.0.0.1:4111", "localhost:4111", "LOCALHOST:4111", "[::1]:4111"] {
            assert_eq!(ask(&guard, "/mcp", &[("host", host)]), Ok(true), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:4111",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:4111",
            "user@localhost:4111",
            "192.168.1.7:4111",
            "",
        ] {
            assert_eq!(ask(&guard, "/mcp", &[("host", host)]), Err(Refusal::Host), "{host}");
        }
        assert_eq!(ask(&guard, "/mcp", &[]), Err(Refusal::Host));
        let twice = [("host", "127.0.0.1:4111"), ("host", "evil.example")];
        assert_eq!(ask(&guard, "/mcp", &twice), Err(Refusal::Host));
        let absolute = "http://evil.example/mcp";
        assert_eq!(ask(&guard, absolute, &[("host", "127.0.0.1:4111")]), Err(Refusal::Host));
    }

    #[test]
    fn origins() {
        let guard = guard(&Listen {
            allowed_origins: vec!["https://Chat.example.com".into()],
            ..Listen::default()
        });
        for (origin, expected) in [
            ("http://127.0.0.1:4111", Ok(true)),
            ("http://localhost:4111", Ok(true)),
            ("http://[::1]:4111", Ok(true)),
            ("https://chat.example.com", Ok(false)),
            ("https://chat.example.com:443", Ok(false)),
            ("https://chat.example.com:444", Err(Refusal::Origin)),
            ("http://chat.example.com", Err(Refusal::Origin)),
            ("http://localhost:4112", Err(Refusal::Origin)),
            ("https://localhost:4111", Err(Refusal::Origin)),
            ("http://evil.example", Err(Refusal::Origin)),
            ("http://x@127.0.0.1:4111", Err(Refusal::Origin)),
            ("http://127.0.0.1:4111/", Err(Refusal::Origin)),
            ("null", Err(Refusal::Origin)),
        ] {
            let list = [("host", "127.0.0.1:4111"), ("origin", origin)];
            assert_eq!(ask(&guard, "/gw", &list), expected, "{origin}");
        }
        let twice = [
            ("host", "127.0.0.1:4111"),
            ("origin", "http://127.0.0.1:4111"),
            ("origin", "http://evil.example"),
        ];
        assert_eq!(ask(&guard, "/gw", &twice), Err(Refusal::Origin));
    }

    #[test]
    fn the_demo_has_a_host_of_its_own() {
        let demo = ("host", "demo.localhost:4111");
        let without = guard(&Listen::default());
        assert_eq!(ask(&without, "/clients/", &[demo]), Err(Refusal::Host));

        let guard = without.with_demo();
        let site = |host: &str| {
            let headers = headers(&[("host", host)]);
            guard.check(&Method::GET, &"/".parse().unwrap(), &headers).map(|(site, _)| site)
        };
        for (host, expected) in [
            ("demo.localhost:4111", Ok(Site::Demo)),
            ("Demo.Localhost:4111", Ok(Site::Demo)),
            ("localhost:4111", Ok(Site::Own)),
            ("127.0.0.1:4111", Ok(Site::Own)),
            ("demo.localhost", Err(Refusal::Host)),
            ("demo.localhost:4112", Err(Refusal::Host)),
            ("demo.localhost.:4111", Err(Refusal::Host)),
            ("x.demo.localhost:4111", Err(Refusal::Host)),
        ] {
            assert_eq!(site(host), expected, "{host}");
        }
        let own = ("host", "127.0.0.1:4111");
        let (page, desk) = ("http://demo.localhost:4111", "http://localhost:4111");
        for (host, path, origin, expected) in [
            // On the bus as the page of a defined application, or not at all.
            (own, "/gw", page, Err(Refusal::Origin)),
            (own, "/mcp", page, Err(Refusal::Origin)),
            (own, "/api/status", page, Err(Refusal::Origin)),
            (own, "/gw", "http://demo.localhost:4112", Err(Refusal::Origin)),
            (own, "/gw", "https://demo.localhost:4111", Err(Refusal::Origin)),
            (demo, "/assets/a.js", page, Ok(true)),
            (demo, "/assets/a.js", desk, Err(Refusal::Origin)),
            (demo, "/gw", desk, Err(Refusal::Origin)),
        ] {
            let list = [host, ("origin", origin)];
            assert_eq!(ask(&guard, path, &list), expected, "{} {path} {origin}", host.1);
        }
    }

    #[test]
    fn the_starter_script_is_for_every_page() {
        let guard = guard(&Listen { token: Some("s3cret".into()), ..Listen::default() });
        let list = headers(&[("host", "localhost:4111"), ("origin", "https://app.example")]);
        let ask = |method: Method, path: &str| {
            guard.check(&method, &path.parse().unwrap(), &list).map(|(site, _)| site)
        };
        assert_eq!(ask(Method::GET, "/deskwire.js"), Ok(Site::Own));
        assert_eq!(ask(Method::HEAD, "/deskwire.js?v=1"), Ok(Site::Own));
        assert_eq!(ask(Method::POST, "/deskwire.js"), Err(Refusal::Origin));
        assert_eq!(ask(Method::GET, "/deskwire.js/x"), Err(Refusal::Origin));
        assert_eq!(ask(Method::GET, "/"), Err(Refusal::Origin));
        let rebound = headers(&[("host", "evil.example:4111")]);
        let path = "/deskwire.js".parse().unwrap();
        assert_eq!(guard.check(&Method::GET, &path, &rebound).unwrap_err(), Refusal::Host);
    }

    #[test]
    fn elsewhere_than_loopback_needs_a_token() {
        let open = Listen { host: "0.0.0.0".into(), ..Listen::default() };
        let fault = Guard::new(&open, 4111).unwrap_err().to_string();
        assert!(fault.contains("Set listen.token"), "{fault}");

        let guard = guard(&Listen { token: Some("s3cret".into()), ..open });
        let host = ("host", "192.168.1.7:4111");
        assert_eq!(ask(&guard, "/mcp", &[host]), Err(Refusal::Token));
        for (given, expected) in [
            ("Bearer s3cret", Ok(true)),
            ("bearer s3cret", Ok(true)),
            ("Bearer s3cre", Err(Refusal::Token)),
            ("Bearer s3cretx", Err(Refusal::Token)),
            ("Basic s3cret", Err(Refusal::Token)),
            ("s3cret", Err(Refusal::Token)),
        ] {
            assert_eq!(ask(&guard, "/mcp", &[host, ("authorization", given)]), expected, "{given}");
        }
        assert_eq!(ask(&guard, "/gw", &[host]), Ok(true), "a hello brings its own credentials");
        assert_eq!(ask(&guard, "/mcp", &[("host", "evil.example:4111")]), Err(Refusal::Host));
        assert!(!format!("{guard:?}").contains("s3cret"));
    }

    #[test]
    fn an_origin_that_is_none_fails_the_start() {
        for origin in ["chat.example.com", "https://a/b", "ftp://a", "*", "null"] {
            let listen = Listen { allowed_origins: vec![origin.into()], ..Listen::default() };
            assert!(Guard::new(&listen, 4111).is_err(), "{origin}");
        }
    }
}
