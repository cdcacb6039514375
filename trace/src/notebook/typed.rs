//! A cell as it is typed in a notebook, and as the function that stands for it.

use super::escapes::{Scan, written};
use super::program::body;
use super::{Kind, cells, whole};

/// What stands in the cells of code, one after the other: that of `cell_1` first.
///
/// # Errors
/// As [`super::read`].
pub fn typed_cells(json: &str) -> Result<Vec<String>, String> {
    let cells = cells(&whole(json)?)?;
    Ok(cells.into_iter().filter(|cell| cell.kind == Kind::Code).map(|cell| cell.source).collect())
}

/// The function that stands for a cell in which this is typed.
#[must_use]
pub fn function(name: &str, typed: &str) -> String {
    let (lines, _) = body(typed);
    format!("def {name}():\n{}", lines.join("\n"))
}

/// A cell as it is typed in a notebook: the body of its function, with the lines of IPython that `source` has.
#[must_use]
pub fn typed(function: &str, source: &str) -> String {
    let after = function.lines().position(|line| line.starts_with("def "));
    let mut scan = Scan::default();
    let mut lines: Vec<String> = Vec::new();
    for line in function.split('\n').skip(after.map_or(0, |at| at + 1)) {
        let is_kept = scan.is_in_text() || line.trim().is_empty();
        scan.read(line);
        let indent = line.len() - line.trim_start_matches(' ').len();
        lines.push(line[if is_kept { 0 } else { indent.min(4) }..].to_owned());
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    // A function needs a statement, which a cell does not.
    let is_empty = |line: &String| line.trim().is_empty() || line.trim().starts_with('#');
    if let Some((last, others)) = lines.split_last()
        && last == "pass"
        && others.iter().all(is_empty)
    {
        lines.pop();
    }
    let escaped: Vec<_> = written(source).into_iter().filter(|it| it.typed != it.python).collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let same = escaped.iter().find(|it| lines[at..].starts_with(&it.python));
        match same {
            Some(same) => {
                all.extend(same.typed.iter().copied());
                at += same.python.len();
            }
            None => {
                all.push(lines[at].as_str());
                at += 1;
            }
        }
    }
    all.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_comes_back() {
        for source in [
            "x = 1",
            "for x in y:\n    x\n\nx",
            "s = \'\'\'a\n  b\n\'\'\'\ns",
            "# only this",
            "%matplotlib inline\n!ls \\\n  -l\nx = 1",
            "%%time\nx = 1",
            "%%html\n<b>a</b>",
            "f(1,\n  2)",
            "def f(x):\n    \"\"\"Says\n    it.\"\"\"\n    return x",
        ] {
            let made = function("cell_1", source);
            assert_eq!(typed(&made, source), source, "{made}");
            assert_eq!(function("cell_1", &typed(&made, source)), made, "{source}");
        }
        assert_eq!(function("cell_2", ""), "def cell_2():\n    pass");
    }
}
