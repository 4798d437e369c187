//! Parquet files (`tests/corpus/parquet`), as they are and damaged.

use crate::laws::{self, Reading};
use ninefold::input::{Hints, Source};
use std::fs;
use std::path::PathBuf;

const CHUNK_BYTES: usize = 1000;

/// The files with the five puzzles, unchanged.
fn whole_files() -> Vec<PathBuf> {
    let others =
        ["pyarrow-brotli", "pyarrow-empty", "pyarrow-damaged", "pyarrow-alone", "nested-puzzle"];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/parquet");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "parquet"));
    assert!(files.len() > 30);
    files.retain(|path| !others.iter().any(|name| path.file_stem() == Some(name.as_ref())));
    files
}

fn read(name: &str, bytes: Vec<u8>) -> Reading {
    laws::read(Source::from_bytes(name, bytes), &Hints::default(), CHUNK_BYTES, laws::all())
}

#[test]
fn every_tool_and_encoding_gives_the_same_puzzles() {
    let csv = include_bytes!("../data/layouts/kaggle_9m.csv");
    let expected = read("kaggle_9m.csv", csv.to_vec()).records;
    // There is no header among the rows.
    let wanted: Vec<_> = expected.iter().map(|it| (it.line - 1, &it.what)).collect();
    for path in whole_files() {
        let reading = read("a.parquet", fs::read(&path).unwrap());
        assert_eq!(reading.error, None, "{path:?}");
        let found: Vec<_> = reading.records.iter().map(|it| (it.line, &it.what)).collect();
        assert_eq!(found, wanted, "{path:?}");
    }
}
