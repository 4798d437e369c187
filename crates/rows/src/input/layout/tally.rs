//! How many values of a field are in each class: all that the rule sees of a field.

use crate::Grouped;
use crate::input::class::FieldClass;
use std::fmt;

/// The values of one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally([u64; 7]);

impl Tally {
    pub(super) const fn add(&mut self, class: FieldClass) {
        self.0[class as usize] += 1;
    }

    pub(super) const fn count(&self, class: FieldClass) -> u64 {
        self.0[class as usize]
    }

    pub(super) const fn full(&self) -> u64 {
        self.count(FieldClass::Full)
    }

    /// Values with blanks. One that is damaged had some.
    pub(super) const fn open(&self) -> u64 {
        self.count(FieldClass::Open)
            + self.count(FieldClass::Damaged)
            + self.count(FieldClass::Values)
    }

    /// Values that can be read.
    pub(super) const fn grids(&self) -> u64 {
        self.count(FieldClass::Open) + self.full()
    }
}

impl fmt::Display for Tally {
    /// `398 with blanks, 1 damaged`: the classes that occur.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 7] =
            ["with blanks", "full", "damaged", "81 other values", "numbers", "empty", "other text"];
        let counts = self.0.into_iter().zip(NAMES).filter(|(count, _)| *count > 0);
        let counts: Vec<_> =
            counts.map(|(count, name)| format!("{} {name}", Grouped(count))).collect();
        f.write_str(&counts.join(", "))
    }
}
