//! Watchdog that ends the program when its display server ends.
//!
//! The libraries react to that end in different ways: Xlib exits, winit panics, Mesa's swap never returns. A thread of
//! its own notices the end of the connection and, when the event loop has been silent for long, asks the display server
//! over a new connection whether it still answers. A slow frame ends nothing as long as the server answers.
#![expect(clippy::disallowed_methods, reason = "a thread watches the connection")]

use std::ffi::c_int;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use wayland_sys::client::wayland_client_handle;
use wayland_sys::ffi_dispatch;
use winit::raw_window_handle::RawDisplayHandle;
use x11_dl::xlib::{Display, Xlib};
use x11rb::errors::ConnectError;
use x11rb::rust_connection::RustConnection;

use super::super::leave::lost;

/// Time between checks of the event loop.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Silent checks of the event loop after which the display server is asked.
const SILENT: u32 = 4;
/// Longest wait for an answer. The server is asked twice, so that with the checks it is 10 s in all.
const ANSWER: Duration = Duration::from_secs(3);
/// Silent checks of the event loop after which it is given up if the display server cannot be asked.
const HOPELESS: u32 = 120;

/// Reason for a closed connection to the display server.
const ENDED: &str = "its connection has ended";

/// Watches a connection to a display server until it is dropped.
pub struct Watch {
    /// Set by the event loop, cleared at each check.
    alive: Arc<AtomicBool>,
    /// Whether the connection is being closed on purpose. Locked while the program exits.
    ended: Arc<Mutex<bool>>,
}

impl Watch {
    /// Watches the connection of `display` to `server`.
    pub fn new(display: RawDisplayHandle, server: Server) -> Self {
        let watch = Self { alive: Arc::new(AtomicBool::new(true)), ended: Arc::new(Mutex::new(false)) };
        let Some(connection) = connection(display).map(Arc::new) else {
            log::debug!("the display server is not watched");
            return watch;
        };
        hear_panics(connection.clone(), watch.ended.clone());
        let (alive, ended) = (watch.alive.clone(), watch.ended.clone());
        let watching = move || run(&connection, &server, &alive, &ended);
        if let Err(error) = thread::Builder::new().name("display".into()).spawn(watching) {
            log::debug!("the display server is not watched: {error}");
        }
        watch
    }

