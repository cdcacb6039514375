//! Random numbers, drawn as PyTorch's CPU generator draws them.

use napkin_engine::{DType, Device, Tensor};
use rustpython_vm::PyResult;

use super::{Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::Bound;
use crate::torch::generator::PyGenerator;
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "_default_generator()" => |a| rustpython_vm::PyObjectRef::from(PyGenerator::default_one(a.vm));
    "rand(int[*] size, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let out = Tensor::empty(&a.shape(0)?, a.dtype(2).unwrap_or(DType::standard()), &a.device(3)?).or_raise(a.vm)?;
        out.uniform_(0.0, 1.0, &mut a.generator(1)?.draw()).or_raise(a.vm)?;
        a.made(out, 4)?
    };
    "randn(int[*] size, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let out = Tensor::empty(&a.shape(0)?, a.dtype(2).unwrap_or(DType::standard()), &a.device(3)?).or_raise(a.vm)?;
        out.normal_(0.0, 1.0, &mut a.generator(1)?.draw()).or_raise(a.vm)?;
        a.made(out, 4)?
    };
    "_normal(float mean, float std, int[] size, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let out = Tensor::empty(&a.shape(2)?, a.dtype(4).unwrap_or(DType::standard()), &a.device(5)?).or_raise(a.vm)?;
        out.normal_(a.float_or(0, 0.0)?, a.float_or(1, 1.0)?, &mut a.generator(3)?.draw()).or_raise(a.vm)?;
        a.made(out, 6)?
    };
    "randint(int low, int high, int[] size, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        integers(a, a.int(0)?, 1)?
    };
    "randint(int high, int[] size, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        integers(a, 0, 0)?
    };
    "randperm(int n, *, Generator? generator=None, dtype? dtype=None, device? device=None)" => |a| {
        Tensor::randperm(a.size(0)?, a.dtype(2).unwrap_or(DType::I64), &mut a.generator(1)?.draw(), &a.device(3)?)
    };
    "rand_like(Tensor input, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False, Any? memory_format=None)" => |a| {
        let out = alike(a, 2)?;
        out.uniform_(0.0, 1.0, &mut a.generator(1)?.draw()).or_raise(a.vm)?;
        a.made(out, 4)?
    };
    "randn_like(Tensor input, *, Generator? generator=None, dtype? dtype=None, device? device=None, bool requires_grad=False, Any? memory_format=None)" => |a| {
        let out = alike(a, 2)?;
        out.normal_(0.0, 1.0, &mut a.generator(1)?.draw()).or_raise(a.vm)?;
        a.made(out, 4)?
    };
    "randint_like(Tensor input, int low, int high, *, Generator? generator=None)" => |a| {
        a.tensor(0)?.randint_like(a.int(1)?, a.int(2)?, &mut a.generator(3)?.draw())
    };
    "randint_like(Tensor input, int high, *, Generator? generator=None)" => |a| {
        a.tensor(0)?.randint_like(0, a.int(1)?, &mut a.generator(2)?.draw())
    };
    "uniform_(Tensor input, float from=0, float to=1, *, Generator? generator=None)" => |a| {
        a.changed(a.tensor(0)?.uniform_(a.float_or(1, 0.0)?, a.float_or(2, 1.0)?, &mut a.generator(3)?.draw()))
    };
    "normal_(Tensor input, float mean=0, float std=1, *, Generator? generator=None)" => |a| {
        a.changed(a.tensor(0)?.normal_(a.float_or(1, 0.0)?, a.float_or(2, 1.0)?, &mut a.generator(3)?.draw()))
    };
    "bernoulli_(Tensor input, float p=0.5, *, Generator? generator=None)" => |a| {
        a.changed(a.tensor(0)?.bernoulli_(a.float_or(1, 0.5)?, &mut a.generator(2)?.draw()))
    };
    "bernoulli(Tensor input, *, Generator? generator=None)" => |a| {
        wait(a.tensor(0)?.bernoulli(&mut a.generator(1)?.draw()))
    };
    "_trunc_normal_(Tensor input, float mean, float std, float a, float b, *, Generator? generator=None)" => |a| {
        let bounds = [a.float_or(3, -2.0)?, a.float_or(4, 2.0)?];
        a.changed(a.tensor(0)?.trunc_normal_(a.float_or(1, 0.0)?, a.float_or(2, 1.0)?, bounds, &mut a.generator(5)?.draw()))
    };
};

/// `randint`, of whose arguments the upper end stands at `high` and the rest follows.
fn integers(a: &Bound<'_>, low: i64, high: usize) -> PyResult<Tensor> {
    let (shape, dtype, device) =
        (a.shape(high + 1)?, a.dtype(high + 3).unwrap_or(DType::I64), a.device(high + 4)?);
    let generator = a.generator(high + 2)?;
    let bounds = match dtype {
        DType::U8 => Some((0, 255, "unsigned char")),
        DType::I8 => Some((-128, 127, "signed char")),
        DType::I16 => Some((-32_768, 32_767, "short")),
        DType::I32 => Some((i32::MIN.into(), i32::MAX.into(), "int")),
        DType::Bool => Some((0, 1, "bool")),
        _ => None,
    };
    if let Some((least, most, class)) = bounds {
        let end = a.int(high)? - 1;
        let outside =
            if (least..=most).contains(&low) { (end > most).then_some("to - 1") } else { Some("from") };
        if let Some(which) = outside {
            return Err(a.vm.new_runtime_error(format!("{which} is out of bounds for {class}")));
        }
    }
    let out = Tensor::randint(low, a.int(high)?, &shape, dtype, &mut generator.draw(), &device);
    a.made(out.or_raise(a.vm)?, high + 5)
}

/// Room for as many elements as the first argument has, which lie as those do, with the dtype that is asked for there and
/// the device after it.
fn alike(a: &Bound<'_>, dtype: usize) -> PyResult<Tensor> {
    let x = a.tensor(0)?;
    let device: Device = if a.has(dtype + 1) { a.device(dtype + 1)? } else { x.device().clone() };
    x.empty_like_as(a.dtype(dtype).unwrap_or(x.dtype()), &device).or_raise(a.vm)
}
