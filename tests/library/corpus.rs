//! The corpus of layouts (`tests/corpus`), read by the library: the expected records come of each entry,
//! however its bytes arrive.
#![expect(unsafe_code, reason = "files are mapped")]

use crate::laws::{self, Drips, Puzzle, Reading};
use crate::support::Folder;
use crate::support::corpus::{self, Entry, Names};
use ninefold::input::{Given, Hints, Mapping, Shard, Source};
use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;

const CHUNK_BYTES: usize = 5000;

/// What the options of an entry are for the library.
pub(crate) fn hints_of(entry: &Entry) -> Hints {
    let mut hints = Hints::default();
    match &entry.options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {}
        ["--grid"] => hints.grids = true,
        ["--grid", "--blank", blank] => {
            hints.grids = true;
            hints.has_dashes = *blank == "-";
            hints.blanks = hints.blanks.with(blank.as_bytes()[0]).unwrap();
        }
        ["--blank", blank] => hints.blanks = hints.blanks.with(blank.as_bytes()[0]).unwrap(),
        other => panic!("{}: {other:?}", entry.name),
    }
    hints
}

/// A reading in the words of the corpus.
fn words(names: &Names, reading: &Reading) -> String {
    let word = |record: &laws::Record| {
        let Ok((puzzle, given)) = &record.what else { return "bad".to_owned() };
        let puzzle = puzzle.to_string();
        let puzzle = names.name(&puzzle);
        match given {
            None | Some(Given::Missing) => puzzle.to_owned(),
            Some(Given::Cells(grid)) => format!("{puzzle}={}", names.name(&grid.to_string())),
            Some(_) => format!("{puzzle}=bad"),
        }
    };
    let words: Vec<_> = reading.records.iter().map(word).collect();
    match &reading.error {
        Some(_) => "refused".to_owned(),
        None if words.is_empty() => "empty".to_owned(),
        None => words.join(" "),
    }
}

/// Reads an input that may be refused when it is opened.
fn read(source: Result<Source, ninefold::input::Error>, hints: &Hints) -> Reading {
    match source {
        Ok(source) => laws::read(source, hints, CHUNK_BYTES, laws::all()),
        Err(error) => Reading::default().failed(&error),
    }
}

fn mapping() -> Mapping {
    // SAFETY: the files of these tests are theirs alone.
    unsafe { Mapping::allow() }
}

/// Three shards, one after the other; or why the input cannot be cut.
fn in_shards(path: &Path, hints: &Hints) -> Result<Reading, String> {
    let mut all: Option<Reading> = None;
    for shard in ["1/3", "2/3", "3/3"] {
        let mut source = Source::open(path, None).map_err(|error| error.cause.to_string())?;
        source.find_layout(hints).map_err(|error| error.cause.to_string())?;
        let shard: Shard = shard.parse().unwrap();
        let mut sources = shard.cut(vec![source]).map_err(|error| error.cause.to_string())?;
        let source = sources.pop().unwrap();
        let before = source.lines_before.count().unwrap();
        let mut reading = laws::read(source, hints, CHUNK_BYTES, laws::all());
        for record in &mut reading.records {
            record.line += before;
        }
        match &mut all {
            None => all = Some(reading),
            Some(all) => {
                all.records.append(&mut reading.records);
                all.error = all.error.take().or(reading.error);
            }
        }
    }
    Ok(all.expect("there are three"))
}

