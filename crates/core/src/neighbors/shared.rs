//! Reduced puzzles that were searched, up to symmetry.
//!
//! ```text
//! reduced puzzle ─> minlex form ─> slot: the form, and the clues that were removed, as the form has them
//! ```
//!
//! A slot holds the latest reduced puzzle with its hash. Forms are compared whole, so a hash cannot mislead.

use crate::puzzle::Grid;
use crate::symmetry::Canon;
use alloc::boxed::Box;
use alloc::vec;

/// Slots of 162 bytes.
const SLOTS: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct ReducedSlot {
    form: Grid,
    removed: Grid,
}

/// The reduced puzzles.
#[derive(Debug)]
pub(super) struct SharedReduced {
    canon: Canon,
    slots: Box<[ReducedSlot]>,
    /// The last one that was not found.
    next: ReducedSlot,
}

impl SharedReduced {
    pub(super) fn new() -> Self {
        let slot = ReducedSlot { form: Grid::EMPTY, removed: Grid::EMPTY };
        Self { canon: Canon::new(), slots: vec![slot; SLOTS].into(), next: slot }
    }

    /// The clues that were removed when a reduced puzzle was searched before, as clues of this one.
    pub(super) fn find(&mut self, reduced: &Grid, removed: &Grid) -> Option<Grid> {
        let form = self.canon.one(reduced);
        let slot = &self.slots[slot_of(&form.grid)];
        if slot.form == form.grid && form.grid != Grid::EMPTY {
            return Some(form.map.inverse().apply(&slot.removed));
        }
        self.next = ReducedSlot { form: form.grid, removed: form.map.apply(removed) };
        None
    }

    /// Keeps the last reduced puzzle that was not found: it was searched.
    pub(super) fn keep(&mut self) {
        self.slots[slot_of(&self.next.form)] = self.next;
    }
}

/// The slot of a form.
fn slot_of(form: &Grid) -> usize {
    (form.hash() >> 20) as usize % SLOTS
}
