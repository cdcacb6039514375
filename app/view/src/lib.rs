//! `view!` in the notation of Leptos, for `napkin_app::dom`: every element has the same type.
//!
//! Leptos' own macro gives each element a type of its own, and the page pays for each with code to build,
//! rebuild and erase it: with four cells more than its whole budget.

use proc_macro::TokenStream;
use proc_macro2::{Ident, Span, TokenStream as Code};
use quote::{format_ident, quote, quote_spanned};
use rstml::Infallible;
use rstml::node::{KeyedAttribute, Node, NodeAttribute, NodeBlock};
use syn::spanned::Spanned;

type NodeElement = rstml::node::NodeElement<Infallible>;

/// Builds a `Node` from markup: elements with attributes, `class:name`, `style:name`, `prop:name`,
/// `on:event` and `node_ref`; components by their capital letter; texts, blocks, and closures that are
/// run again when a signal in them changes.
#[proc_macro]
pub fn view(tokens: TokenStream) -> TokenStream {
    match rstml::parse2(tokens.into()) {
        Ok(nodes) => many(&nodes).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

fn many(nodes: &[Node]) -> Code {
    let nodes: Vec<Code> = nodes.iter().map(node).collect();
    match nodes.as_slice() {
        [one] => quote!(#one),
        _ => quote!(crate::dom::Node::Many(::std::vec![#(#nodes),*])),
    }
}

fn node(node: &Node) -> Code {
    match node {
        Node::Element(element) if is_component(element) => component(element),
        Node::Element(element) => self::element(element),
        Node::Text(text) => {
            let value = &text.value;
            quote!(crate::dom::IntoNode::into_node(#value))
        }
        Node::Block(NodeBlock::ValidBlock(block)) => {
            let value = value(block);
            quote!(crate::dom::IntoNode::into_node(#value))
        }
        Node::Fragment(fragment) => many(&fragment.children),
        Node::Comment(_) | Node::Doctype(_) => quote!(crate::dom::Node::Many(::std::vec::Vec::new())),
        other => quote_spanned!(other.span()=> ::core::compile_error!("this is no element, text or block")),
    }
}

/// A block without its braces, where it is one expression: the compiler would call them unnecessary.
fn value(block: &syn::Block) -> Code {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(expression, None)] => quote!(#expression),
        _ => quote!(#block),
    }
}

fn is_component(element: &NodeElement) -> bool {
    let name = element.name().to_string();
    name.rsplit("::").next().is_some_and(|last| last.trim().starts_with(char::is_uppercase))
}

fn attributes(element: &NodeElement) -> impl Iterator<Item = &KeyedAttribute> {
    element.attributes().iter().filter_map(|attribute| match attribute {
        NodeAttribute::Attribute(attribute) => Some(attribute),
        NodeAttribute::Block(_) => None,
    })
}

/// Children come before attributes, as in Leptos: a name may be cloned inside and moved outside.
/// Attributes whose values are literals and pieces without anything else become data: they cost no code.
fn element(element: &NodeElement) -> Code {
    let leading: Vec<Code> = element.children.iter().map_while(data).collect();
    let children = runs(&element.children[leading.len()..]);
    let made = Ident::new("element", Span::mixed_site());
    let markup = markup(element, &leading);
    let rest: Vec<Code> =
        attributes(element).filter(|one| fixed(one).is_none()).map(|one| attribute(&made, one)).collect();
    if rest.is_empty() && children.is_empty() {
        return quote!(crate::dom::Node::Fixed(&[crate::dom::Fixed::Element(#markup)]));
    }
    quote!({
        let mut #made = crate::dom::Element::new(&#markup);
        #(#made.child(#children);)*
        #(#rest)*
        crate::dom::Node::Element(#made)
    })
}

/// The nodes, with those that are data and stand side by side as one.
fn runs(nodes: &[Node]) -> Vec<Code> {
    let mut runs = Vec::new();
    let mut rest = nodes;
    while let Some((first, after)) = rest.split_first() {
        let pieces: Vec<Code> = rest.iter().map_while(data).collect();
        rest = if pieces.is_empty() {
            runs.push(node(first));
            after
        } else {
            runs.push(quote!(crate::dom::Node::Fixed(&[#(#pieces),*])));
            &rest[pieces.len()..]
        };
    }
    runs
}

/// The node as data, where it is a text, or an element with nothing but data.
fn data(node: &Node) -> Option<Code> {
    match node {
        Node::Text(text) => {
            let text = &text.value;
            Some(quote!(crate::dom::Fixed::Text(#text)))
        }
        Node::Element(element) if !is_component(element) => {
            let children: Option<Vec<Code>> = element.children.iter().map(data).collect();
            let is_fixed = attributes(element).all(|one| fixed(one).is_some());
            let markup = markup(element, &children.filter(|_| is_fixed)?);
            Some(quote!(crate::dom::Fixed::Element(#markup)))
        }
        _ => None,
    }
}

fn markup(element: &NodeElement, children: &[Code]) -> Code {
    let tag = element.name().to_string();
    let attributes = attributes(element).filter_map(fixed_pair);
    quote!(crate::dom::Markup { tag: #tag, attributes: &[#(#attributes),*], children: &[#(#children),*] })
}

/// The text of an attribute that is a literal.
fn fixed(attribute: &KeyedAttribute) -> Option<String> {
    let key = attribute.key.to_string();
    if key.contains(':') || key == "node_ref" {
        return None;
    }
    match attribute.value() {
        None => Some(String::new()),
        Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => Some(text.value()),
        Some(_) => None,
    }
}

fn fixed_pair(attribute: &KeyedAttribute) -> Option<Code> {
    let (key, text) = (attribute.key.to_string(), fixed(attribute)?);
    Some(quote!((#key, #text)))
}

fn attribute(made: &Ident, attribute: &KeyedAttribute) -> Code {
    let key = attribute.key.to_string();
    let value = attribute.value().map_or_else(|| quote!(true), |value| quote!(#value));
    let place = attribute.key.span();
    match key.split_once(':') {
        Some(("class", name)) => quote!(#made.class(#name, #value);),
        Some(("style", name)) => quote!(#made.style(#name, #value);),
        Some(("prop", name)) => quote!(#made.property(#name, #value);),
        Some(("on", name)) => {
            let event = format_ident!("{}", name, span = place);
            quote!(#made.on(&::leptos::ev::#event, #value);)
        }
        Some(_) => quote_spanned!(place=> ::core::compile_error!("there is class:, style:, prop: and on:");),
        None if key == "node_ref" => quote!(#made.node_ref(#value);),
        None => quote!(#made.attribute(#key, #value);),
    }
}

fn component(element: &NodeElement) -> Code {
    let name = element.name();
    let props = attributes(element).map(|attribute| {
        let key = format_ident!("{}", attribute.key.to_string(), span = attribute.key.span());
        match attribute.value() {
            Some(value) => quote!(.#key(#value)),
            None => quote!(.#key(#key)),
        }
    });
    let children = (!element.children.is_empty()).then(|| {
        let children = many(&element.children);
        quote!(.children(#children))
    });
    quote!(crate::dom::IntoNode::into_node(::leptos::component::component_view(
        &#name,
        ::leptos::component::component_props_builder(&#name)#(#props)* #children.build()
    )))
}
