//! A future that a callback of the driver completes.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

struct Slot<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

/// The waiting end of [`signal`].
pub(crate) struct Signal<T>(Arc<Mutex<Slot<T>>>);

/// A callback and the future of the value it is called with.
pub(crate) fn signal<T: Send + 'static>() -> (impl FnOnce(T) + Send + 'static, Signal<T>) {
    let slot = Arc::new(Mutex::new(Slot { value: None, waker: None }));
    let sender = Arc::clone(&slot);
    let send = move |value| {
        let mut slot = sender.lock().unwrap_or_else(PoisonError::into_inner);
        slot.value = Some(value);
        if let Some(waker) = slot.waker.take() {
            waker.wake();
        }
    };
    (send, Signal(slot))
}

impl<T> Signal<T> {
    /// The value, if the callback has been called.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn now(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).value.take()
    }
}

impl<T> Future for Signal<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match slot.value.take() {
            Some(value) => Poll::Ready(value),
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
