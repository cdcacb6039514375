//! A command that works beside the stages, and whose output waits until it is asked for.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;

/// A command under way.
#[derive(Debug)]
pub(super) struct Beside {
    what: String,
    child: Child,
    log: PathBuf,
}

impl Beside {
    /// Starts `command`; what it prints goes to `name`.log in target/.
    ///
    /// # Errors
    /// When it cannot be started, or its log not be written.
    pub(super) fn start(name: &str, command: &mut Command) -> Result<Self> {
        let folder = crate::root().join("target");
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let log = folder.join(name).with_extension("log");
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let what = process::line(command);
        let child = command
            .stdin(Stdio::null())
            .stderr(file.try_clone().context("no second handle")?)
            .stdout(file)
            .spawn()
            .with_context(|| format!("cannot start `{what}`"))?;
        Ok(Self { what, child, log })
    }

    /// Waits for its end and prints what it has printed.
    ///
    /// # Errors
    /// When it ended with a failure.
    pub(super) fn finish(mut self) -> Result<()> {
        let status = self.child.wait().with_context(|| format!("cannot wait for `{}`", self.what))?;
        let printed = fs::read(&self.log).with_context(|| format!("cannot read {}", self.log.display()))?;
        std::io::stdout().write_all(&printed).context("cannot print")?;
        if !status.success() {
            bail!("`{}` failed ({status})", self.what);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let run = |args: &[&str]| Beside::start("beside-test", process::cargo().args(args))?.finish();
        assert!(run(&["--version"]).is_ok());
        let error = run(&["no-such-subcommand"]).unwrap_err().to_string();
        assert!(error.contains("cargo no-such-subcommand"), "{error}");
        fs::remove_file(crate::root().join("target/beside-test.log")).unwrap();
    }
}
