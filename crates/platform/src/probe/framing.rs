//! Whether a page may be shown in a frame of another origin, by the headers it comes with.
//!
//! The rules are those of browsers: where a policy has `frame-ancestors`, it alone counts, and each
//! policy has to agree; else `X-Frame-Options` counts, of which `ALLOW-FROM` and anything else that
//! is not understood says nothing.

use reqwest::header::{CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, X_FRAME_OPTIONS};
use url::{Origin, Url};

/// A header that refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Its name, as people write it.
    pub(super) header: &'static str,
    /// What of it refuses.
    pub(super) value: String,
}

/// Why the page at `page` may not be framed by a page of the origin of `desk`; `None` where it may.
pub(super) fn refusal(headers: &HeaderMap, page: &Url, desk: &Url) -> Option<Refusal> {
    let mut has_ancestors = false;
    for policy in items(headers, &CONTENT_SECURITY_POLICY) {
        let Some(sources) = frame_ancestors(policy) else { continue };
        has_ancestors = true;
        if !sources.iter().any(|source| allows(source, page, desk)) {
            let value = format!("frame-ancestors {}", sources.join(" "));
            return Some(Refusal { header: "Content-Security-Policy", value: value.trim().into() });
        }
    }
    if has_ancestors { None } else { by_options(headers, page, desk) }
}

/// The items of a header that is a list, over all its lines.
fn items<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|item| !item.is_empty())
}

fn by_options(headers: &HeaderMap, page: &Url, desk: &Url) -> Option<Refusal> {
    let mut options: Vec<_> =
        items(headers, &X_FRAME_OPTIONS).map(str::to_ascii_lowercase).collect();
    options.sort();
    options.dedup();
    let known = |option: &String| matches!(&**option, "deny" | "sameorigin" | "allowall");
    let refuses = match &options[..] {
        [] => false,
        [one] if one == "deny" => true,
        [one] if one == "sameorigin" => !same_origin(page, desk),
        [_] => false,
        several => several.iter().any(known),
    };
    refuses.then(|| Refusal {
        header: "X-Frame-Options",
        value: options.join(", ").to_ascii_uppercase(),
    })
}

fn same_origin(one: &Url, other: &Url) -> bool {
    matches!(one.origin(), Origin::Tuple(..)) && one.origin() == other.origin()
}

/// The sources of the directive, if the policy has it. The first of several counts.
fn frame_ancestors(policy: &str) -> Option<Vec<&str>> {
    policy.split(';').find_map(|directive| {
        let mut words = directive.split_ascii_whitespace();
        let name = words.next()?;
        name.eq_ignore_ascii_case("frame-ancestors").then(|| words.collect())
    })
}

/// Whether one source of a policy, sent with `page`, stands for the origin of `desk`.
fn allows(source: &str, page: &Url, desk: &Url) -> bool {
    let source = source.to_ascii_lowercase();
    match &*source {
        "'none'" => return false,
        "'self'" => return same_origin(page, desk),
        "*" => return matches!(desk.scheme(), "http" | "https"),
        _ => {}
    }
    if let Some(scheme) = source.strip_suffix(':') {
        return is_scheme(scheme, desk);
    }
    let (scheme, rest) = match source.split_once("://") {
        Some((scheme, rest)) => (scheme, rest),
        // Without a scheme, that of the page is meant.
        None => (page.scheme(), &*source),
    };
    // A path says nothing of an origin.
    let authority = rest.split('/').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    is_scheme(scheme, desk) && is_host(host, desk) && is_port(port, desk)
}

/// A page over TLS is as good as one without.
fn is_scheme(scheme: &str, desk: &Url) -> bool {
    scheme == desk.scheme() || (scheme == "http" && desk.scheme() == "https")
}

fn is_host(pattern: &str, desk: &Url) -> bool {
    // A policy cannot name an address of IPv6.
    let host = desk.domain().or_else(|| desk.host_str().filter(|host| !host.starts_with('[')));
    match (pattern.strip_prefix('*'), host) {
        (Some(""), _) => true,
        (Some(end), Some(host)) => {
            end.starts_with('.') && host.len() > end.len() && host.ends_with(end)
        }
        (None, Some(host)) => pattern == host,
        (_, None) => false,
    }
}

