//! Leptos' signals behind handles that know the type of their value.
//!
//! Leptos compiles its reactive graph anew for every type of value. Here there is one graph of erased
//! values for all of them, and what is generic is a cast. Handles are `Copy` and live as long as the owner
//! in which they were made; names and meanings are Leptos'.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude as graph;
use leptos::prelude::{Get, GetUntracked, GetValue, LocalStorage, Set};

type Erased = Arc<dyn Any + Send + Sync>;
type Slot = graph::StoredValue<Rc<dyn Any>, LocalStorage>;

/// What only a cast can get wrong: a handle is made together with its value.
fn lost() -> ! {
    unreachable!("a handle has the type of its value")
}

macro_rules! handle {
    ($(#[$doc:meta])+ $name:ident { $core:ty }) => {
        $(#[$doc])+
        pub struct $name<T> {
            core: $core,
            holds: PhantomData<fn() -> T>,
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        impl<T> $name<T> {
            fn around(core: $core) -> Self {
                Self { core, holds: PhantomData }
            }
        }
    };
}

handle! {
    /// A value that can be set, and whose readers are told.
    RwSignal { graph::RwSignal<Erased> }
}

handle! {
    /// A value computed from others, once for each change that makes it another value.
    Memo { graph::Memo<Erased> }
}

handle! {
    /// A value computed from others whenever it is read.
    Signal { Slot }
}

handle! {
    /// A value that nobody is told about.
    StoredValue { Slot }
}

#[inline(never)]
fn new_signal(value: Erased) -> graph::RwSignal<Erased> {
    graph::RwSignal::new(value)
}

#[inline(never)]
fn read(core: graph::RwSignal<Erased>) -> Erased {
    core.get()
}

#[inline(never)]
fn read_untracked(core: graph::RwSignal<Erased>) -> Erased {
    core.get_untracked()
}

#[inline(never)]
fn write(core: graph::RwSignal<Erased>, value: Erased) {
    core.set(value);
}

#[inline(never)]
fn read_memo(core: graph::Memo<Erased>) -> Erased {
    core.get()
}

fn cast<T: 'static>(value: &Erased) -> &T {
    value.downcast_ref().unwrap_or_else(|| lost())
}

impl<T: Send + Sync + 'static> RwSignal<T> {
    /// A signal with its first value.
    pub fn new(value: T) -> Self {
        Self::around(new_signal(Arc::new(value)))
    }

    /// Reads the value in place; tracked.
    pub fn with<R>(self, see: impl FnOnce(&T) -> R) -> R {
        see(cast(&read(self.core)))
    }

    /// Reads the value in place; not tracked.
    pub fn with_untracked<R>(self, see: impl FnOnce(&T) -> R) -> R {
        see(cast(&read_untracked(self.core)))
    }

    /// Sets the value and tells its readers.
    pub fn set(self, value: T) {
        write(self.core, Arc::new(value));
    }
}

impl<T: Clone + Send + Sync + 'static> RwSignal<T> {
    /// The value; tracked.
    #[must_use]
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// The value; not tracked.
    #[must_use]
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// Changes the value and tells its readers.
    pub fn update(self, change: impl FnOnce(&mut T)) {
        let mut value = self.get_untracked();
        change(&mut value);
        self.set(value);
    }
}

#[inline(never)]
fn new_memo(
    compute: Box<dyn Fn() -> Erased + Send + Sync>,
    is_same: fn(&Erased, &Erased) -> bool,
) -> graph::Memo<Erased> {
    graph::Memo::new_owning(move |last: Option<Erased>| {
        let value = compute();
        let is_new = last.is_none_or(|last| !is_same(&last, &value));
        (value, is_new)
    })
}

impl<T: PartialEq + Send + Sync + 'static> Memo<T> {
    /// A memo of what `compute` returns.
    pub fn new(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        let compute = Box::new(move || Arc::new(compute()) as Erased);
        Self::around(new_memo(compute, |a, b| cast::<T>(a) == cast::<T>(b)))
    }

    /// Reads the value in place; tracked.
    pub fn with<R>(self, see: impl FnOnce(&T) -> R) -> R {
        see(cast(&read_memo(self.core)))
    }

    /// Reads the value in place; not tracked.
    pub fn with_untracked<R>(self, see: impl FnOnce(&T) -> R) -> R {
        graph::untrack(|| self.with(see))
    }
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Memo<T> {
    /// The value; tracked.
    #[must_use]
    pub fn get(self) -> T {
        self.with(T::clone)
    }
}

