//! A stream of tokens: whole numbers of one size, one after the other.

use std::ops::Range;
use std::rc::Rc;

use super::{Source, npy};
use crate::backend::Pending;
use crate::error::{Error, Result};

/// How a token is stored, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Element {
    /// `uint8`
    U8,
    /// `uint16`
    U16,
    /// `uint32`
    U32,
    /// `int32`
    I32,
    /// `int64`
    I64,
}

impl Element {
    /// Bytes per token.
    #[must_use]
    pub const fn size_bytes(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::I32 => 4,
            Self::I64 => 8,
        }
    }

    fn decode(self, bytes: &[u8]) -> Vec<i64> {
        match self {
            Self::U8 => bytes.iter().map(|&byte| byte.into()).collect(),
            Self::U16 => bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b).into()).collect(),
            Self::U32 => bytes.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b).into()).collect(),
            Self::I32 => bytes.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b).into()).collect(),
            Self::I64 => bytes.as_chunks().0.iter().map(|&b| i64::from_le_bytes(b)).collect(),
        }
    }
}

/// Tokens in a [`Source`]. Clones read the same one.
#[derive(Clone)]
pub struct Tokens {
    source: Rc<dyn Source>,
    element: Element,
    /// The byte at which the first one begins.
    start: u64,
    len: u64,
}

impl Tokens {
    /// Nothing but tokens, as `numpy.ndarray.tofile` writes them.
    ///
    /// # Errors
    /// If the size of the source is no multiple of a token's.
    pub fn raw(source: impl Source + 'static, element: Element) -> Result<Self> {
        let (size, each) = (source.size_bytes(), element.size_bytes());
        if !size.is_multiple_of(each) {
            return Err(Error::file(
                source.name(),
                format!("{size} bytes are no whole number of {element:?} tokens of {each} bytes"),
            ));
        }
        Ok(Self { source: Rc::new(source), element, start: 0, len: size / each })
    }

    /// An array as `numpy.save` writes it: one dimension of whole numbers.
    ///
    /// # Errors
    /// If it is no such array (the message says why) or is cut short, or reading fails.
    pub async fn npy(source: impl Source + 'static) -> Result<Self> {
        let size = source.size_bytes();
        let fault = |message: String| Error::file(source.name(), message);
        let head = source.read(0..size.min(npy::PREAMBLE)).await?;
        let start = npy::header_end(&head).map_err(fault)?;
        if start > size {
            return Err(fault(format!("its header ends at byte {start}, but it has {size} bytes")));
        }
        let npy::Array { element, len } = npy::parse(&source.read(0..start).await?).map_err(fault)?;
        if len.checked_mul(element.size_bytes()) != Some(size - start) {
            return Err(fault(format!(
                "its header tells of {len} tokens of {} bytes, but {} bytes follow",
                element.size_bytes(),
                size - start
            )));
        }
        Ok(Self { source: Rc::new(source), element, start, len })
    }

    /// Tokens that are in memory, as a tokenizer gives them.
    #[must_use]
    pub fn from_ids(ids: &[i64]) -> Self {
        let bytes: Rc<[u8]> = bytemuck::cast_slice(ids).into();
        Self { source: Rc::new(bytes), element: Element::I64, start: 0, len: ids.len() as u64 }
    }

    /// What the source is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Some of them; as in [`Source::read`], reading begins with this call.
    ///
    /// # Errors
    /// If the range is not inside, or reading fails.
    pub fn read(&self, tokens: Range<u64>) -> Pending<'static, Vec<i64>> {
        let Range { start, end } = tokens;
        if start > end || end > self.len {
            let message = format!("tokens {start} to {end} were asked for, but it has {}", self.len);
            return Box::pin(std::future::ready(Err(Error::file(self.name(), message))));
        }
        let (element, each) = (self.element, self.element.size_bytes());
        let reading = self.source.read(self.start + start * each..self.start + end * each);
        let name = self.name().to_owned();
        Box::pin(async move {
            let bytes = reading.await?;
            // A file that was cut meanwhile gives less than its size promised.
            if bytes.len() as u64 != (end - start) * each {
                return Err(Error::file(name, "has become shorter while it was read"));
            }
            Ok(element.decode(&bytes))
        })
    }
}
