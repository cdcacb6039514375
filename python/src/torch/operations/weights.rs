//! Weights as safetensors has them.

use napkin_engine::checkpoint::Weights;
use rustpython_vm::function::ArgBytesLike;
use rustpython_vm::{PyObjectRef, PyResult, TryFromObject, VirtualMachine};

use super::{Give, List, Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, elements};
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    // The bytes of a file with these tensors; keys and values of its texts take turns.
    "_to_safetensors(Any names, Tensor[] tensors, Any texts)" => |a| {
        let tensors = texts(a, 0)?.into_iter().zip(a.tensors(1)?).collect();
        let values = texts(a, 2)?;
        let values = values.as_chunks().0.iter().map(|[key, text]| (key.clone(), text.clone())).collect();
        let bytes = wait(Weights { tensors, values }.to_bytes()).or_raise(a.vm)?;
        PyObjectRef::from(a.vm.ctx.new_bytes(bytes))
    };
    // What is in a file: names, tensors, and the texts.
    "_from_safetensors(str name, Any data)" => |a| {
        let data = ArgBytesLike::try_from_object(a.vm, a.object(1).unwrap_or_else(|| a.vm.ctx.none()))?;
        let read = wait(Weights::from_bytes(&a.text(0)?, &data.borrow_buf())).or_raise(a.vm)?;
        let (names, tensors): (Vec<String>, Vec<_>) = read.tensors.into_iter().unzip();
        let texts = read.values.into_iter().flat_map(|(key, value)| [key, value]).collect();
        List(vec![list(names, a.vm)?, tensors.give(a.vm)?, list(texts, a.vm)?])
    };
};

fn texts(a: &Bound<'_>, at: usize) -> PyResult<Vec<String>> {
    let given = a.object(at).unwrap_or_else(|| a.vm.ctx.none());
    elements(&given, a.vm)?.into_iter().map(|text| String::try_from_object(a.vm, text)).collect()
}

fn list(texts: Vec<String>, vm: &VirtualMachine) -> PyResult {
    List(texts.into_iter().map(|text| vm.ctx.new_str(text).into()).collect()).give(vm)
}
