//! What PyTorch has no kernel for, though the engine has: eight-bit floats are for storage alone, and truth values are no
//! numbers. As PyTorch 2.15 on a CPU.

use napkin_engine::DType;
use rustpython_vm::{PyResult, VirtualMachine};

use super::arguments::Bound;
use super::tensor::PyTensor;

/// What eight-bit floats lack.
const EIGHT_BIT: &str = "_norm add amax amin argmax argmin argsort atan2 ceil cos cumprod cumsum div dot erf exp exp2 \
    expm1 floor floor_divide fmax fmin fmod ge gt le log log10 log1p log2 logical_and logical_not \
    logical_or logsumexp lt matmul max maximum mean median min minimum neg nonzero pow prod \
    reciprocal relu remainder round rsqrt rsub sigmoid sign sin sort sqrt square sub sum tanh topk \
    tril triu trunc";

/// What truth values lack.
const TRUTH: &str = "ceil dot floor floor_divide fmod median remainder round trunc";

/// Truth values again, in words of their own.
const TRUTH_WORDS: [(&str, &str); 4] = [
    ("argmax", "argmax(): does not support bool input"),
    ("argmin", "argmin(): does not support bool input"),
    ("relu", "Boolean inputs not supported for relu"),
    ("topk", "topk does not support bool dtypes on CPU"),
];

/// # Errors
/// When PyTorch has no kernel of that name for the dtype of the arguments.
pub(super) fn check(name: &str, bound: &Bound<'_>, vm: &VirtualMachine) -> PyResult<()> {
    let dtype_at = |at: usize| Some(bound.object(at)?.downcast_ref::<PyTensor>()?.get().dtype());
    let Some(dtype) = dtype_at(0) else { return Ok(()) };
    let is_eight_bit = matches!(dtype, DType::F8E4M3FN | DType::F8E5M2);
    if !is_eight_bit && dtype != DType::Bool {
        return Ok(());
    }
    let name = name.strip_suffix('_').unwrap_or(name);
    // With another dtype the result has that one; a number does not change eight-bit floats.
    let is_alone = !bound.has(1) || dtype_at(1).map_or(is_eight_bit, |other| other == dtype);
    let words = TRUTH_WORDS.iter().find(|(operation, _)| *operation == name).map(|(_, words)| *words);
    if let Some(words) = words.filter(|_| !is_eight_bit) {
        return Err(vm.new_not_implemented_error(words));
    }
    let lacking = if is_eight_bit { EIGHT_BIT } else { TRUTH };
    if is_alone && lacking.split(' ').any(|operation| operation == name) {
        let (class, kernel) = (dtype.scalar_type(), if name == "floor_divide" { "div_floor" } else { name });
        return Err(vm.new_not_implemented_error(format!("\"{kernel}_cpu\" not implemented for '{class}'")));
    }
    Ok(())
}
