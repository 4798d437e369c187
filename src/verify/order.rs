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
use std::ops::ControlFlow;

/// Takes the output of the next chunk and writes it. `earlier` are the puzzles so far, if duplicates are looked for.
pub(super) fn take(
    earlier: &mut Option<(Same, Table)>,
    writing: &Writing,
    taken: &mut Taken<'_, ChunkJudged>,
) -> Result<ControlFlow<()>, Error> {
    let Taken { output, lines_before, names, piece, to, .. } = &mut *taken;
    let Output { records, rejects, counts, kept, input, .. } = &mut **output;
    let ChunkJudged { puzzles, judged, placed, lines, keys } = kept;
    let (mut before, mut found) = (0, Vec::new());
    if let Some((_, table)) = earlier {
        before = lines_before.count()?;
        for line in lines.iter_mut() {
            *line += before;
        }
        found = table.add(*input, lines, keys);
    }
    let puzzles = puzzles.as_ref().filter(|_| found.iter().any(Option::is_some));
    let Some(((same, _), puzzles)) = earlier.as_ref().zip(puzzles) else {
        return taken.write();
    };
    // Records are written again, one by one, between those of the chunk; rejects as well.
    let (mut again, mut memory, mut bytes) =
        (Output::<()>::default(), Memory::default(), [Vec::new(), Vec::new()]);
    let old = [&*records, &*rejects];
    let mut parts = old.map(|it| it.parts(before));
    names.read(piece, |chunk| {
        for ((placed, line), first) in placed.iter().zip(&*lines).zip(found) {
            let Some(first) = first else { continue };
            let (number, judged) = (placed.number, &mut judged[placed.number]);
            let first = format!("{}:{}", names.get(first.input), first.line);
            judged.add_place(Finding::Duplicate, *same, first, counts);
            again.records.restart(0);
            again.rejects.restart(0);
            let name = names.get(*input);
            let rows = &mut Rows::new(writing, Some(*chunk), name, &mut memory, &mut again);
            record::write(judged, &puzzles.row(*line - before, number), rows);
            let places = [&placed.records, &placed.rejects];
            let new = [&again.records, &again.rejects];
            for output in 0..old.len() {
                parts[output].copy_to(places[output].start, &mut bytes[output]);
                parts[output].skip_to(places[output].end);
                new[output].parts(before).copy_to(new[output].len(), &mut bytes[output]);
            }
        }
    })?;
    for (output, mut parts) in parts.into_iter().enumerate() {
        parts.copy_to(old[output].len(), &mut bytes[output]);
        to.write(output, &bytes[output])?;
    }
    Ok(ControlFlow::Continue(()))
}
