//! Mistakes as learners make them, in any function of a lecture: lines that fail, and lines that are typed wrongly.

/// A text with one mistake in it.
#[derive(Debug, Clone)]
pub struct Mistake {
    /// What kind it is.
    pub kind: &'static str,
    /// What the whole function reads then.
    pub text: String,
    /// The line with the mistake, counted from that of `def`.
    pub line: usize,
    /// What Python says begins with it.
    pub says: &'static str,
}

/// Lines that fail wherever they stand, and what Python says of them.
const LINES: [(&str, &str, &str); 24] = [
    ("a name that is not defined", "wrong = nowhere + 1", "NameError"),
    ("shapes that do not multiply", "wrong = torch.zeros(2, 3) @ torch.zeros(2, 3)", "RuntimeError"),
    ("shapes that do not broadcast", "wrong = torch.zeros(2, 3) + torch.zeros(2)", "RuntimeError"),
    ("a view of another size", "wrong = torch.zeros(2, 3).view(4)", "RuntimeError"),
    ("whole numbers that need gradients", "wrong = torch.tensor([1, 2], requires_grad=True)", "RuntimeError"),
    ("a leaf changed in place", "wrong = torch.ones(2, requires_grad=True); wrong += 1", "RuntimeError"),
    ("backward without a gradient", "torch.ones(1).backward()", "RuntimeError"),
    ("an index of floats", "wrong = torch.zeros(3)[torch.tensor([0.5])]", "IndexError"),
    ("an index beyond the end", "wrong = torch.zeros(3)[5]", "IndexError"),
    ("dtypes that do not multiply", "wrong = torch.zeros(2, 2) @ torch.zeros(2, 2).long()", "RuntimeError"),
    ("a tensor as a truth", "wrong = 1 if torch.zeros(2) else 2", "RuntimeError"),
    ("too large a tensor", "wrong = torch.zeros(10**12)", ""),
    ("a list index beyond the end", "wrong = [1, 2][7]", "IndexError"),
    ("a key that is not there", "wrong = {'a': 1}['b']", "KeyError"),
    ("a division by zero", "wrong = 1 / 0", "ZeroDivisionError"),
    ("nothing in a sum", "wrong = None + 1", "TypeError"),
    ("a text and a number", "wrong = 'a' + 1", "TypeError"),
    ("an attribute that is not there", "wrong = torch.zeros(3).dims", "AttributeError"),
    ("a call of what is no function", "wrong = torch.zeros(3).shape()", "TypeError"),
    ("too many arguments", "wrong = len([1], 2)", "TypeError"),
    ("values that cannot be unpacked", "one, two = 1, 2, 3", "ValueError"),
    ("a text that is no number", "wrong = int('four')", "ValueError"),
    ("a module that is not there", "import nowhere", "ModuleNotFoundError"),
    ("a value used before it is there", "wrong = wrong + 1", "UnboundLocalError"),
];

/// What a line can be made into, and what Python says of it; nothing where the line has nothing of the kind.
type Slip = (&'static str, fn(&str) -> Option<String>, &'static str);

const SLIPS: [Slip; 8] = [
    (
        "a bracket that is not closed",
        |line| without(line, line.rfind(')')?),
        "SyntaxError: '(' was never closed",
    ),
    (
        "a bracket too many",
        |line| code_end(line).map(|at| format!("{}){}", &line[..at], &line[at..])),
        "SyntaxError",
    ),
    (
        "an expression without its end",
        |line| code_end(line).map(|at| format!("{} +{}", &line[..at], &line[at..])),
        "SyntaxError",
    ),
    ("an indentation too small", |line| line.strip_prefix(' ').map(str::to_owned), "IndentationError"),
    ("an indentation too large", |line| Some(format!("  {line}")), "IndentationError"),
    ("a name that is misspelt", misspelt, "NameError"),
    (
        "a number typed into a name",
        |line| line.find(" = ").map(|at| format!("    2{}{}", line[..at].trim(), &line[at..])),
        "SyntaxError",
    ),
    (
        "two operators",
        |line| line.find(" = ").map(|at| format!("{} = * {}", &line[..at], &line[at + 3..])),
        "SyntaxError",
    ),
];

fn without(line: &str, at: usize) -> Option<String> {
    Some([&line[..at], &line[at + 1..]].concat())
}

/// Where the code of a line ends.
fn code_end(line: &str) -> Option<usize> {
    let code = line.find("  #").map_or(line, |at| &line[..at]);
    (!code.contains(['"', '\''])).then(|| code.trim_end().len())
}

