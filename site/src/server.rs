//! A small server for one folder, and for what is made when it is asked for.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context, Result};

/// The port that readers find in the README.
const USUAL_PORT: u16 = 8080;

/// The most that a request's head may have; a browser's has about one kilobyte.
const HEAD_BYTES: u64 = 64 * 1024;

/// How long a browser may take to send a request over a connection that it opened.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a file that is yet to come is looked for.
const POLL: Duration = Duration::from_millis(100);

/// A running server; it stops when dropped.
///
/// One thread and one request for each connection: a page has some twenty files, and nothing can wait for
/// anything else.
pub struct StaticServer {
    listener: SocketAddr,
    stop: Arc<AtomicBool>,
    is_whole: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    address: String,
}

impl StaticServer {
    /// Serves `folder` below the URL path `prefix` (such as `/` or `/some/path/`) on this machine only, on
    /// `port`, or on any free port when it is 0.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn start(folder: &Path, prefix: &str, port: u16) -> Result<Self> {
        Self::start_with(folder, prefix, bind(port)?, |_, _| None)
    }

    /// The same with what `own` gives before the folder is looked into, by the path below the prefix and the query.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn start_with(
        folder: &Path,
        prefix: &str,
        listener: TcpListener,
        own: impl Fn(&str, &str) -> Option<Answer> + Send + Sync + 'static,
    ) -> Result<Self> {
        let server = Self::serve(folder, prefix, listener, Box::new(own))?;
        server.finish();
        Ok(server)
    }

    /// The same while files are yet to come: until [`finish`](Self::finish), who asks for one that is not there waits.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn start_early(folder: &Path, prefix: &str, listener: TcpListener) -> Result<Self> {
        Self::serve(folder, prefix, listener, Box::new(|_, _| None))
    }

    /// All files are there.
    pub fn finish(&self) {
        self.is_whole.store(true, Ordering::Relaxed);
    }

    fn serve(folder: &Path, prefix: &str, listener: TcpListener, own: Box<Own>) -> Result<Self> {
        let bound = listener.local_addr().context("the server has no address")?;
        let prefix = format!("/{}/", prefix.trim_matches('/')).replace("//", "/");
        let address = format!("http://127.0.0.1:{}{prefix}", bound.port());
        let stop = Arc::new(AtomicBool::new(false));
        let is_whole = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let served =
            Arc::new(Served { folder: folder.to_path_buf(), prefix, own, is_whole: Arc::clone(&is_whole) });
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                let served = Arc::clone(&served);
                // An error here means that the browser has gone away.
                thread::spawn(move || stream.and_then(|stream| answer(&stream, &served)));
            }
        });
        Ok(Self { listener: bound, stop, is_whole, thread: Some(thread), address })
    }

    /// The address of the page, ending in a slash.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // It only ends by a panic, which has been printed.
            let _ = thread.join();
        }
    }
}

impl Drop for StaticServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.listener);
    }
}

/// The port that was asked for, or else the usual one, or else any: before anything is built for it.
///
/// # Errors
/// When the port that was asked for is taken.
pub fn listen(port: Option<u16>) -> Result<TcpListener> {
    match port {
        Some(port) => bind(port),
        None => bind(USUAL_PORT).or_else(|_| bind(0)),
    }
}

/// Opens an address in the default browser.
///
/// # Errors
/// When there is no program for that.
pub fn open_browser(address: &str) -> Result<()> {
    let (program, args): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    Command::new(program)
        .args(args)
        .arg(address)
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    Ok(())
}

fn bind(port: u16) -> Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port))
        .with_context(|| format!("cannot listen on port {port}; choose another with --port"))
}

/// What a server gives of its own.
type Own = dyn Fn(&str, &str) -> Option<Answer> + Send + Sync;

/// What a server needs to answer.
struct Served {
    folder: PathBuf,
    prefix: String,
    own: Box<Own>,
    is_whole: Arc<AtomicBool>,
}

impl Served {
    fn resolve(&self, url: &str) -> Answer {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let own = percent_decoded(path).and_then(|it| (self.own)(it.strip_prefix(&self.prefix)?, query));
        own.unwrap_or_else(|| resolve(url, &self.folder, &self.prefix))
    }
}

/// What a request gets.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// A file as it is.
    File(PathBuf),
    /// A text made for this request, and the name of the file that it would be.
    Text(&'static str, String),
    /// Another address.
    Redirect(String),
    /// That there is nothing.
    NotFound,
}

