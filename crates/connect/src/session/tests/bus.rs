//! Topics.

use super::table::check;

#[test]
fn the_bus_is_joined_when_it_is_used() {
    check(
        r#"
        ready
        join-bus A
        > join #2 {"destination":"bus"}
        join-bus B
        < {"type":"success","domain":"bus","request_id":"2"}
        A: ()
        B: ()
        publish news {"n":1}
        > publish #3 {"topic":"news","data":{"n":1}}
        topic T news.*
        > subscribe #4 {"topic":"news.*"}
        < {"type":"subscribed","domain":"bus","request_id":"4","subscription_id":"r-1"}
        T: ()
        < {"type":"event","domain":"bus","subscription_id":"r-1","publisher-identity":{"application":"a"},"data":{"n":2}}
        T: {"n":2} from {"application": String("a")}
        untopic T
        > unsubscribe #5 {"subscription_id":"r-1"}
        < {"type":"event","domain":"bus","subscription_id":"r-1","data":{"too":"late"}}
        join-bus C
        C: ()
        leave
        > leave #6 {"destination":"bus"}
        > leave #7 {"destination":"agm"}
        "#,
    );
}

#[test]
fn topics_survive_a_reconnect() {
    check(
        r#"
        ready
        join-bus A
        > join #2 {"destination":"bus"}
        < {"type":"success","domain":"bus","request_id":"2"}
        A: ()
        topic T news
        > subscribe #3 {"topic":"news"}
        < {"type":"subscribed","domain":"bus","request_id":"3","subscription_id":"r-1"}
        T: ()
        down
        - me
        ready
        > join #6 {"destination":"bus"}
        < {"type":"success","domain":"bus","request_id":"6"}
        > subscribe #7 {"topic":"news"}
        < {"type":"subscribed","domain":"bus","request_id":"7","subscription_id":"r-1"}
        < {"type":"event","domain":"bus","subscription_id":"r-1","publisher-identity":{},"data":{"n":2}}
        T: {"n":2} from {}
        "#,
    );
}

#[test]
fn a_refused_bus_is_told_to_all_who_wait() {
    check(
        r#"
        ready
        topic T news
        > join #2 {"destination":"bus"}
        join-bus A
        < {"type":"error","domain":"global","request_id":"2","reason_uri":"global.errors.invalid_domain","reason":"Unable to join missing domain bus"}
        A: Unable to join missing domain bus (global.errors.invalid_domain)
        T: Unable to join missing domain bus (global.errors.invalid_domain)
        T: ended: Unable to join missing domain bus (global.errors.invalid_domain)
        publish news {}
        > publish #3 {"topic":"news","data":{}}
        up
        > hello #4 {"identity":{"application":"me","applicationName":"me"}}
        < {"type":"welcome","domain":"global","request_id":"4","peer_id":"me","available_domains":[{"uri":"agm","version":1}]}
        > join #5 {"destination":"agm"}
        < {"type":"success","request_id":"5"}
        join-bus B
        B: the gateway does not offer the domain `bus`
        topic U news
        U: the gateway does not offer the domain `bus`
        U: ended: the gateway does not offer the domain `bus`
        "#,
    );
}
