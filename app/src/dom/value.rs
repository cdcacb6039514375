//! What can stand in a view: as a piece of the page, and as the value of an attribute.

use std::borrow::Cow;

use napkin_accounting::decimal;

use crate::signals::{Memo, RwSignal, Signal};

use super::Node;

/// What an attribute, class, style or property gets.
pub enum Value {
    /// A text.
    Text(Cow<'static, str>),
    /// There or not.
    Flag(bool),
    /// One of these, told anew whenever a signal in it changes.
    Dynamic(Box<dyn Fn() -> Value>),
}

/// What can be an attribute's value.
pub trait IntoValue {
    /// As a [`Value`].
    fn into_value(self) -> Value;
}

/// What can be a piece of the page.
pub trait IntoNode {
    /// As a [`Node`].
    fn into_node(self) -> Node;
}

impl IntoNode for Node {
    fn into_node(self) -> Node {
        self
    }
}

impl IntoNode for () {
    fn into_node(self) -> Node {
        Node::Many(Vec::new())
    }
}

impl<T: IntoNode> IntoNode for Option<T> {
    fn into_node(self) -> Node {
        self.map_or_else(|| Node::Many(Vec::new()), IntoNode::into_node)
    }
}

impl<T: IntoNode> IntoNode for Vec<T> {
    fn into_node(self) -> Node {
        Node::Many(self.into_iter().map(IntoNode::into_node).collect())
    }
}

impl<F: Fn() -> T + 'static, T: IntoNode> IntoNode for F {
    fn into_node(self) -> Node {
        Node::Dynamic(Box::new(move || self().into_node()))
    }
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        Value::Flag(self)
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Flag(false), IntoValue::into_value)
    }
}

impl<F: Fn() -> T + 'static, T: IntoValue> IntoValue for F {
    fn into_value(self) -> Value {
        Value::Dynamic(Box::new(move || self().into_value()))
    }
}

macro_rules! texts {
    ($($type:ty: $into:expr;)+) => {$(
        impl IntoNode for $type {
            fn into_node(self) -> Node {
                let into: fn($type) -> Cow<'static, str> = $into;
                Node::Text(into(self))
            }
        }

        impl IntoValue for $type {
            fn into_value(self) -> Value {
                let into: fn($type) -> Cow<'static, str> = $into;
                Value::Text(into(self))
            }
        }
    )+};
}

texts! {
    &'static str: Cow::Borrowed;
    Cow<'static, str>: |text| text;
    String: Cow::Owned;
    u8: |number| Cow::Owned(number.to_string());
    u32: |number| Cow::Owned(number.to_string());
    i32: |number| Cow::Owned(number.to_string());
    u64: |number| Cow::Owned(number.to_string());
    usize: |number| Cow::Owned(number.to_string());
    f64: |number| Cow::Owned(decimal::shortest(number));
}

macro_rules! readers {
    ($($type:ident: $($bound:path),+;)+) => {$(
        impl<T: IntoNode $(+ $bound)+ + 'static> IntoNode for $type<T> {
            fn into_node(self) -> Node {
                Node::Dynamic(Box::new(move || self.get().into_node()))
            }
        }

        impl<T: IntoValue $(+ $bound)+ + 'static> IntoValue for $type<T> {
            fn into_value(self) -> Value {
                Value::Dynamic(Box::new(move || self.get().into_value()))
            }
        }
    )+};
}

readers! {
    RwSignal: Clone, Send, Sync;
    Memo: Clone, PartialEq, Send, Sync;
    Signal: Clone;
}
