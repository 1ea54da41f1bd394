//! Who could handle an intent, and who is meant: tables.

use std::sync::Arc;

use deskwire_wire::{Flags, Id, Identity, Method, MethodDef, PeerId};
use serde_json::{Map, Value, json};

use super::choice::choices;
use super::*;
use crate::services::apps::DeclaredIntent;
use crate::{Directory, MethodKey, RegisteredMethod, Server};

/// A server with methods: `(application, instance, [(name, flags)])`.
fn server(application: &str, instance: &str, methods: &[(&str, Value)]) -> Arc<Server> {
    let identity = json!({"application": application, "instance": instance});
    let identity = Identity::new(identity.as_object().cloned().unwrap_or_default());
    let peer = PeerId::from(instance);
    let mut server = Server::new(peer.clone(), identity, true, false);
    for (at, (name, flags)) in methods.iter().enumerate() {
        let metadata = flags.as_object().cloned().unwrap_or_default();
        let method = Method {
            name: (*name).into(),
            flags: Flags { metadata, ..Flags::default() },
            ..Method::default()
        };
        let id = Id::from(at.to_string().as_str());
        let def = MethodDef::new(id.clone(), &method).unwrap();
        let method = Arc::new(method);
        let key = MethodKey { server: peer.clone(), method: id.clone() };
        server.methods_mut().insert(id, Arc::new(RegisteredMethod { key, method, def }));
    }
    Arc::new(server)
}

fn app(name: &str, intents: &[(&str, &[&str])]) -> AppIntents {
    let declared = |(name, contexts): &(&str, &[&str])| DeclaredIntent {
        name: (*name).into(),
        display_name: None,
        contexts: contexts.iter().map(ToString::to_string).collect(),
        result_type: None,
        custom_config: None,
    };
    AppIntents {
        application: name.into(),
        title: Some(name.to_uppercase()),
        caption: None,
        intents: intents.iter().map(declared).collect(),
    }
}

fn told(handler: &IntentHandler) -> String {
    let place = handler.instance().map_or_else(|| "to be started".to_owned(), str::to_owned);
    format!("{} by {} ({place}) {:?}", handler.intent, handler.application, handler.context_types)
}

#[test]
fn handlers_are_those_defined_and_those_that_run_and_odd_ones_hide_none() {
    let directory = Directory::new(vec![
        server("caller", "c", &[]),
        server(
            "odd",
            "o",
            &[
                ("Tick42.FDC3.Intents.Show", json!({})),
                ("Tick42.FDC3.Intents.Show", json!({"intent": "yes"})),
                ("Tick42.FDC3.Intents.", json!({"intent": {}})),
                ("Show", json!({"intent": {}})),
            ],
        ),
        server(
            "chart",
            "chart-1",
            &[
                ("Tick42.FDC3.Intents.Show", json!({"intent": {"resultType": "picture"}})),
                ("Tick42.FDC3.Intents.Show", json!({"intent": {"contextTypes": ["again"]}})),
            ],
        ),
        server(
            "grid",
            "grid-1",
            &[("Tick42.FDC3.Intents.Show", json!({"intent": {"contextTypes": ["order"]}}))],
        ),
    ]);
    let declared =
        [app("chart", &[("Show", &["instrument"]), ("Print", &[])]), app("news", &[("Show", &[])])];
    let all: Vec<_> = handlers(&directory, &declared).iter().map(told).collect();
    assert_eq!(
        all,
        [
            r#"Show by chart (to be started) ["instrument"]"#,
            r#"Print by chart (to be started) []"#,
            r#"Show by news (to be started) []"#,
            // What the listener does not say, its definition does.
            r#"Show by chart (chart-1) ["instrument"]"#,
            r#"Show by grid (grid-1) ["order"]"#,
        ]
    );
}

/// Four handlers of `Show`: two defined, two that run.
fn four() -> Vec<IntentHandler> {
    let intent = |types: Value| json!({"intent": {"contextTypes": types, "resultType": "picture"}});
    let directory = Directory::new(vec![
        server("chart", "chart-1", &[("Tick42.FDC3.Intents.Show", intent(json!(["instrument"])))]),
        server("grid", "grid-1", &[("Tick42.FDC3.Intents.Show", json!({"intent": {}}))]),
    ]);
    handlers(
        &directory,
        &[app("chart", &[("Show", &["instrument"])]), app("news", &[("Show", &[])])],
    )
}

