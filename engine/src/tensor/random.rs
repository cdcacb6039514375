//! Random tensors, drawn in main memory as PyTorch's CPU generator draws, whatever the device.

use std::cmp::Reverse;

use super::Tensor;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::checked_numel;
use crate::random::{Generator, Real};
use crate::room::filled;
use crate::scalar::Scalar;

impl Tensor {
    /// `torch.rand(shape, dtype=dtype, generator=generator)`: from [0, 1).
    ///
    /// # Errors
    /// If the dtype is not real or memory does not allow it.
    pub fn rand(shape: &[usize], dtype: DType, generator: &mut Generator, device: &Device) -> Result<Self> {
        let out = Self::empty(shape, dtype, device)?;
        out.uniform_(0.0, 1.0, generator)?;
        Ok(out)
    }

    /// `torch.randn(shape, generator=generator)` in float32.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn randn(shape: &[usize], generator: &mut Generator, device: &Device) -> Result<Self> {
        if device.is_meta() {
            return Self::empty(shape, DType::F32, device);
        }
        let values = filled(checked_numel(shape)?, 0f32);
        let mut values = values.map_err(|error| error.of_tensor(shape, DType::F32))?;
        generator.normal_(&mut values, 0.0, 1.0)?;
        Self::from_slice(&values, shape, DType::F32, device)
    }

    /// `torch.rand_like(self, generator=generator)`: from [0, 1).
    ///
    /// # Errors
    /// As [`Tensor::rand`].
    pub fn rand_like(&self, generator: &mut Generator) -> Result<Self> {
        Self::rand(self.shape(), self.dtype(), generator, self.device())
    }

    /// `torch.randn_like(self, generator=generator)`: normal with mean 0 and standard deviation 1.
    ///
    /// # Errors
    /// If the dtype is not real or memory does not allow it.
    pub fn randn_like(&self, generator: &mut Generator) -> Result<Self> {
        let out = self.empty_like()?;
        out.normal_(0.0, 1.0, generator)?;
        Ok(out)
    }

    /// `torch.randint(low, high, shape, dtype=dtype, generator=generator)`: whole numbers from [low, high).
    ///
    /// # Errors
    /// If the range is empty or memory does not allow it.
    pub fn randint(
        low: i64,
        high: i64,
        shape: &[usize],
        dtype: DType,
        generator: &mut Generator,
        device: &Device,
    ) -> Result<Self> {
        if device.is_meta() {
            return Self::empty(shape, dtype, device);
        }
        let drawn = generator.randint(low, high, checked_numel(shape)?);
        let drawn = drawn.map_err(|error| error.of_tensor(shape, DType::I64))?;
        Self::from_values(drawn.into_iter().map(Scalar::Int), shape, dtype, device)
    }

    /// `torch.randperm(n, dtype=dtype, generator=generator)`: the numbers below n in random order.
    ///
    /// # Errors
    /// As [`Generator::randperm`].
    pub fn randperm(n: usize, dtype: DType, generator: &mut Generator, device: &Device) -> Result<Self> {
        if device.is_meta() {
            return Self::empty(&[n], dtype, device);
        }
        let order = generator.randperm(n)?;
        Self::from_values(order.into_iter().map(Scalar::Int), &[n], dtype, device)
    }

    /// `torch.randint_like(self, low, high, generator=generator)`: whole numbers from [low, high), in this dtype.
    ///
    /// # Errors
    /// As [`Tensor::randint`].
    pub fn randint_like(&self, low: i64, high: i64, generator: &mut Generator) -> Result<Self> {
        Self::randint(low, high, self.shape(), self.dtype(), generator, self.device())
    }

    /// `x.uniform_(low, high, generator=generator)`: from [low, high).
    ///
    /// # Errors
    /// If the dtype is not real, `low > high`, or autograd could not follow the write.
    pub fn uniform_(&self, low: f64, high: f64, generator: &mut Generator) -> Result<()> {
        let dtype = self.dtype();
        match dtype {
            DType::F64 => self.refill_f64(|out| generator.uniform_(out, low, high)),
            DType::F32 => self.refill(|out| generator.uniform_(out, low as f32, high as f32)),
            DType::F16 | DType::BF16 => self.refill(|out| {
                generator.uniform_(out, low as f32, high as f32)?;
                // What would be rounded up to the end of the range begins again.
                let end = rounded(high as f32, dtype);
                let wrap = |x: &mut f32| *x = if rounded(*x, dtype) >= end { low as f32 } else { *x };
                out.iter_mut().for_each(wrap);
                Ok(())
            }),
            _ => Err(not_real("uniform_", "check_uniform_bounds", dtype)),
        }
    }

    /// `x.normal_(mean, std, generator=generator)`
    ///
    /// # Errors
    /// If the dtype is not real, `std` is negative, or autograd could not follow the write.
    pub fn normal_(&self, mean: f64, std: f64, generator: &mut Generator) -> Result<()> {
        // Only contiguous memory is filled by blocks.
        let is_whole = self.layout().is_contiguous();
        match self.dtype() {
            DType::F64 if is_whole => self.refill_f64(|out| generator.normal_(out, mean, std)),
            DType::F64 => self.refill_f64(|out| normal_singly(generator, out, mean, std)),
            DType::F32 if is_whole => self.refill(|out| generator.normal_(out, mean, std)),
            DType::F16 | DType::BF16 if is_whole => self.refill(|out| generator.normal_half_(out, mean, std)),
            DType::F32 | DType::F16 | DType::BF16 => {
                self.refill(|out| normal_singly(generator, out, mean, std))
            }
            dtype => Err(not_real("normal_", "normal_kernel_cpu", dtype)),
        }
    }

    /// `torch.nn.init.trunc_normal_(x, mean, std, a, b, generator)`; see [`Generator::trunc_normal_`]. Below float32
    /// the numbers are those of float32, rounded.
    ///
    /// # Errors
    /// If the dtype is not real, or there is no such distribution.
    pub fn trunc_normal_(
        &self,
        mean: f64,
        std: f64,
        bounds: [f64; 2],
        generator: &mut Generator,
    ) -> Result<()> {
        match self.dtype() {
            DType::F64 => self.refill_f64(|out| generator.trunc_normal_(out, mean, std, bounds)),
            DType::F32 | DType::F16 | DType::BF16 => {
                self.refill(|out| generator.trunc_normal_(out, mean, std, bounds))
            }
            dtype => Err(not_real("trunc_normal_", "normal_kernel_cpu", dtype)),
        }
    }

    /// `x.bernoulli_(p, generator=generator)`: 1 with probability p, else 0, in any dtype.
    ///
    /// # Errors
    /// If p is no probability, or autograd could not follow the write.
    pub fn bernoulli_(&self, p: f64, generator: &mut Generator) -> Result<()> {
        if self.device().is_meta() {
            return Ok(());
        }
        let drawn = generator.bernoulli_(p, self.numel())?;
        let target = self.in_memory_order()?;
        target.copy_(&truths(&drawn, target.shape(), DType::Bool, self.device())?)
    }

    /// `torch.bernoulli(x, generator=generator)`: 1 with the probability that each element says. Waits for the
    /// device, as the draws need the numbers.
    ///
    /// # Errors
    /// If the dtype is not real or an element is no probability.
    pub async fn bernoulli(&self, generator: &mut Generator) -> Result<Self> {
        let drawn = match self.dtype() {
            DType::F64 => generator.bernoulli(&self.numbers(Scalar::as_f64).await?)?,
            DType::F32 | DType::F16 | DType::BF16 => generator.bernoulli(&self.to_vec().await?)?,
            dtype => return Err(not_real("bernoulli", "bernoulli_tensor_cpu_p_", dtype)),
        };
        truths(&drawn, self.shape(), self.dtype(), self.device())
    }

    /// Writes what `draw` gives to float32, rounded to this dtype. Where there are no elements nothing is drawn.
    fn refill(&self, draw: impl FnOnce(&mut [f32]) -> Result<()>) -> Result<()> {
        if self.device().is_meta() {
            return Ok(());
        }
        let target = self.in_memory_order()?;
        let mut values = filled(self.numel(), 0f32)?;
        draw(&mut values)?;
        target.copy_(&Self::from_slice(&values, target.shape(), self.dtype(), self.device())?)
    }

    fn refill_f64(&self, draw: impl FnOnce(&mut [f64]) -> Result<()>) -> Result<()> {
        if self.device().is_meta() {
            return Ok(());
        }
        let target = self.in_memory_order()?;
        let mut values = filled(self.numel(), 0f64)?;
        draw(&mut values)?;
        let bytes = bytemuck::cast_slice(&values);
        target.copy_(&Self::from_bytes(bytes, target.shape(), DType::F64, self.device())?)
    }

    /// With the longest strides first: the order in which PyTorch fills a tensor.
    fn in_memory_order(&self) -> Result<Self> {
        if self.layout().is_contiguous() {
            return Ok(self.clone());
        }
        let mut dims: Vec<isize> = (0..self.shape().len().cast_signed()).collect();
        dims.sort_by_key(|&d| Reverse(self.layout().strides()[d.cast_unsigned()]));
        self.permute(&dims)
    }
}

fn normal_singly<T: Real>(generator: &mut Generator, out: &mut [T], mean: f64, std: f64) -> Result<()> {
    // For its refusals.
    generator.normal_(&mut [] as &mut [T], mean, std)?;
    generator.normal_singly(out, mean, std);
    Ok(())
}

fn truths(drawn: &[bool], shape: &[usize], dtype: DType, device: &Device) -> Result<Tensor> {
    Tensor::from_values(drawn.iter().copied().map(Scalar::Bool), shape, dtype, device)
}

fn rounded(x: f32, dtype: DType) -> f32 {
    dtype.format().map_or(x, |format| format.decode(format.encode(x.into())) as f32)
}

fn not_real(op: &'static str, kernel: &str, dtype: DType) -> Error {
    Error::not_implemented(op, kernel, dtype.scalar_type())
}
