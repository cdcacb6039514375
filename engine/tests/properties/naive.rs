//! Views by a program that knows nothing of strides: every element is written out.

use napkin_engine::layout::MAX_NUMEL;
use napkin_engine::view_expr::{IndexItem, ViewOp};

/// An array that is written out: every element, with its place in the storage.
#[derive(Clone, Debug)]
pub struct Naive {
    pub shape: Vec<usize>,
    pub values: Vec<f32>,
    pub places: Vec<usize>,
}

/// All indices of a shape, in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![Vec::new()], |all, &size| {
        all.iter().flat_map(|index| (0..size).map(move |i| [index.as_slice(), &[i]].concat())).collect()
    })
}

fn wrapped(dim: isize, rank: usize) -> Option<usize> {
    let dim = if dim < 0 { dim + rank as isize } else { dim };
    usize::try_from(dim).ok().filter(|&dim| dim < rank)
}

impl Naive {
    pub fn new(shape: &[usize]) -> Self {
        let numel = shape.iter().product();
        Self {
            shape: shape.to_vec(),
            values: (0..numel).map(|i| i as f32).collect(),
            places: (0..numel).collect(),
        }
    }

    fn at(&self, index: &[usize]) -> usize {
        index.iter().zip(&self.shape).fold(0, |at, (i, size)| at * size + i)
    }

