//! Blocks of memory that tensors have left, for the next tensors of their size: a training step asks for the same
//! sizes again and again, and a fresh block costs a page fault for each of its pages.

use std::cell::RefCell;
use std::collections::HashMap;

/// What memory is allocated in: wide enough that elements of every dtype are aligned in it.
pub(super) type Word = u64;

/// Unused blocks beyond this many bytes go back to the system.
const MAX_IDLE_BYTES: usize = if cfg!(target_arch = "wasm32") { 64 << 20 } else { 512 << 20 };

/// Smaller blocks are cheap to allocate.
const MIN_WORDS: usize = 512;

#[derive(Default)]
struct Pool {
    /// By length.
    idle: HashMap<usize, Vec<Vec<Word>>>,
    idle_bytes: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

/// An idle block of so many words; whatever is in it.
pub(super) fn take(words: usize) -> Option<Vec<Word>> {
    POOL.with_borrow_mut(|pool| {
        let block = pool.idle.get_mut(&words)?.pop()?;
        pool.idle_bytes -= words * size_of::<Word>();
        Some(block)
    })
}

/// Keeps a block, or frees it if enough are kept.
pub(super) fn put(block: Vec<Word>) {
    let bytes = block.len() * size_of::<Word>();
    if block.len() < MIN_WORDS || bytes > MAX_IDLE_BYTES {
        return;
    }
    // A tensor may outlive the pool of its thread.
    let _ = POOL.try_with(|pool| {
        let Ok(mut pool) = pool.try_borrow_mut() else { return };
        if pool.idle_bytes + bytes > MAX_IDLE_BYTES {
            *pool = Pool::default();
        }
        pool.idle_bytes += bytes;
        pool.idle.entry(block.len()).or_default().push(block);
    });
}

/// Gives everything back to the system.
pub(super) fn drain() {
    POOL.with_borrow_mut(|pool| *pool = Pool::default());
}
