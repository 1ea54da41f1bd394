//! What a process writes: to the log, line by line, and its end for error messages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::task::JoinSet;

/// Bytes of one line; the rest of a longer one is dropped.
const LINE_BYTES: usize = 4 * 1024;
/// Lines of each channel that are kept.
const LINES: usize = 24;
/// Characters of a line in an error message.
const SAID: usize = 400;

/// Reads what a process writes until it ends or this is dropped.
#[derive(Debug)]
pub(super) struct Output {
    kept: Arc<Mutex<Kept>>,
    readers: JoinSet<()>,
}

#[derive(Debug, Default)]
struct Kept {
    output: VecDeque<String>,
    errors: VecDeque<String>,
}

/// Whose output it is.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) application: Arc<str>,
    pub(super) instance: Arc<str>,
    /// What must not be in the log.
    pub(super) secret: Arc<str>,
}

#[derive(Debug, Clone, Copy)]
enum Channel {
    Output,
    Errors,
}

impl Output {
    pub(super) fn read(
        source: &Source,
        output: Option<impl AsyncRead + Unpin + Send + 'static>,
        errors: Option<impl AsyncRead + Unpin + Send + 'static>,
    ) -> Self {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let mut readers = JoinSet::new();
        if let Some(output) = output {
            readers.spawn(lines(output, source.clone(), Channel::Output, Arc::clone(&kept)));
        }
        if let Some(errors) = errors {
            readers.spawn(lines(errors, source.clone(), Channel::Errors, Arc::clone(&kept)));
        }
        Self { kept, readers }
    }

    /// Returns when both channels are closed.
    pub(super) async fn closed(&mut self) {
        while self.readers.join_next().await.is_some() {}
    }

    /// The line that says most about why it ended: the last one with an error in
    /// it, else the last one. Interpreters write more behind the line that matters.
    pub(super) fn telling(&self) -> Option<String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_error = |line: &&String| line.to_lowercase().contains("error");
        let errors = kept.errors.iter().rev();
        let line = errors.clone().find(is_error).or_else(|| errors.clone().next());
        let line = line.or_else(|| kept.output.back())?;
        Some(line.trim().chars().take(SAID).collect())
    }
}

async fn lines(
    from: impl AsyncRead + Unpin,
    source: Source,
    channel: Channel,
    kept: Arc<Mutex<Kept>>,
) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        let chunk = match from.fill_buf().await {
            Ok(chunk) => chunk,
            Err(error) => {
                let application = &*source.application;
                tracing::debug!(application, %error, "cannot read what an application writes");
                break;
            }
        };
        if chunk.is_empty() {
            break;
        }
        let end = memchr::memchr(b'\n', chunk);
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        let room = LINE_BYTES.saturating_sub(line.len());
        line.extend_from_slice(part.get(..room).unwrap_or(part));
        let used = end.map_or(chunk.len(), |end| end + 1);
        from.consume(used);
        if end.is_some() {
            note(&line, &source, channel, &kept);
            line.clear();
        }
    }
    note(&line, &source, channel, &kept);
}

fn note(line: &[u8], source: &Source, channel: Channel, kept: &Mutex<Kept>) {
    let line = String::from_utf8_lossy(line);
    let line: String = line.trim_end().chars().filter(|c| !c.is_control() || *c == '\t').collect();
    if line.is_empty() {
        return;
    }
    let line = line.replace(&*source.secret, "…");
    let (application, instance) = (&*source.application, &*source.instance);
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let lines = match channel {
        Channel::Output => {
            tracing::debug!(application, instance, "{line}");
            &mut kept.output
        }
        Channel::Errors => {
            tracing::debug!(application, instance, stderr = true, "{line}");
            &mut kept.errors
        }
    };
    if lines.len() == LINES {
        lines.pop_front();
    }
    lines.push_back(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn telling(output: &str, errors: &str) -> Option<String> {
        let source =
            Source { application: "app".into(), instance: "1".into(), secret: "s3cret".into() };
        let (output, errors) = (output.to_owned(), errors.to_owned());
        let bytes = |text: String| std::io::Cursor::new(text.into_bytes());
        let mut read = Output::read(&source, Some(bytes(output)), Some(bytes(errors)));
        read.closed().await;
        read.telling()
    }

    #[tokio::test]
    async fn the_line_that_tells_most() {
        for (output, errors, expected) in [
            ("", "", None),
            ("one\ntwo\n\n", "", Some("two")),
            ("one", "oops\r\n", Some("oops")),
            ("", "Error: no file\n    at x\n\nNode.js v20\n", Some("Error: no file")),
            ("", "token s3cret used", Some("token … used")),
            ("\u{1b}[31mred\n", "", Some("[31mred")),
        ] {
            assert_eq!(telling(output, errors).await.as_deref(), expected, "{errors}");
        }
        let long = "x".repeat(3 * LINE_BYTES);
        assert_eq!(telling(&long, "").await.map(|line| line.len()), Some(SAID));
    }
}
