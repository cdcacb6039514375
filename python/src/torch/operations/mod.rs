//! Every operation once: its signature and what the engine does. An operation whose first parameter is `Tensor input` is
//! a method as well.

mod autograd;
mod bytes;
mod creation;
mod einops;
mod indexing;
mod memory;
mod nn;
mod optim;
mod pointwise;
mod products;
mod random;
mod reductions;
mod shapes;
mod weights;

use std::rc::Rc;

use napkin_engine::autograd::is_grad_enabled;
use napkin_engine::{Error, Scalar, Tensor};
use rustpython_vm::builtins::{PyModule, PyTuple, PyTypeRef};
use rustpython_vm::class::StaticType;
use rustpython_vm::function::{FuncArgs, HeapMethodDef, ItemDoc, PyMethodFlags};
use rustpython_vm::{AsObject, Py, PyObjectRef, PyRef, PyResult, VirtualMachine};

use super::arguments::{Bound, elements};
use super::signature::{Kind, Signature};
use super::tensor::{PyTensor, number, set_class};
use super::{OrRaise, refused};
use crate::polling;

/// What an operation does with its arguments.
type Run = fn(&Bound<'_>) -> PyResult;

/// An operation, or one of several of the same name that take other arguments.
pub(crate) struct Operation {
    pub(crate) signature: &'static str,
    pub(crate) run: Run,
}

/// What an operation gives back.
pub(crate) trait Give {
    fn give(self, vm: &VirtualMachine) -> PyResult;
}

impl Give for Tensor {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        Ok(PyTensor::object(self, vm)?.into())
    }
}

impl Give for Scalar {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        Ok(number(self, vm))
    }
}

/// Numbers and truth values.
macro_rules! give {
    ($($kind:ty: $new:ident),+) => {
        $(impl Give for $kind {
            fn give(self, vm: &VirtualMachine) -> PyResult {
                Ok(vm.ctx.$new(self).into())
            }
        })+
    };
}
give!(bool: new_bool, usize: new_int, u64: new_int, f64: new_float);

impl Give for () {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        Ok(vm.ctx.none())
    }
}

/// What may be raised on the way.
impl<T: Give> Give for PyResult<T> {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        self?.give(vm)
    }
}

impl Give for PyObjectRef {
    fn give(self, _vm: &VirtualMachine) -> PyResult {
        Ok(self)
    }
}

/// As a tuple.
impl Give for Vec<Tensor> {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        let all = self.into_iter().map(|tensor| tensor.give(vm)).collect::<PyResult<_>>()?;
        Ok(vm.ctx.new_tuple(all).into())
    }
}

/// Values and indices, as the tuple of that name in `torch.return_types`.
pub(super) struct Named(&'static str, (Tensor, Tensor));

impl Give for Named {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        let (values, indices) = self.1;
        let class = vm.import("torch.return_types", 0)?.get_attr("return_types", vm)?.get_attr(self.0, vm)?;
        class.call((values.give(vm)?, indices.give(vm)?), vm)
    }
}

/// As a list.
pub(super) struct List(Vec<PyObjectRef>);

impl Give for List {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        Ok(vm.ctx.new_list(self.0).into())
    }
}

/// `None` where there is none.
impl<T: Give> Give for Option<T> {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        self.map_or_else(|| Ok(vm.ctx.none()), |value| value.give(vm))
    }
}

impl<T: Give> Give for napkin_engine::Result<T> {
    fn give(self, vm: &VirtualMachine) -> PyResult {
        self.or_raise(vm)?.give(vm)
    }
}

/// A table of operations.
macro_rules! operations {
    ($($signature:expr => |$a:ident| $body:expr;)+) => {
        &[$($crate::torch::operations::Operation {
            signature: $signature,
            run: |$a| $crate::torch::operations::Give::give($body, $a.vm),
        }),+]
    };
}
pub(crate) use operations;

/// All tables.
const ALL: [&[Operation]; 14] = [
    pointwise::BY_NAME,
    pointwise::OPERATIONS,
    reductions::OPERATIONS,
    shapes::OPERATIONS,
    indexing::OPERATIONS,
    products::OPERATIONS,
    creation::OPERATIONS,
    memory::OPERATIONS,
    random::OPERATIONS,
    autograd::OPERATIONS,
    bytes::OPERATIONS,
    weights::OPERATIONS,
    optim::OPERATIONS,
    einops::OPERATIONS,
];

