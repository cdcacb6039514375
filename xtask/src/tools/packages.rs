//! The packages from npm that the page loads when they are needed: those that the pages' import map names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{cache, has_npm, install, npm_program};
use crate::{offline, process, steps};

/// Puts the packages into the site; nothing where npm is missing or cannot reach them: the page then edits in a plain
/// field, and saves no pictures of cells.
///
/// # Errors
/// When a file cannot be read or written.
pub fn packages(dist: &Path) -> Result<()> {
    let source = crate::root().join("app/npm");
    let Some(packages) = installed(&source)? else { return Ok(()) };
    let copy = |from: PathBuf, to: PathBuf| {
        fs::create_dir_all(to.parent().unwrap_or(dist))?;
        fs::copy(&from, to).with_context(|| format!("cannot copy {}", from.display()))
    };
    for (package, module) in imports()? {
        for file in [module, format!("{FOLDER}{package}/LICENSE")] {
            copy(packages.join(file.trim_start_matches(FOLDER)), dist.join(&file))?;
        }
    }
    Ok(())
}

/// Where the site has the packages.
const FOLDER: &str = "./npm/";

/// The pages' import map: the address of each package's module.
fn imports() -> Result<BTreeMap<String, String>> {
    let page = fs::read_to_string(crate::root().join("app/pages/page.html"))?;
    let map =
        page.split_once(r#"<script type="importmap">"#).and_then(|(_, rest)| rest.split_once("</script>"));
    let (map, _) = map.context("page.html has no import map")?;
    let mut map: BTreeMap<String, _> = serde_json::from_str(map).context("the import map of page.html")?;
    map.remove("imports").context("the import map of page.html is empty")
}

/// The folder of the packages, installed once for each state of the lock file.
fn installed(source: &Path) -> Result<Option<PathBuf>> {
    let lock = fs::read(source.join("package-lock.json")).context("cannot read package-lock.json")?;
    let name = format!("npm-{}", offline::hash(&lock));
    let cache = cache()?;
    let folder = cache.join(&name);
    if !folder.is_dir() {
        if !has_npm() {
            steps::say(
                "the page's packages come from npm, which is not here: it edits in a plain field and saves no pictures of cells",
            );
            return Ok(None);
        }
        fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
        let _lock = install::lock(&cache, &name)?;
        // As the lock file says, and without scripts of the packages.
        let install = |staging: &Path| {
            for part in ["package.json", "package-lock.json"] {
                fs::copy(source.join(part), staging.join(part))
                    .with_context(|| format!("cannot copy {part}"))?;
            }
            let mut npm = Command::new(npm_program());
            npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
            process::run(npm.current_dir(staging))
        };
        if !folder.is_dir()
            && let Err(error) = install::staged(&folder, install)
        {
            steps::say(&format!(
                "the page's packages cannot be fetched, it edits in a plain field and saves no pictures of cells: {error:#}"
            ));
            return Ok(None);
        }
    }
    Ok(Some(folder.join("node_modules")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_import_map_names_every_package_of_the_lock_file() {
        let lock = include_str!("../../../app/npm/package-lock.json");
        let lock: serde_json::Value = serde_json::from_str(lock).unwrap();
        let locked = lock["packages"].as_object().unwrap().keys();
        // The first is the page itself.
        let mut locked: Vec<&str> = locked.filter_map(|path| path.strip_prefix("node_modules/")).collect();
        locked.sort_unstable();
        let imports = imports().unwrap();
        assert_eq!(locked, imports.keys().collect::<Vec<_>>());
        for (package, module) in imports {
            assert!(module.starts_with(&format!("{FOLDER}{package}/")), "{module}");
        }
    }
}
