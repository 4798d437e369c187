//! The options that say how inputs are read: every command that reads puzzles has them.

use super::{Error, Files, is_standard, lost_pages, print, say, stdin_file};
use crate::input::{ChunkBuffer, ColumnRef, Delimiter, Hints, Layout, Mapping, Puzzles, Source};
use crate::puzzle::parse::{self, Blanks};
use clap::{Args, ValueHint};
use std::fs;
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

/// What records call standard input.
const STDIN: &str = "<stdin>";

/// What records call a puzzle that was given as an argument.
const ARGUMENT: &str = "<argument>";

/// How inputs are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct InputArgs {
    /// Files, or a puzzle itself; - or none for standard input
    ///
    /// All inputs are opened before anything is written.
    #[arg(value_name = "INPUT", help_heading = None, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<Files>,

    /// Treat every line as a puzzle; detect no layout
    ///
    /// Every line is answered at once, as are those typed at a terminal. A pipe without a byte is no error.
    #[arg(long, conflicts_with_all = ["grid", "columns", "delimiter"])]
    pub(crate) lines: bool,

    /// Name the fields: puzzle=2,solution=answer
    ///
    /// By number, name or key. Without it, the field with the most grids with blanks has the puzzles, and
    /// another field with the most full grids has the solutions. See docs/input.md.
    #[arg(long, value_name = "LIST", value_parser = columns)]
    pub(crate) columns: Option<Hints>,

    /// Split lines at CHAR, at tab or at space
    ///
    /// Detected if not given: , ; | tab or spaces.
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<Delimiter>,

    /// Treat the first line as data, not as a header
    ///
    /// Also writes csv without a header. A first line that names a field of puzzles is still a header.
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Read CHARS as blanks, too; write the first of them
    ///
    /// Without it . 0 _ * and - are read as blanks (in grids not -), and . is written.
    #[arg(long, value_name = "CHARS", value_parser = blank, allow_hyphen_values = true)]
    pub(crate) blank: Option<NamedBlanks>,

    /// Read grids of nine lines, plain or framed
    ///
    /// Reads all grids of a text and skips other lines. - is a part of frames, unless --blank names it. Not
    /// needed for files whose names end in .sdk or .ss.
    #[arg(long)]
    pub(crate) grid: bool,

    /// Print how each input is read, and exit
    ///
    /// Lists the fields for each delimiter, with the number of grids in each, and the decision.
    #[arg(long)]
    pub(crate) explain_input: bool,

    /// Read files instead of mapping them
    ///
    /// Slower, but safe if another program shortens a file during the run.
    #[arg(long, hide_short_help = true)]
    pub(crate) no_mmap: bool,
}

/// The blanks that were named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedBlanks {
    blanks: Blanks,
    has_dash: bool,
    pub(crate) written: u8,
}

