//! Bounds the memory of the module.

/// What Python may take; where it is used up, the worker ends and the page does not.
const MOST_BYTES: u64 = 2 << 30;
/// Python calls itself up to its own limit; each of its calls is several of Rust's.
const STACK_BYTES: u64 = 8 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo:rustc-link-arg-bins=--max-memory={MOST_BYTES}");
        println!("cargo:rustc-link-arg-bins=-zstack-size={STACK_BYTES}");
    }
}
