//! Buffers, kept by size class when their tensor goes: the next tensor of that size needs no allocation.

use std::collections::HashMap;

/// Unused buffers beyond this many bytes go back to the driver.
const MAX_IDLE_BYTES: u64 = 512 << 20;

/// Smallest buffer, in bytes.
const MIN_BYTES: u64 = 256;

/// The bytes of a buffer that holds `bytes`: eight classes per power of two, so at most 1/8 is unused.
pub(crate) fn size_class(bytes: u64) -> u64 {
    let bytes = bytes.max(MIN_BYTES);
    let step = ((bytes.next_power_of_two() / 2) / 8).max(MIN_BYTES);
    bytes.div_ceil(step) * step
}

/// A buffer, its name among all buffers of the device, and the submission that last used it.
pub(crate) struct Block {
    pub(crate) buffer: wgpu::Buffer,
    pub(crate) id: u64,
    pub(crate) last_use: u64,
}

#[derive(Default)]
pub(crate) struct Pool {
    idle: HashMap<u64, Vec<Block>>,
    idle_bytes: u64,
}

impl Pool {
    /// An idle buffer of that class whose last use was before submission `before`.
    pub(crate) fn take(&mut self, class: u64, before: u64) -> Option<Block> {
        let blocks = self.idle.get_mut(&class)?;
        let at = blocks.iter().rposition(|b| b.last_use < before)?;
        self.idle_bytes -= class;
        Some(blocks.swap_remove(at))
    }

    /// Keeps the block, or gives it back to the caller for destruction if enough are kept.
    pub(crate) fn put(&mut self, block: Block) -> Option<Block> {
        let class = block.buffer.size();
        if self.idle_bytes + class > MAX_IDLE_BYTES {
            return Some(block);
        }
        self.idle_bytes += class;
        self.idle.entry(class).or_default().push(block);
        None
    }

    /// Gives everything back.
    pub(crate) fn drain(&mut self) -> Vec<Block> {
        self.idle_bytes = 0;
        self.idle.drain().flat_map(|(_, blocks)| blocks).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::size_class;

    #[test]
    fn size_classes_hold_their_bytes_with_little_to_spare() {
        for bytes in
            [0, 1, 255, 256, 257, 4096, 4097, 1_000_000, 1 << 20, (1 << 20) + 1, 1 << 30, (3 << 30) + 5]
        {
            let class = size_class(bytes);
            assert!(class >= bytes && class.is_multiple_of(256), "{bytes} → {class}");
            assert!(class - bytes <= (bytes / 8).max(256), "{bytes} → {class}");
            assert_eq!(size_class(class), class, "{bytes}");
        }
    }
}