fn resolve(url: &str, folder: &Path, prefix: &str) -> Answer {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let Some(path) = percent_decoded(path) else { return Answer::NotFound };
    let Some(below) = path.strip_prefix(prefix) else {
        let missing_slash = format!("{path}/") == prefix;
        return if missing_slash { Answer::Redirect(prefix.to_owned()) } else { Answer::NotFound };
    };
    let relative = Path::new(below);
    // Nothing outside the folder.
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) || below.contains('\\') {
        return Answer::NotFound;
    }
    let file = folder.join(relative);
    if file.is_dir() && !below.is_empty() && !below.ends_with('/') {
        return Answer::Redirect(format!("{path}/"));
    }
    let file = if file.is_dir() { file.join("index.html") } else { file };
    if file.is_file() { Answer::File(file) } else { Answer::NotFound }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn mime_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" | "py" | "wgsl" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Reads one request and answers it.
fn answer(mut stream: &TcpStream, served: &Served) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut head = BufReader::new(stream.take(HEAD_BYTES));
    let mut request = String::new();
    head.read_line(&mut request)?;
    // A connection must be read to the end before it is closed.
    let (mut header, mut known, mut takes_brotli) = (String::from("-"), None, false);
    while !header.trim().is_empty() {
        header.clear();
        head.read_line(&mut header)?;
        let Some((name, value)) = header.split_once(':') else { continue };
        match name.to_ascii_lowercase().as_str() {
            "if-none-match" => known = Some(value.trim().to_owned()),
            "accept-encoding" => takes_brotli = value.split(',').any(|it| it.trim() == "br"),
            _ => {}
        }
    }
    let mut words = request.split_whitespace();
    let (method, url) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method.is_empty() {
        // Browsers open connections that they may need, and close them unused.
        return Ok(());
    }
    if !["GET", "HEAD"].contains(&method) {
        return stream.write_all(&plain("405 Method Not Allowed", "Allow: GET, HEAD\r\n"));
    }
    // The order counts: a file that comes in between is seen.
    while !served.is_whole.load(Ordering::Relaxed) && served.resolve(url) == Answer::NotFound {
        thread::sleep(POLL);
    }
    match served.resolve(url) {
        Answer::NotFound => stream.write_all(&plain("404 Not Found", "")),
        Answer::Redirect(to) => {
            stream.write_all(&plain("308 Permanent Redirect", &format!("Location: {to}\r\n")))
        }
        Answer::Text(name, text) => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
                mime_type(Path::new(name)),
                text.len()
            );
            stream.write_all(head.as_bytes())?;
            if method == "GET" { stream.write_all(text.as_bytes()) } else { Ok(()) }
        }
        Answer::File(path) => {
            // As static hosts do: `a.wasm.br` beside `a.wasm` is the same file, compressed.
            let mut compressed = path.clone().into_os_string();
            compressed.push(".br");
            let compressed = Path::new(&compressed);
            let is_compressed = takes_brotli && compressed.is_file();
            let mut file = File::open(if is_compressed { compressed } else { &path })?;
            let metadata = file.metadata()?;
            let bytes = metadata.len();
            let written = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
            let tag = format!("\"{bytes:x}-{:x}\"", written.as_nanos());
            // `no-cache` lets the browser keep a copy but makes it ask: no file has a hash in its name.
            let caching = format!("Cache-Control: no-cache\r\nETag: {tag}\r\n");
            if known.as_ref() == Some(&tag) {
                let head = format!("HTTP/1.1 304 Not Modified\r\n{caching}Connection: close\r\n\r\n");
                return stream.write_all(head.as_bytes());
            }
            let encoding = if is_compressed { "Content-Encoding: br\r\n" } else { "" };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {}\r\n{encoding}Content-Length: {bytes}\r\n{caching}\
                 Connection: close\r\n\r\n",
                mime_type(&path)
            );
            stream.write_all(head.as_bytes())?;
            if method == "GET" {
                io::copy(&mut file, &mut stream)?;
            }
            Ok(())
        }
    }
}

