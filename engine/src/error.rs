//! The one error type of the engine. A variant names the operation and the shapes; where PyTorch has
//! words for the fault, these are its words.

use crate::size;

/// `Result` with the engine's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong in a tensor operation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A shape, dimension, index or stride that PyTorch refuses; the text is PyTorch's.
    #[error("{message}")]
    Shape {
        /// The operation that was asked for, by its PyTorch name.
        op: &'static str,
        /// The sentence shown to the reader.
        message: String,
    },
    /// A dimension or an index that leads out of a tensor, where Python raises `IndexError`; the text is PyTorch's.
    #[error("{message}")]
    Index {
        /// The operation that was asked for, by its PyTorch name.
        op: &'static str,
        /// The sentence shown to the reader.
        message: String,
    },
    /// A dtype that the operation has no kernel for, where Python raises `NotImplementedError`.
    #[error("{op}: {message}")]
    NotImplemented {
        /// The operation that was asked for.
        op: &'static str,
        /// The sentence shown to the reader.
        message: String,
    },
    /// A text (view expression, number) that does not parse.
    #[error("{message} (at position {position})")]
    Parse {
        /// Byte offset into the text at which reading stopped.
        position: usize,
        /// What was expected there.
        message: String,
    },
    /// Operands with dtypes that the operation does not take together.
    #[error("{op}: {message}")]
    DType {
        /// The operation that was asked for.
        op: &'static str,
        /// Which dtypes it got and which rule they break.
        message: String,
    },
    /// Operands on different devices.
    #[error(
        "Expected all tensors to be on the same device, but found at least two devices, {a} and {b}! ({op})"
    )]
    Device {
        /// The operation that was asked for.
        op: &'static str,
        /// One device.
        a: String,
        /// The other.
        b: String,
    },
    /// An allocation that memory or the adapter does not allow.
    #[error("cannot allocate {}{} on {device}: {rule}", size::written(*bytes), purpose(what.as_deref()))]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u128,
        /// What they were to hold, where that is known.
        what: Option<String>,
        /// Where.
        device: String,
        /// The limit that stands in the way.
        rule: String,
    },
    /// Somebody wanted it to end before it was done.
    #[error("interrupted")]
    Interrupted,
    /// No adapter, a lost device, a shader that the driver refused.
    #[error("GPU: {0}")]
    Gpu(String),
    /// A fault in the use of autograd; the text is PyTorch's.
    #[error("{0}")]
    Autograd(String),
    /// A value outside the range that the operation takes.
    #[error("{op}: {message}")]
    Value {
        /// The operation that was asked for.
        op: &'static str,
        /// The input and the rule it breaks.
        message: String,
    },
    /// A file that cannot be read or written, or that does not hold what it should.
    #[error("{file}: {message}")]
    File {
        /// Which file, by its path or its name.
        file: String,
        /// What is wrong with it, or what the system says.
        message: String,
    },
}

fn purpose(what: Option<&str>) -> String {
    what.map(|what| format!(" for {what}")).unwrap_or_default()
}

impl Error {
    /// An allocation that `rule` does not allow.
    pub fn out_of_memory(bytes: u128, device: impl Into<String>, rule: impl Into<String>) -> Self {
        Self::OutOfMemory { bytes, what: None, device: device.into(), rule: rule.into() }
    }

    #[cfg(feature = "cpu")]
    /// With the tensor that there was no memory for, unless another one was the reason.
    pub(crate) fn of_tensor(mut self, shape: &[usize], dtype: impl std::fmt::Display) -> Self {
        if let Self::OutOfMemory { what: what @ None, .. } = &mut self {
            *what = Some(format!("a tensor of shape {shape:?}, {dtype}"));
        }
        self
    }

    pub(crate) fn shape(op: &'static str, message: impl Into<String>) -> Self {
        Self::Shape { op, message: message.into() }
    }

    pub(crate) fn index(op: &'static str, message: impl Into<String>) -> Self {
        Self::Index { op, message: message.into() }
    }

    #[cfg(feature = "cpu")]
    /// As PyTorch says it of the kernel of that name and its word for the dtype.
    pub(crate) fn not_implemented(op: &'static str, kernel: &str, dtype: &str) -> Self {
        Self::NotImplemented { op, message: format!("\"{kernel}\" not implemented for '{dtype}'") }
    }

    #[cfg(feature = "cpu")]
    pub(crate) fn file(file: impl std::fmt::Display, message: impl std::fmt::Display) -> Self {
        Self::File { file: file.to_string(), message: message.to_string() }
    }
}
