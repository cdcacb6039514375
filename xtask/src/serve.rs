//! A small static file server, for `cargo xtask serve` and for the end-to-end tests.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};
use tiny_http::{Header, Method, Request, Response, Server};

/// The port that readers find in the README.
const USUAL_PORT: u16 = 8080;

/// A browser opens up to six connections to one host.
const THREADS: usize = 6;

/// A running server; it stops when dropped.
pub struct StaticServer {
    server: Arc<Server>,
    threads: Vec<JoinHandle<()>>,
    address: String,
}

impl StaticServer {
    /// Serves `folder` below the URL path `prefix` (such as `/` or `/some/path/`) on this machine only, on
    /// `port`, or on any free port when it is 0.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn start(folder: &Path, prefix: &str, port: u16) -> Result<Self> {
        let server = Server::http(("127.0.0.1", port))
            .map_err(|error| anyhow!("cannot listen on port {port}: {error}; choose another with --port"))?;
        let port = server.server_addr().to_ip().context("the server has no port")?.port();
        let prefix = format!("/{}/", prefix.trim_matches('/')).replace("//", "/");
        let address = format!("http://127.0.0.1:{port}{prefix}");
        let server = Arc::new(server);
        let threads = (0..THREADS)
            .map(|_| {
                let (server, folder, prefix) = (Arc::clone(&server), folder.to_path_buf(), prefix.clone());
                thread::spawn(move || {
                    for request in server.incoming_requests() {
                        answer(request, &folder, &prefix);
                    }
                })
            })
            .collect();
        Ok(Self { server, threads, address })
    }

    /// The address of the page, ending in a slash.
    pub fn address(&self) -> &str {
        &self.address
    }

    fn wait(mut self) {
        for thread in self.threads.drain(..) {
            // A thread only ends by a panic, which has been printed.
            let _ = thread.join();
        }
    }
}

impl Drop for StaticServer {
    fn drop(&mut self) {
        for _ in &self.threads {
            self.server.unblock();
        }
    }
}

/// Serves dist/ until ctrl-c.
///
/// # Errors
/// When the port is taken.
pub fn until_interrupted(port: Option<u16>, open: bool) -> Result<()> {
    let dist = crate::dist();
    let server = match port {
        Some(port) => StaticServer::start(&dist, "/", port)?,
        None => {
            StaticServer::start(&dist, "/", USUAL_PORT).or_else(|_| StaticServer::start(&dist, "/", 0))?
        }
    };
    println!("\nNapkin is at {}  (ctrl-c stops)", server.address());
    if open && let Err(error) = open_browser(server.address()) {
        eprintln!("cannot open a browser: {error:#}");
    }
    server.wait();
    Ok(())
}

fn open_browser(address: &str) -> Result<()> {
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

/// What a request gets.
#[derive(Debug, PartialEq)]
enum Answer {
    File(PathBuf),
    Redirect(String),
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

fn answer(request: Request, folder: &Path, prefix: &str) {
    // `no-cache` lets the browser keep a copy but makes it ask: the worker's files carry no hash.
    let header = |name: &str, value: &str| Header::from_bytes(name, value).ok();
    let cache = header("Cache-Control", "no-cache");
    let plain = |status: u16, text: &str| Response::from_string(text).with_status_code(status);
    // An error here means that the browser has gone away.
    let _ = if !matches!(request.method(), Method::Get | Method::Head) {
        request.respond(plain(405, "method not allowed\n"))
    } else {
        match resolve(request.url(), folder, prefix) {
            Answer::NotFound => request.respond(plain(404, "not found\n")),
            Answer::Redirect(to) => {
                let mut response = plain(308, "moved\n");
                header("Location", &to).into_iter().for_each(|location| response.add_header(location));
                request.respond(response)
            }
            Answer::File(file) => match File::open(&file) {
                Ok(open) => {
                    let mut response = Response::from_file(open);
                    let mime = header("Content-Type", mime_type(&file));
                    cache.into_iter().chain(mime).for_each(|header| response.add_header(header));
                    request.respond(response)
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    request.respond(plain(404, "not found\n"))
                }
                Err(_) => request.respond(plain(500, "cannot read the file\n")),
            },
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

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
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(&host).unwrap();
            write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let wasm = ask("GET /deep/a%20b.wasm");
        assert!(wasm.starts_with("HTTP/1.1 200"), "{wasm}");
        assert!(wasm.contains("Content-Type: application/wasm\r\n"), "{wasm}");
        assert!(wasm.contains("Cache-Control: no-cache\r\n"), "{wasm}");
        assert!(wasm.ends_with("\0asm"), "{wasm}");
        assert!(ask("GET /deep/none").starts_with("HTTP/1.1 404"));
        assert!(ask("POST /deep/").starts_with("HTTP/1.1 405"));
        assert!(ask("GET /deep").contains("Location: /deep/\r\n"));
        let taken: u16 = host.rsplit(':').next().unwrap().parse().unwrap();
        let error = StaticServer::start(&site, "/", taken).err().unwrap().to_string();
        assert!(error.contains(&format!("port {taken}")), "{error}");
        std::fs::remove_dir_all(site.parent().unwrap()).unwrap();
    }
}
