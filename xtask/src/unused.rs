//! Functions of the page that nothing calls, which no tool can know: their addresses stand in tables.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use walrus::{FunctionKind, ModuleConfig};

/// How the mangled names of closures begin, and what is near the beginning of theirs. Leptos compiles, for views whose type is
/// erased, how they wait for what comes later: our pages are whole when they arrive. What has the name further on is
/// something else, and may be called: the compiler makes one of functions that are alike.
const BEGINNING: &str = "_RNC";
const NAME: &str = "13hydrate_async";
const NEAR_BYTES: usize = 120;

/// A module in which they are empty: to call one would be a trap. What they alone have called is then seen to be of no use.
///
/// # Errors
/// When the file is no module.
pub fn emptied(from: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let mut config = ModuleConfig::new();
    // As wasm-bindgen reads it, which reads it next.
    config.strict_validate(false).generate_dwarf(false);
    let mut module = config.parse(&bytes).with_context(|| format!("{} is no module", from.display()))?;
    let is_unused =
        |name: &str| name.starts_with(BEGINNING) && name.find(NAME).is_some_and(|at| at < NEAR_BYTES);
    for function in module.funcs.iter_mut() {
        if function.name.as_deref().is_some_and(is_unused)
            && let FunctionKind::Local(local) = &mut function.kind
        {
            let mut body = local.builder_mut().func_body();
            body.instrs_mut().clear();
            body.unreachable();
        }
    }
    Ok(module.emit_wasm())
}
