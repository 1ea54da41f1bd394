//! What was found, as Markdown tables: what was aimed at, and everything that was seen.

use std::fmt::Write as _;

use super::load::Load;
use super::spread::{Spread, short};

/// What a run found.
#[derive(Debug, Default)]
pub(super) struct Report {
    claims: Vec<Claim>,
    details: Vec<Detail>,
    failures: Vec<String>,
}

/// One line of the table of what was aimed at.
#[derive(Debug)]
struct Claim {
    what: String,
    unit: &'static str,
    ours: Spread,
    peer: Option<(String, Spread)>,
    /// How many times better than the peer.
    times: Option<Spread>,
    target: Target,
}

/// What was aimed at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// Measured for the record.
    None,
    /// At least so many times better than the peer.
    Times(f64),
    /// At most so much.
    AtMost(f64),
}

/// One line of the table of what was seen.
#[derive(Debug)]
struct Detail {
    what: String,
    server: String,
    runs: Vec<Load>,
}

/// A server's repeats of one load.
#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub(super) server: String,
    pub(super) runs: Vec<Load>,
}

impl Arm {
    fn each(&self, figure: impl Fn(&Load) -> f64) -> Vec<f64> {
        self.runs.iter().map(figure).collect()
    }
}

/// Which figure of a load a comparison is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    PerSecond,
    P99,
}

impl Report {
    /// Compares two arms of one alternation by one figure.
    pub(super) fn compare(
        &mut self,
        what: &str,
        figure: Figure,
        ours: &Arm,
        peer: &Arm,
        target: Target,
    ) {
        let (unit, times) = match figure {
            Figure::PerSecond => {
                let (a, b) = (ours.each(|run| run.per_second), peer.each(|run| run.per_second));
                ("per s", (a.clone(), b.clone(), Spread::of_ratios(&a, &b)))
            }
            Figure::P99 => {
                let (a, b) =
                    (ours.each(|run| run.latency_ms.p99), peer.each(|run| run.latency_ms.p99));
                ("ms, p99", (a.clone(), b.clone(), Spread::of_ratios(&b, &a)))
            }
        };
        let (ours, theirs, times) = times;
        if let (Some(ours), Some(theirs)) = (Spread::of(ours), Spread::of(theirs)) {
            let peer = Some((peer.server.clone(), theirs));
            self.claims.push(Claim { what: what.to_owned(), unit, ours, peer, times, target });
        }
    }

    /// Notes a figure of ours, with that of a peer beside it where there is one.
    pub(super) fn state(
        &mut self,
        what: &str,
        unit: &'static str,
        ours: &[f64],
        peer: Option<(&str, &[f64])>,
        target: Target,
    ) {
        let Some(spread) = Spread::of(ours.iter().copied()) else { return };
        let times = peer.and_then(|(_, theirs)| Spread::of_ratios(theirs, ours));
        let peer = peer.and_then(|(name, theirs)| {
            Some((name.to_owned(), Spread::of(theirs.iter().copied())?))
        });
        self.claims.push(Claim { what: what.to_owned(), unit, ours: spread, peer, times, target });
    }

    /// Notes all repeats of an arm.
    pub(super) fn detail(&mut self, what: &str, arms: &[&Arm]) {
        self.details.extend(arms.iter().map(|arm| Detail {
            what: what.to_owned(),
            server: arm.server.clone(),
            runs: arm.runs.clone(),
        }));
    }

    /// Notes that something could not be measured.
    pub(super) fn fail(&mut self, failure: String) {
        self.failures.push(failure);
    }

    /// Whether everything could be measured.
    pub(super) fn complete(&self) -> bool {
        self.failures.is_empty()
    }

    /// The tables.
    pub(super) fn markdown(&self) -> String {
        let mut text = String::new();
        // Writing into a string has no way to fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        for failure in &self.failures {
            writeln!(text, "**Not measured:** {failure}\n")?;
        }
        if !self.claims.is_empty() {
            writeln!(text, "| what | Deskwire | peer | times better | target | |")?;
            writeln!(text, "| --- | ---: | ---: | ---: | ---: | --- |")?;
            for claim in &self.claims {
                claim.write(text)?;
            }
        }
        if !self.details.is_empty() {
            writeln!(
                text,
                "\n| load | server | per s | p50 ms | p99 ms | CPU µs each | load core | MB |"
            )?;
            writeln!(text, "| --- | --- | ---: | ---: | ---: | --- | ---: | --- |")?;
            for detail in &self.details {
                detail.write(text)?;
            }
        }
        Ok(())
    }
}

