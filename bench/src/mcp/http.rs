//! As much HTTP/1.1 as a load generator needs: requests one after the other on one kept-alive connection.
//!
//! Costs the load generator little, so that the server is what is measured. Answers come with a length or in
//! chunks; anything else is refused.

use httparse::Status;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::failure::{Doing, Failure};

/// Room for the next read.
const READ: usize = 64 * 1024;
/// More header lines than this are not an answer of a server we measure.
const HEADERS: usize = 32;

/// One connection, kept alive.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: TcpStream,
    /// What follows the verb: path, and the headers that every request has.
    preamble: String,
    output: Vec<u8>,
    input: Input,
}

/// One answer; its buffer is used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// The `mcp-session-id` header.
    pub(crate) session: Option<String>,
    /// Whether the body is a stream of server-sent events.
    pub(crate) events: bool,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    /// Connects to `http://HOST:PORT/PATH`.
    pub(crate) async fn open(url: &str) -> Result<Self, Failure> {
        let (host, path) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once('/'))
            .ok_or_else(|| Failure::protocol(format!("{url} must be http://HOST:PORT/PATH")))?;
        let socket = TcpStream::connect(host).await.doing(format!("connecting to {host}"))?;
        socket.set_nodelay(true).doing("setting TCP_NODELAY")?;
        let preamble = format!(
            " /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n"
        );
        Ok(Self { socket, preamble, output: Vec::new(), input: Input::default() })
    }

    /// Posts `body`; see [`Connection::request`].
    pub(crate) async fn post(
        &mut self,
        headers: &str,
        body: &str,
        response: &mut Response,
    ) -> Result<(), Failure> {
        self.request("POST", headers, body, response).await
    }

    /// Sends `body` with extra `headers` (each line ending in CRLF) and reads the whole answer.
    pub(crate) async fn request(
        &mut self,
        verb: &str,
        headers: &str,
        body: &str,
        response: &mut Response,
    ) -> Result<(), Failure> {
        self.output.clear();
        self.output.extend_from_slice(verb.as_bytes());
        self.output.extend_from_slice(self.preamble.as_bytes());
        self.output.extend_from_slice(headers.as_bytes());
        self.output.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        self.output.extend_from_slice(body.as_bytes());
        self.socket.write_all(&self.output).await.doing("sending a request")?;

        response.body.clear();
        match self.head(response).await? {
            Length::Known(length) => self.counted(length, response).await,
            Length::Chunked => self.chunked(response).await,
        }
    }

    async fn head(&mut self, response: &mut Response) -> Result<Length, Failure> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; HEADERS];
            let mut head = httparse::Response::new(&mut headers);
            let parsed = head
                .parse(self.input.unread())
                .map_err(|error| Failure::protocol(format!("no HTTP answer: {error}")))?;
            if let Status::Complete(used) = parsed {
                response.status = head.code.unwrap_or_default();
                let length = response.take_headers(head.headers)?;
                self.input.consume(used);
                return Ok(length);
            }
            self.input.fill(&mut self.socket).await?;
        }
    }

    async fn counted(&mut self, length: usize, response: &mut Response) -> Result<(), Failure> {
        while self.input.unread().len() < length {
            self.input.fill(&mut self.socket).await?;
        }
        response.body.extend_from_slice(&self.input.unread()[..length]);
        self.input.consume(length);
        Ok(())
    }

    async fn chunked(&mut self, response: &mut Response) -> Result<(), Failure> {
        const LINE_END: usize = 2;
        loop {
            let size = httparse::parse_chunk_size(self.input.unread())
                .map_err(|_| Failure::protocol("a chunk without a size"))?;
            if let Status::Complete((head, size)) = size {
                let size = usize::try_from(size).unwrap_or(usize::MAX);
                self.input.consume(head);
                self.counted(size, response).await?;
                while self.input.unread().len() < LINE_END {
                    self.input.fill(&mut self.socket).await?;
                }
                if !self.input.unread().starts_with(b"\r\n") {
                    return Err(Failure::protocol("a chunk, or trailers, of unknown shape"));
                }
                self.input.consume(LINE_END);
                if size == 0 {
                    return Ok(());
                }
            } else {
                self.input.fill(&mut self.socket).await?;
            }
        }
    }
}

enum Length {
    Known(usize),
    Chunked,
}

impl Response {
    fn take_headers(&mut self, headers: &[httparse::Header<'_>]) -> Result<Length, Failure> {
        // An answer without content says so by its status alone.
        let mut length = (self.status == 204).then_some(Length::Known(0));
        self.events = false;
        for header in headers {
            let value = std::str::from_utf8(header.value).unwrap_or_default();
            if header.name.eq_ignore_ascii_case("content-length") {
                length = value.parse().ok().map(Length::Known);
            } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
                length = Some(Length::Chunked);
            } else if header.name.eq_ignore_ascii_case("content-type") {
                self.events = value.starts_with("text/event-stream");
            } else if header.name.eq_ignore_ascii_case("mcp-session-id") {
                self.session = Some(value.to_owned());
            }
        }
        length.ok_or_else(|| Failure::protocol("an answer with neither length nor chunks"))
    }
}

/// Bytes that have arrived and are not read yet.
#[derive(Debug, Default)]
struct Input {
    bytes: Vec<u8>,
    read: usize,
}

impl Input {
    fn unread(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    fn consume(&mut self, count: usize) {
        self.read += count;
    }

    async fn fill(&mut self, socket: &mut TcpStream) -> Result<(), Failure> {
        self.bytes.drain(..self.read);
        self.read = 0;
        self.bytes.reserve(READ);
        match socket.read_buf(&mut self.bytes).await.doing("reading an answer")? {
            0 => Err(Failure::protocol("the server closed the connection")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// What a POST returns when the server sends `pieces`, one segment each.
    async fn answer(pieces: &'static [&'static str]) -> Result<Response, Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let server = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            socket.set_nodelay(true).unwrap();
            let mut request = vec![0; 4096];
            assert_ne!(socket.read(&mut request).await.unwrap(), 0);
            for piece in pieces {
                socket.write_all(piece.as_bytes()).await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        let mut connection = Connection::open(&url).await.unwrap();
        let mut response = Response::default();
        let posted = connection.post("", "{}", &mut response).await;
        server.await.unwrap();
        posted.map(|()| response)
    }

    #[tokio::test]
    async fn answers_with_a_length() {
        let response = answer(&[
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: s1\r\n",
            "Content-Length: 5\r\n\r\nhe",
            "llo",
        ])
        .await
        .unwrap();
        assert_eq!((response.status, response.events), (200, false));
        assert_eq!(response.session.as_deref(), Some("s1"));
        assert_eq!(response.body, b"hello");
    }

    #[tokio::test]
    async fn answers_in_chunks_however_they_are_cut() {
        let response = answer(&[
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
            "6\r\ndata: \r",
            "\nA\r\n0123",
            "456789\r\n",
            "0\r\n",
            "\r\n",
        ])
        .await
        .unwrap();
        assert!(response.events);
        assert_eq!(response.body, b"data: 0123456789");
    }

    #[tokio::test]
    async fn an_answer_that_breaks_off_is_a_failure() {
        for pieces in [
            &["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe"][..],
            &["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhe"][..],
            &["HTTP/1.1 200 OK\r\n"][..],
        ] {
            let error = answer(pieces).await.unwrap_err().to_string();
            assert_eq!(error, "the server closed the connection");
        }
    }
}
