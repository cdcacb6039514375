//! Making tensors, and reading what is in them.

use std::borrow::Cow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::{Buffer, Tensor};
use crate::backend::Pending;
use crate::device::Device;
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::layout::{Layout, checked_numel};
use crate::program::Program;
use crate::room::{collect, out_of_memory, room};
use crate::scalar::Scalar;

/// Storages up to here are downloaded whole by who looks at a corner.
const SMALL_BYTES: u64 = 64 << 10;

/// Creation.
impl Tensor {
    /// `torch.tensor(values, dtype=dtype).reshape(shape)`: values in row-major order, rounded to `dtype`.
    ///
    /// # Errors
    /// If the number of values does not fit the shape, or memory does not allow it.
    pub fn from_slice(values: &[f32], shape: &[usize], dtype: DType, device: &Device) -> Result<Self> {
        check_count(values.len(), shape)?;
        let bytes = match dtype {
            DType::F32 => Cow::Borrowed(bytemuck::cast_slice(values)),
            _ => encode(values.len(), values.iter().map(|&value| value.into()), dtype)?.into(),
        };
        Self::from_bytes(&bytes, shape, dtype, device)
    }

    /// `torch.tensor(values, dtype=dtype).reshape(shape)` of numbers as they stand in a script.
    ///
    /// # Errors
    /// As [`Tensor::from_slice`].
    pub fn from_scalars(values: &[Scalar], shape: &[usize], dtype: DType, device: &Device) -> Result<Self> {
        check_count(values.len(), shape)?;
        Self::from_values(values.iter().copied(), shape, dtype, device)
    }

    /// As many values of an iterator as the shape has elements; the device `meta` needs none.
    pub(crate) fn from_values(
        values: impl Iterator<Item = Scalar>,
        shape: &[usize],
        dtype: DType,
        device: &Device,
    ) -> Result<Self> {
        if device.is_meta() {
            return Self::empty(shape, dtype, device);
        }
        let bytes =
            encode(checked_numel(shape)?, values, dtype).map_err(|error| error.of_tensor(shape, dtype))?;
        Self::from_bytes(&bytes, shape, dtype, device)
    }

    /// A contiguous tensor of elements as they are stored.
    pub(crate) fn from_bytes(bytes: &[u8], shape: &[usize], dtype: DType, device: &Device) -> Result<Self> {
        let storage = device.backend().upload(bytes).map_err(|error| error.of_tensor(shape, dtype))?;
        Ok(Self::over(
            Buffer::new(storage, bytes.len() as u64, device),
            Layout::contiguous(shape)?,
            dtype,
            device,
        ))
    }