/// Operators that leave to the other side what they do not take.
const OPERATORS: [&str; 9] = ["add", "sub", "rsub", "mul", "div", "lt", "le", "gt", "ge"];

/// An operation on a few elements takes as long as so many rounds of an empty loop.
const ROUNDS: u32 = 8;
/// And a large one as one more for so many elements.
const ELEMENTS_PER_ROUND: usize = 16 << 10;

/// Operations of which PyTorch has several with as many arguments: it does not say what is wrong with one of them.
const OVERLOADED: &str =
    "rand randn randint sum prod max min std var clamp clamp_ masked_fill masked_fill_ where view";

/// What PyTorch says of arguments that none of them takes.
fn no_overload(name: &str, args: &FuncArgs, is_method: bool) -> String {
    let given: Vec<String> = args.args.iter().skip(usize::from(is_method)).map(class_of).collect();
    let named: Vec<String> =
        args.kwargs.iter().map(|(name, value)| format!("{name}={}", class_of(value))).collect();
    let comma = if given.is_empty() && !named.is_empty() { ", " } else { "" };
    let all = [given, named].concat().join(", ");
    format!(
        "{name}() received an invalid combination of arguments - got ({all}{comma}), but expected one of:\n"
    )
}

fn class_of(object: &PyObjectRef) -> String {
    object.class().name().to_string()
}

/// Results that show elements of the argument, or of what it shows itself, know that object as their base.
fn shown_as_views(result: &PyObjectRef, input: &PyRef<PyTensor>, vm: &VirtualMachine) -> PyResult<()> {
    if let Some(view) = result.downcast_ref::<PyTensor>() {
        view.show(input);
    } else if result.downcast_ref::<PyTuple>().is_some() {
        for part in elements(result, vm)?.iter().filter_map(|part| part.downcast_ref::<PyTensor>()) {
            part.show(input);
        }
    }
    Ok(())
}

/// Rounds of an empty loop that an operation takes about as long as.
fn rounds(bound: &Bound<'_>) -> u32 {
    let elements = bound.elements(0);
    ROUNDS + u32::try_from(elements / ELEMENTS_PER_ROUND).unwrap_or(u32::MAX).min(u32::MAX / 2)
}

/// What one name stands for.
struct Overloads {
    name: &'static str,
    of: Vec<(Signature, Run)>,
}

impl Overloads {
    /// With `out=`, what comes of it is written to the tensor that is given there, which comes back.
    fn call_out(&self, mut args: FuncArgs, is_method: bool, vm: &VirtualMachine) -> PyResult {
        let out = args.kwargs.swap_remove("out").filter(|out| !vm.is_none(out));
        let found = self.call(&args, is_method, vm)?;
        let Some(out) = out else { return Ok(found) };
        let records = |x: &PyObjectRef| x.downcast_ref::<PyTensor>().is_some_and(|x| x.get().requires_grad());
        if is_grad_enabled() && (records(&found) || records(&out)) {
            return Err(vm.new_runtime_error(format!(
                "{}(): functions with out=... arguments don't support automatic differentiation, but one of the \
                 arguments requires grad.",
                self.name
            )));
        }
        vm.call_method(&out, "copy_", (found,))
    }

    /// As an operator, which leaves to the other side what it does not take.
    fn call_operator(&self, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        if let [_, other] = args.args.as_mut_slice() {
            let (int, float) = (vm.ctx.types.int_type, vm.ctx.types.float_type);
            let is_taken = other.downcast_ref::<PyTensor>().is_some()
                || other.fast_isinstance(int)
                || other.fast_isinstance(float);
            if !is_taken {
                // An array of NumPy's is its tensor here.
                match vm.get_attribute_opt(other, "_tensor")? {
                    Some(tensor) => *other = tensor,
                    None => return Ok(vm.ctx.not_implemented()),
                }
            }
        }
        self.call(&args, true, vm)
    }

    /// Runs the first that takes these arguments.
    fn call(&self, args: &FuncArgs, is_method: bool, vm: &VirtualMachine) -> PyResult {
        let mut refused = None;
        for (signature, run) in &self.of {
            match Bound::new(signature, args, is_method, vm) {
                Ok(bound) => {
                    polling::spend(rounds(&bound), vm)?;
                    refused::check(self.name, &bound, vm)?;
                    let result = run(&bound)?;
                    if let Some(input) = bound.object(0).and_then(|input| input.downcast::<PyTensor>().ok()) {
                        shown_as_views(&result, &input, vm)?;
                    }
                    return Ok(result);
                }
                Err(error) => refused = Some(refused.unwrap_or(error)),
            }
        }
        // A function of one argument can only have been meant in one way.
        let count = args.args.len() + args.kwargs.len();
        if OVERLOADED.split(' ').any(|name| name == self.name) && (is_method || count != 1) {
            return Err(vm.new_type_error(no_overload(self.name, args, is_method)));
        }
        Err(refused.unwrap_or_else(|| vm.new_type_error(format!("{}() takes nothing", self.name))))
    }

