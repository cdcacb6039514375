//! What IPython adds to Python: magics, commands of the shell and questions, as Python says them.

use serde_json::json;

/// Magics that set up what is here anyway, or is not here at all: nothing is to be done.
const SETTINGS: [&str; 9] =
    ["matplotlib", "pylab", "load_ext", "reload_ext", "autoreload", "config", "precision", "colors", "xmode"];

/// What stands around the text of a cell that is no Python.
const TEXT: &str = ", r\"\"\"";
const END_OF_TEXT: &str = "\"\"\")";

/// Magics of whole cells whose text is Python; that of others is whatever they say.
const OF_PYTHON: [&str; 6] = ["time", "timeit", "capture", "prun", "python", "python3"];

/// Lines of a cell as they were typed, and as Python.
pub(super) struct Written<'a> {
    pub(super) typed: Vec<&'a str>,
    pub(super) python: Vec<String>,
}

/// The lines of a cell as Python: each stays where it is, but for the text of a cell that is no Python.
///
/// Python stays as it is, so what was read before may be read again.
#[must_use]
pub fn python(source: &str) -> Vec<String> {
    written(source).into_iter().flat_map(|it| it.python).collect()
}

/// The lines of a cell, each with the Python that it is.
pub(super) fn written(source: &str) -> Vec<Written<'_>> {
    let mut lines = source.split('\n').peekable();
    let (mut all, mut scan, mut is_first) = (Vec::new(), Scan::default(), true);
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let mut typed = vec![line];
        if !scan.begins() || code.is_empty() || code.starts_with('#') {
            scan.read(line);
            all.push(Written { typed, python: vec![line.to_owned()] });
            continue;
        }
        if let Some(magic) = code.strip_prefix("%%").filter(|_| is_first) {
            let (name, arguments) = named(magic);
            if OF_PYTHON.contains(&name) {
                let call =
                    format!("{indent}get_ipython().run_cell_magic({}, {})", json!(name), json!(arguments));
                all.push(Written { typed, python: vec![call] });
                is_first = false;
                continue;
            }
            let rest: Vec<&str> = lines.collect();
            let python = whole_cell(indent, name, arguments, &rest);
            typed.extend(rest);
            all.push(Written { typed, python });
            return all;
        }
        is_first &= code.starts_with("def ");
        // A command goes on on the next line.
        let mut command = code.to_owned();
        let mut more = Vec::new();
        if code.starts_with(['!', '%']) {
            while let Some(next) = lines.next_if(|_| command.ends_with('\\')) {
                command.pop();
                command.push_str(next.trim_start());
                more.push(format!("{indent}# {}", next.trim()));
                typed.push(next);
            }
        }
        let mut python = match escaped(&command) {
            Some(python) => vec![format!("{indent}{python}")],
            None => {
                scan.read(line);
                vec![line.to_owned()]
            }
        };
        python.extend(more);
        all.push(Written { typed, python });
    }
    all
}

/// A name and what stands behind it.
fn named(text: &str) -> (&str, &str) {
    let (name, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    (name, rest.trim())
}

/// A magic with the text of its cell.
fn whole_cell(indent: &str, name: &str, arguments: &str, rest: &[&str]) -> Vec<String> {
    let text = rest.join("\n");
    let head = format!("{indent}get_ipython().run_cell_magic({}, {}", json!(name), json!(arguments));
    if text.contains("\"\"\"") || rest.iter().any(|line| line.ends_with(['\\', '"'])) {
        return vec![format!("{head}, {})", json!(text))];
    }
    let mut lines = vec![head + TEXT];
    lines.extend(rest.iter().map(|line| (*line).to_owned()));
    lines.push(END_OF_TEXT.to_owned());
    lines
}

/// A line that is no Python, as Python.
fn escaped(code: &str) -> Option<String> {
    let shell = |command: &str| format!("get_ipython().system({})", json!(command.trim()));
    if let Some(command) = code.strip_prefix("!!").or_else(|| code.strip_prefix('!')) {
        return Some(shell(command));
    }
    if let Some(magic) = code.strip_prefix('%') {
        let (name, arguments) = named(magic);
        let is_name = name.starts_with(|it: char| it.is_alphabetic() || it == '_');
        return is_name.then(|| match name {
            _ if SETTINGS.contains(&name) => format!("# {code}"),
            "pip" | "conda" | "mamba" | "uv" => shell(magic),
            _ => format!("get_ipython().run_line_magic({}, {})", json!(name), json!(arguments)),
        });
    }
    if let Some(name) = asked(code) {
        return Some(format!("help({name})"));
    }
    // `=` is followed by neither in any Python.
    let (targets, value) = code.split_once('=')?;
    let is_targets = targets
        .chars()
        .all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | ',' | ' ' | '[' | ']' | '*'));
    let value = value.trim_start();
    if !is_targets || targets.trim().is_empty() {
        return None;
    }
    if let Some(command) = value.strip_prefix('!') {
        return Some(format!("{}= get_ipython().getoutput({})", targets, json!(command.trim())));
    }
    let (name, arguments) = named(value.strip_prefix('%')?);
    Some(format!("{}= get_ipython().run_line_magic({}, {})", targets, json!(name), json!(arguments)))
}

