//! The same story over each pair of links.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use deskwire_gateway::{Gateway, Limits};
use serde_json::json;
use support::{Peer, gateway, serve};

#[tokio::test]
async fn dropping_either_end_of_an_in_process_link_closes_it() {
    let gateway = gateway(Limits::default());
    let mut watcher = Peer::in_process(&gateway);
    watcher.join("watcher").await;
    for end in ["to", "from", "both"] {
        let mut peer = Peer::in_process(&gateway);
        let id = peer.join("peer").await;
        let method = json!({"id": 1, "name": "LastWords"});
        peer.send(json!({"domain": "agm", "type": "register", "methods": [method], "peer_id": id}))
            .await;
        let Peer::InProcess(to, from) = peer else { unreachable!() };
        let (to, from) = match end {
            "to" => {
                drop(to);
                (None, Some(from))
            }
            "from" => {
                drop(from);
                (Some(to), None)
            }
            _ => {
                drop((to, from));
                (None, None)
            }
        };
        assert_eq!(watcher.frame_of("methods-added").await["server_id"], json!(id), "{end}");
        assert_eq!(watcher.frame_of("peer-removed").await["removed_id"], json!(id), "{end}");
        drop((to, from));
    }
    assert_eq!(gateway.stats().links, 1);
}

async fn links(gateway: &Gateway) -> Vec<(Peer, Peer)> {
    let address = serve(gateway).await;
    vec![
        (Peer::in_process(gateway), Peer::in_process(gateway)),
        (Peer::socket(address).await, Peer::in_process(gateway)),
        (Peer::in_process(gateway), Peer::socket(address).await),
        (Peer::socket(address).await, Peer::socket(address).await),
    ]
}

#[tokio::test]
async fn a_call_goes_there_and_its_result_comes_back() {
    let gateway = gateway(Limits::default());
    for (mut server, mut client) in links(&gateway).await {
        let server_id = server.join("server").await;
        server.register(&server_id, json!({"id": 7, "name": "Add"})).await;
        let client_id = client.hello("client").await;
        client
            .send(json!({"type": "join", "destination": "agm", "request_id": "j", "peer_id": client_id}))
            .await;
        let mut seen = Vec::new();
        loop {
            let frame = client.frame().await;
            if frame["type"] == "success" {
                break;
            }
            if frame["new_peer_id"] == json!(server_id) || frame["server_id"] == json!(server_id) {
                seen.push(frame["type"].clone());
            }
        }
        assert_eq!(seen, ["peer-added", "methods-added"]);
        client
            .send(json!({"domain": "agm", "type": "call", "request_id": "c", "peer_id": client_id,
                         "server_id": server_id, "method_id": 7, "arguments_kv": {"a": 1.50}}))
            .await;
        let invoke = server.frame_of("invoke").await;
        assert_eq!(invoke["caller_id"], json!(client_id));
        assert_eq!(invoke["arguments_kv"].to_string(), r#"{"a":1.5}"#);
        server
            .send(json!({"domain": "agm", "type": "yield", "peer_id": server_id,
                         "invocation_id": invoke["invocation_id"], "result": {"sum": 3}}))
            .await;
        let result = client.frame_of("result").await;
        assert_eq!(result["request_id"], "c");
        assert_eq!(result["result"], json!({"sum": 3}));
    }
}
