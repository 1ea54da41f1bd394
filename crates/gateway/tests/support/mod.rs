//! A gateway on a real port, and peers over real links.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, unreachable_pub)]

use std::net::SocketAddr;
use std::time::Duration;

use deskwire_gateway::{Config, Gateway, Limits, Tokens, router};
use deskwire_wire::{ClientFrame, ServerFrame};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Longer than anything here takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub fn gateway(limits: Limits) -> Gateway {
    let config = Config { user: "me".into(), secret: None, limits };
    Gateway::new(config, Tokens::new(&[7; 32]).unwrap())
}

/// Serves the gateway on a free port.
pub async fn serve(gateway: &Gateway) -> SocketAddr {
    serve_router(router(gateway.clone())).await
}

pub async fn serve_router(router: axum::Router) -> SocketAddr {
    let socket = TcpSocket::new_v4().unwrap();
    // What the system would buffer for a slow reader is waiting time in a test.
    socket.set_send_buffer_size(32 * 1024).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1024).unwrap();
    let address = listener.local_addr().unwrap();
    let app = router.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("waited in vain: {what}"))
}

/// A peer over whichever link, speaking JSON.
pub enum Peer {
    Socket(Box<WebSocketStream<MaybeTlsStream<TcpStream>>>),
    InProcess(mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>),
}

/// What comes in over a link.
#[derive(Debug)]
pub enum Incoming {
    Frame(Value),
    Closed(Option<(u16, String)>),
}

impl Peer {
    pub async fn socket(address: SocketAddr) -> Self {
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("ws://{address}/gw")).await.unwrap();
        Self::Socket(Box::new(socket))
    }

    /// A socket that takes little before it must be read.
    pub async fn narrow(address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(8 * 1024).unwrap();
        let stream = MaybeTlsStream::Plain(socket.connect(address).await.unwrap());
        let url = format!("ws://{address}/gw");
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        Self::Socket(Box::new(socket))
    }

    pub fn in_process(gateway: &Gateway) -> Self {
        let (to, from) = gateway.connect();
        Self::InProcess(to, from)
    }

    pub async fn send(&mut self, frame: Value) {
        match self {
            Self::Socket(_) => self.send_text(frame.to_string()).await,
            Self::InProcess(to, _) => {
                to.send(ClientFrame::decode(&frame.to_string()).unwrap()).await.unwrap();
            }
        }
    }

    pub async fn send_text(&mut self, text: impl Into<String>) {
        self.send_message(Message::text(text.into())).await;
    }

    pub async fn send_message(&mut self, message: Message) {
        let Self::Socket(socket) = self else { panic!("no socket") };
        socket.send(message).await.unwrap();
    }

    pub async fn next(&mut self) -> Incoming {
        within("a frame", async {
            match self {
                Self::InProcess(_, from) => match from.recv().await {
                    Some(frame) => Incoming::Frame(serde_json::from_str(&frame.encode()).unwrap()),
                    None => Incoming::Closed(None),
                },
                Self::Socket(socket) => loop {
                    match socket.next().await {
                        Some(Ok(Message::Text(text))) => {
                            return Incoming::Frame(serde_json::from_str(&text).unwrap());
                        }
                        Some(Ok(Message::Close(frame))) => {
                            return Incoming::Closed(frame.map(|CloseFrame { code, reason }| {
                                (code.into(), reason.to_string())
                            }));
                        }
                        Some(Ok(_)) => {}
                        Some(Err(_)) | None => return Incoming::Closed(None),
                    }
                },
            }
        })
        .await
    }

    pub async fn frame(&mut self) -> Value {
        match self.next().await {
            Incoming::Frame(frame) => frame,
            Incoming::Closed(why) => panic!("closed: {why:?}"),
        }
    }

    /// Skips frames until one of this type comes.
    pub async fn frame_of(&mut self, kind: &str) -> Value {
        loop {
            let frame = self.frame().await;
            if frame["type"] == kind {
                return frame;
            }
        }
    }

    /// Skips frames until the link is closed.
    pub async fn closed(&mut self) -> Option<(u16, String)> {
        loop {
            if let Incoming::Closed(why) = self.next().await {
                return why;
            }
        }
    }

    /// Says hello; the id that the gateway gave.
    pub async fn hello(&mut self, application: &str) -> String {
        self.hello_as(json!({"application": application, "applicationName": application})).await
    }

    /// Says hello with this identity; the id that the gateway gave.
    pub async fn hello_as(&mut self, identity: Value) -> String {
        self.send(json!({"type": "hello", "request_id": "hello", "identity": identity})).await;
        let welcome = self.frame_of("welcome").await;
        welcome["peer_id"].as_str().unwrap().to_owned()
    }

    /// Says hello and joins `agm`.
    pub async fn join(&mut self, application: &str) -> String {
        let id = self.hello(application).await;
        let join =
            json!({"type": "join", "destination": "agm", "request_id": "join", "peer_id": id});
        self.send(join).await;
        while self.frame_of("success").await["request_id"] != "join" {}
        id
    }

    /// Registers a method.
    pub async fn register(&mut self, id: &str, method: Value) {
        self.send(json!({"domain": "agm", "type": "register", "peer_id": id, "request_id": "reg",
                         "methods": [method]}))
            .await;
        while self.frame_of("success").await["request_id"] != "reg" {}
    }
}