impl InputArgs {
    /// All inputs: standard input if none are named.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let stdin = self.inputs.is_empty().then_some(Path::new("-"));
        self.inputs.iter().flatten().chain(stdin)
    }

    /// All inputs, opened.
    pub(crate) fn open(&self) -> Result<Vec<Source>, Error> {
        let mapping = self.mapping();
        let open = |path: &Path| {
            let source = open_with(path, mapping, &self.hints().blanks)?;
            let plain = || Layout::default().with_blanks(self.hints().blanks);
            let is_plain = self.lines
                || is_puzzle(path, &self.hints().blanks)
                || is_standard(path) && self.is_terminal();
            Ok(if is_plain { source.with_layout(plain()) } else { source })
        };
        self.paths().map(open).collect()
    }

    /// Removes the files without records, unless all are, and returns their names.
    pub(crate) fn remove_empty(&self, sources: &mut Vec<Source>) -> Result<Vec<PathBuf>, Error> {
        if self.paths().nth(1).is_none() && !self.lines {
            // It is refused when its layout is looked for.
            return Ok(Vec::new());
        }
        let is_empty = |path| Ok(is_short(path) && !has_records(path, self.mapping())?);
        let are_empty = self.paths().map(is_empty).collect::<Result<Vec<_>, Error>>()?;
        if are_empty.iter().all(|&it| it) {
            let first = self.paths().next().filter(|_| self.lines);
            // A program may have nothing to ask. A file without records is a mistake, however it is read.
            return first.map_or(Ok(Vec::new()), |path| Err(Error::at(path, NO_RECORDS)));
        }
        let mut places = are_empty.iter();
        sources.retain(|_| !places.next().expect("a source for each path"));
        let named = self.paths().zip(&are_empty).filter(|it| *it.1);
        Ok(named.map(|(path, _)| path.to_owned()).collect())
    }

    /// Whether a person types the puzzles: each line is answered at once.
    fn is_terminal(&self) -> bool {
        let is_told = self.grid || self.columns.is_some() || self.delimiter.is_some();
        !is_told && io::stdin().is_terminal()
    }

    /// The permission to map inputs, if they are to be mapped.
    pub(crate) fn mapping(&self) -> Option<Mapping> {
        if self.no_mmap { None } else { lost_pages::mapping() }
    }

    /// With `--explain-input`, prints how the layout of each input is detected. Whether it does, so that the run ends.
    pub(crate) fn explain(&self) -> Result<bool, Error> {
        if !self.explain_input {
            return Ok(false);
        }
        let mut refused = None;
        for mut source in self.open()? {
            let explanation = source.explain(&self.hints())?;
            print(explanation.to_string().as_bytes())?;
            // The message is the same as without the option.
            let name = source.name();
            let error = explanation.layout.err();
            refused = refused.or_else(|| error.map(|why| Error::Failed(format!("{name}: {why}"))));
        }
        refused.map_or(Ok(true), Err)
    }

    /// Detects the layout of each input and prints it; also where there are answers, if those are looked
    /// for. `answers` says what follows if there are none.
    pub(crate) fn find_layouts(
        &self,
        sources: &mut [Source],
        answers: Option<&str>,
        quiet: bool,
    ) -> Result<(), Error> {
        let hints = self.hints();
        for source in sources {
            let has_answers = source.find_layout(&hints)?.has_solutions();
            let is_told = !quiet && (answers.is_some() || **source.name() != *ARGUMENT);
            let Some(understood) = source.understood().filter(|_| is_told) else { continue };
            match answers.filter(|_| !has_answers) {
                Some(so) => say(format_args!("{understood}; no answers found: {so}")),
                None => say(understood),
            }
        }
        Ok(())
    }

    pub(crate) fn hints(&self) -> Hints {
        Hints {
            delimiter: self.delimiter,
            no_header: self.no_header,
            blanks: self.blank.map_or(Blanks::usual(), |blank| blank.blanks),
            grids: self.grid,
            has_dashes: self.blank.is_some_and(|blank| blank.has_dash),
            ..self.columns.clone().unwrap_or_default()
        }
    }

    /// What blanks are written as.
    pub(crate) fn written_blank(&self) -> u8 {
        self.blank.map_or(b'.', |blank| blank.written)
    }

    /// Whether every input is a puzzle that was given as an argument.
    pub(crate) fn are_puzzles(&self) -> bool {
        let blanks = self.hints().blanks;
        self.paths().all(|path| is_puzzle(path, &blanks))
    }

    /// Whether standard input is read.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.paths().any(is_standard)
    }
}

/// Opens a file that is read besides the inputs.
pub(crate) fn open_beside(path: &Path, mapping: Option<Mapping>) -> Result<Source, Error> {
    open_with(path, mapping, &Blanks::usual())
}

/// Detects the layout of a file that is read besides the inputs: it may have lines or grids in text.
pub(crate) fn find_layout_beside(source: &mut Source, hints: Hints) -> Result<(), Error> {
    source.find_layout(&Hints { is_beside: true, ..hints })?;
    Ok(())
}

/// What is said of a file without records.
pub(super) const NO_RECORDS: &str = "no puzzle found: the file has no records";

/// Whether a file is so short that it is looked through before a run.
fn is_short(path: &Path) -> bool {
    path.metadata().is_ok_and(|it| it.is_file() && it.len() < 64 * 1024)
}

