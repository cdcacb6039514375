//! The module `_napkin`: all that Python reaches outside of itself, by way of what the session was given.

pub(crate) use native::module_def;

#[rustpython_vm::pymodule(name = "_napkin")]
mod native {
    use rustpython_vm::builtins::PyUtf8StrRef;

    use crate::session::{Stream, options};

    /// Text for standard output (1) or standard error.
    #[pyfunction]
    fn write(stream: u8, text: PyUtf8StrRef) {
        let stream = if stream == 1 { Stream::Output } else { Stream::Error };
        (options().write)(stream, text.as_str());
    }
}
