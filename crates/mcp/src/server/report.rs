//! What an operator should read in the log about the tools there are.

use std::collections::HashSet;
use std::sync::Arc;

use crate::names;
use crate::profile::Profile;
use crate::surface::{RemarkCode, Surface};

/// Tools that a warning names.
const NAMED: usize = 10;

/// Tools from which on clients refuse lists, or models lose their way.
const MANY: usize = 128;

/// Logs what there is to say about the name of the server before there are tools.
pub(super) fn about_name(server: &str) {
    if !server.chars().all(names::is_usual) {
        tracing::warn!(
            server,
            "server.name has other characters in it than A-Z a-z 0-9 _ -; clients that put it \
             before the names of tools may refuse those"
        );
    }
    let excess = names::excess_of_server(server);
    if excess > 0 {
        tracing::warn!(
            server,
            "server.name is {excess} characters too long: once clients put it before the names of \
             system tools, some of those exceed 64 characters and are refused"
        );
    }
}

/// What was reported so far, so that nothing is reported twice.
#[derive(Debug, Default)]
pub(super) struct Report {
    left_out: usize,
    is_long: bool,
    long_names: HashSet<Arc<str>>,
}

/// What is new about a surface.
#[derive(Debug, Default, PartialEq, Eq)]
struct News {
    /// Number of tools that are too many, if it changed.
    left_out: Option<usize>,
    /// Number of tools that clients are shown, if that is too long a list now.
    many: Option<usize>,
    /// Names that are too long once clients put the server's before them.
    long_names: Vec<Arc<str>>,
}

impl Report {
    /// Logs what is new.
    pub(super) fn log(&mut self, surface: &Surface) {
        let News { left_out, many, long_names } = self.news(surface);
        if let Some(tools) = many {
            tracing::warn!(
                tools,
                "some clients take no more than {MANY} tools; server.tools.limit bounds the list"
            );
        }
        if let Some(left_out) = left_out {
            let shown = surface.view(Profile::ALL).len();
            tracing::warn!(
                shown,
                left_out,
                "there are too many tools; some are not shown to clients"
            );
        }
        if !long_names.is_empty() {
            let tools: Vec<_> = long_names.iter().take(NAMED).map(|name| &**name).collect();
            tracing::warn!(
                tools = tools.join(", "),
                count = long_names.len(),
                "names exceed 64 characters once clients put the server's before them; \
                 shorten server.name"
            );
        }
    }

    fn news(&mut self, surface: &Surface) -> News {
        let view = surface.view(Profile::ALL);
        let (left_out, shown) = (view.over_limit(), view.len());
        let was_long = std::mem::replace(&mut self.is_long, shown > MANY);
        let changed = left_out > 0 && left_out != self.left_out;
        self.left_out = left_out;
        let present: HashSet<_> = long_names(surface).cloned().collect();
        let new = long_names(surface).filter(|name| !self.long_names.contains(*name));
        let news = News {
            left_out: changed.then_some(left_out),
            many: (self.is_long && !was_long).then_some(shown),
            long_names: new.cloned().collect(),
        };
        self.long_names = present;
        news
    }
}

/// The tools whose names are too long once clients put the server's before them.
fn long_names(surface: &Surface) -> impl Iterator<Item = &Arc<str>> {
    let long = surface
        .entries()
        .iter()
        .filter(|entry| entry.remarks().any(|remark| remark.code == RemarkCode::LongName));
    long.map(|entry| entry.tool.definition().name())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::future::{BoxFuture, ready};
    use rmcp::model::CallToolResult;

    use super::*;
    use crate::profile::Needs;
    use crate::surface::{CallContext, Definition, Offer, Origin, Rules, Tool};

    struct Plain(Definition);

    impl Tool for Plain {
        fn definition(&self) -> &Definition {
            &self.0
        }

        fn call(&self, _: CallContext) -> BoxFuture<'_, CallToolResult> {
            ready(CallToolResult::success(Vec::new())).boxed()
        }
    }

    fn surface(server_name: &str, names: &[&str], limit: usize) -> Surface {
        let tools = names.iter().map(|name| {
            let published = rmcp::model::Tool::new((*name).to_owned(), "A tool.", Arc::default());
            Arc::new(Plain(Definition::new(published, Needs::NOTHING))) as Arc<dyn Tool>
        });
        let offer = Offer { tools: tools.collect(), ..Offer::default() };
        let rules = Rules { server_name: server_name.into(), limit: Some(limit) };
        Surface::assemble(vec![(Origin::System, offer)], &rules, None)
    }

    #[test]
    fn tools_that_are_too_many_are_reported_when_their_number_changes() {
        let mut report = Report::default();
        let mut left_out = |names: &[&str]| report.news(&surface("desk", names, 2)).left_out;
        assert_eq!(left_out(&["a", "b"]), None);
        assert_eq!(left_out(&["a", "b", "c"]), Some(1));
        assert_eq!(left_out(&["a", "b", "d"]), None);
        assert_eq!(left_out(&["a", "b", "c", "d"]), Some(2));
        assert_eq!(left_out(&["a"]), None);
        assert_eq!(left_out(&["a", "b", "c"]), Some(1));
    }

    #[test]
    fn a_list_that_some_clients_refuse_is_reported_once() {
        let names: Vec<_> = (0..140).map(|at| format!("tool_{at}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let mut report = Report::default();
        let mut many = |count, limit| report.news(&surface("desk", &names[..count], limit)).many;
        assert_eq!(many(128, 1000), None);
        assert_eq!(many(140, 1000), Some(140));
        assert_eq!(many(139, 1000), None);
        assert_eq!(many(140, 100), None, "the limit holds");
        assert_eq!(many(129, 1000), Some(129));
    }

    #[test]
    fn a_name_of_a_server_that_is_too_long_is_reported_once() {
        let widget = "io_connect_get_workspace_widget";
        let fits = Report::default().news(&surface(&"s".repeat(26), &[widget], 9));
        assert_eq!(fits, News::default());
        let mut report = Report::default();
        let long = surface(&"s".repeat(27), &["short", widget], 9);
        assert_eq!(report.news(&long).long_names, [Arc::from(widget)]);
        assert_eq!(report.news(&long), News::default());
    }
}
