//! What is held, change by change: the memory of a step over time.

use super::{ByTag, PLACE, Phase, Place};

/// Moments that are kept at most, beside the first and the last.
const MOST: usize = 4096;

/// What was held over a stretch of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// From the first on, which is before all changes, to the last. Of many changes not all are here: of as many in a row
    /// as it takes, the one with which most was held.
    pub moments: Vec<Moment>,
    /// Allocations, frees, changes of what something is held for, and beginnings of phases.
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
    /// The last operation.
    operation: Run,
}

/// An operation that has run.
#[derive(Debug, Clone, Copy)]
struct Run {
    name: &'static str,
    phase: Phase,
    part: &'static str,
    /// How many changes there had been.
    at: u64,
}

impl Recorder {
    pub(super) fn new(held: ByTag) -> Self {
        let Place { phase, part } = PLACE.get();
        let operation = Run { name: "", phase, part, at: 0 };
        let first = Moment { at: 0, held, phase, part, operation: "" };
        Self { first, kept: Vec::new(), last: first, stride: 1, highest: held, operation }
    }

    /// What is held has changed. What is new waits for the operation that it is for.
    pub(super) fn changed(&mut self, held: ByTag, is_new: bool) {
        let (Place { phase, part }, operation) =
            if is_new { (PLACE.get(), "") } else { (self.operation.place(), self.operation.name) };
        let moment = Moment { at: self.last.at + 1, held, phase, part, operation };
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

    /// An operation has run: what was new before it was for it. The first of a phase is told though nothing is new.
    pub(super) fn ran(&mut self, name: &'static str) {
        let Place { phase, part } = PLACE.get();
        if phase != self.last.phase {
            self.changed(self.last.held, true);
        }
        let since = self.operation.at;
        let new = self.kept.iter_mut().rev().take_while(|moment| moment.at > since);
        for moment in new.chain([&mut self.last]).filter(|moment| moment.operation.is_empty()) {
            moment.operation = name;
        }
        self.operation = Run { name, phase, part, at: self.last.at };
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

impl Run {
    fn place(self) -> Place {
        Place { phase: self.phase, part: self.part }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ledger, Phase, Tag, during};
    use super::MOST;

    #[test]
    fn many_changes_are_thinned_and_the_peak_stays() {
        for changes in [0, 1, 100, MOST, MOST + 1, 3 * MOST + 7, 50 * MOST + 1] {
            let ledger = Ledger::default();
            ledger.allocated(5, Tag::Parameter);
            ledger.start_timeline();
            // Up and down, with one sharp peak.
            for i in 0..changes {
                match (i, i % 2) {
                    (_, 0) => ledger.allocated(if i / 2 == changes / 5 { 1000 } else { 10 }, Tag::Temporary),
                    _ => ledger.freed(if i / 2 == changes / 5 { 1000 } else { 10 }, Tag::Temporary),
                }
            }
            let Some(timeline) = ledger.take_timeline() else { panic!("there was a timeline") };
            let moments = &timeline.moments;
            assert!(moments.len() <= MOST + 2, "{changes}: {}", moments.len());
            assert!(moments.windows(2).all(|pair| pair[0].at < pair[1].at));
            assert_eq!(timeline.changes, changes as u64);
            assert_eq!((moments[0].at, moments[0].held.total()), (0, 5));
            let last = moments[moments.len() - 1];
            assert_eq!((last.at, last.held), (changes as u64, ledger.totals().allocated));
            let highest = moments.iter().map(|moment| moment.held.total()).max();
            assert_eq!(highest, Some(ledger.totals().peak_bytes), "{changes}");
            assert_eq!(timeline.highest.total(), ledger.totals().peak_bytes, "{changes}");
            if changes <= MOST {
                assert_eq!(moments.len(), changes + 1);
            }
            assert!(ledger.take_timeline().is_none());
        }
    }

    #[test]
    fn moments_know_their_cause() {
        let ledger = Ledger::default();
        ledger.start_timeline();
        during(Phase::Forward, || {
            ledger.allocated(8, Tag::Temporary);
            ledger.ran("exp", 0, 0, 0);
            ledger.retagged(8, Tag::Temporary, Tag::Activation);
        });
        during(Phase::Backward, || {
            ledger.allocated(8, Tag::Temporary);
            ledger.ran("mul", 0, 0, 0);
        });
        ledger.freed(8, Tag::Activation);
        during(Phase::Optimizer, || ledger.ran("sgd", 0, 0, 0));
        let Some(timeline) = ledger.take_timeline() else { panic!("there was a timeline") };
        let told: Vec<_> = timeline.moments.iter().map(|m| (m.phase, m.operation, m.held.total())).collect();
        let want = [
            (Phase::Forward, "", 0),
            (Phase::Forward, "exp", 8),
            (Phase::Forward, "exp", 8),
            (Phase::Backward, "mul", 16),
            (Phase::Backward, "mul", 8),
            (Phase::Optimizer, "sgd", 8),
        ];
        assert_eq!(told, want);
    }
}
