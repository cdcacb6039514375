//! Writing a checkpoint: first whole in memory, then under another name, then in the place of the old one.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;

use safetensors::{Dtype, View};

use super::{CRC32, FORMAT, FORMAT_NAME, FORMAT_VERSION, Stored, VERSION, checksum, dtype_in_file};
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// What goes into a checkpoint, each with its name. Names with a common part before the first dot belong
/// together: `model.`, `optimizer.`, `random.`.
#[derive(Default)]
pub struct Contents {
    /// Parameters, buffers, the optimizer's state: of any dtype, on any device, strided or not.
    pub tensors: Vec<(String, Tensor)>,
    /// Bytes, such as the state of a generator.
    pub blobs: Vec<(String, Vec<u8>)>,
    /// Everything that is a number or a text, such as the step.
    pub values: Vec<(String, String)>,
}

/// One of them on its way into the file.
struct Entry {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    size_bytes: usize,
    bytes: RefCell<Vec<u8>>,
}

impl View for Entry {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Asked for once, and freed when it is in the file: otherwise everything would be in memory twice.
    fn data(&self) -> Cow<'_, [u8]> {
        self.bytes.take().into()
    }

    fn data_len(&self) -> usize {
        self.size_bytes
    }
}

impl Contents {
    /// The bytes of the file. The tensors must not be written to before it returns.
    ///
    /// # Errors
    /// If two have one name, a name is reserved, or a device fails.
    pub async fn to_bytes(&self) -> Result<Vec<u8>> {
        self.check_names()?;
        let mut entries = Vec::with_capacity(self.tensors.len() + self.blobs.len());
        let tensors: Vec<&Tensor> = self.tensors.iter().map(|(_, tensor)| tensor).collect();
        for ((name, tensor), bytes) in self.tensors.iter().zip(Tensor::bytes_of(&tensors).await?) {
            entries.push(Entry::new(name, dtype_in_file(tensor.dtype()), tensor.shape().to_vec(), bytes));
        }
        for (name, bytes) in &self.blobs {
            entries.push(Entry::new(name, Dtype::U8, vec![bytes.len()], bytes.clone()));
        }
        let values = self.values.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let ours = [(FORMAT, FORMAT_NAME), (VERSION, FORMAT_VERSION)];
        let borrowed: Vec<_> = entries.iter().map(|entry| entry.bytes.borrow()).collect();
        let stored = entries.iter().zip(&borrowed).map(|(entry, bytes)| entry.stored(bytes));
        let crc = checksum(stored.collect(), values.clone().chain(ours));
        drop(borrowed);
        let metadata = values.chain(ours).chain([(CRC32, crc.as_str())]);
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let named = entries.into_iter().map(|entry| (entry.name.clone(), entry));
        safetensors::serialize(named, Some(metadata)).map_err(|error| fault(error.to_string()))
    }

    fn check_names(&self) -> Result<()> {
        let mut seen = BTreeSet::new();
        let names = self.tensors.iter().map(|(name, _)| name).chain(self.blobs.iter().map(|(name, _)| name));
        for name in names {
            if name == "__metadata__" || !seen.insert(name) {
                return Err(fault(format!("the name '{name}' is taken")));
            }
        }
        let mut seen = BTreeSet::from([FORMAT, VERSION, CRC32]);
        match self.values.iter().find(|(key, _)| !seen.insert(key)) {
            Some((key, _)) => Err(fault(format!("the name '{key}' is taken"))),
            None => Ok(()),
        }
    }

    /// Writes the file beside its place, waits until the disk has it, and only then puts it there: the file
    /// that was there before survives whatever fails, and whoever has it open keeps it. What a killed run
    /// left beside it, a folder named as the file with `.part`, is removed first.
    ///
    /// # Errors
    /// As [`Contents::to_bytes`], and what the system says.
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn save(&self, path: &std::path::Path) -> Result<()> {
        let bytes = self.to_bytes().await?;
        replace(path, &bytes).map_err(|error| Error::file(path.display(), error))
    }
}

impl Entry {
    fn new(name: &str, dtype: Dtype, shape: Vec<usize>, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), dtype, shape, size_bytes: bytes.len(), bytes: bytes.into() }
    }

    fn stored<'a>(&'a self, bytes: &'a [u8]) -> Stored<'a> {
        Stored { name: &self.name, dtype: self.dtype, shape: &self.shape, bytes }
    }
}

fn fault(message: String) -> Error {
    Error::Value { op: "checkpoint", message }
}

#[cfg(not(target_arch = "wasm32"))]
fn replace(path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::fs::{self, File};
    use std::io::{Error, ErrorKind, Write};

    let name =
        path.file_name().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "is not the name of a file"))?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => std::path::Path::new("."),
    };
    // A folder, so that two runs that write to one name never write into one file: who comes second removes the
    // folder, and the first one's renaming fails.
    let mut part = name.to_owned();
    part.push(".part");
    let part = folder.join(part);
    let remove = || match fs::remove_dir_all(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    remove()?;
    let write = || {
        fs::create_dir(&part)?;
        let new = part.join(name);
        let mut file = File::create_new(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(new, path)
    };
    let written = write();
    // The reason why writing failed tells more than why its remains did not go.
    written.and(remove())?;
    // The renaming is on the disk when the folder is; Windows has no such thing.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}
