//! The packages from npm that the page loads when they are needed: those that the pages' import map names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::npm;
use crate::steps;

/// Puts the packages into the site; nothing where npm is missing or cannot reach them: the page then edits in a plain
/// field, and saves no pictures of cells.
///
/// # Errors
/// When a file cannot be read or written.
pub fn packages(dist: &Path) -> Result<()> {
    let packages = match npm::installed(&crate::root().join("app/npm")) {
        Ok(packages) => packages,
        Err(why) => {
            steps::say(&format!("The page edits in a plain field and saves no pictures of cells: {why:#}"));
            return Ok(());
        }
    };
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
