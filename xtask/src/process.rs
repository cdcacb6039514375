//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// So much of what a program printed stands in the error when it failed.
const LAST_LINES: usize = 60;

/// The cargo that runs this program, in the checkout's folder. It compiles to where this program looks, whatever a user's
/// configuration says.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::root()).env("CARGO_TARGET_DIR", crate::target());
    command
}

/// Lets a cargo compile this workspace by clippy in place of rustc, as `cargo clippy` does, but to the end; a warning is
/// an error.
pub fn lint(cargo: &mut Command) {
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CARGO_BUILD_WARNINGS", "deny");
}

/// Arguments of a cargo that compiles for browsers: what panics say of a crate's file then begins at the crate, and not at
/// the home of whoever compiled it. So a module is the same from every machine.
pub fn without_paths() -> Vec<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let flag = format!("--remap-path-prefix={}=crates", home.join("registry/src").display());
    vec!["--config".to_owned(), format!("target.{}.rustflags=[{flag:?}]", crate::WASM)]
}

/// A program of this checkout, compiled by `cargo build`.
pub fn built(name: &str) -> PathBuf {
    crate::target().join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The command as a reader would type it.
pub fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args()).map(OsStr::to_string_lossy);
    words.collect::<Vec<_>>().join(" ")
}

/// Runs `command`; what it prints goes to the log.
///
/// # Errors
/// When it cannot be started, or ends with a failure: then with the end of what it printed.
pub fn run(command: &mut Command) -> Result<()> {
    let (is_success, lines) = output(command)?;
    if !is_success {
        let what = line(command);
        if let Some(reason) = reason(&lines) {
            bail!("`{what}` failed. {reason} {} has all that it said.", log().display());
        }
        let last = lines.len().saturating_sub(LAST_LINES);
        bail!("`{what}` failed:\n{}", lines[last..].join("\n"));
    }
    Ok(())
}

/// Where what programs print is kept.
pub fn log() -> PathBuf {
    crate::target().join("xtask.log")
}

/// What cargo, npm and apt print where nothing of ours is wrong, and what to do about it.
const REASONS: [(&[&str], &str); 3] = [
    (
        &["No space left on device", "ENOSPC", "not enough space"],
        "The disk is full: make room, for instance by `cargo clean`, and call it again; what was there stays.",
    ),
    (
        &["EINTEGRITY", "failed to verify the checksum"],
        "What was downloaded has another hash than the lock file says: nothing of it is used. Call it again; if it stays \
         so, something on the way changes it.",
    ),
    (
        &[
            "Could not connect",
            "Could not resolve host",
            "Timeout was reached",
            "ECONNREFUSED",
            "ENOTFOUND",
            "EAI_AGAIN",
            "ETIMEDOUT",
            "Temporary failure resolving",
        ],
        "The network cannot be reached: crates and packages are fetched once, and later builds need none.",
    ),
];

fn reason(lines: &[String]) -> Option<&'static str> {
    let is_said = |marks: &[&str]| lines.iter().any(|line| marks.iter().any(|mark| line.contains(mark)));
    REASONS.iter().find(|(marks, _)| is_said(marks)).map(|(_, reason)| *reason)
}

/// Runs `command`; whether it succeeded, and the lines that it printed, which are in the log, too.
///
/// # Errors
/// When it cannot be started, or the log not be written.
pub fn output(command: &mut Command) -> Result<(bool, Vec<String>)> {
    let path = log();
    fs::create_dir_all(crate::target()).context("cannot create the target folder")?;
    let log = File::options().create(true).append(true).open(&path);
    let mut log = log.with_context(|| format!("cannot write {}", path.display()))?;
    let what = line(command);
    let (reader, writer) = std::io::pipe().context("no pipe")?;
    command.stdin(Stdio::null()).stderr(writer.try_clone().context("no second pipe")?).stdout(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{what}`"))?;
    // The command holds the pipe's other end, which must not outlive the child.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    writeln!(log, "\n$ {what}")?;
    let mut lines = Vec::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line =
            String::from_utf8_lossy(&line.with_context(|| format!("cannot read what `{what}` prints"))?)
                .into_owned();
        writeln!(log, "{line}")?;
        lines.push(line);
    }
    let status = child.wait().with_context(|| format!("cannot wait for `{what}`"))?;
    Ok((status.success(), lines))
}

/// What `program --version` prints; `None` where it is missing or fails.
pub fn version_of(program: impl AsRef<OsStr>) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The whole path of a program that is named by a path or found on PATH.
pub fn locate(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let file = format!(
        "{program}{}",
        if Path::new(program).extension().is_none() { env::consts::EXE_SUFFIX } else { "" }
    );
    // `join` with a whole path is that path.
    env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_has_no_version() {
        assert_eq!(version_of("napkin-no-such-program"), None);
    }

    #[test]
    fn programs_are_found_by_name_and_by_path() {
        let by_name = locate("cargo").unwrap();
        assert!(by_name.is_absolute());
        assert_eq!(locate(by_name.to_str().unwrap()), Some(by_name));
        assert_eq!(locate("napkin-no-such-program"), None);
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = run(cargo().args(["no-such-subcommand"])).unwrap_err().to_string();
        assert!(error.contains("cargo no-such-subcommand"), "{error}");
    }

    /// A project that needs a crate, with nothing fetched yet.
    fn project(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("napkin-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest = "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nitoa = \"1\"\n";
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/lib.rs"), "").unwrap();
        folder
    }

    #[test]
    fn a_network_that_is_not_there_has_its_sentence() {
        let folder = project("no-network");
        let mut command = cargo();
        command.args(["fetch", "--config", "source.crates-io.replace-with='none'"]);
        // Nobody listens on that port.
        command.args(["--config", "source.none.registry='sparse+http://127.0.0.1:9/'"]);
        command.current_dir(&folder).env("CARGO_HOME", folder.join("home")).env("CARGO_NET_RETRY", "0");
        let error = run(&mut command).unwrap_err().to_string();
        assert!(error.contains("failed. The network cannot be reached: "), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_has_its_sentence() {
        // Every write to this device fails as on a full disk.
        let error = run(Command::new("cp").args(["/proc/cpuinfo", "/dev/full"])).unwrap_err().to_string();
        assert!(error.contains("failed. The disk is full: "), "{error}");
    }
}
