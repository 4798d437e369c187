//! One output: a file, standard output, or any other writer; compressed if its name asks for it.
//!
//! Records arrive in whole chunks, in order, from one thread. So a [`Sink`] has no buffer of its
//! own: what it is given has left the program when `write` returns. A compressed sink collects
//! records in blocks and has a thread for them.

use super::disk::Written;
use super::encoder::Encoder;
use super::encoding::Encoding;
use super::error::{Error, STDOUT};
use super::extent::{Extent, Hasher};
use super::mark::{Kept, Length, Mark};
use super::partial::{self, Opened, Opening, Partial};
use super::press::Press;
use super::table::Table;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where records go: a file, standard output, or any other writer.
pub struct Sink {
    name: Arc<str>,
    writer: Writer,
    /// The file that appears when the sink is finished.
    partial: Option<Partial>,
}

enum Writer {
    /// A writer, and the hash of all bytes, with those of earlier runs, if a later run may need it.
    Plain(Box<dyn Write + Send>, Option<Hasher>),
    Compressed(Press),
}

impl Sink {
    /// Opens a file. It appears under its name when the sink is finished; until then its bytes are
    /// in the file that [`partial_path`](super::partial_path) names, and stay there if the sink is
    /// never finished. A device or a pipe is written directly. The end of the name tells whether it
    /// is compressed: `.gz`, `.zst`. A name in `.parquet` takes [`Sink::open_table`].
    ///
    /// # Errors
    /// The file cannot be created, something is in the way, or this build cannot compress.
    pub fn open(path: &Path, opening: Opening) -> Result<Self, Error> {
        Self::open_table(path, opening, None)
    }

    /// The same for records that are rows of CSV with these columns and without a header: they become a
    /// Parquet file if the name ends in `.parquet`.
    ///
    /// # Errors
    /// As [`Sink::open`]; or a Parquet file has no columns.
    pub fn open_table(path: &Path, opening: Opening, table: Option<&Table>) -> Result<Self, Error> {
        let encoding = Encoding::of_path(path);
        let open = || {
            // Before anything is created.
            encoding.check()?;
            if encoding == Encoding::Parquet && table.is_none() {
                let why = "only records with columns can be written as Parquet: name another file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
            Ok(match partial::open(path, opening)? {
                Opened::Direct(file) => (file, None),
                Opened::Partial(partial) => (partial.file()?, Some(partial)),
            })
        };
        let opened: io::Result<_> = open();
        let (file, partial) = opened.map_err(|cause| Error::new(path, cause))?;
        let start = (partial.as_ref().map_or_else(PathBuf::new, Partial::path), Extent::default());
        let name = path.display().to_string();
        let mut sink =
            Self { partial, ..Self::after(start, &name, Written::from(file), (encoding, table))? };
        sink.keep();
        Ok(sink)
    }

    /// The same sink. But if it is never finished, no partial file is left.
    #[must_use]
    pub fn or_nothing(mut self) -> Self {
        self.partial.iter_mut().for_each(Partial::or_nothing);
        self
    }

    /// Hashes what is written from now on, so that a later run can continue. Nothing was written yet.
    pub(super) fn hash(&mut self) {
        if let Writer::Plain(_, hasher) = &mut self.writer {
            *hasher = Some(Hasher::default());
        }
    }

    /// Continues a partial file after its valid part. The hash is that of its bytes.
    pub(super) fn resume(
        path: &Path,
        mut partial: Partial,
        kept: &Kept,
        hasher: Hasher,
    ) -> Result<Self, Error> {
        let failed = |cause| Error::new(path, cause);
        partial.cut(kept.file.bytes).map_err(failed)?;
        let file = Written::from(partial.file().map_err(failed)?);
        let start = (partial.path(), kept.file);
        let name = path.display().to_string();
        let mut sink = Self::after(start, &name, file, (Encoding::of_path(path), None))?;
        if let Writer::Plain(_, of_plain) = &mut sink.writer {
            *of_plain = Some(hasher);
        }
        let mut sink = Self { partial: Some(partial), ..sink };
        sink.write(&kept.pending)?;
        Ok(sink)
    }

    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        match stdout_file() {
            Ok(file) => Self::from_writer(STDOUT, file),
            Err(_) => Self::from_writer(STDOUT, io::stdout()),
        }
    }

    /// A writer. Messages call it by this name.
    pub fn from_writer(name: &str, writer: impl Write + Send + 'static) -> Self {
        let writer = Writer::Plain(Box::new(writer), None);
        Self { name: name.into(), writer, partial: None }
    }

