//! The column of a table that holds the puzzles.

use super::column::ArrayColumn;
use super::error::ArrayError;
use super::text::text_type;
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// Which column of a table is read.
///
/// A table is a struct array: a record batch, a data frame, a relation. The rule:
///
/// 1. the column that is named;
/// 2. the only column;
/// 3. the column with the usual name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColumnPick {
    /// The name that was given.
    pub(crate) name: Option<String>,
    /// The name if none was given.
    pub(crate) usual: &'static str,
}

impl ColumnPick {
    /// The same column by its name: the only column of a table is not meant.
    pub(crate) fn named(self) -> Self {
        Self { name: Some(self.name.unwrap_or_else(|| self.usual.to_owned())), ..self }
    }

    /// The place of the column in a table and its type; no place if the type is not a table.
    ///
    /// # Errors
    /// There is no such column, or a column was named and the type is not a table.
    fn find<'a>(&self, found: &'a DataType) -> Result<(Option<usize>, &'a DataType), ArrayError> {
        let fields = match found {
            // A struct without fields stands for null.
            DataType::Struct(fields) if !fields.is_empty() => fields,
            _ if self.name.is_none() => return Ok((None, found)),
            found => {
                let found = if let DataType::Struct(_) = found { &DataType::Null } else { found };
                let message = format!("expected a table with columns, found an array of {found}");
                return Err(ArrayError::Refused(message));
            }
        };
        let place = match &self.name {
            None if fields.len() == 1 => Some(0),
            name => {
                let name = name.as_deref().unwrap_or(self.usual);
                fields.iter().position(|field| field.name() == name)
            }
        };
        if let Some(place) = place {
            return Ok((Some(place), fields[place].data_type()));
        }
        let names: Vec<_> = fields.iter().map(|field| format!("{:?}", field.name())).collect();
        let names = names.join(", ");
        Err(ArrayError::Refused(match &self.name {
            Some(name) => format!("no column {name:?}; the columns are {names}"),
            None => format!("no column {:?}; name one of the columns {names}", self.usual),
        }))
    }

    /// The type of the texts of results for the column of this array or table.
    ///
    /// # Errors
    /// There is no such column, or it has no puzzles.
    pub(super) fn text_type(&self, found: &DataType) -> Result<DataType, ArrayError> {
        text_type(self.find(found)?.1)
    }

    /// The column of an array or table. A row that is null in the table is null in the column.
    ///
    /// # Errors
    /// There is no such column, or it has no puzzles; see also [`ArrayColumn::new`].
    pub(crate) fn column(&self, data: &ArrayData) -> Result<ArrayColumn, ArrayError> {
        let (Some(place), _) = self.find(data.data_type())? else { return ArrayColumn::new(data) };
        let child = &data.child_data()[place];
        if child.len() < data.offset() + data.len() {
            return Err(ArrayError::Refused("a column is shorter than its table".to_owned()));
        }
        let column = ArrayColumn::new(&child.slice(data.offset(), data.len()))?;
        Ok(match data.nulls() {
            Some(nulls) => column.only(&NullBuffer::new(nulls.inner().clone())),
            None => column,
        })
    }
}
