//! The programs that build and test the page, in versions that are known to work together.
//!
//! A tool is taken from PATH when its version is the pinned one, else from the user's cache folder
//! (one folder per tool and version, shared by all checkouts), else it is installed there.

mod install;
mod packages;

use std::env;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{WASM, process, steps};

pub use packages::packages;

/// How a tool is installed.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// From crates.io. `release` overrides cargo's release profile: a tool that runs for seconds is not
    /// worth minutes of link-time optimisation.
    Cargo {
        krate: &'static str,
        args: &'static [&'static str],
        release: &'static [(&'static str, &'static str)],
    },
    /// From npm.
    Npm,
}

/// One pinned tool.
#[derive(Debug)]
pub struct Tool {
    /// Its package, and the first half of its folder's name.
    name: &'static str,
    version: &'static str,
    /// The programs that must be there and answer `--version` with `version_mark`.
    programs: &'static [&'static str],
    version_mark: &'static str,
    /// A file, relative to the tool's folder, that must be there: for packages without programs.
    file: Option<&'static str>,
    source: Source,
    /// What it is for.
    purpose: &'static str,
}

/// Runs wasm tests in a browser. The version is that of the crate `wasm-bindgen` in Cargo.toml.
const WASM_BINDGEN: Tool = Tool {
    name: "wasm-bindgen",
    version: "0.2.130",
    programs: &["wasm-bindgen-test-runner"],
    version_mark: "0.2.130",
    file: None,
    source: Source::Cargo {
        krate: "wasm-bindgen-cli",
        // Not `--locked`: the lock file of this release names a crate version that does not exist.
        args: &["--bin", "wasm-bindgen-test-runner"],
        release: &[("LTO", "off"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", "1")],
    },
    purpose: "its test runner runs tests in the browser",
};

/// Shrinks the page's wasm.
const BINARYEN: Tool = Tool {
    name: "binaryen",
    version: "132.0.0",
    programs: &["wasm-opt"],
    version_mark: "wasm-opt version 132",
    file: None,
    source: Source::Npm,
    purpose: "its wasm-opt makes the page's wasm smaller",
};

/// The accessibility checker that the end-to-end tests load into the page.
const AXE: Tool = Tool {
    name: "axe-core",
    version: "4.14.1",
    programs: &[],
    version_mark: "",
    file: Some("lib/node_modules/axe-core/axe.min.js"),
    source: Source::Npm,
    purpose: "it checks the page's accessibility in the end-to-end tests",
};

/// The wasm-opt that shrinks modules; Debian's own (108) succeeds and writes broken wasm.
///
/// # Errors
/// When it is neither there nor can be installed.
pub fn wasm_opt() -> Result<PathBuf> {
    BINARYEN.program("wasm-opt")
}

/// The runner of tests that are compiled to wasm.
///
/// # Errors
/// When it is neither there nor can be installed.
pub fn test_runner() -> Result<PathBuf> {
    WASM_BINDGEN.program("wasm-bindgen-test-runner")
}

/// The source of axe-core, for a page to run.
///
/// # Errors
/// When it is neither in the cache nor can be installed there.
pub fn axe_source() -> Result<String> {
    AXE.ready()?;
    let file = AXE.folder()?.join(AXE.file.unwrap_or_default());
    std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}

/// Whether npm, and so node, is there.
pub fn has_npm() -> bool {
    process::version_of(npm_program()).is_some()
}

fn npm_program() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Adds the wasm target to the pinned toolchain where rustup left it out.
///
/// # Errors
/// When it is missing and rustup is too.
pub fn wasm_target() -> Result<()> {
    let libdir = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM])
        .current_dir(crate::root())
        .output()
        .context("cannot ask rustc for the wasm target")?;
    let folder = String::from_utf8_lossy(&libdir.stdout).trim().to_owned();
    let has_core = |folder: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with("libcore-"))
    };
    if has_core(&folder) {
        return Ok(());
    }
    steps::say(&format!("The target {WASM} is missing: the page is compiled for it. Installing it."));
    process::run(Command::new("rustup").args(["target", "add", WASM]).current_dir(crate::root()))
        .with_context(|| {
            format!("cannot add the target {WASM}: where there is no rustup, install it by hand")
        })
}

/// The folder that holds one folder per tool and version.
fn cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || env::home_dir().context("this user has no home folder; set XDG_CACHE_HOME");
    let caches = match set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute()) {
        Some(folder) => folder,
        None if cfg!(windows) => {
            set("LOCALAPPDATA").map_or_else(|| home().map(|h| h.join("AppData/Local")), Ok)?
        }
        None if cfg!(target_os = "macos") => home()?.join("Library/Caches"),
        None => home()?.join(".cache"),
    };
    Ok(caches.join("napkin").join("tools"))
}