/// The first name behind the `=` that is called or read, with its last letter twice.
fn misspelt(line: &str) -> Option<String> {
    let from = line.find(" = ")? + 3;
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '_';
    let start = from + line[from..code_end(line)?].find(is_letter)?;
    if start > from && !line[from..start].ends_with([' ', '(', '[']) {
        return None;
    }
    let end = start + line[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let word = &line[start..end];
    (!matches!(word, "lambda" | "not" | "if" | "for" | "in"))
        .then(|| format!("{}{word}q{}", &line[..start], &line[end..]))
}

/// The lines of a function, counted from that of `def`, that are a statement each and stand in the function itself.
fn statements(text: &str) -> Vec<usize> {
    let (mut depth, mut is_text, mut found) = (0i32, false, Vec::new());
    for (at, line) in text.lines().enumerate() {
        let was_free = depth == 0 && !is_text;
        let quotes = line.matches("\"\"\"").count();
        if quotes % 2 == 1 {
            is_text = !is_text;
        }
        if !is_text && quotes == 0 {
            let count = |set: &[char]| line.matches(set).count() as i32;
            depth += count(&['(', '[', '{']) - count(&[')', ']', '}']);
        }
        let is_plain = line.starts_with("    ") && !line.starts_with("     ") && line.contains(" = ");
        if at > 0 && was_free && depth == 0 && !is_text && is_plain {
            found.push(at + 1);
        }
    }
    found
}

/// Mistakes in a function, a different choice for each `seed`: so many that fail when they run, and so many that are typed
/// wrongly.
#[must_use]
pub fn mistakes(text: &str, seed: usize, failing: usize, slips: usize) -> Vec<Mistake> {
    let lines: Vec<&str> = text.lines().collect();
    let places = statements(text);
    let mut made = Vec::new();
    for turn in 0..failing {
        let (kind, code, says) = LINES[(seed * 7 + turn * 5) % LINES.len()];
        let line = places.get((seed + turn) % places.len().max(1)).copied().unwrap_or(1);
        // Another module of the lecture may not have it under that name.
        let code = code.replace("torch.", "__import__('torch').");
        let before = lines[..line].join("\n");
        let text = format!("{before}\n    {code}\n{}", lines[line..].join("\n"));
        made.push(Mistake { kind, text: text.trim_end().to_owned(), line: line + 1, says });
    }
    let mut turn = 0;
    while made.len() < failing + slips && turn < SLIPS.len() * places.len() {
        let (kind, slip, says) = SLIPS[(seed + turn) % SLIPS.len()];
        let line = places[(seed + turn * 3) % places.len()];
        turn += 1;
        let Some(wrong) = slip(lines[line - 1]) else { continue };
        if made.iter().any(|it| it.kind == kind) {
            continue;
        }
        let mut lines = lines.clone();
        lines[line - 1] = &wrong;
        made.push(Mistake { kind, text: lines.join("\n"), line, says });
    }
    made
}

/// The text of a function among the files of a lecture.
#[must_use]
pub fn function<'a>(files: impl IntoIterator<Item = &'a str>, name: &str) -> Option<String> {
    let head = format!("def {name}(");
    let file = files.into_iter().find(|text| text.lines().any(|line| line.starts_with(&head)))?;
    let mut lines = file.lines().skip_while(|line| !line.starts_with(&head));
    let mut text = vec![lines.next()?];
    let mut is_text = false;
    for line in lines {
        if !is_text && !line.is_empty() && !line.starts_with(' ') && !line.starts_with(')') {
            break;
        }
        if line.matches("\"\"\"").count() % 2 == 1 {
            is_text = !is_text;
        }
        text.push(line);
    }
    Some(text.join("\n").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: &str = "def cell(x):\n    \"\"\"A cell\"\"\"\n    text(\"\"\"\nProse = (\n\"\"\")\n    y = x + total(x)  # @inspect y\n    z = [\n        1,\n    ]\n    w = (y, z)\n    return w";

    #[test]
    fn mistakes_are_made_in_statements_of_the_function_itself() {
        assert_eq!(statements(CELL), [6, 10]);
        let made = mistakes(CELL, 1, 3, 4);
        assert_eq!(made.len(), 7);
        for mistake in &made {
            let changed: Vec<usize> = (1..=mistake.text.lines().count())
                .filter(|at| mistake.text.lines().nth(at - 1) != CELL.lines().nth(at - 1))
                .collect();
            assert_eq!(changed.first(), Some(&mistake.line), "{}: {}", mistake.kind, mistake.text);
        }
        let file = format!("import torch\n\n\n{CELL}\n\n\ndef other():\n    pass\n");
        assert_eq!(function([file.as_str()], "cell").as_deref(), Some(CELL));
    }
}