#[test]
fn every_layout_of_the_corpus_is_read_as_expected() {
    let (names, mut report, folder) = (Names::new(), String::new(), Folder::new());
    for entry in corpus::entries() {
        let path = folder.file(&entry.file_name, entry.bytes());
        let reading = read(Source::open(&path, None), &hints_of(&entry));
        let found = words(&names, &reading);
        if !corpus::agrees(&entry.reads, &found) {
            let why = reading.error.unwrap_or_default();
            writeln!(report, "{entry}\n  expected {}\n  found    {found} {why}", entry.reads)
                .unwrap();
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn every_layout_of_the_corpus_is_read_the_same_however_it_arrives() {
    let (names, folder) = (Names::new(), Folder::new());
    for entry in corpus::entries() {
        let hints = hints_of(&entry);
        let bytes = entry.bytes();
        let path = folder.file(&entry.file_name, &bytes);
        let first = read(Source::open(&path, None), &hints);
        let mapped = read(Source::open(&path, Some(mapping())), &hints);
        if entry.is_parquet() {
            // Its index is at its end, so it is no stream.
            assert_eq!(words(&names, &mapped), words(&names, &first), "mapped: {entry}");
            continue;
        }
        let mut ways = vec![("mapped", mapped)];
        // A stream has no name that could tell.
        let is_named = [".sdk", ".ss"].iter().any(|end| entry.file_name.ends_with(end));
        let mut piped = hints.clone();
        piped.grids |= is_named;
        let stream = Source::from_reader("stream", Cursor::new(bytes.clone()));
        ways.push(("stream", laws::read(stream, &piped, CHUNK_BYTES, laws::all())));
        let drips = Source::from_reader("drips", Drips::new(&bytes));
        ways.push(("drips", laws::read(drips, &piped, 100, laws::all())));
        #[cfg(feature = "compression")]
        ways.push(("gzip", read_packed(&folder, &entry, &bytes, &hints)));
        match in_shards(&path, &hints) {
            Ok(reading) => ways.push(("shards", reading)),
            // A document that is not read by lines cannot be cut at one.
            Err(why) => {
                assert!(first.error.is_some() || why.contains("no part"), "{entry}: shards: {why}");
            }
        }
        for (way, reading) in ways {
            assert_eq!(words(&names, &reading), words(&names, &first), "{way}: {entry}");
            assert_eq!(reading.records, first.records, "{way}: {entry}");
            let errors = (reading.error.is_some(), first.error.is_some());
            assert_eq!(errors.0, errors.1, "{way}: {entry}: {:?} {:?}", reading.error, first.error);
        }
    }
}

#[cfg(feature = "compression")]
fn read_packed(folder: &Folder, entry: &Entry, bytes: &[u8], hints: &Hints) -> Reading {
    let path = folder.file(&format!("{}.gz", entry.file_name), crate::support::gzip(bytes));
    read(Source::open(&path, None), hints)
}

/// An input, and its first reading.
struct Known<'a> {
    entry: &'a Entry,
    text: &'a str,
    reading: &'a Reading,
    is_grid: bool,
}

impl Known<'_> {
    fn lines(&self) -> Vec<&str> {
        self.text.split_inclusive('\n').collect()
    }

    /// A cell of the puzzle in the middle is a letter, if there are enough others.
    fn damaged(&self) -> Option<String> {
        let (mut lines, middle) = (self.lines(), self.reading.records.len() / 2);
        let record = self.reading.records.get(middle).filter(|_| !self.is_grid && middle > 1)?;
        let Ok((Puzzle::Grid(grid), _)) = &record.what else { return None };
        let (place, grid) = (usize::try_from(record.line).unwrap() - 1, grid.to_string());
        let is_cell =
            |(byte, cell): (&u8, u8)| *byte == cell || cell == b'.' && b"0_*-".contains(byte);
        let is_grid = |window: &[u8]| window.iter().zip(grid.bytes()).all(is_cell);
        let line = *lines.get(place)?;
        let start = line.as_bytes().windows(81).position(is_grid)?;
        let written = &line[start..start + 81];
        let other = line.replace(written, &format!("{}x{}", &written[..40], &written[41..]));
        lines[place] = &other;
        Some(lines.concat())
    }

    /// The lines from the first record to the last, three times.
    fn repeated(&self) -> Option<String> {
        let (lines, records) = (self.lines(), &self.reading.records);
        let is_document = self.reading.layout.as_ref()?.contains("document: Some");
        let start = usize::try_from(records.first()?.line).unwrap() - 1;
        let end = usize::try_from(records.last()?.line).unwrap();
        let rows = lines.get(start..end).filter(|_| !self.is_grid && !is_document)?.concat();
        let rows = format!("{}\n", rows.strip_suffix('\n').unwrap_or(&rows)).repeat(3);
        Some([&lines[..start].concat(), &*rows, &lines[end..].concat()].concat())
    }
}

/// A change of the text, or none if it means nothing for this input; and what becomes of the words of the reading.
type Law = (&'static str, fn(&Known) -> Option<String>, fn(&mut Vec<String>));

const LAWS: [Law; 10] = [
    ("CRLF", |it| Some(it.text.replace("\r\n", "\n").replace('\n', "\r\n")), |_| {}),
    ("LF", |it| Some(it.text.replace("\r\n", "\n")), |_| {}),
    ("mark", |it| Some(format!("\u{feff}{}", it.text)), |_| {}),
    ("no last line end", |it| it.text.strip_suffix('\n').map(str::to_owned), |_| {}),
    ("comment", |it| Some(format!("# x\n{}", it.text)), |_| {}),
    ("empty lines", |it| Some(it.text.replace('\n', "\n\n")).filter(|_| !it.is_grid), |_| {}),
    (
        "blanks",
        |it| it.entry.text_with(|it, number| (if it == 'P' { 'Z' } else { it }, number)),
        |_| {},
    ),
    (
        "damage",
        |it| it.damaged(),
        |words| {
            let middle = words.len() / 2;
            "bad".clone_into(&mut words[middle]);
        },
    ),
    ("three times", |it| it.repeated(), |words| *words = [&words[..]; 3].concat()),
    (
        "other puzzles",
        |it| {
            it.entry
                .text_with(|letter, number| (letter, number % 5 + 1))
                .filter(|text| text != it.text && !it.entry.reads.contains('F'))
        },
        |words| {
            for word in words {
                let next =
                    |c: char| c.to_digit(10).map_or(c.to_string(), |it| (it % 5 + 1).to_string());
                *word = word.chars().map(next).collect();
            }
        },
    ),
];

#[test]
fn every_layout_of_the_corpus_obeys_the_metamorphic_laws() {
    let (names, mut wrong) = (Names::new(), String::new());
    for entry in corpus::entries() {
        let Some(text) = entry.text_with(|letter, number| (letter, number)) else { continue };
        let text = text.trim_start_matches('\u{feff}');
        let mut hints = hints_of(&entry);
        hints.grids |= [".sdk", ".ss"].iter().any(|end| entry.file_name.ends_with(end));
        let read = |text: &str| read(Ok(Source::from_bytes("text", text.into())), &hints);
        let reading = read(text);
        if reading.error.is_some() {
            continue;
        }
        let shown = words(&names, &reading);
        let known = Known { entry: &entry, text, reading: &reading, is_grid: hints.grids };
        for (law, change, expect) in LAWS {
            let Some(text) = change(&known) else { continue };
            let mut expected: Vec<_> = shown.split(' ').map(str::to_owned).collect();
            expect(&mut expected);
            let bad = expected.iter().filter(|word| *word == "bad").count();
            let reading = match law {
                "damage" => laws::check(text.as_bytes(), &hints, 500),
                _ => read(&text),
            };
            // Most rows are damaged then.
            let may_be_refused = 2 * bad > expected.len();
            let (expected, found) = (expected.join(" "), words(&names, &reading));
            if found != expected && !(found == "refused" && may_be_refused) {
                writeln!(wrong, "{law}: {entry}\n  expected {expected}\n  found    {found}")
                    .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
