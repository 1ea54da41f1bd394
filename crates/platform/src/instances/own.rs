//! Which pages are of the server's own origin.

use url::{Host, Url};

/// Whether a page would have the origin of the desk, which the server shows where its gateway is:
/// scripts of such a page could do all that the desk may.
pub(super) fn is_own(page: &Url, gateway: &Url) -> bool {
    let same_port = page.port_or_known_default() == gateway.port_or_known_default();
    let this_machine = match page.host() {
        Some(Host::Domain(name)) => name.trim_end_matches('.').eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => {
            let mapped = address.to_ipv4_mapped().is_some_and(|address| address.is_loopback());
            address.is_loopback() || address.is_unspecified() || mapped
        }
        None => false,
    };
    same_port && (this_machine || page.host() == gateway.host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_server_itself() {
        let gateway = Url::parse("ws://127.0.0.1:4111/gw").unwrap();
        for (page, own) in [
            ("http://127.0.0.1:4111/", true),
            ("http://localhost:4111/any/page", true),
            ("http://LOCALHOST:4111/", true),
            ("http://localhost.:4111/", true),
            ("http://user@localhost:4111/", true),
            ("http://[::1]:4111/", true),
            ("http://[::ffff:127.0.0.1]:4111/", true),
            ("http://127.1.2.3:4111/", true),
            ("http://0.0.0.0:4111/", true),
            ("http://0x7f000001:4111/", true),
            ("http://demo.localhost:4111/", false),
            ("http://localhost:4112/", false),
            ("http://localhost/", false),
            ("https://app.example/", false),
            ("http://app.example:4111/", false),
        ] {
            assert_eq!(is_own(&page.parse().unwrap(), &gateway), own, "{page}");
        }
        let elsewhere = Url::parse("ws://192.168.1.7:80/gw").unwrap();
        assert!(is_own(&"http://192.168.1.7/".parse().unwrap(), &elsewhere));
        assert!(!is_own(&"http://192.168.1.8/".parse().unwrap(), &elsewhere));
    }
}
