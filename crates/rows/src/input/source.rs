//! Inputs: files, streams and bytes in memory, before they are cut into chunks.

use super::compressed::{self, CompressionFormat, Decoder};
use super::layout::hints::Hints;
use super::layout::rule::{GRIDS_WAY_OUT, decide, read_head};
use super::layout::shape::{self, Layout, ParquetValues};
use super::layout::why::{Decided, Explanation, Why};
use super::mapped::{Mapped, Mapping};
use super::origin::{Origin, SharedBytes, Whole};
use super::parquet;
use super::part::{self, LinesBefore, Part, Shard, Skipped};
use super::stream::Stream;
use crate::extent::Extent;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// One input: a file, a stream, or bytes in memory.
pub struct Source {
    name: Arc<str>,
    body: Body,
    /// How its lines are to be read, as soon as that is known.
    layout: Option<Arc<Layout>>,
    /// Which of its lines are read.
    pub part: Part,
    /// The lines before that part.
    pub lines_before: LinesBefore,
    /// The bytes of its part that an earlier run has read.
    skipped: Skipped,
}

/// Where the bytes come from.
enum Body {
    /// Any of them at any time; compressed, if they have a format.
    Stored(Origin, Option<CompressionFormat>),
    /// One after the other; with how many there will be, if that is known.
    Stream(Box<Decoder>, Option<u64>),
    /// Places in it are rows.
    Table(Box<dyn Table>),
}

