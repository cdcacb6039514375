//! Writing as HTML, for the page as it is before any script has run.

use super::{Element, Fixed, Markup, Node, Target, Value};

/// Elements that have no end tag.
const VOID: [&str; 4] = ["br", "hr", "img", "input"];

/// A piece as HTML.
#[must_use]
pub fn to_html(node: Node) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

fn write(node: Node, out: &mut String) {
    match node {
        Node::Text(text) => escape(&text, out),
        Node::Fixed(pieces) => write_fixed(pieces, out),
        // It stands where it was made.
        Node::Kept(_) => {}
        Node::Element(element) => write_element(*element, out),
        Node::Many(nodes) => nodes.into_iter().for_each(|node| write(node, out)),
        #[cfg(not(target_arch = "wasm32"))]
        Node::Html(html) => out.push_str(&html),
        Node::Dynamic(make) => write(make(), out),
    }
}

fn write_fixed(pieces: &'static [Fixed], out: &mut String) {
    for piece in pieces {
        match piece {
            Fixed::Text(text) => escape(text, out),
            Fixed::Element(markup) => write_element(*Element::new(markup), out),
        }
    }
}

fn write_element(element: Element, out: &mut String) {
    let Markup { tag, attributes, children } = element.markup;
    out.push('<');
    out.push_str(tag);
    let (mut classes, mut style) = (String::new(), String::new());
    for (name, text) in *attributes {
        match *name {
            "class" => classes.push_str(text),
            name => write_attribute(name, text, out),
        }
    }
    for (target, value) in element.attributes {
        match (target, settled(value)) {
            (Target::Attribute("class"), Value::Text(text)) => classes = format!("{text} {classes}"),
            (Target::Class(name), Value::Flag(true)) => classes = format!("{classes} {name}"),
            (Target::Style(name), Value::Text(text)) => style = format!("{style}{name}:{text};"),
            (Target::Attribute(name), Value::Text(text)) => write_attribute(name, &text, out),
            (Target::Attribute(name), Value::Flag(true)) => write_attribute(name, "", out),
            _ => {}
        }
    }
    for (name, text) in [("class", classes.trim()), ("style", &style)] {
        if !text.is_empty() {
            write_attribute(name, text, out);
        }
    }
    out.push('>');
    if VOID.contains(tag) {
        return;
    }
    write_fixed(children, out);
    element.children.into_iter().for_each(|child| write(child, out));
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

fn settled(value: Value) -> Value {
    match value {
        Value::Dynamic(tell) => settled(tell()),
        value => value,
    }
}

fn write_attribute(name: &str, text: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(text, out);
    out.push('"');
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::signals::RwSignal;
    use leptos::prelude::*;
    use napkin_view::view;

    use super::*;

    #[test]
    fn markup_is_written_as_it_stands() {
        let owner = Owner::new();
        owner.with(|| {
            let on = RwSignal::new(true);
            let node = view! {
                <p class="a" class:b=move || on.get() class:c=false title="1 < 2 & \"3\"" hidden=false lang=move || { None::<String> }
                >
                    "x < y" {7u32} <input disabled=true prop:value="v" />
                    {move || on.get().then(|| view! { <b style:left="1%" style:--n="2">"!"</b> })}
                </p>
                {vec!["k", "l"]}
            };
            assert_eq!(
                to_html(node),
                "<p title=\"1 &lt; 2 &amp; &quot;3&quot;\" class=\"a b\">x &lt; y7<input disabled=\"\">\
                 <b style=\"left:1%;--n:2;\">!</b></p>kl"
            );
        });
    }
}
