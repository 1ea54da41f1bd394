//! Streams, from both ends.

use super::table::{check, check_with, limits};
use crate::Limits;

#[test]
fn a_subscription_from_open_to_close() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other","instance":"i-2"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"5","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-2
        subscribe S prices best
        > subscribe #2 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        < {"type":"event","subscription_id":"r-1","data":{"too":"early"}}
        < {"type":"subscribed","request_id":"2","subscription_id":"r-1"}
        S: ()
        < {"type":"event","subscription_id":"r-1","oob":true,"data":{"snapshot":1}}
        S: {"snapshot":1} from p-2 oob
        < {"type":"event","subscription_id":"r-1","data":{"n":1}}
        S: {"n":1} from p-2
        unsubscribe S
        > unsubscribe #3 {"subscription_id":"r-1","reason_uri":"","reason":"ClientInitiated"}
        < {"type":"event","subscription_id":"r-1","data":{"too":"late"}}
        < {"type":"success","request_id":"3"}
        "#,
    );
}

#[test]
fn a_publisher_refuses_or_ends_or_leaves() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other","instance":"i-2"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"5","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-2
        subscribe A Prices best
        > subscribe #2 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        subscribe B Prices best
        > subscribe #3 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        subscribe C Prices best
        > subscribe #4 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        subscribe D Prices best
        > subscribe #5 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        subscribe E None best
        E: no server offers the stream `None`
        < {"type":"error","request_id":"2","reason_uri":"com.tick42.agm.errors.subscription.failure","reason":"no way"}
        A: other (i-2) refused the subscription: no way
        A: ended: other (i-2) refused the subscription: no way
        < {"type":"subscribed","request_id":"3","subscription_id":"r-2"}
        B: ()
        < {"type":"subscription-cancelled","subscription_id":"r-2","reason":"enough"}
        B: ended: other (i-2) ended the subscription: enough
        < {"type":"subscribed","request_id":"4","subscription_id":"r-3"}
        C: ()
        < {"type":"peer-removed","removed_id":"p-2"}
        - Prices of p-2
        - p-2
        C: ended: other (i-2) has left the bus
        D: other (i-2) has left the bus
        D: ended: other (i-2) has left the bus
        "#,
    );
}

#[test]
fn a_subscription_nobody_waits_for_is_closed_when_it_opens() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"5","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-2
        subscribe A Prices best
        > subscribe #2 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        unsubscribe A
        subscribe B Prices best
        > subscribe #3 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        settle B
        B: stands: false
        unsubscribe B
        < {"type":"subscribed","request_id":"2","subscription_id":"r-1"}
        > unsubscribe #4 {"subscription_id":"r-1","reason_uri":"","reason":"ClientInitiated"}
        < {"type":"error","request_id":"3","reason":"no"}
        "#,
    );
}

