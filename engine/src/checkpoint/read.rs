//! Reading a checkpoint: everything is looked at before anything is changed.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Deref;
use std::str::FromStr;

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use super::{CRC32, FORMAT, FORMAT_NAME, FORMAT_VERSION, LENGTH, Stored, VERSION, checksum, dtype_in_file};
use crate::error::{Error, Result};
use crate::layout::join;
use crate::tensor::Tensor;

/// A checkpoint that has been read and found whole.
pub struct Checkpoint {
    name: String,
    bytes: Box<dyn Deref<Target = [u8]>>,
    header: Metadata,
    /// The byte at which tensors begin.
    start: usize,
}

impl Checkpoint {
    /// Maps a file into memory and checks it; tensors are copied from there to their device.
    ///
    /// # Errors
    /// If it cannot be read, is no checkpoint, of another version, truncated or altered.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(path: &std::path::Path) -> Result<Self> {
        Self::new(path.display().to_string(), Box::new(crate::mapped::map(path)?))
    }

    /// Checks a file that is in memory; `name` stands for it in messages.
    ///
    /// # Errors
    /// As [`Checkpoint::open`], but for the system's.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::new(name.to_owned(), Box::new(bytes))
    }

    fn new(name: String, bytes: Box<dyn Deref<Target = [u8]>>) -> Result<Self> {
        let (header, start) = header(&bytes).map_err(|message| Error::file(&name, message))?;
        let checkpoint = Self { name, bytes, header, start };
        checkpoint.check()?;
        Ok(checkpoint)
    }

    /// Format, version and checksum.
    fn check(&self) -> Result<()> {
        let entries = || self.header.metadata().iter().flatten().map(|(key, value)| (&**key, &**value));
        let entry = |name| entries().find(|(key, _)| *key == name).map(|(_, value)| value);
        if entry(FORMAT) != Some(FORMAT_NAME) {
            return Err(self.fault("is a safetensors file, but no checkpoint of Napkin"));
        }
        let version = entry(VERSION).unwrap_or("none");
        if version != FORMAT_VERSION {
            let message = format!("is a checkpoint of version {version}; version {FORMAT_VERSION} is read");
            return Err(self.fault(message));
        }
        let infos = self.header.tensors();
        let stored = infos.iter().map(|(name, info)| {
            Ok(Stored { name, dtype: info.dtype, shape: &info.shape, bytes: self.bytes_of(info)? })
        });
        let have = checksum(stored.collect::<Result<_>>()?, entries());
        match entry(CRC32) {
            Some(crc) if crc == have => Ok(()),
            Some(crc) => Err(self.fault(format!("has been altered: its checksum is {have}, it was {crc}"))),
            None => Err(self.fault("has no checksum")),
        }
    }

    fn fault(&self, message: impl Display) -> Error {
        Error::file(&self.name, message)
    }

    fn bytes_of(&self, info: &TensorInfo) -> Result<&[u8]> {
        let (from, to) = info.data_offsets;
        let found = self.bytes.get(self.start..).and_then(|data| data.get(from..to));
        found.ok_or_else(|| self.fault("has a tensor outside of itself"))
    }

    /// A text that was saved under this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn value(&self, name: &str) -> Result<&str> {
        let value = self.header.metadata().as_ref().and_then(|entries| entries.get(name));
        value.map(String::as_str).ok_or_else(|| self.fault(format!("has no value '{name}'")))
    }

    /// A number that was saved under this name.
    ///
    /// # Errors
    /// If there is none, or it is not of this type.
    pub fn number<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T> {
        let value = self.value(name)?;
        value.parse().map_err(|error| self.fault(format!("has the value '{name}' = '{value}': {error}")))
    }

    /// Bytes that were saved under this name.
    ///
    /// # Errors
    /// If there are none.
    pub fn blob(&self, name: &str) -> Result<&[u8]> {
        match self.header.info(name) {
            Some(info) if info.dtype == Dtype::U8 && info.shape.len() == 1 => self.bytes_of(info),
            Some(_) => Err(self.fault(format!("has a tensor '{name}' where bytes were expected"))),
            None => Err(self.fault(format!("has no bytes '{name}'"))),
        }
    }

    /// Names of all tensors and bytes, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = self.header.offset_keys();
        names.sort_unstable();
        names
    }

    /// Fills tensors with what was saved under their names, bit by bit. Of each group of names that begins here
    /// (`model.`) the file must have the same members, with the same shapes and dtypes; that is known before
    /// the first one is written.
    ///
    /// # Errors
    /// With the words of `load_state_dict` if the file is of another model, or if a tensor shows one element
    /// several times; then no tensor has changed. If a device fails, some may have.
    pub async fn load(&self, tensors: &[(String, Tensor)]) -> Result<()> {
        let faults = self.mismatches(tensors);
        if !faults.is_empty() {
            let message = format!("Error(s) in loading state_dict:\n\t{}", faults.join("\n\t"));
            return Err(self.fault(message));
        }
        for (name, tensor) in tensors {
            if let Some(info) = self.header.info(name) {
                tensor.write_bytes("load", self.bytes_of(info)?).await?;
            }
        }
        Ok(())
    }

    /// Why these tensors are not those of the file, in PyTorch's words.
    fn mismatches(&self, tensors: &[(String, Tensor)]) -> Vec<String> {
        let group = |name: &str| name.split_once('.').map_or(String::new(), |(group, _)| group.to_owned());
        let groups: BTreeSet<String> = tensors.iter().map(|(name, _)| group(name)).collect();
        let wanted: BTreeSet<&str> = tensors.iter().map(|(name, _)| name.as_str()).collect();
        let names = self.names();
        let mut faults = Vec::new();
        let mut list = |what: &str, names: Vec<&str>| {
            if !names.is_empty() {
                faults.push(format!("{what} key(s) in state_dict: \"{}\". ", names.join("\", \"")));
            }
        };
        let missing = wanted.iter().filter(|name| self.header.info(name).is_none());
        list("Missing", missing.copied().collect());
        let extra = names.iter().filter(|name| groups.contains(&group(name)));
        list("Unexpected", extra.map(String::as_str).filter(|name| !wanted.contains(name)).collect());
        for (name, tensor) in tensors {
            let Some(info) = self.header.info(name) else { continue };
            if info.shape != tensor.shape() {
                faults.push(format!(
                    "size mismatch for {name}: copying a param with shape torch.Size([{}]) from checkpoint, the \
                     shape in current model is torch.Size([{}]).",
                    join(info.shape.iter()),
                    join(tensor.shape().iter())
                ));
            } else if info.dtype != dtype_in_file(tensor.dtype()) {
                faults.push(format!(
                    "dtype mismatch for {name}: {} in checkpoint, {} in current model.",
                    info.dtype,
                    tensor.dtype()
                ));
            } else if tensor.overlaps_itself() {
                faults.push(format!("{name} refers to a memory location more than once."));
            }
        }
        faults
    }
}

/// The header, and the byte at which it ends. The library's own reader adds offsets up without a check, and
/// panics on headers made for it.
pub(super) fn header(bytes: &[u8]) -> Result<(Metadata, usize), String> {
    let foreign = |why: &dyn Display| format!("is no safetensors file: {why}");
    let (length, rest) = bytes.split_first_chunk::<LENGTH>().ok_or_else(|| foreign(&"it is too short"))?;
    let length = u64::from_le_bytes(*length);
    // Before the length is believed: other formats have letters there.
    if rest.first() != Some(&b'{') {
        return Err(foreign(&"it does not begin with a header"));
    }
    let text = usize::try_from(length).ok().and_then(|length| rest.get(..length));
    let text = text.ok_or_else(|| format!("is truncated: its header alone has {length} bytes"))?;
    let header: Metadata = serde_json::from_slice(text).map_err(|error| foreign(&error))?;
    let start = LENGTH + text.len();
    let (whole, have) = (start as u128 + header.data_len() as u128, bytes.len() as u128);
    match have {
        _ if have < whole => Err(format!("is truncated: it has {have} of {whole} bytes")),
        _ if have > whole => Err(format!("has {} bytes more than its header tells of", have - whole)),
        _ => Ok((header, start)),
    }
}
