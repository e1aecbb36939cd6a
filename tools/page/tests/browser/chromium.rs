//! Headless Chromium, driven over the DevTools protocol through a pipe: messages are JSON, each ended by a zero byte.
//! <https://chromedevtools.github.io/devtools-protocol/>
#![expect(clippy::print_stderr, reason = "tests tell what they skip")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use data_encoding::BASE64;
use image::RgbaImage;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Names of the browser's program.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// OpenGL through ANGLE and EGL, so that Mesa's software renderer draws, as in the other tests.
const FLAGS: [&str; 8] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    // A container's root user may not create namespaces; only this project's own page is opened.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--use-gl=angle",
    "--use-angle=gl-egl",
    "--ignore-gpu-blocklist",
];

/// Longest wait for a condition in a page before the test fails. Unit: milliseconds.
const PATIENCE_MS: u32 = 300_000;

/// A browser with one tab.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    messages: u64,
    /// Unsolicited events: requests, console messages.
    pub events: Vec<Value>,
    /// Folder of its profile and downloads.
    folder: TempDir,
}

impl Browser {
    /// Starts a browser with additional `flags`; `None`, with a message, if none is installed and `CI` is not set.
    pub fn open(flags: &[&str]) -> Option<Self> {
        let Some(name) = NAMES.iter().find(|name| Command::new(name).arg("--version").output().is_ok()) else {
            assert!(std::env::var_os("CI").is_none(), "Chromium is not installed");
            eprintln!("skipped: Chromium is not installed (scripts/system-packages.sh chromium)");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        // The protocol uses file descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 >/dev/null 2>&1"#, "sh", name])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .args(FLAGS)
            .args(flags)
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let (to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let from = BufReader::new(from);
        let (session, events) = (String::new(), Vec::new());
        let mut browser = Self { child, to, from, session, messages: 0, events, folder };
        let kept = json!({ "behavior": "allow", "downloadPath": browser.downloads(), "eventsEnabled": true });
        browser.call("Browser.setDownloadBehavior", kept);
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.size(640, 360, 1.0, false);
        Some(browser)
    }

    /// Folder of downloads.
    pub fn downloads(&self) -> std::path::PathBuf {
        self.folder.path().join("downloads")
    }

    /// Calls a method and returns its result.
    ///
    /// # Panics
    /// If it fails.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.messages += 1;
        let mut message = json!({ "id": self.messages, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).expect("the browser speaks");
            assert_eq!(bytes.pop(), Some(0), "the browser has ended");
            let mut answer: Value = serde_json::from_slice(&bytes).expect("JSON");
            if answer["id"] != message["id"] {
                self.events.push(answer);
                continue;
            }
            assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
            return answer["result"].take();
        }
    }

    /// Value of a JavaScript expression, awaited if it is a promise. `sea` in it is the program's module.
    ///
    /// # Panics
    /// If it throws.
    pub fn js(&mut self, expression: &str) -> Value {
        // A module has one instance, regardless of the importer.
        let program = "document.querySelector('script[type=module]').src.replace('page.js', 'pelagic.js')";
        let sea =
            if expression.contains("sea.") { format!("const sea = await import({program});") } else { String::new() };
        let wrapped = format!("(async () => {{ {sea} return {expression}; }})()");
        let parameters =
            json!({ "expression": wrapped, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let mut result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    /// Result of the program's `state()`.
    pub fn state(&mut self) -> Value {
        let text = self.js("sea.state()");
        serde_json::from_str(text.as_str().expect("a text")).expect("JSON")
    }

    /// Waits until an expression holds.
    ///
    /// # Panics
    /// If it does not hold within a long time.
    pub fn until(&mut self, condition: &str) {
        let looks = PATIENCE_MS / 50;
        let holds = self.js(&format!(
            "await (async () => {{ for (let look = 0; look < {looks}; look += 1) {{ if ({condition}) return true; \
             await new Promise((later) => setTimeout(later, 50)); }} return false; }})()"
        ));
        if holds != true {
            let words = self.js("document.body.innerText");
            panic!("{condition} never came true; the page says: {words}\n{}", self.complaints().join("\n"));
        }
    }

    /// Opens an address and waits until the scene is shown.
    pub fn open_sea(&mut self, address: &str) {
        self.go(address);
        self.until("!document.body.classList.contains('loading') || !document.getElementById('failure').hidden");
        let failure = self.js("document.getElementById('failure-text').textContent");
        assert_eq!(failure, "", "{}", self.complaints().join("\n"));
    }

    /// Opens an address and returns the error message that is shown in place of the scene.
    pub fn failure(&mut self, address: &str) -> String {
        self.go(address);
        self.until("!document.getElementById('failure').hidden");
        self.js("document.getElementById('failure-text').textContent").as_str().expect("a text").to_owned()
    }

    fn go(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// Text of the notice over the scene, once it is shown.
    pub fn notice(&mut self) -> String {
        self.until("!document.getElementById('notice').hidden");
        self.js("document.getElementById('notice').innerText").as_str().expect("a text").to_owned()
    }

    /// Clicks the element of a selector by script.
    pub fn click(&mut self, selector: &str) {
        self.js(&format!("document.querySelector('{selector}').click()"));
    }

    /// Presses a key, as a keyboard does.
    pub fn key(&mut self, code: &str, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "code": code, "key": key, "text": text }));
        }
    }

    /// Drops files or folders onto the middle of the page.
    pub fn drop_files(&mut self, paths: &[&Path]) {
        let data = json!({ "items": [], "files": paths, "dragOperationsMask": 1 });
        for kind in ["dragEnter", "dragOver", "drop"] {
            self.call("Input.dispatchDragEvent", json!({ "type": kind, "x": 300, "y": 100, "data": data }));
        }
    }

    /// Sets the window's size; emulates a phone or tablet if it is touched.
    pub fn size(&mut self, width: u32, height: u32, ratio: f64, touched: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": touched });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": touched }));
    }

    /// Screenshot of the window.
    pub fn picture(&mut self) -> RgbaImage {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = BASE64.decode(picture["data"].as_str().expect("a text").as_bytes()).expect("base 64");
        image::load_from_memory(&bytes).expect("a PNG").into_rgba8()
    }

    /// Errors in the console so far.
    pub fn complaints(&mut self) -> Vec<String> {
        let loud = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            _ => false,
        };
        self.events.iter().filter(loud).map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser with all its processes; it may be gone already.
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.child.wait();
    }
}
