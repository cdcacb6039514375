//! Parts of formulas whose unit the compiler knows.

use std::marker::PhantomData;

use crate::expr::Input;
use crate::{Derived, Expr, Quantity, Result};

/// A quantity in a formula, given or derived. Cloning shares it.
#[derive(Debug)]
pub struct Value<Q> {
    expr: Expr,
    quantity: PhantomData<fn() -> Q>,
}

impl<Q> Clone for Value<Q> {
    fn clone(&self) -> Self {
        Self { expr: self.expr.clone(), quantity: PhantomData }
    }
}

impl<Q: Quantity> Value<Q> {
    /// A quantity that somebody gives; `name` is its Python name.
    ///
    /// # Errors
    /// A sentence if it is negative or not finite.
    pub fn given(
        name: &'static str,
        symbol: &'static str,
        title: impl Into<String>,
        quantity: Q,
    ) -> Result<Self> {
        Ok(Self { expr: Expr::given(name, symbol, title, quantity)?, quantity: PhantomData })
    }

    /// A number with sources; its unit is the quantity's.
    ///
    /// # Errors
    /// A sentence if it is negative or not finite.
    pub fn input(input: Input) -> Result<Self> {
        debug_assert_eq!(input.unit, Q::UNIT, "{} has another unit", input.name);
        Ok(Self { expr: Expr::input(input)?, quantity: PhantomData })
    }

    /// How much it is.
    #[must_use]
    pub fn quantity(&self) -> Q {
        Q::of(self.expr.value().unwrap_or(crate::Number::Whole(0)))
    }

    /// For use in a formula.
    #[must_use]
    pub fn expr(&self) -> Expr {
        self.expr.clone()
    }
}

impl<Q: Quantity> From<&Derived<Q>> for Value<Q> {
    fn from(derived: &Derived<Q>) -> Self {
        Self { expr: derived.expr(), quantity: PhantomData }
    }
}

impl<Q> From<&Value<Q>> for Expr {
    fn from(value: &Value<Q>) -> Self {
        value.expr.clone()
    }
}
