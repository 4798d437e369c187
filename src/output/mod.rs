//! Records out: how one answer reads, and where the bytes go.
//!
//! Records come in whole chunks, in order, from one thread; so a [`Sink`] needs no buffer of
//! its own, and what it has been given is out of the program's hands at once.

mod record;

pub use record::{Failure, Records};

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Where records go: a file, standard output, or any other writer.
pub struct Sink {
    name: Arc<str>,
    writer: Box<dyn Write + Send>,
}

impl Sink {
    /// A file, made new or emptied.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        match File::create(path) {
            Ok(file) => Ok(Self::from_writer(&name, file)),
            Err(cause) => Err(Error { name: name.into(), cause }),
        }
    }

    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        // Records come by the chunk and end with a line end, so the buffer that the standard
        // library has for this stream is passed by.
        Self::from_writer("<stdout>", io::stdout())
    }

    /// A writer, of which messages speak by this name.
    pub fn from_writer(name: &str, writer: impl Write + Send + 'static) -> Self {
        Self { name: name.into(), writer: Box::new(writer) }
    }

    /// Writes all of these bytes.
    ///
    /// # Errors
    /// What the system says, for example that there is no space left.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.writer.write_all(bytes).map_err(|cause| self.error(cause))
    }

    /// Ends the output: all of it has been written.
    ///
    /// # Errors
    /// What the system says about bytes that it took before.
    pub fn finish(mut self) -> Result<(), Error> {
        self.writer.flush().map_err(|cause| self.error(cause))
    }

    fn error(&self, cause: io::Error) -> Error {
        Error { name: Arc::clone(&self.name), cause }
    }
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
