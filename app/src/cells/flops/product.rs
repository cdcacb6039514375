//! The product that formula and measurement share: assumptions of the calculators, read for the worker.

use napkin_accounting::calc::Field;
use napkin_accounting::calc::fields::{B, D, DTYPE, K};
use napkin_accounting::{Count, decimal, parse};
use napkin_notebook::{DeviceKind, MatmulSpec};

use crate::state::State;

/// What the worker multiplies in: an assumption's id, and PyTorch's name.
const DTYPES: [(&str, &str); 4] =
    [("fp32", "float32"), ("fp16", "float16"), ("bf16", "bfloat16"), ("fp8", "float8_e4m3fn")];

/// The product as the worker takes it, or why it cannot; tracked.
pub fn spec(state: State, device: DeviceKind) -> Result<MatmulSpec, String> {
    let text = |field: &Field| state.assumption(field.key).unwrap_or_else(|| field.default.to_owned());
    let size = |field: &Field| {
        let count: Result<Count, _> = parse(field.label, &text(field));
        count.map(|count| count.value() as usize).map_err(|error| format!("{error}."))
    };
    let dtype = text(&DTYPE);
    let torch = DTYPES.iter().find(|(id, _)| id.eq_ignore_ascii_case(&dtype));
    let (_, torch) =
        torch.ok_or_else(|| format!("This machine multiplies in no {dtype}: PyTorch has no such dtype."))?;
    Ok(MatmulSpec { device, m: size(&B)?, n: size(&K)?, k: size(&D)?, dtype: (*torch).to_owned() })
}

/// The line of Python that all this is about.
pub fn code(spec: &MatmulSpec) -> String {
    let MatmulSpec { m, n, k, dtype, .. } = spec;
    let [m, n, k] = [m, n, k].map(|size| decimal::shortest(*size as f64));
    format!("torch.ones({m}, {k}, dtype=torch.{dtype}) @ torch.ones({k}, {n}, dtype=torch.{dtype})")
}
