//! What Muon multiplies: its iteration is made of matrix products.

use crate::papers;
use crate::{Derived, Expr, Flop, Result, Unit};

/// Matrices of one shape.
#[derive(Debug, Clone)]
pub struct Matrices {
    /// How many.
    pub count: Expr,
    /// Rows of each.
    pub rows: Expr,
    /// Columns of each.
    pub columns: Expr,
}

/// The FLOPs of making updates orthogonal: five times `X = a X + (b X Xᵀ + c (X Xᵀ)²) X`, of the matrix as it lies wider
/// than tall.
///
/// # Errors
/// If the count exceeds 2^128.
pub fn muon_flop(all: &[Matrices]) -> Result<Derived<Flop>> {
    let products = all.iter().map(|Matrices { count, rows, columns }| {
        let (short, long) = (rows.clone().min(columns), rows.clone().max(columns));
        let square = &short * &short;
        count * (4.0 * &square * long + 2.0 * square * short)
    });
    let sum = products.reduce(|sum, more| sum + more).unwrap_or_else(|| Expr::from(0.0));
    let steps = Expr::constant(5.0, Unit::FLOP);
    Derived::new("muon_flop", "C_muon", "Muon's iterations", steps * sum, &[papers::MUON])
}
