//! The real binary, from the outside.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod calc;
mod count;
mod edtrace;
mod harness;
mod machine;
mod roofline;
mod run;
mod script;
mod site;
mod text;
