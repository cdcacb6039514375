//! Indentation that is wrong: Python's tokenizer stops there, whatever its parser might have said of lines before.

use ruff_python_parser::{LexicalErrorType, Mode, ParseError, ParseErrorType, ParseOptions, parse_unchecked};
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::compiler::{CompileError, Mode as CompileMode};

/// The error of a text that cannot be read first where its indentation is wrong, and the line of that, counted from 1.
///
/// RustPython looks for some mistakes in the whole text, and takes an entry of a dict before that line for an annotation: it
/// is asked again with blanks in the place of all that stands before.
pub(crate) fn error(source: &str, path: &str) -> Option<(u32, CompileError, String)> {
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    let first = parsed.errors().iter().min_by_key(|error| error.location.start()).filter(|it| is_it(it))?;
    let at = first.location.start().to_usize();
    let start = source.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
    let text = source.as_bytes()[..start].iter().copied().map(blank).collect::<String>() + &source[start..];
    let line = source[..start].matches('\n').count() + 1;
    let file = SourceFileBuilder::new(path, text.as_str()).finish();
    let error = CompileError::from_ruff_parse_error(first.clone(), &file, CompileMode::Exec);
    Some((u32::try_from(line).ok()?, error, text))
}

fn is_it(error: &ParseError) -> bool {
    matches!(
        error.error,
        ParseErrorType::UnexpectedIndentation | ParseErrorType::Lexical(LexicalErrorType::IndentationError)
    )
}
