//! Twin of shaders/gather.wgsl.

use super::lanes;

/// `out[…, i, …] = input[…, index[…, i, …], …]` along `dim`, of row-major elements of these shapes, which agree in the
/// other dimensions. `None` where an index leads nowhere.
#[must_use]
pub fn gather<T: Copy>(
    (input, shape): (&[T], &[usize]),
    (index, index_shape): (&[i64], &[usize]),
    dim: usize,
) -> Vec<Option<T>> {
    let mut out = vec![None; index.len()];
    for (from, to) in lanes(shape, dim).iter().zip(lanes(index_shape, dim)) {
        for at in to {
            let place = usize::try_from(index[at]).ok().and_then(|i| from.get(i));
            out[at] = place.map(|&place| input[place]);
        }
    }
    out
}
