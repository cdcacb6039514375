//! Whether pages are HTML that a browser leaves as it is: where its parser moves an element, hydration finds another
//! page than the program makes.

use super::*;

const VOID: [&str; 5] = ["br", "hr", "img", "input", "path"];
/// Ends a paragraph that is open.
const BLOCKS: [&str; 18] = [
    "address", "article", "aside", "details", "div", "dl", "fieldset", "figure", "footer", "form", "h1",
    "h2", "h3", "header", "ol", "p", "table", "ul",
];

/// Why a browser's parser would not leave an element where it is.
fn fault(open: &[&str], name: &str) -> Option<&'static str> {
    let parent = open.last().copied().unwrap_or_default();
    match name {
        _ if BLOCKS.contains(&name) && open.contains(&"p") => Some("ends a paragraph"),
        "tr" if !["thead", "tbody", "tfoot"].contains(&parent) => Some("gets a tbody"),
        "td" | "th" if parent != "tr" => Some("gets a row"),
        "li" if !["ul", "ol"].contains(&parent) => Some("is in no list"),
        "a" | "button" if open.contains(&name) => Some("is in another of its kind"),
        _ => None,
    }
}

#[test]
fn browsers_leave_the_page_as_it_is() {
    let html = Owner::new().with(|| view! { <App page=tools::NAME.to_owned() /> }.to_html());
    // What wakes later is written whole.
    for part in ["The line in memory", "Element [1, 2] of x is element 6 of the storage."] {
        assert!(html.contains(part), "{part}");
    }
    // Leptos' sign for nothing at all.
    let html = html.replace("<!--<() />-->", "");
    let (mut open, mut ids) = (Vec::new(), std::collections::HashSet::new());
    for tag in html.split('<').skip(1).filter(|tag| !tag.starts_with('!')) {
        let inside = tag.split('>').next().unwrap();
        let name = inside.split(' ').next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            if !VOID.contains(&name) {
                assert_eq!(open.pop(), Some(name), "{inside} closes another element");
            }
            continue;
        }
        assert_eq!(fault(&open, name), None, "{inside} in {open:?}");
        if let Some((_, id)) = inside.split_once(" id=\"") {
            let id = id.split('"').next().unwrap();
            assert!(ids.insert(id), "{id} is there twice");
        }
        if !VOID.contains(&name) && !inside.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && !ids.is_empty());
}
