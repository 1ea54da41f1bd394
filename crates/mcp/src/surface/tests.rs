//! Offers in, views out.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use rmcp::model::CallToolResult;

use super::*;
use crate::profile::Needs;

/// A tool that is only looked at.
struct Plain(Definition);

impl Tool for Plain {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call(&self, _: CallContext) -> BoxFuture<'_, CallToolResult> {
        ready(CallToolResult::success(Vec::new())).boxed()
    }
}

fn tool(name: &str, description: &str, needs: Needs) -> Arc<dyn Tool> {
    let published = rmcp::model::Tool::new(
        name.to_owned(),
        description.to_owned(),
        Arc::new(rmcp::model::JsonObject::new()),
    );
    Arc::new(Plain(Definition::new(published, needs)))
}

fn dynamic(names: &[&str]) -> Vec<(Origin, Offer)> {
    let tools = names.iter().map(|name| tool(name, "A tool.", Needs::NOTHING)).collect();
    vec![(Origin::Dynamic, Offer { tools, ..Offer::default() })]
}

fn names(surface: &Surface, profile: Profile) -> Vec<String> {
    surface.tools(profile).map(|tool| tool.definition().name().to_string()).collect()
}

#[test]
fn tools_stand_in_order_of_origin_and_name() {
    let offer = |names: &[&str]| Offer {
        tools: names.iter().map(|name| tool(name, "A tool.", Needs::NOTHING)).collect(),
        ..Offer::default()
    };
    let surface = Surface::assemble(
        vec![
            (Origin::Dynamic, offer(&["zebra", "ant", "hello", "search"])),
            (Origin::Static, offer(&["hello", "bye"])),
            (Origin::System, offer(&["search"])),
        ],
        &Rules::default(),
        None,
    );
    assert_eq!(names(&surface, Profile::NONE), ["search", "bye", "hello", "ant", "zebra"]);
    let reasons: Vec<_> =
        surface.withheld().iter().map(|it| format!("{}: {}", it.name, it.reason)).collect();
    assert_eq!(
        reasons,
        [
            "hello: a static tool has this name already",
            "search: a system tool has this name already"
        ]
    );
}

#[test]
fn a_profile_sees_what_it_is_for() {
    let offer = Offer {
        tools: vec![
            tool("always", "A tool.", Needs::NOTHING),
            tool("asks", "A tool.", Needs::present(Profile::ELICITATION)),
            tool("shows", "A tool.", Needs::present(Profile::UI | Profile::SAMPLING)),
            tool(
                "context",
                "A tool.",
                Needs { present: Profile::NONE, absent: Profile::WORKING_CONTEXT },
            ),
        ],
        ..Offer::default()
    };
    let surface = Surface::assemble(vec![(Origin::System, offer)], &Rules::default(), None);
    let golden: Vec<_> = [
        Profile::NONE,
        Profile::ELICITATION,
        Profile::UI,
        Profile::UI | Profile::SAMPLING,
        Profile::ALL,
    ]
    .into_iter()
    .map(|profile| {
        let withheld = surface.view(profile).withheld().iter();
        let withheld: Vec<_> =
            withheld.map(|it| format!("{}: {} ({})", it.name, it.reason, it.fix)).collect();
        format!("{profile}: {}\n  {}", names(&surface, profile).join(" "), withheld.join("\n  "))
    })
    .collect();
    insta::assert_snapshot!(golden.join("\n"));
    assert!(matches!(surface.find(Profile::NONE, "shows"), Found::Unknown));
    assert!(matches!(surface.find(Profile::ALL, "shows"), Found::Tool(_)));
}