/// The name of a column of a Parquet file. With it is its schema in the text form of Parquet, if that form has
/// its type; or what it is if it is nested and so is not read: a list, a map or a struct.
pub type ParquetColumn = (String, Result<Option<String>, &'static str>);

/// A Parquet file, whose rows are read as lines of CSV.
pub(super) trait Table: Send {
    /// How many bytes the file has.
    fn length(&self) -> u64;

    /// How many rows it has.
    fn rows(&self) -> io::Result<u64>;

    /// Its columns. The lines do not have the nested ones.
    fn columns(&self) -> io::Result<Vec<ParquetColumn>>;

    /// Finds the layout of its rows.
    fn layout(&self, hints: &Hints) -> io::Result<(Decided<Layout>, Why)>;

    /// What is left to be read of this part of its rows.
    fn rest(&self, layout: &Layout, part: Part, skipped: Skipped) -> io::Result<RestOfInput>;
}

/// What is left to be cut of an input.
pub(super) enum RestOfInput {
    Shared {
        shared: Arc<SharedBytes>,
        start: usize,
        end: usize,
    },
    Stream(Stream<Box<dyn Read + Send>>),
    /// Gives the next rows of a table, about this number of bytes of lines.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "no Parquet file is read"))]
    Table(Box<dyn FnMut(usize) -> Option<LoadRows> + Send>),
}

/// Appends some rows of a table as lines. Those before an error are appended, too.
pub(super) type LoadRows = Box<dyn FnOnce(&mut Vec<u8>) -> io::Result<()> + Send + Sync>;

/// An input that has been opened to be read for good.
pub(super) struct Opened {
    pub(super) rest: RestOfInput,
    pub(super) layout: Arc<Layout>,
    /// Where reading begins, in bytes of the input.
    pub(super) start: u64,
}

impl Source {
    /// A file. With this permission it is mapped into memory if it is a regular one; otherwise it is read as a
    /// stream.
    ///
    /// # Errors
    /// The system refuses it; or it is a directory, or of a format that is not read.
    pub fn open(path: &Path, mapping: Option<Mapping>) -> Result<Self, Error> {
        let body = open_file(path).and_then(|file| Body::of(file, Some(path), mapping));
        Self::checked(&path.display().to_string(), body)
    }

    /// An open file, from its current position on. If it is mapped, its position is its end then, as if
    /// it had been read.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn from_file(name: &str, file: File, mapping: Option<Mapping>) -> Result<Self, Error> {
        Self::checked(name, Body::of(file, None, mapping))
    }

    fn checked(name: &str, body: io::Result<Body>) -> Result<Self, Error> {
        body.map(|it| Self::new(name, it)).map_err(|cause| Error { name: clean(name), cause })
    }

    /// A stream. It is decompressed if its first bytes say that it is compressed.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Self {
        Self::new(name, Body::Stream(Box::new(Decoder::new(reader)), None))
    }

    /// Bytes in memory. They are decompressed if the first of them say that they are compressed.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        #[cfg(feature = "parquet")]
        if is_parquet(&bytes) {
            return Self::new(name, Body::Table(parquet::in_memory(bytes)));
        }
        if let Ok(None) = compressed::format_of(&bytes) {
            let shared = Arc::new(SharedBytes::Memory(bytes));
            return Self::new(name, Body::Stored(Origin::Shared(shared), None));
        }
        // A format that cannot be read is an error when it is read.
        Self::from_reader(name, io::Cursor::new(bytes))
    }

    fn new(name: &str, body: Body) -> Self {
        let (part, skipped, lines_before) = (Part::default(), Skipped::default(), 0.into());
        Self { name: clean(name), body, layout: None, part, lines_before, skipped }
    }

    /// Decides how the lines are to be read from the first 64 KiB, if that is not known yet. Waits for
    /// 64 KiB of a stream, or for its end.
    ///
    /// # Errors
    /// There are lines and no puzzle among them, or they cannot be read.
    ///
    /// # Panics
    /// Never: the layout is set before it is returned.
    pub fn find_layout(&mut self, hints: &Hints) -> Result<&Layout, Error> {
        if self.layout.is_none() {
            let layout = self.explain(hints)?.layout;
            layout.map_err(|why| self.error(io::Error::new(ErrorKind::InvalidData, why)))?;
        }
        Ok(self.layout.as_deref().expect("it is set above"))
    }

    /// Does the same, and says how the decision was made.
    ///
    /// An input without a puzzle is no error here: [`Explanation::layout`] says why it is refused.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn explain(&mut self, hints: &Hints) -> Result<Explanation, Error> {
        let name = Arc::clone(&self.name);
        if let Some(layout) = &self.layout {
            let mut why = Why::default();
            why.say("the layout is given, no line is looked at");
            return Ok(Explanation { name, why, layout: Ok(Arc::clone(layout)) });
        }
        // Options are not about a file beside the inputs.
        let grids = hints.grids && !hints.is_beside || shape::is_grids(&name);
        let named = Hints { grids, ..hints.clone() };
        let found = self.body.find_layout(&named);
        let (mut layout, mut why) = found.map_err(|cause| self.error(cause))?;
        if layout.as_ref().is_err_and(|why| hints.is_beside && why.ends_with(GRIDS_WAY_OUT)) {
            let found = self.body.find_layout(&Hints { grids: true, ..named });
            (layout, why) = found.map_err(|cause| self.error(cause))?;
        }
        let layout = layout.map(Arc::new);
        self.layout = layout.as_ref().ok().cloned();
        Ok(Explanation { name, why, layout })
    }

    /// A line for people about its layout, if that is known.
    pub fn understood(&self) -> Option<String> {
        Some(self.layout.as_ref()?.understood(&self.name))
    }

    /// The same source, read by this layout.
    pub fn with_layout(self, layout: Layout) -> Self {
        let parquet = matches!(self.body, Body::Table(_)).then_some(ParquetValues::AsText);
        let layout = Layout { parquet, ..layout };
        Self { layout: Some(Arc::new(layout)), ..self }
    }

    /// How its lines are to be read, if that is known.
    pub const fn layout(&self) -> Option<&Arc<Layout>> {
        self.layout.as_ref()
    }

    /// If it is a Parquet file, the values of columns other than those of puzzle and solution are written like this.
    /// Its layout must have been found.
    pub fn write_values(&mut self, values: ParquetValues) {
        if let (Body::Table(_), Some(layout)) = (&self.body, &mut self.layout) {
            Arc::make_mut(layout).parquet = Some(values);
        }
    }

    /// The column of the answers is not among the other columns from here on: records have an answer of
    /// their own. Its layout must have been found.
    pub fn replace_answers(&mut self) {
        if let Some(layout) = self.layout.as_mut().map(Arc::make_mut) {
            layout.replaces_answers = true;
            // Lines that were not looked at are puzzles alone.
            if !layout.is_decided && layout.names.is_empty() {
                layout.record.fields = 1;
            }
        }
    }

    /// The predictions are in this field: of a file of answers, nothing else is read. Its layout must have been found.
    pub fn read_predictions(&mut self, field: usize) {
        let Some(layout) = self.layout.as_mut().map(Arc::make_mut) else { return };
        layout.is_told = true;
        if layout.has_answers {
            (layout.has_predictions, layout.record.puzzle) = (true, field);
            return;
        }
        layout.prediction = Some(field);
        layout.record.solution = layout.record.solution.filter(|solution| *solution != field);
    }

    /// The columns of a Parquet file; none of any other input.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn parquet_columns(&self) -> Result<Vec<ParquetColumn>, Error> {
        let Body::Table(table) = &self.body else { return Ok(Vec::new()) };
        table.columns().map_err(|cause| self.error(cause))
    }

    /// How many bytes it has, if parts of it can be read by themselves.
    fn cuttable(&self) -> Result<u64, Error> {
        let why =
            "is a JSON document, of which no part can be read by itself: write one object a line";
        let length = if self.is_document() {
            Err(io::Error::new(ErrorKind::InvalidInput, why))
        } else {
            self.body.cuttable()
        };
        length.map_err(|cause| self.error(cause))
    }

    fn is_document(&self) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.document.is_some())
    }

    fn error(&self, cause: io::Error) -> Error {
        Error { name: Arc::clone(&self.name), cause }
    }

    /// Its name in messages and records: one line, whatever the file is called.
    pub const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// How many bytes its part has, if that is known before they are read. It is not known of a
    /// compressed input.
    pub fn bytes(&self) -> Option<u64> {
        if let Body::Table(_) = self.body {
            return None;
        }
        Some(self.part.end.or_else(|| self.length())?.saturating_sub(self.part.start))
    }

    /// How many bytes all of it has, if that is known.
    pub fn length(&self) -> Option<u64> {
        // The lines of a document are not its bytes.
        if self.is_document() {
            return None;
        }
        match &self.body {
            // A file of no length may be one of the system's, which has bytes when it is read. The bytes of the
            // lines of other files are not those of the file.
            Body::Stored(Origin::File(_, 0), _) | Body::Stored(_, Some(_)) | Body::Table(_) => None,
            Body::Stored(origin, None) => Some(origin.len()),
            Body::Stream(_, bytes) => *bytes,
        }
    }

    /// Whether its bytes are in a file or in memory. A pipe may have to be waited for.
    pub fn is_stored(&self) -> bool {
        !matches!(&self.body, Body::Stream(stream, _) if !stream.is_file)
    }

    /// How many rows all of it has, if it is a Parquet file that can be read.
    pub fn rows(&self) -> Option<u64> {
        let Body::Table(table) = &self.body else { return None };
        table.rows().ok()
    }

    /// Skips `bytes` bytes at the start of the part, which are `lines` lines. Reading fails if they do not end with the
    /// bytes of `tail`.
    pub fn after(self, bytes: u64, lines: u64, tail: Extent) -> Self {
        Self { skipped: Skipped { bytes, lines, tail }, ..self }
    }

    /// Opens it to be read for good: what is left of it, and its layout.
    pub(super) fn into_rest(mut self) -> Result<Opened, Error> {
        self.find_layout(&Hints::default())?;
        let Self { name, body, layout, part, skipped, .. } = self;
        let layout = layout.expect("it was found above");
        let rest = body.into_rest(&layout, part, skipped).map_err(|cause| Error { name, cause })?;
        Ok(Opened { rest, layout, start: part.start + skipped.bytes })
    }
}

