//! Files that Python sees: those of a folder, or of memory alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A folder
    Folder,
    /// A file of that many bytes
    File(u64),
}

/// Files by their paths. Nothing stays open: where a file is read or written comes with each call.
pub trait Files {
    /// The working folder, as Python shows it.
    fn working_folder(&self) -> String;
    /// # Errors
    /// If there is nothing.
    fn entry(&self, path: &str) -> Result<Entry>;
    /// As many bytes from `at` as there are and `to` takes.
    ///
    /// # Errors
    /// If there is no file.
    fn read(&self, path: &str, at: u64, to: &mut [u8]) -> Result<usize>;
    /// Puts bytes at `at`; a gap before them reads as zeros.
    ///
    /// # Errors
    /// If there is no file, or no room.
    fn write(&self, path: &str, at: u64, bytes: &[u8]) -> Result<()>;
    /// An empty file unless there is one.
    ///
    /// # Errors
    /// If the folder is missing, or the path leads to a folder; if `new`, then if there is a file as well.
    fn create(&self, path: &str, new: bool) -> Result<()>;
    /// Cuts a file or extends it by zeros that take no room until they are written.
    ///
    /// # Errors
    /// If there is no file.
    fn resize(&self, path: &str, bytes: u64) -> Result<()>;
    /// # Errors
    /// If there is no file, or no empty folder.
    fn remove(&self, path: &str, folder: bool) -> Result<()>;
    /// # Errors
    /// If there is something already, or the folder around is missing.
    fn make_folder(&self, path: &str) -> Result<()>;
    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// If there is no folder.
    fn list(&self, path: &str) -> Result<Vec<String>>;
}

/// The files of the machine; relative paths begin at a folder.
#[derive(Debug, Clone)]
pub struct Folder(pub PathBuf);

impl Folder {
    fn open(&self, path: &str, options: &OpenOptions) -> Result<fs::File> {
        options.open(self.0.join(path))
    }
}

impl Files for Folder {
    fn working_folder(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }

    fn entry(&self, path: &str) -> Result<Entry> {
        let found = fs::metadata(self.0.join(path))?;
        Ok(if found.is_dir() { Entry::Folder } else { Entry::File(found.len()) })
    }

    fn read(&self, path: &str, at: u64, to: &mut [u8]) -> Result<usize> {
        let mut file = self.open(path, OpenOptions::new().read(true))?;
        file.seek(SeekFrom::Start(at))?;
        file.read(to)
    }