    /// A writer behind an encoder: the same bytes out for the same bytes in, however they are cut.
    /// Up to 1.5 MiB of records wait for the encoder. Only [`Sink::finish`] writes the end of the
    /// compressed stream. If the sink is dropped before, all records can be decompressed, and the
    /// end is missing.
    ///
    /// # Errors
    /// There is no memory or no thread for it, or this build cannot compress.
    pub fn encoded(
        name: &str,
        writer: impl Write + Send + 'static,
        encoding: Encoding,
    ) -> Result<Self, Error> {
        Self::after((PathBuf::new(), Extent::default()), name, writer, (encoding, None))
    }

    /// A writer of a Parquet file with these columns, for rows of CSV without a header.
    ///
    /// # Errors
    /// There is no memory or no thread for it, or this build writes no Parquet.
    pub fn table(
        name: &str,
        writer: impl Write + Send + 'static,
        table: &Table,
    ) -> Result<Self, Error> {
        let encoding = (Encoding::Parquet, Some(table));
        Self::after((PathBuf::new(), Extent::default()), name, writer, encoding)
    }

    /// A writer that appends to the valid part of a file.
    fn after(
        kept: (PathBuf, Extent),
        name: &str,
        writer: impl Write + Send + 'static,
        (encoding, table): (Encoding, Option<&Table>),
    ) -> Result<Self, Error> {
        let (name, writer) = (name.into(), Box::new(writer));
        let writer = if encoding == Encoding::Plain {
            Ok(Writer::Plain(writer, None))
        } else {
            let encoder = Encoder::new(encoding, writer, table);
            encoder.and_then(|it| Press::start(it, kept)).map(Writer::Compressed)
        };
        match writer {
            Ok(writer) => Ok(Self { name, writer, partial: None }),
            Err(cause) => Err(Error { name, cause }),
        }
    }

    /// Keeps the partial file, even if the sink is never finished.
    pub(super) fn keep(&mut self) {
        self.partial.iter_mut().for_each(Partial::keep);
    }

    /// Whether it is a file that appears when it is complete.
    pub(super) const fn is_file(&self) -> bool {
        self.partial.is_some()
    }

    /// That file.
    pub(super) fn file(&self) -> Result<Option<File>, Error> {
        let partial = self.partial.as_ref().map(Partial::file);
        partial.transpose().map_err(|cause| self.error(cause))
    }

    /// The place from which a later run can continue.
    pub(super) fn mark(&self) -> Mark {
        match &self.writer {
            Writer::Plain(_, hasher) => {
                let file = hasher.as_ref().map_or_else(Extent::default, Hasher::extent);
                Mark { length: Length::known(file), pending: Vec::new() }
            }
            Writer::Compressed(press) => press.mark(),
        }
    }

    /// Writes all of these bytes.
    ///
    /// # Errors
    /// For example if the disk is full. A compressed sink may report it for earlier bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = match &mut self.writer {
            Writer::Plain(writer, hasher) => writer
                .write_all(bytes)
                .map(|()| hasher.iter_mut().for_each(|hasher| hasher.update(bytes))),
            Writer::Compressed(press) => press.write(bytes),
        };
        written.map_err(|cause| self.error(cause))
    }

    /// Ends the output. A file is synced and gets its name.
    ///
    /// # Errors
    /// The last bytes cannot be written or synced, or the file cannot be renamed.
    pub fn finish(self) -> Result<(), Error> {
        self.complete()?.publish()
    }

    /// Writes what is left and syncs the file, which does not get its name yet.
    pub(super) fn complete(self) -> Result<Complete, Error> {
        let Self { name, writer, partial } = self;
        let finished = match writer {
            Writer::Plain(mut writer, _) => writer.flush(),
            Writer::Compressed(press) => press.finish(),
        };
        let synced = || partial.as_ref().map_or(Ok(0), Partial::sync);
        match finished.and_then(|()| synced()) {
            Ok(bytes) => Ok(Complete { name, bytes, partial }),
            Err(cause) => Err(Error { name, cause }),
        }
    }

    fn error(&self, cause: io::Error) -> Error {
        Error { name: Arc::clone(&self.name), cause }
    }
}

/// An output to which everything has been written. If it is a file, it has no name yet.
pub(super) struct Complete {
    name: Arc<str>,
    /// Length of the file.
    pub(super) bytes: u64,
    partial: Option<Partial>,
}

impl Complete {
    /// The same file, completed by an earlier run.
    pub(super) fn of_earlier_run(path: &Path, partial: Partial, bytes: u64) -> Self {
        Self { name: path.display().to_string().into(), bytes, partial: Some(partial) }
    }

    /// Gives the file its name.
    pub(super) fn publish(self) -> Result<(), Error> {
        let published = self.partial.map_or(Ok(()), Partial::publish);
        published.map_err(|cause| Error { name: self.name, cause })
    }
}

/// Standard output as a file. The standard library's stream reports success for bytes that cannot
/// be written because the descriptor is open for reading only.
#[cfg(unix)]
fn stdout_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output is used as a stream.
#[cfg(not(unix))]
fn stdout_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
