//! The answers to a stream, array by array.

use super::answer::{answer, result_type};
use super::column::ArrayColumn;
use super::error::ArrayError;
use super::job::ArrayJob;
use super::pick::ColumnPick;
use super::stream::{Arrays, Input};
use arrow_array::Array;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was given: an array, or a stream.
#[derive(Debug)]
pub(crate) enum ArrayInput {
    /// An array.
    Array(ArrayData),
    /// A stream.
    Stream(Input),
}

/// The columns of a stream or an array, piece by piece.
#[derive(Debug)]
pub(crate) struct InputPieces {
    given: Option<ArrayInput>,
    picks: Vec<ColumnPick>,
}

impl InputPieces {
    /// These columns of what was given.
    pub(crate) const fn new(given: ArrayInput, picks: Vec<ColumnPick>) -> Self {
        Self { given: Some(given), picks }
    }

    /// The number of columns.
    pub(crate) const fn columns(&self) -> usize {
        self.picks.len()
    }

    /// The type of the array, or of the arrays of the stream.
    fn data_type(&self) -> &DataType {
        match &self.given {
            Some(ArrayInput::Array(data)) => data.data_type(),
            Some(ArrayInput::Stream(input)) => input.data_type(),
            None => &DataType::Null,
        }
    }

    /// The columns of the next piece.
    fn next(&mut self) -> Result<Option<Vec<ArrayColumn>>, ArrayError> {
        let data = match self.given.take() {
            None => return Ok(None),
            Some(ArrayInput::Array(data)) => data,
            Some(ArrayInput::Stream(mut input)) => {
                let next = input.pull();
                self.given = Some(ArrayInput::Stream(input));
                let Some(data) = next? else { return Ok(None) };
                data
            }
        };
        let columns: Result<_, _> = self.picks.iter().map(|pick| pick.column(&data)).collect();
        columns.map(Some)
    }
}

/// Receives the number of rows that were answered since the last call, and says whether to continue.
pub(crate) type Continue = Arc<dyn Fn(usize) -> bool + Send + Sync>;

/// The answers to one input or two, array by array.
///
/// The pieces of two inputs need not have the same lengths: an answer is as long as the shorter.
pub(crate) struct ArrayAnswers {
    inputs: Vec<InputPieces>,
    /// The rows of each input's piece that are not yet used.
    left: Vec<VecDeque<ArrayColumn>>,
    job: ArrayJob,
    threads: usize,
    result: DataType,
    go_on: Continue,
    /// Rows that were answered.
    answered: usize,
}

impl ArrayAnswers {
    /// Answers a job on these inputs.
    ///
    /// # Errors
    /// An input has no puzzles.
    pub(crate) fn new(
        inputs: Vec<InputPieces>,
        job: ArrayJob,
        threads: usize,
        go_on: Continue,
    ) -> Result<Self, ArrayError> {
        let mut types = Vec::new();
        for input in &inputs {
            for pick in &input.picks {
                types.push(pick.text_type(input.data_type())?);
            }
        }
        let result = result_type(&job, &types[0]);
        let left = inputs.iter().flat_map(|it| &it.picks).map(|_| VecDeque::new()).collect();
        Ok(Self { inputs, left, job, threads, result, go_on, answered: 0 })
    }

    fn answer(&self, columns: &[ArrayColumn]) -> Result<ArrayData, ArrayError> {
        let left = AtomicUsize::new(columns[0].rows());
        let go_on = &*self.go_on;
        let counted = |rows: usize| {
            left.fetch_sub(rows, Ordering::Relaxed);
            go_on(rows)
        };
        let data = answer(&self.job, columns, self.threads, &counted)?.to_data();
        if go_on(left.into_inner()) { Ok(data) } else { Err(ArrayError::Interrupted) }
    }

    /// The answer to the only piece of each input.
    ///
    /// # Errors
    /// See [`answer`].
    pub(crate) fn only(&mut self) -> Result<ArrayData, ArrayError> {
        let mut columns = Vec::new();
        for input in &mut self.inputs {
            columns.extend(input.next()?.unwrap_or_default());
        }
        if let [one, other] = &columns[..]
            && one.rows() != other.rows()
        {
            return Err(ArrayError::Lengths { one: one.rows(), other: other.rows() });
        }
        self.answer(&columns)
    }

    /// The next rows, as many as every input has ready, or `None` at the end of the inputs.
    fn rows(&mut self) -> Result<Option<Vec<ArrayColumn>>, ArrayError> {
        let (mut place, mut ended, several) = (0, false, self.inputs.len() > 1);
        for input in &mut self.inputs {
            let columns = place..place + input.columns();
            while self.left[place].front().is_none() {
                let Some(piece) = input.next()? else {
                    ended = true;
                    break;
                };
                if several && piece.iter().all(|column| column.rows() == 0) {
                    continue;
                }
                for (left, column) in self.left[columns.clone()].iter_mut().zip(piece) {
                    left.push_back(column);
                }
            }
            place = columns.end;
        }
        let rest = |left: &VecDeque<ArrayColumn>| left.iter().map(ArrayColumn::rows).sum::<usize>();
        if ended {
            let mut rests = self.left.iter().map(rest);
            let (one, before) = (rests.next().unwrap_or(0), self.answered);
            return match rests.find(|&other| other != one) {
                Some(other) => {
                    Err(ArrayError::Lengths { one: before + one, other: before + other })
                }
                None => Ok(None),
            };
        }
        let rows = self.left.iter().filter_map(|left| left.front()).map(ArrayColumn::rows).min();
        let rows = rows.unwrap_or(0);
        self.answered += rows;
        let take = |left: &mut VecDeque<ArrayColumn>| -> Option<ArrayColumn> {
            let column = left.pop_front()?;
            if rows < column.rows() {
                left.push_front(column.slice(rows..column.rows()));
                return Some(column.slice(0..rows));
            }
            Some(column)
        };
        Ok(Some(self.left.iter_mut().filter_map(take).collect()))
    }
}

impl Arrays for ArrayAnswers {
    fn field(&self) -> Field {
        Field::new("", self.result.clone(), true)
    }

    fn next(&mut self) -> Result<Option<ArrayData>, ArrayError> {
        let Some(columns) = self.rows()? else { return Ok(None) };
        self.answer(&columns).map(Some)
    }
}
