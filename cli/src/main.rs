//! The binary `napkin`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    napkin::run(std::env::args_os())
}
