//! What is held, change by change: the memory of a step over time.

use super::{ByTag, PLACE, Phase};

/// Moments that are kept at most, beside the first and the last.
const MOST: usize = 4096;

/// What was held over a stretch of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// From the first on, which is before all changes, to the last. Of many changes not all are here: of as many in a row
    /// as it takes, the one with which most was held.
    pub moments: Vec<Moment>,
    /// Allocations, frees, and changes of what something is held for.
    pub changes: u64,
    /// The most that was held for each purpose, each at its own time.
    pub highest: ByTag,
}

/// What is held after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// How many changes there have been.
    pub at: u64,
    /// What is held, and what for.
    pub held: ByTag,
    /// When in a step it is.
    pub phase: Phase,
    /// For which part of a model.
    pub part: &'static str,
    /// The operation that something was allocated for, or after which it was let go.
    pub operation: &'static str,
}

/// A timeline that is being written.
#[derive(Debug)]
pub(super) struct Recorder {
    first: Moment,
    kept: Vec<Moment>,
    last: Moment,
    /// Changes in a row of which one is kept.
    stride: u64,
    highest: ByTag,
    /// The last operation, and how many changes there had been when it ran.
    operation: (&'static str, u64),
}

impl Recorder {
    pub(super) fn new(held: ByTag) -> Self {
        let first = Moment { at: 0, held, phase: PLACE.get().phase, part: "", operation: "" };
        Self { first, kept: Vec::new(), last: first, stride: 1, highest: held, operation: ("", 0) }
    }

    /// What is held has changed. What is new waits for the operation that it is for.
    pub(super) fn changed(&mut self, held: ByTag, is_new: bool) {
        let place = PLACE.get();
        let operation = if is_new { "" } else { self.operation.0 };
        let moment = Moment { at: self.last.at + 1, held, phase: place.phase, part: place.part, operation };
        self.last = moment;
        self.highest.raise(&held);
        if self.kept.len() == MOST && !self.is_with(self.kept.last(), &moment) {
            self.stride *= 2;
            for moment in std::mem::take(&mut self.kept) {
                self.keep(moment);
            }
        }
        self.keep(moment);
    }

    /// An operation has run: what was new before it was for it.
    pub(super) fn ran(&mut self, name: &'static str) {
        let since = self.operation.1;
        let new = self.kept.iter_mut().rev().take_while(|moment| moment.at > since);
        for moment in new.chain([&mut self.last]).filter(|moment| moment.operation.is_empty()) {
            moment.operation = name;
        }
        self.operation = (name, self.last.at);
    }

    pub(super) fn finish(self) -> Timeline {
        let Self { first, mut kept, last, highest, .. } = self;
        kept.insert(0, first);
        if kept.last().is_some_and(|moment| moment.at < last.at) {
            kept.push(last);
        }
        Timeline { moments: kept, changes: last.at, highest }
    }

    /// Whether both are among changes of which one is kept.
    fn is_with(&self, before: Option<&Moment>, moment: &Moment) -> bool {
        before.is_some_and(|before| before.at / self.stride == moment.at / self.stride)
    }

    fn keep(&mut self, moment: Moment) {
        if !self.is_with(self.kept.last(), &moment) {
            self.kept.push(moment);
        } else if let Some(before) = self.kept.last_mut()
            && before.held.total() < moment.held.total()
        {
            *before = moment;
        }
    }
}
