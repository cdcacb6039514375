//! Operands as lanes along one dimension, and dispatches of the kernels that include shaders/lanes.wgsl.

use super::core::{Core, Dispatch};
use super::operand::{Collapsed, uniforms, word};
use super::storage::GpuStorage;
use super::template::{Variables, expand};
use crate::backend::Operand;
use crate::error::{Error, Result};

/// Operands that a kernel along a dimension can have.
const MOST: usize = 4;

/// Invocations per workgroup where each has an element or a lane of its own.
pub(super) const THREADS: usize = 64;

/// Invocations that share a lane, where some do.
const SHARING: usize = 256;

/// Operands that agree beside one dimension.
pub(super) struct Lanes {
    op: &'static str,
    /// Positions of the other dimensions.
    pub(super) count: usize,
    others: Collapsed,
    offsets: Vec<usize>,
    /// Strides along the dimension.
    pub(super) along: Vec<usize>,
}

/// How invocations share lanes: each has one of its own where there are lanes enough or nothing to share.
pub(super) struct Shares {
    /// Invocations to a lane.
    pub(super) sharing: usize,
    /// Invocations to a workgroup.
    pub(super) threads: usize,
    pub(super) workgroups: usize,
}

/// One kernel along a dimension.
pub(super) struct Job<'a> {
    /// What tells it apart from other kernels, beside the number of dimensions.
    pub(super) name: String,
    /// Its own words of the uniforms.
    pub(super) words: [usize; 4],
    /// Its buffers in the order of their bindings, and whether it writes them.
    pub(super) bindings: &'a [(&'a GpuStorage, bool)],
    pub(super) workgroups: usize,
    /// An estimate of its operations.
    pub(super) work: usize,
}

impl Lanes {
    /// # Errors
    /// If an operand has no such dimension, or differs beside it.
    pub(super) fn new(op: &'static str, operands: &[Operand<'_>], dim: usize) -> Result<Self> {
        let shapes: Vec<&[usize]> = operands.iter().map(|o| o.layout.shape()).collect();
        if let Some(shape) = shapes.iter().find(|shape| dim >= shape.len()) {
            let message = format!("dimension {dim} of a tensor with {} dimensions", shape.len());
            return Err(Error::Value { op, message });
        }
        let without = |of: &[usize]| -> Vec<usize> {
            of.iter().enumerate().filter(|(d, _)| *d != dim).map(|(_, &n)| n).collect()
        };
        let shape = shapes.first().map(|shape| without(shape)).unwrap_or_default();
        if operands.len() > MOST || shapes.iter().any(|other| without(other) != shape) {
            return Err(Error::Value { op, message: "the operands differ beside the dimension".into() });
        }
        let strides: Vec<Vec<usize>> = operands.iter().map(|o| without(o.layout.strides())).collect();
        Ok(Self {
            op,
            count: shape.iter().product(),
            others: Collapsed::new(&shape, &strides),
            offsets: operands.iter().map(|o| o.layout.offset()).collect(),
            along: operands.iter().map(|o| o.layout.strides()[dim]).collect(),
        })
    }

    /// Goes over to four neighbours at a time in the last of the other dimensions, if the first `moved` operands lie
    /// there in whole groups, and the rest have one element for all four; says whether it does.
    pub(super) fn by_four(&mut self, moved: usize) -> bool {
        let four = |n: &usize| n.is_multiple_of(4);
        let fits = self.others.shape.last().is_some_and(four)
            && self.others.strides.iter().enumerate().all(|(i, strides)| match strides.split_last() {
                Some((&last, outer)) if i < moved => {
                    last == 1 && outer.iter().chain([&self.offsets[i], &self.along[i]]).all(four)
                }
                Some((&last, _)) => last == 0,
                None => false,
            });
        if fits {
            self.count /= 4;
            let last = self.others.shape.len() - 1;
            self.others.shape[last] /= 4;
            for strides in &mut self.others.strides {
                strides[last] *= 4;
            }
        }
        fits
    }

    /// Who works on lanes of that length.
    pub(super) fn shares(&self, core: &Core, length: usize) -> Shares {
        // A program that acts as a GPU has a few cores to keep busy, and pays for meeting.
        let enough = if core.info.is_software { 4 } else { 16_384 };
        if length <= 32 || self.count >= enough {
            return Shares { sharing: 1, threads: THREADS, workgroups: self.count.div_ceil(THREADS) };
        }
        Shares { sharing: SHARING, threads: SHARING, workgroups: self.count }
    }

    /// Dispatches a kernel; `source` makes its WGSL of the text of shaders/lanes.wgsl.
    pub(super) fn dispatch(
        &self,
        core: &Core,
        job: &Job<'_>,
        source: impl FnOnce(String) -> Result<String>,
    ) -> Result<()> {
        let rank = self.others.shape.len();
        let mut data = job.words.to_vec();
        let four =
            |values: &[usize]| (0..MOST).map(|i| values.get(i).copied().unwrap_or(0)).collect::<Vec<_>>();
        data.extend(four(&self.offsets));
        data.extend(four(&self.along));
        for d in 0..rank {
            let strides: Vec<usize> = self.others.strides.iter().map(|strides| strides[d]).collect();
            data.extend(four(&strides));
        }
        data.extend(&self.others.shape);
        let data = data.into_iter().map(|value| word(self.op, value)).collect::<Result<Vec<_>>>()?;
        let (params, words4) = uniforms(self.op, &data, format_args!("{rank} dimensions"))?;
        let access: Vec<bool> = job.bindings.iter().map(|(_, is_written)| *is_written).collect();
        let name = format!("{} {rank} {words4}", job.name);
        let kernel = core.kernels.get(&core.device, &core.faults, &name, &access, || {
            let variables = Variables::default().with("RANK", rank).with("WORDS4", words4);
            source(expand("lanes", shader!("lanes"), &variables)?)
        })?;
        let buffers: Vec<&GpuStorage> = job.bindings.iter().map(|(buffer, _)| *buffer).collect();
        let (workgroups, flops) = (job.workgroups as u64, job.work as u64);
        core.dispatch(Dispatch { kernel: &kernel, buffers: &buffers, params, workgroups, flops })
    }
}

/// # Errors
/// If two operands differ along the dimension.
pub(super) fn check_lengths(op: &'static str, a: Operand<'_>, b: Operand<'_>, dim: usize) -> Result<()> {
    if length(a, dim) == length(b, dim) {
        return Ok(());
    }
    let message = format!("{} and {} elements along dimension {dim}", length(a, dim), length(b, dim));
    Err(Error::Shape { op, message })
}

/// The size of a dimension, 1 of what has none.
pub(super) fn length(operand: Operand<'_>, dim: usize) -> usize {
    operand.layout.shape().get(dim).copied().unwrap_or(1)
}
