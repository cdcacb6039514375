//! Work shared between the cores. Every part computes the same wherever it runs, so results do not depend on
//! their number. In the browser there is one.

use crate::Result;

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

/// Calls `body(i, part)` for the `size` elements from `i · size` on, and so on; `work` is about how many elementary
/// operations all of it takes.
pub(super) fn each_part<T: Send>(
    data: &mut [T],
    size: usize,
    work: usize,
    body: impl Fn(usize, &mut [T]) -> Result<()> + Shared,
) -> Result<()> {
    #[cfg(not(target_arch = "wasm32"))]
    if work >= WORTH_IT && data.len() > size && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        return data.par_chunks_mut(size).enumerate().try_for_each(|(i, part)| body(i, part));
    }
    #[cfg(target_arch = "wasm32")]
    let _ = work;
    data.chunks_mut(size).enumerate().try_for_each(|(i, part)| body(i, part))
}
