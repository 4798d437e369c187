//! A question about each row, and the columns of its answers.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::table::{ResultColumn, ResultTable};
use ninefold::engine::Bounds;
use std::ops::Range;
use std::sync::Arc;

/// Answers a batch of rows: pushes a row to the table for each, or as many as the question has copies.
pub(crate) type BatchWorker =
    Box<dyn FnMut(&[ArrayColumn], Range<usize>, &mut ResultTable) -> Result<(), ArrayError> + Send>;

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
        answer: impl Fn(
            &mut S,
            &[ArrayColumn],
            Range<usize>,
            &mut ResultTable,
        ) -> Result<(), ArrayError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let answer = Arc::new(answer);
        let worker = move |bounds: Bounds| -> BatchWorker {
            let (mut state, answer) = (make(bounds), Arc::clone(&answer));
            Box::new(move |columns, rows, table| answer(&mut state, columns, rows, table))
        };
        Self { columns, batch, worker: Box::new(worker), copies: None, is_long: false }
    }

    /// The question whose answer is the first column alone.
    pub(crate) fn without_details(self) -> Self {
        Self { columns: &self.columns[..1], ..self }
    }

    /// Whether the result is a struct of all columns, or the only column.
    pub(super) fn has_details(&self) -> bool {
        self.columns.len() > 1
    }

    /// An empty table for the answers to this number of rows.
    pub(super) fn table(&self, rows: usize) -> ResultTable {
        ResultTable::new(self.columns, rows * self.copies.unwrap_or(1))
    }
}
