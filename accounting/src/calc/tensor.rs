//! Bytes of a tensor.

use super::fields::{SHAPE, TENSOR_DTYPE};
use super::{Calculator, Cell, Inputs, Sheet, Table};
use crate::forms::tensor::{Storage, TensorSize, size};
use crate::papers::reason;
use crate::parse::without_separators;
use crate::{Derived, Error, Expr, Ratio, Result, Unit};

pub(super) const TENSOR: Calculator = Calculator {
    id: "tensor",
    title: "Bytes of a tensor",
    about: "The bytes of a tensor: elements times their size, with block scales where a format has them",
    example: "napkin calc tensor --shape 49152x12288 --dtype fp32",
    fields: &[&SHAPE, &TENSOR_DTYPE],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let shape = shape(inputs)?;
    let size = |storage| size(&shape, storage).map_err(|error| inputs.about(&SHAPE, error));
    let TensorSize { numel, element, bytes } = size(storage(inputs.choice(&TENSOR_DTYPE)?))?;
    let mut table = Table::new(&["format", "bits of an element", "bytes", "in powers of 1024"]);
    for choice in TENSOR_DTYPE.choices() {
        let TensorSize { element, bytes, .. } = size(storage(choice.id))?;
        let binary = crate::format::binary_bytes(bytes.value);
        table.row(choice.label, vec![Cell::from(&element), Cell::from(&bytes), binary.into()]);
    }
    let mebibytes: Derived<Ratio> = Derived::new(
        "tensor_mebibytes",
        "M_2",
        "in MiB",
        bytes.expr() / Expr::constant(1_048_576.0, Unit::BYTE),
        &[reason("a MiB is 2^20 bytes, a MB 10^6")],
    )?;
    Ok(Sheet::default()
        .with("bytes", "", vec![bytes.into(), mebibytes.into(), numel.into(), element.into()])
        .with("formats", "In every format", table))
}

/// "4x8", "4×8", "4, 8", "(4, 8)": up to eight dimensions; nothing for a scalar.
fn shape(inputs: &Inputs) -> Result<Vec<u64>> {
    let text = inputs.text(&SHAPE);
    let refuse = |rule: &str| Error::input(&inputs.called(&SHAPE), rule, text);
    let inner = text.trim_matches(['(', ')', '[', ']']).trim();
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    let sizes = inner.trim_end_matches(',').split(['x', 'X', '×', '*', ',']);
    let sizes: Option<Vec<u64>> = sizes.map(|size| without_separators(size.trim())?.parse().ok()).collect();
    let sizes = sizes.ok_or_else(|| refuse("whole numbers with x between them, such as 4x8"))?;
    match sizes.len() {
        ..=8 if sizes.iter().all(|&size| size <= 1 << 53) => Ok(sizes),
        ..=8 => Err(refuse("of sizes up to 2^53")),
        _ => Err(refuse("of at most 8 dimensions")),
    }
}

fn storage(id: &str) -> Storage {
    let plain = |bits| Storage { bits, block: 0, tensor_scale_bytes: 0 };
    match id {
        "fp64" | "int64" => plain(64),
        "fp16" | "bf16" => plain(16),
        "e4m3" | "e5m2" | "int8" | "bool" => plain(8),
        "mxfp8" => Storage { block: 32, ..plain(8) },
        "fp4" => plain(4),
        "mxfp4" => Storage { block: 32, ..plain(4) },
        "nvfp4" => Storage { block: 16, tensor_scale_bytes: 4, ..plain(4) },
        _ => plain(32),
    }
}