impl Claim {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        let Self { what, unit, ours, .. } = self;
        let peer = self
            .peer
            .as_ref()
            .map_or(String::new(), |(name, spread)| format!("{name}: {}", short(spread.median)));
        let times = self.times.map_or(String::new(), |times| times.to_string());
        let (target, verdict) = match self.target {
            Target::None => (String::new(), ""),
            Target::Times(factor) => {
                let met = self.times.is_some_and(|times| times.median >= factor);
                (format!("≥ {}", plain(factor)), verdict(met))
            }
            Target::AtMost(limit) => {
                (format!("≤ {} {unit}", plain(limit)), verdict(ours.median <= limit))
            }
        };
        writeln!(text, "| {what}, {unit} | {ours} | {peer} | {times} | {target} | {verdict} |")
    }
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "**missed**" }
}

/// A limit as a person wrote it: `5`, `1.5`, `100`.
fn plain(limit: f64) -> String {
    format!("{limit}")
}

impl Detail {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        let of = |figure: &dyn Fn(&Load) -> f64| {
            Spread::of(self.runs.iter().map(figure)).map_or(f64::NAN, |spread| spread.median)
        };
        let rate = Spread::of(self.runs.iter().map(|run| run.per_second));
        let rate = rate.map_or(String::new(), |rate| rate.to_string());
        let names: Vec<&String> =
            self.runs.first().map(|run| run.resident_kib.keys().collect()).unwrap_or_default();
        let per_process = |figure: &dyn Fn(&Load, &str) -> f64| {
            let of = |name: &&String| format!("{name} {}", short(of(&|run| figure(run, name))));
            names.iter().map(of).collect::<Vec<_>>().join(", ")
        };
        let long = self.runs.last().and_then(|run| run.answer_bytes);
        let long = long.map_or(String::new(), |bytes| format!(", answers of {} kB", bytes / 1000));
        writeln!(
            text,
            "| {}{long} | {} | {rate} | {} | {} | {} | {:.0} % | {} |",
            self.what,
            self.server,
            short(of(&|run| run.latency_ms.p50)),
            short(of(&|run| run.latency_ms.p99)),
            per_process(&|run, name| run.cpu_microseconds_each(name)),
            100.0 * of(&|run| run.busy("load")),
            per_process(&|run, name| run.resident_megabytes(name)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(server: &str, rates: &[f64], p99: f64) -> Arm {
        let run = |rate: &f64| Load::sample(server, *rate, p99);
        Arm { server: server.to_owned(), runs: rates.iter().map(run).collect() }
    }

    #[test]
    fn better_is_more_per_second_and_less_time() {
        let mut report = Report::default();
        let ours = arm("deskwire", &[1_000.0, 1_200.0, 1_100.0], 2.0);
        let peer = arm("node", &[100.0, 100.0, 100.0], 8.0);
        report.compare("calls", Figure::PerSecond, &ours, &peer, Target::Times(5.0));
        report.compare("calls", Figure::P99, &ours, &peer, Target::Times(5.0));
        report.state("memory", "MB", &[40.0], Some(("node", &[120.0])), Target::AtMost(35.0));
        report.state("start", "ms", &[40.0, 60.0], None, Target::None);
        let table: Vec<String> = report.markdown().lines().skip(2).map(str::to_owned).collect();
        assert_eq!(
            table,
            [
                "| calls, per s | 1 100 (1 000–1 200) | node: 100 | 11.0 (10.0–12.0) | ≥ 5 | met |",
                "| calls, ms, p99 | 2.00 (2.00–2.00) | node: 8.00 | 4.00 (4.00–4.00) | ≥ 5 | **missed** |",
                "| memory, MB | 40.0 (40.0–40.0) | node: 120 | 3.00 (3.00–3.00) | ≤ 35 MB | **missed** |",
                "| start, ms | 50.0 (40.0–60.0) |  |  |  |  |",
            ]
        );
    }

    #[test]
    fn details_show_where_the_time_went() {
        let mut report = Report::default();
        report.detail("calls", &[&arm("deskwire", &[1_000.0], 2.0)]);
        let line = report.markdown().lines().last().unwrap().to_owned();
        assert_eq!(
            line,
            "| calls | deskwire | 1 000 (1 000–1 000) | 1.00 | 2.00 | deskwire 500 | 25 % | deskwire 20.5 |"
        );
    }

    #[test]
    fn what_could_not_be_measured_stands_on_top() {
        let mut report = Report::default();
        report.fail("calls: no".to_owned());
        assert!(!report.complete());
        assert!(report.markdown().starts_with("**Not measured:** calls: no"));
    }
}
