//! A question about all rows: in batches, in the workers of the library, until it is interrupted.
//!
//! The calling thread takes the pulse meanwhile: it says whether to continue. Results do not depend on batches or
//! threads.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::question::RowQuestion;
use super::table::ResultTable;
use ninefold::engine::Bounds;
use ninefold::pipeline::{Cancel, Chunk, Filled, Given, HandOver, Pipeline, Source, Stop, Times};
use std::mem;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::{Mutex, PoisonError};

/// Receives the number of rows that were answered since the last call, and says whether to continue.
pub(crate) type Pulse<'a> = &'a (dyn Fn(usize) -> bool + Sync);

/// Rows that are worked on together.
#[derive(Default)]
struct Batch(Range<usize>);

impl Chunk for Batch {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }
}

/// The rows that are left, in batches of this size.
struct Batches(Range<usize>, usize);

impl Source for Batches {
    type Chunk = Batch;
    type Error = ArrayError;

    fn sizes(&self) -> RangeInclusive<usize> {
        self.1..=self.1
    }

    fn fill(&mut self, chunk: &mut Batch, size: usize) -> Result<Filled, ArrayError> {
        let start = self.0.start;
        self.0.start = self.0.end.min(start + size);
        chunk.0 = start..self.0.start;
        Ok(if chunk.0.is_empty() { Filled::End } else { Filled::Chunk })
    }
}

/// The answers to all rows. `threads`: 0 for one on each core.
///
/// # Errors
/// The run was interrupted.
pub(super) fn run(
    question: &RowQuestion,
    columns: &[ArrayColumn],
    threads: usize,
    pulse: Pulse,
) -> Result<ResultTable, ArrayError> {
    let (rows, batch) = (columns[0].rows(), question.batch);
    let empty = |rows| question.table(columns[0].data_type(), rows);
    let mut table = empty(rows);
    // One batch of short rows needs no other thread.
    if rows <= batch && !question.is_long {
        (question.worker)(Bounds::default())(columns, 0..rows, &mut table);
        return if pulse(rows) { Ok(table) } else { Err(ArrayError::Interrupted) };
    }
    let threads = Pipeline { threads, chunk_size: None }.worker_threads().min(rows.div_ceil(batch));
    let (cancel, table, mut answered) = (Cancel::default(), Mutex::new(table), 0);
    let table = || table.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || {
        let mut worker = (question.worker)(Bounds::default().with_stop(cancel.abandon_flag()));
        move |Batch(rows): &Batch, part: &mut Option<ResultTable>, _: HandOver<'_, _>| {
            // A thread that is alone needs no parts.
            if threads == 1 {
                worker(columns, rows.clone(), &mut table());
            } else {
                worker(columns, rows.clone(), part.insert(empty(rows.len())));
            }
            Ok(ControlFlow::Continue(()))
        }
    };
    let take = |given: Given<'_, Batch, Option<ResultTable>>| {
        match given {
            Given::Chunk(Batch(rows), part) => {
                part.take().iter().for_each(|part| table().append(part));
                answered += rows.len();
            }
            Given::Part(_) => {}
            Given::Nothing if pulse(mem::take(&mut answered)) => {}
            Given::Nothing => cancel.abandon(),
        }
        Ok(ControlFlow::Continue(()))
    };
    let batches = Batches(0..rows, batch);
    let pipeline = Pipeline { threads, chunk_size: None };
    match pipeline.run(batches, make, take, || false, &cancel, &Times::default()) {
        Ok(()) if pulse(answered) => Ok(mem::take(&mut table())),
        Ok(()) | Err(Stop::Cancelled) => Err(ArrayError::Interrupted),
        Err(Stop::Failed(error)) => Err(error),
        Err(Stop::Threads(error)) => Err(ArrayError::Refused(format!("no threads: {error}"))),
        Err(Stop::Panicked(_, message)) => panic!("{message}"),
    }
}
