//! Who is there.

use std::sync::Arc;

use deskwire_connect::wire::{Flags, Method};
use deskwire_connect::{Client, InteropEvent, RegisteredMethod};
use serde_json::json;

use super::World;
use super::world::{eventually, method, serve};

/// The method of this name, when it is there.
async fn find(client: &Client, name: &str) -> Arc<RegisteredMethod> {
    eventually(&mut client.directory_changes(), || {
        let directory = client.directory();
        directory.find(name).next().map(|(_, method)| Arc::clone(method))
    })
    .await
}

pub(crate) async fn a_newcomer_sees_all_that_is_there(world: &World) {
    let server = world.peer("server").await;
    let described = Method {
        description: Some("adds".into()),
        flags: Flags {
            metadata: json!({"ioIntelMCPTool": {"name": "add"}}).as_object().unwrap().clone(),
            streaming: false,
        },
        ..method("Demo.Add")
    };
    let _add =
        server.register(described.clone(), |_| async { Ok(json!({}).into()) }).await.unwrap();
    let _other = serve(&server, "Demo.Other", "server").await;

    // Ready means complete: nothing is waited for.
    let newcomer = world.peer("newcomer").await;
    let directory = newcomer.directory();
    let (found, add) = directory.find("demo.ADD").next().unwrap();
    assert_eq!(found.identity.application(), Some("server"));
    assert!(found.local && !found.is_self);
    assert_eq!(*add.method, described);
    let names: Vec<_> = found.methods().map(|method| method.method.name.as_str()).collect();
    assert_eq!(names, ["Demo.Add", "Demo.Other"]);
    assert!(directory.server(&found.peer_id).is_some());
    let order: Vec<_> =
        directory.servers().filter_map(|server| server.identity.application()).collect();
    assert_eq!(order, ["server", "newcomer"]);
}

pub(crate) async fn the_snapshot_stays_while_nothing_changes(world: &World) {
    let client = world.peer("client").await;
    let _mine = serve(&client, "Mine", "client").await;
    find(&client, "Mine").await;
    let before = client.directory();
    assert!(Arc::ptr_eq(&before, &client.directory()));
    let _more = serve(&client, "More", "client").await;
    find(&client, "More").await;
    assert!(!Arc::ptr_eq(&before, &client.directory()));
    assert!(before.find("More").next().is_none());
}

pub(crate) async fn methods_keep_their_identity_while_others_change(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let _stays = serve(&server, "Stays", "server").await;
    let before = find(&client, "Stays").await;
    let _more = serve(&server, "More", "server").await;
    find(&client, "More").await;
    assert!(Arc::ptr_eq(&before, &find(&client, "Stays").await));
}

pub(crate) async fn changes_are_announced_in_order(world: &World) {
    let client = world.peer("client").await;
    let mut events = client.events();
    let server = world.peer("server").await;
    let registration = serve(&server, "Comes.And.Goes", "server").await;
    registration.unregister().await.unwrap();
    server.close().await;
    let mut seen = Vec::new();
    while seen.len() < 4 {
        seen.push(match events.recv().await.unwrap() {
            InteropEvent::PeerAdded { identity, .. } => {
                format!("+ {}", identity.application().unwrap())
            }
            InteropEvent::PeerRemoved { identity, .. } => {
                format!("- {}", identity.application().unwrap())
            }
            InteropEvent::MethodAdded(method) => format!("+ {}", method.method.name),
            InteropEvent::MethodRemoved(method) => format!("- {}", method.method.name),
        });
    }
    assert_eq!(seen, ["+ server", "+ Comes.And.Goes", "- Comes.And.Goes", "- server"]);
}

pub(crate) async fn a_peer_that_leaves_is_gone_with_its_methods(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let _method = serve(&server, "Here", "server").await;
    let peer = find(&client, "Here").await.key.server.clone();
    server.close().await;
    eventually(&mut client.directory_changes(), || {
        client.directory().server(&peer).is_none().then_some(())
    })
    .await;
    assert!(client.directory().find("Here").next().is_none());
}

pub(crate) async fn own_methods_are_in_the_directory(world: &World) {
    let client = world.peer("client").await;
    let registration = serve(&client, "Mine", "client").await;
    let method = find(&client, "Mine").await;
    assert_eq!(registration.method_key(), Some(method.key.clone()));
    let directory = client.directory();
    assert!(directory.server(&method.key.server).unwrap().is_self);
}
