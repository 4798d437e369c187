//! What a hint is about. A search calls back with the pattern of each hint that it used.
//!
//! A rating needs no pattern: it calls back with a function that looks at nothing, so none is made.

/// The cells, digits and houses of a hint, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) cells: u128,
    pub(super) digits: u16,
    /// The houses in which the digits or cells are.
    pub(super) houses: u32,
    /// The houses that they are locked in.
    pub(super) covers: u32,
}

impl Pattern {
    pub(super) const NONE: Self = Self { cells: 0, digits: 0, houses: 0, covers: 0 };

    /// One of cells and digits alone.
    pub(super) const fn of(cells: u128, digits: u16) -> Self {
        Self { cells, digits, ..Self::NONE }
    }
}
