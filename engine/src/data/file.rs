//! A file by memory map, read by a thread of its own.

use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::{Source, outside, part};
use crate::backend::Pending;
use crate::error::{Error, Result};

/// A file whose pages a background thread reads while other things are computed.
pub struct MappedFile {
    name: String,
    size_bytes: u64,
    jobs: Sender<Job>,
}

/// What is asked of the thread.
struct Job {
    bytes: Range<u64>,
    answer: Sender<Option<Vec<u8>>>,
}

impl MappedFile {
    /// Maps a file; the thread ends when this is dropped.
    ///
    /// # Errors
    /// If the file cannot be opened or is no regular file, or the system has no more threads.
    pub fn open(path: &Path) -> Result<Self> {
        let map = crate::mapped::map(path)?;
        let name = path.display().to_string();
        let size_bytes = map.len() as u64;
        let (jobs, todo): (_, Receiver<Job>) = channel();
        let read_ahead = move || {
            for Job { bytes, answer } in todo {
                // Nobody waits any more if the loader is gone.
                let _ = answer.send(part(&map, &bytes).map(<[u8]>::to_vec));
            }
        };
        let thread = std::thread::Builder::new().name("napkin-data".into()).spawn(read_ahead);
        thread.map_err(|error| Error::file(&name, error))?;
        Ok(Self { name, size_bytes, jobs })
    }
}

impl Source for MappedFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    fn read(&self, bytes: Range<u64>) -> Pending<'static, Vec<u8>> {
        let (answer, found) = channel();
        let sent = self.jobs.send(Job { bytes: bytes.clone(), answer });
        let (name, size) = (self.name.clone(), self.size_bytes);
        // Natively whoever awaits also waits: there is nothing else for this thread to do.
        Box::pin(async move {
            let found = sent.ok().and_then(|()| found.recv().ok());
            let found = found.ok_or_else(|| Error::file(&name, "the thread that reads it has ended"))?;
            found.ok_or_else(|| outside(&name, &bytes, size))
        })
    }
}
