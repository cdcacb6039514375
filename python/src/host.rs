//! The module `_napkin`: all that Python reaches outside of itself, by way of what the session was given.

pub(crate) use native::module_def;

use std::io::{Error, ErrorKind};

use rustpython_vm::{AsObject, PyResult, VirtualMachine};

/// POSIX's numbers, which Python tells apart what went wrong by.
const ERRNO: &[(ErrorKind, i32, &str)] = &[
    (ErrorKind::NotFound, 2, "No such file or directory"),
    (ErrorKind::PermissionDenied, 13, "Permission denied"),
    (ErrorKind::AlreadyExists, 17, "File exists"),
    (ErrorKind::NotADirectory, 20, "Not a directory"),
    (ErrorKind::IsADirectory, 21, "Is a directory"),
    (ErrorKind::FileTooLarge, 27, "File too large"),
    (ErrorKind::StorageFull, 28, "No space left on device"),
    (ErrorKind::DirectoryNotEmpty, 39, "Directory not empty"),
];

/// `OSError`, or what of it the number makes.
fn or_raise<T>(done: Result<T, Error>, path: &str, vm: &VirtualMachine) -> PyResult<T> {
    let error = match done {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let known = ERRNO.iter().find(|(kind, ..)| *kind == error.kind());
    let (number, text) = match known {
        Some(&(_, number, text)) => (number, text.to_owned()),
        None => (error.raw_os_error().unwrap_or(5), error.to_string()),
    };
    let arguments = (number, text, path.to_owned());
    // Natively `OSError` finds the class by itself, in a browser it knows no numbers.
    let exceptions = &vm.ctx.exceptions;
    let class = match number {
        2 => exceptions.file_not_found_error,
        13 => exceptions.permission_error,
        17 => exceptions.file_exists_error,
        20 => exceptions.not_a_directory_error,
        21 => exceptions.is_a_directory_error,
        _ => exceptions.os_error,
    };
    let raised = class.as_object().call(arguments, vm)?;
    match raised.downcast() {
        Ok(raised) => Err(raised),
        Err(_) => Err(vm.new_os_error(error.to_string())),
    }
}

#[rustpython_vm::pymodule(name = "_napkin")]
mod native {
    #![allow(clippy::needless_pass_by_value, reason = "Python gives arguments away")]

    use std::process::Output;

    use napkin_trace::python::CellName;
    use napkin_trace::trace::{Json, Rendering};
    use rustpython_vm::builtins::{PyBytes, PyCode, PyDictRef, PyListRef, PyTupleRef, PyUtf8StrRef};
    use rustpython_vm::function::{ArgBytesLike, OptionalArg};
    use rustpython_vm::{PyObjectRef, PyRef, PyResult, VirtualMachine};
    use sha2::{Digest, Sha256, Sha512};
    use web_time::{Instant, SystemTime};

    use super::or_raise;
    use crate::code;
    use crate::files::Entry;
    use crate::notebook::Cell;
    use crate::options::{Stream, options};
    use crate::png;
    use crate::polling::keyboard_interrupt;
    use crate::process;
    use crate::recovery;
    use crate::torch::{OrRaise, PyTensor};
    use crate::trace::{self, DRAWING, Histogram, Snapshots, Storages};
    use crate::unicode;

    /// Text for standard output (1) or standard error.
    #[pyfunction]
    fn write(stream: u8, text: PyUtf8StrRef) {
        let stream = if stream == 1 { Stream::Output } else { Stream::Error };
        trace::wrote(stream, text.as_str());
        // What a cell writes ahead of its time it writes again.
        if !trace::is_ahead() {
            (options().write)(stream, text.as_str());
        }
    }

    /// Nanoseconds since some moment, by a clock that only goes forward.
    #[pyfunction]
    fn clock_ns() -> u64 {
        thread_local! { static START: Instant = Instant::now(); }
        START.with(|start| u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    /// Nanoseconds since 1970.
    #[pyfunction]
    fn time_ns() -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    #[pyfunction]
    fn working_folder() -> String {
        options().files.working_folder()
    }

    /// The bytes of a file, or None for a folder.
    #[pyfunction]
    fn size(path: String, vm: &VirtualMachine) -> PyResult<Option<u64>> {
        trace::reached(&path);
        Ok(match or_raise(options().files.entry(&path), &path, vm)? {
            Entry::Folder => None,
            Entry::File(bytes) => Some(bytes),
        })
    }

    #[pyfunction]
    fn read_file(path: String, at: u64, count: usize, vm: &VirtualMachine) -> PyResult<PyRef<PyBytes>> {
        trace::reached(&path);
        let bytes = napkin_engine::room::filled(count, 0);
        let mut bytes = bytes.map_err(|error| vm.new_memory_error(format!("{path}: {error}")))?;
        let read = or_raise(options().files.read(&path, at, &mut bytes), &path, vm)?;
        bytes.truncate(read);
        Ok(vm.ctx.new_bytes(bytes))
    }

    /// The text of a module that stands for what its file holds, if there is one.
    #[pyfunction]
    fn module(path: String) -> Option<String> {
        options().modules.get(&path).cloned()
    }

    /// The code of a module with that text.
    #[pyfunction]
    fn compiled(source: PyUtf8StrRef, path: PyUtf8StrRef, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
        code::compiled(source.as_str(), path.as_str(), vm)
    }

    /// The code of a cell of a notebook, or why it cannot be read, and the names that it assigns to.
    #[pyfunction]
    fn cell(path: PyUtf8StrRef, name: PyUtf8StrRef, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
        let Cell { code, stored, .. } = code::cell(path.as_str(), name.as_str(), vm)?;
        let stored = stored.into_iter().map(|name| vm.ctx.new_str(name).into()).collect();
        let code = code.map_or_else(PyObjectRef::from, PyObjectRef::from);
        Ok(vm.new_tuple((code, PyObjectRef::from(vm.ctx.new_list(stored)))).into())
    }

    /// The code of a module of Python's own library that is a file of its own.
    #[pyfunction]
    fn fetched(path: PyUtf8StrRef, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
        code::fetched(path.as_str(), vm)
    }

    /// Nothing happens for so many seconds, few of them, unless it is time to stop. In the browser a worker that slept
    /// could not be woken: there it returns at once.
    #[pyfunction]
    fn pause(seconds: f64, vm: &VirtualMachine) -> PyResult<()> {
        if options().interrupt.as_ref().is_some_and(|is_time| is_time()) {
            return Err(keyboard_interrupt(vm));
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let Ok(time) = std::time::Duration::try_from_secs_f64(seconds) {
            std::thread::sleep(time);
        }
        #[cfg(target_arch = "wasm32")]
        let _ = seconds;
        Ok(())
    }

    #[pyfunction]
    fn write_file(path: String, at: u64, bytes: ArgBytesLike, vm: &VirtualMachine) -> PyResult<usize> {
        trace::reached(&path);
        let bytes = bytes.borrow_buf();
        or_raise(options().files.write(&path, at, &bytes), &path, vm)?;
        Ok(bytes.len())
    }

    #[pyfunction]
    fn create(path: String, new: bool, vm: &VirtualMachine) -> PyResult<()> {
        trace::reached(&path);
        or_raise(options().files.create(&path, new), &path, vm)
    }

    #[pyfunction]
    fn resize(path: String, bytes: u64, vm: &VirtualMachine) -> PyResult<()> {
        trace::reached(&path);
        or_raise(options().files.resize(&path, bytes), &path, vm)
    }

    #[pyfunction]
    fn remove(path: String, folder: bool, vm: &VirtualMachine) -> PyResult<()> {
        trace::reached(&path);
        or_raise(options().files.remove(&path, folder), &path, vm)
    }

    #[pyfunction]
    fn make_folder(path: String, vm: &VirtualMachine) -> PyResult<()> {
        trace::reached(&path);
        or_raise(options().files.make_folder(&path), &path, vm)
    }

    #[pyfunction]
    fn list(path: String, vm: &VirtualMachine) -> PyResult<PyListRef> {
        trace::reached_out();
        let names = or_raise(options().files.list(&path), &path, vm)?;
        Ok(vm.ctx.new_list(names.into_iter().map(|name| vm.ctx.new_str(name).into()).collect()))
    }

    /// Draws something at the step that runs, if somebody looks: what it is, data for it, and a dict of what a rendering has
    /// besides (`style`, `external_link`, `internal_link`). Whether somebody does.
    #[pyfunction]
    fn render(
        kind: PyUtf8StrRef,
        data: PyObjectRef,
        more: OptionalArg<PyObjectRef>,
        vm: &VirtualMachine,
    ) -> bool {
        let is_kept = trace::is_kept();
        if is_kept {
            let read = |it: &PyObjectRef| Snapshots::new(vm, &mut Storages::default(), DRAWING).data(it);
            let mut more = more.into_option().map(|it| read(&it)).unwrap_or_default();
            let mut take = |name: &str| more.get_mut(name).map(Json::take).unwrap_or_default();
            trace::rendered(Rendering {
                kind: kind.as_str().to_owned(),
                data: read(&data),
                style: take("style"),
                external_link: take("external_link"),
                internal_link: take("internal_link"),
                ..Rendering::default()
            });
        }
        is_kept
    }

    /// Whether commands of the machine can be run.
    #[pyfunction]
    fn has_processes() -> bool {
        cfg!(not(target_arch = "wasm32"))
    }

    /// Runs a command of the machine to its end: what it returned, and what it wrote to standard output and error.
    #[pyfunction]
    fn process(
        command: Vec<PyUtf8StrRef>,
        input: PyRef<PyBytes>,
        folder: Option<String>,
        variables: Option<Vec<PyUtf8StrRef>>,
        vm: &VirtualMachine,
    ) -> PyResult<PyTupleRef> {
        trace::reached_out();
        let words = |all: &[PyUtf8StrRef]| all.iter().map(|it| it.as_str().to_owned()).collect::<Vec<_>>();
        let (command, variables) = (words(&command), variables.map(|all| words(&all)));
        let ended = process::ended(&command, input.as_bytes(), folder.as_deref(), variables.as_deref());
        let Output { status, stdout, stderr } = or_raise(ended, command.first().map_or("", |it| it), vm)?;
        let [told, errors] = [stdout, stderr].map(|bytes| vm.ctx.new_bytes(bytes).into());
        Ok(vm.ctx.new_tuple(vec![vm.ctx.new_int(status.code().unwrap_or(-1)).into(), told, errors]))
    }

    /// The variables of the environment; in a page there are none.
    #[pyfunction]
    fn variables(vm: &VirtualMachine) -> PyResult<PyDictRef> {
        let variables = vm.ctx.new_dict();
        // In a page to ask is to panic.
        let all = has_processes().then(std::env::vars_os);
        for (name, value) in all.into_iter().flatten() {
            let [name, value] = [name, value].map(|it| it.to_string_lossy().into_owned());
            variables.set_item(&*name, vm.ctx.new_str(value).into(), vm)?;
        }
        Ok(variables)
    }

    /// The code points with a property of Unicode, as first and last of each range; None if there is no such property.
    #[pyfunction]
    fn unicode_ranges(property: PyUtf8StrRef, vm: &VirtualMachine) -> Option<PyListRef> {
        let number = |code: u32| vm.ctx.new_int(code).into();
        let range = |(first, last)| vm.ctx.new_tuple(vec![number(first), number(last)]).into();
        Some(vm.ctx.new_list(unicode::ranges(property.as_str())?.into_iter().map(range).collect()))
    }

    /// A picture as PNG, so many pixels wide, of its SVG.
    #[pyfunction]
    fn png(svg: PyUtf8StrRef, width: u32, vm: &VirtualMachine) -> PyResult<PyRef<PyBytes>> {
        let made = png::png(svg.as_str(), width).map_err(|why| vm.new_os_error(why))?;
        Ok(vm.ctx.new_bytes(made))
    }

    #[pyfunction]
    fn normalized(form: PyUtf8StrRef, text: PyUtf8StrRef) -> String {
        unicode::normalized(form.as_str(), text.as_str())
    }

    /// What a cell returned when it ran last, in a tuple, if it would do the same; else the cell begins.
    #[pyfunction]
    fn recall(
        path: PyUtf8StrRef,
        name: PyUtf8StrRef,
        arguments: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<Option<PyObjectRef>> {
        let known = trace::recall(path.as_str(), name.as_str(), &arguments, vm)?;
        Ok(known.map(|value| vm.ctx.new_tuple(vec![value]).into()))
    }

    #[pyfunction]
    fn remember(returned: PyObjectRef, vm: &VirtualMachine) {
        trace::remember(&returned, vm);
    }

    /// A cell is about to run ahead of its time.
    #[pyfunction]
    fn begin_ahead(vm: &VirtualMachine) {
        trace::begin_ahead(vm);
    }

    /// It has run: all is as if it had not.
    #[pyfunction]
    fn end_ahead(vm: &VirtualMachine) {
        trace::end_ahead(vm);
    }

    /// A cell has failed, or waits for one that has: what is told of it, as JSON.
    #[pyfunction]
    fn fault(told: PyUtf8StrRef) {
        recovery::tell(told.as_str());
    }

    /// Why a cell was stopped that took too long, and would again, as JSON.
    #[pyfunction]
    fn stopped(path: PyUtf8StrRef, name: PyUtf8StrRef) -> Option<String> {
        trace::stopped(path.as_str(), name.as_str())
    }

    /// Gives a program that was interrupted its time again; whether it is to go on.
    #[pyfunction]
    fn goes_on() -> bool {
        let options = options();
        let Some(recovery) = &options.recovery else { return false };
        (recovery.restart)();
        !options.interrupt.as_ref().is_some_and(|is_time| is_time())
    }

    /// Why what stands in place of a function cannot be read, and which function: the file and the name.
    #[pyfunction]
    fn unread(number: usize, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
        let options = options();
        let found = options.recovery.as_ref().and_then(|recovery| recovery.unread.get(number));
        let unread = found.ok_or_else(|| vm.new_index_error("no such function"))?;
        let CellName { path, function } = unread.cell.clone();
        let cell: PyObjectRef = vm.new_tuple((path, function)).into();
        Ok(vm.new_tuple((PyObjectRef::from(unread.error(vm)), cell)).into())
    }

    #[pyfunction]
    fn abandon(vm: &VirtualMachine) {
        trace::abandon(vm);
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

    /// What SHA-2 of so many bits makes of bytes.
    #[pyfunction]
    fn digest(bits: usize, bytes: ArgBytesLike) -> Vec<u8> {
        let bytes = bytes.borrow_buf();
        if bits == 256 { Sha256::digest(&*bytes).to_vec() } else { Sha512::digest(&*bytes).to_vec() }
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