#[test]
fn a_target_says_who_is_meant_and_in_which_order() {
    let meant = |target: IntentTarget, prefer, change: fn(&mut HandlerFilter)| {
        let mut filter = HandlerFilter::of("Show");
        change(&mut filter);
        match choices(four(), &filter, &target, prefer) {
            Ok(handlers) => {
                let names = handlers.iter().map(|it| it.instance().unwrap_or(&it.application));
                names.collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string(),
        }
    };
    use IntentTarget::{Any, Application, Instance, Reuse, StartNew};
    let all = |_: &mut HandlerFilter| ();
    let golden = [
        ("any", meant(Any, Prefer::Running, all)),
        ("any, applications first", meant(Any, Prefer::Applications, all)),
        ("reuse", meant(Reuse, Prefer::Running, all)),
        ("start new", meant(StartNew, Prefer::Running, all)),
        ("app that runs", meant(Application("chart".into()), Prefer::Running, all)),
        ("app that does not", meant(Application("news".into()), Prefer::Running, all)),
        ("app without", meant(Application("mail".into()), Prefer::Running, all)),
        ("instance", meant(Instance("grid-1".into()), Prefer::Running, all)),
        ("instance that is gone", meant(Instance("grid-2".into()), Prefer::Running, all)),
        ("order", meant(Any, Prefer::Running, |filter| filter.context_type = Some("Order".into()))),
        (
            "instrument",
            meant(Any, Prefer::Running, |it| it.context_type = Some("Instrument".into())),
        ),
        ("picture", meant(Any, Prefer::Running, |it| it.result_type = Some("picture".into()))),
        ("report", meant(Any, Prefer::Running, |it| it.result_type = Some("report".into()))),
        (
            "only grid",
            meant(Any, Prefer::Running, |it| it.applications = Some(vec!["grid".into()])),
        ),
        (
            "grid, started",
            meant(StartNew, Prefer::Running, |it| it.applications = Some(vec!["grid".into()])),
        ),
        (
            "only mail",
            meant(Any, Prefer::Running, |it| it.applications = Some(vec!["mail".into()])),
        ),
        (
            "chart and order",
            meant(Any, Prefer::Running, |it| {
                it.applications = Some(vec!["chart".into()]);
                it.context_type = Some("order".into());
            }),
        ),
        ("another intent", meant(Any, Prefer::Running, |it| it.intent = Some("Print".into()))),
    ]
    .map(|(what, answer)| format!("{what}: {answer}"));
    assert_eq!(
        golden,
        [
            "any: chart-1 grid-1 chart news",
            "any, applications first: chart news chart-1 grid-1",
            "reuse: chart-1 grid-1",
            "start new: chart news",
            "app that runs: chart-1",
            "app that does not: news",
            "app without: TargetAppUnavailable: `mail` does not handle the intent `Show`, neither \
             running nor by definition",
            "instance: grid-1",
            "instance that is gone: TargetInstanceUnavailable: grid-2 cannot handle the intent \
             `Show`: it is not on the bus, or does not handle this intent",
            "order: grid-1 news",
            "instrument: chart-1 grid-1 chart news",
            "picture: chart-1",
            "report: NoAppsFound: nobody handles the intent `Show`: `chart`, `news`, `grid` do not \
             declare results of type `report`",
            "only grid: grid-1",
            "grid, started: NoAppsFound: nobody handles the intent `Show`: it is handled by running \
             instances, and no application is defined to be started for it",
            "only mail: NoAppsFound: nobody handles the intent `Show`: `chart`, `news`, `grid` handle \
             it and are not among those that may",
            "chart and order: NoAppsFound: nobody handles the intent `Show`: `chart` takes contexts of type \
             `instrument`, not `order`",
            "another intent: NoAppsFound: nobody handles the intent `Print`: no application on the \
             bus registers it, and none is defined to handle it",
        ]
    );
}

#[test]
fn a_listener_has_the_flag_even_if_it_says_nothing() {
    let method = IntentListener::new("Show").into_method();
    assert_eq!(method.name, "Tick42.FDC3.Intents.Show");
    assert_eq!(Value::Object(method.flags.metadata), json!({"intent": {}}));
    let listener = IntentListener {
        context_types: vec!["instrument".into()],
        result_type: Some("picture".into()),
        custom_config: Some(Map::new()),
        ..IntentListener::new("Show")
    };
    assert_eq!(
        Value::Object(listener.into_method().flags.metadata),
        json!({"intent": {"contextTypes": ["instrument"], "resultType": "picture", "customConfig": {}}})
    );
}
