//! Makes what is in the page like what was written, and leaves alone what is alike: the caret, the focus, what is
//! folded open.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, HtmlTemplateElement, HtmlTextAreaElement, Node};

/// Makes the inside of an element like `html`.
pub(super) fn patch(place: &Element, html: &str) {
    let template = super::document().and_then(|document| document.create_element("template").ok());
    let Some(template) = template.and_then(|template| template.dyn_into::<HtmlTemplateElement>().ok()) else {
        return;
    };
    template.set_inner_html(html);
    children(place, &template.content());
}

fn children(old: &Node, new: &Node) {
    let (mut mine, mut wanted) = (old.first_child(), new.first_child());
    loop {
        let (next_mine, next_wanted) =
            (mine.as_ref().and_then(Node::next_sibling), wanted.as_ref().and_then(Node::next_sibling));
        // What is taken from a parent is a child of it: none of these can be refused.
        match (&mine, &wanted) {
            (None, None) => return,
            (Some(mine), None) => drop(old.remove_child(mine)),
            (None, Some(wanted)) => drop(old.append_child(wanted)),
            (Some(mine), Some(wanted)) if mine.node_name() == wanted.node_name() => node(mine, wanted),
            (Some(mine), Some(wanted)) => drop(old.replace_child(wanted, mine)),
        }
        (mine, wanted) = (next_mine, next_wanted);
    }
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
