//! The answers to a stream, array by array.

use super::answer::answer;
use super::column::ArrayColumn;
use super::error::ArrayError;
use super::pick::ColumnPick;
use super::question::RowQuestion;
use super::stream::{ArrayPieces, Input};
use arrow_array::{Array, new_empty_array};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use std::iter;
use std::mem;

/// The columns of a stream or an array, piece by piece.
pub(crate) struct InputPieces {
    data_type: DataType,
    pieces: ArrayPieces,
    picks: Vec<ColumnPick>,
    /// The rows of the last piece that are not yet used; no columns if all are.
    left: Vec<ArrayColumn>,
    /// Whether the first column is refused if each row has a number that is no digit.
    refuses: bool,
}

impl InputPieces {
    /// These columns of arrays of this type.
    fn new(data_type: DataType, pieces: ArrayPieces, picks: Vec<ColumnPick>) -> Self {
        Self { data_type, pieces, picks, left: Vec::new(), refuses: false }
    }

    /// These columns of an array. It `refuses` a first column in which each row has a number that is no digit: where a
    /// result has no reason, nothing would say so.
    pub(crate) fn of_array(data: ArrayData, picks: Vec<ColumnPick>, refuses: bool) -> Self {
        let data_type = data.data_type().clone();
        Self { refuses, ..Self::new(data_type, Box::new(iter::once(Ok(data))), picks) }
    }

    /// These columns of a stream.
    pub(crate) fn of_stream(input: Input, picks: Vec<ColumnPick>) -> Self {
        Self::new(input.data_type.clone(), Box::new(input), picks)
    }

    /// The columns of the next piece.
    fn next(&mut self) -> Result<Option<Vec<ArrayColumn>>, ArrayError> {
        let Some(data) = self.pieces.next().transpose()? else { return Ok(None) };
        let columns = self.picks.iter().map(|pick| pick.column(&data));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        match columns.first().and_then(|column| column.no_digit.as_ref()).filter(|_| self.refuses) {
            Some(found) => Err(ArrayError::Refused(format!(
                "no row has 81 digits: expected 0 to 9, 0 for a blank, found {found}"
            ))),
            None => Ok(Some(columns)),
        }
    }

    /// The number of rows of the last piece that are left.
    fn rows(&self) -> usize {
        self.left.first().map_or(0, |column| column.rows)
    }

    /// Takes rows of the last piece.
    fn take(&mut self, rows: usize) -> Vec<ArrayColumn> {
        let rest = rows..self.rows();
        let columns = mem::take(&mut self.left);
        if rest.is_empty() {
            return columns;
        }
        self.left = columns.iter().map(|column| column.slice(rest.clone())).collect();
        columns.iter().map(|column| column.slice(0..rows)).collect()
    }
}

/// The answers to one input or several, array by array.
///
/// The pieces of inputs need not have the same lengths: an answer is as long as the shorter.
pub(crate) struct ArrayAnswers {
    inputs: Vec<InputPieces>,
    question: RowQuestion,
    threads: usize,
    result: DataType,
    /// See [`Pulse`](super::question::Pulse).
    go_on: Box<dyn Fn(usize) -> bool + Send + Sync>,
    /// Rows that were answered.
    answered: usize,
}

impl ArrayAnswers {
    /// Answers a question about these inputs.
    ///
    /// # Errors
    /// An input has no puzzles.
    pub(crate) fn new(
        inputs: Vec<InputPieces>,
        question: RowQuestion,
        threads: usize,
        go_on: Box<dyn Fn(usize) -> bool + Send + Sync>,
    ) -> Result<Self, ArrayError> {
        let mut types = Vec::new();
        for input in &inputs {
            for pick in &input.picks {
                types.push(pick.text_type(&input.data_type)?);
            }
        }
        let result = question.result_type(&types[0]);
        Ok(Self { inputs, question, threads, result, go_on, answered: 0 })
    }

    /// The field that all answers are values of.
    pub(crate) fn field(&self) -> Field {
        Field::new("", self.result.clone(), true)
    }

    fn answer(&self, columns: &[ArrayColumn]) -> Result<ArrayData, ArrayError> {
        Ok(answer(&self.question, columns, self.threads, &*self.go_on)?.to_data())
    }

    /// The answer to the only piece of each input.
    ///
    /// # Errors
    /// See [`answer`].
    pub(crate) fn only(&mut self) -> Result<ArrayData, ArrayError> {
        let columns = self.rows()?.unwrap_or_default();
        // The end of the inputs, or an error.
        self.rows()?;
        if columns.is_empty() {
            return Ok(new_empty_array(&self.result).to_data());
        }
        self.answer(&columns)
    }

    /// The next rows, as many as every input has ready, or `None` at the end of the inputs.
    fn rows(&mut self) -> Result<Option<Vec<ArrayColumn>>, ArrayError> {
        let several = self.inputs.len() > 1;
        let mut ended = false;
        for input in &mut self.inputs {
            // Beside another input, a piece without rows says nothing.
            while input.left.is_empty() || several && input.rows() == 0 {
                let Some(piece) = input.next()? else {
                    ended = true;
                    break;
                };
                input.left = piece;
            }
        }
        let rows = self.inputs.iter().map(InputPieces::rows);
        let least = rows.min().unwrap_or(0);
        if !ended {
            self.answered += least;
            return Ok(Some(self.inputs.iter_mut().flat_map(|input| input.take(least)).collect()));
        }
        let mut rows = self.inputs.iter().map(|it| self.answered + it.rows());
        let first = rows.next().unwrap_or_default();
        match rows.find(|&rows| rows != first) {
            Some(other) => Err(ArrayError::lengths(first, other)),
            None => Ok(None),
        }
    }
}

impl Iterator for ArrayAnswers {
    type Item = Result<ArrayData, ArrayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let columns = self.rows().transpose()?;
        Some(columns.and_then(|columns| self.answer(&columns)))
    }
}
