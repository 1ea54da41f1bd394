//! Calls, from both ends.

use super::table::{check, check_with, limits};
use crate::Limits;

#[test]
fn answers_find_their_calls() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other","instance":"i-2"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"}]}
        + Add of p-2
        call A p-2 7 {"a":1}
        > call #2 {"server_id":"p-2","method_id":7,"arguments_kv":{"a":1}}
        call B p-2 7 {"b":1}
        > call #3 {"server_id":"p-2","method_id":7,"arguments_kv":{"b":1}}
        call C p-2 7 {"c":1}
        > call #4 {"server_id":"p-2","method_id":7,"arguments_kv":{"c":1}}
        < {"type":"result","request_id":"3","result":{"for":"B"}}
        B: {"for":"B"}
        < {"type":"error","request_id":"4","reason_uri":"agm.errors.client_error","reason":"nope","context":{"code":1}}
        C: nope
        < {"type":"result","request_id":"2"}
        A: {}
        < {"type":"result","request_id":"2","result":{"again":true}}
        "#,
    );
}

#[test]
fn what_cannot_be_called_is_refused_at_once() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"}]}
        + Add of p-2
        call A p-3 7 {}
        A: an application (p-3) has left the bus
        call A p-2 seven {}
        A: no server offers the method `seven of other`
        down
        - me
        - Add of p-2
        - p-2
        call A p-2 7 {}
        A: not connected to a gateway
        "#,
    );
}

#[test]
fn a_lost_peer_fails_its_calls_by_name() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other","instance":"i-2"}}
        + p-2
        < {"type":"peer-added","new_peer_id":"p-3","identity":{"application":"third"}}
        + p-3
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"}]}
        + Add of p-2
        < {"type":"methods-added","server_id":"p-3","methods":[{"id":7,"name":"Add"}]}
        + Add of p-3
        call A p-2 7 {}
        > call #2 {"server_id":"p-2","method_id":7,"arguments_kv":{}}
        call B p-2 7 {}
        > call #3 {"server_id":"p-2","method_id":7,"arguments_kv":{}}
        call C p-3 7 {}
        > call #4 {"server_id":"p-3","method_id":7,"arguments_kv":{}}
        < {"type":"error","request_id":"2","reason_uri":"agm.errors.invocation.failure","reason":"Peer has left while waiting for result"}
        A: other (i-2) has left the bus
        < {"type":"peer-removed","removed_id":"p-2","reason_uri":"agm.peer-removed"}
        - Add of p-2
        - p-2
        B: other (i-2) has left the bus
        < {"type":"error","request_id":"3","reason_uri":"agm.errors.invocation.failure","reason":"Peer has left while waiting for result"}
        < {"type":"result","request_id":"4","result":{}}
        C: {}
        "#,
    );
}

#[test]
fn a_late_answer_disturbs_nobody() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"}]}
        + Add of p-2
        call A p-2 7 {}
        > call #2 {"server_id":"p-2","method_id":7,"arguments_kv":{}}
        abandon A
        call B p-2 7 {}
        > call #3 {"server_id":"p-2","method_id":7,"arguments_kv":{}}
        < {"type":"result","request_id":"2","result":{"late":true}}
        < {"type":"result","request_id":"3","result":{"for":"B"}}
        B: {"for":"B"}
        "#,
    );
}

#[test]
fn invocations_are_answered_by_their_id() {
    check(
        r#"
        ready
        register R Mine
        > register #2 {"methods":[{"name":"Mine","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        R: ()
        < {"type":"invoke","invocation_id":"r-1","caller_id":"p-2","method_id":"0","arguments_kv":{"a":1}}
        run 0 Mine {"a":1}
        < {"type":"invoke","invocation_id":"r-2","caller_id":"p-2","method_id":"0"}
        run 1 Mine {}
        fail 1 not now
        > error #r-2 {"reason_uri":"agm.errors.client_error","reason":"not now","context":{}}
        finish 0 [1]
        > yield #3 {"invocation_id":"r-1","result":{"_value":[1]}}
        < {"type":"invoke","invocation_id":"r-3","caller_id":"p-2","method_id":0}
        > error #r-3 {"reason_uri":"agm.errors.invocation.failure","reason":"no method with id 0 here","context":{}}
        "#,
    );
}

