//! What happens between two steps: what is written, drawn and counted.

use std::cell::RefCell;

use napkin_engine::{Device, ledger};
use napkin_trace::trace::{LedgerDelta, Map, Rendering};

use crate::options::{Stream, options};

/// What no step has yet.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) renderings: Vec<Rendering>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Of one stream in one step.
const MOST_BYTES: usize = 64 << 10;

/// What stands for the rest of it.
const REST: &str = "\n… What follows is not shown: of one step there are at most 64 KiB.\n";

thread_local! {
    /// Nothing while nobody traces.
    static PENDING: RefCell<Option<Pending>> = const { RefCell::new(None) };
}

/// From now on what is written and drawn is kept, or is not.
pub(super) fn keep(is_kept: bool) {
    PENDING.set(is_kept.then(Pending::default));
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.renderings.is_empty() && self.stdout.is_empty() && self.stderr.is_empty()
    }
}

/// What was written and drawn since the last call.
pub(super) fn take_pending() -> Pending {
    PENDING.with_borrow_mut(|pending| pending.as_mut().map(std::mem::take)).unwrap_or_default()
}

/// Keeps what is written.
pub(crate) fn wrote(stream: Stream, text: &str) {
    PENDING.with_borrow_mut(|pending| {
        let Some(pending) = pending else { return };
        let kept = match stream {
            Stream::Output => &mut pending.stdout,
            Stream::Error => &mut pending.stderr,
        };
        if kept.len() > MOST_BYTES {
            return;
        }
        let room = MOST_BYTES - kept.len();
        let line = kept.rfind('\n').map_or(0, |at| at + 1);
        kept.push_str(&text[..text.floor_char_boundary(room)]);
        if text.len() > room {
            kept.push_str(REST);
        }
        if kept[line..].contains('\r') {
            let shown = written_over(&kept[line..]);
            kept.truncate(line);
            kept.push_str(&shown);
        }
    });
}

/// Leaves of a line what a terminal shows: what stands behind the last return to its beginning, as of a bar of progress.
fn written_over(text: &str) -> String {
    let line = |line: &str| {
        let (shown, end) = line.strip_suffix('\r').map_or((line, ""), |shown| (shown, "\r"));
        shown.rsplit('\r').next().unwrap_or_default().to_owned() + end
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Whether somebody keeps what is drawn.
pub(crate) fn is_kept() -> bool {
    PENDING.with_borrow(Option::is_some)
}

/// Keeps what is drawn.
pub(crate) fn rendered(mut rendering: Rendering) {
    if let Some(prepare) = &options().prepare {
        prepare(&mut rendering);
    }
    PENDING.with_borrow_mut(|pending| {
        if let Some(pending) = pending {
            pending.renderings.push(rendering);
        }
    });
}

/// The ledgers of all devices.
pub(super) struct Readings(Vec<(Device, ledger::Totals)>);

impl Readings {
    pub(super) fn now() -> Self {
        let devices = [Some(Device::cpu()), options().gpu.clone()];
        Self(devices.into_iter().flatten().map(|device| (device.clone(), device.ledger().totals())).collect())
    }

    /// What happened since then, by the names of the devices where something did.
    pub(super) fn advance(&mut self) -> Map<LedgerDelta> {
        let mut deltas = Map::default();
        for (device, before) in &mut self.0 {
            let now = device.ledger().totals();
            let delta = difference(before, &now);
            *before = now;
            if delta != LedgerDelta::default() {
                deltas.insert(device.to_string(), delta);
            }
        }
        deltas
    }
}

/// A ledger that was reset meanwhile starts from nothing.
fn difference(before: &ledger::Totals, now: &ledger::Totals) -> LedgerDelta {
    let since = |before: u64, now: u64| if now < before { now } else { now - before };
    let mut allocated = Map::default();
    for tag in ledger::Tag::ALL {
        let change = now.allocated.of(tag) as i64 - before.allocated.of(tag) as i64;
        if change != 0 {
            allocated.insert(name(tag).to_owned(), change);
        }
    }
    LedgerDelta {
        ops: since(before.ops, now.ops),
        flops: since(before.matmul_flops, now.matmul_flops),
        read_bytes: since(before.read_bytes, now.read_bytes),
        written_bytes: since(before.written_bytes, now.written_bytes),
        allocated,
    }
}

const fn name(tag: ledger::Tag) -> &'static str {
    match tag {
        ledger::Tag::Parameter => "parameters",
        ledger::Tag::Gradient => "gradients",
        ledger::Tag::Activation => "activations",
        ledger::Tag::OptimizerState => "optimizer state",
        ledger::Tag::Copy => "copies",
        ledger::Tag::Data => "data",
        ledger::Tag::Temporary => "everything else",
    }
}

/// What is held now, by what it is held for, of each device.
pub(crate) fn held() -> Vec<(String, Vec<(&'static str, u64)>)> {
    let of = |(device, totals): (Device, ledger::Totals)| {
        let tags = ledger::Tag::ALL.into_iter().map(|tag| (name(tag), totals.allocated.of(tag)));
        (device.to_string(), tags.collect())
    };
    Readings::now().0.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_over() {
        for (written, shown) in [
            (&["a\r", "b\r", "c\n", "d"][..], "c\nd"),
            (&["\r 0%", "\r50%", "\r100%\n"], "100%\n"),
            (&["a\r\nb\r\n"], "a\r\nb\r\n"),
            (&["a\nb\rc"], "a\nc"),
        ] {
            keep(true);
            written.iter().for_each(|text| wrote(Stream::Output, text));
            assert_eq!(take_pending().stdout, shown, "{written:?}");
        }
        keep(false);
    }
}
