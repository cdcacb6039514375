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
    Element(Box<Element>),
    /// Pieces without anything that changes or listens.
    Fixed(&'static [Fixed]),
    /// An element that the page as it was built already has, by its id.
    Kept(Cow<'static, str>),
    /// Several pieces in a row; none is nothing.
    Many(Vec<Node>),
    /// HTML from elsewhere, for the page as it is built.
    #[cfg(not(target_arch = "wasm32"))]
    Html(String),
    /// A piece that is made anew whenever a signal in it changes.
    Dynamic(Box<dyn Fn() -> Node>),
}

/// What of an element never changes: data, which costs no code.
#[derive(Debug)]
pub struct Markup {
    /// Its name.
    pub tag: &'static str,
    /// Names and texts.
    pub attributes: &'static [(&'static str, &'static str)],
    /// The children before the first that is no data.
    pub children: &'static [Fixed],
}

/// A piece that is data.
#[derive(Debug)]
pub enum Fixed {
    /// Text.
    Text(&'static str),
    /// An element with all that it contains.
    Element(Markup),
}

/// An element.
pub struct Element {
    markup: &'static Markup,
    children: Vec<Node>,
    attributes: Vec<(Target, Value)>,
    listeners: Vec<(Cow<'static, str>, OnEvent)>,
    node_ref: Option<OnElement>,
}

/// An element that never changes, with the id that `make` gives it. The build writes it into the page, and in
/// the browser it is taken over from there: what `make` needs is not carried a second time.
#[cfg(not(target_arch = "wasm32"))]
pub fn kept<I: Into<Cow<'static, str>>>(id: I, make: impl FnOnce(Cow<'static, str>) -> Node) -> Node {
    make(id.into())
}

/// An element that never changes, taken over from the page as it was built.
#[cfg(target_arch = "wasm32")]
pub fn kept<I: Into<Cow<'static, str>>>(id: I, _make: impl FnOnce(Cow<'static, str>) -> Node) -> Node {
    Node::Kept(id.into())
}

/// What a value is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Attribute(&'static str),
    Class(&'static str),
    Style(&'static str),
    Property(&'static str),
}

// What is generic only converts; the rest is one function each, or every view would pay for it again.
impl Element {
    /// An element without anything but what never changes.
    #[must_use]
    #[inline(never)]
    pub fn new(markup: &'static Markup) -> Box<Self> {
        let (children, attributes, listeners) = (Vec::new(), Vec::new(), Vec::new());
        Box::new(Self { markup, children, attributes, listeners, node_ref: None })
    }

    /// Adds a piece at the end.
    #[inline(never)]
    pub fn child(&mut self, child: Node) {
        self.children.push(child);
    }

    /// Sets an attribute; `false` and `None` leave it out.
    pub fn attribute(&mut self, name: &'static str, value: impl IntoValue) {
        self.give(Target::Attribute(name), value.into_value());
    }

    /// Adds a class while the value is `true`.
    pub fn class(&mut self, name: &'static str, value: impl IntoValue) {
        self.give(Target::Class(name), value.into_value());
    }

    /// Sets a property of the style.
    pub fn style(&mut self, name: &'static str, value: impl IntoValue) {
        self.give(Target::Style(name), value.into_value());
    }

    /// Sets a property of the element itself, in the browser only.
    pub fn property(&mut self, name: &'static str, value: impl IntoValue) {
        self.give(Target::Property(name), value.into_value());
    }

    #[inline(never)]
    fn give(&mut self, target: Target, value: Value) {
        self.attributes.push((target, value));
    }

    /// Listens to an event.
    pub fn on<E: EventDescriptor>(&mut self, event: &E, mut on_event: impl FnMut(E::EventType) + 'static)
    where
        E::EventType: JsCast,
    {
        let on_event = move |event: web_sys::Event| on_event(event.unchecked_into());
        self.listen(event.name(), Box::new(on_event));
    }

    #[inline(never)]
    fn listen(&mut self, name: Cow<'static, str>, on_event: OnEvent) {
        self.listeners.push((name, on_event));
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