    /// `torch.empty(shape)`: contents are unspecified.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn empty(shape: &[usize], dtype: DType, device: &Device) -> Result<Self> {
        let layout = Layout::contiguous(shape)?;
        let bytes = layout.numel() as u64 * dtype.size_bytes() as u64;
        let storage = match usize::try_from(bytes) {
            Ok(bytes) => device.backend().allocate(bytes),
            // As much as there is a number for: nothing is allocated.
            Err(_) if device.is_meta() => device.backend().allocate(usize::MAX),
            Err(_) => Err(out_of_memory(bytes.into())),
        };
        let storage = storage.map_err(|error| error.of_tensor(shape, dtype))?;
        Ok(Self::over(Buffer::new(storage, bytes, device), layout, dtype, device))
    }

    /// `torch.full(shape, value, dtype=dtype)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn full(shape: &[usize], value: impl Into<Scalar>, dtype: DType, device: &Device) -> Result<Self> {
        let out = Self::empty(shape, dtype, device)?;
        out.run(&Program::fill(value.into(), dtype), &[])?;
        Ok(out)
    }

    /// `torch.zeros(shape, dtype=dtype)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn zeros(shape: &[usize], dtype: DType, device: &Device) -> Result<Self> {
        Self::full(shape, 0, dtype, device)
    }

    /// `torch.ones(shape, dtype=dtype)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn ones(shape: &[usize], dtype: DType, device: &Device) -> Result<Self> {
        Self::full(shape, 1, dtype, device)
    }

    /// `torch.full_like(self, value)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn full_like(&self, value: impl Into<Scalar>) -> Result<Self> {
        self.full_like_as(value, self.dtype(), self.device())
    }

    /// `torch.full_like(self, value, dtype=dtype, device=device)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn full_like_as(&self, value: impl Into<Scalar>, dtype: DType, device: &Device) -> Result<Self> {
        let out = self.empty_like_as(dtype, device)?;
        out.run(&Program::fill(value.into(), dtype), &[])?;
        Ok(out)
    }

    /// `torch.empty_like(self)`: contents are unspecified.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn empty_like(&self) -> Result<Self> {
        self.empty_like_as(self.dtype(), self.device())
    }

    /// `torch.empty_like(self, dtype=dtype, device=device)`: it lies as this tensor does, without gaps.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn empty_like_as(&self, dtype: DType, device: &Device) -> Result<Self> {
        Self::room(&[self], dtype, device)
    }

    /// `torch.zeros_like(self)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn zeros_like(&self) -> Result<Self> {
        self.full_like(0)
    }

    /// `torch.ones_like(self)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn ones_like(&self) -> Result<Self> {
        self.full_like(1)
    }

    /// `torch.arange(start, end, step, dtype=dtype)`; without a dtype int64 where all three are whole numbers,
    /// else float32.
    ///
    /// # Errors
    /// With PyTorch's message if the step is 0 or leads away from the end.
    pub fn arange(
        start: impl Into<Scalar>,
        end: impl Into<Scalar>,
        step: impl Into<Scalar>,
        dtype: Option<DType>,
        device: &Device,
    ) -> Result<Self> {
        let [start, end, step] = [start.into(), end.into(), step.into()];
        let fault = |message: &str| Err(Error::Value { op: "arange", message: message.into() });
        let (low, high, by) = (start.as_f64(), end.as_f64(), step.as_f64());
        if by == 0.0 {
            return fault("step must be nonzero");
        }
        if !(low.is_finite() && high.is_finite()) {
            return fault(&format!("unsupported range: {low} -> {high}"));
        }
        if (high - low) * by < 0.0 {
            return fault("upper bound and lower bound inconsistent with step sign");
        }
        let is_whole = [start, end, step].iter().all(|scalar| scalar.category() != Category::Floating);
        let dtype = dtype.unwrap_or(if is_whole { DType::I64 } else { DType::standard() });
        let count = ((high - low) / by).ceil();
        if count >= crate::layout::MAX_NUMEL as f64 {
            return fault(&format!(
                "from {low} to {high} in steps of {by} there are {count} elements; a tensor has at most {} here",
                crate::layout::MAX_NUMEL
            ));
        }
        let value = |i: usize| match (is_whole, dtype.is_floating_point()) {
            (true, false) => Scalar::Int(start.as_i64().wrapping_add((i as i64).wrapping_mul(step.as_i64()))),
            _ => Scalar::Float(low + i as f64 * by),
        };
        let count = count as usize;
        Self::from_values((0..count).map(value), &[count], dtype, device)
    }

    /// `torch.linspace(start, end, steps, dtype=dtype)`: equally spaced, both ends included.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn linspace(start: f64, end: f64, steps: usize, dtype: DType, device: &Device) -> Result<Self> {
        let last = steps.saturating_sub(1);
        // In the dtype, with one rounding for product and sum, as PyTorch does; and from both ends, so that the last
        // one is exact too.
        let (first, end32, step32) =
            (start as f32, end as f32, (end as f32 - start as f32) / last.max(1) as f32);
        let step = (end - start) / last.max(1) as f64;
        let value = |i: usize| match (dtype, 2 * i < steps - steps % 2) {
            _ if steps == 1 => start,
            (DType::F32, true) => step32.mul_add(i as f32, first).into(),
            (DType::F32, false) => (-step32).mul_add((last - i) as f32, end32).into(),
            (_, true) => step.mul_add(i as f64, start),
            (_, false) => (-step).mul_add((last - i) as f64, end),
        };
        Self::from_values((0..steps).map(|i| Scalar::Float(value(i))), &[steps], dtype, device)
    }

    /// `torch.eye(rows, columns, dtype=dtype)`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn eye(rows: usize, columns: usize, dtype: DType, device: &Device) -> Result<Self> {
        let index = |count: usize| Self::arange(0, count as i64, 1, None, device);
        index(rows)?.unsqueeze(1)?.eq(&index(columns)?)?.to_dtype(dtype)
    }
}

/// Reading.
impl Tensor {
    /// The elements of this view as they are stored, in row-major order.
    pub(super) async fn own_bytes(&self) -> Result<Vec<u8>> {
        self.among(self.all_bytes().await?.into())
    }