/// Whether a line of a file is more than empty or a comment. The lines up to the first such line are read.
fn has_records(path: &Path, mapping: Option<Mapping>) -> Result<bool, Error> {
    const CHUNK_BYTES: usize = 64 * 1024;
    let source = open_beside(path, mapping)?.with_layout(Layout::default());
    let mut chunks = source.into_chunks();
    let (mut chunk, mut puzzles) = (ChunkBuffer::default(), Puzzles::default());
    while chunks.fill(&mut chunk, CHUNK_BYTES)? {
        chunk.read(|chunk| puzzles.read(chunk)).map_err(|cause| Error::at(path, cause))?;
        if puzzles.rows().next().is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The same, with these blanks in a puzzle that was given as an argument.
fn open_with(path: &Path, mapping: Option<Mapping>, blanks: &Blanks) -> Result<Source, Error> {
    if is_standard(path) {
        return stdin(mapping);
    }
    if is_puzzle(path, blanks) {
        return Ok(Source::from_bytes(ARGUMENT, path.as_os_str().as_encoded_bytes().to_vec()));
    }
    Source::open(path, mapping).map_err(|error| {
        match why_no_puzzle(path, blanks).or_else(|| why_no_address(path)) {
            Some(why) => Error::Failed(format!("{}: {why}", error.name)),
            None => error.into(),
        }
    })
}

/// Whether an argument is a puzzle: 81 cells or 729 candidates, and no file has this name.
fn is_puzzle(path: &Path, blanks: &Blanks) -> bool {
    parse::puzzle(path.as_os_str().as_encoded_bytes(), blanks).is_ok() && is_absent(path)
}

/// Whether no file has this name. A name of 729 bytes is too long for one.
fn is_absent(path: &Path) -> bool {
    matches!(
        fs::symlink_metadata(path).map_err(|error| error.kind()),
        Err(ErrorKind::NotFound | ErrorKind::InvalidFilename)
    )
}

/// Why an argument is not a puzzle, if it was meant to be one: no file has this name, and nearly all of
/// its characters are cells, or all of a short one.
fn why_no_puzzle(path: &Path, blanks: &Blanks) -> Option<String> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let others = bytes.iter().filter(|&&byte| !blanks.is_cell(byte)).count();
    let is_meant = !bytes.is_empty() && 20 * others <= bytes.len();
    let error = parse::puzzle(bytes, blanks).err().filter(|_| is_meant && is_absent(path))?;
    Some(format!("no such file, and no puzzle: {error}"))
}

/// Why an argument is not read if it is an address.
fn why_no_address(path: &Path) -> Option<String> {
    let is_address = path.to_str().is_some_and(|path| path.contains("://")) && is_absent(path);
    is_address.then(|| "addresses are not read: download the file, then name it".to_owned())
}

fn stdin(mapping: Option<Mapping>) -> Result<Source, Error> {
    let Ok(file) = stdin_file() else { return Ok(Source::from_reader(STDIN, io::stdin())) };
    Ok(Source::from_file(STDIN, file, mapping)?)
}

/// Takes the number of a column, or its name.
pub(crate) fn column(text: &str) -> ColumnRef {
    match text.parse::<usize>() {
        Ok(number @ 1..) => ColumnRef::Place(number - 1),
        // Columns count from 1, and 0 may be a name.
        Ok(0) | Err(_) => ColumnRef::Name(text.to_owned()),
    }
}

/// Takes `puzzle=2,solution=answer`: the hints are of these columns alone.
fn columns(text: &str) -> Result<Hints, String> {
    let mut columns = Hints::default();
    for part in text.split(',') {
        let (role, column) = part
            .split_once('=')
            .ok_or_else(|| format!("expected puzzle=COLUMN or solution=COLUMN, found '{part}'"))?;
        if column.is_empty() {
            return Err(format!("'{part}' names no column"));
        }
        let column = self::column(column);
        let slot = match role {
            "puzzle" => &mut columns.puzzle,
            "solution" => &mut columns.solution,
            "prediction" => &mut columns.prediction,
            _ => return Err(format!("expected puzzle, solution or prediction, found '{role}'")),
        };
        if slot.replace(column).is_some() {
            return Err(format!("{role} is named twice"));
        }
    }
    let Hints { puzzle, solution, prediction, .. } = &columns;
    for (one, other) in [(puzzle, solution), (puzzle, prediction), (solution, prediction)] {
        if one.is_some() && one == other {
            return Err("two of them are the same column".to_owned());
        }
    }
    Ok(columns)
}

/// Takes a character that divides fields.
fn delimiter(text: &str) -> Result<Delimiter, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(Delimiter::Byte(b'\t')),
        b"space" | b" " => Ok(Delimiter::Spaces),
        b"comma" => Ok(Delimiter::Byte(b',')),
        b"semicolon" => Ok(Delimiter::Byte(b';')),
        b"pipe" => Ok(Delimiter::Byte(b'|')),
        &[byte] if !b"\"#\n\r".contains(&byte) && !byte.is_ascii_digit() => {
            Ok(Delimiter::Byte(byte))
        }
        _ => {
            Err("expected one character that is no digit, quotation mark or #; tab or space"
                .to_owned())
        }
    }
}

