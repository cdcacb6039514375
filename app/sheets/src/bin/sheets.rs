//! The calculators as a module for the page.

/// The page calls what `napkin_sheets::browser` exports; there is nothing to do before.
fn main() {
    #[cfg(target_arch = "wasm32")]
    napkin_sheets::browser::start();
}
