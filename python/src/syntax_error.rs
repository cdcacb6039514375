//! Syntax errors in Python's own words and at Python's own place.
//!
//! RustPython tells most of them as Python 3.14 does. What differs is corrected here.
//! tests/mistakes/syntax.txt has what Python prints; where we still differ is said there.

use std::ops::Range;

use ruff_python_parser::{Mode, ParseError, ParseOptions, parse_unchecked};
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::vm::VmCompileError;
use rustpython_vm::{AsObject, PyResult, TryFromObject, VirtualMachine, compiler};

mod indentation;
mod readable;
mod reader;

use reader::{Reader, Told, tokens};

/// A text as Python reads a file. RustPython 0.6 panics at one that ends within a string with a letter of several bytes.
pub(crate) fn whole(source: &str) -> String {
    if source.ends_with('\n') { source.to_owned() } else { format!("{source}\n") }
}

/// What a text raises, if it cannot be read.
pub(crate) fn of_text(source: &str, path: &str, vm: &VirtualMachine) -> Option<PyBaseExceptionRef> {
    let whole = whole(source);
    let error = vm.compile(&whole, compiler::Mode::Exec, path).err()?;
    Some(raised(&whole, path, error, vm))
}

/// What a text raises that RustPython does not compile.
pub(crate) fn raised(
    source: &str,
    path: &str,
    error: VmCompileError,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    // RustPython reads it so.
    let source = &source.replace("\r\n", "\n");
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    if let Some(error) = indentation::error(source, parsed.errors(), path) {
        return corrected_of(error.into(), source, vm);
    }
    let (Some(text), Some(stop)) = (readable::replaced(source, &parsed), first(parsed.errors())) else {
        return corrected_of(error, source, vm);
    };
    let error = vm.compile(&text, compiler::Mode::Exec, path).err().unwrap_or(error);
    let mut raised = corrected_of(error, source, vm);
    // It may also pass over one that stands before.
    let beginning = through_line(&text, stop.start);
    let number = |raised: &PyBaseExceptionRef, name| {
        raised.as_object().get_attr(name, vm).and_then(|it| usize::try_from_object(vm, it))
    };
    let stop_line = beginning.lines().count();
    if number(&raised, "lineno").is_ok_and(|line| line > stop_line)
        && let Err(earlier) = vm.compile(beginning, compiler::Mode::Exec, path)
    {
        raised = corrected_of(earlier, source, vm);
    }
    if number(&raised, "end_lineno").is_ok_and(|line| line < stop_line) && !blames_beginning(&raised, vm) {
        let told = Told { message: "invalid syntax".into(), place: stop, end_column: None };
        let _ = tell(&raised, told, &Lines::new(source), vm);
    }
    raised
}

/// Where the parser stops, in bytes.
fn first(errors: &[ParseError]) -> Option<Range<usize>> {
    let first = errors.iter().min_by_key(|error| error.location.start())?;
    Some(first.location.start().to_usize()..first.location.end().to_usize())
}

/// Whether an error is of something that begins where it is told and is not ended where the parser stops.
fn blames_beginning(raised: &PyBaseExceptionRef, vm: &VirtualMachine) -> bool {
    let message = raised.as_object().get_attr("msg", vm).and_then(|it| String::try_from_object(vm, it));
    message.is_ok_and(|it| {
        ["was never closed", "unterminated", "expected "].iter().any(|words| it.contains(words))
    })
}

/// A text through the line of a place.
fn through_line(text: &str, place: usize) -> &str {
    let end = text.get(place..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| place + end + 1);
    text.get(..end).unwrap_or(text)
}

fn corrected_of(error: VmCompileError, source: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let raised = error.into_pyexception(vm, Some(source));
    // As it was, it is an error too.
    let _ = corrected(&raised, source, vm);
    raised
}

fn corrected(raised: &PyBaseExceptionRef, source: &str, vm: &VirtualMachine) -> PyResult<()> {
    let object = raised.as_object();
    let number = |name| object.get_attr(name, vm).and_then(|it| i64::try_from_object(vm, it));
    let lines = Lines::new(source);
    let (line, column) = (number("lineno")?, number("offset")?);
    let start = lines.byte(line, column);
    let end = match (number("end_lineno"), number("end_offset")) {
        (Ok(line), Ok(column)) if column > 0 => lines.byte(line, column).max(start),
        _ => start,
    };
    let text = object.get_attr("text", vm)?;
    if vm.is_none(&text) {
        // What the compiler finds has no line of text with it unless there is a file.
        return object.set_attr("text", vm.ctx.new_str(lines.text(line)), vm);
    }
    let message = String::try_from_object(vm, object.get_attr("msg", vm)?)?;
    if let Some(told) = (Reader { source, start, end, tokens: tokens(source) }).told(&message) {
        tell(raised, told, &lines, vm)?;
    }
    Ok(())
}

fn tell(raised: &PyBaseExceptionRef, told: Told, lines: &Lines<'_>, vm: &VirtualMachine) -> PyResult<()> {
    let object = raised.as_object();
    let ((line, column), (end_line, end_column)) =
        (lines.place(told.place.start), lines.place(told.place.end));
    object.set_attr("args", vm.ctx.new_tuple(vec![vm.ctx.new_str(told.message.as_str()).into()]), vm)?;
    object.set_attr("msg", vm.ctx.new_str(told.message), vm)?;
    object.set_attr("lineno", vm.ctx.new_int(line), vm)?;
    object.set_attr("offset", vm.ctx.new_int(column), vm)?;
    object.set_attr("end_lineno", vm.ctx.new_int(end_line), vm)?;
    object.set_attr("end_offset", vm.ctx.new_int(told.end_column.unwrap_or(end_column)), vm)?;
    object.set_attr("text", vm.ctx.new_str(lines.text(line)), vm)?;
    // Python's own search for misspelt words needs its tokenizer.
    object.set_attr("_metadata", vm.ctx.none(), vm)
}

/// Lines and columns, both from 1 and in characters, and bytes.
struct Lines<'a> {
    source: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(source: &'a str) -> Self {
        let starts = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    fn text(&self, line: i64) -> String {
        let line = usize::try_from(line - 1).unwrap_or(0);
        self.source.split('\n').nth(line).unwrap_or_default().to_owned() + "\n"
    }

    fn byte(&self, line: i64, column: i64) -> usize {
        let line = usize::try_from(line - 1).unwrap_or(0);
        let Some(start) = self.starts.get(line).copied() else { return self.source.len() };
        let before = usize::try_from(column - 1).unwrap_or(0);
        start + self.source[start..].chars().take(before).map(char::len_utf8).sum::<usize>()
    }

    fn place(&self, byte: usize) -> (i64, i64) {
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or(0);
        let column = self.source.get(start..byte).map_or(0, |text| text.chars().count());
        (line as i64, column as i64 + 1)
    }
}
