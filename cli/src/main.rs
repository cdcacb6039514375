//! The binary `napkin`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Mesa complains of a missing one on standard error with every adapter that is looked for, and uses it for nothing
    // that is asked of it here.
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // Sound, since no other thread is there yet.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
    napkin::run(std::env::args_os())
}
