//! Headless Chromiums, each driven by a chromedriver of its own. A test has one to itself; the next one that asks the same
//! of it takes it over, with nothing left in it but what it has compiled.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use futures_util::FutureExt;
use serde_json::json;
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::page::Page;

/// How long a browser may take to start on a busy machine.
const START: Duration = Duration::from_secs(60);

/// The longest that one script may run: software WebGPU is slow.
const SCRIPT: Duration = Duration::from_secs(300);

/// Whether the browser offers WebGPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebGpu {
    /// On SwiftShader, Chromium's software adapter.
    Swiftshader,
    /// Not at all, as in a browser that does not know it.
    None,
}

/// What a test asks of its browser.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// WebGPU or none.
    pub webgpu: WebGpu,
    /// Whether scripts run.
    pub javascript: bool,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: (u32, u32),
    /// Whether the system prefers dark colours.
    pub dark: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { webgpu: WebGpu::Swiftshader, javascript: true, viewport: (1280, 900), dark: false }
    }
}

/// Tests that measure time hold this alone, all others share it.
static MACHINE: RwLock<()> = RwLock::const_new(());

enum Turn {
    Shared(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'static, ()>),
    Alone(#[expect(dead_code, reason = "held, not read")] RwLockWriteGuard<'static, ()>),
}

/// Runs `body` in a browser that remembers nothing. Fails when the body fails or when anything was reported to the console as an
/// error; then a screenshot lies in target/e2e.
///
/// # Errors
/// Whatever fails, with the browser's console.
pub async fn check<T>(name: &str, options: Options, body: impl AsyncFnOnce(&Page) -> Result<T>) -> Result<T> {
    let turn = Turn::Shared(MACHINE.read().await);
    in_browser(name, options, turn, body).await
}

/// As [`check`], while no other browser runs: for tests that measure time.
///
/// # Errors
/// Whatever fails, with the browser's console.
pub async fn alone<T>(name: &str, options: Options, body: impl AsyncFnOnce(&Page) -> Result<T>) -> Result<T> {
    let turn = Turn::Alone(MACHINE.write().await);
    in_browser(name, options, turn, body).await
}

async fn in_browser<T>(
    name: &str,
    options: Options,
    _turn: Turn,
    body: impl AsyncFnOnce(&Page) -> Result<T>,
) -> Result<T> {
    let _visit = Visit::begin();
    let browser = Browser::take(name, options.webgpu).await?;
    let page = Page::new(browser.session.clone());
    let ran = match page.emulate(options).await {
        // A failed assertion must not skip the screenshot, nor leave the browser behind.
        Ok(()) => match AssertUnwindSafe(body(&page)).catch_unwind().await {
            Ok(result) => result,
            Err(_) => Err(anyhow!("an assertion failed")),
        },
        Err(error) => Err(error),
    };
    let console = page.console().await;
    let errors = console.as_ref().map_or_else(|error| vec![error.to_string()], |lines| errors_of(lines));
    let result = match ran {
        Ok(value) if errors.is_empty() => Ok(value),
        Ok(_) => Err(anyhow!("the console has errors:\n{}", errors.join("\n"))),
        Err(error) => Err(error.context(format!("console errors: {errors:#?}"))),
    };
    match result {
        // One without scripts cannot be asked what it has kept.
        Ok(value) if !options.javascript => {
            browser.quit().await;
            Ok(value)
        }
        Ok(value) => {
            browser.give_back(&page).await?;
            Ok(value)
        }
        Err(error) => {
            let error = match page.screenshot(&folder()?.join(format!("{name}.png"))).await {
                Ok(file) => error.context(format!("{name} fails; see {}", file.display())),
                Err(_) => error.context(format!("{name} fails, and no screenshot can be taken")),
            };
            browser.quit().await;
            Err(error)
        }
    }
}

fn errors_of(console: &[(String, String)]) -> Vec<String> {
    console.iter().filter(|(level, _)| level == "SEVERE").map(|(_, message)| message.clone()).collect()
}

fn folder() -> Result<PathBuf> {
    let folder = xtask::root().join("target/e2e");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Browsers that wait for the next test, and how many tests there are that may take one.
static WAITING: Mutex<(usize, Vec<Browser>)> = Mutex::new((0, Vec::new()));

/// A test that has a browser or is about to. With the last one the browsers that wait are ended, since nothing that is
/// static is ever dropped.
struct Visit;

impl Visit {
    fn begin() -> Self {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).0 += 1;
        Self
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.0 -= 1;
        if waiting.0 == 0 {
            waiting.1.clear();
        }
    }
}

/// A browser and the driver that it is driven by.
struct Browser {
    session: WebDriver,
    webgpu: WebGpu,
    driver: Driver,
}

impl Browser {
    /// One that waits, or a new one.
    async fn take(name: &str, webgpu: WebGpu) -> Result<Self> {
        let waiting = {
            let waiting = &mut WAITING.lock().unwrap_or_else(PoisonError::into_inner).1;
            let found = waiting.iter().position(|it| it.webgpu == webgpu);
            found.map(|at| waiting.swap_remove(at))
        };
        match waiting {
            Some(browser) => Ok(browser),
            None => {
                let driver = Driver::start(name)?;
                Ok(Self { session: driver.open(webgpu).await?, webgpu, driver })
            }
        }
    }

    /// Lets the next test have it, without what this one has kept in it.
    async fn give_back(self, page: &Page) -> Result<()> {
        let origin = page.run("return location.origin;", vec![]).await?;
        // What is fetched or computed for this page is in nobody's way then.
        self.session.goto("about:blank").await?;
        if origin != "null" {
            let all = json!({"origin": origin, "storageTypes": "all"});
            page.devtools("Storage.clearDataForOrigin", all).await?;
        }
        page.console().await?;
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).1.push(self);
        Ok(())
    }

    /// Ends it. One that cannot be closed any more is ended with its driver.
    async fn quit(self) {
        let _ = self.session.quit().await;
        drop(self.driver);
    }
}

/// A chromedriver and the folder of its browser's profile; both go when this does.
struct Driver {
    process: Child,
    address: String,
    chromium: PathBuf,
    profile: PathBuf,
}

impl Driver {
    fn start(name: &str) -> Result<Self> {
        let programs = xtask::browser::Browser::find()?;
        // The system names a free port; until chromedriver listens another program could take it, so retry.
        for _ in 0..3 {
            let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
            let log = fs::File::create(folder()?.join(format!("{name}.chromedriver.log")))?;
            let process = Command::new(&programs.chromedriver)
                .arg(format!("--port={port}"))
                .stdin(Stdio::null())
                .stderr(log.try_clone()?)
                .stdout(log)
                .spawn()
                .context("cannot start chromedriver")?;
            let profile = std::env::temp_dir().join(format!("napkin-{}-{name}", std::process::id()));
            let address = format!("http://127.0.0.1:{port}");
            let mut driver = Self { process, address, chromium: programs.chromium.clone(), profile };
            let start = Instant::now();
            while start.elapsed() < START && driver.process.try_wait()?.is_none() {
                if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return Ok(driver);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        bail!("chromedriver does not listen; see target/e2e/{name}.chromedriver.log")
    }

    async fn open(&self, webgpu: WebGpu) -> Result<WebDriver> {
        let mut caps = DesiredCapabilities::chrome();
        caps.set_binary(&self.chromium.to_string_lossy())?;
        let mut args = vec![
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        args.extend(match webgpu {
            WebGpu::Swiftshader => ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
            WebGpu::None => ["--disable-features=WebGPU", "--disable-gpu"],
        });
        for arg in args {
            caps.add_arg(arg)?;
        }
        caps.add_arg(&format!("--user-data-dir={}", self.profile.display()))?;
        caps.set_logging_prefs("browser", LoggingPrefsLogLevel::All)?;
        let driver = WebDriver::builder(&self.address, caps)
            .request_timeout(SCRIPT + START)
            .connect()
            .await
            .context("the browser does not start")?;
        driver.set_script_timeout(SCRIPT).await?;
        Ok(driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Both may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}
