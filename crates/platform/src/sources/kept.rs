//! What of the files of one source is in force: pure.
//!
//! Files are seen at any moment, also while somebody writes them. A file that
//! cannot be read, or whose text is cut short, keeps what it said before, and a
//! diagnostic says so. A file that is gone is missed once before its records
//! go: editors that save by renaming take it away for a moment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use deskwire_catalog::{Code, Read};

use super::told::{stale, tell};

/// How a file was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Look {
    /// As it was.
    Same,
    /// With this text. `blank` when there is none at all.
    Text { read: Read, blank: bool },
    /// It is there, but cannot be read: why, as an empty read with a diagnostic.
    Unreadable(Read),
    /// It is not there. What to say of it if it has to be there.
    Missing(Read),
}

/// The files of one source.
#[derive(Debug, Default)]
pub(super) struct Kept {
    files: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug)]
struct Entry {
    in_force: Read,
    missed: bool,
}

/// What a look at all files has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Step {
    /// Something else is in force.
    pub(super) changed: bool,
    /// Something may settle within a moment: look again soon.
    pub(super) unsettled: bool,
}

impl Kept {
    /// Takes in a look at every file of the source. Files that are not among
    /// `looks` any more are gone.
    pub(super) fn see(&mut self, looks: Vec<(PathBuf, Look)>) -> Step {
        let mut step = Step::default();
        let mut before = std::mem::take(&mut self.files);
        for (path, look) in looks {
            let old = before.remove(&path);
            if let Some(entry) = next(old, look, &mut step) {
                self.files.insert(path, entry);
            }
        }
        for (path, mut entry) in before {
            // What holds nothing needs no time to come back.
            if entry.missed || !entry.in_force.has_records() {
                step.changed = true;
            } else {
                entry.missed = true;
                step.unsettled = true;
                self.files.insert(path, entry);
            }
        }
        step
    }

    /// Whether a file has given records, or something to say of them.
    pub(super) fn knows(&self, path: &Path) -> bool {
        let says = |read: &Read| read.has_records() || !read.diagnostics.is_empty();
        self.files.get(path).is_some_and(|entry| says(&entry.in_force))
    }

    /// What is in force, in the order of the files' names.
    pub(super) fn reads(&self) -> Vec<Read> {
        self.files.values().map(|entry| entry.in_force.clone()).collect()
    }
}

/// A file after a look at it; `None` when nothing is known of it.
fn next(old: Option<Entry>, look: Look, step: &mut Step) -> Option<Entry> {
    let in_force = match look {
        Look::Same => return old.map(|entry| Entry { missed: false, ..entry }),
        Look::Text { read, blank } => match &old {
            Some(old) if old.in_force.has_records() && (blank || cut_short(&read)) => {
                let why = if blank { "the file is empty" } else { "the file cannot be read whole" };
                let mut kept = records_of(&old.in_force);
                kept.diagnostics = read.diagnostics;
                kept.diagnostics.push(stale(&kept.source, why));
                kept
            }
            _ => read,
        },
        Look::Unreadable(read) => match &old {
            Some(old) if old.in_force.has_records() => {
                let mut kept = records_of(&old.in_force);
                kept.diagnostics = read.diagnostics;
                kept.diagnostics.push(stale(&kept.source, "the file cannot be read"));
                kept
            }
            _ => read,
        },
        Look::Missing(read) => match old {
            Some(entry) if entry.in_force.has_records() && !entry.missed => {
                step.unsettled = true;
                return Some(Entry { missed: true, ..entry });
            }
            _ => read,
        },
    };
    step.changed |= old.is_none_or(|old| old.in_force != in_force);
    Some(Entry { in_force, missed: false })
}

/// Whether this may be a file that is being written.
fn cut_short(read: &Read) -> bool {
    let cut = |code| matches!(code, Code::FileSyntax | Code::FileTooLarge);
    read.diagnostics.iter().any(|diagnostic| cut(diagnostic.code))
}

fn records_of(read: &Read) -> Read {
    Read { diagnostics: Vec::new(), ..read.clone() }
}

/// A read without records that says one thing.
pub(super) fn nothing_but(
    source: &deskwire_catalog::SourceLabel,
    code: Code,
    message: impl Into<String>,
) -> Read {
    let mut read = Read::empty(source.clone());
    read.diagnostics.push(tell(source, code, message));
    read
}

