//! What a notebook has kept of what its cells have shown.

use serde_json::json;

use super::joined;
use crate::trace::{Json, Rendering};

/// More drawings of one cell nobody looks at; the file keeps them.
const MOST_DRAWINGS: usize = 100;
/// The same of bytes of text.
const MOST_BYTES: usize = 100_000;

/// Pictures, in the order in which one is taken.
const PICTURES: [&str; 5] = ["image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp"];

/// The outputs of a cell.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) renderings: Vec<Rendering>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Kept {
    pub(super) fn of(outputs: &Json) -> Self {
        let mut kept = Self::default();
        let outputs = outputs.as_array().map(Vec::as_slice).unwrap_or_default();
        outputs.iter().for_each(|output| kept.take(output));
        let left = kept.renderings.len().saturating_sub(MOST_DRAWINGS);
        if left > 0 {
            kept.renderings.truncate(MOST_DRAWINGS);
            kept.renderings
                .push(drawing("markdown", json!(format!("*{left} more outputs are in the file.*"))));
        }
        cut(&mut kept.stdout);
        cut(&mut kept.stderr);
        kept
    }

    fn take(&mut self, output: &Json) {
        let text = |name: &str| output.get(name).and_then(joined).unwrap_or_default();
        match output.get("output_type").and_then(Json::as_str) {
            Some("stream") if output.get("name").is_some_and(|it| it == "stderr") => {
                self.stderr += &plain(&text("text"));
            }
            Some("stream") => self.stdout += &plain(&text("text")),
            Some("error") => {
                let trace = output.get("traceback").and_then(Json::as_array).into_iter().flatten();
                let lines: Vec<String> = trace.filter_map(Json::as_str).map(plain).collect();
                let last = format!("{}: {}", text("ename"), text("evalue"));
                self.stderr += &if lines.is_empty() { last } else { lines.join("\n") };
                self.stderr.push('\n');
            }
            _ => self.show(output.get("data").unwrap_or(&Json::Null)),
        }
    }

    /// The best of the forms that a value has been shown in.
    fn show(&mut self, data: &Json) {
        let text = |kind: &str| data.get(kind).and_then(joined);
        let chart = data
            .as_object()
            .into_iter()
            .flatten()
            .find(|(kind, _)| kind.starts_with("application/vnd.vegalite"));
        if let Some((_, spec)) = chart {
            return self.renderings.push(drawing("plot", spec.clone()));
        }
        if let Some((kind, picture)) = PICTURES.into_iter().find_map(|kind| Some((kind, text(kind)?))) {
            return self.renderings.push(drawing("image", json!(address(kind, &picture))));
        }
        if let Some(html) = text("text/html").filter(|it| !it.contains("<script")) {
            return self.renderings.push(drawing("html", json!(html)));
        }
        if let Some(prose) = text("text/markdown").or_else(|| text("text/latex")) {
            return self.renderings.push(drawing("markdown", json!(prose)));
        }
        if let Some(text) = text("text/plain") {
            self.stdout += &plain(&text);
            self.stdout.push('\n');
        } else if let Some(kinds) = data.as_object().filter(|it| !it.is_empty()) {
            let kinds: Vec<&str> = kinds.keys().map(String::as_str).collect();
            self.stdout += &format!("[an output of a kind that is not shown here: {}]\n", kinds.join(", "));
        }
    }
}

fn drawing(kind: &str, data: Json) -> Rendering {
    Rendering { kind: kind.to_owned(), data, ..Rendering::default() }
}

/// A picture as an address of its own: base64, or the text of an SVG.
pub(super) fn address(kind: &str, picture: &str) -> String {
    if picture.contains('<') {
        let escape = |letter: char| match letter {
            '%' | '#' | '"' | '\'' | '&' | '?' => format!("%{:02X}", u32::from(letter)),
            '\n' | '\r' | '\t' => "%20".to_owned(),
            _ => letter.to_string(),
        };
        return format!("data:{kind};utf8,{}", picture.trim().chars().map(escape).collect::<String>());
    }
    format!("data:{kind};base64,{}", picture.split_whitespace().collect::<String>())
}

