//! A server that is started to be measured, by what it prints.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::failure::{Doing, Failure};

/// A process that ends with its handle.
pub(crate) struct Server {
    process: Child,
    /// Kept open: a server that finds its stdout closed may end.
    stdout: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn spawn(command: &[String], stdin: Stdio) -> Result<Self, Failure> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(Failure::protocol("no command to start"));
        };
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .spawn()
            .doing(format!("starting {program}"))?;
        let stdout = process.stdout.take().ok_or_else(|| Failure::protocol("no stdout"))?;
        Ok(Self { process, stdout: BufReader::new(stdout) })
    }

    pub(crate) fn say(&mut self, message: &str) -> Result<(), Failure> {
        let stdin = self.process.stdin.as_mut().ok_or_else(|| Failure::protocol("no stdin"))?;
        writeln!(stdin, "{message}").doing("writing to the server's stdin")
    }

    /// The next line it prints; none when it has ended.
    pub(crate) fn line(&mut self) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line).doing("reading the server's stdout")?;
        Ok((read > 0).then_some(line))
    }

    /// The address it prints behind `name`.
    pub(crate) fn place(&mut self, name: &str) -> Result<String, Failure> {
        while let Some(line) = self.line()? {
            if let Some(url) = line.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
                return Ok(url.trim().to_owned());
            }
        }
        Err(Failure::protocol("the server ended without saying where it listens"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only when the process is gone already, which is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
