//! What the end-to-end tests share: the built page on a static server, a browser, and a page in it.

pub mod browser;
pub mod long_trace;
pub mod mistakes;
pub mod page;
pub mod site;

pub use browser::{Options, WebGpu, alone, check};
pub use page::Page;

/// `count` reproducible numbers in [−1, 1): mulberry32 started at `seed`, each 32-bit output divided by 2³², as
/// whoever measures in JavaScript makes them.
///
/// Source: mulberry32 by Tommy Ettinger (2017, public domain).
pub fn mulberry32(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_add(0x6d2b_79f5);
        let mut t = (state ^ (state >> 15)).wrapping_mul(state | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        (f64::from(t ^ (t >> 14)) / 4_294_967_296.0 * 2.0 - 1.0) as f32
    };
    std::iter::repeat_with(next).take(count).collect()
}
