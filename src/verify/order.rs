//! Duplicates are found where the chunks come in order.
//!
//! ```text
//! records of a chunk   row │ row │ row       workers have written them as if no row
//!                            v               were a duplicate
//!                      row │ dup │ row       a row that is one is written again
//! ```

use super::Finding;
use super::record;
use super::worker::ChunkJudged;
use crate::bank::{Same, Table};
use crate::run::{Error, Memory, Output, Rows, Taken, Writing};
use std::mem;
use std::ops::ControlFlow;

/// Takes the output of the next chunk and writes it. `earlier` are the puzzles so far, if duplicates are looked for.
pub(super) fn take(
    earlier: &mut Option<(Same, Table)>,
    writing: &Writing,
    taken: &mut Taken<'_, ChunkJudged>,
) -> Result<ControlFlow<()>, Error> {
    let Some((same, table)) = earlier else { return taken.write() };
    let Taken { output, lines_before, names, piece, .. } = &mut *taken;
    let Output { records, rejects, counts, kept, input, .. } = &mut **output;
    let ChunkJudged { puzzles, judged, placed, lines, keys } = kept;
    let before = lines_before.count()?;
    for line in lines.iter_mut() {
        *line += before;
    }
    let found = table.add(*input, lines, keys);
    let Some(puzzles) = puzzles.as_ref().filter(|_| found.iter().any(Option::is_some)) else {
        return taken.write();
    };
    let (mut again, mut memory) = (Output::<()>::default(), Memory::default());
    let (mut new_records, mut new_rejects) = (Vec::new(), Vec::new());
    names.read(piece, |chunk| {
        for ((placed, line), first) in placed.iter().zip(&*lines).zip(found) {
            let Some(first) = first else { continue };
            let (number, judged) = (placed.number, &mut judged[placed.number]);
            let first = format!("{}:{}", names.get(first.input), first.line);
            judged.add_place(Finding::Duplicate, *same, first, counts);
            let name = names.get(*input);
            let rows = &mut Rows::new(writing, Some(*chunk), name, &mut memory, &mut again);
            record::write(judged, &puzzles.row(*line - before, number), rows);
            new_records.push((placed.records.clone(), mem::take(&mut again.records)));
            new_rejects.push((placed.rejects.clone(), mem::take(&mut again.rejects)));
        }
    })?;
    records.replace(new_records.iter().map(|(part, new)| (part.clone(), new)));
    rejects.replace(new_rejects.iter().map(|(part, new)| (part.clone(), new)));
    taken.write()
}