    /// The same of several tensors; a storage that some of them share is downloaded once.
    pub(crate) async fn bytes_of(tensors: &[&Self]) -> Result<Vec<Vec<u8>>> {
        let mut found = vec![None; tensors.len()];
        for (i, tensor) in tensors.iter().enumerate() {
            if found[i].is_none() {
                let all = tensor.all_bytes().await?;
                for j in (i + 1..tensors.len()).filter(|&j| tensors[j].shares_storage_with(tensor)) {
                    found[j] = Some(tensors[j].among(Cow::Borrowed(&all))?);
                }
                found[i] = Some(tensor.among(all.into())?);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    async fn all_bytes(&self) -> Result<Vec<u8>> {
        self.device().backend().download(self.operand().storage).await
    }

    /// The elements of this view among all bytes of its storage.
    fn among(&self, all: Cow<'_, [u8]>) -> Result<Vec<u8>> {
        if !self.layout().is_contiguous() {
            let size = self.dtype().size_bytes();
            let places = self.layout().storage_indices();
            let bytes = places.flat_map(|i| all[i * size..][..size].iter().copied());
            return collect(self.numel().saturating_mul(size), bytes);
        }
        let start = self.first_byte();
        let end = start + self.numel() * self.dtype().size_bytes();
        let range = start.min(all.len())..end.min(all.len());
        match all {
            Cow::Borrowed(all) => collect(range.len(), all[range].iter().copied()),
            Cow::Owned(mut all) => {
                all.truncate(range.end);
                all.drain(..range.start);
                Ok(all)
            }
        }
    }

    /// Where in its storage the first element begins; of a tensor without elements the offset may be any number.
    fn first_byte(&self) -> usize {
        if self.numel() == 0 { 0 } else { self.layout().offset() * self.dtype().size_bytes() }
    }

    /// Replaces the elements, in row-major order, by others of its dtype as they are stored: no number is
    /// interpreted on the way, so that every bit arrives. For autograd it is a write under `no_grad`.
    pub(crate) async fn write_bytes(&self, op: &'static str, bytes: &[u8]) -> Result<()> {
        let size = self.dtype().size_bytes();
        if bytes.len() as u64 != self.bytes() || self.overlaps_itself() {
            return Err(Error::shape(op, "the bytes are not as many as the tensor has memory for"));
        }
        let (backend, storage) = (self.device().backend(), self.operand().storage);
        let start = self.first_byte();
        let end = start + bytes.len();
        let is_whole = end.is_multiple_of(4) || end == storage.size_bytes();
        if self.layout().is_contiguous() && start.is_multiple_of(4) && is_whole {
            backend.write(storage, start, bytes)?;
        } else {
            // What lies between the elements is written as it was.
            let mut all = self.all_bytes().await?;
            for (i, element) in self.layout().storage_indices().zip(bytes.chunks_exact(size)) {
                all[i * size..][..size].copy_from_slice(element);
            }
            backend.write(storage, 0, &all)?;
        }
        self.mark_written();
        Ok(())
    }

    /// All elements in row-major order, as f32.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn to_vec(&self) -> Result<Vec<f32>> {
        let bytes = self.own_bytes().await?;
        if self.dtype() == DType::F32 {
            return Ok(bytemuck::pod_collect_to_vec(&bytes));
        }
        self.decoded(&bytes, |value| value.as_f64() as f32)
    }

    /// All elements in row-major order, exactly.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn to_scalars(&self) -> Result<Vec<Scalar>> {
        self.numbers(|value| value).await
    }

    /// What is made of each element, in row-major order.
    pub(super) async fn numbers<T>(&self, number: impl Fn(Scalar) -> T) -> Result<Vec<T>> {
        self.decoded(&self.own_bytes().await?, number)
    }

    fn decoded<T>(&self, bytes: &[u8], number: impl Fn(Scalar) -> T) -> Result<Vec<T>> {
        let elements = bytes.chunks_exact(self.dtype().size_bytes());
        collect(elements.len(), elements.map(|element| number(decode(element, self.dtype()))))
    }

    /// The first so many elements in each dimension, in row-major order, for somebody who looks on: the ledger does not
    /// count it, and of a large storage only these are downloaded.
    ///
    /// # Errors
    /// If the tensor has fewer, or the device fails.
    pub async fn corner(&self, sizes: &[usize]) -> Result<Vec<Scalar>> {
        if sizes.len() != self.shape().len() || sizes.iter().zip(self.shape()).any(|(some, all)| some > all) {
            return Err(Error::shape("corner", "there are not so many elements"));
        }
        let layout = Layout::strided(sizes, self.layout().strides(), self.layout().offset())?;
        let view = self.detach().with_layout(layout);
        if self.storage_bytes() <= SMALL_BYTES || view.numel() == 0 {
            return view.to_scalars().await;
        }
        let _suspended = self.device().ledger().suspended();
        let copy = view.duplicate()?;
        copy.to_scalars().await
    }

    /// `x.item()`: the value of a tensor of one element.
    ///
    /// # Errors
    /// If it has more or fewer, or the device fails.
    pub async fn item(&self) -> Result<Scalar> {
        self.item_later().await
    }

    /// As [`Tensor::item`], for a training loop that goes on meanwhile: the value is on its way when this returns, and
    /// the future waits for no work that is queued after it.
    pub fn item_later(&self) -> Pending<'static, Scalar> {
        let (dtype, start, numel) = (self.dtype(), self.first_byte(), self.numel());
        let all = (numel == 1).then(|| self.device().backend().download(self.operand().storage));
        Box::pin(async move {
            let all = match all {
                Some(all) => all.await?,
                None => Vec::new(),
            };
            let element = all.get(start..start + dtype.size_bytes());
            element.map(|element| decode(element, dtype)).ok_or_else(|| {
                Error::shape("item", format!("a Tensor with {numel} elements cannot be converted to Scalar"))
            })
        })
    }
}

