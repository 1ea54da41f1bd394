//! Pages through the whole router: guard, hosts and headers.

use std::fs;
use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use deskwire_gateway::{Gateway, Tokens};
use deskwire_web_assets::Web;
use metrics_exporter_prometheus::PrometheusBuilder;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::config::Listen;
use crate::http::{Guard, Services, router};
use crate::stack;

const DESK: &str = "127.0.0.1:4111";
const DEMO: &str = "demo.localhost:4111";

async fn server(web: Web, demo: bool) -> Router {
    let config = stack::gateway_config(&crate::config::Config::default());
    let gateway = Gateway::new(config, Tokens::ephemeral().unwrap());
    let mcp = deskwire_mcp::Config::new("deskwire", "0.0.0");
    let (mcp, _) = stack::start_mcp(&gateway, mcp).await.unwrap();
    let services = Services {
        gateway,
        mcp: Some(mcp),
        desktop: None,
        web,
        demo: demo.then(|| DESK.parse().unwrap()),
        metrics: PrometheusBuilder::new().build_recorder().handle(),
    };
    router(services, Guard::new(&Listen::default(), 4111).unwrap())
}

fn built() -> (TempDir, Web) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join("dist").join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, content).unwrap();
    };
    write("desk/index.html", "<!doctype html><title>Desk</title>");
    write("desk/assets/app-1a2b.js", "run()");
    write("demo/clients/index.html", "<!doctype html><title>Clients</title>");
    write("demo/assets/clients-3c4d.js", "show()");
    write("client/deskwire.js", "start()");
    let web = Web::in_folder(folder.path().join("dist"));
    (folder, web)
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn ask(server: &Router, host: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(server, Method::GET, host, path, headers).await
}

async fn send(
    server: &Router,
    method: Method,
    host: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("host", host);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = server.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let text = String::from_utf8(body.to_vec()).unwrap();
    Answer { status: head.status, headers: head.headers, text }
}

#[tokio::test]
async fn the_desk_with_its_headers() {
    let (_folder, web) = built();
    let server = server(web, true).await;
    let page = ask(&server, "localhost:4111", "/", &[]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("<title>Desk</title>"), "{}", page.text);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; \
             img-src 'self' data: http: https:; font-src 'self'; \
             connect-src 'self' ws://localhost:4111; frame-src http: https:; \
             frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    let known = [("if-none-match", page.header("etag"))];
    assert_eq!(ask(&server, DESK, "/", &known).await.status, StatusCode::NOT_MODIFIED);

    let script = ask(&server, DESK, "/assets/app-1a2b.js", &[]).await;
    assert_eq!((script.status, &*script.text), (StatusCode::OK, "run()"));
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(script.header("cross-origin-resource-policy"), "same-origin");
    for path in ["/assets/none.js", "/assets/../index.html", "/assets/%2e%2e/index.html"] {
        assert_eq!(ask(&server, DESK, path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let posted = send(&server, Method::POST, DESK, "/", &[]).await;
    assert_eq!(posted.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_starter_is_for_pages_of_every_origin() {
    let (_folder, web) = built();
    let server = server(web, false).await;
    for headers in [
        &[][..],
        &[("origin", "https://app.example")],
        &[("origin", "null"), ("sec-fetch-site", "cross-site")],
        &[("origin", "http://localhost:4111")],
    ] {
        let script = ask(&server, DESK, "/deskwire.js", headers).await;
        assert_eq!((script.status, &*script.text), (StatusCode::OK, "start()"), "{headers:?}");
        let allowed = script.header("access-control-allow-origin");
        assert!(allowed == "*" || headers.contains(&("origin", allowed)), "{headers:?}: {allowed}");
        assert_eq!(script.header("cross-origin-resource-policy"), "cross-origin", "{headers:?}");
        assert_eq!(script.header("cache-control"), "no-cache", "{headers:?}");
    }
    for path in ["/", "/assets/app-1a2b.js", "/api/status", "/api/diagnostics"] {
        let foreign = ask(&server, DESK, path, &[("origin", "https://app.example")]).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{path}");
    }
    let rebound = ask(&server, "evil.example:4111", "/deskwire.js", &[]).await;
    assert_eq!(rebound.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_demo_has_a_host_with_nothing_else() {
    let (_folder, web) = built();
    let server = server(web.clone(), true).await;
    let page = ask(&server, DEMO, "/clients/", &[]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("<title>Clients</title>"), "{}", page.text);
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self' ws://127.0.0.1:4111 ws://localhost:4111",
        "frame-ancestors http://127.0.0.1:4111 http://localhost:4111",
    ] {
        assert!(policy.split("; ").any(|found| found == part), "{part} in {policy}");
    }
    let asset =
        ask(&server, DEMO, "/assets/clients-3c4d.js", &[("origin", "http://demo.localhost:4111")])
            .await;
    assert_eq!((asset.status, &*asset.text), (StatusCode::OK, "show()"));
    assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(ask(&server, DEMO, "/deskwire.js", &[]).await.text, "start()");

    for path in [
        "/",
        "/gw",
        "/mcp",
        "/api/status",
        "/api/diagnostics",
        "/metrics",
        "/healthz",
        "/assets/app-1a2b.js",
    ] {
        for method in [Method::GET, Method::POST] {
            let answer = send(&server, method.clone(), DEMO, path, &[]).await;
            let refused = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
            assert!(refused.contains(&answer.status), "{method} {path}: {}", answer.status);
        }
    }
    // The desk's host has none of its pages, and where the demo does not run there is no such host.
    assert_eq!(ask(&server, DESK, "/clients/", &[]).await.status, StatusCode::NOT_FOUND);
    let without = self::server(web, false).await;
    assert_eq!(ask(&without, DEMO, "/clients/", &[]).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn without_a_built_web_the_start_page_says_what_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let unbuilt = server(Web::in_folder(folder.path().join("dist")), true).await;
    let page = ask(&unbuilt, DESK, "/", &[]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("run `npm ci &amp;&amp; npm run build` in"), "{}", page.text);
    let missing = ask(&unbuilt, DEMO, "/clients/", &[]).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert!(missing.text.contains("npm ci && npm run build"), "{}", missing.text);

    let headless = server(Web::none(), false).await;
    let page = ask(&headless, DESK, "/", &[]).await;
    assert!(page.text.contains("Deskwire is running"), "{}", page.text);
    assert!(!page.text.contains("npm"), "{}", page.text);
}