/// A response without a file; `headers` are whole lines.
fn plain(status: &str, headers: &str) -> Vec<u8> {
    let length = status.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n{headers}\
         Connection: close\r\n\r\n{status}\n"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("napkin-site-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("site/sub")).unwrap();
        std::fs::write(folder.join("secret.txt"), "secret").unwrap();
        std::fs::write(folder.join("site/index.html"), "<p>home").unwrap();
        std::fs::write(folder.join("site/a b.wasm"), "\0asm").unwrap();
        std::fs::write(folder.join("site/sub/index.html"), "<p>sub").unwrap();
        folder.join("site")
    }

    #[test]
    fn urls_lead_to_files_of_the_folder_alone() {
        let site = site("urls");
        let get = |url: &str| resolve(url, &site, "/some/path/");
        assert_eq!(get("/some/path/"), Answer::File(site.join("index.html")));
        assert_eq!(get("/some/path/?bench#cell"), Answer::File(site.join("index.html")));
        assert_eq!(get("/some/path/a%20b.wasm"), Answer::File(site.join("a b.wasm")));
        assert_eq!(get("/some/path"), Answer::Redirect("/some/path/".into()));
        assert_eq!(get("/some/path/sub"), Answer::Redirect("/some/path/sub/".into()));
        assert_eq!(get("/some/path/sub/"), Answer::File(site.join("sub/index.html")));
        for wrong in [
            "/",
            "/index.html",
            "/some/path/none.js",
            "/some/path/../secret.txt",
            "/some/path/%2e%2e/secret.txt",
            "/some/path//etc/passwd",
            "/some/path/..%5csecret.txt",
            "/some/path/%zz",
            "/some/path/%",
        ] {
            assert_eq!(get(wrong), Answer::NotFound, "{wrong}");
        }
        std::fs::remove_dir_all(site.parent().unwrap()).unwrap();
    }

    #[test]
    fn answers_over_http_with_the_right_type() {
        let site = site("http");
        let server = StaticServer::start(&site, "/deep/", 0).unwrap();
        let host = server.address().trim_start_matches("http://").split('/').next().unwrap().to_owned();
        let ask_with = |request: &str, header: &str| {
            let mut stream = TcpStream::connect(&host).unwrap();
            let head = format!("{request} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let ask = |request: &str| ask_with(request, "");
        let wasm = ask("GET /deep/a%20b.wasm");
        assert!(wasm.starts_with("HTTP/1.1 200"), "{wasm}");
        assert!(wasm.contains("Content-Type: application/wasm\r\n"), "{wasm}");
        assert!(wasm.contains("Cache-Control: no-cache\r\n"), "{wasm}");
        assert!(wasm.ends_with("\0asm"), "{wasm}");
        let tag = wasm.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap();
        let again = ask_with("GET /deep/a%20b.wasm", &format!("if-none-match: {tag}\r\n"));
        assert!(again.starts_with("HTTP/1.1 304") && again.ends_with("\r\n\r\n"), "{again}");
        let changed = ask_with("GET /deep/a%20b.wasm", "If-None-Match: \"0-0\"\r\n");
        assert!(changed.starts_with("HTTP/1.1 200"), "{changed}");
        std::fs::write(site.join("a b.wasm.br"), "small").unwrap();
        assert!(ask("GET /deep/a%20b.wasm").ends_with("\0asm"));
        let small = ask_with("GET /deep/a%20b.wasm", "accept-encoding: gzip, br\r\n");
        assert!(small.contains("Content-Encoding: br\r\n") && small.ends_with("small"), "{small}");
        assert!(small.contains("Content-Type: application/wasm\r\n"), "{small}");
        let head = ask("HEAD /deep/a%20b.wasm");
        assert!(head.contains("Content-Length: 4\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(ask("GET /deep/none").starts_with("HTTP/1.1 404"));
        assert!(ask("POST /deep/").starts_with("HTTP/1.1 405"));
        assert!(ask("GET /deep").contains("Location: /deep/\r\n"));
        let taken: u16 = host.rsplit(':').next().unwrap().parse().unwrap();
        let error = StaticServer::start(&site, "/", taken).err().unwrap().to_string();
        assert!(error.contains(&format!("port {taken}")), "{error}");
        std::fs::remove_dir_all(site.parent().unwrap()).unwrap();
    }

    #[test]
    fn connections_that_stay_silent_hold_nobody_up() {
        let site = site("silent");
        let server = StaticServer::start(&site, "/", 0).unwrap();
        let silent: Vec<_> = (0..50).map(|_| TcpStream::connect(server.listener).unwrap()).collect();
        let mut stream = TcpStream::connect(server.listener).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.ends_with("<p>home"), "{text}");
        drop(silent);
        drop(server);
        std::fs::remove_dir_all(site.parent().unwrap()).unwrap();
    }
}
