//! Records out: how one answer reads, and where the bytes go.
//!
//! Records come in whole chunks, in order, from one thread; so a [`Sink`] needs no buffer of
//! its own, and what it has been given is out of the program's hands at once. One that compresses
//! collects them in blocks, and has a thread for it.
#![forbid(unsafe_code)]

#[cfg_attr(not(feature = "compression"), path = "no_encoder.rs")]
mod encoder;
mod encoding;
mod mark;
mod partial;
mod press;
mod record;
mod row;
mod status;
mod style;

pub use crate::Status;
pub use encoding::Encoding;
pub use mark::{Kept, Mark};
pub use partial::{
    Opening, Standing, follow, is_being_written, new_path, partial_path, standing, state_path,
};
pub(crate) use record::Parts;
pub use record::{Failure, Records, Subject};
pub use row::push_csv_field;
pub use status::StatusSet;
pub use style::{Format, Style, kept_columns};

use encoder::Encoder;
use mark::Length;
use partial::{Opened, Partial};
use press::Press;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What messages call standard output.
pub const STDOUT: &str = "<stdout>";

/// Where records go: a file, standard output, or any other writer.
pub struct Sink {
    name: Arc<str>,
    target: Target,
    /// The file that is to appear when all is written.
    partial: Option<Partial>,
}

/// Where bytes go first.
enum Target {
    /// A writer, and how many bytes have gone there, with those that were kept.
    Writer(Box<dyn Write + Send>, u64),
    Press(Press),
}

impl Sink {
    /// A file that appears when the sink is finished, under a name that is free; or a device or a
    /// pipe. The end of its name tells whether it is compressed.
    ///
    /// # Errors
    /// What the system says, or that this build cannot compress.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Self::open(path, Opening::New)
    }

    /// The same, with what is to be done if there is something under this name. Until it is
    /// finished, what is written stands in a file of the name that [`partial_path`] gives; and
    /// stays there if it never is.
    ///
    /// # Errors
    /// What the system says, that there is something in the way, or that this build cannot compress.
    pub fn open(path: &Path, opening: Opening) -> Result<Self, Error> {
        let name = path.display().to_string();
        let encoding = Encoding::of_path(path);
        let open = || {
            // Before anything is made.
            encoding.check()?;
            Ok(match partial::open(path, opening)? {
                Opened::Direct(file) => (file, None),
                Opened::Partial(partial) => (partial.file()?, Some(partial)),
            })
        };
        let opened: io::Result<_> = open();
        let (file, partial) = opened.map_err(|cause| Error { name: (&*name).into(), cause })?;
        let bytes = if let Opening::Keep(bytes) = opening { bytes } else { 0 };
        let kept = (partial.as_ref().map_or_else(PathBuf::new, Partial::path), bytes);
        Ok(Self { partial, ..Self::behind(kept, &name, file, encoding)? })
    }

    /// The same sink; but if it is never finished, it leaves no partial file.
    #[must_use]
    pub fn or_nothing(mut self) -> Self {
        self.partial.iter_mut().for_each(Partial::or_nothing);
        self
    }

    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        match stdout_file() {
            Ok(file) => Self::from_writer(STDOUT, file),
            Err(_) => Self::from_writer(STDOUT, io::stdout()),
        }
    }

    /// A writer, of which messages speak by this name.
    pub fn from_writer(name: &str, writer: impl Write + Send + 'static) -> Self {
        Self::from_writer_behind(0, name, writer)
    }

    /// A writer of which messages speak by this name, and to which everything goes so encoded:
    /// the same bytes out for the same bytes in, however they are cut. What is compressed waits
    /// for up to 1.5 MiB of records, and its end is written by [`Sink::finish`] alone. If the sink
    /// is dropped before, all records so far can be decompressed, and then the end is missing.
    ///
    /// # Errors
    /// There is no memory or no thread for it, or this build cannot compress.
    pub fn encoded(
        name: &str,
        writer: impl Write + Send + 'static,
        encoding: Encoding,
    ) -> Result<Self, Error> {
        Self::behind((PathBuf::new(), 0), name, writer, encoding)
    }

    /// A writer behind so many bytes that are kept of an earlier run.
    pub fn from_writer_behind(bytes: u64, name: &str, writer: impl Write + Send + 'static) -> Self {
        Self { name: name.into(), target: Target::Writer(Box::new(writer), bytes), partial: None }
    }

    /// The same, behind so many bytes that are kept of this file.
    fn behind(
        kept: (PathBuf, u64),
        name: &str,
        writer: impl Write + Send + 'static,
        encoding: Encoding,
    ) -> Result<Self, Error> {
        let (name, writer) = (name.into(), Box::new(writer));
        let target = if encoding == Encoding::Plain {
            Ok(Target::Writer(writer, kept.1))
        } else {
            let encoder = Encoder::new(encoding, writer);
            encoder.and_then(|it| Press::start(it, kept)).map(Target::Press)
        };
        match target {
            Ok(target) => Ok(Self { name, target, partial: None }),
            Err(cause) => Err(Error { name, cause }),
        }
    }

    /// The file that holds what is written as long as it is not whole, if there is one.
    ///
    /// # Errors
    /// What the system says.
    pub fn partial_file(&self) -> Result<Option<File>, Error> {
        let partial = self.partial.as_ref();
        partial.map(Partial::file).transpose().map_err(|cause| self.error(cause))
    }

    /// The place to which it has been written, for a later run to go on from.
    #[must_use]
    pub fn mark(&self) -> Mark {
        match &self.target {
            Target::Writer(_, bytes) => Mark { length: Length::known(*bytes), pending: Vec::new() },
            Target::Press(press) => press.mark(),
        }
    }

    /// Writes all of these bytes.
    ///
    /// # Errors
    /// What the system says, for example that there is no space left; if they are compressed, of
    /// these bytes or of others before.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = match &mut self.target {
            Target::Writer(writer, written) => {
                writer.write_all(bytes).map(|()| *written += bytes.len() as u64)
            }
            Target::Press(press) => press.write(bytes),
        };
        written.map_err(|cause| self.error(cause))
    }

    /// Ends the output: all of it has been written. A file is synced, and then has its name.
    ///
    /// # Errors
    /// What the system says about bytes that it took before.
    pub fn finish(self) -> Result<(), Error> {
        let finished = match self.target {
            Target::Writer(mut writer, _) => writer.flush(),
            Target::Press(press) => press.finish(),
        };
        let named = finished.and_then(|()| self.partial.map_or(Ok(()), Partial::finish));
        named.map_err(|cause| Error { name: self.name, cause })
    }

    fn error(&self, cause: io::Error) -> Error {
        Error { name: Arc::clone(&self.name), cause }
    }
}

/// Standard output as a file: the standard library's stream takes bytes for written that nobody
/// can write there, if it is open for reading alone.
#[cfg(unix)]
fn stdout_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Not on this system: it is used as a stream.
#[cfg(not(unix))]
fn stdout_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// An output that cannot be made or written.
#[derive(Debug)]
pub struct Error {
    /// The output.
    pub name: Arc<str>,
    /// What the system said.
    pub cause: io::Error,
}

impl Error {
    /// Whether whoever was reading has gone: no fault, nobody wants the rest.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        self.cause.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.cause)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}
