//! Products, and what is named by letters.

use napkin_engine::einops::torch_einsum;

use super::{Operation, operations};

pub(super) const OPERATIONS: &[Operation] = operations! {
    "matmul(Tensor input, Tensor other)" => |a| a.tensor(0)?.matmul(&a.tensor(1)?);
    "mm(Tensor input, Tensor mat2)" => |a| a.tensor(0)?.mm(&a.tensor(1)?);
    "bmm(Tensor input, Tensor mat2)" => |a| a.tensor(0)?.bmm(&a.tensor(1)?);
    "mv(Tensor input, Tensor vec)" => |a| a.tensor(0)?.mv(&a.tensor(1)?);
    "dot(Tensor input, Tensor other)" => |a| a.tensor(0)?.dot(&a.tensor(1)?);
    "outer(Tensor input, Tensor vec2)" => |a| a.tensor(0)?.outer(&a.tensor(1)?);
    "addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)" => |a| {
        a.tensor(0)?.addmm(&a.tensor(1)?, &a.tensor(2)?, a.scalar_or(3, 1)?, a.scalar_or(4, 1)?)
    };
    "baddbmm(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)" => |a| {
        a.tensor(0)?.baddbmm(&a.tensor(1)?, &a.tensor(2)?, a.scalar_or(3, 1)?, a.scalar_or(4, 1)?)
    };
    "_einsum(str equation, Tensor[] operands)" => |a| {
        let tensors = a.tensors(1)?;
        torch_einsum(&a.string(0)?.unwrap_or_default(), &tensors.iter().collect::<Vec<_>>())
    };
};
