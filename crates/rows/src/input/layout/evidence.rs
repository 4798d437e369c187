//! The evidence: what the fields of the records in the head hold.
//!
//! A field is a column of a table, or a key path of JSON objects. The counts of the classes of its values,
//! and how often it has blanks where another field is full, are all that the rules see of it.

use crate::Grouped;
use crate::input::fields::FieldClass;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most fields that are looked at: the widest table seen has 91.
pub(super) const MOST_FIELDS: usize = 256;

/// How many values of one field are in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClassCounts([u64; 7]);

impl ClassCounts {
    /// Records that were looked at.
    pub(super) fn rows(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) const fn count(&self, value: FieldClass) -> u64 {
        self.0[value as usize]
    }

    pub(super) const fn full(&self) -> u64 {
        self.count(FieldClass::Full)
    }

    /// Values that are puzzles, and not solved.
    pub(super) const fn open(&self) -> u64 {
        self.count(FieldClass::Blanks) + self.count(FieldClass::Marks)
    }

    pub(super) const fn grids(&self) -> u64 {
        self.open() + self.full()
    }
}

impl fmt::Display for ClassCounts {
    /// `398 with blanks, 1 damaged`: the classes that occur.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 7] =
            ["full", "with blanks", "sukakus", "damaged", "numbers", "empty", "other text"];
        let counts = self.0.into_iter().zip(NAMES).filter(|(count, _)| *count > 0);
        let counts: Vec<_> =
            counts.map(|(count, name)| format!("{} {name}", Grouped(count))).collect();
        f.write_str(&counts.join(", "))
    }
}

/// The evidence of all records of the head.
#[derive(Clone, Debug, Default)]
pub(super) struct HeadEvidence {
    pub(super) rows: u64,
    /// Records with a full grid beside another grid.
    pub(super) answered: u64,
    /// Fields of the first record with a grid.
    pub(super) first_width: Option<usize>,
    /// Records with a grid.
    pub(super) with_grid: u64,
    /// Records with a puzzle that is a part of a field, beside a full grid.
    pub(super) hidden: u64,
    /// Fields that both have blanks in some record, and clues that differ.
    pub(super) differing: BTreeSet<(usize, usize)>,
    /// One for each field.
    pub(super) fields: Vec<ClassCounts>,
    /// How often the first field has blanks where the second is full.
    open_beside_full: BTreeMap<(usize, usize), u64>,
    /// The number of records by their number of fields.
    widths: BTreeMap<usize, u64>,
}

impl HeadEvidence {
    /// Adds a record: what its fields are.
    pub(super) fn add(&mut self, values: &[FieldClass]) {
        self.rows += 1;
        *self.widths.entry(values.len()).or_default() += 1;
        let looked_at = values.len().min(MOST_FIELDS);
        self.fields.resize(self.fields.len().max(looked_at), ClassCounts::default());
        for (tally, &value) in self.fields.iter_mut().zip(values) {
            tally.0[value as usize] += 1;
        }
        if values.iter().any(|value| value.is_grid()) {
            self.first_width.get_or_insert(values.len());
            self.with_grid += 1;
        }
        let places = || values.iter().enumerate();
        let full: Vec<_> = places().filter(|(_, value)| **value == FieldClass::Full).collect();
        let open: Vec<_> = places().filter(|(_, value)| value.is_open()).collect();
        self.answered += u64::from(full.len() > 1 || full.len() == 1 && !open.is_empty());
        for (open, _) in open {
            for &(full, _) in &full {
                *self.open_beside_full.entry((open, full)).or_default() += 1;
            }
        }
    }

    /// All records are in: a field that a record lacks is empty there.
    pub(super) fn complete(&mut self, fields: usize) {
        let fields = self.fields.len().max(fields.min(MOST_FIELDS));
        self.fields.resize(fields, ClassCounts::default());
        for tally in &mut self.fields {
            tally.0[FieldClass::Empty as usize] += self.rows - tally.rows();
        }
    }

    /// The values of a field; none of one that was not looked at.
    pub(super) fn tally(&self, field: usize) -> ClassCounts {
        self.fields.get(field).copied().unwrap_or_default()
    }

    /// How often the first field has blanks where the second is full.
    pub(super) fn beside(&self, open: usize, full: usize) -> u64 {
        self.open_beside_full.get(&(open, full)).copied().unwrap_or_default()
    }

    /// The number of fields of all records, if it is one.
    pub(super) fn only_width(&self) -> Option<usize> {
        self.widths.keys().next().copied().filter(|_| self.widths.len() == 1)
    }

    /// The number of fields that most records have.
    pub(super) fn usual_width(&self) -> usize {
        self.widths.iter().max_by_key(|(_, count)| **count).map_or(0, |(width, _)| *width)
    }
}
