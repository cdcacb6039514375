//! Writing a checkpoint: first whole in memory, then under another name, then in the place of the old one.

use std::collections::{BTreeMap, BTreeSet};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::Serialize;

use super::{CRC32, FORMAT, FORMAT_NAME, FORMAT_VERSION, LENGTH, Stored, VERSION, checksum, dtype_in_file};
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// The name of what is no tensor.
const TEXTS: &str = "__metadata__";

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

/// A tensor on its way into a file.
pub(super) struct Entry {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// Tensors as they will be in a file.
pub(super) async fn entries(named: &[(String, Tensor)]) -> Result<Vec<Entry>> {
    let tensors: Vec<&Tensor> = named.iter().map(|(_, tensor)| tensor).collect();
    let entries = named.iter().zip(Tensor::bytes_of(&tensors).await?).map(|((name, tensor), bytes)| {
        let (dtype, shape) = (dtype_in_file(tensor.dtype()), tensor.shape().to_vec());
        Entry { name: name.clone(), dtype, shape, bytes }
    });
    Ok(entries.collect())
}

/// A file of these tensors and texts: its header, then tensor by tensor. It fails if two have one name or a name is
/// reserved.
pub(super) fn parts(mut entries: Vec<Entry>, values: Vec<(String, String)>) -> Result<Vec<Vec<u8>>> {
    let mut seen = BTreeSet::new();
    if let Some(Entry { name, .. }) =
        entries.iter().find(|entry| entry.name == TEXTS || !seen.insert(&entry.name))
    {
        return Err(fault(format!("the name '{name}' is taken")));
    }
    // The library's own order: the largest elements first, so that all are aligned.
    entries.sort_by(|a, b| b.dtype.cmp(&a.dtype).then_with(|| a.name.cmp(&b.name)));
    let header = header(&entries, values).map_err(|error| fault(error.to_string()))?;
    let length = (header.len() as u64).to_le_bytes().to_vec();
    Ok([length, header].into_iter().chain(entries.into_iter().map(|entry| entry.bytes)).collect())
}

/// What stands in a header under a name.
#[derive(Serialize)]
#[serde(untagged)]
enum Told<'a> {
    Texts(&'a BTreeMap<String, String>),
    Tensor(&'a TensorInfo),
}

fn header(entries: &[Entry], texts: Vec<(String, String)>) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let texts: BTreeMap<String, String> = texts.into_iter().collect();
    let mut end = 0;
    let infos = entries.iter().map(|entry| {
        let start = end;
        end += entry.bytes.len();
        let (dtype, shape) = (entry.dtype, entry.shape.clone());
        (entry.name.clone(), TensorInfo { dtype, shape, data_offsets: (start, end) })
    });
    let infos: Vec<_> = infos.collect();
    // The library's own check.
    Metadata::new(None, infos.clone())?;
    // In the order of names: the same contents are the same bytes.
    let mut told: BTreeMap<&str, Told> =
        infos.iter().map(|(name, info)| (name.as_str(), Told::Tensor(info))).collect();
    if !texts.is_empty() {
        told.insert(TEXTS, Told::Texts(&texts));
    }
    let mut header = serde_json::to_vec(&told)?;
    header.resize(header.len().next_multiple_of(LENGTH), b' ');
    Ok(header)
}

impl Contents {
    /// The bytes of the file. The tensors must not be written to before it returns.
    ///
    /// # Errors
    /// If two have one name, a name is reserved, or a device fails.
    pub async fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.parts().await?.concat())
    }

    async fn parts(&self) -> Result<Vec<Vec<u8>>> {
        self.check_keys()?;
        let mut entries = entries(&self.tensors).await?;
        entries.extend(self.blobs.iter().map(|(name, bytes)| {
            let (dtype, shape) = (Dtype::U8, vec![bytes.len()]);
            Entry { name: name.clone(), dtype, shape, bytes: bytes.clone() }
        }));
        let stored = entries.iter().map(|Entry { name, dtype, shape, bytes }| Stored {
            name,
            dtype: *dtype,
            shape,
            bytes,
        });
        let values = self.values.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let values = values.chain([(FORMAT, FORMAT_NAME), (VERSION, FORMAT_VERSION)]);
        let crc = checksum(stored.collect(), values.clone());
        let values = values.chain([(CRC32, crc.as_str())]);
        parts(entries, values.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    fn check_keys(&self) -> Result<()> {
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
        let parts = self.parts().await?;
        replace(path, &parts).map_err(|error| Error::file(path.display(), error))
    }
}

fn fault(message: String) -> Error {
    Error::Value { op: "checkpoint", message }
}

#[cfg(not(target_arch = "wasm32"))]
fn replace(path: &std::path::Path, parts: &[Vec<u8>]) -> std::io::Result<()> {
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
        parts.iter().try_for_each(|part| file.write_all(part))?;
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
