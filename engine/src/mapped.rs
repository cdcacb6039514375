//! Files as memory: the system reads a page when it is first looked at.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::error::{Error, Result};

/// The bytes of a file.
///
/// # Errors
/// If it cannot be opened or is no regular file.
pub(crate) fn map(path: &Path) -> Result<Mmap> {
    let fault = |error: std::io::Error| Error::file(path.display(), error);
    let file = File::open(path).map_err(fault)?;
    if !file.metadata().map_err(fault)?.is_file() {
        return Err(Error::file(path.display(), "is not a regular file"));
    }
    // SAFETY: the bytes stay what they are while nobody writes to the file. Napkin never does: it replaces
    // files whole, by renaming, which leaves the old ones to who has them open. Another program that shortens
    // one in place ends this one with SIGBUS; that is the price of not reading it whole.
    unsafe { Mmap::map(&file) }.map_err(fault)
}