    /// Signals that the event loop is alive.
    pub fn beat(&self) {
        self.alive.store(true, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
}

/// Address of a display server.
#[derive(Clone, Debug)]
pub enum Server {
    /// An X server, at the address in `DISPLAY`.
    X11,
    /// A Wayland compositor at that socket; `None` if the connection was inherited from another program.
    Wayland(Option<PathBuf>),
}

fn run(connection: &OwnedFd, server: &Server, alive: &AtomicBool, ended: &Mutex<bool>) {
    let mut silent = 0;
    loop {
        let hung_up = wait_for_hangup(connection, LOOK_EVERY);
        let why = if hung_up {
            Some(ENDED)
        } else if alive.swap(false, Ordering::Relaxed) {
            silent = 0;
            None
        } else {
            silent += 1;
            let answers = if silent < SILENT { Some(true) } else { server.answers(ANSWER) };
            // Asked twice: this program may itself have been stopped while it waited.
            let is_gone = match answers {
                Some(true) => false,
                Some(false) => server.answers(ANSWER) == Some(false),
                None => silent >= HOPELESS,
            };
            (is_gone && !alive.load(Ordering::Relaxed)).then_some("it does not answer any more")
        };
        let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        if *ended {
            return;
        }
        if let Some(why) = why {
            lost(why);
        }
    }
}

impl Server {
    /// Whether it answers a new connection within `patience`; `None` if it cannot be asked.
    fn answers(&self, patience: Duration) -> Option<bool> {
        let socket = match self {
            Self::X11 => None,
            Self::Wayland(Some(socket)) => Some(socket.clone()),
            Self::Wayland(None) => return None,
        };
        let (answer, answered) = channel();
        // Connecting can block for ever, so another thread does it.
        let asking = thread::Builder::new().spawn(move || {
            let answers = match socket {
                None => x11_answers(),
                Some(socket) => wayland_answers(&socket, patience).is_ok(),
            };
            // After the timeout nobody receives the answer.
            let _ = answer.send(answers);
        });
        asking.ok()?;
        Some(answered.recv_timeout(patience).unwrap_or(false))
    }
}

fn x11_answers() -> bool {
    match RustConnection::connect(None) {
        // A refusal with a reason is an answer too.
        Ok(_) | Err(ConnectError::SetupFailed(_) | ConnectError::SetupAuthenticate(_)) => true,
        Err(_) => false,
    }
}

fn wayland_answers(socket: &std::path::Path, patience: Duration) -> std::io::Result<()> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(patience))?;
    // `wl_display.sync`: object 1, request 0 in 12 bytes, the answer to go to the new object 2.
    let words: [u32; 3] = [1, 12 << 16, 2];
    stream.write_all(&words.map(u32::to_ne_bytes).concat())?;
    match stream.read(&mut [0; 12])? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// Duplicates the connection's socket. Xlib is set to report the connection's end instead of exiting with its own
/// message.
fn connection(display: RawDisplayHandle) -> Option<OwnedFd> {
    let number = match display {
        RawDisplayHandle::Xlib(handle) => {
            let (xlib, display) = (Xlib::open().ok()?, handle.display?);
            // SAFETY: the handler lives for ever and, as it must, does not return; the display is the event loop's, which is
            // alive.
            unsafe {
                (xlib.XSetIOErrorHandler)(Some(hear));
                (xlib.XConnectionNumber)(display.as_ptr().cast())
            }
        }
        // SAFETY: the display is the event loop's, which is alive and has loaded the library.
        RawDisplayHandle::Wayland(handle) => unsafe {
            ffi_dispatch!(wayland_client_handle(), wl_display_get_fd, handle.display.as_ptr().cast())
        },
        _ => return None,
    };
    // SAFETY: the number is that of the display's socket, which stays open meanwhile.
    (number >= 0).then(|| unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned().ok()).flatten()
}

unsafe extern "C" fn hear(_: *mut Display) -> c_int {
    lost(ENDED)
}

/// Waits until the other end of a connection has been closed; returns whether it has.
fn wait_for_hangup(connection: &OwnedFd, patience: Duration) -> bool {
    let mut asked = libc::pollfd { fd: connection.as_raw_fd(), events: libc::POLLRDHUP, revents: 0 };
    // SAFETY: one entry, which lives as long as the call.
    let happened = unsafe { libc::poll(&raw mut asked, 1, patience.as_millis() as c_int) };
    happened > 0 && asked.revents & (libc::POLLRDHUP | libc::POLLHUP | libc::POLLERR) != 0
}

/// Exits with a message if a windowing library panics because the connection has ended. Any other panic is a bug of the
/// program and reported as such.
fn hear_panics(connection: Arc<OwnedFd>, ended: Arc<Mutex<bool>>) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Locked while another thread exits the program: then this one must not report anything.
        let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        if !*ended && wait_for_hangup(&connection, Duration::ZERO) {
            lost(ENDED);
        }
        drop(ended);
        usual(panic);
    }));
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_compositor_that_answers_is_told_from_one_that_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("wayland-9");
        let server = Server::Wayland(Some(socket.clone()));
        let patience = Duration::from_millis(200);
        assert_eq!(server.answers(patience), Some(false), "there is none");
        let listener = UnixListener::bind(&socket).expect("a socket");
        assert_eq!(server.answers(patience), Some(false), "it hears and says nothing");
        thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let mut request = [0; 12];
                // Earlier clients, which timed out, have gone by now.
                if stream.read_exact(&mut request).is_ok() && request[8] == 2 {
                    let _ = stream.write_all(&request);
                }
            }
        });
        assert_eq!(server.answers(Duration::from_secs(60)), Some(true));
        assert_eq!(Server::Wayland(None).answers(patience), None);
    }

    #[test]
    fn a_connection_is_heard_to_end_and_not_before() {
        let (ours, theirs) = UnixStream::pair().expect("a connection");
        let ours = OwnedFd::from(ours);
        assert!(!wait_for_hangup(&ours, Duration::from_millis(50)));
        drop(theirs);
        assert!(wait_for_hangup(&ours, Duration::from_secs(60)));
    }
}