/// The kind of a picture and what a notebook keeps of it, by an address that [`address`] has made.
pub(super) fn picture(address: &str) -> Option<(&str, String)> {
    let (kind, rest) = address.strip_prefix("data:")?.split_once([';', ','])?;
    let picture = match rest.split_once(',') {
        Some(("base64", data)) => data.to_owned(),
        _ => unescaped(rest.strip_prefix("utf8,").unwrap_or(rest))?,
    };
    Some((kind, picture))
}

/// A text with bytes where it has `%` and two digits.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

/// A text without a terminal's colours, and without what a line has been written over with.
fn plain(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\u{1b}' if rest.next_if_eq(&'[').is_some() => {
                let _ = rest.find(char::is_ascii_alphabetic);
            }
            '\u{1b}' => {}
            // A bar of progress goes back to the beginning of its line.
            '\r' if rest.peek().is_some_and(|next| *next != '\n') => {
                written.truncate(written.rfind('\n').map_or(0, |at| at + 1));
            }
            '\r' => {}
            other => written.push(other),
        }
    }
    written
}

fn cut(text: &mut String) {
    if text.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let left = text.len() - end;
        text.truncate(end);
        text.push_str(&format!("\n… {left} more bytes of text are in the file.\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_shown_in_its_best_form() {
        let shown = |data: Json| {
            let kept = Kept::of(&json!([{"output_type": "display_data", "data": data, "metadata": {}}]));
            (kept.renderings.first().map(|it| (it.kind.clone(), it.data.clone())), kept.stdout)
        };
        let drawn = |kind: &str, data: Json| (Some((kind.to_owned(), data)), String::new());
        assert_eq!(shown(json!({"text/plain": ["a\n", "b"]})), (None, "a\nb\n".to_owned()));
        assert_eq!(
            shown(json!({"image/png": "AA\nBB\n", "text/plain": "<Figure>"})),
            drawn("image", json!("data:image/png;base64,AABB"))
        );
        assert_eq!(
            shown(json!({"image/svg+xml": "<svg fill=\"#fff\"/>"})),
            drawn("image", json!("data:image/svg+xml;utf8,<svg fill=%22%23fff%22/>"))
        );
        assert_eq!(
            shown(json!({"text/html": "<table></table>", "text/plain": "x"})),
            drawn("html", json!("<table></table>"))
        );
        assert_eq!(
            shown(json!({"text/html": "<script>1</script>", "text/plain": "x"})),
            (None, "x\n".to_owned())
        );
        assert_eq!(shown(json!({"text/latex": "$x$", "text/plain": "x"})), drawn("markdown", json!("$x$")));
        assert!(shown(json!({"application/x": 1})).1.contains("application/x"));
        assert_eq!(shown(json!({})), (None, String::new()));
    }

    #[test]
    fn streams_and_errors_are_text_without_colours() {
        let kept = Kept::of(&json!([
            {"output_type": "stream", "name": "stdout", "text": "0%\r50%\r100%\nend\r\n"},
            {"output_type": "stream", "name": "stderr", "text": ["a\n"]},
            {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u{1b}[0;31mE\u{1b}[0m: v"]},
            {"output_type": "error", "ename": "E", "evalue": "v", "traceback": []},
        ]));
        assert_eq!((&*kept.stdout, &*kept.stderr), ("100%\nend\n", "a\nE: v\nE: v\n"));
    }

    #[test]
    fn a_cell_that_has_shown_too_much_is_cut_and_says_so() {
        let one = json!({"output_type": "display_data", "data": {"image/png": "AA"}, "metadata": {}});
        let kept = Kept::of(&Json::Array(vec![one; 5_000]));
        assert_eq!(kept.renderings.len(), MOST_DRAWINGS + 1);
        assert!(kept.renderings[MOST_DRAWINGS].data.as_str().unwrap().contains("4900 more"));
        let kept =
            Kept::of(&json!([{"output_type": "stream", "name": "stdout", "text": "é".repeat(MOST_BYTES)}]));
        assert!(kept.stdout.ends_with(&format!("{MOST_BYTES} more bytes of text are in the file.\n")));
    }
}
