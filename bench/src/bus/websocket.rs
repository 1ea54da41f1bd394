//! As much WebSocket as a load generator needs: text frames, both ways, on one socket.
//!
//! Reading and writing are halves of their own, so that a frame can be answered while it is looked at. Frames
//! are queued and go out together: a lane that finds ten frames waiting answers them with one write.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::failure::{Doing, Failure};

/// Room for the next read.
const READ: usize = 16 * 1024;
/// Every frame of a client is masked; with what does not matter to the server.
const MASK: [u8; 4] = [0x6d, 0x61, 0x73, 0x6b];

const FINAL_TEXT: u8 = 0x81;
const FINAL_CLOSE: u8 = 0x88;
const FINAL_PING: u8 = 0x89;
const FINAL_PONG: u8 = 0x8a;
const MASKED: u8 = 0x80;

/// Connects to `ws://HOST:PORT/PATH` and shakes hands.
pub(super) async fn connect(url: &str) -> Result<(Reader, Writer), Failure> {
    let (host, path) = url
        .strip_prefix("ws://")
        .and_then(|rest| rest.split_once('/'))
        .ok_or_else(|| Failure::protocol(format!("{url} must be ws://HOST:PORT/PATH")))?;
    let mut socket = TcpStream::connect(host).await.doing(format!("connecting to {host}"))?;
    socket.set_nodelay(true).doing("setting TCP_NODELAY")?;
    let request = format!(
        "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: ZGVza3dpcmUtYmVuY2gtMQ==\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.doing("asking for a WebSocket")?;

    let mut input = Vec::new();
    let used = loop {
        if socket.read_buf(&mut input).await.doing("waiting for a WebSocket")? == 0 {
            return Err(Failure::protocol("the gateway closed the connection"));
        }
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut head = httparse::Response::new(&mut headers);
        match head.parse(&input) {
            Ok(httparse::Status::Partial) => {}
            Ok(httparse::Status::Complete(used)) if head.code == Some(101) => break used,
            _ => return Err(Failure::answer("no WebSocket", &input)),
        }
    };
    let (read, write) = socket.into_split();
    let reader = Reader { socket: read, input, at: used, pings: 0 };
    Ok((reader, Writer { socket: write, output: Vec::new() }))
}

/// The half that frames come from.
#[derive(Debug)]
pub(super) struct Reader {
    socket: OwnedReadHalf,
    input: Vec<u8>,
    at: usize,
    /// Pings seen, of which nobody has answered any yet.
    pings: usize,
}

impl Reader {
    /// The next text, if it has arrived.
    pub(super) fn arrived(&mut self) -> Result<Option<&str>, Failure> {
        loop {
            let Some(frame) = Header::parse(&self.input[self.at..])? else { return Ok(None) };
            let start = self.at + frame.head;
            let end = start + frame.payload;
            if self.input.len() < end {
                return Ok(None);
            }
            self.at = end;
            match frame.first {
                FINAL_TEXT => {
                    let text = std::str::from_utf8(&self.input[start..end])
                        .map_err(|_| Failure::protocol("a text frame that is not UTF-8"))?;
                    return Ok(Some(text));
                }
                FINAL_PING => self.pings += 1,
                FINAL_PONG => {}
                FINAL_CLOSE => {
                    return Err(Failure::answer("closed", &self.input[start..end]));
                }
                other => return Err(Failure::protocol(format!("a frame that begins {other:#x}"))),
            }
        }
    }

    /// Waits until more has arrived.
    pub(super) async fn wait(&mut self) -> Result<(), Failure> {
        self.input.drain(..self.at);
        self.at = 0;
        self.input.reserve(READ);
        match self.socket.read_buf(&mut self.input).await.doing("reading from the gateway")? {
            0 => Err(Failure::protocol("the gateway closed the connection")),
            _ => Ok(()),
        }
    }

    /// Waits for a text for which `pick` returns something; others are passed over.
    pub(super) async fn until<T>(
        &mut self,
        mut pick: impl FnMut(&str) -> Result<Option<T>, Failure>,
    ) -> Result<T, Failure> {
        loop {
            while let Some(text) = self.arrived()? {
                if let Some(found) = pick(text)? {
                    return Ok(found);
                }
            }
            self.wait().await?;
        }
    }

    /// Pings that came since this was asked last.
    pub(super) fn take_pings(&mut self) -> usize {
        std::mem::take(&mut self.pings)
    }
}

/// The half that frames go to.
#[derive(Debug)]
pub(super) struct Writer {
    socket: OwnedWriteHalf,
    output: Vec<u8>,
}

impl Writer {
    /// Queues one text.
    pub(super) fn queue(&mut self, text: &str) {
        self.queue_frame(FINAL_TEXT, text.as_bytes());
    }

    /// Queues answers to pings.
    pub(super) fn queue_pongs(&mut self, count: usize) {
        for _ in 0..count {
            self.queue_frame(FINAL_PONG, b"");
        }
    }

    fn queue_frame(&mut self, first: u8, payload: &[u8]) {
        self.output.push(first);
        match payload.len() {
            length @ 0..=125 => self.output.push(MASKED | length as u8),
            length @ 126..=0xffff => {
                self.output.push(MASKED | 126);
                self.output.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                self.output.push(MASKED | 127);
                self.output.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        self.output.extend_from_slice(&MASK);
        let masked = payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask);
        self.output.extend(masked);
    }

    /// Sends what is queued.
    pub(super) async fn flush(&mut self) -> Result<(), Failure> {
        if !self.output.is_empty() {
            self.socket.write_all(&self.output).await.doing("writing to the gateway")?;
            self.output.clear();
        }
        Ok(())
    }
}

/// The fixed part of a frame of a server.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    /// Flags and opcode.
    first: u8,
    /// Length of this part.
    head: usize,
    /// Length of the rest.
    payload: usize,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Failure> {
        let [first, length, rest @ ..] = bytes else { return Ok(None) };
        if length & MASKED != 0 {
            return Err(Failure::protocol("a masked frame from a server"));
        }
        let (head, payload) = match (length, rest) {
            (126, [a, b, ..]) => (4, u64::from(u16::from_be_bytes([*a, *b]))),
            (127, [a, b, c, d, e, f, g, h, ..]) => {
                (10, u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]))
            }
            (126 | 127, _) => return Ok(None),
            (short, _) => (2, u64::from(*short)),
        };
        let payload = usize::try_from(payload)
            .map_err(|_| Failure::protocol("a frame longer than memory"))?;
        Ok(Some(Self { first: *first, head, payload }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_all_three_forms() {
        let header = |head, payload| Some(Header { first: FINAL_TEXT, head, payload });
        let long = [&[FINAL_TEXT, 127][..], &70_000_u64.to_be_bytes()].concat();
        for (bytes, parsed) in [
            (&[FINAL_TEXT, 5, b'h'][..], header(2, 5)),
            (&[FINAL_TEXT, 126, 1, 0], header(4, 256)),
            (&long, header(10, 70_000)),
            (&[FINAL_TEXT], None),
            (&[FINAL_TEXT, 126, 1], None),
            (&long[..9], None),
        ] {
            assert_eq!(Header::parse(bytes).unwrap(), parsed, "{bytes:?}");
        }
    }
}