/// Opens a file to be read.
///
/// # Errors
/// The system refuses it. The reason is the same on all systems if the name is that of a folder. On Windows, a name
/// with `*` or `?` is one that no file matched.
pub fn open_file(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|cause| {
        let is_pattern = || path.as_os_str().as_encoded_bytes().iter().any(|it| b"*?".contains(it));
        if path.is_dir() {
            ErrorKind::IsADirectory.into()
        } else if cfg!(windows) && cause.kind() == ErrorKind::InvalidFilename && is_pattern() {
            io::Error::new(ErrorKind::NotFound, "no file matches")
        } else {
            cause
        }
    })
}

impl Shard {
    /// Gives each source the part that is in this shard. Their layouts must have been found.
    ///
    /// # Errors
    /// An input is a pipe or compressed, so that no part of it can be read by itself; or it cannot be read.
    pub fn cut(self, mut sources: Vec<Source>) -> Result<Vec<Source>, Error> {
        let lengths = sources.iter().map(Source::cuttable).collect::<Result<Vec<_>, _>>()?;
        let (start, end) = self.cuts(lengths.iter().sum());
        let mut before = 0;
        for (source, length) in sources.iter_mut().zip(lengths) {
            let place = |cut: u64| cut.saturating_sub(before).min(length);
            let layout = source.layout.clone().unwrap_or_default();
            let part = source.body.part((place(start), place(end), length), &layout);
            (source.part, source.lines_before) = part.map_err(|cause| source.error(cause))?;
            before += length;
        }
        Ok(sources)
    }
}

