//! Shared contexts.

use super::table::{check, check_with, limits};
use crate::Limits;

#[test]
fn a_context_is_made_by_the_first_change() {
    check(
        r#"
        ready
        get G ctx
        G: none
        write A ctx update {"a":1,"none":null}
        > create-context #2 {"name":"ctx","data":{"a":1},"lifetime":"retained"}
        write B ctx update {"b":2}
        get H ctx
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        < {"type":"context-created","domain":"global","request_id":"2","context_id":"c-1"}
        > update-context #3 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"b","value":2}]}}
        A: ()
        H: {"a":1}
        < {"type":"success","domain":"global","request_id":"3"}
        B: ()
        get I ctx
        I: {"a":1,"b":2}
        "#,
    );
}

#[test]
fn a_lost_race_to_make_it_loses_no_change() {
    check(
        r#"
        ready
        write A ctx set {"a":1}
        > create-context #2 {"name":"ctx","data":{"a":1},"lifetime":"retained"}
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"theirs":1}}
        > update-context #3 {"context_id":"c-1","delta":{"reset":{"a":1}}}
        < {"type":"success","domain":"global","request_id":"3"}
        A: ()
        get G ctx
        G: {"a":1}
        "#,
    );
}

#[test]
fn our_changes_on_their_way_stay_on_top() {
    check(
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        follow F ctx
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"n":0}}
        F: ()
        F: {"n":0} by nobody
        write A ctx update {"n":1}
        > update-context #3 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"n","value":1}]}}
        < {"type":"context-updated","domain":"global","context_id":"c-1","updater_id":"p-2","delta":{"updated":{"n":2}}}
        F: {"n":2} by p-2
        write B ctx update {"n":1}
        > update-context #4 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"n","value":1}]}}
        write C ctx update {"n":2}
        > update-context #5 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"n","value":2}]}}
        < {"type":"success","domain":"global","request_id":"3"}
        A: ()
        F: {"n":1} by me
        < {"type":"context-updated","domain":"global","context_id":"c-1","updater_id":"p-2","delta":{"removed":["n"],"added":{"m":1}}}
        F: {"m":1} by p-2
        write D ctx update {"n":2}
        > update-context #6 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"n","value":2}]}}
        < {"type":"success","domain":"global","request_id":"4"}
        B: ()
        F: {"m":1,"n":1} by me
        "#,
    );
}

#[test]
fn a_refused_change_is_not_expected_any_more() {
    check(
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        write A ctx update {"n":1}
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"n":0}}
        > update-context #3 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"n","value":1}]}}
        < {"type":"error","domain":"global","request_id":"3","reason_uri":"global.errors.not_authorized","reason":"Not authorized to update context"}
        A: context `ctx`: Not authorized to update context (global.errors.not_authorized)
        write B ctx update {"n":0}
        B: ()
        write C ctx update {"n":1}
        > update-context #4 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"n","value":1}]}}
        write D ctx update {"constructor":1}
        D: context `ctx`: context delta: the path `constructor` is not allowed
        "#,
    );
}

#[test]
fn changes_by_path() {
    check(
        r#"
        ready
        write A ctx paths {"o.p":1,"o.q":2}
        > create-context #2 {"name":"ctx","data":{},"lifetime":"retained"}
        < {"type":"context-created","domain":"global","request_id":"2","context_id":"c-1"}
        > update-context #3 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"o.p","value":1},{"type":"set","path":"o.q","value":2}]}}
        < {"type":"success","domain":"global","request_id":"3"}
        A: ()
        write B ctx paths {"o.p":1,"o.q":null,"o.r":null}
        > update-context #4 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"remove","path":"o.q"}]}}
        write C ctx update {"dotted.key":1,"o":{"whole":true}}
        > update-context #5 {"context_id":"c-1","delta":{"added":{"dotted.key":1,"o":{"whole":true}},"updated":{},"removed":[]}}
        "#,
    );
}

#[test]
fn an_older_gateway_gets_the_older_form() {
    check(
        r#"
        ready 1
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        write A ctx update {"o":{"p":2},"n":2,"new":[1],"gone":null,"same":true,"never":null}
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"o":{"p":1},"n":1,"gone":1,"same":true}}
        > update-context #3 {"context_id":"c-1","delta":{"added":{"o":{"p":2},"new":[1]},"updated":{"n":2},"removed":["gone"]}}
        < {"type":"success","domain":"global","request_id":"3"}
        A: ()
        get G ctx
        G: {"o":{"p":2},"n":2,"new":[1],"same":true}
        write B ctx paths {"o.p":1}
        B: context `ctx`: this gateway cannot set by path; set whole keys with update
        "#,
    );
}

