//! Twin of shaders/scatter_add.wgsl.

use super::{Number, lanes};
use crate::program::Binary;

/// `out[…, index[…, i, …], …] += source[…, i, …]` along `dim`, of row-major elements; `index` and `source` have one shape,
/// which agrees with that of `out` in the other dimensions. What leads nowhere is left out.
pub fn scatter_add<T: Number>(out: (&mut [T], &[usize]), from: (&[i64], &[T], &[usize]), dim: usize) {
    place(out, from, dim, |have, new| T::binary(Binary::Add, have, new));
}

/// `out[…, index[…, i, …], …] = source[…, i, …]` along `dim`; of several for one place the last stays.
pub fn scatter<T: Number>(out: (&mut [T], &[usize]), from: (&[i64], &[T], &[usize]), dim: usize) {
    place(out, from, dim, |_, new| new);
}

fn place<T: Number>(
    (out, shape): (&mut [T], &[usize]),
    (index, source, index_shape): (&[i64], &[T], &[usize]),
    dim: usize,
    become_of: impl Fn(T, T) -> T,
) {
    for (to, from) in lanes(shape, dim).iter().zip(lanes(index_shape, dim)) {
        for at in from {
            if let Some(&place) = usize::try_from(index[at]).ok().and_then(|i| to.get(i)) {
                out[place] = become_of(out[place], source[at]);
            }
        }
    }
}
