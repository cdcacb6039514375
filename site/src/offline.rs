//! The service worker of the built site: `app/pages/sw.js` below the lists of files that it keeps.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::files as site;

/// The name it has in the site; the one file that it does not keep.
const NAME: &str = "sw.js";

const SOURCE: &str = include_str!("../../app/pages/sw.js");

/// How many hex digits of a hash tell two versions of a file apart.
const DIGITS: usize = 32;

/// Writes the service worker for the files that are in `dist` now. The same files give the same bytes.
///
/// # Errors
/// When a file cannot be read or written.
pub fn write(dist: &Path) -> Result<()> {
    let mut hashes = BTreeMap::new();
    let mut pages = String::new();
    for name in site::files(dist)? {
        let bytes = site::read(dist, &name)?;
        if name.ends_with(".html") {
            pages.push_str(&String::from_utf8_lossy(&bytes));
        }
        hashes.insert(name, hash(&bytes));
    }
    hashes.remove(NAME);
    let is_shell = |name: &&String| name.ends_with(".html") || site::names(&pages, name);
    let shell: Vec<&String> = hashes.keys().filter(is_shell).collect();
    let lists = format!(
        "const FILES = {};\nconst SHELL = {};\n",
        serde_json::to_string(&hashes)?,
        serde_json::to_string(&shell)?
    );
    fs::write(dist.join(NAME), lists + SOURCE).with_context(|| format!("cannot write {NAME}"))
}

/// The beginning of the SHA-256 of `bytes` in hex.
pub fn hash(bytes: &[u8]) -> String {
    let mut text: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(DIGITS);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_beginning_of_sha_256() {
        // `printf abc | sha256sum`
        assert_eq!(hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223");
    }

    #[test]
    fn a_change_changes_the_worker_and_nothing_else_does() {
        let folder = std::env::temp_dir().join(format!("napkin-offline-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.html"), r#"<link href="./a.css">"#).unwrap();
        fs::write(folder.join("a.css"), "a").unwrap();
        fs::write(folder.join("later.js"), "1").unwrap();
        let written = || {
            write(&folder).unwrap();
            fs::read_to_string(folder.join(NAME)).unwrap()
        };
        let first = written();
        assert!(first.contains("const SHELL = [\"a.css\",\"index.html\"];\n"), "{first}");
        assert!(first.contains("\"later.js\":\"6b86b273ff34fce19d6b804eff5a3f57\""), "{first}");
        assert_eq!(first, written());
        fs::write(folder.join("later.js"), "2").unwrap();
        assert_ne!(first, written());
        fs::remove_dir_all(folder).unwrap();
    }
}
