//! Tokens to train on: from files, by random windows, the next batch read while this one trains.

mod batches;
mod chars;
#[cfg(not(target_arch = "wasm32"))]
mod file;
pub mod npy;
mod tokens;

pub use batches::Batches;
pub use chars::CharTokenizer;
#[cfg(not(target_arch = "wasm32"))]
pub use file::MappedFile;
pub use tokens::{Element, Tokens};

use std::ops::Range;
use std::rc::Rc;

use crate::backend::Pending;
use crate::error::Error;

/// Bytes that are somewhere else: in a file, in a part of the browser.
pub trait Source {
    /// What it is called in messages.
    fn name(&self) -> &str;

    /// How many bytes there are.
    fn size_bytes(&self) -> u64;

    /// Some of them. Reading begins with this call, not with the first look at the answer, so that it goes on
    /// beside whatever is computed meanwhile.
    ///
    /// # Errors
    /// If the range is not inside, or the system fails.
    fn read(&self, bytes: Range<u64>) -> Pending<'static, Vec<u8>>;
}

/// Bytes in memory.
impl Source for Rc<[u8]> {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn size_bytes(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, bytes: Range<u64>) -> Pending<'static, Vec<u8>> {
        let found = part(self, &bytes).map(<[u8]>::to_vec);
        let found = found.ok_or_else(|| outside(self.name(), &bytes, self.size_bytes()));
        Box::pin(std::future::ready(found))
    }
}

fn part<'a>(all: &'a [u8], bytes: &Range<u64>) -> Option<&'a [u8]> {
    all.get(usize::try_from(bytes.start).ok()?..usize::try_from(bytes.end).ok()?)
}

fn outside(name: &str, bytes: &Range<u64>, size: u64) -> Error {
    Error::file(name, format!("bytes {} to {} were asked for, but it has {size}", bytes.start, bytes.end))
}
