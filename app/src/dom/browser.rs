//! Drawing in the browser.

use leptos::prelude::*;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys;

use super::{Element, Fixed, Markup, Node, OnEvent, Target, Value};

const SVG: &str = "http://www.w3.org/2000/svg";

/// Draws a piece at the end of `parent`. What in it follows signals does so as long as the current owner
/// lives.
pub fn mount(node: Node, parent: &web_sys::Node) {
    let is_svg =
        parent.dyn_ref::<web_sys::Element>().is_some_and(|e| e.namespace_uri().as_deref() == Some(SVG));
    draw(node, parent, is_svg);
}

fn draw(node: Node, parent: &web_sys::Node, is_svg: bool) {
    match node {
        Node::Text(text) => append(parent, &document().create_text_node(&text)),
        Node::Fixed(pieces) => draw_fixed(pieces, parent, is_svg),
        Node::Kept(id) => {
            if let Some(element) = document().get_element_by_id(&id) {
                append(parent, &element);
            }
        }
        Node::Element(element) => draw_element(*element, parent, is_svg),
        Node::Many(nodes) => nodes.into_iter().for_each(|node| draw(node, parent, is_svg)),
        // Only the build has it.
        #[cfg(not(target_arch = "wasm32"))]
        Node::Html(_) => {}
        Node::Dynamic(make) => {
            // The piece stands between two empty texts: what is drawn in it may itself change.
            let start: web_sys::Node = document().create_text_node("").into();
            let end: web_sys::Node = document().create_text_node("").into();
            append(parent, &start);
            append(parent, &end);
            follow(move || redraw(make(), &start, &end, is_svg));
        }
    }
}

fn redraw(node: Node, start: &web_sys::Node, end: &web_sys::Node, is_svg: bool) {
    let Some(parent) = end.parent_node() else { return };
    let first = start.next_sibling().filter(|first| first != end);
    if let (Node::Text(text), Some(only)) = (&node, &first)
        && only.node_type() == web_sys::Node::TEXT_NODE
        && only.next_sibling().as_ref() == Some(end)
    {
        only.set_text_content(Some(text));
        return;
    }
    while let Some(old) = start.next_sibling().filter(|old| old != end) {
        if parent.remove_child(&old).is_err() {
            return;
        }
    }
    let fragment: web_sys::Node = document().create_document_fragment().into();
    draw(node, &fragment, is_svg);
    // The end is a child of its parent.
    drop(parent.insert_before(&fragment, Some(end)));
}

/// An element that does not fit into its parent is left out; the browser says so itself.
fn append(parent: &web_sys::Node, child: &web_sys::Node) {
    let _ = parent.append_child(child);
}

fn draw_fixed(pieces: &[Fixed], parent: &web_sys::Node, is_svg: bool) {
    for piece in pieces {
        match piece {
            Fixed::Text(text) => append(parent, &document().create_text_node(text)),
            Fixed::Element(markup) => {
                if let Some((made, _)) = make(markup, is_svg) {
                    append(parent, &made);
                }
            }
        }
    }
}

/// The element as far as it is data, and whether it is a drawing's.
fn make(markup: &Markup, is_svg: bool) -> Option<(web_sys::Element, bool)> {
    let is_svg = is_svg || markup.tag == "svg";
    let made = if is_svg {
        document().create_element_ns(Some(SVG), markup.tag)
    } else {
        document().create_element(markup.tag)
    };
    let made = made.ok()?;
    for (name, text) in markup.attributes {
        drop(made.set_attribute(name, text));
    }
    draw_fixed(markup.children, &made, is_svg);
    Some((made, is_svg))
}

fn draw_element(element: Element, parent: &web_sys::Node, is_svg: bool) {
    let Some((made, is_svg)) = make(element.markup, is_svg) else { return };
    for child in element.children {
        draw(child, &made, is_svg);
    }
    for (target, value) in element.attributes {
        match value {
            Value::Dynamic(tell) => {
                let made = made.clone();
                follow(move || set(&made, target, &tell()));
            }
            value => set(&made, target, &value),
        }
    }
    for (name, on_event) in element.listeners {
        listen(&made, &name, on_event);
    }
    append(parent, &made);
    if let Some(node_ref) = element.node_ref {
        node_ref(&made);
    }
}

fn listen(element: &web_sys::Element, name: &str, on_event: OnEvent) {
    // The browser drops the closure together with the element.
    let closure = Closure::wrap(on_event).into_js_value();
    let _ = element.add_event_listener_with_callback(name, closure.unchecked_ref());
}

/// Runs `act` now and whenever a signal that it read changes, as long as the current owner lives.
fn follow(act: impl FnMut() + 'static) {
    follow_boxed(Box::new(act));
}

fn follow_boxed(mut act: Box<dyn FnMut()>) {
    StoredValue::new_local(RenderEffect::new(move |_| act()));
}

/// The browser refuses only what is misspelt.
fn set(element: &web_sys::Element, target: Target, value: &Value) {
    match (target, value) {
        (_, Value::Dynamic(tell)) => set(element, target, &tell()),
        (Target::Attribute(name), Value::Text(text)) => drop(element.set_attribute(name, text)),
        (Target::Attribute(name), Value::Flag(true)) => drop(element.set_attribute(name, "")),
        (Target::Attribute(name), Value::Flag(false)) => drop(element.remove_attribute(name)),
        (Target::Class(name), Value::Flag(is_set)) => {
            drop(element.class_list().toggle_with_force(name, *is_set));
        }
        (Target::Style(name), Value::Text(text)) => {
            if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
                drop(element.style().set_property(name, text));
            }
        }
        (Target::Property(name), Value::Text(text)) => put(element, name, &JsValue::from_str(text)),
        (Target::Property(name), Value::Flag(is_set)) => put(element, name, &JsValue::from_bool(*is_set)),
        (Target::Class(_), Value::Text(_)) | (Target::Style(_), Value::Flag(_)) => {}
    }
}

fn put(element: &web_sys::Element, name: &str, value: &JsValue) {
    drop(js_sys::Reflect::set(element, &JsValue::from_str(name), value));
}