/// What `name?` and `?name` ask about.
fn asked(code: &str) -> Option<&str> {
    let code = code.trim();
    let name = code.trim_start_matches('?').trim_end_matches('?').trim();
    let is_name = name.starts_with(|it: char| it.is_alphabetic() || it == '_')
        && name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'));
    (name.len() < code.len() && is_name).then_some(name)
}

/// What IPython has for a line of [`python`]; none where that is Python itself.
#[must_use]
pub fn as_ipython(line: &str) -> Option<String> {
    if line.trim_start() == END_OF_TEXT {
        return Some(String::new());
    }
    let (before, call) = line.split_once("get_ipython().")?;
    let (method, arguments) = call.split_once('(')?;
    let arguments = arguments.strip_suffix(TEXT).or_else(|| arguments.strip_suffix(')'))?;
    let arguments: Vec<String> = serde_json::from_str(&format!("[{arguments}]")).ok()?;
    let words = match (method, arguments.as_slice()) {
        ("run_line_magic", [name, rest]) => format!("%{name} {rest}"),
        ("run_cell_magic", [name, rest]) => format!("%%{name} {rest}"),
        ("system" | "getoutput", [command]) => format!("!{command}"),
        _ => return None,
    };
    Some(before.to_owned() + words.trim_end())
}

/// Where in a text of Python the next line begins.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The mark of the string that is open, three times if it may have lines.
    quote: Option<(u8, bool)>,
    brackets: u32,
    /// Whether a backslash has joined the next line to the last.
    is_joined: bool,
}

impl Scan {
    /// Whether the next line begins within a string.
    pub(super) fn is_in_text(&self) -> bool {
        self.quote.is_some()
    }

    /// Whether the next line begins a statement.
    pub(super) fn begins(&self) -> bool {
        self.quote.is_none() && self.brackets == 0 && !self.is_joined
    }

    /// Reads a line.
    pub(super) fn read(&mut self, line: &str) {
        let bytes = line.as_bytes();
        self.is_joined = false;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match (self.quote, byte) {
                (_, b'\\') => {
                    self.is_joined = at == bytes.len();
                    at += 1;
                }
                (Some((quote, is_long)), _) => {
                    let is_end = byte == quote && (!is_long || bytes[at - 1..].starts_with(&[quote; 3]));
                    if is_end {
                        self.quote = None;
                        at += if is_long { 2 } else { 0 };
                    }
                }
                (None, b'#') => break,
                (None, b'"' | b'\'') => {
                    let is_long = bytes[at - 1..].starts_with(&[byte; 3]);
                    self.quote = Some((byte, is_long));
                    at += if is_long { 2 } else { 0 };
                }
                (None, b'(' | b'[' | b'{') => self.brackets += 1,
                (None, b')' | b']' | b'}') => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
        }
        // Such a string has one line, unless that is joined to the next.
        if matches!(self.quote, Some((_, false))) && !self.is_joined {
            self.quote = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ipython_adds_is_said_in_python() {
        for (source, expected) in [
            ("%matplotlib inline", "# %matplotlib inline"),
            ("%load_ext autoreload\n%autoreload 2", "# %load_ext autoreload\n# %autoreload 2"),
            ("%time f(1)", r#"get_ipython().run_line_magic("time", "f(1)")"#),
            ("!pip install torch", r#"get_ipython().system("pip install torch")"#),
            ("%pip install -q torch", r#"get_ipython().system("pip install -q torch")"#),
            ("!ls \\\n  -l\nx", "get_ipython().system(\"ls -l\")\n# -l\nx"),
            (
                "for x in y:\n    !echo 'it'\n    x",
                "for x in y:\n    get_ipython().system(\"echo 'it'\")\n    x",
            ),
            ("files = !ls", r#"files = get_ipython().getoutput("ls")"#),
            ("r = %timeit -o f()", r#"r = get_ipython().run_line_magic("timeit", "-o f()")"#),
            ("torch.zeros?", "help(torch.zeros)"),
            ("?zip", "help(zip)"),
            ("zip??", "help(zip)"),
            ("%%time\nx = 1", "get_ipython().run_cell_magic(\"time\", \"\")\nx = 1"),
            ("%%html\n<b>a</b>", "get_ipython().run_cell_magic(\"html\", \"\", r\"\"\"\n<b>a</b>\n\"\"\")"),
            ("%%bash\necho \"a\"", r#"get_ipython().run_cell_magic("bash", "", "echo \"a\"")"#),
            // Python that only looks like it.
            ("x = (1\n%2)", "x = (1\n%2)"),
            ("x = 5 \\\n%2", "x = 5 \\\n%2"),
            ("s = '''\n%time\n!ls\n'''", "s = '''\n%time\n!ls\n'''"),
            ("x != 1", "x != 1"),
            ("f(x=1) == 2", "f(x=1) == 2"),
            ("'a' if x else '%d' % 3 # why?", "'a' if x else '%d' % 3 # why?"),
            ("x == %y", "x == %y"),
            ("# !ls", "# !ls"),
            ("'it\\'s' # '\n!ls", "'it\\'s' # '\nget_ipython().system(\"ls\")"),
        ] {
            let written = python(source).join("\n");
            assert_eq!(written, expected, "{source}");
            for (line, typed) in written.lines().filter_map(|line| Some((line, as_ipython(line)?))) {
                assert!(python(&typed).join("\n") == *line || written.contains(TEXT), "{typed} of {line}");
            }
            assert_eq!(python(&written).join("\n"), expected, "twice: {source}");
        }
    }
}
