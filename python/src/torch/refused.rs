//! What PyTorch has no kernel for, though the engine has: eight-bit floats are for storage alone, and truth values are no
//! numbers. Source of the names: PyTorch 2.15 on a CPU.

use napkin_engine::DType;
use rustpython_vm::{PyResult, VirtualMachine};

use super::arguments::Bound;
use super::tensor::PyTensor;

/// The kernels that eight-bit floats lack, by operation.
const EIGHT_BIT: [(&str, &str); 65] = [
    ("_norm", "norm_cpu"),
    ("add", "add_stub"),
    ("amax", "max_values_cpu"),
    ("amin", "min_values_cpu"),
    ("argmax", "argmax_cpu"),
    ("argmin", "argmin_cpu"),
    ("argsort", "sorting_kernel_method_name"),
    ("atan2", "atan2_cpu"),
    ("ceil", "ceil_vml_cpu"),
    ("cos", "cos_vml_cpu"),
    ("cumprod", "cumprod_out_cpu"),
    ("cumsum", "cumsum_out_cpu"),
    ("div", "div_cpu"),
    ("dot", "dot"),
    ("erf", "erf_vml_cpu"),
    ("exp", "exp_vml_cpu"),
    ("exp2", "exp2"),
    ("expm1", "expm1_vml_cpu"),
    ("floor", "floor_vml_cpu"),
    ("floor_divide", "div_floor_cpu"),
    ("fmax", "fmax_cpu"),
    ("fmin", "fmin_cpu"),
    ("fmod", "fmod_cpu"),
    ("ge", "ge_cpu"),
    ("gt", "gt_cpu"),
    ("le", "le_cpu"),
    ("log", "log_vml_cpu"),
    ("log10", "log10_vml_cpu"),
    ("log1p", "log1p_vml_cpu"),
    ("log2", "log2_vml_cpu"),
    ("logical_and", "logical_and_cpu"),
    ("logical_not", "logical_not_cpu"),
    ("logical_or", "logical_or_cpu"),
    ("logsumexp", "max_values_cpu"),
    ("lt", "lt_cpu"),
    ("matmul", "dot"),
    ("max", "max_all"),
    ("maximum", "maximum_cpu"),
    ("mean", "sum_cpu"),
    ("median", "median_cpu"),
    ("min", "min_all"),
    ("minimum", "minimum_cpu"),
    ("neg", "neg_cpu"),
    ("nonzero", "nonzero_count_cpu"),
    ("pow", "pow"),
    ("prod", "prod_out_cpu"),
    ("reciprocal", "reciprocal_cpu"),
    ("relu", "clamp_min_scalar_cpu"),
    ("remainder", "remainder_cpu"),
    ("round", "round_vml_cpu"),
    ("rsqrt", "rsqrt_cpu"),
    ("rsub", "add_stub"),
    ("sigmoid", "sigmoid_cpu_reduced_float"),
    ("sign", "sign_cpu"),
    ("sin", "sin_vml_cpu"),
    ("sort", "sorting_kernel_method_name"),
    ("sqrt", "sqrt_vml_cpu"),
    ("square", "pow"),
    ("sub", "add_stub"),
    ("sum", "sum_cpu"),
    ("tanh", "tanh_vml_cpu"),
    ("topk", "topk_cpu"),
    ("tril", "tril"),
    ("triu", "triu"),
    ("trunc", "trunc_vml_cpu"),
];

/// The kernels that truth values lack.
const TRUTH: [(&str, &str); 9] = [
    ("ceil", "ceil_vml_cpu"),
    ("dot", "dot"),
    ("floor", "floor_vml_cpu"),
    ("floor_divide", "div_floor_cpu"),
    ("fmod", "fmod_cpu"),
    ("median", "median_cpu"),
    ("remainder", "remainder_cpu"),
    ("round", "round_vml_cpu"),
    ("trunc", "trunc_vml_cpu"),
];

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
    let of = |table: &[(&'static str, &'static str)]| {
        table.iter().find(|(operation, _)| *operation == name).map(|&(_, found)| found)
    };
    if let Some(words) = of(&TRUTH_WORDS).filter(|_| !is_eight_bit) {
        return Err(vm.new_not_implemented_error(words));
    }
    match of(if is_eight_bit { &EIGHT_BIT } else { &TRUTH }).filter(|_| is_alone) {
        Some(kernel) => {
            let class = dtype.scalar_type();
            Err(vm.new_not_implemented_error(format!("\"{kernel}\" not implemented for '{class}'")))
        }
        None => Ok(()),
    }
}
