//! Numbers and sentences.

use napkin_accounting::decimal;
use napkin_notebook::trace::{LedgerDelta, Step};

const PREFIXES: [(f64, &str); 7] =
    [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];

/// A count with its unit: four significant digits and a prefix of powers of ten.
#[must_use]
pub fn si(value: f64, unit: &str) -> String {
    let size = value.abs();
    // What rounds up to a thousand belongs to the next prefix.
    let (scale, prefix) =
        PREFIXES.into_iter().find(|(scale, _)| size >= scale * 0.99995).unwrap_or((1.0, ""));
    let scaled = value / scale;
    let digits = if scaled.abs() >= 999.95 { 0 } else { 3 - (scaled.abs().max(1.0).log10() as usize).min(3) };
    let text = decimal::fixed(scaled, digits);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {prefix}{unit}")
}

/// What a step made its devices do, a sentence for each that did something.
#[must_use]
pub fn ledger(step: &Step) -> Vec<String> {
    let several = step.ledger.0.len() > 1;
    let on =
        |device: &String| if several || device != "cpu" { format!(" on {device}") } else { String::new() };
    let sentences = step.ledger.0.iter().map(|(device, delta)| (delta_in_words(delta), on(device)));
    sentences.filter(|(words, _)| !words.is_empty()).map(|(words, on)| words + &on).collect()
}

fn delta_in_words(delta: &LedgerDelta) -> String {
    let held = delta.allocated.0.iter().filter(|(_, bytes)| *bytes != 0).map(|(what, bytes)| {
        let sign = if *bytes > 0 { "+" } else { "−" };
        format!("{sign}{} {what}", si(bytes.unsigned_abs() as f64, "B"))
    });
    let mut parts: Vec<String> = held.collect();
    if delta.flops > 0 {
        parts.push(si(delta.flops as f64, "FLOP"));
    }
    if delta.read_bytes > 0 {
        parts.push(format!("{} read", si(delta.read_bytes as f64, "B")));
    }
    if delta.written_bytes > 0 {
        parts.push(format!("{} written", si(delta.written_bytes as f64, "B")));
    }
    parts.join(", ")
}
