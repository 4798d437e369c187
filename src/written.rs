//! The puzzles in the partial output of a run that is resumed: it knows them, and does not write them again.

use crate::input::{self, ChunkBuffer, ColumnRef, Hints, Puzzles, Source};
use crate::output::{Format, Style, Table, Transaction};
use crate::run::Error;
use std::io;
use std::sync::Arc;

/// Bytes of the output that are read at a time.
const CHUNK_BYTES: usize = 64 * 1024;

/// Reads the column `puzzle` of all records, or this field of pairs. `add` takes the puzzles of a chunk and
/// returns the number of those that count; together they are as many as the checkpoint says.
pub(crate) fn read(
    output: &Transaction,
    style: &Style,
    field_of_pair: usize,
    expected: u64,
    mut add: impl FnMut(&Puzzles) -> u64,
) -> Result<(), Error> {
    let Some(text) = output.written()?.filter(|_| expected > 0) else { return Ok(()) };
    let name = output.partial().unwrap_or_default().display().to_string();
    let mut source = Source::from_reader(&name, text);
    let name = Arc::clone(source.name());
    let column = Table::of_style(style, &[]).columns.iter().position(|it| it.0 == "puzzle");
    let puzzle = match style.format {
        Format::Pair => Some(ColumnRef::Place(field_of_pair)),
        Format::Csv => column.map(ColumnRef::Place),
        Format::Jsonl => Some(ColumnRef::Name("puzzle".to_owned())),
        _ => None,
    };
    let grids = style.format == Format::Grid;
    source.find_layout(&Hints { puzzle, grids, ..Hints::default() })?;
    let (mut chunks, mut chunk) = (source.into_chunks(), ChunkBuffer::default());
    let (mut puzzles, mut count) = (Puzzles::default(), 0);
    let failed = |cause| input::Error { name: Arc::clone(&name), cause };
    while chunks.fill(&mut chunk, CHUNK_BYTES)? {
        chunk.read(|chunk| puzzles.read(chunk)).map_err(failed)?;
        count += add(&puzzles);
    }
    if count == expected {
        return Ok(());
    }
    let why = format!("has {count} puzzles that can be read, not {expected}; --force begins anew");
    Err(failed(io::Error::other(why)).into())
}
