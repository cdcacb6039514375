//! What the tests need from the system: Chromium with its driver, and a Vulkan driver.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::tools::npm;
use crate::{process, steps};

/// Chromium and the driver that belongs to it.
#[derive(Debug)]
pub struct Browser {
    /// The browser's program.
    pub chromium: PathBuf,
    /// The driver's program.
    pub chromedriver: PathBuf,
}

/// With what a browser is started for tests: WebGPU on SwiftShader is asked for apart from that.
pub const ARGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// What gives a browser WebGPU on Chromium's software adapter.
pub const SWIFTSHADER: [&str; 2] = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

impl Browser {
    /// Finds Chromium (or Chrome) and a chromedriver of the same major version. The environment's `CHROME` and
    /// `CHROMEDRIVER` come before PATH; a browser that has no windows comes first, since it starts three times as fast.
    ///
    /// # Errors
    /// Names what is missing or does not fit.
    pub fn find() -> Result<Self> {
        let find = |variable: &str, names: &[&str], what: &str| {
            let set = env::var(variable).ok().filter(|value| !value.is_empty());
            let names = names.iter().map(|&name| name.to_owned());
            let candidates = set.into_iter().chain(names);
            candidates
                .filter_map(|program| process::locate(&program))
                .find_map(|program| process::version_of(&program).map(|version| (program, version)))
                .with_context(|| format!("{what} is missing"))
        };
        let mac_chrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
        // Debian's command of that name would outlive what ends it.
        let debians_shell = "/usr/lib/chromium/chromium-headless-shell";
        let chromes = [
            debians_shell,
            "chrome-headless-shell",
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
            mac_chrome,
        ];
        let (chromium, version) = find("CHROME", &chromes, "Chromium")?;
        let (chromedriver, driver_version) = find("CHROMEDRIVER", &["chromedriver"], "chromedriver")?;
        if major(&version).is_none() || major(&version) != major(&driver_version) {
            bail!("chromedriver does not fit the browser: {driver_version:?} drives no {version:?}");
        }
        Ok(Self { chromium, chromedriver })
    }

    /// Writes what a WebDriver client asks for to get this browser with WebGPU.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_capabilities(&self, file: &Path) -> Result<()> {
        let args = [&ARGS[..], &SWIFTSHADER].concat();
        let wanted = json!({"goog:chromeOptions": {"binary": self.chromium, "args": args}});
        fs::write(file, wanted.to_string()).with_context(|| format!("cannot write {}", file.display()))
    }
}

/// The first number with a dot after it: 156 of `Chromium 156.0.8078.79 built on Debian`.
fn major(version: &str) -> Option<u32> {
    version.split_whitespace().find_map(|word| word.split_once('.')?.0.parse().ok())
}

/// Something that the tests need and that is not here.
struct Missing {
    /// A sentence about it.
    sentence: String,
    /// Debian's or Ubuntu's packages that bring it.
    packages: &'static [&'static str],
}

/// Makes sure that the browser and a Vulkan driver are there; installs them where this program may.
///
/// # Errors
/// When something is missing and this program may not or cannot install it; names the packages.
pub fn ready() -> Result<Browser> {
    let missing = missing();
    if missing.is_empty() {
        return Browser::find();
    }
    let packages: Vec<_> = missing.iter().flat_map(|missing| missing.packages).copied().collect();
    let sentences = sentences(&missing);
    if !may_install() {
        bail!("{sentences}\n{}", by_hand(&packages));
    }
    steps::say(&format!("{sentences}\nInstalling {}.", packages.join(", ")));
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["--quiet", "--yes"]).args(args);
        process::run(&mut command)
    };
    apt(&["update"])?;
    // Only what is missing is asked for: another source's node, say, and Debian's npm exclude each other.
    apt(&[&["install", "--no-install-recommends"], packages.as_slice()].concat())?;
    match self::missing() {
        still if still.is_empty() => Browser::find(),
        still => bail!("{}\nalthough {} are installed", self::sentences(&still), packages.join(", ")),
    }
}

fn sentences(missing: &[Missing]) -> String {
    missing.iter().map(|missing| missing.sentence.as_str()).collect::<Vec<_>>().join("\n")
}

/// All that is missing.
fn missing() -> Vec<Missing> {
    let mut missing = Vec::new();
    let mut need = |sentence: String, packages| missing.push(Missing { sentence, packages });
    if let Err(error) = Browser::find() {
        let is_ubuntu = distribution() == "ubuntu";
        let packages: &[_] = if is_ubuntu {
            &["chromium-browser", "chromium-chromedriver"]
        } else {
            &["chromium-headless-shell", "chromium-driver"]
        };
        need(format!("{error}: the tests run the page in Chromium"), packages);
    }
    if cfg!(target_os = "linux") && !has_vulkan_driver() {
        let sentence = "Mesa's Vulkan drivers are missing: the tests run the GPU kernels on its llvmpipe";
        need(sentence.to_owned(), &["libvulkan1", "mesa-vulkan-drivers"]);
    }
    if process::version_of("python3").is_none() {
        let sentence = "python3 is missing: it runs the derivations that the program writes";
        need(sentence.to_owned(), &["python3"]);
    }
    if !npm::is_here() {
        need("npm is missing: wasm-opt and axe-core come from it".to_owned(), &["nodejs", "npm"]);
    }
    missing
}

/// Whether a description of the llvmpipe driver is where the Vulkan loader looks.
fn has_vulkan_driver() -> bool {
    ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().starts_with("lvp_icd"))
}

fn distribution() -> String {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let id = text.lines().find_map(|line| line.strip_prefix("ID="));
    id.unwrap_or_default().trim_matches('"').to_owned()
}

/// Root on Debian or Ubuntu.
fn may_install() -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    root && matches!(distribution().as_str(), "debian" | "ubuntu") && Path::new("/usr/bin/apt-get").exists()
}

fn by_hand(packages: &[&str]) -> String {
    if cfg!(target_os = "macos") {
        return "Install them: brew install --cask google-chrome chromedriver; brew install node python"
            .to_owned();
    }
    if cfg!(windows) {
        return "Install Chrome, a chromedriver of the same version, node and python3, and put them on PATH"
            .to_owned();
    }
    format!(
        "Install them: on Debian or Ubuntu `sudo apt-get install {}`; elsewhere the packages of the same \
         purpose (Chromium, chromedriver, Mesa's Vulkan drivers with llvmpipe, node with npm, python3)",
        packages.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_versions_are_read() {
        assert_eq!(major("Chromium 156.0.8078.79 built on Debian GNU/Linux 12"), Some(156));
        assert_eq!(major("ChromeDriver 156.0.8078.79 (75e2f6a2-refs/heads)"), Some(156));
        assert_eq!(major("Google Chrome for Testing"), None);
    }
}
