//! Memory of GPU tensors.

use std::rc::Weak;

use super::core::Core;
use super::pool::Block;
use crate::backend::Storage;

/// The elements of one or more tensors in a GPU buffer.
pub(crate) struct GpuStorage {
    /// There until drop.
    block: Option<Block>,
    bytes: usize,
    core: Weak<Core>,
}

impl GpuStorage {
    pub(crate) fn new(block: Block, bytes: usize, core: Weak<Core>) -> Self {
        Self { block: Some(block), bytes, core }
    }

    pub(crate) fn block(&self) -> Option<&Block> {
        self.block.as_ref()
    }

    pub(crate) fn belongs_to(&self, core: &Core) -> bool {
        std::ptr::eq(self.core.as_ptr(), core)
    }
}

impl Storage for GpuStorage {
    fn size_bytes(&self) -> usize {
        self.bytes
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Drop for GpuStorage {
    fn drop(&mut self) {
        if let (Some(core), Some(block)) = (self.core.upgrade(), self.block.take()) {
            core.release(block);
        }
    }
}
