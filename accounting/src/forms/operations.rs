//! Work and data of the operations that a roofline is for.
//!
//! Bytes are the least possible: what goes in once, what comes out once. An exponential or a root counts as one FLOP.

use crate::papers::{self, Paper, reason};
use crate::{Bytes, Derived, Expr, Flop, FlopPerByte, Result, Unit};

/// What an operation does.
#[derive(Debug, Clone)]
pub struct Operation {
    /// What it is.
    pub title: &'static str,
    /// FLOPs.
    pub flop: Derived<Flop>,
    /// Bytes moved.
    pub bytes: Derived<Bytes>,
    /// Their ratio.
    pub intensity: Derived<FlopPerByte>,
}

impl Operation {
    fn new(title: &'static str, names: &Names, flop: Expr, bytes: Expr, paper: Paper) -> Result<Self> {
        let flop = Expr::constant(1.0, Unit::FLOP) * flop;
        Self::with_units(title, names, flop, bytes, paper)
    }

    pub(super) fn with_units(
        title: &'static str,
        names: &Names,
        flop: Expr,
        bytes: Expr,
        paper: Paper,
    ) -> Result<Self> {
        let flop = Derived::new(names.flop, "C", format!("FLOPs of {title}"), flop, &[paper])?;
        let bytes = Derived::new(names.bytes, "Q", format!("bytes moved by {title}"), bytes, &[])?;
        let intensity = Derived::new(
            names.intensity,
            "I",
            format!("arithmetic intensity of {title}"),
            flop.expr() / &bytes,
            &[papers::ROOFLINE],
        )?;
        Ok(Self { title, flop, bytes, intensity })
    }
}

/// Python names of an operation's results.
pub(super) struct Names {
    pub(super) flop: &'static str,
    pub(super) bytes: &'static str,
    pub(super) intensity: &'static str,
}

macro_rules! names {
    ($name:literal) => {
        Names {
            flop: concat!($name, "_flop"),
            bytes: concat!($name, "_bytes"),
            intensity: concat!($name, "_flop_per_byte"),
        }
    };
}
pub(super) use names;

/// The operations on vectors and matrices of size `n` with elements of so many bytes.
///
/// # Errors
/// If a count exceeds 2^128.
pub fn operations(n: &Expr, element_bytes: f64) -> Result<Vec<Operation>> {
    let e = || Expr::constant(element_bytes, Unit::BYTE);
    let n2 = || n * n;
    Ok(vec![
        Operation::new(
            "relu of n elements",
            &names!("relu"),
            n.clone(),
            2.0 * n * e(),
            reason("one comparison per element; read and written"),
        )?,
        Operation::new(
            "a sum of two vectors",
            &names!("add"),
            n.clone(),
            3.0 * n * e(),
            reason("one addition per element; two read, one written"),
        )?,
        Operation::new(
            "dot product of n elements",
            &names!("dot"),
            2.0 * n - 1.0,
            (2.0 * n + 1.0) * e(),
            reason("n multiplications, n − 1 additions; both vectors read"),
        )?,
        Operation::new(
            "matrix times vector, n×n",
            &names!("matvec"),
            n * (2.0 * n - 1.0),
            (n2() + 2.0 * n) * e(),
            reason("a dot product per row; every element of the matrix is read for one multiplication"),
        )?,
        Operation::new(
            "matrix times matrix, n×n",
            &names!("matmul"),
            2.0 * n * n * n,
            3.0 * n2() * e(),
            reason("one multiplication and one addition per triple; three matrices moved"),
        )?,
        Operation::new(
            "softmax of n×n",
            &names!("softmax"),
            5.0 * n2(),
            2.0 * n2() * e(),
            reason("per element a comparison, subtraction, exponential, addition and division"),
        )?,
        Operation::new(
            "layer norm of n×n",
            &names!("layer_norm"),
            7.0 * n2(),
            (2.0 * n2() + 2.0 * n) * e(),
            reason("per element mean 1, centring 1, squares 2, scaling 1, weight and bias 2"),
        )?,
        Operation::new(
            "RMS norm of n×n",
            &names!("rms_norm"),
            4.0 * n2(),
            (2.0 * n2() + n) * e(),
            reason("per element squares 2, scaling 1, weight 1"),
        )?,
        Operation::new(
            "attention of n tokens, a head of 128, its matrix in memory",
            &names!("attention"),
            4.0 * n2() * 128.0 + 5.0 * n2(),
            (4.0 * n * 128.0 + 4.0 * n2()) * e(),
            papers::VASWANI,
        )?,
        Operation::new(
            "attention of n tokens, a head of 128, flash",
            &names!("flash_attention"),
            4.0 * n2() * 128.0 + 5.0 * n2(),
            4.0 * n * 128.0 * e(),
            papers::FLASH,
        )?,
    ])
}
