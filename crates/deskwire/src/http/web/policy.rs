//! What pages may load: their content security policies.

/// The policy of the desk, as `host` serves it. It shows pages of every origin in frames, and
/// nobody may show it in one.
pub(super) fn desk(host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: http: https:; \
         font-src 'self'; connect-src 'self' ws://{host}; frame-src http: https:; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// The policy of the demo's pages: all of their own host, the bus, and the desk around them.
/// A policy cannot name an IPv6 address, so a desk at `[::1]` does not show them.
pub(super) fn demo(gateway_url: &str, port: u16) -> String {
    let gateway = gateway_url.trim_end_matches("/gw");
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data:; font-src 'self'; \
         connect-src 'self' {gateway} ws://localhost:{port}; \
         frame-ancestors http://127.0.0.1:{port} http://localhost:{port}; \
         base-uri 'none'; form-action 'none'"
    )
}
