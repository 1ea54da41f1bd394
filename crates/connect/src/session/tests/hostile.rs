//! Frames that fit nothing we know.

use super::table::check;

#[test]
fn frames_about_the_unknown_change_nothing() {
    check(
        r#"
        ready
        < {"type":"result","request_id":"nobody","result":{}}
        < {"type":"result","result":{}}
        < {"type":"success","request_id":-1}
        < {"type":"error","request_id":-1,"reason_uri":"agm.errors.failure","reason":"of something else"}
        < {"type":"welcome","domain":"global","request_id":"0","peer_id":"other"}
        < {"type":"methods-added","server_id":"p-9","methods":[{"id":"0","name":"Add"}]}
        < {"type":"methods-removed","server_id":"p-9","methods":["0"]}
        < {"type":"peer-removed","removed_id":"p-9"}
        < {"type":"peer-removed","removed_id":"me"}
        < {"type":"peer-added","new_peer_id":"me","identity":{}}
        < {"type":"remove-interest","subscription_id":"r-9","method_id":"0","caller_id":"p-9"}
        < {"type":"event","subscription_id":"r-9","data":1}
        < {"type":"event","domain":"bus","subscription_id":"r-9","data":1}
        < {"type":"subscription-cancelled","subscription_id":"r-9"}
        < {"type":"context-updated","domain":"global","context_id":"c-9","delta":{}}
        < {"type":"context-destroyed","domain":"global","context_id":"c-9"}
        "#,
    );
}

#[test]
fn an_answer_of_another_kind_is_a_failure() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"},{"id":8,"name":"S","flags":{"streaming":true}}]}
        + Add of p-2
        + S of p-2
        call A p-2 7 {}
        > call #2 {"server_id":"p-2","method_id":7,"arguments_kv":{}}
        < {"type":"subscribed","request_id":"2","subscription_id":"r-1"}
        A: the gateway gave an answer of another kind: `subscribed`
        subscribe B S best
        > subscribe #3 {"server_id":"p-2","method_id":8,"arguments_kv":{}}
        < {"type":"result","request_id":"3","result":{}}
        B: an unnamed application (p-2) refused the subscription: the gateway gave an answer of another kind: `result`
        B: ended: an unnamed application (p-2) refused the subscription: the gateway gave an answer of another kind: `result`
        write C ctx set {"a":1}
        > create-context #4 {"name":"ctx","data":{"a":1},"lifetime":"retained"}
        < {"type":"success","domain":"global","request_id":"4"}
        C: context `ctx`: the gateway gave an answer of another kind: `success` (global.errors.failure)
        write D ctx set {"a":1}
        > create-context #5 {"name":"ctx","data":{"a":1},"lifetime":"retained"}
        < {"type":"subscribed-context","domain":"global","request_id":"5","context_id":"c-1","data":[1]}
        D: context `ctx`: not a JSON object (the data of a context): invalid type: sequence, expected a map at line 1 column 0
        token E
        > create-token #6
        < {"type":"success","domain":"global","request_id":"6"}
        E: the gateway gave an answer of another kind: `success` (global.errors.failure)
        "#,
    );
}

#[test]
fn a_definition_that_cannot_be_read_hides_no_other() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":1,"name":5},{"id":2,"name":"Good"},{"id":3,"name":"Odd","flags":7}]}
        + Good of p-2
        "#,
    );
}

#[test]
fn a_context_that_changes_its_id_is_opened_again() {
    check(
        r#"
        ready
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        follow F ctx
        > subscribe-context #2 {"context_id":"c-1"}
        < {"type":"subscribed-context","domain":"global","request_id":"2","context_id":"c-1","data":{"n":0}}
        F: ()
        F: {"n":0} by nobody
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"ctx"}
        < {"type":"context-added","domain":"global","context_id":"c-2","name":"ctx"}
        > subscribe-context #3 {"context_id":"c-2"}
        < {"type":"subscribed-context","domain":"global","request_id":"3","context_id":"c-2","data":{"n":1}}
        F: {"n":1} by nobody
        < {"type":"context-updated","domain":"global","context_id":"c-1","delta":{"added":{"n":9}}}
        "#,
    );
}
