//! The corpus of layouts (`tests/corpus`), read by the library: the expected records come of each entry,
//! however its bytes arrive.
#![expect(unsafe_code, reason = "files are mapped")]

use crate::laws::{self, Drips, Reading};
use crate::support::Folder;
use crate::support::corpus::{self, Entry, Names};
use crate::tables::found;
use ninefold::input::{Hints, Mapping, Shard, Source};
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
            hints.blanks = hints.blanks.with(blank.as_bytes()[0]).unwrap();
        }
        ["--blank", blank] => hints.blanks = hints.blanks.with(blank.as_bytes()[0]).unwrap(),
        other => panic!("{}: {other:?}", entry.name),
    }
    hints
}

/// Reads an input that may be refused when it is opened.
fn read(source: Result<Source, ninefold::input::Error>, hints: &Hints) -> Reading {
    match source {
        Ok(source) => laws::read(source, hints, CHUNK_BYTES, laws::all()),
        Err(error) => Reading {
            layout: None,
            records: Vec::new(),
            lines: 0,
            bytes: 0,
            error: Some(error.cause.to_string()),
        },
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
    let (names, open) = (Names::new(), corpus::open("Open"));
    let (mut failed, mut report, folder) = (Vec::new(), String::new(), Folder::new());
    for entry in corpus::entries() {
        let path = folder.file(&entry.file_name, entry.bytes());
        let reading = read(Source::open(&path, None), &hints_of(&entry));
        let found = found(&reading);
        if !names.agrees(&entry.reads, &found) {
            let shown = names.show(&found);
            let why = reading.error.unwrap_or_default();
            writeln!(report, "{entry}\n  expected {}\n  found    {shown} {why}", entry.reads)
                .unwrap();
            failed.push(entry.name);
        }
    }
    // What is repaired leaves the list of the README, too.
    failed.sort_unstable();
    assert!(failed == open, "{report}\n{} fail, {} are listed", failed.len(), open.len());
}

#[test]
fn every_layout_of_the_corpus_is_read_the_same_however_it_arrives() {
    let folder = Folder::new();
    for entry in corpus::entries() {
        let hints = hints_of(&entry);
        let bytes = entry.bytes();
        let path = folder.file(&entry.file_name, &bytes);
        let first = read(Source::open(&path, None), &hints);
        let mut ways = vec![("mapped", read(Source::open(&path, Some(mapping())), &hints))];
        if entry.is_parquet() {
            // Its index is at its end, so it is no stream.
            for (way, reading) in ways.drain(..) {
                assert_eq!(found(&reading), found(&first), "{way}: {entry}");
            }
            continue;
        }
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
            assert_eq!(found(&reading), found(&first), "{way}: {entry}");
            assert_eq!(reading.records, first.records, "{way}: {entry}");
            let errors = (reading.error.is_some(), first.error.is_some());
            assert_eq!(errors.0, errors.1, "{way}: {entry}: {:?} {:?}", reading.error, first.error);
        }
    }
}

#[cfg(feature = "compression")]
fn read_packed(folder: &Folder, entry: &Entry, bytes: &[u8], hints: &Hints) -> Reading {
    use std::io::Write;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(1));
    gzip.write_all(bytes).unwrap();
    let path = folder.file(&format!("{}.gz", entry.file_name), gzip.finish().unwrap());
    read(Source::open(&path, None), hints)
}
