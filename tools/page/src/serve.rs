//! A plain static server on the loopback, with HTTPS in front of it where other machines are served.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};
use tiny_http::{HTTPVersion, Header, Method, Request, Response, Server};

use crate::tls::{self, Certificate};

/// HTTP version of the responses, which closes each connection. The library's threads may not serve one as long as
/// others are kept open, which browsers do for minutes.
const VERSION: HTTPVersion = HTTPVersion(1, 0);

/// MIME types by file extension.
const TYPES: [(&str, &str); 6] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
];

/// Serves `folder` until the program is ended: this machine alone, or by `https` the network.
///
/// # Errors
/// If there is no page in it, or the port is taken.
pub fn serve(folder: &Path, port: u16, https: bool) -> Result<()> {
    ensure!(folder.join("index.html").exists(), "there is no page in {}: make web builds it", folder.display());
    let taken = |error: &dyn Display| {
        anyhow!("port {port} cannot be had ({error}): another program has it; try --port {}", port ^ 1)
    };
    // Behind HTTPS the plain server takes any port.
    let server = Server::http((Ipv4Addr::LOCALHOST, if https { 0 } else { port })).map_err(|error| taken(&error))?;
    let plain = server.server_addr().to_ip().ok_or_else(|| anyhow!("the server has no address"))?;
    if https {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).map_err(|error| taken(&error))?;
        let (port, address) = (listener.local_addr()?.port(), tls::own_address());
        let certificate = Certificate::new(address)?;
        println!("https://{address}:{port}/    Ctrl+C ends");
        println!("The browser warns of a certificate that it does not know. It is this one if its SHA-256 is");
        println!("{}", certificate.fingerprint);
        tls::pass_on(listener, &certificate, plain);
    } else {
        println!("http://{plain}/    Ctrl+C ends");
    }
    for request in server.incoming_requests() {
        // The client has disconnected: there is nobody to report to.
        let _ = answer(folder, request);
    }
    Ok(())
}

fn answer(folder: &Path, request: Request) -> std::io::Result<()> {
    let file = path(folder, request.url()).and_then(|path| Some((File::open(&path).ok()?, path)));
    let is_head = *request.method() == Method::Head;
    let mut writer = request.into_writer();
    let Some((file, path)) = file else {
        let missing = Response::from_string("not here").with_status_code(404);
        missing.raw_print(&mut writer, VERSION, &[], is_head, None)?;
        return writer.flush();
    };
    let extension = path.extension().unwrap_or_default();
    let kind = TYPES.iter().find(|(name, _)| extension == *name).map_or("application/octet-stream", |(_, kind)| kind);
    // Every file except `index.html`, which names the others, has a hash in its path.
    let keep = if extension == "html" { "no-cache" } else { "max-age=31536000, immutable" };
    let headers = [("Content-Type", kind), ("Cache-Control", keep), ("X-Content-Type-Options", "nosniff")];
    let headers = headers.into_iter().filter_map(|(name, value)| Header::from_bytes(name, value).ok());
    let response = headers.fold(Response::from_file(file), Response::with_header);
    response.raw_print(&mut writer, VERSION, &[], is_head, None)?;
    writer.flush()
}

/// File of an address; `None` for a path outside the folder. The page's own names need no decoding.
fn path(folder: &Path, url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?;
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = if path.is_empty() { "index.html" } else { path };
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':']);
    path.split('/').all(plain).then(|| folder.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_in_the_folder() {
        let folder = Path::new("site");
        assert_eq!(path(folder, "/?scene=reef"), Some("site/index.html".into()));
        assert_eq!(path(folder, "/assets/a.webp"), Some("site/assets/a.webp".into()));
        for outside in ["/../secret", "/assets/../../secret", "//etc/passwd", "/a\\..\\b", "/c:/secret"] {
            assert_eq!(path(folder, outside), None, "{outside}");
        }
    }
}