    fn definition(self: &Rc<Self>, is_method: bool, vm: &VirtualMachine) -> PyRef<HeapMethodDef> {
        let overloads = self.clone();
        vm.ctx.new_method_def(
            self.name,
            move |args: FuncArgs, vm: &VirtualMachine| overloads.call_out(args, is_method, vm),
            PyMethodFlags::EMPTY,
            ItemDoc { text: None, offset: 0, len: 0 },
        )
    }

    fn is_method(&self) -> bool {
        self.of.iter().any(|(signature, _)| {
            signature
                .parameters
                .first()
                .is_some_and(|first| first.name == "input" && first.kind == Kind::Tensor)
        })
    }
}

/// Makes every operation a function of the module, and a method of its class of tensors; those of networks are functions
/// of its part `_nn`.
pub(super) fn install(module: &Py<PyModule>, vm: &VirtualMachine) -> PyResult<()> {
    let class = PyTensor::static_type();
    for overloads in named(&ALL) {
        let (name, overloads) = (overloads.name, Rc::new(overloads));
        module.set_attr(name, overloads.definition(false, vm).build_function(vm, None), vm)?;
        if overloads.is_method() {
            class.set_str_attr(name, overloads.definition(true, vm).build_method(class, vm), &vm.ctx);
        }
        if OPERATORS.contains(&name) {
            let definition = vm.ctx.new_method_def(
                name,
                move |args: FuncArgs, vm: &VirtualMachine| overloads.call_operator(args, vm),
                PyMethodFlags::EMPTY,
                ItemDoc { text: None, offset: 0, len: 0 },
            );
            let operator = vm.ctx.intern_str(format!("_operator_{name}"));
            class.set_attr(operator, definition.build_method(class, vm).into());
        }
    }
    let networks = vm.new_module("_torch._nn", vm.ctx.new_dict(), None);
    for overloads in named(&[nn::OPERATIONS]) {
        let (name, overloads) = (overloads.name, Rc::new(overloads));
        networks.set_attr(name, overloads.definition(false, vm).build_function(vm, None), vm)?;
    }
    module.set_attr("_nn", networks, vm)?;
    let set = vm.ctx.new_method_def(
        "_set_class",
        |class: PyTypeRef, _vm: &VirtualMachine| set_class(class),
        PyMethodFlags::EMPTY,
        ItemDoc { text: None, offset: 0, len: 0 },
    );
    module.set_attr("_set_class", set.build_function(vm, None), vm)
}

/// An index that leads out of a dimension, as operations say it that take whole rows.
fn out_of_range(error: Error) -> Error {
    match error {
        Error::Value { op: "index", .. } => {
            Error::Index { op: "index_select", message: "index out of range in self".to_owned() }
        }
        other => other,
    }
}

/// Operations of one name together.
fn named(tables: &[&'static [Operation]]) -> Vec<Overloads> {
    let mut all: Vec<Overloads> = Vec::new();
    for operation in tables.iter().copied().flatten() {
        let signature = Signature::new(operation.signature);
        match all.iter_mut().find(|known| known.name == signature.name) {
            Some(known) => known.of.push((signature, operation.run)),
            None => all.push(Overloads { name: signature.name, of: vec![(signature, operation.run)] }),
        }
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::collections::HashSet;
    use std::fs;

    use super::{ALL, named, nn};

    #[test]
    fn every_operation_is_in_a_script() {
        let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts")).unwrap();
        let scripts: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        let scripts = scripts.iter().filter(|path| path.extension().is_some_and(|end| end == "py"));
        let text: String = scripts.map(|path| fs::read_to_string(path).unwrap()).collect();
        let words: HashSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        // What only the library's own Python calls begins with an underscore.
        let names = named(&ALL).into_iter().chain(named(&[nn::OPERATIONS])).map(|all| all.name);
        let missing: Vec<_> = names.filter(|name| !name.starts_with('_') && !words.contains(name)).collect();
        assert!(missing.is_empty(), "no script in python/tests/scripts calls {missing:?}");
    }
}
