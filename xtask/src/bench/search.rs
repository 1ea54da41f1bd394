//! Search by words: how good it is, and how fast. The evaluation of `crates/mcp` measures, built for release.

use super::report::{Report, Target};
use crate::failure::Failure;
use crate::repo::{self, Repo};

/// What the evaluation prints, what it is called here, in which unit, and the most that is allowed.
const FIGURES: [(&str, &str, &str, f64); 3] = [
    (
        "bench missed_percent ",
        "search by words: right answers not among the first three",
        "%",
        20.0,
    ),
    ("bench made_up_percent ", "search by words: an answer where there is none", "%", 15.0),
    ("bench p99_ms ", "search by words: 2 000 applications, p99", "ms", 5.0),
];

pub(super) fn run(repo: &Repo, report: &mut Report) -> Result<(), Failure> {
    let evaluation = ["test", "--release", "--quiet", "-p", "deskwire-mcp", "--lib", "evaluation"];
    let plain = ["--", "--nocapture", "--test-threads=1"];
    let printed = repo::output(&mut repo.cargo(&[&evaluation[..], &plain].concat()))?;
    for (name, what, unit, most) in FIGURES {
        let figure = printed.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        let figure: f64 = figure
            .ok_or_else(|| Failure::new(format!("the evaluation does not print `{name}`")))?;
        report.state(what, unit, &[figure], None, Target::AtMost(most));
    }
    Ok(())
}
