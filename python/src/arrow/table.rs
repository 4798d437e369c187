//! The columns of a result while it is made.

use super::text::rows_type;
use arrow_buffer::ArrowNativeType;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use ninefold::puzzle::Cell;
use std::fmt;
use std::io::Write;

/// A column of a result. Schemas are made of these declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResultColumn {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it holds.
    pub(crate) kind: ResultKind,
}

/// What a column of a result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultKind {
    /// Puzzles and solutions, as texts of the type of the input.
    Puzzle,
    /// Lists. Their items are never null, unless they are fields of a struct.
    List(&'static ResultKind),
    /// Structs.
    Struct(&'static [ResultColumn]),
    /// Texts as utf8.
    Text,
    /// Bytes of any kind.
    Bytes,
    /// Numbers that are not negative.
    Number,
    /// Numbers with a fraction.
    Float,
    /// Yes or no.
    Flag,
    /// Rows of this number of bytes: digits, or a small number.
    U8s(usize),
    /// Rows of this number of integers of 16 bits, or one.
    U16s(usize),
}

impl ResultKind {
    /// The type of the values, where texts of the result have this type.
    pub(super) fn data_type(self, texts: &DataType) -> DataType {
        let numbers = |item, width| if width == 1 { item } else { rows_type(item, width) };
        match self {
            Self::Puzzle => texts.clone(),
            Self::List(item) => DataType::new_list(item.data_type(texts), true),
            Self::Struct(columns) => DataType::Struct(fields(columns, texts)),
            Self::Text => DataType::Utf8,
            Self::Bytes => DataType::Binary,
            Self::Number => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Flag => DataType::Boolean,
            Self::U8s(width) => numbers(DataType::UInt8, width),
            Self::U16s(width) => numbers(DataType::UInt16, width),
        }
    }
}

/// The fields of these columns.
pub(super) fn fields(columns: &[ResultColumn], texts: &DataType) -> Fields {
    let field = |it: &ResultColumn| Field::new(it.name, it.kind.data_type(texts), true);
    columns.iter().map(field).collect()
}

/// A value of a result.
pub(crate) enum ResultValue<'a> {
    /// There is none: an empty text or list, -1, NaN or false; null in a struct.
    None,
    /// A text in ASCII.
    Text(&'a [u8]),
    /// A text that is written if its column is wanted.
    Shown(&'a dyn fmt::Display),
    /// A text that was written.
    Written(String),
    /// The items of a list.
    List(Vec<ResultValue<'a>>),
    /// The fields of a struct.
    Struct(Vec<ResultValue<'a>>),
    /// A number.
    Number(i64),
    /// A number with a fraction.
    Float(f64),
    /// Yes or no.
    Flag(bool),
    /// A row of numbers as bytes; for a list, all its rows.
    Numbers(&'a [u8]),
}

impl<'a> From<&'a str> for ResultValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.as_bytes())
    }
}

/// Texts. None is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) bytes: Vec<u8>,
    pub(super) lengths: Vec<u32>,
}

impl Texts {
    /// Ends the text that begins at this byte.
    fn end(&mut self, start: usize) {
        self.lengths.push(u32::try_from(self.bytes.len() - start).expect("a short text"));
    }

    fn push(&mut self, text: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        self.end(start);
    }
}

/// Values of one width, as bytes.
#[derive(Clone, Debug)]
pub(super) struct FixedRows {
    /// The bytes of a row without a value.
    none: Vec<u8>,
    pub(super) bytes: Vec<u8>,
    /// Whether each row has a value.
    pub(super) has: Vec<bool>,
}

impl FixedRows {
    /// Appends a row with a value.
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.has.push(true);
    }
}

/// The values of a column.
#[derive(Clone, Debug)]
pub(super) enum ResultCells {
    Texts(Texts),
    Lists { counts: Vec<u32>, items: Box<ResultCells> },
    Structs(ResultTable),
    Rows(FixedRows),
}

impl ResultCells {
    fn fixed(none: Vec<u8>, rows: usize) -> Self {
        let (bytes, has) = (Vec::with_capacity(rows * none.len()), Vec::with_capacity(rows));
        Self::Rows(FixedRows { none, bytes, has })
    }

    fn new(kind: &DataType, rows: usize) -> Self {
        match kind {
            DataType::List(item) => Self::Lists {
                counts: Vec::with_capacity(rows),
                items: Box::new(Self::new(item.data_type(), 0)),
            },
            DataType::Struct(fields) => Self::Structs(ResultTable::of(fields.clone(), 0)),
            DataType::Int64 => Self::fixed((-1_i64).to_ne_bytes().to_vec(), rows),
            DataType::Float64 => Self::fixed(f64::NAN.to_ne_bytes().to_vec(), rows),
            DataType::FixedSizeList(item, width) => {
                let size = item.data_type().primitive_width().expect("numbers");
                Self::fixed(vec![0; size * width.as_usize()], rows)
            }
            DataType::UInt16 => Self::fixed(vec![0; 2], rows),
            DataType::UInt8 | DataType::Boolean => Self::fixed(vec![0], rows),
            _ => Self::Texts(Texts {
                bytes: Vec::with_capacity(rows * Cell::COUNT),
                lengths: Vec::with_capacity(rows),
            }),
        }
    }

