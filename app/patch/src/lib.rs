//! Makes what is in the page like what was written, and leaves alone what is alike: the caret, the focus, what is
//! folded open, and elements with the attribute `data-guest`, which are not in what was written. Elements with the
//! attribute `data-key` stay what they are when others come or go before them.

mod keys;

pub use keys::is_typing;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, HtmlTemplateElement, HtmlTextAreaElement, Node};

/// Makes the inside of an element like `html`.
pub fn patch(place: &Element, html: &str) {
    let template = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("template").ok());
    let Some(template) = template.and_then(|template| template.dyn_into::<HtmlTemplateElement>().ok()) else {
        return;
    };
    template.set_inner_html(html);
    children(place, &template.content());
}

fn children(old: &Node, new: &Node) {
    let (mut mine, mut wanted) = (old.first_child(), new.first_child());
    loop {
        // What is taken from a parent is a child of it: none of these can be refused.
        match (&mine, &wanted) {
            (None, None) => return,
            (Some(it), _) if is_guest(it) => mine = it.next_sibling(),
            (Some(it), None) => {
                let next = it.next_sibling();
                drop(old.remove_child(it));
                mine = next;
            }
            (None, Some(it)) => {
                let next = it.next_sibling();
                drop(old.append_child(it));
                wanted = next;
            }
            (Some(it), Some(like)) => {
                let (next_mine, next_wanted) = (it.next_sibling(), like.next_sibling());
                let (key, wanted_key) = (key(it), key(like));
                if key == wanted_key && it.node_name() == like.node_name() {
                    node(it, like);
                    (mine, wanted) = (next_mine, next_wanted);
                } else if wanted_key.is_some() && is_among(&wanted_key, next_mine.as_ref()) {
                    drop(old.remove_child(it));
                    mine = next_mine;
                } else if wanted_key.is_some() && key.is_some() && is_among(&key, next_wanted.as_ref()) {
                    drop(old.insert_before(like, Some(it)));
                    wanted = next_wanted;
                } else {
                    drop(old.replace_child(like, it));
                    (mine, wanted) = (next_mine, next_wanted);
                }
            }
        }
    }
}

/// What an element stands for, if it says so: one with another key is another element.
fn key(node: &Node) -> Option<String> {
    node.dyn_ref::<Element>()?.get_attribute("data-key")
}

/// Whether a script put the element there, which sees to it itself.
fn is_guest(node: &Node) -> bool {
    node.dyn_ref::<Element>().is_some_and(|element| element.has_attribute("data-guest"))
}

fn is_among(wanted: &Option<String>, first: Option<&Node>) -> bool {
    std::iter::successors(first.cloned(), Node::next_sibling).any(|node| key(&node) == *wanted)
}

fn node(old: &Node, new: &Node) {
    let (Some(mine), Some(wanted)) = (old.dyn_ref::<Element>(), new.dyn_ref::<Element>()) else {
        if old.node_value() != new.node_value() {
            old.set_node_value(new.node_value().as_deref());
        }
        return;
    };
    attributes(mine, wanted);
    if let (Some(mine), Some(wanted)) = (mine.dyn_ref::<HtmlTextAreaElement>(), wanted.dyn_ref()) {
        let wanted: &HtmlTextAreaElement = wanted;
        if mine.value() != wanted.value() {
            mine.set_value(&wanted.value());
        }
        return;
    }
    children(mine, wanted);
    if let (Some(mine), Some(wanted)) = (mine.dyn_ref::<HtmlInputElement>(), wanted.dyn_ref()) {
        let wanted: &HtmlInputElement = wanted;
        if mine.type_() != "file" && mine.value() != wanted.value() {
            mine.set_value(&wanted.value());
        }
        mine.set_checked(wanted.checked());
    }
    if let (Some(mine), Some(wanted)) = (mine.dyn_ref::<HtmlSelectElement>(), wanted.dyn_ref()) {
        let wanted: &HtmlSelectElement = wanted;
        if mine.value() != wanted.value() {
            mine.set_value(&wanted.value());
        }
    }
}

fn attributes(old: &Element, new: &Element) {
    for name in new.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        let wanted = new.get_attribute(&name);
        if old.get_attribute(&name) != wanted {
            // It was read from an element.
            drop(old.set_attribute(&name, &wanted.unwrap_or_default()));
        }
    }
    for name in old.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        // What the reader has folded open stays open.
        if name != "open" && !new.has_attribute(&name) {
            drop(old.remove_attribute(&name));
        }
    }
}
