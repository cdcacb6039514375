//! Packages from npm, in the versions and with the hashes of a lock file, in the user's cache folder: one folder for each
//! state of a lock file, shared by all checkouts. An interrupted installation leaves nothing that could pass for one.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{offline, process, steps};

/// The folder `node_modules` of what `source` asks for in its package-lock.json, installed where that is needed.
///
/// # Errors
/// When npm is missing, or cannot fetch what the lock file names as it names it.
pub fn installed(source: &Path) -> Result<PathBuf> {
    let lock = source.join("package-lock.json");
    let lock = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let name = format!("npm-{}", offline::hash(&lock));
    let cache = cache()?;
    let folder = cache.join(&name);
    if !folder.is_dir() {
        if !is_here() {
            bail!("npm is missing: install node with npm (Debian and Ubuntu: apt-get install nodejs npm)");
        }
        fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
        // Two checkouts may find it missing at the same time: the second waits for the first.
        let _lock = only_one(&cache, &name)?;
        if !folder.is_dir() {
            staged(&folder, |staging| fill(source, staging))?;
        }
    }
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

/// The user's folder for what can be fetched again.
fn cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || env::home_dir().context("this user has no home folder; set XDG_CACHE_HOME");
    let caches = match set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute()) {
        Some(folder) => folder,
        None if cfg!(windows) => {
            set("LOCALAPPDATA").map_or_else(|| home().map(|home| home.join("AppData/Local")), Ok)?
        }
        None if cfg!(target_os = "macos") => home()?.join("Library/Caches"),
        None => home()?.join(".cache"),
    };
    Ok(caches.join("napkin"))
}

/// Holds the installation of `name` for this process; the system releases it even when the process dies.
fn only_one(cache: &Path, name: &str) -> Result<File> {
    let path = cache.join(format!("{name}.lock"));
    let file = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    if file.try_lock().is_err() {
        steps::say(&format!("Waiting for another process that installs {name}."));
        file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    }
    Ok(file)
}

/// Lets `fill` fill a folder beside `folder`, then moves it there in one step.
fn staged(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let staging = folder.with_added_extension("part");
    // What an interrupted run left.
    remove(&staging)?;
    fs::create_dir_all(&staging).with_context(|| format!("cannot create {}", staging.display()))?;
    let filled = fill(&staging);
    if filled.is_err() {
        remove(&staging)?;
        return filled;
    }
    fs::rename(&staging, folder)
        .with_context(|| format!("cannot move {} to {}", staging.display(), folder.display()))
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("napkin-npm-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_fails_leaves_nothing_and_what_is_interrupted_counts_for_nothing() {
        let parent = folder("staged");
        let whole = parent.join("whole");
        let error = staged(&whole, |staging| {
            fs::write(staging.join("half"), "")?;
            bail!("the line is cut")
        });
        assert_eq!(error.unwrap_err().to_string(), "the line is cut");
        assert_eq!(fs::read_dir(&parent).unwrap().count(), 0);
        // Killed in the middle.
        fs::create_dir_all(parent.join("whole.part")).unwrap();
        fs::write(parent.join("whole.part/half"), "").unwrap();
        staged(&whole, |staging| Ok(fs::write(staging.join("all"), "")?)).unwrap();
        let names = fs::read_dir(&whole).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["all"]);
        fs::remove_dir_all(&parent).unwrap();
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