#[inline(never)]
fn new_slot(value: Rc<dyn Any>) -> Slot {
    graph::StoredValue::new_local(value)
}

#[inline(never)]
fn read_slot(slot: Slot) -> Rc<dyn Any> {
    slot.get_value()
}

type Compute<T> = Box<dyn Fn() -> T>;

impl<T: 'static> Signal<T> {
    /// A signal that is computed by `compute`.
    pub fn derive(compute: impl Fn() -> T + 'static) -> Self {
        let compute: Compute<T> = Box::new(compute);
        Self::around(new_slot(Rc::new(compute)))
    }

    /// The value; tracked.
    #[must_use]
    pub fn get(self) -> T {
        let compute = read_slot(self.core);
        compute.downcast_ref::<Compute<T>>().unwrap_or_else(|| lost())()
    }

    /// The value; not tracked.
    #[must_use]
    pub fn get_untracked(self) -> T {
        graph::untrack(|| self.get())
    }

    /// Reads the value; tracked.
    pub fn with<R>(self, see: impl FnOnce(&T) -> R) -> R {
        see(&self.get())
    }
}

impl From<&'static str> for Signal<String> {
    fn from(text: &'static str) -> Self {
        Self::derive(|| text.to_owned())
    }
}

impl<T: 'static> StoredValue<T> {
    /// A place with its first value.
    pub fn new(value: T) -> Self {
        Self::around(new_slot(Rc::new(RefCell::new(value))))
    }

    /// Reads the value in place.
    pub fn with_value<R>(self, see: impl FnOnce(&T) -> R) -> R {
        let cell = read_slot(self.core);
        let value = cell.downcast_ref::<RefCell<T>>().unwrap_or_else(|| lost()).borrow();
        see(&value)
    }

    /// Changes the value.
    pub fn update_value<R>(self, change: impl FnOnce(&mut T) -> R) -> R {
        let cell = read_slot(self.core);
        let mut value = cell.downcast_ref::<RefCell<T>>().unwrap_or_else(|| lost()).borrow_mut();
        change(&mut value)
    }

    /// Sets the value.
    pub fn set_value(self, value: T) {
        self.update_value(|old| *old = value);
    }
}

impl<T: Clone + 'static> StoredValue<T> {
    /// The value.
    #[must_use]
    pub fn get_value(self) -> T {
        self.with_value(T::clone)
    }
}

/// Runs `act` soon and again whenever a signal that it read has changed, in the browser only. It gets what
/// it returned before.
pub fn effect<T: 'static>(mut act: impl FnMut(Option<T>) -> T + 'static) {
    let mut last = None;
    new_effect(Box::new(move || last = Some(act(last.take()))));
}

#[inline(never)]
fn new_effect(mut act: Box<dyn FnMut()>) {
    graph::Effect::new(move |_| act());
}

#[cfg(test)]
mod tests {
    use leptos::prelude::Owner;

    use super::*;

    #[test]
    fn values_follow_what_they_are_computed_from() {
        Owner::new().with(|| {
            let count = RwSignal::new(1);
            let runs = StoredValue::new(0);
            let is_even = Memo::new(move || {
                runs.update_value(|runs| *runs += 1);
                count.get() % 2 == 0
            });
            let words = Signal::derive(move || format!("{} {}", count.get(), is_even.get()));
            assert_eq!(words.get(), "1 false");
            count.update(|count| *count += 1);
            assert_eq!(words.get(), "2 true");
            count.set(4);
            assert_eq!((words.get(), words.get_untracked()), ("4 true".to_owned(), "4 true".to_owned()));
            assert_eq!(runs.get_value(), 3, "once for each change");
            assert_eq!(Signal::from("x").with(String::len), 1);
        });
    }
}