    fn write(&self, path: &str, at: u64, bytes: &[u8]) -> Result<()> {
        let mut file = self.open(path, OpenOptions::new().write(true))?;
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    fn create(&self, path: &str, new: bool) -> Result<()> {
        let mut options = OpenOptions::new();
        self.open(path, options.write(true).create(true).create_new(new)).map(drop)
    }

    fn resize(&self, path: &str, bytes: u64) -> Result<()> {
        self.open(path, OpenOptions::new().write(true))?.set_len(bytes)
    }

    fn remove(&self, path: &str, folder: bool) -> Result<()> {
        let path = self.0.join(path);
        if folder { fs::remove_dir(path) } else { fs::remove_file(path) }
    }

    fn make_folder(&self, path: &str) -> Result<()> {
        fs::create_dir(self.0.join(path))
    }

    fn list(&self, path: &str) -> Result<Vec<String>> {
        let names = fs::read_dir(self.0.join(path))?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names = names.collect::<Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }
}

/// Bytes per page of a file in memory.
const PAGE: u64 = 1 << 16;

/// Pages that were written, and how long the file is.
#[derive(Debug, Default)]
struct Pages {
    bytes: u64,
    written: BTreeMap<u64, Box<[u8]>>,
}

/// Files that end with the program; `None` is a folder.
#[derive(Debug, Default)]
pub struct Memory(RefCell<BTreeMap<String, Option<Pages>>>);

/// Without `.`, `..` and slashes too many; the root is empty.
fn plain(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => (),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn parent(plain: &str) -> &str {
    plain.rsplit_once('/').map_or("", |(parent, _)| parent)
}

impl Memory {
    /// All files by their paths, and how long they are.
    #[must_use]
    pub fn all(&self) -> Vec<(String, u64)> {
        let nodes = self.0.borrow();
        nodes.iter().filter_map(|(path, node)| Some((path.clone(), node.as_ref()?.bytes))).collect()
    }

    /// Writes a whole file, and makes the folders that it is in.
    ///
    /// # Errors
    /// If there is something else at one of these places.
    pub fn put(&self, path: &str, bytes: &[u8]) -> Result<()> {
        for (at, _) in path.match_indices('/') {
            let folder = &path[..at];
            if self.entry(folder).is_err() {
                self.make_folder(folder)?;
            }
        }
        self.create(path, false)?;
        self.resize(path, 0)?;
        self.write(path, 0, bytes)
    }

    /// A whole file.
    ///
    /// # Errors
    /// If there is no file, or no room for it once more.
    pub fn content(&self, path: &str) -> Result<Vec<u8>> {
        let Entry::File(bytes) = self.entry(path)? else { return Err(ErrorKind::IsADirectory.into()) };
        let mut content = Vec::new();
        content.try_reserve_exact(bytes as usize).map_err(|_| Error::from(ErrorKind::OutOfMemory))?;
        content.resize(bytes as usize, 0);
        self.read(path, 0, &mut content)?;
        Ok(content)
    }

    fn with<T>(&self, path: &str, run: impl FnOnce(&mut Pages) -> T) -> Result<T> {
        let path = plain(path);
        match self.0.borrow_mut().get_mut(&path) {
            Some(Some(pages)) => Ok(run(pages)),
            Some(None) => Err(ErrorKind::IsADirectory.into()),
            None if path.is_empty() => Err(ErrorKind::IsADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn is_folder(&self, path: &str) -> Result<()> {
        match self.entry(path)? {
            Entry::Folder => Ok(()),
            Entry::File(_) => Err(ErrorKind::NotADirectory.into()),
        }
    }

    fn insert(&self, path: String, node: Option<Pages>) -> Result<()> {
        self.is_folder(parent(&path))?;
        self.0.borrow_mut().insert(path, node);
        Ok(())
    }
}

impl Files for Memory {
    fn working_folder(&self) -> String {
        "/".to_owned()
    }

    fn entry(&self, path: &str) -> Result<Entry> {
        let path = plain(path);
        match self.0.borrow().get(&path) {
            Some(Some(pages)) => Ok(Entry::File(pages.bytes)),
            Some(None) => Ok(Entry::Folder),
            None if path.is_empty() => Ok(Entry::Folder),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn read(&self, path: &str, at: u64, to: &mut [u8]) -> Result<usize> {
        self.with(path, |pages| {
            let count = pages.bytes.saturating_sub(at).min(to.len() as u64) as usize;
            let mut done = 0;
            while done < count {
                let at = at + done as u64;
                let from = (at % PAGE) as usize;
                let part = (PAGE as usize - from).min(count - done);
                let to = &mut to[done..done + part];
                match pages.written.get(&(at / PAGE)) {
                    Some(page) => to.copy_from_slice(&page[from..from + part]),
                    None => to.fill(0),
                }
                done += part;
            }
            count
        })
    }

    fn write(&self, path: &str, at: u64, bytes: &[u8]) -> Result<()> {
        let end = at.checked_add(bytes.len() as u64).ok_or(ErrorKind::FileTooLarge)?;
        self.with(path, |pages| {
            let mut done = 0;
            while done < bytes.len() {
                let at = at + done as u64;
                let from = (at % PAGE) as usize;
                let part = (PAGE as usize - from).min(bytes.len() - done);
                let page = pages.written.entry(at / PAGE).or_insert_with(|| vec![0; PAGE as usize].into());
                page[from..from + part].copy_from_slice(&bytes[done..done + part]);
                done += part;
            }
            pages.bytes = pages.bytes.max(end);
        })
    }

    fn create(&self, path: &str, new: bool) -> Result<()> {
        match self.entry(path) {
            Ok(Entry::File(_)) if new => Err(ErrorKind::AlreadyExists.into()),
            Ok(Entry::File(_)) => Ok(()),
            Ok(Entry::Folder) => Err(ErrorKind::IsADirectory.into()),
            Err(_) => self.insert(plain(path), Some(Pages::default())),
        }
    }

    fn resize(&self, path: &str, bytes: u64) -> Result<()> {
        self.with(path, |pages| {
            pages.bytes = bytes;
            drop(pages.written.split_off(&bytes.div_ceil(PAGE)));
            if let Some(last) = pages.written.get_mut(&(bytes / PAGE)) {
                last[(bytes % PAGE) as usize..].fill(0);
            }
        })
    }

    fn remove(&self, path: &str, folder: bool) -> Result<()> {
        if folder {
            self.is_folder(path)?;
            if !self.list(path)?.is_empty() {
                return Err(ErrorKind::DirectoryNotEmpty.into());
            }
        } else {
            self.with(path, |_| ())?;
        }
        self.0.borrow_mut().remove(&plain(path));
        Ok(())
    }

    fn make_folder(&self, path: &str) -> Result<()> {
        if self.entry(path).is_ok() {
            return Err(Error::from(ErrorKind::AlreadyExists));
        }
        self.insert(plain(path), None)
    }

    fn list(&self, path: &str) -> Result<Vec<String>> {
        self.is_folder(path)?;
        let path = plain(path);
        let files = self.0.borrow();
        let inside = files.keys().filter(|key| parent(key) == path);
        Ok(inside.map(|key| key.rsplit('/').next().unwrap_or(key).to_owned()).collect())
    }
}

/// The folder of a file, empty for the working folder.
pub(crate) fn folder(path: &str) -> &str {
    Path::new(path).parent().and_then(Path::to_str).unwrap_or_default()
}
