//! The module `_math`: functions of real numbers for `math`, to the last bit those of C's library.

pub(crate) use native::module_def;
use pymath::math;
use rustpython_vm::builtins::PyModule;
use rustpython_vm::function::{ArgIntoFloat, FuncArgs, ItemDoc, PyMethodFlags};
use rustpython_vm::{AsObject, Py, PyResult, VirtualMachine};

type Unary = fn(f64) -> pymath::Result<f64>;
type Binary = fn(f64, f64) -> pymath::Result<f64>;

/// Functions of one number, and what is said of a number that they do not take.
const UNARY: &[(&str, Unary, &str)] = &[
    ("acos", math::acos, "expected a number in range from -1 up to 1, got "),
    ("acosh", math::acosh, "expected argument value not less than 1, got "),
    ("asin", math::asin, "expected a number in range from -1 up to 1, got "),
    ("asinh", math::asinh, ""),
    ("atan", math::atan, ""),
    ("atanh", math::atanh, "expected a number between -1 and 1, got "),
    ("cbrt", math::cbrt, ""),
    ("cos", math::cos, "expected a finite input, got "),
    ("cosh", math::cosh, ""),
    ("degrees", |x| Ok(math::degrees(x)), ""),
    ("erf", math::erf, ""),
    ("erfc", math::erfc, ""),
    ("exp", math::exp, ""),
    ("exp2", math::exp2, ""),
    ("expm1", math::expm1, ""),
    ("fabs", math::fabs, ""),
    ("gamma", math::gamma, "expected a noninteger or positive integer, got "),
    ("lgamma", math::lgamma, "expected a noninteger or positive integer, got "),
    ("_log", |x| math::log(x, None), "expected a positive input, got "),
    ("_log10", math::log10, "expected a positive input, got "),
    ("_log2", math::log2, "expected a positive input, got "),
    ("log1p", math::log1p, "expected argument value > -1, got "),
    ("radians", |x| Ok(math::radians(x)), ""),
    ("sin", math::sin, "expected a finite input, got "),
    ("sinh", math::sinh, ""),
    ("sqrt", math::sqrt, "expected a nonnegative input, got "),
    ("tan", math::tan, "expected a finite input, got "),
    ("tanh", math::tanh, ""),
    ("ulp", |x| Ok(math::ulp(x)), ""),
];

/// Functions of two numbers.
const BINARY: &[(&str, Binary)] = &[
    ("atan2", math::atan2),
    ("copysign", math::copysign),
    ("fmod", math::fmod),
    ("nextafter", |x, y| Ok(math::nextafter(x, y, None))),
    ("pow", math::pow),
    ("remainder", math::remainder),
];

fn number(args: &FuncArgs, at: usize, name: &str, vm: &VirtualMachine) -> PyResult<f64> {
    match args.args.get(at) {
        Some(object) => object.try_float(vm).map(|number| number.to_f64()),
        None => {
            Err(vm.new_type_error(format!("{name} expected {} arguments, got {}", at + 1, args.args.len())))
        }
    }
}

fn install(module: &Py<PyModule>, vm: &VirtualMachine) -> PyResult<()> {
    for &(name, function, refusal) in UNARY {
        let call = move |args: FuncArgs, vm: &VirtualMachine| {
            let x = number(&args, 0, name, vm)?;
            function(x).map_err(|error| match error {
                pymath::Error::EDOM if !refusal.is_empty() => {
                    let shown = vm.ctx.new_float(x).as_object().repr(vm);
                    vm.new_value_error(format!(
                        "{refusal}{}",
                        shown.map(|text| text.to_string()).unwrap_or_default()
                    ))
                }
                error => refused(&error, vm),
            })
        };
        define(module, name, call, vm)?;
    }
    for &(name, function) in BINARY {
        let call = move |args: FuncArgs, vm: &VirtualMachine| {
            function(number(&args, 0, name, vm)?, number(&args, 1, name, vm)?)
                .map_err(|error| refused(&error, vm))
        };
        define(module, name, call, vm)?;
    }
    Ok(())
}

fn define<K>(
    module: &Py<PyModule>,
    name: &'static str,
    call: impl rustpython_vm::function::IntoPyNativeFn<K>,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let definition =
        vm.ctx.new_method_def(name, call, PyMethodFlags::EMPTY, ItemDoc { text: None, offset: 0, len: 0 });
    module.set_attr(name, definition.build_function(vm, None), vm)
}

fn refused(error: &pymath::Error, vm: &VirtualMachine) -> rustpython_vm::builtins::PyBaseExceptionRef {
    match error {
        pymath::Error::EDOM => vm.new_value_error("math domain error"),
        pymath::Error::ERANGE => vm.new_overflow_error("math range error"),
    }
}

fn floats(values: Vec<ArgIntoFloat>) -> Vec<f64> {
    values.into_iter().map(ArgIntoFloat::into_float).collect()
}

#[rustpython_vm::pymodule(name = "_math")]
mod native {
    use rustpython_vm::builtins::PyModule;
    use rustpython_vm::function::{ArgIntoFloat, PosArgs};
    use rustpython_vm::{Py, PyResult, VirtualMachine};

    use super::{floats, math, refused};

    #[pyfunction]
    fn frexp(x: ArgIntoFloat) -> (f64, i32) {
        math::frexp(x.into_float())
    }

    #[pyfunction]
    fn ldexp(x: ArgIntoFloat, exponent: i32, vm: &VirtualMachine) -> PyResult<f64> {
        math::ldexp(x.into_float(), exponent).map_err(|error| refused(&error, vm))
    }

    #[pyfunction]
    fn modf(x: ArgIntoFloat) -> (f64, f64) {
        math::modf(x.into_float())
    }

    #[pyfunction]
    fn isfinite(x: ArgIntoFloat) -> bool {
        x.into_float().is_finite()
    }

    #[pyfunction]
    fn isinf(x: ArgIntoFloat) -> bool {
        x.into_float().is_infinite()
    }

    #[pyfunction]
    fn isnan(x: ArgIntoFloat) -> bool {
        x.into_float().is_nan()
    }

    #[pyfunction]
    fn hypot(coordinates: PosArgs<ArgIntoFloat>) -> f64 {
        math::hypot(&floats(coordinates.into_vec()))
    }

    #[pyfunction]
    fn fsum(values: Vec<ArgIntoFloat>, vm: &VirtualMachine) -> PyResult<f64> {
        math::fsum(floats(values)).map_err(|error| refused(&error, vm))
    }

    #[pyfunction]
    fn fma(x: ArgIntoFloat, y: ArgIntoFloat, z: ArgIntoFloat, vm: &VirtualMachine) -> PyResult<f64> {
        math::fma(x.into_float(), y.into_float(), z.into_float()).map_err(|error| refused(&error, vm))
    }

    pub(crate) fn module_exec(vm: &VirtualMachine, module: &Py<PyModule>) -> PyResult<()> {
        __module_exec(vm, module);
        super::install(module, vm)
    }
}