impl Body {
    /// The layout of its lines. The bytes that are read of a stream will be read again.
    fn find_layout(&mut self, hints: &Hints) -> io::Result<(Decided<Layout>, Why)> {
        let (head, error) = match self {
            Self::Stored(origin, _) => read_head(&mut Decoder::new(origin.read_from(0)?)),
            Self::Stream(stream, _) => read_head(stream),
            Self::Table(table) => return table.layout(hints),
        };
        let decision = decide(&head, hints, None);
        match (error, self) {
            // Lines before an error are answered.
            (Some(error), _) if decision.0.is_err() || !head.contains(&b'\n') => Err(error),
            (error, Self::Stream(stream, _)) => {
                stream.put_back(head, error);
                Ok(decision)
            }
            _ => Ok(decision),
        }
    }

    /// All its bytes as a stream.
    fn into_stream(self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Stored(origin, _) => Box::new(Decoder::new(origin.read_from(0)?)),
            Self::Stream(stream, _) => stream,
            Self::Table(_) => return Err(ErrorKind::Unsupported.into()),
        })
    }

    /// What is left after the bytes that are skipped, up to the end of the part.
    fn into_rest(self, layout: &Layout, part: Part, skipped: Skipped) -> io::Result<RestOfInput> {
        let before = part.start + skipped.bytes;
        let limit = part.end.map_or(u64::MAX, |end| end.saturating_sub(before));
        let (mut stream, before): (Box<dyn Read + Send>, _) = match (self, layout.document) {
            (Self::Table(table), _) => return table.rest(layout, part, skipped),
            (body, Some(document)) => (Box::new(document.lines(body.into_stream()?)), before),
            (Self::Stored(Origin::Shared(shared), _), None) => {
                let (start, end) = range_of(&shared, part, skipped)?;
                return Ok(RestOfInput::Shared { shared, start, end });
            }
            // Of a file that is not compressed nothing is read that is not needed.
            (Self::Stored(origin @ Origin::File(_, 1..), None), None) if before > 0 => {
                let tail = skipped.tail.bytes.min(before);
                (origin.read_from(before - tail)?, tail)
            }
            (body, None) => (body.into_stream()?, before),
        };
        part::skip(&mut stream, before, skipped.tail)?;
        Ok(RestOfInput::Stream(Stream::new(Box::new(stream.take(limit)))))
    }

    /// The bytes of an open file. One that has a path need not stay open until it is read.
    fn of(mut file: File, path: Option<&Path>, mapping: Option<Mapping>) -> io::Result<Self> {
        // Windows answers no questions about devices.
        let about = file.metadata().ok();
        if about.as_ref().is_some_and(Metadata::is_dir) {
            return Err(ErrorKind::IsADirectory.into());
        }
        let Some(about) = about.filter(Metadata::is_file) else {
            return Ok(Self::Stream(Box::new(Decoder::new(file)), None));
        };
        // The shell may hand over a file of which another program has read the head.
        let start = file.stream_position()?;
        let bytes = (about.len() > 0).then(|| about.len().saturating_sub(start));
        let mut head = Vec::new();
        (&file).take(compressed::LONGEST as u64).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(start))?;
        if start == 0 && is_parquet(&head) {
            return Ok(Self::Table(parquet::of_file(file, path, about.len())?));
        }
        let format = compressed::format_of(&head)?;
        let mapping = mapping.filter(|_| bytes.is_some() && format.is_none());
        if let Some(mapping) = mapping
            && let Ok(mapped) = Mapped::new(&file, path, start, mapping)
        {
            // Other owners of this file position see that all of the file is read.
            file.seek(SeekFrom::End(0))?;
            let shared = Arc::new(SharedBytes::Mapped(Box::new(mapped)));
            return Ok(Self::Stored(Origin::Shared(shared), None));
        }
        if let Some(path) = path {
            return Ok(Self::Stored(Origin::File(path.to_owned(), about.len()), format));
        }
        let whole = Whole { file, length: about.len() };
        let mut stream = Decoder::new(whole);
        stream.is_file = true;
        Ok(Self::Stream(Box::new(stream), bytes.filter(|_| format.is_none())))
    }

    /// How many bytes it has, if parts of it can be read by themselves.
    fn cuttable(&self) -> io::Result<u64> {
        let format = match self {
            Self::Stored(origin, None) => return Ok(origin.len()),
            Self::Table(table) => return Ok(table.length()),
            Self::Stored(_, format) => *format,
            Self::Stream(stream, _) => stream.format(),
        };
        let why = match format.map(CompressionFormat::name) {
            Some(name) => format!(
                "it is {name} data; decompress it, {name} -dc FILE > NEW, and use --shard or \
                 split -n l/N with NEW"
            ),
            None => "it is a pipe".to_owned(),
        };
        Err(io::Error::new(ErrorKind::Unsupported, format!("cannot be cut into shards: {why}")))
    }

    /// The part of it whose records begin between two places.
    fn part(
        &self,
        (start, end, length): (u64, u64, u64),
        layout: &Layout,
    ) -> io::Result<(Part, LinesBefore)> {
        if start == end {
            return Ok((Part { start, end: Some(end) }, 0.into()));
        }
        let origin = match self {
            Self::Stored(origin, _) => origin,
            Self::Table(table) => {
                let rows = table.rows()?;
                let row = |place| part::share(rows, place, length.max(1));
                let part = Part { start: row(start), end: Some(row(end)) };
                return Ok((part, part.start.into()));
            }
            Self::Stream(..) => return Err(ErrorKind::Unsupported.into()),
        };
        let boundary = |cut| part::boundary(&|at| origin.read_from(at), cut, layout);
        let start = boundary(start)?;
        // Up to the end of all there is nothing to be looked for.
        let end = if end == length { end } else { boundary(end)? };
        let lines = if start == 0 { 0.into() } else { LinesBefore::of(origin.clone(), start) };
        Ok((Part { start, end: Some(end) }, lines))
    }
}

