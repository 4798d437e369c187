//! A question about each row, and the columns of its answers.

use super::column::ArrayColumn;
use super::table::{ResultColumn, ResultTable, fields};
use arrow_schema::DataType;
use ninefold::engine::Bounds;
use std::ops::Range;
use std::sync::Arc;

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
        Self { columns, batch, worker: Box::new(worker), copies: None, is_long: false }
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