impl Tool {
    fn folder(&self) -> Result<PathBuf> {
        Ok(cache()?.join(format!("{}-{}", self.name, self.version)))
    }

    fn answers(&self, folder: Option<&Path>) -> bool {
        self.programs.iter().all(|program| {
            let program = folder.map_or_else(|| PathBuf::from(program), |folder| program_in(folder, program));
            process::version_of(program).is_some_and(|version| version.contains(self.version_mark))
        })
    }

    fn on_path(&self) -> bool {
        self.file.is_none() && self.answers(None)
    }

    /// The tool's folder for PATH, when the tool in `folder` is whole.
    fn whole_in(&self, folder: &Path) -> Option<PathBuf> {
        // On Windows npm puts programs into the prefix itself.
        let bin = if cfg!(windows) && matches!(self.source, Source::Npm) {
            folder.to_path_buf()
        } else {
            folder.join("bin")
        };
        let file_there = self.file.is_none_or(|file| folder.join(file).is_file());
        (file_there && self.answers(Some(&bin))).then_some(bin)
    }

    fn in_cache(&self) -> Result<Option<PathBuf>> {
        Ok(self.whole_in(&self.folder()?))
    }

    /// One of its programs, installed where that is needed.
    fn program(&self, name: &str) -> Result<PathBuf> {
        Ok(self.ready()?.map_or_else(|| name.into(), |folder| program_in(&folder, name)))
    }

    /// Finds the tool or installs it; the folder to put on PATH, `None` where it is there already.
    fn ready(&self) -> Result<Option<PathBuf>> {
        if self.on_path() {
            return Ok(None);
        }
        if let Some(bin) = self.in_cache()? {
            return Ok(Some(bin));
        }
        let cache = cache()?;
        std::fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
        // Two checkouts may find the tool missing at the same time: the second waits for the first.
        let _lock = install::lock(&cache, &format!("{}-{}", self.name, self.version))?;
        if let Some(bin) = self.in_cache()? {
            return Ok(Some(bin));
        }
        let folder = self.folder()?;
        let step = format!("installing {} {}, once: {}", self.name, self.version, self.purpose);
        steps::step(&step, || install::into(self, &folder))
            .with_context(|| format!("cannot install {} {}", self.name, self.version))?;
        let Some(bin) = self.whole_in(&folder) else {
            bail!(
                "{} was installed into {}, but does not run as version {}",
                self.name,
                folder.display(),
                self.version
            );
        };
        Ok(Some(bin))
    }
}

fn program_in(folder: &Path, program: &str) -> PathBuf {
    if cfg!(windows) {
        let script = folder.join(format!("{program}.cmd"));
        return if script.is_file() { script } else { folder.join(format!("{program}.exe")) };
    }
    folder.join(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool that can never be found on PATH, with a program that prints its version.
    const FAKE: Tool = Tool {
        name: "napkin-fake",
        version: "1.0.0",
        programs: &["napkin-fake-tool"],
        version_mark: "fake 1.0.0",
        file: None,
        source: Source::Npm,
        purpose: "",
    };

    #[test]
    fn the_crate_and_the_program_of_wasm_bindgen_have_one_version() {
        let manifest = std::fs::read_to_string(crate::root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("wasm-bindgen = \"={}\"", WASM_BINDGEN.version)));
    }

    #[test]
    #[cfg(unix)]
    fn half_a_tool_does_not_count() {
        use std::os::unix::fs::PermissionsExt;
        let folder = env::temp_dir().join(format!("napkin-half-a-tool-{}", std::process::id()));
        let bin = folder.join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        let program = bin.join("napkin-fake-tool");
        let write = |text: &str| {
            std::fs::write(&program, text).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        assert_eq!(FAKE.whole_in(&folder), None, "an empty folder");
        write("");
        assert_eq!(FAKE.whole_in(&folder), None, "an empty program");
        write("#!/bin/sh\necho fake 0.9.0\n");
        assert_eq!(FAKE.whole_in(&folder), None, "another version");
        write("#!/bin/sh\necho fake 1.0.0\nexit 1\n");
        assert_eq!(FAKE.whole_in(&folder), None, "a failing program");
        write("#!/bin/sh\necho fake 1.0.0\n");
        assert_eq!(FAKE.whole_in(&folder), Some(bin));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
