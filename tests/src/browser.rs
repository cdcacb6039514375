//! A headless Chromium for each test, driven by a chromedriver of its own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use futures_util::FutureExt;
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use xtask::browser::{ARGS, SWIFTSHADER};

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
    /// Whether the page keeps its site for when there is no network, which takes seconds.
    pub keeps_site: bool,
    /// Whether there is ever idle time, in which the page lays out what is far below: that takes seconds.
    pub is_idle: bool,
}

impl Options {
    /// A wide, light window with scripts and WebGPU.
    pub const DEFAULT: Self = Self {
        webgpu: WebGpu::Swiftshader,
        javascript: true,
        viewport: (1280, 900),
        dark: false,
        keeps_site: false,
        is_idle: false,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Tests that measure time hold this alone, all others share it.
static MACHINE: RwLock<()> = RwLock::const_new(());

enum Turn {
    Shared(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'static, ()>),
    Alone(#[expect(dead_code, reason = "held, not read")] RwLockWriteGuard<'static, ()>),
}

/// Runs `body` in a new browser. Fails when the body fails or when anything was reported to the console as an
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
    let browser = Driver::start(name)?;
    let driver = browser.open(options).await?;
    let page = Page::new(driver.clone());
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
    let result = match result {
        Ok(value) => Ok(value),
        Err(error) => Err(match page.screenshot(&folder()?.join(format!("{name}.png"))).await {
            Ok(file) => error.context(format!("{name} fails; see {}", file.display())),
            Err(_) => error.context(format!("{name} fails, and no screenshot can be taken")),
        }),
    };
    // A browser that cannot be closed any more is ended with its driver.
    let _ = driver.quit().await;
    result
}

fn errors_of(console: &[(String, String)]) -> Vec<String> {
    console.iter().filter(|(level, _)| level == "SEVERE").map(|(_, message)| message.clone()).collect()
}

fn folder() -> Result<PathBuf> {
    let folder = xtask::root().join("target/e2e");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
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
            // chromedriver makes its browser's profile there. Told which, a browser without windows opens no page.
            let profile = std::env::temp_dir().join(format!("napkin-{}-{name}", std::process::id()));
            fs::create_dir_all(&profile).with_context(|| format!("cannot create {}", profile.display()))?;
            let process = Command::new(&programs.chromedriver)
                .arg(format!("--port={port}"))
                .env("TMPDIR", &profile)
                .stdin(Stdio::null())
                .stderr(log.try_clone()?)
                .stdout(log)
                .spawn()
                .context("cannot start chromedriver")?;
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

    async fn open(&self, options: Options) -> Result<WebDriver> {
        let mut caps = DesiredCapabilities::chrome();
        caps.set_binary(&self.chromium.to_string_lossy())?;
        let mut args = ARGS.to_vec();
        // Pages of the browser's own that it would load behind every window.
        let mut left_out = vec!["WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup"];
        match options.webgpu {
            WebGpu::Swiftshader => args.extend(SWIFTSHADER),
            WebGpu::None => {
                args.push("--disable-gpu");
                left_out.push("WebGPU");
            }
        }
        for arg in args {
            caps.add_arg(arg)?;
        }
        caps.add_arg(&format!("--disable-features={}", left_out.join(",")))?;
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
