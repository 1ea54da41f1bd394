//! The life of a session.

use super::table::{check, check_with};
use crate::{Credentials, Options};

#[test]
fn from_a_link_to_a_peer() {
    check(
        r#"
        up
        > hello #0 {"identity":{"application":"me","applicationName":"me"}}
        < {"type":"context-added","domain":"global","context_id":"c-1","name":"early"}
        < {"type":"welcome","domain":"global","request_id":"0","peer_id":"me","resolved_identity":{"application":"me","instance":"i"}}
        > join #1 {"destination":"agm"}
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":"0","name":"Add"}]}
        + Add of p-2
        < {"type":"success","request_id":"1"}
        + me
        ping
        > ping
        leave
        > leave #2 {"destination":"agm"}
        down
        - Add of p-2
        - p-2
        - me
        up
        > hello #3 {"identity":{"application":"me","applicationName":"me"}}
        "#,
    );
}

#[test]
fn a_refused_hello_says_whether_to_try_again() {
    for (credentials, reason_uri, is_final) in [
        (Credentials::None, "global.errors.already_seen", false),
        (Credentials::None, "global.errors.authentication.failure", true),
        (Credentials::None, "global.errors.failure", false),
        (Credentials::GatewayToken("t".into()), "global.errors.failure", true),
        (Credentials::AccessToken("t".into()), "global.errors.limits_exceeded", false),
    ] {
        let mut session =
            crate::session::Session::new(&Options { credentials, ..Options::new("me") });
        session.link_up();
        let answer = serde_json::json!({"type": "error", "domain": "global", "request_id": "0", "peer_id": null,
                                        "reason_uri": reason_uri, "reason": "no"});
        session.handle(deskwire_wire::ServerFrame::decode(&answer.to_string()).unwrap());
        match session.phase() {
            crate::session::Phase::Refused(error) => {
                assert_eq!(error.is_final(), is_final, "{error:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn credentials_go_with_the_hello() {
    let credentials = Credentials::Secret { login: "l".into(), secret: "s".into() };
    check_with(
        Options { credentials, ..Options::new("me") },
        r#"
        up
        > hello #0 {"identity":{"application":"me","applicationName":"me"},"authentication":{"method":"secret","login":"l","secret":"s"}}
        "#,
    );
    let credentials = Credentials::GatewayToken("t".into());
    check_with(
        Options { credentials, ..Options::new("me") },
        r#"
        up
        > hello #0 {"identity":{"application":"me","applicationName":"me"},"authentication":{"method":"gateway-token","token":"t"}}
        "#,
    );
}

#[test]
fn what_was_asked_fails_with_the_link() {
    check(
        r#"
        ready
        < {"type":"peer-added","new_peer_id":"p-2","identity":{"application":"other","instance":"i-2"}}
        + p-2
        < {"type":"methods-added","server_id":"p-2","methods":[{"id":7,"name":"Add"}]}
        + Add of p-2
        token T
        > create-token #2
        call A p-2 7 {"a":1}
        > call #3 {"server_id":"p-2","method_id":7,"arguments_kv":{"a":1}}
        write W ctx set {"k":1}
        > create-context #4 {"name":"ctx","data":{"k":1},"lifetime":"retained"}
        join-bus B
        > join #5 {"destination":"bus"}
        down
        - me
        - Add of p-2
        - p-2
        A: the connection was lost while other (i-2) was being called
        B: the connection to the gateway was lost before it answered
        T: the connection to the gateway was lost before it answered
        W: context `ctx`: the connection to the gateway was lost before it answered
        call B p-2 7 {}
        B: not connected to a gateway
        < {"type":"result","request_id":"3","result":{}}
        "#,
    );
}

#[test]
fn the_end_is_the_end() {
    check(
        r#"
        ready
        register R Mine
        > register #2 {"methods":[{"name":"Mine","flags":{"metadata":{},"streaming":false},"id":"0"}]}
        < {"type":"success","request_id":"2"}
        R: ()
        follow F ctx
        > create-context #3 {"name":"ctx","data":{},"lifetime":"retained"}
        topic T news
        > join #4 {"destination":"bus"}
        down
        - me
        end
        F: context `ctx`: the client is closed
        F: ended: context `ctx`: the client is closed
        T: the client is closed
        T: ended: the client is closed
        up
        register S More
        S: the client is closed
        follow G ctx
        G: context `ctx`: the client is closed
        "#,
    );
}
