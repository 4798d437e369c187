//! A job: a question about each row, and the columns of its answers.

use super::cells::{Cells, Kind};
use super::column::Column;
use super::error::ArrayError;
use std::ops::Range;

/// A column of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
}

impl Shape {
    /// What was found of a row, in a word.
    pub const STATUS: Self = Self { name: "status", kind: Kind::Name };

    /// Why there is no result.
    pub const REASON: Self = Self { name: "reason", kind: Kind::Text };
}

/// A question about each row.
pub trait Job: Send + Sync {
    /// The columns of the result.
    fn shapes(&self) -> &[Shape];

    /// Whether the result is a struct of all columns, or the first column alone.
    fn header(&self) -> Header;

    /// Rows that are worked on together.
    fn batch(&self) -> usize;

    /// A worker for one thread.
    fn worker(&self) -> Box<dyn Worker>;
}

/// Whether a result is a struct of all columns, or the first column alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// The first column.
    Plain,
    /// A struct.
    Struct,
}

/// Answers a job, with memory for it.
pub trait Worker: Send {
    /// Appends the cells of these rows to each column.
    ///
    /// # Errors
    /// A row lies outside its array.
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError>;
}
