//! One output: a file, standard output, or any other writer; compressed if its name asks for it.
//!
//! Records arrive in whole chunks, in order. So a [`Sink`] has no buffer of its
//! own: what it is given has left the program when `write` returns. A compressed sink collects
//! records in blocks, which any thread may compress.

use super::disk::{self, Written};
use super::encoder;
use super::encoding::{Encoding, is_parquet};
use super::error::{Error, STDOUT};
use super::log::ValidPart;
use super::partial::{self, Mode, PartialFile};
use super::press::{Mark, Press, PressWork};
use super::table::Table;
use crate::extent::{Extent, Hashed, Hasher};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Where records go: a file, standard output, or any other writer.
pub struct Sink {
    name: Arc<str>,
    writer: Writer,
    /// The file that appears when the sink is finished.
    pub(super) partial: Option<PartialFile>,
    /// Whether nothing was written, by an earlier run either.
    pub(super) is_empty: bool,
    /// Written before the first bytes.
    pub(super) header: Vec<u8>,
}

enum Writer {
    Plain(Hashed),
    Compressed(Press),
}

impl Sink {
    /// Opens a file. It appears under its name when the sink is finished; until then its bytes are
    /// in the file that ends in `.partial`, and stay there if the sink is
    /// never finished. A device or a pipe is written directly. The end of the name tells whether it
    /// is compressed: `.gz`, `.zst`. Only a transaction writes `.parquet`.
    ///
    /// # Errors
    /// The file cannot be created, something is in the way, or this build cannot compress.
    pub fn open(path: &Path, mode: Mode) -> Result<Self, Error> {
        let mut sink = Self::open_as(path, mode == Mode::Replace, None)?;
        sink.partial.iter_mut().for_each(|partial| partial.stays = true);
        Ok(sink)
    }

