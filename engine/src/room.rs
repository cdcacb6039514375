//! Main memory, asked for before it is filled: a size that no machine has is an error, not the end of the program.

use crate::error::{Error, Result};
use crate::size::written;

/// An empty list with room for `count` elements.
///
/// # Errors
/// [`Error::OutOfMemory`] if the system has no block of that size.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of_memory(count as u128 * size_of::<T>() as u128))?;
    Ok(list)
}

/// The `count` values of an iterator.
///
/// # Errors
/// As [`room`].
pub fn collect<T>(count: usize, values: impl Iterator<Item = T>) -> Result<Vec<T>> {
    let mut list = room(count)?;
    list.extend(values.take(count));
    Ok(list)
}

/// `count` times the same value.
///
/// # Errors
/// As [`room`].
pub fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}

/// Memory that can be had without swapping, in bytes; `None` where the system does not tell.
/// Linux promises more than it has and ends programs that believe it, so large work asks first.
#[must_use]
pub fn free_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Main memory has no room for so many bytes.
#[must_use]
pub fn out_of_memory(bytes: u128) -> Error {
    Error::out_of_memory(bytes, "cpu", limit(bytes))
}

#[cfg(not(target_arch = "wasm32"))]
fn limit(bytes: u128) -> String {
    match free_bytes() {
        Some(free) if bytes > free.into() => {
            format!("this machine has {} of memory free", written(free.into()))
        }
        _ => "the system has no block of that size".to_owned(),
    }
}

#[cfg(target_arch = "wasm32")]
fn limit(bytes: u128) -> String {
    let most = isize::MAX as u128;
    if bytes > most {
        return format!("one block of a browser's memory has at most {}", written(most));
    }
    let taken = core::arch::wasm32::memory_size::<0>() as u128 * (1 << 16);
    format!("this tab has taken {} and gets no more", written(taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        assert_eq!(collect(3, 5..).unwrap(), [5, 6, 7]);
        assert_eq!(filled(2, 'a').unwrap(), ['a', 'a']);
        for count in [usize::MAX, isize::MAX as usize / 8] {
            let bytes = count as u128 * 8;
            for refused in [room::<u64>(count).err(), collect(count, 0u64..).err(), filled(count, 0u64).err()]
            {
                assert!(matches!(refused, Some(Error::OutOfMemory { bytes: asked, .. }) if asked == bytes));
            }
        }
    }
}
