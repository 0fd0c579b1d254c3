//! A server on loopback that answers as a script says, byte for byte, and keeps what it was asked.
//!
//! It waits on channels, never on a clock: a reply goes on when the test says so. Replies are taken in the order in
//! which requests come in, over however many connections.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

/// A server and what it was asked.
pub(crate) struct Peer {
    address: SocketAddr,
    scheme: &'static str,
    shared: Arc<Shared>,
}

/// One request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: String,
    /// As on the request line: a path, or what a proxy gets.
    pub(crate) path: String,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Over which connection it came, from 0.
    pub(crate) connection: usize,
}

/// What is sent back for one request, step by step.
#[derive(Default)]
pub(crate) struct Reply(Vec<Step>);

enum Step {
    Bytes(Vec<u8>),
    Wait(Receiver<()>),
    Reset,
    Close,
    Tunnel(SocketAddr),
}

struct Shared {
    script: Mutex<VecDeque<Reply>>,
    seen: Mutex<Vec<Seen>>,
}

impl Peer {
    /// Listens on a free port; a request beyond the script gets a 500 that says so.
    pub(crate) fn start(script: impl IntoIterator<Item = Reply>) -> Peer {
        Peer::listen(script, None)
    }

    /// The same over TLS.
    pub(crate) fn start_tls(script: impl IntoIterator<Item = Reply>, tls: ServerConfig) -> Peer {
        Peer::listen(script, Some(Arc::new(tls)))
    }

    fn listen(script: impl IntoIterator<Item = Reply>, tls: Option<Arc<ServerConfig>>) -> Peer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let scheme = if tls.is_some() { "https" } else { "http" };
        let shared = Arc::new(Shared {
            script: Mutex::new(script.into_iter().collect()),
            seen: Mutex::default(),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for (connection, stream) in listener.incoming().enumerate() {
                let (shared, tls) = (Arc::clone(&serving), tls.clone());
                let stream = stream.expect("a connection");
                // A client that goes away in the middle is part of many a test.
                thread::spawn(move || drop(shared.serve(connection, stream, tls)));
            }
        });
        Peer {
            address,
            scheme,
            shared,
        }
    }

    /// `http://127.0.0.1:PORT`, or `https`.
    pub(crate) fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it was asked so far.
    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.shared.seen.lock().expect("what was seen").clone()
    }
}

impl Seen {
    /// The value of a header, named in small letters.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(other, _)| other == name)?;
        Some(value)
    }
}

impl Reply {
    /// A whole stream of events.
    pub(crate) fn events(text: &str) -> Reply {
        Reply::whole(200, &[("content-type", "text/event-stream")], text)
    }

    /// A whole answer.
    pub(crate) fn whole(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
        let length = body.len().to_string();
        let headers = [headers, &[("content-length", length.as_str())]].concat();
        Reply::head(status, &headers).raw(body)
    }

    /// The head of an answer whose body comes in pieces.
    pub(crate) fn pieces(status: u16, headers: &[(&str, &str)]) -> Reply {
        Reply::head(
            status,
            &[headers, &[("transfer-encoding", "chunked")]].concat(),
        )
    }

    /// The head alone.
    pub(crate) fn head(status: u16, headers: &[(&str, &str)]) -> Reply {
        let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        Reply::default().raw(&(head + "\r\n"))
    }

    /// One piece of a body that comes in pieces.
    pub(crate) fn piece(self, text: &str) -> Reply {
        self.raw(&format!("{:x}\r\n{text}\r\n", text.len()))
    }

    /// The end of such a body.
    pub(crate) fn end(self) -> Reply {
        self.raw("0\r\n\r\n")
    }

    /// Any bytes.
    pub(crate) fn raw(mut self, bytes: &str) -> Reply {
        self.0.push(Step::Bytes(bytes.as_bytes().to_vec()));
        self
    }

    /// Goes on when something is sent; where the sender is dropped, the connection is closed.
    pub(crate) fn wait(mut self) -> (Sender<()>, Reply) {
        let (sender, receiver) = channel();
        self.0.push(Step::Wait(receiver));
        (sender, self)
    }

    /// Breaks the connection.
    pub(crate) fn reset(mut self) -> Reply {
        self.0.push(Step::Reset);
        self
    }

    /// Closes the connection.
    pub(crate) fn close(mut self) -> Reply {
        self.0.push(Step::Close);
        self
    }

    /// Passes on whatever comes to `peer` and back, as a proxy does after CONNECT.
    pub(crate) fn tunnel(mut self, peer: &Peer) -> Reply {
        self.0.push(Step::Tunnel(peer.address));
        self
    }
}

impl Shared {
    fn serve(
        &self,
        connection: usize,
        socket: TcpStream,
        tls: Option<Arc<ServerConfig>>,
    ) -> io::Result<()> {
        let own = socket.try_clone()?;
        match tls {
            None => self.answer(connection, socket, &own),
            Some(tls) => {
                let session = ServerConnection::new(tls).map_err(io::Error::other)?;
                self.answer(connection, StreamOwned::new(session, socket), &own)
            }
        }
    }

    /// Answers the requests of one connection.
    fn answer(
        &self,
        connection: usize,
        mut stream: impl Read + Write,
        socket: &TcpStream,
    ) -> io::Result<()> {
        while let Some(seen) = request(connection, &mut stream)? {
            self.seen.lock().expect("what was seen").push(seen);
            let reply = self.script.lock().expect("the script").pop_front();
            let reply = reply.unwrap_or_else(|| Reply::whole(500, &[], "the script is over"));
            for step in reply.0 {
                match step {
                    Step::Bytes(bytes) => stream.write_all(&bytes)?,
                    Step::Wait(signal) => {
                        stream.flush()?;
                        if signal.recv().is_err() {
                            return socket.shutdown(Shutdown::Both);
                        }
                    }
                    Step::Reset => return SockRef::from(socket).set_linger(Some(Duration::ZERO)),
                    Step::Close => return socket.shutdown(Shutdown::Both),
                    Step::Tunnel(to) => {
                        stream.flush()?;
                        return tunnel(socket, to);
                    }
                }
            }
            stream.flush()?;
        }
        Ok(())
    }
}

/// Copies both ways until both have ended.
pub(crate) fn tunnel(socket: &TcpStream, to: SocketAddr) -> io::Result<()> {
    let far = TcpStream::connect(to)?;
    let (mut from_near, mut to_far) = (socket.try_clone()?, far.try_clone()?);
    let there = thread::spawn(move || {
        let copied = io::copy(&mut from_near, &mut to_far);
        to_far.shutdown(Shutdown::Write).and(copied)
    });
    io::copy(&mut &far, &mut &*socket)?;
    socket.shutdown(Shutdown::Write)?;
    drop(there.join());
    Ok(())
}

/// The next request; nothing where the client is done.
fn request(connection: usize, stream: &mut impl Read) -> io::Result<Option<Seen>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let mut line = lines
        .next()
        .unwrap_or_default()
        .split(' ')
        .map(str::to_owned);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    Ok(Some(Seen {
        method: line.next().unwrap_or_default(),
        path: line.next().unwrap_or_default(),
        headers,
        body,
        connection,
    }))
}
