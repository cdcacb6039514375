//! What runs natively: compiled once, for all tests and lints alike.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::cargo;
use crate::process;

/// Tests compiled to a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TestProgram {
    /// The folder of its package, in which it runs.
    folder: PathBuf,
    path: PathBuf,
}

impl TestProgram {
    /// Whether it is of the package in a folder of the checkout.
    pub(super) fn is_of(&self, package: &str) -> bool {
        self.folder == crate::root().join(package)
    }

    /// Runs it as `cargo test` does.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder);
        // Kernels run once each: what llvmpipe saves by optimising them is less than what that takes.
        command.env("GALLIVM_PERF", "nopt");
        // Mesa complains of a missing one with every device that it opens, and says nothing else with it.
        if cfg!(target_os = "linux") && env::var_os("XDG_RUNTIME_DIR").is_none() {
            command.env("XDG_RUNTIME_DIR", env::temp_dir());
        }
        command
    }
}

/// Compiles what `args` select with clippy in place of rustc, so that what is linted is not compiled again for its tests.
///
/// # Errors
/// When something does not compile, or has a warning.
pub(super) fn compile(args: &[&str]) -> Result<Vec<TestProgram>> {
    let mut command = cargo(&["test", "--locked", "--no-run", "--message-format", "json-render-diagnostics"]);
    process::lint(&mut command);
    let (is_success, lines) = process::output(command.args(args))?;
    if !is_success {
        let said = lines.iter().filter(|line| !line.starts_with('{') && !line.contains("Compiling "));
        bail!("{}", said.cloned().collect::<Vec<_>>().join("\n"));
    }
    lines.iter().filter_map(|line| test_program(line).transpose()).collect()
}

/// The program of tests that a message of cargo's is about, if it is about one.
fn test_program(line: &str) -> Result<Option<TestProgram>> {
    if !line.starts_with("{\"reason\":\"compiler-artifact\"") {
        return Ok(None);
    }
    let message: Value = serde_json::from_str(line).context("a message of cargo's")?;
    let (Some(path), true) = (message["executable"].as_str(), message["profile"]["test"] == true) else {
        return Ok(None);
    };
    let manifest = Path::new(message["manifest_path"].as_str().context("a program of no package")?);
    let folder = manifest.parent().context("a manifest in no folder")?.to_path_buf();
    Ok(Some(TestProgram { folder, path: path.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_cargo_name_programs_of_tests() {
        let root = crate::root();
        let line = |is_test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"{}","profile":{{"test":{is_test}}},"executable":{executable}}}"#,
                root.join("engine/Cargo.toml").display()
            )
        };
        let read = |line: &str| test_program(line).unwrap();
        let program = read(&line(true, "\"/x/golden\"")).unwrap();
        assert_eq!(program, TestProgram { folder: root.join("engine"), path: "/x/golden".into() });
        assert!(program.is_of("engine") && !program.is_of("python"));
        assert_eq!(read(&line(false, "\"/x/napkin\"")), None);
        assert_eq!(read(&line(true, "null")), None);
        assert_eq!(read("   Compiling napkin-engine v0.1.0"), None);
    }
}