fn is_port(port: Option<&str>, desk: &Url) -> bool {
    let own = desk.port_or_known_default();
    match port {
        Some("*") => true,
        // Only the port that goes without saying is meant.
        None => desk.port().is_none(),
        Some(port) => {
            let port = port.parse().ok();
            port == own || (port == Some(80) && desk.scheme() == "https" && own == Some(443))
        }
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    const PAGE: &str = "https://app.example/trade/";
    const LOCAL: &str = "http://127.0.0.1:4111";

    fn refused(headers: &[(&HeaderName, &str)], page: &str, desk: &str) -> Option<Refusal> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        refusal(&map, &page.parse().unwrap(), &desk.parse().unwrap())
    }

    #[test]
    fn x_frame_options() {
        let (same, other) = ("https://app.example", LOCAL);
        for (values, desk, allowed) in [
            (&[][..], other, true),
            (&["DENY"], other, false),
            (&["deny"], same, false),
            (&["SAMEORIGIN"], other, false),
            (&["SameOrigin"], same, true),
            (&["ALLOW-FROM https://elsewhere.example"], other, true),
            (&["ALLOWALL"], other, true),
            (&["nonsense"], other, true),
            (&["", " "], other, true),
            (&["SAMEORIGIN, SAMEORIGIN"], same, true),
            (&["SAMEORIGIN", "sameorigin"], other, false),
            (&["SAMEORIGIN", "DENY"], same, false),
            (&["ALLOWALL", "nonsense"], other, false),
            (&["one", "two"], other, true),
        ] {
            let headers: Vec<_> = values.iter().map(|value| (&X_FRAME_OPTIONS, *value)).collect();
            assert_eq!(refused(&headers, PAGE, desk).is_none(), allowed, "{values:?} {desk}");
        }
    }

    #[test]
    fn frame_ancestors() {
        for (policy, desk, allowed) in [
            ("default-src 'none'", LOCAL, true),
            ("frame-ancestors", LOCAL, false),
            ("frame-ancestors 'none'", LOCAL, false),
            ("frame-ancestors 'self'", LOCAL, false),
            ("frame-ancestors 'self'", "https://app.example", true),
            ("frame-ancestors 'self'", "https://app.example:444", false),
            ("frame-ancestors 'self'", "http://app.example", false),
            ("frame-ancestors *", LOCAL, true),
            ("frame-ancestors http:", LOCAL, true),
            ("frame-ancestors https:", LOCAL, false),
            ("frame-ancestors http:", "https://desk.example", true),
            ("frame-ancestors http://127.0.0.1:4111", LOCAL, true),
            ("frame-ancestors http://127.0.0.1:4111/path", LOCAL, true),
            ("frame-ancestors HTTP://LocalHost:4111", "http://localhost:4111", true),
            ("frame-ancestors http://localhost:4111", LOCAL, false),
            ("frame-ancestors http://127.0.0.1", LOCAL, false),
            ("frame-ancestors http://127.0.0.1:*", LOCAL, true),
            ("frame-ancestors http://127.0.0.1:4112", LOCAL, false),
            ("frame-ancestors http://*:4111", LOCAL, true),
            // Without a scheme that of the page is meant, which is https.
            ("frame-ancestors 127.0.0.1:4111", LOCAL, false),
            ("frame-ancestors desk.example", "https://desk.example", true),
            ("frame-ancestors http://desk.example:80", "https://desk.example", true),
            ("frame-ancestors https://*.example", "https://desk.example", true),
            ("frame-ancestors https://*.example", "https://a.desk.example", true),
            ("frame-ancestors https://*.desk.example", "https://desk.example", false),
            ("frame-ancestors https://*desk.example", "https://mydesk.example", false),
            ("frame-ancestors http://[::1]:4111", "http://[::1]:4111", false),
            ("frame-ancestors 'none' http://127.0.0.1:4111", LOCAL, true),
            ("script-src 'self';  Frame-Ancestors\thttp://127.0.0.1:4111 ; x", LOCAL, true),
            ("frame-ancestors 'none'; frame-ancestors *", LOCAL, false),
            ("frame-ancestors *, frame-ancestors 'none'", LOCAL, false),
        ] {
            let headers = [(&CONTENT_SECURITY_POLICY, policy)];
            assert_eq!(refused(&headers, PAGE, desk).is_none(), allowed, "{policy} {desk}");
        }
    }

    #[test]
    fn the_policy_counts_before_the_option() {
        let csp = &CONTENT_SECURITY_POLICY;
        let refused = |headers: &[(&HeaderName, &str)]| refused(headers, PAGE, LOCAL);
        assert_eq!(refused(&[(&X_FRAME_OPTIONS, "DENY"), (csp, "frame-ancestors http:")]), None);
        let options = refused(&[(&X_FRAME_OPTIONS, "deny"), (csp, "default-src *")]).unwrap();
        assert_eq!((options.header, &*options.value), ("X-Frame-Options", "DENY"));
        let policy = refused(&[(csp, "default-src *"), (csp, "frame-ancestors https://a.example")]);
        let policy = policy.unwrap();
        assert_eq!(policy.header, "Content-Security-Policy");
        assert_eq!(policy.value, "frame-ancestors https://a.example");
        let report = HeaderName::from_static("content-security-policy-report-only");
        assert_eq!(refused(&[(&report, "frame-ancestors 'none'")]), None);
    }
}