/// Where to begin and to end in bytes that are all there, after a look at those before.
fn range_of(shared: &SharedBytes, part: Part, skipped: Skipped) -> io::Result<(usize, usize)> {
    let place = |place: u64| usize::try_from(place).ok().filter(|&place| place <= shared.len());
    let start = place(part.start + skipped.bytes);
    let end = part.end.map_or(Some(shared.len()), place);
    let (Some(start), Some(end)) = (start, end) else { return Err(part::differs()) };
    let tail = usize::try_from(skipped.tail.bytes).unwrap_or(usize::MAX).min(start);
    let found = shared.read(|bytes| (start, Extent::of(&bytes[start - tail..start])))?;
    if start <= end && found == skipped.tail { Ok((start, end)) } else { Err(part::differs()) }
}

/// Whether these first bytes of a file are those of a Parquet file.
fn is_parquet(head: &[u8]) -> bool {
    head.starts_with(b"PAR1") || head.starts_with(b"PARE")
}

/// A name in one line: a file may be called anything, and a record is one line.
fn clean(name: &str) -> Arc<str> {
    name.replace(char::is_control, "\u{fffd}").into()
}

/// An input that cannot be opened, or cannot be read to its end.
///
/// It prints the name of the input; the reason is its [`source`](std::error::Error::source).
#[derive(Debug)]
pub struct Error {
    /// The input.
    pub name: Arc<str>,
    /// Why it cannot be read.
    pub cause: io::Error,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}
