//! Work shared between the cores. Every part computes the same wherever it runs, so results do not depend on
//! their number. In the browser there is one.

use crate::Result;
use crate::interrupt::Watch;

/// Elementary operations that are worth waking another core for: some ten microseconds of them.
#[cfg(not(target_arch = "wasm32"))]
const WORTH_IT: usize = 1 << 16;

/// What cores may look at together; in the browser anything.
#[cfg(not(target_arch = "wasm32"))]
pub(super) use Sync as Shared;
#[cfg(target_arch = "wasm32")]
pub(super) trait Shared {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> Shared for T {}

/// Cores that share work.
pub(super) fn threads() -> usize {
    #[cfg(not(target_arch = "wasm32"))]
    return rayon::current_num_threads();
    #[cfg(target_arch = "wasm32")]
    return 1;
}

/// The words that hold elements `first` and so on of that size, if they begin with a word.
pub(super) fn whole_words(
    words: &mut [u64],
    first: usize,
    numel: usize,
    element_bytes: usize,
) -> Option<&mut [u64]> {
    let (start, end) = (first * element_bytes, (first + numel) * element_bytes);
    let is_whole = start.is_multiple_of(size_of::<u64>());
    words.get_mut(start / size_of::<u64>()..end.div_ceil(size_of::<u64>())).filter(|_| is_whole)
}

/// Calls `body(i, part)` for the `size` elements from `i · size` on, and so on; `work` is about how many elementary
/// operations all of it takes.
pub(super) fn each_part<T: Send>(
    data: &mut [T],
    size: usize,
    work: usize,
    body: impl Fn(usize, &mut [T]) -> Result<()> + Shared,
) -> Result<()> {
    let watch = Watch::begin();
    let body = |i: usize, part: &mut [T]| {
        watch.check()?;
        body(i, part)
    };
    #[cfg(not(target_arch = "wasm32"))]
    if work >= WORTH_IT && data.len() > size && threads() > 1 {
        use rayon::prelude::*;
        return data.par_chunks_mut(size).enumerate().try_for_each(|(i, part)| body(i, part));
    }
    #[cfg(target_arch = "wasm32")]
    let _ = work;
    data.chunks_mut(size).enumerate().try_for_each(|(i, part)| body(i, part))
}
