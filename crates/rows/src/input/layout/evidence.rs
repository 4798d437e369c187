//! The evidence: what the fields of the sampled records hold.
//!
//! Every value of every sampled record is put into one class. A field is a column of a table, or a key
//! path of JSON objects. The counts of its classes, and how often it has blanks where another field is
//! full, are all that the rules (`rules`) see of it.

use crate::input::fields::{is_full, is_puzzle, resembles_puzzle};
use crate::input::lines::is_count;
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::rules;
use std::collections::BTreeMap;
use std::fmt;

/// The most fields that are looked at: the widest table seen has 91.
const MOST_FIELDS: usize = 256;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// 81 digits that keep the rules.
    Full,
    /// 81 digits that break the rules.
    Illegal,
    /// 81 cells, of which some are blank.
    Blanks,
    /// The 729 pencilmarks of a sukaku.
    Marks,
    /// It was a grid or a sukaku before it was damaged.
    Damaged,
    /// A number.
    Number,
    /// Nothing, or a word that stands for nothing.
    Empty,
    /// Anything else.
    Other,
}

impl Value {
    /// The class of a value.
    pub(super) fn of(field: &[u8], blanks: &Blanks) -> Self {
        const NONE: [&[u8]; 6] = [b"", b"na", b"n/a", b"nan", b"null", b"none"];
        if is_full(field) {
            let legal = parse::line(field).is_ok_and(|grid| rules::is_legal(&grid));
            return if legal { Self::Full } else { Self::Illegal };
        }
        if is_puzzle(field, blanks) {
            let is_grid = field.len() == crate::puzzle::Cell::COUNT;
            return if is_grid { Self::Blanks } else { Self::Marks };
        }
        match field {
            _ if resembles_puzzle(field, blanks) => Self::Damaged,
            _ if is_count(field) => Self::Number,
            _ if NONE.iter().any(|none| field.eq_ignore_ascii_case(none)) => Self::Empty,
            _ => Self::Other,
        }
    }

    /// Whether it is a grid without a blank.
    pub(super) const fn is_full(self) -> bool {
        matches!(self, Self::Full | Self::Illegal)
    }

    /// Whether it is a puzzle that is not solved yet.
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Blanks | Self::Marks)
    }
}

/// The part that a field has in the decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// It holds the puzzles.
    Puzzles,
    /// It holds the answers.
    Solutions,
    /// It is not used.
    #[default]
    Unused,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Puzzles => "puzzles",
            Self::Solutions => "solutions",
            Self::Unused => "not used",
        })
    }
}

/// What the values of one field are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Records that were looked at.
    pub(super) rows: u64,
    pub(super) full: u64,
    /// Those of the full grids that break the rules.
    pub(super) illegal: u64,
    pub(super) blanks: u64,
    pub(super) marks: u64,
    pub(super) damaged: u64,
    pub(super) numbers: u64,
    pub(super) empty: u64,
    pub(super) other: u64,
}

impl Tally {
    /// Values that are puzzles, and not solved.
    pub(super) const fn open(&self) -> u64 {
        self.blanks + self.marks
    }

    fn add(&mut self, value: Value) {
        let count = match value {
            Value::Full => &mut self.full,
            Value::Illegal => {
                self.illegal += 1;
                &mut self.full
            }
            Value::Blanks => &mut self.blanks,
            Value::Marks => &mut self.marks,
            Value::Damaged => &mut self.damaged,
            Value::Number => &mut self.numbers,
            Value::Empty => &mut self.empty,
            Value::Other => &mut self.other,
        };
        *count += 1;
    }
}

