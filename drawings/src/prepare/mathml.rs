//! MathML as a tree.

use napkin_notebook::trace::Json;

use crate::tree::DEPTH;

/// The most elements within elements: the prose around a formula needs some of those that are drawn.
const MOST: usize = DEPTH - 10;

/// The tree of one element, as our own writers of MathML write it; nothing if it is not well-formed or too deep.
pub(super) fn read(text: &str) -> Option<Json> {
    let mut open: Vec<(String, Vec<Json>)> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let before = &rest[..at];
        if let Some((_, children)) = open.last_mut().filter(|_| !before.is_empty()) {
            children.push(plain(before).into());
        }
        let end = at + rest[at..].find('>')?;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let closed = if let Some(name) = tag.strip_prefix('/') {
            let (opened, children) = open.pop()?;
            if opened != name {
                return None;
            }
            children
        } else {
            let is_empty = tag.ends_with('/');
            let (name, children) = element(tag.trim_end_matches('/'))?;
            if open.len() == MOST {
                return None;
            }
            if !is_empty {
                open.push((name, children));
                continue;
            }
            children
        };
        let node = closed.into_iter().collect();
        match open.last_mut() {
            Some((_, children)) => children.push(node),
            None => return Some(node),
        }
    }
    None
}

/// `mo stretchy="false"`
fn element(tag: &str) -> Option<(String, Vec<Json>)> {
    let (name, mut rest) = tag.trim().split_once(char::is_whitespace).unwrap_or((tag.trim(), ""));
    let mut attributes = Vec::new();
    while let Some((attribute, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"')?;
        attributes.extend(drawn(attribute.trim(), &plain(value)));
        rest = after;
    }
    let mut children = vec![Json::from(name)];
    if !attributes.is_empty() {
        children.push(attributes.into_iter().collect());
    }
    Some((name.to_owned(), children))
}

/// An attribute as it is drawn: of styles only the side to which a cell is aligned, as a class.
fn drawn<'a>(attribute: &'a str, value: &str) -> Option<(&'a str, Json)> {
    if attribute != "style" {
        return Some((attribute, value.into()));
    }
    let class = match value.strip_prefix("text-align: ")?.split(';').next()? {
        "left" => "cell-start",
        "right" => "cell-end",
        _ => return None,
    };
    Some(("class", class.into()))
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
