//! Errors that the driver reports on its own, kept until a call can hand them on.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};

#[derive(Default)]
struct State {
    first: Option<Error>,
    lost: Option<String>,
    /// The latest allocation, in bytes: an out-of-memory report does not say which one failed.
    allocating_bytes: u64,
    device: String,
}

/// The faults of one device.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<State>>);

impl Faults {
    /// Watches `device`, so that none of its errors is fatal.
    pub(crate) fn watch(device: &wgpu::Device, name: String) -> Self {
        let faults = Self::default();
        faults.with(|s| s.device = name);
        let (lost, uncaptured) = (faults.clone(), faults.clone());
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                lost.with(|s| s.lost = Some(message));
            }
        });
        device.on_uncaptured_error(Arc::new(move |error| uncaptured.record(&error)));
        faults
    }

    pub(crate) fn allocating(&self, bytes: u64) {
        self.with(|s| s.allocating_bytes = bytes);
    }

    fn record(&self, error: &wgpu::Error) {
        self.with(|s| {
            let error = match error {
                wgpu::Error::OutOfMemory { .. } => Error::OutOfMemory {
                    bytes: s.allocating_bytes.into(),
                    device: s.device.clone(),
                    rule: "the device has no more memory".to_owned(),
                },
                other => Error::Gpu(other.to_string()),
            };
            s.first.get_or_insert(error);
        });
    }

    /// # Errors
    /// The first fault since the last check; once the device is lost, always that.
    pub(crate) fn check(&self) -> Result<()> {
        self.with(|s| match (&s.lost, s.first.take()) {
            (Some(message), _) => Err(Error::Gpu(format!("the device was lost: {message}"))),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(()),
        })
    }

    /// Why the device is lost, if it is.
    pub(crate) fn lost(&self) -> Option<String> {
        self.with(|s| s.lost.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