    /// Opens a file that is removed if the sink is never finished, unless it is kept. A Parquet file needs
    /// columns; its records are rows of CSV without a header.
    pub(super) fn open_as(
        path: &Path,
        replaces: bool,
        table: Option<&Table>,
    ) -> Result<Self, Error> {
        let encoding = Encoding::of_path(path);
        let open = || {
            // Before anything is created.
            encoding.check()?;
            if encoding == Encoding::Parquet && table.is_none() {
                let why = "only records with columns can be written as Parquet: name another file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
            partial::open(path, replaces)
        };
        let (file, partial) = open().map_err(|cause| Error::new(path, cause))?;
        // No later run continues a device or a pipe.
        let (end, hasher) = partial.as_ref().map(|_| (0, Hasher::default())).unzip();
        let behind = Hashed::new(Written::new(file, end), hasher);
        let sink = Self::new(&path.display().to_string(), behind, encoding, table, io::empty())?;
        Ok(Self { partial, ..sink })
    }

    /// The same sink. But if it is never finished, no partial file is left.
    pub fn or_nothing(mut self) -> Self {
        self.partial.iter_mut().for_each(|partial| partial.stays = false);
        self
    }

    /// Continues a partial file after its valid part. The hash is that of its bytes.
    pub(super) fn resume(
        path: &Path,
        partial: PartialFile,
        kept: &ValidPart,
        hasher: Hasher,
        table: Option<&Table>,
    ) -> Result<Self, Error> {
        let failed = |cause| Error::new(path, cause);
        let (file, bytes) = (&partial.file, kept.file.bytes);
        disk::set_len(file, bytes).map_err(failed)?;
        let behind = Hashed::new(Written::new(file.clone(), Some(bytes)), Some(hasher));
        // An encoder reads all that is kept, and writes after it.
        let read = file.first(bytes).map_err(failed)?;
        let name = path.display().to_string();
        let mut sink = Self::new(&name, behind, Encoding::of_path(path), table, read)?;
        sink.partial = Some(partial);
        if !kept.is_empty() {
            sink.write(&kept.pending())?;
            sink.is_empty = false;
        }
        Ok(sink)
    }

    /// Standard output.
    pub fn stdout() -> Self {
        // As a file: the standard library's stream reports success for bytes that cannot be written because
        // the descriptor is open for reading only.
        #[cfg(unix)]
        if let Ok(file) = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned() {
            return Self::from_writer(STDOUT, std::fs::File::from(file));
        }
        Self::from_writer(STDOUT, io::stdout())
    }

    /// A writer. Messages call it by this name.
    pub fn from_writer(name: &str, writer: impl Write + Send + 'static) -> Self {
        Self::of(name, Writer::Plain(Hashed::new(writer, None)))
    }

    /// A writer behind an encoder: the same bytes out for the same bytes in, however they are cut. Only
    /// [`Sink::finish`] writes the end of a compressed stream. `kept` are the bytes of an earlier run.
    pub(super) fn new(
        name: &str,
        behind: Hashed,
        encoding: Encoding,
        table: Option<&Table>,
        kept: impl Read + Send + 'static,
    ) -> Result<Self, Error> {
        let writer = if encoding == Encoding::Plain {
            Writer::Plain(behind)
        } else {
            let extent = behind.extent();
            let encoder = encoder::new(encoding, behind, table, kept);
            let encoder = encoder.map_err(|cause| Error::of(name, cause))?;
            Writer::Compressed(Press::new(encoder, extent))
        };
        Ok(Self::of(name, writer))
    }

    fn of(name: &str, writer: Writer) -> Self {
        Self { name: name.into(), writer, partial: None, is_empty: true, header: Vec::new() }
    }

    /// What other threads can help with.
    pub(super) fn work(&self) -> Option<PressWork> {
        if let Writer::Compressed(press) = &self.writer { Some(press.work.clone()) } else { None }
    }

    /// The place from which a later run can continue.
    pub(super) fn mark(&self) -> Mark {
        match &self.writer {
            Writer::Plain(writer) => Mark::Plain(writer.extent()),
            // Its index is written last, so a later run begins again.
            Writer::Compressed(_) if is_parquet(Path::new(&*self.name)) => {
                Mark::Plain(Extent::default())
            }
            Writer::Compressed(press) => press.mark(),
        }
    }

    /// Writes all of these bytes, and the header before the first.
    ///
    /// # Errors
    /// For example if the disk is full. A compressed sink may report it for earlier bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        let header = std::mem::take(&mut self.header);
        let is_first = std::mem::take(&mut self.is_empty);
        let mut write = |bytes: &[u8]| match &mut self.writer {
            Writer::Plain(writer) => writer.write_all(bytes),
            Writer::Compressed(press) => press.write(bytes),
        };
        let written = if is_first { write(&header) } else { Ok(()) }.and_then(|()| write(bytes));
        written.map_err(|cause| self.error(cause))
    }

    /// Ends the output. A file is synced and gets its name.
    ///
    /// # Errors
    /// The last bytes cannot be written or synced, or the file cannot be renamed.
    pub fn finish(mut self) -> Result<(), Error> {
        self.complete()?;
        self.partial.take().map_or(Ok(()), PartialFile::publish)
    }

    /// Writes what is left and syncs the file, which does not get its name yet. Returns all bytes of it.
    pub(super) fn complete(&mut self) -> Result<Extent, Error> {
        let finished = match &mut self.writer {
            Writer::Plain(writer) => writer.flush().map(|()| writer.extent()),
            Writer::Compressed(press) => press.finish(),
        };
        let synced = finished.and_then(|extent| {
            self.partial.iter().try_for_each(|it| disk::sync(&it.file)).map(|()| extent)
        });
        synced.map_err(|cause| self.error(cause))
    }

    /// What is wrong with a partial file that stays: its records cannot be read, or a later run cannot continue
    /// after these bytes.
    pub(super) fn damage(&mut self, bytes: u64) -> Option<String> {
        let file = &self.partial.as_ref()?.file;
        let is_cut = match &mut self.writer {
            Writer::Compressed(press) if is_parquet(Path::new(&*self.name)) => !press.abandon(),
            _ => false,
        };
        let damage = match file.check(bytes) {
            Err(error) => error.to_string(),
            Ok(()) if is_cut => "has no index, so its rows cannot be read".to_owned(),
            Ok(()) => return None,
        };
        Some(format!("{} {damage}", file.path.display()))
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::of(Arc::clone(&self.name), cause)
    }
}
