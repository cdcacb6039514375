//! The page's size: every script, style and wasm file has a committed budget.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::site;

/// A file may grow by this much over its budget before the check fails.
const GROWTH: f64 = 1.02;

/// What no size may exceed, in brotli bytes: the page's wasm, that of its calculators, and each build of the worker's.
/// What measures and counts holds every operation there is, and comes only to a reader who asks for it; so does Python.
const CEILINGS: [(&str, u64); 7] = [
    ("napkin-app_bg.wasm", 150_000),
    ("sheets_bg.wasm", 270_000),
    ("worker_bg.wasm", 300_000),
    ("worker-relaxed_bg.wasm", 300_000),
    ("measure_bg.wasm", 410_000),
    ("measure-relaxed_bg.wasm", 410_000),
    ("python_bg.wasm", 4_100_000),
];

/// The lecture's page, and what scripts, styles and wasm that it names may have together.
const LECTURE: (&str, u64) = ("index.html", 150_000);

/// Brotli bytes by file name.
type Sizes = BTreeMap<String, u64>;

/// What a check found.
#[derive(Debug, Default)]
pub struct Findings {
    /// One sentence for each rule that is broken.
    pub broken: Vec<String>,
    /// How many rules hold.
    pub kept: usize,
}

impl Findings {
    /// Whether every rule holds.
    pub fn passed(&self) -> bool {
        self.broken.is_empty()
    }

    fn rule(&mut self, holds: bool, sentence: String) {
        if holds {
            self.kept += 1;
        } else {
            self.broken.push(sentence);
        }
    }
}

fn file() -> PathBuf {
    crate::root().join("budgets.json")
}

/// Compares dist/ with the committed budgets and prints every size.
///
/// # Errors
/// When dist/ or the budgets cannot be read.
pub fn check() -> Result<Findings> {
    let text = fs::read_to_string(file()).with_context(|| {
        format!("cannot read {}; `cargo xtask budget --write` makes it", file().display())
    })?;
    let budgets: Sizes =
        serde_json::from_str(&text).context("budgets.json is not a map of names to bytes")?;
    let sizes = measure(&crate::dist())?;
    let mut findings = compare(&sizes, &budgets);
    let first = lecture(&crate::dist(), &sizes)?;
    findings.rule(
        first <= LECTURE.1,
        format!("what {} names has {first} bytes, more than its ceiling of {}", LECTURE.0, LECTURE.1),
    );
    for (name, bytes) in &sizes {
        let budget = budgets.get(name).map_or_else(|| "none".to_owned(), u64::to_string);
        println!("{name:32} {bytes:>8} bytes brotli, budget {budget}");
    }
    println!("{:32} {first:>8} bytes brotli, ceiling {}", format!("what {} names", LECTURE.0), LECTURE.1);
    for sentence in &findings.broken {
        println!("FAILED: {sentence}");
    }
    Ok(findings)
}

/// Writes the sizes of dist/ as the budgets.
///
/// # Errors
/// When dist/ cannot be read, a file exceeds its ceiling, or the budgets cannot be written.
pub fn write() -> Result<()> {
    let sizes = measure(&crate::dist())?;
    let findings = compare(&sizes, &sizes);
    if let Some(sentence) = findings.broken.first() {
        bail!("{sentence}");
    }
    let text = serde_json::to_string_pretty(&sizes)? + "\n";
    fs::write(file(), text).with_context(|| format!("cannot write {}", file().display()))
}

