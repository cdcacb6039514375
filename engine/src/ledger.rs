//! What a device really did: operations, FLOPs and bytes counted from the shapes that ran, and bytes
//! allocated. Counting is a few additions per operation, so it is always on.

use std::cell::Cell;

/// Running totals of one device.
#[derive(Debug, Default)]
pub struct Ledger {
    totals: Cell<Totals>,
}

/// A reading of a [`Ledger`].
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Kernels run.
    pub ops: u64,
    /// FLOPs of matrix products: `2·m·n·k` each.
    pub matmul_flops: u64,
    /// Bytes of elements read, each operand's element once per kernel.
    pub read_bytes: u64,
    /// Bytes of elements written.
    pub written_bytes: u64,
    /// Bytes held by tensors now.
    pub allocated_bytes: u64,
    /// Largest value that `allocated_bytes` has had.
    pub peak_bytes: u64,
}

impl Ledger {
    /// The totals so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals.get()
    }

    /// Starts the counters anew; the peak starts from what is allocated now.
    pub fn reset(&self) {
        let allocated_bytes = self.totals.get().allocated_bytes;
        self.totals.set(Totals { allocated_bytes, peak_bytes: allocated_bytes, ..Totals::default() });
    }

    pub(crate) fn ran(&self, matmul_flops: u64, read_bytes: usize, written_bytes: usize) {
        self.update(|t| {
            t.ops += 1;
            t.matmul_flops += matmul_flops;
            t.read_bytes += read_bytes as u64;
            t.written_bytes += written_bytes as u64;
        });
    }

    pub(crate) fn allocated(&self, bytes: usize) {
        self.update(|t| {
            t.allocated_bytes += bytes as u64;
            t.peak_bytes = t.peak_bytes.max(t.allocated_bytes);
        });
    }

    pub(crate) fn freed(&self, bytes: usize) {
        self.update(|t| t.allocated_bytes -= bytes as u64);
    }

    fn update(&self, change: impl FnOnce(&mut Totals)) {
        let mut totals = self.totals.get();
        change(&mut totals);
        self.totals.set(totals);
    }
}
