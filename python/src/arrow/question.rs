//! A question about each row, the columns of its answers, and how it is asked: in batches, in the workers of the library,
//! until it is interrupted.
//!
//! The calling thread takes the pulse meanwhile: it says whether to continue. Results do not depend on batches or
//! threads.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::table::{ResultColumn, ResultTable, fields};
use arrow_schema::DataType;
use ninefold::engine::Bounds;
use ninefold::pipeline::{Cancel, Chunk, Filled, Given, HandOver, Pipeline, Source, Stop, Times};
use std::mem;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::{Arc, Mutex, PoisonError};

/// Answers a batch of rows: pushes a row to the table for each, or as many as the question has copies.
pub(crate) type BatchWorker = Box<dyn FnMut(&[ArrayColumn], Range<usize>, &mut ResultTable) + Send>;

/// A question about each row.
pub(crate) struct RowQuestion {
    /// The columns of the answer.
    pub(crate) columns: &'static [ResultColumn],
    /// The answers for each row. An answer is null if the first column is; other columns are options of
    /// the row. `None`: one answer, which is null if any column is.
    pub(crate) copies: Option<usize>,
    /// Rows that are worked on together.
    pub(crate) batch: usize,
    /// Whether one row can take long. Searches within the bounds of the worker end when the run does.
    pub(crate) is_long: bool,
    /// The warning after the last row, or nothing: rows whose result does not say why it is empty.
    pub(crate) note: Arc<Mutex<String>>,
    /// Makes the worker of a thread.
    pub(crate) worker: Box<dyn Fn(Bounds) -> BatchWorker + Send + Sync>,
}

impl RowQuestion {
    /// A question with one answer for each row. `make` makes what a thread works with, by which `answer`
    /// answers a batch of rows.
    pub(crate) fn new<S: Send + 'static>(
        columns: &'static [ResultColumn],
        batch: usize,
        make: impl Fn(Bounds) -> S + Send + Sync + 'static,
        answer: impl Fn(&mut S, &[ArrayColumn], Range<usize>, &mut ResultTable) + Send + Sync + 'static,
    ) -> Self {
        let answer = Arc::new(answer);
        let worker = move |bounds: Bounds| -> BatchWorker {
            let (mut state, answer) = (make(bounds), Arc::clone(&answer));
            Box::new(move |columns, rows, table| answer(&mut state, columns, rows, table))
        };
        let note = Arc::default();
        Self { columns, batch, worker: Box::new(worker), copies: None, is_long: false, note }
    }

    /// The question whose answer is the first column alone.
    pub(crate) fn without_details(self) -> Self {
        Self { columns: &self.columns[..1], ..self }
    }

    /// The type of the result, for texts of this type: a struct of all columns, or that of the only column.
    pub(super) fn result_type(&self, texts: &DataType) -> DataType {
        match self.columns {
            [column] => column.kind.data_type(texts),
            columns => DataType::Struct(fields(columns, texts)),
        }
    }

    /// An empty table for the answers to this number of rows.
    pub(super) fn table(&self, texts: &DataType, rows: usize) -> ResultTable {
        ResultTable::new(self.columns, texts, rows * self.copies.unwrap_or(1))
    }
}

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

    fn sizes(&mut self, _: usize) -> RangeInclusive<usize> {
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
    let (rows, batch) = (columns[0].rows, question.batch);
    let empty = |rows| question.table(&columns[0].data_type, rows);
    let mut table = empty(rows);
    // One batch of short rows needs no other thread.
    if rows <= batch && !question.is_long {
        (question.worker)(Bounds::default())(columns, 0..rows, &mut table);
        return if pulse(rows) { Ok(table) } else { Err(ArrayError::Interrupted) };
    }
    let mut pipeline = Pipeline { threads, chunk_size: None };
    pipeline.threads = pipeline.worker_threads().min(rows.div_ceil(batch));
    let (cancel, table, mut answered) = (Cancel::default(), Mutex::new(table), 0);
    let table = || table.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || {
        let mut worker = (question.worker)(Bounds::default().with_stop(cancel.abandon_flag()));
        move |Batch(rows): &mut Batch, part: &mut Option<ResultTable>, _: HandOver<'_, _>| {
            // A thread that is alone needs no parts.
            if pipeline.threads == 1 {
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
    match pipeline.run(batches, make, take, || false, &cancel, &Times::default()) {
        Ok(()) if pulse(answered) => Ok(mem::take(&mut table())),
        Ok(()) | Err(Stop::Cancelled) => Err(ArrayError::Interrupted),
        Err(Stop::Failed(error)) => Err(error),
        Err(Stop::Threads(error)) => Err(ArrayError::Refused(format!("no threads: {error}"))),
        Err(Stop::Panicked(_, message)) => panic!("{message}"),
    }
}
