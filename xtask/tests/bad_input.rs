//! What a machine may lack, and what is said then.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("napkin-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What `cargo xtask` says when it fails.
fn complaint(args: &[&str], target: &Path, path: Option<&Path>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    // The log and the times of the run that this test is a part of stay as they are.
    command.args(args).env("CARGO_TARGET_DIR", target).env_remove("CHROME").env_remove("CHROMEDRIVER");
    if let Some(path) = path {
        command.env("PATH", path).env("CHROME", path.join("chromium"));
    }
    let output = command.output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_port_that_is_taken_is_named_before_anything_is_built() {
    let target = folder("taken-port");
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = complaint(&["serve", "--port", &port], &target, None);
    let wanted = format!("error: cannot listen on port {port}; choose another with --port: ");
    assert!(said.starts_with(&wanted), "{said}");
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0, "something was built");
    fs::remove_dir_all(target).unwrap();
}

/// Neither node nor Python, a driver of another version than the browser, and nobody who may install anything.
#[test]
#[cfg(unix)]
fn what_is_missing_or_does_not_fit_is_named_with_the_way_to_get_it() {
    use std::os::unix::fs::PermissionsExt;

    let (target, programs) = (folder("nothing-there"), folder("other-programs"));
    let prints =
        [("id", "1000"), ("chromium", "Chromium 156.0.8078.79"), ("chromedriver", "ChromeDriver 155.0.1.2")];
    for (name, text) in prints {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\necho '{text}'\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let said = complaint(&["test", "lint"], &target, Some(&programs));
    let sentences = [
        "chromedriver does not fit the browser: \"ChromeDriver 155.0.1.2\" drives no \"Chromium 156.0.8078.79\": the tests run \
         the page in Chromium",
        "python3 is missing: it runs the derivations that the program writes",
        "npm is missing: wasm-opt and axe-core come from it",
        "Install them: ",
    ];
    for sentence in sentences {
        assert!(said.contains(sentence), "{said}");
    }
    for folder in [target, programs] {
        fs::remove_dir_all(folder).unwrap();
    }
}