    /// The array of `shape` whose element at an index is this one's at `from(index)`.
    fn taken(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Self {
        let at: Vec<usize> = indices(&shape).iter().map(|index| self.at(&from(index))).collect();
        Self {
            values: at.iter().map(|&at| self.values[at]).collect(),
            places: at.iter().map(|&at| self.places[at]).collect(),
            shape,
        }
    }

    fn shaped(&self, sizes: &[isize]) -> Option<Self> {
        let numel = self.values.len() as i128;
        let product = |sizes: &[i128]| sizes.iter().copied().fold(1, i128::saturating_mul);
        let unknown = sizes.iter().filter(|&&size| size == -1).count();
        let known: Vec<i128> = sizes.iter().filter(|&&size| size != -1).map(|&size| size as i128).collect();
        let inferred = numel.checked_div(product(&known)).unwrap_or(-1);
        let all: Vec<i128> =
            sizes.iter().map(|&size| if size == -1 { inferred } else { size as i128 }).collect();
        let fits = unknown < 2 && all.iter().all(|&size| size >= 0) && product(&all) == numel;
        // Of shapes without elements too, those are refused whose strides would not be numbers.
        let span: Vec<i128> = all.iter().map(|&size| size.max(1)).collect();
        let shape = all.iter().map(|&size| size as usize).collect();
        (fits && product(&span) <= MAX_NUMEL as i128).then(|| Self { shape, ..self.clone() })
    }

    fn sliced(&self, dim: usize, chosen: &[usize], keeps: bool) -> Self {
        let mut shape = self.shape.clone();
        shape[dim] = chosen.len();
        let out = self.taken(shape, |index| {
            let mut index = index.to_vec();
            index[dim] = chosen[index[dim]];
            index
        });
        if keeps { out } else { out.without(dim) }
    }

    fn without(&self, dim: usize) -> Self {
        let mut out = self.clone();
        out.shape.remove(dim);
        out
    }

    /// `None` where PyTorch refuses.
    pub fn apply(&self, op: &ViewOp) -> Option<Self> {
        let rank = self.shape.len();
        // A scalar takes the dimensions of a vector.
        let dim = |dim| wrapped(dim, rank.max(1));
        Some(match op {
            ViewOp::View(sizes) | ViewOp::Reshape(sizes) => self.shaped(sizes)?,
            ViewOp::Contiguous => self.clone(),
            ViewOp::Transpose(a, b) => {
                let (a, b) = (dim(*a)?, dim(*b)?);
                if rank == 0 {
                    return Some(self.clone());
                }
                let swapped = |list: &[usize]| {
                    let mut list = list.to_vec();
                    list.swap(a, b);
                    list
                };
                self.taken(swapped(&self.shape), swapped)
            }
            ViewOp::Permute(dims) => {
                let dims = dims.iter().map(|&d| dim(d)).collect::<Option<Vec<_>>>()?;
                let mut sorted = dims.clone();
                sorted.sort_unstable();
                if sorted != (0..rank).collect::<Vec<_>>() {
                    return None;
                }
                self.taken(dims.iter().map(|&d| self.shape[d]).collect(), |index| {
                    (0..rank).map(|d| index[dims.iter().position(|&old| old == d).unwrap()]).collect()
                })
            }
            ViewOp::Expand(sizes) => {
                let new = sizes.len().checked_sub(rank)?;
                let size = |(d, &size): (usize, &isize)| match d.checked_sub(new).map(|d| self.shape[d]) {
                    Some(old) if size == -1 || size == old as isize => Some(old),
                    Some(1) | None => usize::try_from(size).ok(),
                    Some(_) => None,
                };
                let shape = sizes.iter().enumerate().map(size).collect::<Option<Vec<_>>>()?;
                self.taken(shape, |index| {
                    index[new..]
                        .iter()
                        .zip(&self.shape)
                        .map(|(&i, &old)| if old == 1 { 0 } else { i })
                        .collect()
                })
            }
            ViewOp::Narrow { dim: d, start, length } => {
                let d = wrapped(*d, rank)?;
                let size = self.shape[d] as isize;
                let start = if *start < 0 { start + size } else { *start };
                if start < 0 || start > size || *length < 0 || start + length > size {
                    return None;
                }
                self.sliced(d, &(start as usize..(start + length) as usize).collect::<Vec<_>>(), true)
            }
            ViewOp::Select { dim: d, index } => {
                let d = wrapped(*d, rank)?;
                self.sliced(d, &[wrapped(*index, self.shape[d])?], false)
            }
            ViewOp::Squeeze(None) => {
                Self { shape: self.shape.iter().copied().filter(|&n| n != 1).collect(), ..self.clone() }
            }
            ViewOp::Squeeze(Some(d)) => match dim(*d)? {
                d if rank > 0 && self.shape[d] == 1 => self.without(d),
                _ => self.clone(),
            },
            ViewOp::Unsqueeze(d) => {
                let d = wrapped(*d, rank + 1)?;
                let mut out = self.clone();
                out.shape.insert(d, 1);
                out
            }
            ViewOp::Index(items) => self.indexed(items)?,
            other => panic!("{other:?} is no operation of this test"),
        })
    }

    fn indexed(&self, items: &[IndexItem]) -> Option<Self> {
        let takes = |item: &&IndexItem| matches!(item, IndexItem::At(_) | IndexItem::Slice { .. });
        let rest = self.shape.len().checked_sub(items.iter().filter(takes).count())?;
        let mut out = self.clone();
        let mut dim = 0;
        for item in items {
            match *item {
                IndexItem::At(at) => out = out.sliced(dim, &[wrapped(at, *out.shape.get(dim)?)?], false),
                IndexItem::Slice { start, end, step } => {
                    let size = *out.shape.get(dim)? as isize;
                    let bound = |bound: isize| (if bound < 0 { bound + size } else { bound }).clamp(0, size);
                    let (from, to) = (start.map_or(0, bound), end.map_or(size, bound));
                    let step = usize::try_from(step).ok().filter(|&step| step > 0)?;
                    let chosen: Vec<usize> = (from..to).step_by(step).map(|i| i as usize).collect();
                    out = out.sliced(dim, &chosen, true);
                    dim += 1;
                }
                IndexItem::NewAxis if dim > out.shape.len() => return None,
                IndexItem::NewAxis => {
                    out.shape.insert(dim, 1);
                    dim += 1;
                }
                IndexItem::Ellipsis => dim += rest,
            }
        }
        Some(out)
    }

    /// Whether strides exist under which the storage shows these elements in this order.
    pub fn has_strides(&self) -> bool {
        let Some(&first) = self.places.first() else { return true };
        let place = |index: &[usize]| self.places[self.at(index)] as isize;
        let strides: Vec<isize> = (0..self.shape.len())
            .map(|d| {
                let mut index = vec![0; self.shape.len()];
                index[d] = 1;
                if self.shape[d] > 1 { place(&index) - first as isize } else { 0 }
            })
            .collect();
        indices(&self.shape).iter().all(|index| {
            let steps = index.iter().zip(&strides).map(|(&i, stride)| i as isize * stride);
            place(index) == first as isize + steps.sum::<isize>()
        })
    }

    /// Whether the elements lie in the storage one after the other.
    pub fn is_contiguous(&self) -> bool {
        let start = self.places.first().copied().unwrap_or(0);
        self.places.iter().enumerate().all(|(i, &place)| place == start + i)
    }
}