#[test]
fn invocations_wait_for_their_turn_within_bounds() {
    check_with(
        limits(Limits { running_handlers: 1, waiting_invocations: 1, ..Limits::default() }),
        r#"
        ready
        register R Mine
        > register #2 {"methods":[{"name":"Mine","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        R: ()
        < {"type":"invoke","invocation_id":"r-1","caller_id":"p-2","method_id":"0"}
        run 0 Mine {}
        < {"type":"invoke","invocation_id":"r-2","caller_id":"p-2","method_id":"0"}
        < {"type":"invoke","invocation_id":"r-3","caller_id":"p-2","method_id":"0"}
        > error #r-3 {"reason_uri":"agm.errors.client_error","reason":"busy: 1 invocations are waiting here already","context":{}}
        finish 0 {}
        run 1 Mine {}
        > yield #3 {"invocation_id":"r-1","result":{}}
        finish 1 {}
        > yield #4 {"invocation_id":"r-2","result":{}}
        < {"type":"invoke","invocation_id":"r-4","caller_id":"p-2","method_id":"0"}
        run 2 Mine {}
        "#,
    );
}

#[test]
fn an_answer_of_an_earlier_life_goes_nowhere() {
    check_with(
        limits(Limits { running_handlers: 1, ..Limits::default() }),
        r#"
        ready
        register R Mine
        > register #2 {"methods":[{"name":"Mine","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        R: ()
        < {"type":"invoke","invocation_id":"r-1","caller_id":"p-2","method_id":"0"}
        run 0 Mine {}
        < {"type":"invoke","invocation_id":"r-2","caller_id":"p-2","method_id":"0"}
        down
        - me
        ready
        > register #5 {"methods":[{"name":"Mine","flags":{"metadata":{},"streaming":false},"id":"1"}]}
        < {"type":"success","request_id":"5"}
        < {"type":"invoke","invocation_id":"r-1","caller_id":"p-2","method_id":"0"}
        > error #r-1 {"reason_uri":"agm.errors.invocation.failure","reason":"no method with id 0 here","context":{}}
        < {"type":"invoke","invocation_id":"r-1","caller_id":"p-2","method_id":"1"}
        finish 0 {"of":"before"}
        run 2 Mine {}
        finish 2 {"of":"now"}
        > yield #6 {"invocation_id":"r-1","result":{"of":"now"}}
        "#,
    );
}

#[test]
fn registrations_survive_and_withdrawals_do_too() {
    check(
        r#"
        register A Early
        ready
        > register #2 {"methods":[{"name":"Early","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        A: ()
        register B Second
        > register #3 {"methods":[{"name":"Second","flags":{"metadata":{},"streaming":false},"id":"1"}]}
        down
        - me
        register C Third
        unregister A
        A: ()
        ready
        > register #6 {"methods":[{"name":"Second","flags":{"metadata":{},"streaming":false},"id":"2"},{"name":"Third","flags":{"metadata":{},"streaming":false},"id":"3"}]}
        < {"type":"success","request_id":"6"}
        B: ()
        C: ()
        unregister B
        > unregister #7 {"methods":["2"]}
        < {"type":"success","request_id":"7"}
        B: ()
        "#,
    );
}

#[test]
fn one_refused_method_takes_no_other_with_it() {
    check(
        r#"
        register A Good
        register B Bad
        ready
        > register #2 {"methods":[{"name":"Good","flags":{"metadata":{},"streaming":false},"id":"0"},{"name":"Bad","flags":{"metadata":{},"streaming":false},"id":"1"}]}
        < {"type":"error","request_id":"2","reason_uri":"agm.errors.registration.failure","reason":"no"}
        > register #3 {"methods":[{"name":"Good","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        > register #4 {"methods":[{"name":"Bad","flags":{"metadata":{},"streaming":false},"id":"1"}]}
        < {"type":"success","request_id":"3"}
        A: ()
        < {"type":"error","request_id":"4","reason_uri":"agm.errors.registration.failure","reason":"no"}
        B: no (agm.errors.registration.failure)
        "#,
    );
}

#[test]
fn requests_and_payloads_are_bounded() {
    check_with(
        limits(Limits { pending_requests: 1, outgoing_payload_bytes: 10, ..Limits::default() }),
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"}]}
        + Add of p-2
        call A p-2 7 {"a":"much too long"}
        A: the data has 21 bytes; at most 10 fit in a frame
        call A p-2 7 {"a":1}
        > call #2 {"server_id":"p-2","method_id":7,"arguments_kv":{"a":1}}
        call B p-2 7 {"a":1}
        B: 1 requests wait for an answer already; wait for some of them
        < {"type":"result","request_id":"2"}
        A: {}
        call C p-2 7 {"a":1}
        > call #3 {"server_id":"p-2","method_id":7,"arguments_kv":{"a":1}}
        "#,
    );
}