#[test]
fn without_the_bus_what_is_not_there_is_out_of_reach() {
    let missing = Arc::new(Withheld {
        kind: Kind::Bus,
        name: "ws://desk".into(),
        application: None,
        method: None,
        stage: Stage::Bus,
        reason: "nobody answers".into(),
        fix: "start it".into(),
    });
    let system = |withheld| Offer {
        tools: vec![
            tool("always", "A tool.", Needs::NOTHING),
            tool("shows", "A tool.", Needs::present(Profile::UI)),
        ],
        withheld,
    };
    let applications = |present: bool| {
        let was = tool("was", "A tool.", Needs::NOTHING);
        let showed = tool("showed", "A tool.", Needs::present(Profile::UI));
        let tools = if present { vec![was, showed] } else { Vec::new() };
        (Origin::Dynamic, Offer { tools, ..Offer::default() })
    };
    let with = |withheld, present, previous: Option<&Surface>| {
        let offers = vec![(Origin::System, system(withheld)), applications(present)];
        Surface::assemble(offers, &Rules::default(), previous)
    };
    let joined = with(Vec::new(), true, None);
    let lost = with(vec![missing], false, Some(&joined));
    let again = with(Vec::new(), false, Some(&lost));
    assert!(joined.missing_bus().is_none() && lost.missing_bus().is_some());
    let found: Vec<_> = ["always", "shows", "was", "showed", "never"]
        .map(|name| {
            let [joined, lost, again] = [&joined, &lost, &again]
                .map(|surface| format!("{:?}", surface.find(Profile::NONE, name)));
            format!("{name}: {joined}, {lost}, {again}")
        })
        .into();
    assert_eq!(
        found,
        [
            "always: Tool(always), Tool(always), Tool(always)",
            "shows: Unknown, Unknown, Unknown",
            "was: Tool(was), OutOfReach(nobody answers), Departed",
            "showed: Unknown, Unknown, Unknown",
            "never: Unknown, OutOfReach(nobody answers), Unknown",
        ]
    );
    let diagnostics = lost.diagnostics(Profile::NONE);
    assert!(diagnostics.iter().any(|it| it.kind == Kind::Bus && !it.visible));
}

#[test]
fn a_revision_moves_with_what_its_profile_sees() {
    let surface = |description: &str, ui: &str| {
        let tools = vec![
            tool("plain", description, Needs::NOTHING),
            tool("view", ui, Needs::present(Profile::UI)),
        ];
        Surface::assemble(
            vec![(Origin::Dynamic, Offer { tools, ..Offer::default() })],
            &Rules::default(),
            None,
        )
    };
    let revisions = |surface: &Surface| {
        (surface.view(Profile::NONE).revision(), surface.view(Profile::UI).revision())
    };
    let (none, ui) = revisions(&surface("A tool.", "A view."));
    assert_ne!(none, ui);
    assert_eq!(revisions(&surface("A tool.", "A view.")), (none, ui), "nothing moved");
    let (same, moved) = revisions(&surface("A tool.", "Another view."));
    assert_eq!(same, none, "not seen by this profile");
    assert_ne!(moved, ui);
    let (moved, _) = revisions(&surface("Another tool.", "A view."));
    assert_ne!(moved, none);
}

