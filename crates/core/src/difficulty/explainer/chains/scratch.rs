//! What the rules of a run found before, and how their removals become nodes of the run.

use super::super::board::CellDigit;
use super::super::score::Technique;
use super::super::tables::bits;
use super::grid::{Link, Numbering, Pencilmarks, each_gone};
use super::runs::{Potential, Runs};
use alloc::vec::Vec;

/// Memory of the rules of one layer.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The removals of a hint: cell, digits.
    pub(super) removals: Vec<(u8, u16)>,
    /// The removals of the hints before, for those that remove in several cells.
    seen: Vec<(u8, u16)>,
    seen_ends: Vec<usize>,
    /// The removals of hints before that remove in one cell.
    seen_single: Vec<(u8, u16)>,
    /// The candidates that had to go first.
    pub(super) gone: Vec<CellDigit>,
    pub(super) names: Vec<u16>,
}

impl Scratch {
    pub(super) fn clear_seen(&mut self) {
        self.seen.clear();
        self.seen_ends.clear();
        self.seen_single.clear();
    }

    /// Whether a hint before had the removals of `removals`; they count as seen from now on.
    pub(super) fn is_seen(&mut self) -> bool {
        if let &[removal] = &self.removals[..] {
            let is_seen = self.seen_single.contains(&removal);
            if !is_seen {
                self.seen_single.push(removal);
            }
            return is_seen;
        }
        let mut from = 0;
        for &to in &self.seen_ends {
            if is_same_removal(&self.seen[from..to], &self.removals) {
                return true;
            }
            from = to;
        }
        self.seen.extend_from_slice(&self.removals);
        self.seen_ends.push(self.seen.len());
        false
    }

    pub(super) fn add_gone(
        &mut self,
        start: &Pencilmarks,
        working: &Pencilmarks,
        to: CellDigit,
        link: Link,
    ) {
        each_gone(start, working, to, link, |gone| {
            if !self.gone.contains(&gone) {
                self.gone.push(gone);
            }
        });
    }
}

/// Sorts removals as a Java hash map with the cells as keys does.
///
/// Buckets are the low bits of the cell: 16 of them, doubled while more than 3/4 would be used.
fn sort_by_hash(removals: &mut [(u8, u16)]) {
    let mut buckets = 16;
    while removals.len() * 4 > buckets * 3 {
        buckets *= 2;
    }
    // Insertion keeps the order within a bucket, and needs no memory.
    let bucket = |removal: (u8, u16)| usize::from(removal.0) % buckets;
    for end in 1..removals.len() {
        let mut at = end;
        while at > 0 && bucket(removals[at - 1]) > bucket(removals[at]) {
            removals.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Whether Explainer takes two removals for the same: it compares a hash of three cells, too.
fn is_same_removal(one: &[(u8, u16)], other: &[(u8, u16)]) -> bool {
    let hash = |removals: &[(u8, u16)]| {
        let mut sorted = [(0, 0); 81];
        let sorted = &mut sorted[..removals.len()];
        sorted.copy_from_slice(removals);
        sort_by_hash(sorted);
        sorted.iter().take(3).fold(0, |hash, removal| hash ^ removal.0)
    };
    one.len() == other.len()
        && one.iter().all(|removal| other.contains(removal))
        && (one.len() <= 3 || hash(one) == hash(other))
}

impl Runs {
    /// Records the removals of a hint as off, if it needs candidates that are gone.
    pub(super) fn record(
        &mut self,
        technique: Technique,
        removals: &mut [(u8, u16)],
        gone: &[CellDigit],
        nest: u32,
        names: &Numbering,
    ) {
        if gone.is_empty() {
            return;
        }
        let parents = self.open_parents();
        for &candidate in gone {
            self.push_gone(candidate, names);
        }
        sort_by_hash(removals);
        for &(cell, digits) in removals.iter() {
            for digit in bits(digits) {
                let off =
                    Potential::new(names.number(CellDigit::new(usize::from(cell), digit)), false);
                if self.find(off).is_none() {
                    let node = self.add(off, Link::Rule(technique), parents, nest);
                    self.enter(node);
                }
            }
        }
    }
}
