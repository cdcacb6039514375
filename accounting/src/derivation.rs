//! Results that know how they came about.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use serde::Serialize;

use crate::papers::Paper;
use crate::{Error, Expr, Number, Quantity, Result, Unit, format};

/// Where a formula or a number is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// What to cite.
    pub title: String,
    /// Where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// When it was published or read.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// How far to trust it, or what to know about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Source {
    /// A citation that needs no more than a line.
    #[must_use]
    pub fn cite(title: &str) -> Self {
        Self { title: title.to_owned(), url: String::new(), date: String::new(), note: String::new() }
    }
}

/// "title, date, url (note)"
impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.title)?;
        for part in [&self.date, &self.url] {
            if !part.is_empty() {
                write!(f, ", {part}")?;
            }
        }
        if self.note.is_empty() { Ok(()) } else { write!(f, " ({})", self.note) }
    }
}

/// A value with its formula; inputs and earlier steps are in the formula's leaves.
#[derive(Debug)]
pub struct Derivation {
    /// Python name, with the unit in it where there is one.
    pub name: &'static str,
    /// Symbol for use in other formulas; what follows an underscore is a subscript.
    pub symbol: &'static str,
    /// What it is, in words.
    pub title: Cow<'static, str>,
    /// The value at full precision.
    pub value: Number,
    /// Its unit.
    pub unit: Unit,
    /// How it is computed.
    pub expr: Expr,
    /// Where the formula is from.
    pub sources: Vec<Source>,
}

impl Derivation {
    /// The value with four significant digits.
    #[must_use]
    pub fn short(&self) -> String {
        format::short(self.value, self.unit)
    }

    /// Every digit, thousands separated.
    #[must_use]
    pub fn exact(&self) -> String {
        format::exact(self.value, self.unit)
    }
}

/// A [`Derivation`] whose unit the compiler knows. Cloning shares it.
#[derive(Debug)]
pub struct Derived<Q> {
    derivation: Arc<Derivation>,
    quantity: PhantomData<fn() -> Q>,
}

impl<Q> Clone for Derived<Q> {
    fn clone(&self) -> Self {
        Self { derivation: Arc::clone(&self.derivation), quantity: PhantomData }
    }
}

impl<Q: Quantity> Derived<Q> {
    /// The result of a formula.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if there is none.
    pub fn new(
        name: &'static str,
        symbol: &'static str,
        title: impl Into<Cow<'static, str>>,
        expr: Expr,
        sources: &[Paper],
    ) -> Result<Self> {
        let derivation = derive(name, symbol, title.into(), (expr, Q::UNIT), sources)?;
        Ok(Self { derivation, quantity: PhantomData })
    }

    /// The value.
    #[must_use]
    pub fn quantity(&self) -> Q {
        Q::of(self.derivation.value)
    }

    /// For use in a further formula.
    #[must_use]
    pub fn expr(&self) -> Expr {
        Expr::Step(Arc::clone(&self.derivation))
    }
}

/// Once for all quantities: the page's calculators have hundreds of formulas.
#[inline(never)]
fn derive(
    name: &'static str,
    symbol: &'static str,
    title: Cow<'static, str>,
    (expr, unit): (Expr, Unit),
    sources: &[Paper],
) -> Result<Arc<Derivation>> {
    // A plain number can be a number of things.
    let fits = |of| of == unit || of == Unit::NONE && unit.is_count();
    debug_assert!(expr.unit().is_some_and(fits), "the formula of {name} has the unit {:?}", expr.unit());
    let value = expr.value().filter(|value| value.is_finite());
    let value = value.ok_or_else(|| Error::NotFinite { what: title.clone().into_owned() })?;
    let sources = sources.iter().map(|&paper| paper.into()).collect();
    Ok(Arc::new(Derivation { name, symbol, title, value, unit, expr, sources }))
}

impl<Q> Deref for Derived<Q> {
    type Target = Derivation;

    fn deref(&self) -> &Derivation {
        &self.derivation
    }
}

/// Without the unit that the compiler knows.
impl<Q> From<Derived<Q>> for Arc<Derivation> {
    fn from(derived: Derived<Q>) -> Self {
        derived.derivation
    }
}

impl<Q> std::fmt::Display for Derived<Q> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.short())
    }
}

impl<Q> Serialize for Derived<Q> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.derivation.serialize(serializer)
    }
}