fn compare(sizes: &Sizes, budgets: &Sizes) -> Findings {
    let mut findings = Findings::default();
    let mut rule = |holds, sentence| findings.rule(holds, sentence);
    for (name, &bytes) in sizes {
        let Some(&budget) = budgets.get(name) else {
            rule(false, format!("{name} has no budget: `cargo xtask budget --write` gives it {bytes} bytes"));
            continue;
        };
        let limit = budget as f64 * GROWTH;
        rule(
            bytes as f64 <= limit,
            format!(
                "{name} has {bytes} bytes, {:.1}% over its budget of {budget}: make it smaller, or say in a \
                 commit why it must grow and run `cargo xtask budget --write`",
                (bytes as f64 / budget as f64 - 1.0) * 100.0
            ),
        );
    }
    for name in budgets.keys().filter(|name| !sizes.contains_key(*name)) {
        rule(false, format!("{name} has a budget but is not in dist/"));
    }
    for (name, ceiling) in CEILINGS {
        let bytes = sizes.get(name).copied();
        rule(
            bytes.is_some_and(|bytes| bytes <= ceiling),
            match bytes {
                Some(bytes) => format!("{name} has {bytes} bytes, more than its ceiling of {ceiling}"),
                None => format!("{name} has a ceiling but is not in dist/"),
            },
        );
    }
    findings
}

fn measure(dist: &Path) -> Result<Sizes> {
    let mut sizes = Sizes::new();
    for name in site::files(dist)? {
        if [".wasm", ".js", ".css", ".html"].iter().any(|end| name.ends_with(end)) {
            let bytes = site::read(dist, &name)?;
            sizes.insert(name, brotli_bytes(&bytes)?);
        }
    }
    Ok(sizes)
}

/// What the lecture's page loads before anything of it runs, its own text aside.
fn lecture(dist: &Path, sizes: &Sizes) -> Result<u64> {
    let page = String::from_utf8_lossy(&site::read(dist, LECTURE.0)?).into_owned();
    Ok(sizes.iter().filter(|(name, _)| site::names(&page, name)).map(|(_, bytes)| bytes).sum())
}

/// The size that a static host sends: brotli at its best quality.
fn brotli_bytes(mut bytes: &[u8]) -> Result<u64> {
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    let written = brotli::BrotliCompress(&mut bytes, &mut std::io::sink(), &params)?;
    Ok(written as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(pairs: &[(&str, u64)]) -> Sizes {
        let whole = [
            ("napkin-app_bg.wasm", 100_000),
            ("sheets_bg.wasm", 1),
            ("worker_bg.wasm", 1),
            ("worker-relaxed_bg.wasm", 1),
            ("measure_bg.wasm", 1),
            ("measure-relaxed_bg.wasm", 1),
            ("python_bg.wasm", 1),
        ];
        whole.iter().chain(pairs).map(|&(name, bytes)| (name.to_owned(), bytes)).collect()
    }

    #[test]
    fn growth_of_more_than_two_percent_fails() {
        let budgets = sizes(&[("page.css", 10_000)]);
        assert!(compare(&sizes(&[("page.css", 10_200)]), &budgets).passed());
        let findings = compare(&sizes(&[("page.css", 10_201)]), &budgets);
        assert_eq!((findings.broken.len(), findings.kept), (1, 14));
        assert!(findings.broken[0].contains("page.css"), "{}", findings.broken[0]);
    }

    #[test]
    fn ceilings_hold_whatever_the_budgets_say() {
        for (name, ceiling) in CEILINGS {
            let at = sizes(&[(name, ceiling)]);
            assert!(compare(&at, &at).passed());
            let over = sizes(&[(name, ceiling + 1)]);
            assert_eq!(compare(&over, &over).broken.len(), 1);
        }
    }

    #[test]
    fn files_and_budgets_are_the_same_set() {
        assert_eq!(compare(&sizes(&[("new.js", 1)]), &sizes(&[])).broken.len(), 1);
        assert_eq!(compare(&sizes(&[]), &sizes(&[("gone.js", 1)])).broken.len(), 1);
        assert_eq!(compare(&Sizes::new(), &Sizes::new()).broken.len(), CEILINGS.len());
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
        .take(100_000)
        .collect();
        let noisy = brotli_bytes(&noise).unwrap();
        assert!((99_000..101_000).contains(&noisy), "{noisy}");
    }
}
