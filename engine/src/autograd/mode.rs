//! Whether operations are recorded: a flag of the thread, with guards and closures that set it for a while.

use std::cell::Cell;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
    static INFERENCE: Cell<bool> = const { Cell::new(false) };
    static CREATES_GRAPH: Cell<bool> = const { Cell::new(false) };
}

/// Whether operations are recorded, as `torch.is_grad_enabled()`.
#[must_use]
pub fn is_grad_enabled() -> bool {
    ENABLED.get()
}

/// Whether [`inference_mode`] is on, as `torch.is_inference_mode_enabled()`.
#[must_use]
pub fn is_inference_mode_enabled() -> bool {
    INFERENCE.get()
}

/// Puts back, when it goes, what was set before it came.
#[must_use = "the mode ends when the guard goes"]
pub struct GradMode {
    enabled: bool,
    inference: bool,
}

impl GradMode {
    fn set(enabled: bool, inference: bool) -> Self {
        Self { enabled: ENABLED.replace(enabled), inference: INFERENCE.replace(inference) }
    }
}

impl Drop for GradMode {
    fn drop(&mut self) {
        ENABLED.set(self.enabled);
        INFERENCE.set(self.inference);
    }
}

/// `torch.set_grad_enabled(mode)`, until the guard goes. Guards end in the reverse order of their beginning.
pub fn set_grad_enabled(mode: bool) -> GradMode {
    GradMode::set(mode, INFERENCE.get())
}

/// `torch.inference_mode(mode)`, until the guard goes: nothing is recorded, and tensors that are made meanwhile are
/// neither written to nor kept for a derivative afterwards.
pub fn set_inference_mode(mode: bool) -> GradMode {
    GradMode::set(!mode, mode)
}

/// Runs `body` without recording, as `with torch.no_grad():`.
pub fn no_grad<T>(body: impl FnOnce() -> T) -> T {
    let _guard = set_grad_enabled(false);
    body()
}

/// Runs `body` with recording, as `with torch.enable_grad():`.
pub fn enable_grad<T>(body: impl FnOnce() -> T) -> T {
    let _guard = set_grad_enabled(true);
    body()
}

/// Whether a backward pass is under way whose gradients are recorded like other results. A program in which there is none
/// carries nothing of what derivatives do then: nobody else sets it.
pub(crate) fn creates_graph() -> bool {
    CREATES_GRAPH.get() && ENABLED.get()
}

/// Runs such a pass.
pub(super) fn creating_graph<T>(pass: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            CREATES_GRAPH.set(self.0);
        }
    }
    let _restore = Restore(CREATES_GRAPH.replace(true));
    enable_grad(pass)
}

/// Runs `body` as `with torch.inference_mode():`.
pub fn inference_mode<T>(body: impl FnOnce() -> T) -> T {
    let _guard = set_inference_mode(true);
    body()
}
