//! What Python says when a program fails, and where.

/// Where a program failed, and of what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fault {
    /// File and line, counted from 1, if it is in the program.
    pub place: Option<(String, u32)>,
    /// The last line of the traceback, or a sentence.
    pub message: String,
    /// All that Python said; empty if it was not Python.
    pub traceback: String,
}

impl Fault {
    /// A sentence of the page's own.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// Reads a traceback; its place is the innermost one in a file of the program.
    pub fn read(traceback: &str, is_file: impl Fn(&str) -> bool) -> Self {
        let place = |line: &str| {
            let (path, rest) = line.trim_start().strip_prefix("File \"")?.rsplit_once("\", line ")?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            Some((path.to_owned(), digits.parse().ok()?)).filter(|(path, _)| is_file(path))
        };
        let message = traceback.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("The program failed");
        Self {
            place: traceback.lines().rev().find_map(place),
            message: message.trim().to_owned(),
            traceback: traceback.trim_end().to_owned(),
        }
    }
}
