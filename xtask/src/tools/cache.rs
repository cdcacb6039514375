//! The user's cache folder, for what can be fetched again: one folder for each state of what is asked for, shared by all
//! checkouts. An interrupted installation leaves nothing that could pass for one.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::steps;

/// The folder of that name, which `fill` fills where there is none.
pub(super) fn folder(name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let cache = cache()?;
    let folder = cache.join(name);
    if !folder.is_dir() {
        fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
        // Two checkouts may find it missing at the same time: the second waits for the first.
        let _lock = only_one(&cache, name)?;
        if !folder.is_dir() {
            staged(&folder, fill)?;
        }
    }
    Ok(folder)
}

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
    use anyhow::bail;

    use super::*;

    #[test]
    fn what_fails_leaves_nothing_and_what_is_interrupted_counts_for_nothing() {
        let parent = env::temp_dir().join(format!("napkin-staged-{}", std::process::id()));
        fs::create_dir_all(&parent).unwrap();
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
}
