//! Who is there.

use super::table::{check, check_with, limits};
use crate::Limits;

#[test]
fn announcements_in_order_and_twice() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"twice"}}
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"0","name":"Add"},{"id":0,"name":"Other"}]}
        + Add of p-2
        + Other of p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"0","name":"Add"}]}
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"0","name":"Add.Changed"}]}
        - Add of p-2
        + Add.Changed of p-2
        < {"type":"methods-removed","server_id":"p-2","methods":["0","none"]}
        - Add.Changed of p-2
        < {"type":"methods-removed","server_id":"p-2","methods":["0"]}
        < {"type":"peer-removed","removed_id":"p-2"}
        - Other of p-2
        - p-2
        < {"type":"peer-removed","removed_id":"p-2"}
        "#,
    );
}

#[test]
fn the_self_echo_makes_own_methods_callable() {
    check(
        r#"
        ready
        register R Mine
        > register #2 {"methods":[{"name":"Mine","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        call A me 0 {}
        A: no server offers the method `0 of me`
        < {"type":"methods-added","server_id":"me","methods":[{"id":0,"name":"Mine"}]}
        + Mine of me
        < {"type":"success","request_id":"2"}
        R: ()
        call A me 0 {}
        > call #3 {"server_id":"me","method_id":0,"arguments_kv":{}}
        "#,
    );
}

#[test]
fn everybody_is_gone_with_the_link() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"0","name":"Add"}]}
        + Add of p-2
        down
        - me
        - Add of p-2
        - p-2
        "#,
    );
}

#[test]
fn bounds_are_kept() {
    check_with(
        limits(Limits { peers: 2, methods_per_peer: 1, ..Limits::default() }),
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{}}
        + p-2
        < {"type":"peer-added","new_peer_id":"p-3","identity":{}}
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"0","name":"A"},{"id":"1","name":"B"}]}
        + A of p-2
        < {"type":"methods-added","server_id":"p-3","methods":[{"id":"0","name":"A"}]}
        "#,
    );
}
