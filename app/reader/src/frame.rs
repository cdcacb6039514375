//! What stands around the lecture in the page and stays as it is: header, dialogs, footer.

use maud::{Markup, html};

use crate::reader::Reader;
use crate::search::Hit;

/// A lecture of the page: its name in addresses, and its title.
pub struct Listed {
    /// As its file is called.
    pub name: String,
    /// Its first file's docstring.
    pub title: String,
}

const KEYS: [(&[&str], &str); 14] = [
    (&["→", "l"], "next step"),
    (&["←", "h"], "step back"),
    (&["⇧ →", "j"], "step over: past what this line calls"),
    (&["⇧ ←", "k"], "step over, backwards"),
    (&["u"], "step out of the function"),
    (&["R"], "raw code in place of what it draws"),
    (&["A"], "show coming lines faintly"),
    (&["E"], "hide or show variables"),
    (&["N"], "hide or show notes"),
    (&["g"], "open another trace"),
    (&["/", "Ctrl K", "⌘ K"], "search code, prose and titles"),
    (&["?"], "this help"),
    (&["⇧ Enter"], "run what you have edited"),
    (&["Esc"], "leave or close"),
];

const THEMES: [(&str, &str); 3] = [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")];

/// The page's body, with a lecture as it is read first.
#[must_use]
pub fn page(lectures: &[Listed], reader: &Reader) -> String {
    html! {
        a.skip href="#reader" { "Skip to the lecture" }
        (header(lectures))
        main #reader data-lectures=(names(lectures)) { (maud::PreEscaped(reader.html())) }
        div #whole hidden {}
        div #notices .notices.is-empty role="status" {}
        footer.page-footer {
            p { "Napkin is free software under MIT or Apache-2.0. It computes on your machine and sends nothing anywhere." }
        }
        p #step .visually-hidden role="status" {}
        p #news .announcer role="status" {}
        (help())
        (opening(lectures))
        (palette())
    }
    .into_string()
}

fn names(lectures: &[Listed]) -> String {
    lectures.iter().map(|lecture| lecture.name.as_str()).collect::<Vec<_>>().join(" ")
}

fn short(title: &str) -> &str {
    title.split_once(": ").map_or(title, |(name, _)| name)
}

fn header(lectures: &[Listed]) -> Markup {
    html! {
        header.page-header {
            div.masthead {
                a.brand href="./" {
                    svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" {
                        path.logo-sheet d="M3 6 26 3 29 21 20 29 5 28Z" {}
                        path.logo-fold d="M29 21 19 20 20 29Z" {}
                        path.logo-ink d="M8 12c4-2 6 2 10-1M8 18c3-1 5 1 8 0" {}
                    }
                    "Napkin"
                }
                nav.lectures aria-label="Lectures" {
                    @for lecture in lectures {
                        a href={ "?lecture=" (lecture.name) } data-lecture=(lecture.name) { (short(&lecture.title)) }
                    }
                    a href="workbench.html" { "Workbench" }
                }
                button.copy-link type="button" data-do="search" aria-keyshortcuts="/" { "Contents and search" }
                button.copy-link type="button" data-do="link" { "Copy link to this state" }
                fieldset.theme {
                    legend { "Theme" }
                    @for (id, words) in THEMES {
                        label {
                            input type="radio" name="theme" value=(id) checked[id == "auto"];
                            span { (words) }
                        }
                    }
                }
                button.round type="button" data-do="help" aria-label="Help and keys" { "?" }
            }
        }
    }
}

fn help() -> Markup {
    html! {
        dialog #help .help aria-labelledby="help-title" {
            h2 #help-title { "Keys" }
            table {
                @for (keys, what) in KEYS {
                    tr {
                        th scope="row" { @for key in keys { kbd { (key) } " " } }
                        td { (what) }
                    }
                }
            }
            p {
                "The address always tells what you see: the lecture, the step and every value that you changed. Copy it \
                 to show somebody the same."
            }
            button.is-main type="button" data-do="close" { "Close" }
        }
    }
}

fn opening(lectures: &[Listed]) -> Markup {
    html! {
        dialog #open .help aria-labelledby="open-title" {
            h2 #open-title { "Open another lecture" }
            ul.lecture-list {
                @for lecture in lectures {
                    li { a href={ "?lecture=" (lecture.name) } data-lecture=(lecture.name) { (lecture.title) } }
                }
            }
            p { "Or a program in Python with the modules beside it, or a trace that " code { "napkin run FILE.py --trace OUT.json" } " wrote. Files may also be dropped on the page." }
            p { label.file { "Files " input #trace-file type="file" multiple accept=".py,.json,text/x-python,application/json"; } }
            form #trace-form .choices {
                label { span.visually-hidden { "Address of a trace" }
                    input #trace-url type="text" inputmode="url" autocomplete="off" placeholder="https://…"; }
                button type="submit" { "Fetch" }
            }
            p #open-message .message role="status" {}
            button type="button" data-do="close" { "Close" }
        }
    }
}

fn palette() -> Markup {
    html! {
        dialog #palette .help.palette aria-label="Search" {
            input #search type="search" autocomplete="off" role="combobox" aria-expanded="true"
                aria-controls="hits" aria-label="Search code, prose and titles" placeholder="Search code, prose and titles";
            ul #hits role="listbox" aria-label="Found" {}
            p #found .visually-hidden role="status" {}
        }
    }
}

/// What was found, of which one is chosen.
#[must_use]
pub fn hits(found: &[Hit], chosen: usize) -> String {
    html! {
        @for (index, hit) in found.iter().enumerate() {
            li id={ "hit-" (index) } role="option" data-step=(hit.step) aria-selected=(index == chosen) {
                strong { (hit.title) }
                @if !hit.excerpt.is_empty() { span { (hit.excerpt) } }
            }
        }
        @if found.is_empty() { li.nothing role="option" aria-disabled="true" aria-selected="false" { "Nothing of that is here." } }
    }
    .into_string()
}

/// What was wrong with an address or a file.
#[must_use]
pub fn notices(sentences: &[String]) -> String {
    html! {
        ul { @for sentence in sentences { li { (sentence) } } }
        button type="button" data-do="dismiss" { "Dismiss" }
    }
    .into_string()
}