    fn push(&mut self, value: &ResultValue) {
        match (self, value) {
            (Self::Texts(own), ResultValue::Text(text)) => own.push(text),
            (Self::Texts(own), ResultValue::Shown(shown)) => {
                let start = own.bytes.len();
                write!(own.bytes, "{shown}").expect("memory takes every text");
                own.end(start);
            }
            (Self::Texts(own), ResultValue::Written(text)) => own.push(text.as_bytes()),
            (Self::Texts(own), ResultValue::None) => own.lengths.push(0),
            (Self::Lists { counts, items }, ResultValue::List(values)) => {
                for value in values {
                    items.push(value);
                }
                counts.push(u32::try_from(values.len()).expect("a list in memory"));
            }
            (Self::Lists { counts, .. }, ResultValue::None) => counts.push(0),
            (Self::Lists { counts, items }, ResultValue::Numbers(bytes)) => {
                let Self::Rows(items) = &mut **items else { unreachable!("a list of numbers") };
                let rows = bytes.len() / items.none.len();
                items.bytes.extend_from_slice(bytes);
                items.has.resize(items.has.len() + rows, true);
                counts.push(u32::try_from(rows).expect("a list in memory"));
            }
            (Self::Structs(own), ResultValue::Struct(values)) => own.push(values),
            (Self::Rows(own), ResultValue::Number(number)) => own.push(&number.to_ne_bytes()),
            (Self::Rows(own), ResultValue::Float(float)) => own.push(&float.to_ne_bytes()),
            (Self::Rows(own), ResultValue::Flag(flag)) => own.push(&[u8::from(*flag)]),
            (Self::Rows(own), ResultValue::Numbers(bytes)) => own.push(bytes),
            (Self::Rows(own), ResultValue::Text(cells)) => {
                let digit = |byte: &u8| if byte.is_ascii_digit() { byte - b'0' } else { 0 };
                own.bytes.extend(cells.iter().map(digit));
                own.has.push(true);
            }
            (Self::Rows(own), ResultValue::None) => {
                own.bytes.extend_from_slice(&own.none);
                own.has.push(false);
            }
            _ => unreachable!("a value is of the kind of its column"),
        }
    }

    fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Texts(own), Self::Texts(other)) => {
                own.bytes.extend_from_slice(&other.bytes);
                own.lengths.extend_from_slice(&other.lengths);
            }
            (Self::Lists { counts, items }, Self::Lists { counts: more, items: other }) => {
                counts.extend_from_slice(more);
                items.append(other);
            }
            (Self::Structs(own), Self::Structs(other)) => own.append(other),
            (Self::Rows(own), Self::Rows(other)) => {
                own.bytes.extend_from_slice(&other.bytes);
                own.has.extend_from_slice(&other.has);
            }
            _ => unreachable!("a column has one kind"),
        }
    }
}

/// The columns of a result, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultTable {
    pub(super) fields: Fields,
    pub(super) columns: Vec<ResultCells>,
}

impl ResultTable {
    /// No rows of these columns, with memory for this number. Puzzles are texts of this type, or digits.
    pub(crate) fn new(columns: &[ResultColumn], texts: &DataType, rows: usize) -> Self {
        Self::of(fields(columns, texts), rows)
    }

    fn of(fields: Fields, rows: usize) -> Self {
        let cells = |(place, field): (usize, &FieldRef)| {
            // Further texts are short, or few rows have one.
            ResultCells::new(field.data_type(), if place == 0 { rows } else { 0 })
        };
        let columns = fields.iter().enumerate().map(cells).collect();
        Self { fields, columns }
    }

    /// Whether more than the first column is wanted.
    pub(crate) fn details(&self) -> bool {
        self.columns.len() > 1
    }

    /// Whether a column of this name is wanted.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.find(name).is_some()
    }

    /// Appends a row. Values of columns that are not wanted are ignored; those that are not given
    /// are none.
    ///
    /// # Panics
    /// If a value is of another kind than its column.
    pub(crate) fn push(&mut self, values: &[ResultValue]) {
        for (place, cells) in self.columns.iter_mut().enumerate() {
            cells.push(values.get(place).unwrap_or(&ResultValue::None));
        }
    }

    /// Appends a row without a result, but with a status and a reason.
    pub(crate) fn push_reason(&mut self, status: &str, reason: &dyn fmt::Display) {
        for (field, cells) in self.fields.iter().zip(&mut self.columns) {
            cells.push(&match &**field.name() {
                "status" => status.into(),
                "reason" => ResultValue::Shown(reason),
                _ => ResultValue::None,
            });
        }
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.columns.iter_mut().zip(&other.columns).for_each(|(own, other)| own.append(other));
    }
}
