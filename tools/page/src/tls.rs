//! HTTPS in front of the plain server, for other machines of the network: browsers offer headsets to no other address.
//!
//! The certificate is made on the spot, and nobody vouches for it: a browser warns, and shows its fingerprint, which is to
//! be that of the terminal.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use data_encoding::HEXUPPER;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use sha2::{Digest, Sha256};

/// Longest head of a request. Unit: bytes.
const HEAD_MAX: u64 = 16 * 1024;
/// Longest wait for a client that has connected and says nothing.
const PATIENCE: Duration = Duration::from_secs(20);

/// A certificate that was made here, and what the terminal tells of it.
pub struct Certificate {
    config: Arc<ServerConfig>,
    /// SHA-256 of the certificate, as browsers show it.
    pub fingerprint: String,
    #[cfg(test)]
    der: rustls::pki_types::CertificateDer<'static>,
}

impl Certificate {
    /// A certificate for this machine under `address`.
    ///
    /// # Errors
    /// If there is no randomness to make keys of.
    pub fn new(address: IpAddr) -> Result<Self> {
        let names = ["localhost".to_owned(), Ipv4Addr::LOCALHOST.to_string(), address.to_string()];
        let made = rcgen::generate_simple_self_signed(names).context("no certificate can be made")?;
        let der = made.cert.der().clone();
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![der.clone()], key.into())?;
        let bytes: Vec<_> = Sha256::digest(&der).iter().map(|byte| HEXUPPER.encode(&[*byte])).collect();
        Ok(Self {
            config: Arc::new(config),
            fingerprint: bytes.join(":"),
            #[cfg(test)]
            der,
        })
    }
}

/// Address by which other machines of the network reach this one, or the loopback without a network.
pub fn own_address() -> IpAddr {
    // Sends nothing: it only asks the system for the way to an address that is kept for documentation.
    let asked = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    asked.map_or(Ipv4Addr::LOCALHOST.into(), |address| address.ip())
}

/// Passes what comes to `listener` by TLS on to the plain server at `plain`, each connection on a thread of its own.
pub fn pass_on(listener: TcpListener, certificate: &Certificate, plain: SocketAddr) {
    let config = certificate.config.clone();
    thread::spawn(move || {
        for client in listener.incoming() {
            let Ok(client) = client else {
                // Without room for another connection: those that there are will end.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let config = config.clone();
            // A client that is gone, or does not trust the certificate: there is nobody to report to.
            thread::spawn(move || pass_one(client, config, plain).ok());
        }
    });
}

/// Passes one request on, and its answer back; the plain server is told to close the connection after that.
fn pass_one(client: TcpStream, config: Arc<ServerConfig>, plain: SocketAddr) -> io::Result<()> {
    client.set_read_timeout(Some(PATIENCE))?;
    client.set_write_timeout(Some(PATIENCE))?;
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = StreamOwned::new(connection, client);
    let mut head = Vec::new();
    let mut reader = BufReader::new(&mut stream).take(HEAD_MAX);
    while !head.ends_with(b"\r\n\r\n") {
        if reader.read_until(b'\n', &mut head)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let mut server = TcpStream::connect(plain)?;
    server.set_read_timeout(Some(PATIENCE))?;
    // Of several such headers the first one counts.
    let line_end = head.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (line, rest) = head.split_at(line_end);
    server.write_all(&[line, b"Connection: close\r\n", rest].concat())?;
    io::copy(&mut server, &mut stream)?;
    stream.conn.send_close_notify();
    stream.flush()?;
    stream.sock.shutdown(Shutdown::Write)
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::ServerName;
    use rustls::{ClientConfig, ClientConnection, RootCertStore};

    use super::*;

    /// Address of a plain server that answers each request with its address.
    fn echo() -> SocketAddr {
        let server = tiny_http::Server::http((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = server.server_addr().to_ip().expect("an address");
        thread::spawn(move || {
            for request in server.incoming_requests() {
                let answer = tiny_http::Response::from_string(request.url());
                let _ = request.respond(answer);
            }
        });
        address
    }

    fn ask(at: SocketAddr, trusted: &Certificate, text: &str) -> io::Result<String> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted.der.clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        let connection = ClientConnection::new(Arc::new(config), name).expect("a connection");
        let mut stream = StreamOwned::new(connection, TcpStream::connect(at)?);
        stream.write_all(text.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    #[test]
    fn a_request_by_tls_reaches_the_plain_server_and_others_trust_no_other_certificate() {
        let [ours, other] = [0, 1].map(|_| Certificate::new(own_address()).expect("a certificate"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let at = listener.local_addr().expect("an address");
        pass_on(listener, &ours, echo());
        let request = "GET /page HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n";
        // Reading ends with the connection, which the client would have kept.
        let answer = ask(at, &ours, request).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("/page"), "{answer}");
        assert!(ask(at, &other, "GET / HTTP/1.1\r\n\r\n").is_err(), "a stranger's certificate");
        assert!(ask(at, &ours, &"x".repeat(HEAD_MAX as usize + 1)).is_err(), "a head without an end");
        assert_eq!((ours.fingerprint.len(), ours.fingerprint == other.fingerprint), (32 * 3 - 1, false));
    }
}
