//! Packages from npm, in the versions and with the hashes of a lock file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::cache;
use napkin_site::offline;

use crate::process;

/// The folder `node_modules` of what `source` asks for in its package-lock.json, installed where that is needed.
///
/// # Errors
/// When npm is missing, or cannot fetch what the lock file names as it names it.
pub fn installed(source: &Path) -> Result<PathBuf> {
    let lock = source.join("package-lock.json");
    let lock = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let name = format!("npm-{}", offline::hash(&lock));
    let folder = cache::folder(&name, |staging| {
        if !is_here() {
            bail!("npm is missing: install node with npm (Debian and Ubuntu: apt-get install nodejs npm)");
        }
        fill(source, staging)
    })?;
    Ok(folder.join("node_modules"))
}

/// Whether npm, and so node, is there.
pub fn is_here() -> bool {
    process::version_of(program()).is_some()
}

/// Installs as the lock file says, and without scripts of the packages.
fn fill(source: &Path, folder: &Path) -> Result<()> {
    for part in ["package.json", "package-lock.json"] {
        fs::copy(source.join(part), folder.join(part)).with_context(|| format!("cannot copy {part}"))?;
    }
    let mut npm = Command::new(program());
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    process::run(npm.current_dir(folder))
}

fn program() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("napkin-npm-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_package_with_another_hash_is_refused() {
        let [source, to] = ["source", "to"].map(folder);
        let lock = fs::read_to_string(crate::root().join("xtask/npm/package-lock.json")).unwrap();
        let changed = lock.replace("\"integrity\": \"sha512-", "\"integrity\": \"sha512-AAAA");
        assert_ne!(lock, changed);
        fs::write(source.join("package-lock.json"), changed).unwrap();
        fs::copy(crate::root().join("xtask/npm/package.json"), source.join("package.json")).unwrap();
        let error = fill(&source, &to).unwrap_err().to_string();
        assert!(error.contains("What was downloaded has another hash than the lock file says"), "{error}");
        for folder in [source, to] {
            fs::remove_dir_all(folder).unwrap();
        }
    }
}
