//! Numbers as files hold them, lowest byte first.

use half::f16;
use napkin_engine::{Device, Scalar, Tensor};
use rustpython_vm::function::ArgBytesLike;
use rustpython_vm::{PyObjectRef, PyResult, TryFromObject, VirtualMachine};

use super::{Operation, operations};
use crate::torch::{OrRaise, room};
use crate::wait::wait;

/// How one element is read and written.
struct Format {
    name: &'static str,
    bytes: usize,
    read: fn(&[u8]) -> Option<Scalar>,
    write: fn(Scalar, &mut Vec<u8>),
}

macro_rules! formats {
    ($($kind:ty: |$value:ident| $scalar:expr, |$of:ident| $number:expr;)+) => {
        &[$(Format {
            name: stringify!($kind),
            bytes: size_of::<$kind>(),
            read: |bytes| {
                let $value = <$kind>::from_le_bytes(bytes.try_into().ok()?);
                Some($scalar)
            },
            write: |$of, bytes| bytes.extend_from_slice(&<$kind>::to_le_bytes($number)),
        }),+]
    };
}

const FORMATS: &[Format] = formats! {
    i8: |x| Scalar::Int(x.into()), |x| x.as_i64() as i8;
    u8: |x| Scalar::Int(x.into()), |x| x.as_i64() as u8;
    i16: |x| Scalar::Int(x.into()), |x| x.as_i64() as i16;
    u16: |x| Scalar::Int(x.into()), |x| x.as_i64() as u16;
    i32: |x| Scalar::Int(x.into()), |x| x.as_i64() as i32;
    u32: |x| Scalar::Int(x.into()), |x| x.as_i64() as u32;
    i64: |x| Scalar::Int(x), |x| x.as_i64();
    f16: |x| Scalar::Float(x.to_f64()), |x| f16::from_f64(x.as_f64());
    f32: |x| Scalar::Float(x.into()), |x| x.as_f64() as f32;
    f64: |x| Scalar::Float(x), |x| x.as_f64();
};

fn format(name: &str, vm: &VirtualMachine) -> PyResult<&'static Format> {
    let known = FORMATS.iter().find(|format| format.name == name);
    known.ok_or_else(|| vm.new_type_error(format!("no numbers are written as {name}")))
}

pub(super) const OPERATIONS: &[Operation] = operations! {
    "_from_bytes(Any data, str format, dtype dtype)" => |a| {
        let format = format(&a.text(1)?, a.vm)?;
        let data = ArgBytesLike::try_from_object(a.vm, a.object(0).unwrap_or_else(|| a.vm.ctx.none()))?;
        let data = data.borrow_buf();
        let elements = data.chunks_exact(format.bytes);
        let mut values = room(elements.len(), a.vm)?;
        values.extend(elements.filter_map(format.read));
        let dtype = a.dtype(2).unwrap_or(napkin_engine::DType::F32);
        Tensor::from_scalars(&values, &[values.len()], dtype, &Device::cpu())
    };
    "_to_bytes(Tensor x, str format)" => |a| {
        let format = format(&a.text(1)?, a.vm)?;
        let x = a.tensor(0)?;
        let mut bytes = room(x.numel().saturating_mul(format.bytes), a.vm)?;
        for value in wait(x.to_scalars()).or_raise(a.vm)? {
            (format.write)(value, &mut bytes);
        }
        PyObjectRef::from(a.vm.ctx.new_bytes(bytes))
    };
};
