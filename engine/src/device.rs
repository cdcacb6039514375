//! A device: a backend that runs kernels and the ledger of what it ran.

use std::rc::Rc;

use crate::backend::Backend;
use crate::ledger::Ledger;

/// A handle to a backend and its [`Ledger`]; cloning shares both.
#[derive(Clone)]
pub struct Device(Rc<Inner>);

struct Inner {
    backend: Box<dyn Backend>,
    ledger: Ledger,
}

thread_local! {
    static CPU: Device = Device::new(crate::cpu::Cpu::default());
    static META: Device = Device::new(crate::meta::Meta);
}

impl Device {
    /// The CPU of this thread; every call returns the same device.
    #[must_use]
    pub fn cpu() -> Self {
        CPU.with(Self::clone)
    }

    /// The device of this thread that allocates and computes nothing: shapes, dtypes and the ledger are as anywhere, at
    /// no cost, whatever the sizes. Who wants to see elements is refused. Every call returns the same device.
    #[must_use]
    pub fn meta() -> Self {
        META.with(Self::clone)
    }

    /// Whether there are no elements on it.
    #[must_use]
    pub fn is_meta(&self) -> bool {
        self.backend().device_type() == "meta"
    }

    /// A device of its own around a backend, with an empty ledger.
    #[must_use]
    pub fn new(backend: impl Backend + 'static) -> Self {
        Self(Rc::new(Inner { backend: Box::new(backend), ledger: Ledger::default() }))
    }

    /// What runs the kernels.
    #[must_use]
    pub fn backend(&self) -> &dyn Backend {
        self.0.backend.as_ref()
    }

    /// What has run and what is allocated here.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.0.ledger
    }

    /// Waits until everything queued so far is done.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn synchronize(&self) -> crate::Result<()> {
        self.backend().synchronize().await
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// As PyTorch prints it: `cpu`, `meta`, `cuda:0`.
impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.backend().device_type() {
            kind @ ("cpu" | "meta") => f.write_str(kind),
            kind => write!(f, "{kind}:0"),
        }
    }
}