impl fmt::Display for Tally {
    /// `5,000 of 5,000 rows full, 0 with blanks`, and the other classes that occur.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, full, blanks, .. } = *self;
        write!(
            f,
            "{} of {} rows full, {} with blanks",
            Number(full),
            Number(rows),
            Number(blanks)
        )?;
        let rest = [
            (self.illegal, "full but illegal"),
            (self.marks, "sukakus"),
            (self.damaged, "damaged"),
            (self.numbers, "numbers"),
            (self.empty, "empty"),
            (self.other, "other text"),
        ];
        let mut rest = rest.iter().filter(|(count, _)| *count > 0);
        rest.try_for_each(|(count, what)| write!(f, ", {} {what}", Number(*count)))
    }
}

/// A number with separators.
pub(super) struct Number(pub(super) u64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (place, digit) in digits.char_indices() {
            let comma =
                if place > 0 && (digits.len() - place).is_multiple_of(3) { "," } else { "" };
            write!(f, "{comma}{digit}")?;
        }
        Ok(())
    }
}

/// The evidence of all sampled records.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) rows: u64,
    /// Records with a full grid beside another grid.
    pub(super) answered: u64,
    /// One for each field.
    pub(super) fields: Vec<Tally>,
    /// How often the first field has blanks where the second is full.
    open_beside_full: BTreeMap<(usize, usize), u64>,
    /// How many records have so many fields.
    widths: BTreeMap<usize, u64>,
}

impl Evidence {
    /// Adds a record: its fields and what they are.
    pub(super) fn add(&mut self, width: usize, values: &[(usize, Value)]) {
        self.rows += 1;
        *self.widths.entry(width).or_default() += 1;
        for &(field, value) in values.iter().filter(|(field, _)| *field < MOST_FIELDS) {
            if self.fields.len() <= field {
                self.fields.resize(field + 1, Tally::default());
            }
            self.fields[field].add(value);
        }
        let full = values.iter().filter(|(_, value)| value.is_full()).count();
        let is_open = values.iter().any(|(_, value)| value.is_open());
        self.answered += u64::from(full > 1 || full == 1 && is_open);
        for &(open, _) in values.iter().filter(|(_, value)| value.is_open()) {
            for &(full, _) in values.iter().filter(|(_, value)| value.is_full()) {
                *self.open_beside_full.entry((open, full)).or_default() += 1;
            }
        }
    }

    /// All records are in: a field that a record lacks is empty there.
    pub(super) fn complete(&mut self, fields: usize) {
        if self.fields.len() < fields.min(MOST_FIELDS) {
            self.fields.resize(fields.min(MOST_FIELDS), Tally::default());
        }
        for tally in &mut self.fields {
            let seen = tally.full + tally.open() + tally.damaged + tally.numbers;
            tally.rows = self.rows;
            tally.empty = self.rows - seen - tally.other;
        }
    }

    /// How often the first field has blanks where the second is full.
    pub(super) fn beside(&self, open: usize, full: usize) -> u64 {
        self.open_beside_full.get(&(open, full)).copied().unwrap_or_default()
    }

    /// The number of fields that most records have.
    pub(super) fn usual_width(&self) -> usize {
        self.widths.iter().max_by_key(|(_, count)| **count).map_or(0, |(width, _)| *width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_of_one_class() {
        let full =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let class = |text: &str| Value::of(text.as_bytes(), &Blanks::usual());
        assert_eq!(class(full), Value::Full);
        assert_eq!(class(&"1".repeat(81)), Value::Illegal);
        assert_eq!(class(&".".repeat(81)), Value::Blanks);
        assert_eq!(class(&"123456789".repeat(81)), Value::Marks);
        assert_eq!(class(&full[1..]), Value::Damaged);
        assert_eq!(
            [class("17"), class(" NaN".trim()), class("")],
            [Value::Number, Value::Empty, Value::Empty]
        );
        assert_eq!(class("[1,2]"), Value::Other);
    }

    #[test]
    fn evidence_is_written_with_separators() {
        let tally = Tally { rows: 5000, full: 4999, numbers: 1, ..Tally::default() };
        assert_eq!(tally.to_string(), "4,999 of 5,000 rows full, 0 with blanks, 1 numbers");
    }
}
