//! Parquet files (`tests/corpus/parquet`), as they are and damaged.

use crate::laws::{self, Reading};
use ninefold::input::{Hints, Source};
use std::fs;
use std::path::PathBuf;

const CHUNK_BYTES: usize = 1000;

/// The Parquet files of the corpus, by name, and their bytes.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/parquet");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "parquet"))
        .map(|path| {
            (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    assert!(files.len() > 30);
    files
}

/// The files with the five puzzles, unchanged.
fn whole_files() -> Vec<(String, Vec<u8>)> {
    let others =
        ["pyarrow-brotli", "pyarrow-empty", "pyarrow-damaged", "pyarrow-alone", "nested-puzzle"];
    files().into_iter().filter(|(name, _)| !others.contains(&&**name)).collect()
}

fn read(bytes: Vec<u8>) -> Reading {
    laws::read(Source::from_bytes("a.parquet", bytes), &Hints::default(), CHUNK_BYTES, laws::all())
}

/// The puzzles and answers of `tests/data/layouts/kaggle_9m.csv`.
fn expected() -> Reading {
    let csv = include_bytes!("../data/layouts/kaggle_9m.csv").to_vec();
    let source = Source::from_bytes("kaggle_9m.csv", csv);
    laws::read(source, &Hints::default(), CHUNK_BYTES, laws::all())
}

#[test]
fn every_tool_and_encoding_gives_the_same_puzzles() {
    let mut expected = expected().records;
    for record in &mut expected {
        // There is no header among the rows.
        record.line -= 1;
    }
    for (name, bytes) in whole_files() {
        let reading = read(bytes);
        assert_eq!(reading.error, None, "{name}");
        let found: Vec<_> = reading.records.iter().map(|it| (it.line, &it.what)).collect();
        let wanted: Vec<_> = expected.iter().map(|it| (it.line, &it.what)).collect();
        assert_eq!(found, wanted, "{name}");
    }
}
