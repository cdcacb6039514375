//! The module `_napkin`: all that Python reaches outside of itself, by way of what the session was given.

pub(crate) use native::module_def;

#[rustpython_vm::pymodule(name = "_napkin")]
mod native {
    use napkin_notebook::trace::Rendering;
    use rustpython_vm::builtins::{PyDictRef, PyUtf8StrRef};
    use rustpython_vm::{PyObjectRef, PyRef, PyResult, VirtualMachine};

    use crate::session::{Stream, options};
    use crate::torch::{OrRaise, PyTensor};
    use crate::trace::{self, DRAWING, Histogram, Snapshots};

    /// Text for standard output (1) or standard error.
    #[pyfunction]
    fn write(stream: u8, text: PyUtf8StrRef) {
        let stream = if stream == 1 { Stream::Output } else { Stream::Error };
        trace::wrote(stream, text.as_str());
        (options().write)(stream, text.as_str());
    }

    /// Draws something at the step that runs, if somebody looks: what it is, and data for it. Whether somebody does.
    #[pyfunction]
    fn render(kind: PyUtf8StrRef, data: PyObjectRef, vm: &VirtualMachine) -> bool {
        let is_kept = trace::is_kept();
        if is_kept {
            let data = Snapshots::new(vm, &mut Vec::new(), DRAWING).data(&data);
            trace::rendered(Rendering { kind: kind.as_str().to_owned(), data, ..Rendering::default() });
        }
        is_kept
    }

    /// `{device: {what for: bytes}}` of what is held now.
    #[pyfunction]
    fn held(vm: &VirtualMachine) -> PyResult<PyDictRef> {
        let devices = vm.ctx.new_dict();
        for (device, tags) in trace::held() {
            let bytes = vm.ctx.new_dict();
            for (tag, count) in tags {
                bytes.set_item(tag, vm.ctx.new_int(count).into(), vm)?;
            }
            devices.set_item(device.as_str(), bytes.into(), vm)?;
        }
        Ok(devices)
    }

    /// Bins of a tensor's elements, and how many are in none.
    #[pyfunction]
    fn histogram(tensor: PyRef<PyTensor>, vm: &VirtualMachine) -> PyResult<PyDictRef> {
        let Histogram { edges, counts, nan, infinite } = trace::histogram(&tensor.get()).or_raise(vm)?;
        let edges = edges.into_iter().map(|edge| vm.ctx.new_float(edge).into()).collect();
        let counts = counts.into_iter().map(|count| vm.ctx.new_int(count).into()).collect();
        let dict = vm.ctx.new_dict();
        dict.set_item("edges", vm.ctx.new_list(edges).into(), vm)?;
        dict.set_item("counts", vm.ctx.new_list(counts).into(), vm)?;
        dict.set_item("nan", vm.ctx.new_int(nan).into(), vm)?;
        dict.set_item("infinite", vm.ctx.new_int(infinite).into(), vm)?;
        Ok(dict)
    }
}