#[test]
fn after_a_reconnect_a_publisher_is_subscribed_when_it_is_back() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"5","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-2
        subscribe A Prices best
        > subscribe #2 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        subscribe B Prices all
        > subscribe #3 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        < {"type":"subscribed","request_id":"2","subscription_id":"r-1"}
        A: ()
        < {"type":"subscribed","request_id":"3","subscription_id":"r-2"}
        B: ()
        down
        - me
        - Prices of p-2
        - p-2
        ready
        < {"type":"event","subscription_id":"r-1","data":"of before"}
        < {"type":"peer-added","new_peer_id":"p-8","identity":{"application":"other"}}
        + p-8
        < {"type":"methods-added","server_id":"p-8","methods":[{"id":"6","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-8
        > subscribe #6 {"server_id":"p-8","method_id":"6","arguments_kv":{}}
        > subscribe #7 {"server_id":"p-8","method_id":"6","arguments_kv":{}}
        < {"type":"peer-added","new_peer_id":"p-9","identity":{"application":"other"}}
        + p-9
        < {"type":"methods-added","server_id":"p-9","methods":[{"id":"6","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-9
        > subscribe #8 {"server_id":"p-9","method_id":"6","arguments_kv":{}}
        < {"type":"subscribed","request_id":"6","subscription_id":"r-1"}
        < {"type":"event","subscription_id":"r-1","data":"of now"}
        A: "of now" from p-8
        "#,
    );
}

#[test]
fn all_publishers_count_until_the_last_is_gone() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"two"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"5","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-2
        < {"type":"peer-added","new_peer_id":"p-3","identity":{"application":"three"}}
        + p-3
        < {"type":"methods-added","server_id":"p-3","methods":[{"id":"5","name":"Prices","flags":{"metadata":{},"streaming":true}}]}
        + Prices of p-3
        subscribe A Prices all
        > subscribe #2 {"server_id":"p-2","method_id":"5","arguments_kv":{}}
        > subscribe #3 {"server_id":"p-3","method_id":"5","arguments_kv":{}}
        < {"type":"subscribed","request_id":"2","subscription_id":"r-1"}
        < {"type":"error","request_id":"3","reason":"no"}
        A: ()
        < {"type":"event","subscription_id":"r-1","data":1}
        A: 1 from p-2
        < {"type":"subscription-cancelled","subscription_id":"r-1"}
        A: ended: two (p-2) ended the subscription: no reason given
        "#,
    );
}

#[test]
fn publishing_to_branches_and_to_one() {
    check(
        r#"
        ready
        stream S Prices
        > register #2 {"methods":[{"name":"Prices","flags":{"metadata":{},"streaming":true},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        S: ()
        push S * {"nobody":"there"}
        < {"type":"add-interest","subscription_id":"r-1","caller_id":"p-2","method_id":"0","arguments_kv":{"sym":"A"}}
        decide 0 Prices {"sym":"A"}
        accept 0 a
        > accepted #3 {"subscription_id":"r-1","stream_id":"0"}
        < {"type":"add-interest","subscription_id":"r-2","caller_id":"p-2","method_id":"0"}
        decide 1 Prices {}
        accept 1 b
        > accepted #4 {"subscription_id":"r-2","stream_id":"1"}
        < {"type":"add-interest","subscription_id":"r-3","caller_id":"p-3","method_id":"0"}
        decide 2 Prices {}
        accept 2 a
        > accepted #5 {"subscription_id":"r-3","stream_id":"0"}
        push S a {"n":1}
        > publish #6 {"stream_id":"0","data":{"n":1}}
        push S * {"n":2}
        > publish #7 {"stream_id":"0","data":{"n":2}}
        > publish #8 {"stream_id":"1","data":{"n":2}}
        push S none {"n":3}
        push 1 - {"n":4}
        > post #9 {"subscription_id":"r-2","data":{"n":4}}
        < {"type":"remove-interest","subscription_id":"r-1","method_id":"0","caller_id":"p-2"}
        push S a {"n":5}
        > publish #10 {"stream_id":"0","data":{"n":5}}
        drop 2 enough
        > drop-subscription #11 {"subscription_id":"r-3","reason":"enough"}
        push S a {"n":6}
        push 0 - {"n":7}
        down
        - me
        push S * {"n":8}
        S: not connected to a gateway
        "#,
    );
}

#[test]
fn subscribers_are_refused_and_leave_before_they_are_decided() {
    check_with(
        limits(Limits { subscribers: 2, ..Limits::default() }),
        r#"
        ready
        stream S Prices
        > register #2 {"methods":[{"name":"Prices","flags":{"metadata":{},"streaming":true},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        S: ()
        register M Method
        > register #3 {"methods":[{"name":"Method","flags":{"metadata":{},"streaming":false},"id":"1"}]}
        < {"type":"success","request_id":"3"}
        M: ()
        < {"type":"add-interest","subscription_id":"r-1","caller_id":"p-2","method_id":"0"}
        decide 0 Prices {}
        reject 0 not you
        > error #r-1 {"reason_uri":"com.tick42.agm.errors.subscription.failure","reason":"not you","context":{}}
        < {"type":"add-interest","subscription_id":"r-2","caller_id":"p-2","method_id":"0"}
        decide 1 Prices {}
        < {"type":"remove-interest","subscription_id":"r-2","method_id":"0","caller_id":"p-2"}
        accept 1
        1: has gone
        < {"type":"add-interest","subscription_id":"r-3","caller_id":"p-2","method_id":"1"}
        > error #r-3 {"reason_uri":"com.tick42.agm.errors.subscription.failure","reason":"`Method` is no stream; invoke it","context":{}}
        < {"type":"add-interest","subscription_id":"r-3","caller_id":"p-2","method_id":"none"}
        > error #r-3 {"reason_uri":"com.tick42.agm.errors.subscription.failure","reason":"no stream with id none here","context":{}}
        < {"type":"add-interest","subscription_id":"r-4","caller_id":"p-2","method_id":"0"}
        decide 2 Prices {}
        < {"type":"add-interest","subscription_id":"r-5","caller_id":"p-2","method_id":"0"}
        decide 3 Prices {}
        < {"type":"add-interest","subscription_id":"r-6","caller_id":"p-2","method_id":"0"}
        > error #r-6 {"reason_uri":"com.tick42.agm.errors.subscription.failure","reason":"`Prices` has no room for more subscribers","context":{}}
        < {"type":"invoke","invocation_id":"r-7","caller_id":"p-2","method_id":"0"}
        > error #r-7 {"reason_uri":"agm.errors.client_error","reason":"`Prices` is a stream; subscribe to it","context":{}}
        unregister S
        > unregister #4 {"methods":["0"]}
        accept 3 late
        3: has gone
        "#,
    );
}
