//! What `view!` builds: one type for all elements, drawn by the browser or written as HTML.
//!
//! Signals, effects and components are Leptos'. Its typed elements are not used: see `napkin-view`.

mod browser;
mod html;
mod value;

use std::borrow::Cow;

use leptos::ev::EventDescriptor;
use leptos::html::ElementType;
use leptos::prelude::NodeRef;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys;

pub use browser::mount;
pub use html::to_html;
pub use value::{IntoNode, IntoValue, Value};

/// Runs on the element once it is made.
type OnElement = Box<dyn FnOnce(&web_sys::Element)>;
type OnEvent = Box<dyn FnMut(web_sys::Event)>;

/// A piece of the page.
pub enum Node {
    /// Text.
    Text(Cow<'static, str>),
    /// An element with all that it contains.
    Element(Element),
    /// Several pieces in a row; none is nothing.
    Many(Vec<Node>),
    /// A piece that is made anew whenever a signal in it changes.
    Dynamic(Box<dyn Fn() -> Node>),
}

/// An element.
pub struct Element {
    tag: &'static str,
    children: Vec<Node>,
    attributes: Vec<(Target, Value)>,
    listeners: Vec<(Cow<'static, str>, OnEvent)>,
    node_ref: Option<OnElement>,
}

/// What a value is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Attribute(&'static str),
    Class(&'static str),
    Style(&'static str),
    Property(&'static str),
}

impl Element {
    /// An element without anything.
    #[must_use]
    pub fn new(tag: &'static str) -> Self {
        Self { tag, children: Vec::new(), attributes: Vec::new(), listeners: Vec::new(), node_ref: None }
    }

    /// Adds a piece at the end.
    pub fn child(&mut self, child: Node) {
        self.children.push(child);
    }

    /// Sets an attribute; `false` and `None` leave it out.
    pub fn attribute(&mut self, name: &'static str, value: impl IntoValue) {
        self.attributes.push((Target::Attribute(name), value.into_value()));
    }

    /// Adds a class while the value is `true`.
    pub fn class(&mut self, name: &'static str, value: impl IntoValue) {
        self.attributes.push((Target::Class(name), value.into_value()));
    }

    /// Sets a property of the style.
    pub fn style(&mut self, name: &'static str, value: impl IntoValue) {
        self.attributes.push((Target::Style(name), value.into_value()));
    }

    /// Sets a property of the element itself, in the browser only.
    pub fn property(&mut self, name: &'static str, value: impl IntoValue) {
        self.attributes.push((Target::Property(name), value.into_value()));
    }

    /// Listens to an event.
    pub fn on<E: EventDescriptor>(&mut self, event: E, mut on_event: impl FnMut(E::EventType) + 'static)
    where
        E::EventType: JsCast,
    {
        let on_event = move |event: web_sys::Event| on_event(event.unchecked_into());
        self.listeners.push((event.name(), Box::new(on_event)));
    }

    /// Fills a reference once the element is made.
    pub fn node_ref<E>(&mut self, node_ref: NodeRef<E>)
    where
        E: ElementType + 'static,
        E::Output: JsCast + Clone + 'static,
    {
        use leptos::tachys::html::node_ref::NodeRefContainer;
        self.node_ref = Some(Box::new(move |element| node_ref.load(element)));
    }
}
