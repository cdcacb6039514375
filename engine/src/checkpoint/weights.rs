//! Weights alone, in a safetensors file with nothing of a checkpoint in it: what other programs write and read.

use super::{dtype_in_file, read, write};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// What is in such a file.
#[derive(Debug, Default)]
pub struct Weights {
    /// In the order in which they lie there; on the CPU when they are read.
    pub tensors: Vec<(String, Tensor)>,
    /// Texts of `__metadata__`.
    pub values: Vec<(String, String)>,
}

impl Weights {
    /// The bytes of the file.
    ///
    /// # Errors
    /// If two tensors have one name, a name is reserved, or a device fails.
    pub async fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(write::parts(write::entries(&self.tensors).await?, self.values.clone())?.concat())
    }

    /// Reads a file that is in memory; `name` stands for it in messages.
    ///
    /// # Errors
    /// If it is no safetensors file, is truncated, or has a tensor of a dtype that there is not here.
    pub async fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let (header, start) = read::header(bytes).map_err(|message| Error::file(name, message))?;
        let mut tensors = Vec::new();
        for key in header.offset_keys() {
            let Some(info) = header.info(&key) else { continue };
            let dtype = DType::ALL.into_iter().find(|dtype| dtype_in_file(*dtype) == info.dtype);
            let dtype = dtype.ok_or_else(|| {
                Error::file(
                    name,
                    format!("has a tensor '{key}' of dtype {}, which is not read here", info.dtype),
                )
            })?;
            let (from, to) = info.data_offsets;
            let data = bytes.get(start..).and_then(|data| data.get(from..to));
            let data = data.ok_or_else(|| Error::file(name, "has a tensor outside of itself"))?;
            let tensor = Tensor::empty(&info.shape, dtype, &Device::cpu())?;
            tensor.write_bytes("load", data).await?;
            tensors.push((key, tensor));
        }
        let values = header.metadata().iter().flatten().map(|(key, value)| (key.clone(), value.clone()));
        let mut values: Vec<(String, String)> = values.collect();
        values.sort_unstable();
        Ok(Self { tensors, values })
    }
}
