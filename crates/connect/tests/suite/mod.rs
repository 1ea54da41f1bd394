//! What a peer does for its application, whatever gateway it is a peer of.
//!
//! One function per behaviour, each given a [`World`]. [`behaviours!`] makes a
//! test of each for one kind of gateway and link.

pub(crate) mod contexts;
pub(crate) mod directory;
pub(crate) mod interop;
pub(crate) mod reconnect;
pub(crate) mod streams;
pub(crate) mod topics;
mod world;

pub(crate) use world::{Lines, World};

/// Makes a test of each behaviour. `$world` is an expression that yields a
/// future of a [`World`].
macro_rules! behaviours {
    ($world:expr) => {
        $crate::suite::behaviours! {
            @each $world;
            directory:
                a_newcomer_sees_all_that_is_there,
                the_snapshot_stays_while_nothing_changes,
                methods_keep_their_identity_while_others_change,
                changes_are_announced_in_order,
                a_peer_that_leaves_is_gone_with_its_methods,
                own_methods_are_in_the_directory;
            interop:
                a_result_comes_back,
                results_are_objects,
                dates_arrive_as_text,
                a_handler_error_comes_back_in_its_words,
                a_panicking_handler_fails_its_call_alone,
                a_peer_calls_itself,
                every_target_gets_one_call,
                an_unknown_method_is_named,
                a_method_that_appears_is_waited_for,
                a_silent_server_is_named_when_time_is_up,
                an_answer_nobody_waits_for_is_dropped,
                a_server_that_leaves_fails_its_calls_by_name,
                an_unregistered_method_is_gone,
                handlers_run_at_once_up_to_their_bound,
                a_definition_without_a_name_is_refused,
                what_no_frame_can_carry_is_refused_to_its_sender_alone,
                a_token_lets_another_process_in;
            streams:
                events_reach_the_branch_they_are_for,
                a_refusal_comes_in_the_publishers_words,
                either_side_can_end_it,
                a_publisher_that_leaves_ends_it,
                a_slow_reader_loses_the_oldest_and_is_told,
                an_undecided_subscriber_is_refused,
                all_publishers_can_be_subscribed_at_once,
                a_call_is_no_subscription;
            contexts:
                what_one_sets_another_reads,
                an_update_replaces_keys_and_leaves_the_rest,
                what_is_so_already_is_not_sent,
                paths_reach_inside,
                followers_hear_of_every_change_and_its_author,
                two_updates_at_once_are_both_kept,
                two_writers_see_the_same_end,
                a_destroyed_context_ends_its_followers,
                names_are_listed;
            topics:
                a_publication_reaches_its_subscribers,
                a_routing_key_and_a_target_narrow_it;
            reconnect:
                a_new_session_after_a_lost_link,
                methods_come_back_under_new_ids,
                pending_calls_fail_at_once_by_name,
                subscriptions_are_made_again,
                contexts_are_followed_again,
                topics_are_subscribed_again,
                closing_is_final;
        }
    };
    (@each $world:expr; $($topic:ident: $($name:ident),+;)+) => {
        $(
            mod $topic {
                $(
                    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                    async fn $name() {
                        let behaviour = async {
                            let world = $world.await;
                            crate::suite::$topic::$name(&world).await;
                        };
                        let outer = std::time::Duration::from_secs(30);
                        tokio::time::timeout(outer, behaviour).await.expect("in time");
                    }
                )+
            }
        )+
    };
}
pub(crate) use behaviours;
