//! MathML as a tree.

use roxmltree::{Attribute, Document, Node};

use crate::prose::DEPTH;
use crate::trace::Json;

/// The most elements within elements: the prose around a formula needs some of those that are drawn.
const MOST: usize = DEPTH - 10;

/// The tree of one element; nothing if it is not well-formed or too deep.
pub(super) fn read(text: &str) -> Option<Json> {
    tree(Document::parse(text).ok()?.root_element(), MOST)
}

fn tree(element: Node<'_, '_>, most: usize) -> Option<Json> {
    let most = most.checked_sub(1)?;
    let mut items = vec![Some(Json::from(element.tag_name().name()))];
    let attributes: serde_json::Map<_, _> = element.attributes().filter_map(drawn).collect();
    if !attributes.is_empty() {
        items.push(Some(attributes.into()));
    }
    items.extend(element.children().map(|child| match child.text().filter(|_| child.is_text()) {
        Some(text) => Some(text.into()),
        None => tree(child, most),
    }));
    items.into_iter().collect()
}

/// An attribute as it is drawn: of styles only the side to which a cell is aligned, as a class.
fn drawn(attribute: Attribute<'_, '_>) -> Option<(String, Json)> {
    let class = match (attribute.name(), attribute.value()) {
        ("style", value) if value.starts_with("text-align: left") => "cell-start",
        ("style", value) if value.starts_with("text-align: right") => "cell-end",
        ("style", _) => return None,
        (name, value) => return Some((name.to_owned(), value.into())),
    };
    Some(("class".to_owned(), class.into()))
}
