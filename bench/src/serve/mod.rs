//! The servers that the benchmark needs beside Deskwire.

pub(crate) mod echo;
pub(crate) mod responder;

use std::io::{self, Write as _};

use crate::failure::{Doing, Failure};

/// Says on stdout, as every server of the benchmark does, that it is ready, and where.
fn announce(what: &str, place: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{what:<11}{place}").and_then(|()| stdout.flush()).doing("writing to stdout")
}