#[test]
fn followers_come_and_go() {
    check(
        r#"
        ready
        follow A ctx
        > create-context #2 {"name":"ctx","data":{},"lifetime":"retained"}
        follow B ctx
        < {"type":"context-created","domain":"global","request_id":"2","context_id":"c-1"}
        A: ()
        A: {} by nobody
        B: ()
        B: {} by nobody
        follow C ctx
        C: ()
        C: {} by nobody
        < {"type":"context-updated","domain":"global","context_id":"c-1","updater_id":"p-2","delta":{"commands":[{"type":"set","path":"a.b","value":1}]}}
        A: {"a":{"b":1}} by p-2
        B: {"a":{"b":1}} by p-2
        C: {"a":{"b":1}} by p-2
        unfollow A ctx
        unfollow B ctx
        unfollow C ctx
        > unsubscribe-context #3 {"context_id":"c-1"}
        < {"type":"context-updated","domain":"global","context_id":"c-1","updater_id":"p-2","delta":{"added":{"late":1}}}
        < {"type":"success","domain":"global","request_id":"3"}
        follow D ctx
        > subscribe-context #4 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"4","context_id":"c-1","data":{"a":{"b":1},"late":1}}
        D: ()
        D: {"a":{"b":1},"late":1} by nobody
        "#,
    );
}

#[test]
fn a_destroyed_context_ends_what_depends_on_it() {
    check(
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        follow F ctx
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"n":0}}
        F: ()
        F: {"n":0} by nobody
        destroy D ctx
        > destroy-context #3 {"context_id":"c-1"}
        < {"type":"context-destroyed","domain":"global","context_id":"c-1","reason_uri":"global.destroyed"}
        F: ended: context `ctx` was destroyed
        < {"type":"success","domain":"global","request_id":"3"}
        D: ()
        destroy E ctx
        E: there is no context `ctx`
        get G ctx
        G: none
        "#,
    );
}

#[test]
fn a_context_destroyed_while_it_is_opened_is_made_anew() {
    check(
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        write A ctx update {"a":1}
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"context-destroyed","domain":"global","context_id":"c-1"}
        < {"type":"error","domain":"global","request_id":"2","reason_uri":"global.errors.failure","reason":"Unable to find context with id c-1"}
        > create-context #3 {"name":"ctx","data":{"a":1},"lifetime":"retained"}
        < {"type":"context-created","domain":"global","request_id":"3","context_id":"c-2"}
        A: ()
        "#,
    );
}

#[test]
fn after_a_reconnect_followers_hear_what_differs_and_nothing_is_sent_again() {
    check(
        r#"
        ready
        follow F one
        > create-context #2 {"name":"one","data":{},"lifetime":"retained"}
        follow G two
        > create-context #3 {"name":"two","data":{},"lifetime":"retained"}
        < {"type":"context-created","domain":"global","request_id":"2","context_id":"c-1"}
        F: ()
        F: {} by nobody
        < {"type":"context-created","domain":"global","request_id":"3","context_id":"c-2"}
        G: ()
        G: {} by nobody
        write W one set {"n":1}
        > update-context #4 {"context_id":"c-1","delta":{"reset":{"n":1}}}
        < {"type":"success","domain":"global","request_id":"4"}
        F: {"n":1} by me
        W: ()
        write X one update {"lost":1}
        > update-context #5 {"context_id":"c-1","delta":{"added":{},"updated":{},"removed":[],"commands":[{"type":"set","path":"lost","value":1}]}}
        down
        - me
        X: context `one`: the connection to the gateway was lost before it answered
        up
        > hello #6 {"identity":{"application":"me","applicationName":"me"}}
        < {"type":"welcome","domain":"global","request_id":"6","peer_id":"me","available_domains":[{"uri":"context","version":2}]}
        > join #7 {"destination":"agm"}
        < {"type":"context-added","domain":"global","context_id":"c-7","name":"one"}
        < {"type":"success","request_id":"7"}
        + me
        > subscribe-context #8 {"context_id":"c-7"}
        > create-context #9 {"name":"two","data":{},"lifetime":"retained"}
        < {"type":"subscribed-context","domain":"global","request_id":"8","context_id":"c-7","data":{"n":1}}
        < {"type":"context-created","domain":"global","request_id":"9","context_id":"c-8"}
        < {"type":"context-updated","domain":"global","context_id":"c-7","updater_id":"p-2","delta":{"added":{"m":1}}}
        F: {"n":1,"m":1} by p-2
        "#,
    );
}

#[test]
fn a_change_that_cannot_be_followed_fetches_the_whole_once() {
    check(
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        follow F ctx
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"n":0}}
        F: ()
        F: {"n":0} by nobody
        < {"type":"context-updated","domain":"global","context_id":"c-1","delta":{"commands":[{"type":"set","path":"","value":[1]}]}}
        > subscribe-context #3 {"context_id":"c-1"}
        < {"type":"context-updated","domain":"global","context_id":"c-1","delta":[]}
        < {"type":"subscribed-context","domain":"global","request_id":"3","context_id":"c-1","data":{"n":5}}
        F: {"n":5} by nobody
        "#,
    );
}

#[test]
fn only_so_many_are_held_that_nobody_follows() {
    check_with(
        limits(Limits { idle_contexts: 1, contexts: 2, ..Limits::default() }),
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"one"}
        < {"type":"context-added","domain":"global","context_id":"c-2","name":"two"}
        < {"type":"context-added","domain":"global","context_id":"c-3","name":"three"}
        get A one
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"n":1}}
        A: {"n":1}
        get B two
        > subscribe-context #3 {"context_id":"c-2"}
        < {"type":"subscribed-context","domain":"global","request_id":"3","context_id":"c-2","data":{"n":2}}
        > unsubscribe-context #4 {"context_id":"c-1"}
        B: {"n":2}
        get C two
        C: {"n":2}
        get D three
        D: none
        "#,
    );
}
