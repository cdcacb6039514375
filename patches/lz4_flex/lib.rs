//! Leaves bytes as they are, in place of the crate of this name: RustPython keeps the bytecode of Python's library compressed
//! with it, and a host could not compress that further. As it is, a host's own compression does a third better.

use std::convert::Infallible;

/// The bytes.
#[must_use]
pub fn compress_prepend_size(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// The bytes.
///
/// # Errors
/// Never.
pub const fn decompress_size_prepended(bytes: &[u8]) -> Result<&[u8], Infallible> {
    Ok(bytes)
}
