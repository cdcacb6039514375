//! Main memory, asked for before it is filled: a size that no machine has is an error, not the end of the program.

use crate::error::{Error, Result};

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

pub(crate) fn out_of_memory(bytes: u128) -> Error {
    Error::OutOfMemory { bytes, device: "cpu".into(), rule: "the system has no block of that size".into() }
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
            assert_eq!(room::<u64>(count).unwrap_err(), out_of_memory(bytes));
            assert_eq!(collect(count, 0u64..).unwrap_err(), out_of_memory(bytes));
            assert_eq!(filled(count, 0u64).unwrap_err(), out_of_memory(bytes));
        }
    }
}
