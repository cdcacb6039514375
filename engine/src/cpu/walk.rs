//! One order through several strided operands of the same shape.

use crate::Layout;
use crate::order::order;

/// The dimensions that matter to a loop: sizes of 1 are gone, the output's longest stride comes
/// first, and neighbours that are contiguous in every operand are one dimension.
pub(super) struct Walk {
    shape: Vec<usize>,
    operands: Vec<Strides>,
}

struct Strides {
    offset: usize,
    strides: Vec<usize>,
}

impl Walk {
    /// Over `dims` of the layouts, which have the same sizes there; the first layout gives the order.
    pub(super) fn over(layouts: &[&Layout], dims: impl Iterator<Item = usize>) -> Self {
        let lead = layouts[0];
        let dims: Vec<usize> = dims.filter(|&d| lead.shape()[d] != 1).collect();
        let stride = |i: usize| lead.strides()[dims[i]];
        let order = order(dims.len(), &mut |a, b| stride(b).cmp(&stride(a)));
        let mut walk = Self {
            shape: Vec::new(),
            operands: layouts.iter().map(|l| Strides { offset: l.offset(), strides: Vec::new() }).collect(),
        };
        for d in order.into_iter().map(|i| dims[i]) {
            let size = lead.shape()[d];
            let joins = walk
                .operands
                .iter()
                .zip(layouts)
                .all(|(o, l)| o.strides.last() == Some(&l.strides()[d].saturating_mul(size)));
            if joins && let Some(last) = walk.shape.last_mut() {
                *last *= size;
            } else {
                walk.shape.push(size);
            }
            for (operand, layout) in walk.operands.iter_mut().zip(layouts) {
                if joins {
                    operand.strides.pop();
                }
                operand.strides.push(layout.strides()[d]);
            }
        }
        walk
    }

    /// Over all dimensions.
    pub(super) fn new(layouts: &[&Layout]) -> Self {
        Self::over(layouts, 0..layouts[0].rank())
    }

    /// Number of elements.
    pub(super) fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Step between neighbours of the innermost dimension; 0 where there is none.
    pub(super) fn inner_stride(&self, operand: usize) -> usize {
        self.operands[operand].strides.last().copied().unwrap_or(0)
    }

    /// Where the operand starts, if its elements follow one another without gaps in this order.
    pub(super) fn contiguous_from(&self, operand: usize) -> Option<usize> {
        let operand = &self.operands[operand];
        let mut expected = 1;
        for (&size, &stride) in self.shape.iter().zip(&operand.strides).rev() {
            if stride != expected {
                return None;
            }
            expected *= size;
        }
        Some(operand.offset)
    }

    /// Calls `visit(storage index, stride, range)` for each run of equally spaced elements of the
    /// operand within the `len` elements from `start` on; `range` counts from `start`.
    pub(super) fn runs(
        &self,
        operand: usize,
        start: usize,
        len: usize,
        mut visit: impl FnMut(usize, usize, std::ops::Range<usize>),
    ) {
        let Strides { offset, strides } = &self.operands[operand];
        let Some((&inner, outer)) = self.shape.split_last() else {
            if len > 0 {
                visit(*offset, 0, 0..1);
            }
            return;
        };
        let inner_stride = strides[outer.len()];
        let mut column = start % inner;
        let mut row = start / inner;
        let mut done = 0;
        while done < len {
            let mut at = *offset + column * inner_stride;
            let mut rest = row;
            for (&size, &stride) in outer.iter().zip(strides).rev() {
                at += rest % size * stride;
                rest /= size;
            }
            let run = (inner - column).min(len - done);
            visit(at, inner_stride, done..done + run);
            done += run;
            column = 0;
            row += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(walk: &Walk, operand: usize, chunk: usize) -> Vec<usize> {
        let mut out = Vec::new();
        for start in (0..walk.numel()).step_by(chunk) {
            let len = chunk.min(walk.numel() - start);
            walk.runs(operand, start, len, |at, stride, range| {
                out.extend((0..range.len()).map(|i| at + i * stride));
            });
        }
        out
    }

    #[test]
    fn runs_visit_what_the_layout_says() {
        let base = Layout::contiguous(&[2, 3, 5, 7]).unwrap();
        let views = [
            base.clone(),
            base.transpose(1, 3).unwrap(),
            base.slice(2, Some(1), None, 2).unwrap(),
            base.select(1, 2).unwrap(),
            Layout::contiguous(&[3, 1]).unwrap().expand(&[4, 3, 5]).unwrap(),
            Layout::contiguous(&[]).unwrap(),
            Layout::contiguous(&[1, 1]).unwrap(),
        ];
        for view in &views {
            let out = Layout::contiguous(view.shape()).unwrap();
            let walk = Walk::new(&[&out, view]);
            for chunk in [1, 2, 7, 64, 1000] {
                assert_eq!(visited(&walk, 0, chunk), (0..view.numel()).collect::<Vec<_>>());
                assert_eq!(visited(&walk, 1, chunk), view.storage_indices().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn contiguous_operands_become_one_dimension() {
        let base = Layout::contiguous(&[4, 1, 5, 6]).unwrap();
        let walk = Walk::new(&[&base, &base]);
        assert_eq!(walk.shape, [120]);
        assert_eq!(walk.contiguous_from(1), Some(0));
        // Both transposed alike: the order follows the memory.
        let turned = base.transpose(0, 3).unwrap();
        assert_eq!(Walk::new(&[&turned, &turned]).shape, [120]);
        let other = Layout::contiguous(&[6, 1, 5, 4]).unwrap().transpose(0, 3).unwrap();
        let mixed = Walk::new(&[&base, &other]);
        assert_eq!((mixed.contiguous_from(0), mixed.contiguous_from(1)), (Some(0), None));
    }
}
