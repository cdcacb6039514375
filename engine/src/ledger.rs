//! What a device really did: operations, FLOPs and bytes counted from the shapes that ran, and bytes
//! allocated. Counting is a few additions per operation, so it is always on.

mod timeline;

pub use timeline::{Moment, Timeline};

use std::cell::{Cell, RefCell};

use timeline::Recorder;

/// Running totals of one device, and the same by operation.
#[derive(Debug, Default)]
pub struct Ledger {
    totals: Cell<Totals>,
    operations: RefCell<Vec<OperationTotals>>,
    /// Counts that have begun and not ended, the outermost first.
    counts: RefCell<Vec<Vec<OperationTotals>>>,
    recorder: RefCell<Option<Recorder>>,
}

/// The part of a training step in which something ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Whatever is neither of the others.
    Forward,
    /// A backward pass.
    Backward,
    /// What a checkpoint computes again within a backward pass.
    Recompute,
    /// What becomes of gradients: dividing, clipping, the step of an optimizer.
    Optimizer,
}

/// Where in a training step something runs.
#[derive(Clone, Copy)]
struct Place {
    phase: Phase,
    part: &'static str,
}

thread_local! {
    static PLACE: Cell<Place> = const { Cell::new(Place { phase: Phase::Forward, part: "" }) };
}

fn at<T>(place: Place, body: impl FnOnce() -> T) -> T {
    struct Restore(Place);
    impl Drop for Restore {
        fn drop(&mut self) {
            PLACE.set(self.0);
        }
    }
    let _restore = Restore(PLACE.replace(place));
    body()
}

/// Runs `body` in a phase.
pub(crate) fn during<T>(phase: Phase, body: impl FnOnce() -> T) -> T {
    at(Place { phase, ..PLACE.get() }, body)
}

/// Runs `body` as a part of a model. What is recorded there is differentiated in the name of that part, too.
pub(crate) fn within<T>(part: &'static str, body: impl FnOnce() -> T) -> T {
    at(Place { part, ..PLACE.get() }, body)
}

/// What runs from now on in this thread is counted for that part, until another is set; the answer is the part before.
pub fn set_part(part: &'static str) -> &'static str {
    PLACE.replace(Place { part, ..PLACE.get() }).part
}

/// The part of a model that is running; empty outside all.
pub(crate) fn part() -> &'static str {
    PLACE.get().part
}

/// All runs of one operation in one phase and part of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationTotals {
    /// When it ran.
    pub phase: Phase,
    /// For which part of a model, such as `attn`, or for which part's derivative; empty outside all.
    pub part: &'static str,
    /// Its name in PyTorch, as `mm`; of a product in a backward pass also what it is the gradient of: `mm (dX)`,
    /// `mm (dW)`.
    pub name: &'static str,
    /// How often it ran.
    pub calls: u64,
    /// FLOPs of matrix products: `2·m·n·k` each.
    pub matmul_flops: u64,
    /// Bytes of elements read, each operand's element once per kernel.
    pub read_bytes: u64,
    /// Bytes of elements written.
    pub written_bytes: u64,
}

impl OperationTotals {
    /// Adds a run to those of its operation.
    fn join(self, operations: &mut Vec<Self>) {
        let is_it = |o: &&mut Self| o.phase == self.phase && o.part == self.part && o.name == self.name;
        match operations.iter_mut().find(is_it) {
            Some(operation) => {
                operation.calls += self.calls;
                operation.matmul_flops += self.matmul_flops;
                operation.read_bytes += self.read_bytes;
                operation.written_bytes += self.written_bytes;
            }
            None => operations.push(self),
        }
    }
}

/// What bytes are held for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// A leaf that asks for a gradient.
    Parameter,
    /// The gradient of a leaf.
    Gradient,
    /// Kept for a derivative, until the backward pass lets go of it.
    Activation,
    /// What an optimizer remembers between steps.
    OptimizerState,
    /// Parameters in the format of the products, where that is not their own: [`crate::amp::compute_copy`].
    Copy,
    /// What a step is given, where whoever gives it says so.
    Data,
    /// Everything else.
    Temporary,
}

impl Tag {
    /// All of them, in the order of [`ByTag`].
    pub const ALL: [Self; 7] = [
        Self::Parameter,
        Self::Gradient,
        Self::Activation,
        Self::OptimizerState,
        Self::Copy,
        Self::Data,
        Self::Temporary,
    ];
}

/// Bytes for each [`Tag`].
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ByTag([u64; Tag::ALL.len()]);

impl ByTag {
    /// The bytes held for that.
    #[must_use]
    pub fn of(&self, tag: Tag) -> u64 {
        self.0[tag as usize]
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Of each the larger.
    fn raise(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(most, now)| *most = now.max(*most));
    }
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
    /// What they are held for.
    pub allocated: ByTag,
    /// Largest value that `allocated_bytes` has had.
    pub peak_bytes: u64,
    /// What was held, and what for, when that was so.
    pub at_peak: ByTag,
}

/// Holds the readings of a ledger while somebody looks on.
pub(crate) struct Suspended<'a> {
    ledger: &'a Ledger,
    totals: Totals,
    operations: Vec<OperationTotals>,
    counts: Vec<Vec<OperationTotals>>,
    recorder: Option<Recorder>,
}

impl Drop for Suspended<'_> {
    fn drop(&mut self) {
        self.ledger.totals.set(self.totals);
        self.ledger.operations.replace(std::mem::take(&mut self.operations));
        self.ledger.counts.replace(std::mem::take(&mut self.counts));
        self.ledger.recorder.replace(self.recorder.take());
    }
}

