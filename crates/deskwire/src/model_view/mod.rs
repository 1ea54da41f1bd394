//! Everything that a model sees of Deskwire, in one file that is reviewed:
//! instructions, tools as each kind of client is shown them, and errors.
//!
//! Words and schemas are what a model goes by, so a change of them is a change
//! of behaviour. It is also where one reads how much of a model's context the
//! tools cost.

mod desk;

use std::fmt::Write;

use serde_json::{Value, json};

use desk::{Asking, Desk, read, within, without_bus};

const INTRODUCTION: &str = "\
Written by the test `model_view` in crates/deskwire/src/model_view, through a client, of the demo \
applications, some static tools, and an application whose tools (zz_…) fail. \
Each sentence of a text is on a line of its own.";

#[tokio::test]
async fn what_a_model_sees() {
    let mut desk = Desk::new().await;
    let mut document = "# What a model sees\n".to_owned();
    quote(&mut document, INTRODUCTION);

    document.push_str("\n## Instructions\n");
    let discovered = desk.client.ask("server/discover", json!({}), &json!({})).await;
    quote(&mut document, discovered["result"]["instructions"].as_str().unwrap());

    let mut views = Vec::new();
    for (declared, capabilities) in profiles() {
        let listed = desk.client.ask("tools/list", json!({}), &capabilities).await;
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        views.push(View { declared, tools });
    }
    write_lists(&mut document, &views);
    write_tools(&mut document, &views);

    document.push_str("\n## Errors\n");
    for (what, text) in errors(desk).await {
        write!(document, "\n### {what}\n").unwrap();
        quote(&mut document, &text);
    }
    insta::with_settings!({
        snapshot_path => "../../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("what_a_model_sees", document);
    });
}

/// The tools that a client which declares this is shown.
struct View {
    declared: &'static str,
    tools: Vec<Value>,
}

fn profiles() -> [(&'static str, Value); 5] {
    let (sampling, elicitation) = (json!({"sampling": {}}), json!({"elicitation": {}}));
    let ui = json!({"extensions": {"io.modelcontextprotocol/ui":
                    {"mimeTypes": ["text/html;profile=mcp-app"]}}});
    let mut all = ui.clone();
    for (one, capabilities) in [("sampling", &sampling), ("elicitation", &elicitation)] {
        all[one] = capabilities[one].clone();
    }
    [
        ("nothing", json!({})),
        ("sampling", sampling),
        ("elicitation", elicitation),
        ("ui", ui),
        ("everything", all),
    ]
}

/// Each list that there is, once: its names in order, and what it costs.
fn write_lists(document: &mut String, views: &[View]) {
    for (at, view) in views.iter().enumerate() {
        let same = |other: &&View| other.tools == view.tools;
        if views[..at].iter().any(|earlier| earlier.tools == view.tools) {
            continue;
        }
        let declared: Vec<_> = views.iter().filter(same).map(|view| view.declared).collect();
        write!(document, "\n## Tools of clients that declare: {}\n\n", declared.join(", "))
            .unwrap();
        let bytes: usize = view.tools.iter().map(|tool| tool.to_string().len()).sum();
        write!(document, "{} tools, {bytes} bytes\n\n", view.tools.len()).unwrap();
        for tool in &view.tools {
            writeln!(document, "- {}", tool["name"].as_str().unwrap()).unwrap();
        }
    }
}

/// Each definition that there is, once, with the lists that have it.
fn write_tools(document: &mut String, views: &[View]) {
    document.push_str("\n## Definitions\n");
    let mut written: Vec<&Value> = Vec::new();
    for tool in views.iter().flat_map(|view| &view.tools) {
        if written.contains(&tool) {
            continue;
        }
        written.push(tool);
        let has = |view: &&View| view.tools.contains(tool);
        let declared: Vec<_> = views.iter().filter(has).map(|view| view.declared).collect();
        write!(document, "\n### {}\n", tool["name"].as_str().unwrap()).unwrap();
        if declared.len() < views.len() {
            write!(document, "\nFor clients that declare: {}\n", declared.join(", ")).unwrap();
        }
        quote(document, tool["description"].as_str().unwrap());
        // Name and description stand above; the rest as it is, in its order.
        let mut rest = tool.as_object().unwrap().clone();
        rest.shift_remove("name");
        rest.shift_remove("description");
        let rest = serde_json::to_string_pretty(&rest).unwrap();
        write!(document, "\n```json\n{rest}\n```\n").unwrap();
    }
}

/// What a model reads when something goes wrong.
async fn errors(mut desk: Desk) -> Vec<(&'static str, String)> {
    let client = &mut desk.client;
    let mut errors = vec![
        (
            "arguments do not fit",
            client.call("place_order", json!({"clientId": 7, "side": "keep", "qty": 1})).await,
        ),
        ("the demo refuses", client.call("get_client", json!({"clientId": "C-0000"})).await),
        ("an application refuses", client.call("zz_refuses", json!({})).await),
        ("a result does not fit", client.call("zz_answers_wrong", json!({})).await),
        ("an application panics", client.call("zz_panics", json!({})).await),
        ("no answer in time", client.call("write_note", json!({"text": "hello"})).await),
        ("nobody serves a constant tool", client.call("archive_note", json!({"text": "x"})).await),
        ("a tool nobody knows", client.call("no_such_tool", json!({})).await),
        ("a tool for other clients", client.call("show_note", json!({"text": "x"})).await),
        ("a cursor", failure(client, "tools/list", json!({"cursor": "next"})).await),
        ("a method nobody knows", failure(client, "tools/explain", json!({})).await),
        ("parameters that cannot be read", failure(client, "tools/call", json!({"name": 7})).await),
    ];
    // The call that had no answer in time was told as well.
    within(desk.called.notified()).await;
    let never = json!({"name": "zz_never_answers", "arguments": {}});
    client.begin("tools/call", never, &json!({})).await;
    within(desk.called.notified()).await;
    desk.lose().await;
    let client = &mut desk.client;
    errors.push(("an application leaves", read(&client.answer().await)));
    errors.push(("a tool that is gone", client.call("zz_never_answers", json!({})).await));

    let mut alone = without_bus().await;
    errors.push(("no bus", alone.call("find_clients", json!({})).await));
    errors.push((
        "no bus for a constant tool",
        alone.call("archive_note", json!({"text": "x"})).await,
    ));
    errors
}

async fn failure(client: &mut Asking, method: &str, params: Value) -> String {
    read(&client.ask(method, params, &json!({})).await)
}

/// A text as a quotation, a sentence a line.
fn quote(document: &mut String, text: &str) {
    document.push('\n');
    for line in text.replace(". ", ".\n").lines() {
        writeln!(document, "> {line}").unwrap();
    }
}
