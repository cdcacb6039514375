//! What every page has around the app.

/// The text with its gaps.
const DOCUMENT: &str = include_str!("../../app/pages/page.html");

/// What only lectures have there.
const NEEDS: &str =
    r#"<link rel="preload" href="./lectures/{name}.json" as="fetch" type="application/json" crossorigin />"#;
const ANSWERS: &str = r#"<noscript><p class="message">Buttons need scripts. What they would answer is in the text of the lecture: <a href="./lectures/{name}.py">{name}.py</a> and the files that it imports.</p></noscript>"#;

/// What stands in a page that nobody has rendered.
const UNWRITTEN: &str =
    r#"<noscript><p class="message">This lecture is drawn by a script, and runs by one.</p></noscript>"#;
/// Its site has no other lectures.
const ALONE: &str = "<style>nav.lectures > a { display: none }</style>";

/// A page that the app has rendered.
pub fn written(name: &str, title: &str, about: &str, app: &str, is_lecture: bool) -> String {
    let [needs, answers] = if is_lecture { [NEEDS, ANSWERS] } else { [""; 2] };
    filled(name, title, about, app, needs, answers)
}

/// The page of a lecture that the app renders when it is opened, from `lectures/{name}.json`. It is alone on its site;
/// `more` stands in its head.
pub fn unwritten(name: &str, title: &str, more: &str) -> String {
    filled(name, title, title, "", &format!("{NEEDS}{ALONE}{more}"), UNWRITTEN)
}

/// A page of the built site as one that stands beside a lecture from elsewhere: without links to what is not there.
pub fn beside_another(page: &str) -> String {
    page.replacen("</head>", &format!("{ALONE}</head>"), 1)
}

fn filled(name: &str, title: &str, about: &str, app: &str, needs: &str, answers: &str) -> String {
    DOCUMENT
        .replace("<!-- needs -->", needs)
        .replace("<!-- answers -->", answers)
        .replace("{name}", name)
        .replace("{title}", &escaped(title))
        .replace("{description}", &escaped(about))
        .replace("<!-- app -->", app)
}

/// A text in an attribute or an element, in which nothing is a gap.
fn escaped(text: &str) -> String {
    let marks = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('{', "&#123;")];
    marks.iter().fold(text.to_owned(), |text, (mark, written)| text.replace(*mark, written))
}

/// What a file may be called in addresses and in a page: letters, digits, and dashes for the rest.
pub fn slug(stem: &str) -> String {
    let text: String =
        stem.chars().map(|it| if it.is_alphanumeric() || it == '_' { it } else { '-' }).collect();
    match text.trim_matches('-') {
        // That page is another one.
        "" | "tools" => "lecture".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lecture_is_called_is_no_markup() {
        let page = unwritten("a", "1 < 2 & \"3\" {description}", "");
        assert!(
            page.contains("<title>1 &lt; 2 &amp; &quot;3&quot; &#123;description} · Napkin</title>"),
            "{page}"
        );
        assert!(page.contains("<html lang=\"en\" data-page=\"a\">"));
        assert!(page.contains("<div id=\"app\"></div>") && page.contains("./lectures/a.json"));
    }

    #[test]
    fn names_of_files_become_names_in_addresses() {
        for (stem, wanted) in
            [("lecture_01", "lecture_01"), ("Week 2: FLOPs", "Week-2--FLOPs"), ("…", "lecture"), ("ü", "ü")]
        {
            assert_eq!(slug(stem), wanted);
        }
    }
}
