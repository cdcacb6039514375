//! Bytes of a tensor.

use crate::papers::{self, reason};
use crate::{Bits, Bytes, Count, Derived, Expr, Result, Unit};

/// How an element is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    /// Bits of an element.
    pub bits: u64,
    /// Elements of a row that share a scale of 8 bits; 0 for none.
    pub block: u64,
    /// Bytes besides the blocks, once per tensor.
    pub tensor_scale_bytes: u64,
}

/// Size of a tensor.
#[derive(Debug, Clone)]
pub struct TensorSize {
    /// Elements.
    pub numel: Derived<Count>,
    /// Bits of an element.
    pub element: Derived<Bits>,
    /// Bytes in all.
    pub bytes: Derived<Bytes>,
}

/// The size of a tensor of that shape.
///
/// # Errors
/// If it is too large.
pub fn size(shape: &[u64], storage: Storage) -> Result<TensorSize> {
    const NAMES: [(&str, &str); 8] = [
        ("dim_0", "n_0"),
        ("dim_1", "n_1"),
        ("dim_2", "n_2"),
        ("dim_3", "n_3"),
        ("dim_4", "n_4"),
        ("dim_5", "n_5"),
        ("dim_6", "n_6"),
        ("dim_7", "n_7"),
    ];
    let sizes = NAMES
        .iter()
        .zip(shape)
        .map(|((name, symbol), &size)| Expr::size(name, symbol, "size of a dimension", size));
    let sizes: Vec<Expr> = sizes.collect();
    let product = |sizes: &[Expr]| sizes.iter().cloned().reduce(|product, size| product * size);
    let numel = product(&sizes).unwrap_or_else(|| 1.0.into());
    let numel: Derived<Count> = Derived::new("numel", "n", "elements", numel, &[])?;
    let element: Derived<Bits> = Derived::new(
        "element_bits",
        "e",
        "bits of an element",
        Expr::constant(storage.bits as f64, Unit::BIT),
        &[],
    )?;
    let per_byte = Expr::constant(8.0, Unit::BIT.per(Unit::BYTE));
    let values = (numel.expr() * &element).div_ceil(per_byte);
    // Blocks lie within rows, so that the last one of a row may be short.
    let blocks = |block: u64| {
        let (row, rows) =
            sizes.split_last().map_or((1.0.into(), None), |(row, rows)| (row.clone(), product(rows)));
        let in_row = row.div_ceil(block as f64);
        rows.map_or(in_row.clone(), |rows| rows * in_row)
    };
    let scale = Expr::constant(1.0, Unit::BYTE);
    let (bytes, papers) = match (storage.block, storage.tensor_scale_bytes) {
        (0, _) => (values, vec![reason("elements lie side by side in whole bytes")]),
        (block, 0) => (values + blocks(block) * scale, vec![papers::MX]),
        (block, whole) => (
            values + blocks(block) * scale + Expr::constant(whole as f64, Unit::BYTE),
            vec![reason(
                "NVFP4: blocks of 16 with a float8_e4m3fn scale each, and one float32 scale of the tensor",
            )],
        ),
    };
    let bytes = Derived::new("tensor_bytes", "M", "bytes of the tensor", bytes, &papers)?;
    Ok(TensorSize { numel, element, bytes })
}
