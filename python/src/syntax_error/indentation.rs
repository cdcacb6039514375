//! Indentation that is wrong: Python's tokenizer stops there, whatever its parser might have said of lines before.

use ruff_python_parser::{LexicalErrorType, ParseError, ParseErrorType};
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::compiler::{CompileError, Mode as CompileMode};

/// The error of a text that cannot be read first where its indentation is wrong.
///
/// RustPython looks for some mistakes in the whole text, and finds an annotation in an entry of a dict before that line, or
/// a bracket that is open at its end: it is asked about the indentation alone.
pub(super) fn error(source: &str, errors: &[ParseError], path: &str) -> Option<CompileError> {
    let first = errors.iter().min_by_key(|error| error.location.start()).filter(|it| is_it(it))?;
    let (before, _) = source.split_at_checked(first.location.start().to_usize())?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
    let mut text: String = source.as_bytes()[..start].iter().copied().map(blank).collect();
    // A name as long as what stands there.
    let line = source[start..].lines().next().unwrap_or_default();
    let code = line.trim_start_matches([' ', '\t', '\x0c']);
    text += &line[..line.len() - code.len()];
    text.extend(code.chars().map(|_| 'x'));
    text.push('\n');
    let file = SourceFileBuilder::new(path, text).finish();
    Some(CompileError::from_ruff_parse_error(first.clone(), &file, CompileMode::Exec))
}

fn is_it(error: &ParseError) -> bool {
    matches!(
        error.error,
        ParseErrorType::UnexpectedIndentation | ParseErrorType::Lexical(LexicalErrorType::IndentationError)
    )
}