/// Takes characters that stand for a blank.
fn blank(text: &str) -> Result<NamedBlanks, String> {
    let add = |blanks: Option<Blanks>, &byte: &u8| {
        let divides = Delimiter::BYTES.contains(&byte) || byte == b'#';
        blanks.filter(|_| !divides).and_then(|blanks| blanks.with(byte))
    };
    let blanks = text.as_bytes().iter().fold(Some(Blanks::usual()), add);
    match (blanks, text.bytes().next()) {
        (Some(blanks), Some(written)) => {
            Ok(NamedBlanks { blanks, has_dash: text.contains('-'), written })
        }
        _ => Err("expected visible ASCII characters other than 1 to 9 , ; | # and \"".to_owned()),
    }
}

/// Fails if an option names a column that an input does not have. `facts` are what it may name besides columns.
pub(crate) fn check_column(
    option: &str,
    name: &str,
    facts: &str,
    sources: &[Source],
) -> Result<(), Error> {
    let lacks =
        |it: &&Source| it.length() != Some(0) && it.layout().is_some_and(|it| it.lacks(name));
    let Some(source) = sources.iter().find(lacks) else { return Ok(()) };
    let columns = source.layout().map(|it| it.names.join(", ")).unwrap_or_default();
    let has = if columns.is_empty() { "no names".to_owned() } else { columns };
    let source = source.name();
    let reason = format!("no column \"{name}\": it has {has}; of each puzzle: {facts}");
    Err(Error::Failed(format!("{option}: {source} has {reason}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_by_number_or_name() {
        let both = columns("puzzle=2,solution=answer").unwrap();
        assert_eq!(both.puzzle, Some(ColumnRef::Place(1)));
        assert_eq!(both.solution, Some(ColumnRef::Name("answer".to_owned())));
        assert_eq!(columns("solution=1").unwrap().puzzle, None);
        for wrong in ["", "2", "puzzle", "puzzle=", "id=1", "puzzle=1,puzzle=2"] {
            assert!(columns(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_delimiter_is_a_character_or_its_name() {
        assert_eq!(delimiter("tab"), Ok(Delimiter::Byte(b'\t')));
        assert_eq!(delimiter(" "), Ok(Delimiter::Spaces));
        assert_eq!(delimiter(":"), Ok(Delimiter::Byte(b':')));
        let wrong = ["", "::", "5", "#", "\"", "\n"];
        assert!(wrong.into_iter().all(|wrong| delimiter(wrong).is_err()));
    }

    #[test]
    fn blanks_are_added_and_the_first_is_written() {
        assert_eq!(blank("x.").unwrap().written, b'x');
        assert!(blank("x.").unwrap().blanks.is_cell(b'x'));
        assert!(["", "5", ",", " ", "é", "#"].into_iter().all(|wrong| blank(wrong).is_err()));
    }
}
