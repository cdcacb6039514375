//! How far a command is, on the terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Of measurements, each with a message of its own.
pub(crate) fn measuring(count: u64) -> ProgressBar {
    let bar = styled(ProgressBar::new(count), "{spinner} {pos}/{len} {msg}");
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Of the steps of a training run, with the time that is left.
pub(crate) fn training(steps: u64) -> ProgressBar {
    styled(ProgressBar::new(steps), "{bar:30} {pos}/{len} steps  {per_sec}  {msg}  {eta} left")
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
