//! How large the modules of the site are. Not a goal: a guard against what comes along unseen.

use std::path::Path;

use anyhow::{Result, anyhow};

use napkin_site::files;

use crate::steps;

/// The page: what the first screen needs, and what reads, edits and runs a lecture.
const PAGE_MOST_BYTES: u64 = 600_000;

/// What draws and calculates in it: components, closed forms and catalogues. It is fetched as one of them comes into sight.
const LIVE_MOST_BYTES: u64 = 420_000;

/// The compute worker: the engine with both of its backends.
const WORKER_MOST_BYTES: u64 = 500_000;

/// Python with its library and torch.
const PYTHON_MOST_BYTES: u64 = 2_640_000;

/// The reader of others' traces, what reads and writes notebooks, and the readers of Markdown, TeX and HTML. It is fetched for
/// such a file alone.
const PROSE_MOST_BYTES: u64 = 220_000;

/// Every module of the site, and what a static host may send of it at most: brotli at its best quality.
const MODULES: [(&str, u64); 6] = [
    ("napkin-app_bg.wasm", PAGE_MOST_BYTES),
    ("split_live.wasm", LIVE_MOST_BYTES),
    ("prose_bg.wasm", PROSE_MOST_BYTES),
    ("worker_bg.wasm", WORKER_MOST_BYTES),
    ("worker-relaxed_bg.wasm", WORKER_MOST_BYTES),
    ("python_bg.wasm", PYTHON_MOST_BYTES),
];

/// How many modules are as they should be.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Within their bounds.
    pub kept: usize,
    /// Too large, missing, or unknown.
    pub broken: usize,
}

impl Findings {
    /// Whether all are.
    pub fn passed(&self) -> bool {
        self.broken == 0
    }
}

/// Prints a line for each module of dist/ and says whether these are the site's, each within its bound.
///
/// # Errors
/// When dist/ cannot be read.
pub fn check() -> Result<Findings> {
    let found = measure(&crate::dist())?;
    let mut findings = Findings::default();
    for (is_kept, line) in compare(&found) {
        steps::say(&line);
        *(if is_kept { &mut findings.kept } else { &mut findings.broken }) += 1;
    }
    Ok(findings)
}

/// A line for each module, and whether it is as it should be.
fn compare(found: &[(String, u64)]) -> Vec<(bool, String)> {
    let unknown = found.iter().filter(|(name, _)| MODULES.iter().all(|(known, _)| known != name));
    let unknown = unknown.map(|(name, _)| (false, format!("FAILED: the site has no module {name}")));
    let known = MODULES.map(|(name, most)| match found.iter().find(|(found, _)| found == name) {
        Some(&(_, bytes)) if bytes <= most => {
            (true, format!("{name:24} {bytes:>9} bytes brotli, at most {most}"))
        }
        Some((_, bytes)) => (false, format!("FAILED: {name} has {bytes} bytes brotli, at most {most}")),
        None => (false, format!("FAILED: {name} is not in dist/")),
    });
    known.into_iter().chain(unknown).collect()
}

fn measure(dist: &Path) -> Result<Vec<(String, u64)>> {
    let modules: Vec<_> = files::files(dist)?.into_iter().filter(|name| name.ends_with(".wasm")).collect();
    let bytes = |name: &String| brotli_bytes(&files::read(dist, name)?);
    std::thread::scope(|scope| {
        let counted: Vec<_> = modules.iter().map(|name| scope.spawn(|| bytes(name))).collect();
        let counted = counted.into_iter().map(|one| one.join().map_err(|_| anyhow!("brotli panicked"))?);
        modules.iter().cloned().zip(counted).map(|(name, bytes)| Ok((name, bytes?))).collect()
    })
}

fn brotli_bytes(bytes: &[u8]) -> Result<u64> {
    Ok(compressed(bytes, 11)?.len() as u64)
}

/// The bytes in brotli, at a quality of 0 to 11.
///
/// # Errors
/// When they cannot be compressed.
pub fn compressed(mut bytes: &[u8], quality: i32) -> Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams { quality, lgwin: 22, ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut bytes, &mut compressed, &params)?;
    Ok(compressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(found: &[(String, u64)]) -> usize {
        compare(found).iter().filter(|(is_kept, _)| !is_kept).count()
    }

    #[test]
    fn modules_are_those_of_the_site_each_within_its_bound() {
        let whole = MODULES.map(|(name, most)| (name.to_owned(), most));
        assert_eq!(broken(&whole), 0);
        for at in 0..whole.len() {
            let mut larger = whole.clone();
            larger[at].1 += 1;
            assert_eq!(broken(&larger), 1, "{}", whole[at].0);
            let missing: Vec<_> = whole.iter().filter(|module| **module != whole[at]).cloned().collect();
            assert_eq!(broken(&missing), 1, "{}", whole[at].0);
        }
        let mut more = whole.to_vec();
        more.push(("another_bg.wasm".to_owned(), 1));
        assert_eq!(broken(&more), 1);
    }

    #[test]
    fn brotli_counts_the_compressed_bytes() {
        let zeros = brotli_bytes(&[0; 100_000]).unwrap();
        assert!((5..100).contains(&zeros), "{zeros}");
        let mut state = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(10_000)
        .collect();
        assert!(brotli_bytes(&noise).unwrap() > 9_900);
    }
}
