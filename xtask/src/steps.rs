//! Long work as a reader sees it: what there is to do and how long it took last time, then a line for each step. What
//! programs print on the way goes to a log.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::process::log;

/// What a step is called, and about how many seconds it takes on two cores when nothing of it is there.
pub type Step = (String, u64);

/// Characters that a bar is wide.
const WIDTH: usize = 24;

static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Seconds that each step took last time.
static LAST: LazyLock<Mutex<BTreeMap<String, f64>>> = LazyLock::new(|| {
    let text = fs::read_to_string(memory()).unwrap_or_default();
    Mutex::new(serde_json::from_str(&text).unwrap_or_default())
});

/// Says what comes.
pub fn plan(title: &str, steps: &[Step]) {
    say(&format!("{title}. What programs print goes to {}.", log().display()));
    for (name, secs) in steps {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        say(&match last {
            Some(secs) => format!("{:>14} last time  {name}", words(Duration::from_secs_f64(secs))),
            None => format!("{:>14} or so     {name}", words(Duration::from_secs(*secs))),
        });
    }
    say("");
}

/// Does a step, with a bar while it goes on where somebody looks, and a line when it has ended.
///
/// # Errors
/// Those of `body`.
pub fn step<T>(name: &str, body: impl FnOnce() -> Result<T>) -> Result<T> {
    timed(name, body, |result| if result.is_ok() { "" } else { "FAILED: " }.to_owned())
}

/// The same, with words of one's own before the name at the end.
///
/// # Errors
/// Those of `body`.
pub fn timed<T>(
    name: &str,
    body: impl FnOnce() -> Result<T>,
    ending: impl FnOnce(&Result<T>) -> String,
) -> Result<T> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
    let bar = BARS.add(ProgressBar::new_spinner());
    bar.set_style(style(last).unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    let start = Instant::now();
    let result = body();
    let took = start.elapsed();
    bar.finish_and_clear();
    say(&format!("{:>14}  {}{name}", words(took), ending(&result)));
    if result.is_ok() {
        let mut all = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(name.to_owned(), took.as_secs_f64());
        // Without it the next plan says what is typical.
        let _ = serde_json::to_string(&*all).map(|text| fs::write(memory(), text));
    }
    result
}

/// Elapsed time, and how far that is if it takes as long as last time.
fn style(last: Option<f64>) -> Result<ProgressStyle> {
    let share = move |state: &ProgressState, to: &mut dyn std::fmt::Write| {
        let Some(last) = last else { return };
        let done = (state.elapsed().as_secs_f64() / last.max(1.0)).min(1.0);
        let done = (done * WIDTH as f64) as usize;
        let _ = write!(to, "{}{}", "━".repeat(done), "╌".repeat(WIDTH - done));
    };
    Ok(ProgressStyle::with_template("{elapsed_precise:>14}  {msg} {share}")?.with_key("share", share))
}

/// Prints a line above the bars.
pub fn say(line: &str) {
    BARS.suspend(|| println!("{line}"));
}

fn memory() -> PathBuf {
    crate::target().join("xtask-times.json")
}

/// A duration in words: `12.3 s`, `7 min 05 s`.
pub fn words(duration: Duration) -> String {
    let secs = duration.as_secs();
    if secs < 60 {
        return format!("{:.1} s", duration.as_secs_f64());
    }
    format!("{} min {:02} s", secs / 60, secs % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(words(Duration::from_millis(1240)), "1.2 s");
        assert_eq!(words(Duration::from_secs(425)), "7 min 05 s");
    }
}
