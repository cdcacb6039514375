//! Memory of CPU tensors.

use std::any::Any;
use std::cell::{Ref, RefCell, RefMut};

use crate::backend::{Operand, Storage};
use crate::room::{out_of_memory, room};
use crate::{Error, Result};

use super::pool::{self, Word};

/// Larger blocks are taken when they are first touched, so that a large tensor that is only looked at by its shape costs
/// no memory. An operating system does that by itself, page by page; a browser does not.
const AT_ONCE: Option<usize> = if cfg!(target_arch = "wasm32") { Some(1 << 20) } else { None };

/// Bytes.
pub(super) struct CpuStorage {
    /// None until they are touched.
    words: RefCell<Vec<Word>>,
    bytes: usize,
}

impl CpuStorage {
    /// With anything in it.
    pub(super) fn new(bytes: usize) -> Result<Self> {
        let storage = Self::untouched(bytes);
        if AT_ONCE.is_none_or(|most| bytes <= most) {
            storage.touch()?;
        }
        Ok(storage)
    }

    fn untouched(bytes: usize) -> Self {
        Self { words: RefCell::default(), bytes }
    }

    /// Takes the memory, unless it is there.
    fn touch(&self) -> Result<&RefCell<Vec<Word>>> {
        let len = self.bytes.div_ceil(size_of::<Word>());
        // What somebody else holds has been touched.
        if let Ok(mut words) = self.words.try_borrow_mut()
            && words.len() < len
        {
            *words = match pool::take(len) {
                Some(words) => words,
                None => try_zeroed(len).or_else(|_| {
                    pool::drain();
                    try_zeroed(len)
                })?,
            };
        }
        Ok(&self.words)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let storage = Self::new(bytes.len())?;
        storage.fill(0, bytes)?;
        Ok(storage)
    }

    /// Replaces the bytes from `at` on.
    pub(super) fn fill(&self, at: usize, bytes: &[u8]) -> Result<()> {
        let mut words = self.touch()?.try_borrow_mut().map_err(|_| shared("write"))?;
        let end = at.saturating_add(bytes.len());
        let own = bytemuck::cast_slice_mut::<_, u8>(&mut words)[..self.bytes].get_mut(at..end);
        let outside = || {
            let message = format!("bytes {at} to {end} are outside of a storage of {}", self.bytes);
            Error::Value { op: "write", message }
        };
        own.ok_or_else(outside)?.copy_from_slice(bytes);
        Ok(())
    }

    /// The first words.
    pub(super) fn words(&self, op: &'static str, count: usize) -> Result<Ref<'_, [Word]>> {
        let words = self.touch()?.try_borrow().map_err(|_| shared(op))?;
        self.check_room(op, count)?;
        Ok(Ref::map(words, |words| &words[..count]))
    }

    /// The first words, to be written.
    pub(super) fn words_mut(&self, op: &'static str, count: usize) -> Result<RefMut<'_, [Word]>> {
        let words = self.touch()?.try_borrow_mut().map_err(|_| shared(op))?;
        self.check_room(op, count)?;
        Ok(RefMut::map(words, |words| &mut words[..count]))
    }

    fn check_room(&self, op: &'static str, count: usize) -> Result<()> {
        if count.saturating_mul(size_of::<Word>()) <= self.bytes.next_multiple_of(size_of::<Word>()) {
            return Ok(());
        }
        let message = format!("{count} words do not fit into a storage of {} bytes", self.bytes);
        Err(Error::Value { op, message })
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let words = self.touch()?.try_borrow().map_err(|_| shared("download"))?;
        let mut bytes = room(self.bytes)?;
        bytes.extend_from_slice(&bytemuck::cast_slice(&words)[..self.bytes]);
        Ok(bytes)
    }
}

impl Drop for CpuStorage {
    fn drop(&mut self) {
        pool::put(self.words.take());
    }
}

impl Storage for CpuStorage {
    fn size_bytes(&self) -> usize {
        self.bytes
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `len` zeros, or an error where the allocator refuses.
pub(super) fn try_zeroed<T: bytemuck::Zeroable>(len: usize) -> Result<Vec<T>> {
    bytemuck::allocation::try_zeroed_vec(len)
        .map_err(|()| out_of_memory(len as u128 * size_of::<T>() as u128))
}

/// The words of an input, once it is known that its layout stays inside them.
pub(super) fn read<'a>(op: &'static str, operand: Operand<'a>) -> Result<Ref<'a, [Word]>> {
    let words = touched(op, operand)?.try_borrow().map_err(|_| shared(op))?;
    Ok(Ref::map(words, Vec::as_slice))
}

/// The words of an output, likewise.
pub(super) fn write<'a>(op: &'static str, operand: Operand<'a>) -> Result<RefMut<'a, [Word]>> {
    let words = touched(op, operand)?.try_borrow_mut().map_err(|_| shared(op))?;
    Ok(RefMut::map(words, Vec::as_mut_slice))
}

fn touched<'a>(op: &'static str, operand: Operand<'a>) -> Result<&'a RefCell<Vec<Word>>> {
    let words = checked(op, operand)?.touch();
    words.map_err(|error| error.of_tensor(operand.layout.shape(), operand.dtype))
}

/// A storage of this backend.
pub(super) fn own<'a>(op: &'static str, storage: &'a dyn Storage) -> Result<&'a CpuStorage> {
    let storage = storage.as_any().downcast_ref::<CpuStorage>();
    storage.ok_or_else(|| Error::Device { op, a: "cpu".into(), b: "another device".into() })
}

fn checked<'a>(op: &'static str, operand: Operand<'a>) -> Result<&'a CpuStorage> {
    let storage = own(op, operand.storage)?;
    let end = operand.layout.storage_end().saturating_mul(operand.dtype.size_bytes());
    if end > storage.bytes {
        return Err(Error::Value {
            op,
            message: format!(
                "a {} tensor of shape {:?} and strides {:?} at offset {} needs {end} bytes of storage, which has {} bytes",
                operand.dtype,
                operand.layout.shape(),
                operand.layout.strides(),
                operand.layout.offset(),
                storage.bytes
            ),
        });
    }
    Ok(storage)
}

fn shared(op: &'static str) -> Error {
    Error::Value { op, message: "the output shares its storage with another operand".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_taken_when_it_is_touched() {
        let storage = CpuStorage::untouched(20);
        assert_eq!((storage.size_bytes(), storage.words.borrow().len()), (20, 0));
        storage.fill(19, &[7]).unwrap();
        assert_eq!(storage.words.borrow().len(), 3);
        assert_eq!(storage.to_bytes().unwrap()[19], 7);
        assert_eq!(CpuStorage::untouched(8).words("test", 1).unwrap().len(), 1);
        assert!(CpuStorage::untouched(8).words("test", 2).is_err());

        let huge = CpuStorage::untouched(usize::MAX - 8);
        assert!(matches!(huge.to_bytes(), Err(Error::OutOfMemory { .. })));
        drop(huge);
        assert!(matches!(
            CpuStorage::untouched(usize::MAX - 8).fill(0, &[1]),
            Err(Error::OutOfMemory { .. })
        ));
    }
}