#[cfg(test)]
mod tests {
    use deskwire_catalog::{SourceLabel, read};

    use super::*;

    fn text(text: &str) -> Look {
        Look::Text { read: read(&SourceLabel::new("a.json"), text), blank: text.trim().is_empty() }
    }

    fn app(name: &str) -> String {
        format!(r#"[{{"name":"{name}","type":"window","details":{{"url":"http://localhost/"}}}}]"#)
    }

    fn label() -> SourceLabel {
        SourceLabel::new("a.json")
    }

    /// Names and codes after each look at one file.
    fn story(looks: Vec<Option<Look>>) -> Vec<String> {
        let mut kept = Kept::default();
        looks
            .into_iter()
            .map(|look| {
                let step = kept.see(look.into_iter().map(|look| ("a.json".into(), look)).collect());
                let reads = kept.reads();
                let names: Vec<_> = reads
                    .iter()
                    .flat_map(|read| &read.applications)
                    .map(|app| app.name.clone())
                    .collect();
                let mut codes: Vec<_> = reads
                    .iter()
                    .flat_map(|read| &read.diagnostics)
                    .map(|one| one.code.as_str())
                    .collect();
                codes.dedup();
                let mut line = format!("{}|{}", names.join(","), codes.join(","));
                if step.changed {
                    line += " changed";
                }
                if step.unsettled {
                    line += " unsettled";
                }
                line
            })
            .collect()
    }

    #[test]
    fn a_file_is_added_changed_and_removed() {
        let seen = vec![
            Some(text(&app("one"))),
            Some(Look::Same),
            Some(text(&app("two"))),
            None,
            None,
            None,
        ];
        assert_eq!(
            story(seen),
            ["one| changed", "one|", "two| changed", "two| unsettled", "| changed", "|"]
        );
    }

    #[test]
    fn a_file_that_is_away_for_a_moment_is_not_missed() {
        let seen = vec![
            Some(text(&app("one"))),
            None,
            Some(text(&app("one"))),
            None,
            Some(Look::Same),
            None,
            None,
        ];
        assert_eq!(
            story(seen),
            [
                "one| changed",
                "one| unsettled",
                "one|",
                "one| unsettled",
                "one|",
                "one| unsettled",
                "| changed"
            ]
        );
    }

    #[test]
    fn a_file_that_is_half_written_keeps_what_it_said() {
        let half = &app("two")[..30];
        let seen = vec![
            Some(text(&app("one"))),
            Some(text(half)),
            Some(text("")),
            Some(text(&app("two"))),
            Some(text("[]")),
        ];
        assert_eq!(
            story(seen),
            [
                "one| changed",
                "one|file.syntax,file.stale changed",
                "one|file.no-records,file.stale changed",
                "two| changed",
                "| changed"
            ]
        );
    }

    #[test]
    fn a_file_that_was_never_whole_gives_what_can_be_read() {
        let whole = app("one");
        let half = format!("{},{{\"name\":", &whole[..whole.len() - 1]);
        assert_eq!(story(vec![Some(text(&half))]), ["one|file.syntax changed"]);
    }

    #[test]
    fn what_was_said_of_a_folder_goes_when_its_files_come() {
        let mut kept = Kept::default();
        let missing = Look::Missing(nothing_but(&label(), Code::FileUnreadable, "gone"));
        kept.see(vec![("apps".into(), missing)]);
        kept.see(vec![("apps/a.json".into(), text(&app("one")))]);
        assert!(kept.reads().iter().all(|read| read.diagnostics.is_empty()));
    }

    #[test]
    fn a_file_that_has_to_be_there_is_told_as_missing() {
        let missing = || Some(Look::Missing(nothing_but(&label(), Code::FileUnreadable, "gone")));
        let unreadable =
            || Some(Look::Unreadable(nothing_but(&label(), Code::FileUnreadable, "locked")));
        let seen = vec![
            missing(),
            Some(text(&app("one"))),
            missing(),
            missing(),
            unreadable(),
            Some(text(&app("one"))),
            unreadable(),
        ];
        assert_eq!(
            story(seen),
            [
                "|file.unreadable changed",
                "one| changed",
                "one| unsettled",
                "|file.unreadable changed",
                "|file.unreadable changed",
                "one| changed",
                "one|file.unreadable,file.stale changed"
            ]
        );
    }
}