#[test]
fn the_limit_is_on_what_a_client_sees() {
    let many: Vec<_> = (0..140).map(|at| format!("tool_{at:03}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let mut offers = dynamic(&many);
    offers[0].1.tools.insert(0, tool("a_view", "A view.", Needs::present(Profile::UI)));
    let surface = Surface::assemble(offers, &Rules { limit: Some(100), ..Rules::default() }, None);
    let view = surface.view(Profile::NONE);
    assert_eq!((view.len(), view.over_limit()), (100, 40));
    assert_eq!(names(&surface, Profile::NONE), many[..100]);
    assert_eq!(names(&surface, Profile::UI)[0], "a_view");
    let over: Vec<_> =
        view.withheld().iter().filter(|it| it.stage == Stage::Configuration).collect();
    assert_eq!(over.len(), 40);
    assert_eq!(over[0].name, "tool_100");
    assert_eq!(over[0].reason, "there are more than 100 tools");
    assert!(matches!(surface.find(Profile::NONE, "tool_120"), Found::Unknown));
}

#[test]
fn a_list_stays_short_enough_to_be_read() {
    let long = "x".repeat(1024 * 1024);
    let tools = (0..20).map(|at| tool(&format!("tool_{at:02}"), &long, Needs::NOTHING)).collect();
    let offer = Offer { tools, ..Offer::default() };
    let surface = Surface::assemble(vec![(Origin::Dynamic, offer)], &Rules::default(), None);
    let view = surface.view(Profile::NONE);
    assert_eq!((view.len(), view.over_limit()), (15, 5));
    assert_eq!(view.withheld()[0].reason, "the list of tools is longer than 16777216 bytes");
}

#[test]
fn a_name_that_is_gone_is_remembered_for_those_who_saw_it() {
    let offer = |tools| vec![(Origin::Dynamic, Offer { tools, ..Offer::default() })];
    let view = || tool("view", "A view.", Needs::present(Profile::UI));
    let first = Surface::assemble(
        offer(vec![tool("greet", "Greets.", Needs::NOTHING), view()]),
        &Rules::default(),
        None,
    );
    let second = Surface::assemble(offer(Vec::new()), &Rules::default(), Some(&first));
    let third = Surface::assemble(offer(vec![view()]), &Rules::default(), Some(&second));
    for surface in [&second, &third] {
        assert!(matches!(surface.find(Profile::NONE, "greet"), Found::Departed));
        assert!(matches!(surface.find(Profile::NONE, "view"), Found::Unknown));
        assert!(matches!(surface.find(Profile::NONE, "never"), Found::Unknown));
    }
    assert!(matches!(second.find(Profile::UI, "view"), Found::Departed));
    assert!(matches!(third.find(Profile::UI, "view"), Found::Tool(_)));
}

#[test]
fn a_tool_that_others_pushed_out_of_the_list_is_gone() {
    let rules = Rules { limit: Some(3), ..Rules::default() };
    let first = Surface::assemble(dynamic(&["a", "c", "zz"]), &rules, None);
    assert_eq!(names(&first, Profile::NONE), ["a", "c", "zz"]);
    first.view(Profile::NONE).listed();
    let second = Surface::assemble(dynamic(&["a", "b", "c", "zz", "zzz"]), &rules, Some(&first));
    let third = Surface::assemble(dynamic(&["a", "b", "c", "zz"]), &rules, Some(&second));
    for surface in [&second, &third] {
        assert!(matches!(surface.find(Profile::NONE, "zz"), Found::Departed));
        assert!(matches!(surface.find(Profile::UI, "zz"), Found::Unknown), "it never listed");
        assert!(matches!(surface.find(Profile::NONE, "zzz"), Found::Unknown));
    }
    let fourth = Surface::assemble(dynamic(&["a", "zz"]), &rules, Some(&third));
    assert!(matches!(fourth.find(Profile::NONE, "zz"), Found::Tool(_)));
}

#[test]
fn a_tool_that_is_now_for_others_is_gone() {
    let offer = |needs| {
        let tools = vec![tool("chart", "Draws a chart.", needs)];
        vec![(Origin::Dynamic, Offer { tools, ..Offer::default() })]
    };
    let first = Surface::assemble(offer(Needs::NOTHING), &Rules::default(), None);
    let view = Needs::present(Profile::UI);
    let second = Surface::assemble(offer(view), &Rules::default(), Some(&first));
    let third = Surface::assemble(Vec::new(), &Rules::default(), Some(&second));
    assert!(matches!(second.find(Profile::NONE, "chart"), Found::Departed));
    assert!(matches!(second.find(Profile::UI, "chart"), Found::Tool(_)));
    for profile in [Profile::NONE, Profile::UI] {
        assert!(matches!(third.find(profile, "chart"), Found::Departed));
    }
}

#[test]
fn all_that_an_application_had_is_remembered_within_bounds() {
    let many = |prefix: &str| (0..5_000).map(|at| format!("{prefix}_{at:04}")).collect::<Vec<_>>();
    let with = |names: Vec<String>, previous: Option<&Surface>| {
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        Surface::assemble(dynamic(&names), &Rules::default(), previous)
    };
    let mut surface = with(many("first"), None);
    for prefix in ["second", "third", "fourth", "fifth"] {
        surface = with(many(prefix), Some(&surface));
    }
    for name in ["second_4999", "fourth_0000", "fourth_4999"] {
        assert!(matches!(surface.find(Profile::NONE, name), Found::Departed), "{name}");
    }
    assert!(matches!(surface.find(Profile::NONE, "first_0000"), Found::Unknown), "the oldest");
    assert!(matches!(surface.find(Profile::NONE, "fifth_0000"), Found::Tool(_)));
}

#[test]
fn the_order_of_keys_is_no_news() {
    let revision = |schema: &str| {
        let schema = Arc::new(serde_json::from_str(schema).unwrap());
        let published = rmcp::model::Tool::new("greet", "Greets.", schema);
        let tools: Vec<Arc<dyn Tool>> =
            vec![Arc::new(Plain(Definition::new(published, Needs::NOTHING)))];
        let offers = vec![(Origin::Dynamic, Offer { tools, ..Offer::default() })];
        Surface::assemble(offers, &Rules::default(), None).view(Profile::NONE).revision()
    };
    let one =
        revision(r#"{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]}}}"#);
    let same =
        revision(r#"{"properties":{"a":{"enum":["x","y"],"type":"string"}},"type":"object"}"#);
    let other =
        revision(r#"{"properties":{"a":{"enum":["y","x"],"type":"string"}},"type":"object"}"#);
    assert_eq!(one, same);
    assert_ne!(one, other);
}