/// What a future has already, if it need not wait: everything does on the CPU.
pub(super) fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

fn check_count(count: usize, shape: &[usize]) -> Result<()> {
    if count == checked_numel(shape)? {
        return Ok(());
    }
    let shape = crate::layout::join(shape.iter());
    Err(Error::shape("tensor", format!("shape '[{shape}]' is invalid for input of size {count}")))
}

/// The first `count` values as elements are stored.
fn encode(count: usize, values: impl Iterator<Item = Scalar>, dtype: DType) -> Result<Vec<u8>> {
    let mut bytes = room(count.saturating_mul(dtype.size_bytes()))?;
    for value in values.take(count) {
        let pattern = |format: Format| format.encode(f64::from(value.as_f64() as f32));
        match dtype {
            DType::F64 => bytes.extend_from_slice(&value.as_f64().to_ne_bytes()),
            DType::F32 => bytes.extend_from_slice(&(value.as_f64() as f32).to_ne_bytes()),
            DType::F16 => bytes.extend_from_slice(&(pattern(Format::FP16) as u16).to_ne_bytes()),
            DType::BF16 => bytes.extend_from_slice(&(pattern(Format::BF16) as u16).to_ne_bytes()),
            DType::F8E4M3FN => bytes.push(pattern(Format::E4M3) as u8),
            DType::F8E5M2 => bytes.push(pattern(Format::E5M2) as u8),
            DType::I64 => bytes.extend_from_slice(&value.as_i64().to_ne_bytes()),
            DType::I32 => bytes.extend_from_slice(&(value.as_i64() as i32).to_ne_bytes()),
            DType::I16 => bytes.extend_from_slice(&(value.as_i64() as i16).to_ne_bytes()),
            DType::I8 | DType::U8 => bytes.push(value.as_i64() as u8),
            DType::Bool => bytes.push(u8::from(value.as_f64() != 0.0)),
        }
    }
    Ok(bytes)
}

/// A stored element's value.
fn decode(element: &[u8], dtype: DType) -> Scalar {
    let two = || u32::from(bytemuck::pod_read_unaligned::<u16>(element));
    match dtype {
        DType::F64 => Scalar::Float(bytemuck::pod_read_unaligned(element)),
        DType::F32 => Scalar::Float(bytemuck::pod_read_unaligned::<f32>(element).into()),
        DType::F16 => Scalar::Float(Format::FP16.decode(two())),
        DType::BF16 => Scalar::Float(Format::BF16.decode(two())),
        DType::F8E4M3FN => Scalar::Float(Format::E4M3.decode(element[0].into())),
        DType::F8E5M2 => Scalar::Float(Format::E5M2.decode(element[0].into())),
        DType::I64 => Scalar::Int(bytemuck::pod_read_unaligned(element)),
        DType::I32 => Scalar::Int(bytemuck::pod_read_unaligned::<i32>(element).into()),
        DType::I16 => Scalar::Int(bytemuck::pod_read_unaligned::<i16>(element).into()),
        DType::I8 => Scalar::Int(element[0].cast_signed().into()),
        DType::U8 => Scalar::Int(element[0].into()),
        DType::Bool => Scalar::Bool(element[0] != 0),
    }
}
