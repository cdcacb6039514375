//! Styles that a trace gives its drawings: those of a list, within bounds. Nothing else of CSS is taken.

use napkin_trace::trace::Json;

/// Lengths by their names in JavaScript and in CSS. Nothing becomes wider than the column.
const LENGTHS: [(&str, &str); 4] =
    [("width", "width"), ("maxWidth", "max-width"), ("height", "height"), ("maxHeight", "max-height")];

/// The longest that a length in pixels may be.
const MOST_PX: f64 = 4_000.0;

/// How a drawing looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Style {
    /// Declarations of CSS.
    pub css: String,
    /// Whether its lines are to stand as they are.
    pub is_verbatim: bool,
}

impl Style {
    /// What of a style is taken: `width`, `height` and their upper bounds, `fontFamily` (monospace), `fontWeight`,
    /// `fontStyle`, `textAlign`, `whiteSpace`.
    pub fn of(style: &Json) -> Self {
        let mut own = Self::default();
        for (name, value) in style.as_object().into_iter().flatten() {
            own.is_verbatim |= name == "whiteSpace" && value.as_str().is_some_and(|it| it.starts_with("pre"));
            if let Some((property, value)) = declaration(name, value) {
                own.css += &format!("{property}:{value};");
            }
        }
        own
    }
}

fn declaration(name: &str, value: &Json) -> Option<(&'static str, String)> {
    if let Some((_, property)) = LENGTHS.iter().find(|(known, _)| *known == name) {
        return Some((property, length(value)?));
    }
    let one_of = |property, words: &str| {
        let value = value.as_str()?.trim();
        words.split(' ').any(|word| word == value).then(|| (property, value.to_owned()))
    };
    match name {
        "fontFamily" => {
            value.as_str().filter(|it| it.contains("mono")).map(|_| ("font-family", "var(--mono)".to_owned()))
        }
        "fontWeight" => one_of("font-weight", "normal bold"),
        "fontStyle" => one_of("font-style", "normal italic"),
        "textAlign" => one_of("text-align", "left center right start end justify"),
        "whiteSpace" => one_of("white-space", "pre pre-wrap pre-line nowrap"),
        _ => None,
    }
}

/// A number of pixels, or a part of the column.
fn length(value: &Json) -> Option<String> {
    let text = match value {
        Json::Number(number) => number.to_string(),
        other => other.as_str()?.trim().to_owned(),
    };
    match text.strip_suffix('%') {
        Some(part) => {
            let part = part.parse::<f64>().ok().filter(|it| it.is_finite() && *it > 0.0)?;
            Some(format!("{}%", part.min(100.0)))
        }
        None => {
            let px =
                text.trim_end_matches("px").parse::<f64>().ok().filter(|it| it.is_finite() && *it > 0.0)?;
            Some(format!("{}px", px.min(MOST_PX)))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_listed_is_taken_and_that_within_bounds() {
        for (style, css) in [
            (json!({"width": 320}), "width:320px;"),
            (json!({"width": "50%", "maxWidth": "400px"}), "width:50%;max-width:400px;"),
            (json!({"width": 1e9}), "width:4000px;"),
            (json!({"width": "300%"}), "width:100%;"),
            (json!({"width": -3, "height": "calc(1px)"}), ""),
            (
                json!({"fontFamily": "monospace", "whiteSpace": "pre"}),
                "font-family:var(--mono);white-space:pre;",
            ),
            (json!({"position": "fixed", "inset": 0, "background": "url(//example.org)", "zIndex": 9}), ""),
            (json!({"textAlign": "center; position: fixed"}), ""),
            (json!(["width"]), ""),
            (json!(null), ""),
        ] {
            assert_eq!(Style::of(&style).css, css, "{style}");
        }
        assert!(Style::of(&json!({"whiteSpace": "pre"})).is_verbatim);
    }
}
