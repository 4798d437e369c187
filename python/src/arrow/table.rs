//! The columns of a result while it is made.

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

    fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
        self.lengths.extend_from_slice(&other.lengths);
    }
}

/// Rows of numbers as bytes, all of one width. None is zeros.
#[derive(Clone, Debug)]
pub(super) struct NumberRows {
    width: usize,
    pub(super) bytes: Vec<u8>,
    pub(super) has: Vec<bool>,
}

impl NumberRows {
    /// Appends all rows of these bytes, and returns their number.
    fn extend(&mut self, bytes: &[u8], has: bool) -> usize {
        let rows = bytes.len() / self.width;
        self.bytes.extend_from_slice(bytes);
        self.has.resize(self.has.len() + rows, has);
        rows
    }
}

/// The values of a column.
#[derive(Clone, Debug)]
pub(super) enum ResultCells {
    Texts(Texts),
    Lists { counts: Vec<u32>, items: Box<ResultCells> },
    Structs { rows: usize, fields: Vec<ResultCells> },
    Numbers(Vec<i64>),
    Floats(Vec<f64>),
    Flags(Vec<bool>),
    Rows(NumberRows),
}

impl ResultCells {
    fn new(kind: ResultKind, rows: usize) -> Self {
        match kind {
            ResultKind::Puzzle => Self::Texts(Texts {
                bytes: Vec::with_capacity(rows * Cell::COUNT),
                lengths: Vec::with_capacity(rows),
            }),
            ResultKind::Text | ResultKind::Bytes => Self::Texts(Texts::default()),
            ResultKind::List(item) => Self::Lists {
                counts: Vec::with_capacity(rows),
                items: Box::new(Self::new(*item, 0)),
            },
            ResultKind::Struct(fields) => {
                let fields = fields.iter().map(|field| Self::new(field.kind, rows)).collect();
                Self::Structs { rows: 0, fields }
            }
            ResultKind::Number => Self::Numbers(Vec::with_capacity(rows)),
            ResultKind::Float => Self::Floats(Vec::with_capacity(rows)),
            ResultKind::Flag => Self::Flags(Vec::with_capacity(rows)),
            ResultKind::U8s(width) | ResultKind::U16s(width) => {
                let width = if let ResultKind::U16s(_) = kind { 2 * width } else { width };
                let (bytes, has) = (Vec::with_capacity(rows * width), Vec::with_capacity(rows));
                Self::Rows(NumberRows { width, bytes, has })
            }
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
            (Self::Structs { rows, fields }, ResultValue::Struct(values)) => {
                *rows += 1;
                fields.iter_mut().zip(values).for_each(|(field, value)| field.push(value));
            }
            (Self::Numbers(own), ResultValue::Number(number)) => own.push(*number),
            (Self::Numbers(own), ResultValue::None) => own.push(-1),
            (Self::Floats(own), ResultValue::Float(float)) => own.push(*float),
            (Self::Floats(own), ResultValue::None) => own.push(f64::NAN),
            (Self::Flags(own), ResultValue::Flag(flag)) => own.push(*flag),
            (Self::Flags(own), ResultValue::None) => own.push(false),
            (Self::Rows(own), ResultValue::Numbers(bytes)) => _ = own.extend(bytes, true),
            (Self::Rows(own), ResultValue::None) => _ = own.extend(&vec![0; own.width], false),
            (Self::Lists { counts, items }, ResultValue::Numbers(bytes)) => {
                let Self::Rows(items) = &mut **items else { unreachable!("a list of numbers") };
                counts.push(u32::try_from(items.extend(bytes, true)).expect("a list in memory"));
            }
            _ => unreachable!("a value is of the kind of its column"),
        }
    }

    fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Texts(own), Self::Texts(other)) => own.append(other),
            (Self::Lists { counts, items }, Self::Lists { counts: more, items: other }) => {
                counts.extend_from_slice(more);
                items.append(other);
            }
            (Self::Structs { rows, fields }, Self::Structs { rows: more, fields: others }) => {
                *rows += more;
                fields.iter_mut().zip(others).for_each(|(own, other)| own.append(other));
            }
            (Self::Numbers(own), Self::Numbers(other)) => own.extend_from_slice(other),
            (Self::Floats(own), Self::Floats(other)) => own.extend_from_slice(other),
            (Self::Flags(own), Self::Flags(other)) => own.extend_from_slice(other),
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
    pub(super) shapes: &'static [ResultColumn],
    pub(super) columns: Vec<ResultCells>,
}

impl ResultTable {
    /// No rows, with memory for this number.
    pub(crate) fn new(shapes: &'static [ResultColumn], rows: usize) -> Self {
        let columns = shapes.iter().map(|shape| ResultCells::new(shape.kind, rows)).collect();
        Self { shapes, columns }
    }

    /// Whether more than the first column is wanted.
    pub(crate) fn details(&self) -> bool {
        self.columns.len() > 1
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
        for (shape, cells) in self.shapes.iter().zip(&mut self.columns) {
            cells.push(&match shape.name {
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