impl Ledger {
    /// The totals so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals.get()
    }

    /// The totals so far of each operation in each phase and part, in the order of their first runs; together they are those
    /// of [`Ledger::totals`].
    #[must_use]
    pub fn by_operation(&self) -> Vec<OperationTotals> {
        self.operations.borrow().clone()
    }

    /// Counts operations apart from now on, until [`Ledger::take_count`]. Counts may be within each other.
    pub fn start_count(&self) {
        self.counts.borrow_mut().push(Vec::new());
    }

    /// What has run since the last count began that nobody has taken, in the order of first runs; `None` if none has begun.
    pub fn take_count(&self) -> Option<Vec<OperationTotals>> {
        self.counts.borrow_mut().pop()
    }

    /// Starts the counters anew; the peak starts from what is allocated now.
    pub fn reset(&self) {
        self.operations.borrow_mut().clear();
        let Totals { allocated_bytes, allocated, .. } = self.totals.get();
        let at_peak = allocated;
        let peak_bytes = allocated_bytes;
        self.totals.set(Totals { allocated_bytes, allocated, peak_bytes, at_peak, ..Totals::default() });
    }

    /// Writes down every change of what is held, from now until [`Ledger::take_timeline`].
    pub fn start_timeline(&self) {
        *self.recorder.borrow_mut() = Some(Recorder::new(self.totals.get().allocated));
    }

    /// What has been written down since [`Ledger::start_timeline`]; `None` if that was not called.
    pub fn take_timeline(&self) -> Option<Timeline> {
        self.recorder.borrow_mut().take().map(Recorder::finish)
    }

    /// What happens until the guard is gone is not counted; what is allocated meanwhile must be gone before it.
    pub(crate) fn suspended(&self) -> Suspended<'_> {
        let (totals, operations) = (self.totals.get(), self.operations.borrow().clone());
        Suspended {
            ledger: self,
            totals,
            operations,
            counts: self.counts.take(),
            recorder: self.recorder.take(),
        }
    }

    /// Counts an operation by its name. The name of one that has run before is found among some dozens.
    pub(crate) fn ran(&self, name: &'static str, matmul_flops: u64, read_bytes: u64, written_bytes: u64) {
        self.update(|t| {
            t.ops += 1;
            t.matmul_flops += matmul_flops;
            t.read_bytes += read_bytes;
            t.written_bytes += written_bytes;
        });
        if let Some(recorder) = self.recorder.borrow_mut().as_mut() {
            recorder.ran(name);
        }
        let Place { phase, part } = PLACE.get();
        let run = OperationTotals { phase, part, name, calls: 1, matmul_flops, read_bytes, written_bytes };
        run.join(&mut self.operations.borrow_mut());
        self.counts.borrow_mut().iter_mut().for_each(|count| run.join(count));
    }

    pub(crate) fn allocated(&self, bytes: u64, tag: Tag) {
        self.update(|t| {
            t.allocated_bytes += bytes;
            t.allocated.0[tag as usize] += bytes;
            if t.allocated_bytes > t.peak_bytes {
                (t.peak_bytes, t.at_peak) = (t.allocated_bytes, t.allocated);
            }
        });
        self.record(true);
    }

    pub(crate) fn freed(&self, bytes: u64, tag: Tag) {
        self.update(|t| {
            t.allocated_bytes -= bytes;
            t.allocated.0[tag as usize] -= bytes;
        });
        self.record(false);
    }

    /// Bytes held for one thing are held for another from here on.
    pub(crate) fn retagged(&self, bytes: u64, from: Tag, to: Tag) {
        self.update(|t| {
            t.allocated.0[from as usize] -= bytes;
            t.allocated.0[to as usize] += bytes;
        });
        self.record(false);
    }

    fn record(&self, is_new: bool) {
        if let Some(recorder) = self.recorder.borrow_mut().as_mut() {
            recorder.changed(self.totals.get().allocated, is_new);
        }
    }

    fn update(&self, change: impl FnOnce(&mut Totals)) {
        let mut totals = self.totals.get();
        change(&mut totals);
        self.totals.set(totals);
    }
}

#[cfg(test)]
mod tests {
    use super::{Ledger, Phase, during};

    #[test]
    fn counting_is_cheap_and_told_apart_by_phase() {
        const NAMES: [&str; 20] = [
            "add",
            "mul",
            "mm",
            "bmm",
            "addmm",
            "mm (dX)",
            "mm (dW)",
            "sum",
            "mean",
            "exp",
            "embedding",
            "gelu",
            "_softmax",
            "native_layer_norm",
            "copy_",
            "_to_copy",
            "fill_",
            "gelu_backward",
            "adamw",
            "cross_entropy_loss",
        ];
        let ledger = Ledger::default();
        let start = std::time::Instant::now();
        for round in 0..10_000 {
            for phase in [Phase::Forward, Phase::Backward] {
                during(phase, || NAMES.iter().for_each(|name| ledger.ran(name, 2, 8, round)));
            }
        }
        println!("{:?} per operation", start.elapsed() / (2 * 20 * 10_000));
        let all = ledger.by_operation();
        let names: Vec<&str> = all.iter().map(|o| o.name).collect();
        assert_eq!(names, [NAMES, NAMES].concat());
        assert!(all.iter().all(|o| (o.calls, o.matmul_flops, o.read_bytes) == (10_000, 20_000, 80_000)));
        assert_eq!(ledger.totals().written_bytes, all.iter().map(|o| o.written_bytes).sum::<u64>());
        ledger.reset();
        assert!(ledger.by_operation().is_empty());
    }
}
