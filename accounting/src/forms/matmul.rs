//! What a matrix product costs.

use crate::papers::reason;
use crate::{Bytes, Count, DType, Derived, Expr, Flop, FlopPerByte, Result, Unit};

/// `y = x @ w` with x of shape (B, D), w (D, K) and y (B, K), all of one dtype. In the letters of
/// BLAS, B is m, D is k and K is n.
#[derive(Debug, Clone, Copy)]
pub struct Matmul {
    /// Rows of x and y: points of data.
    pub b: Count,
    /// Columns of x, rows of w: what is summed over.
    pub d: Count,
    /// Columns of w and y.
    pub k: Count,
    /// Of all three matrices.
    pub dtype: DType,
}

impl Matmul {
    fn sizes(&self) -> Result<(Expr, Expr, Expr)> {
        Ok((
            Expr::given("b", "B", "rows of x", self.b)?,
            Expr::given("d", "D", "columns of x, rows of w", self.d)?,
            Expr::given("k", "K", "columns of w", self.k)?,
        ))
    }

    /// 2·B·D·K: one multiplication and one addition for every triple.
    ///
    /// # Errors
    /// If a size is negative or not finite, or the result is too large for a double.
    pub fn flop(&self) -> Result<Derived<Flop>> {
        let (b, d, k) = self.sizes()?;
        Derived::new(
            "matmul_flop",
            "C",
            "FLOPs of the product",
            Expr::constant(2.0, Unit::FLOP) * b * d * k,
            &[reason("one multiplication and one addition per triple (row, inner, column)")],
        )
    }

    /// Bytes that have to move: both operands read once, the result written once.
    ///
    /// # Errors
    /// As [`Matmul::flop`].
    pub fn bytes(&self) -> Result<Derived<Bytes>> {
        let (b, d, k) = self.sizes()?;
        let title = format!("size of one {} element", self.dtype);
        let size = Expr::given("element_bytes", "s", title, Bytes::new(self.dtype.bytes_per_element()))?;
        Derived::new(
            "matmul_bytes",
            "Q",
            "bytes moved, each operand once",
            (b.clone() * d.clone() + d * k.clone() + b * k) * size,
            &[reason("the least possible: a cache that holds what is used again")],
        )
    }

    /// FLOPs per byte moved.
    ///
    /// # Errors
    /// As [`Matmul::flop`], and if a matrix product has no elements at all.
    pub fn intensity(&self) -> Result<Derived<FlopPerByte>> {
        Derived::new(
            "intensity_flop_per_byte",
            "I",
            "arithmetic intensity",
            self.flop()?.expr() / self.bytes()?.expr(),
            &[],
        )
    }
}
