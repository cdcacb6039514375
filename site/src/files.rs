//! The built site as files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Every file below `dist` but hidden ones, by its address relative to the site, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn files(dist: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut folders = vec![dist.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("cannot read {}; `cargo xtask build` makes it", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                names.push(path.strip_prefix(dist)?.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    names.sort();
    Ok(names)
}

/// The bytes of one of them.
///
/// # Errors
/// When it cannot be read.
pub fn read(dist: &Path, name: &str) -> Result<Vec<u8>> {
    let path = dist.join(name);
    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Whether a page names a file in an attribute: the browser then fetches it with the page. Links to other pages and
/// to texts are not what a page needs; the trace of a lecture is.
pub fn names(page: &str, file: &str) -> bool {
    let needed = [".css", ".js", ".json", ".wasm", ".woff2", ".svg"].iter().any(|end| file.ends_with(end));
    needed && ["href", "src"].iter().any(|attribute| page.contains(&format!("{attribute}=\"./{file}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_what_its_attributes_name() {
        let page = r#"<link href="./style/a.css"><script src="./b.js"></script><a href="./c.html">d.js</a>"#;
        let named = |file| names(page, file);
        assert!(named("style/a.css") && named("b.js"));
        assert!(!named("a.css") && !named("c.html") && !named("d.js"));
    }

    #[test]
    fn files_of_folders_have_relative_addresses() {
        let folder = std::env::temp_dir().join(format!("napkin-files-{}", std::process::id()));
        fs::create_dir_all(folder.join("deep/er")).unwrap();
        fs::create_dir(folder.join(".part")).unwrap();
        for name in ["z.js", ".lock", "deep/er/a.css", "deep/b.html", ".part/a.js"] {
            fs::write(folder.join(name), name).unwrap();
        }
        assert_eq!(files(&folder).unwrap(), ["deep/b.html", "deep/er/a.css", "z.js"]);
        assert_eq!(read(&folder, "deep/b.html").unwrap(), b"deep/b.html");
        fs::remove_dir_all(folder).unwrap();
    }
}
