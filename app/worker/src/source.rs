//! Files of the browser as sources of tokens: one that the reader has chosen, or one of the page's own file
//! system (OPFS). Only the parts that are asked for are read.

use std::ops::Range;

use js_sys::{Promise, Uint8Array};
use napkin_engine::backend::Pending;
use napkin_engine::data::Source;
use napkin_engine::{Error, Result};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope, File, FileSystemDirectoryHandle, FileSystemFileHandle};

/// A file, or anything else that the browser keeps as a blob.
pub struct BlobSource {
    name: String,
    blob: Blob,
}

impl BlobSource {
    /// A file that the reader has chosen.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self { name: file.name(), blob: file.into() }
    }

    /// The file of that name in the page's own file system, as it is now.
    ///
    /// # Errors
    /// If there is none, or the browser does not allow it.
    pub async fn in_opfs(name: &str) -> Result<Self> {
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let folder: FileSystemDirectoryHandle =
            done(name, scope.navigator().storage().get_directory()).await?;
        let file: FileSystemFileHandle = done(name, folder.get_file_handle(name)).await?;
        Ok(Self { name: name.to_owned(), blob: done(name, file.get_file()).await? })
    }
}

impl Source for BlobSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn size_bytes(&self) -> u64 {
        self.blob.size() as u64
    }

    fn read(&self, bytes: Range<u64>) -> Pending<'static, Vec<u8>> {
        let (name, size) = (self.name.clone(), self.size_bytes());
        if bytes.start > bytes.end || bytes.end > size {
            let message = format!("bytes {} to {} were asked for, but it has {size}", bytes.start, bytes.end);
            return Box::pin(std::future::ready(Err(Error::File { file: name, message })));
        }
        // The browser begins here, before anybody awaits.
        let part = self.blob.slice_with_f64_and_f64(bytes.start as f64, bytes.end as f64);
        // A promise that nobody holds would be an error of the page if it failed.
        let reading = part.map(|part| JsFuture::from(part.array_buffer()));
        Box::pin(async move {
            let buffer: JsValue = answer(&name, reading.map_err(|error| fault(&name, &error))?).await?;
            Ok(Uint8Array::new(&buffer).to_vec())
        })
    }
}

/// What the browser promised for the file of that name.
async fn done<T: JsCast>(name: &str, promise: Promise) -> Result<T> {
    answer(name, promise.into()).await
}

async fn answer<T: JsCast>(name: &str, future: JsFuture) -> Result<T> {
    let value = future.await.map_err(|error| fault(name, &error))?;
    Ok(value.unchecked_into())
}

/// The browser's own words.
fn fault(name: &str, error: &JsValue) -> Error {
    let words = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    Error::File { file: name.to_owned(), message: words.unwrap_or_else(|| format!("{error:?}")) }
}
