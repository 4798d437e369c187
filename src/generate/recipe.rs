//! The properties that puzzles should have, and what they are made from.

use super::symmetry::Symmetry;
use crate::difficulty::{EffortRange, Grade, Measure, Measured, ScoreRange};
use crate::names::NameSet;
use crate::puzzle::{CellSet, Random, Solution};
use std::ops::RangeInclusive;

/// What one puzzle is made from.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// A random full grid, to be dug.
    Nothing,
    /// This full grid, to be dug.
    Grid(Solution),
}

/// The properties that puzzles should have.
///
/// A puzzle is dug: clues of a full grid are removed in random order while the puzzle has one
/// solution, or while the rules of `grade` solve it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of clues. Unless `minimal` is set, digging ends at a number drawn from this range.
    pub clues: Option<RangeInclusive<usize>>,
    /// No clue is redundant; with a symmetry, no set of clues that it moves onto each other.
    pub minimal: bool,
    /// The symmetry of the cells that have a clue.
    pub symmetry: Symmetry,
    /// The cells that have a clue. With a pattern there is nothing to dig.
    pub pattern: Option<CellSet>,
    /// The grade of the puzzles.
    pub grade: Option<Grade>,
    /// Their effort, over the usual number of shuffles: as `ninefold rate` measures it.
    pub effort: Option<EffortRange>,
    /// Their Explainer rating.
    pub er: Option<ScoreRange>,
    /// The most grids that are tried for one puzzle.
    pub attempts: u64,
}

impl Recipe {
    /// Grids that are tried for one puzzle unless another number is requested.
    ///
    /// 3 to 4 s on one core. Of random minimal puzzles one in about 20,000 has 20 clues: 52 of the
    /// million of seed 1.
    pub const ATTEMPTS: u64 = 100_000;

    /// No puzzle with fewer clues has one solution: shown by Gary `McGuire`, Bastian Tugemann and
    /// Gilles Civario, "There is no 16-clue Sudoku", 2012.
    pub const FEWEST_CLUES: usize = 17;

    /// Minimal puzzles.
    #[must_use]
    pub fn minimal(seed: u64) -> Self {
        Self {
            seed,
            clues: None,
            minimal: true,
            symmetry: Symmetry::None,
            pattern: None,
            grade: None,
            effort: None,
            er: None,
            attempts: Self::ATTEMPTS,
        }
    }

    /// Whether there is a set of orbits that has as many cells as clues are requested.
    #[must_use]
    pub fn clues_can_be(&self) -> bool {
        let Some(range) = &self.clues else { return true };
        // A bit for each number of cells that some orbits have together.
        let sums = self.symmetry.orbits().iter().fold(1u128, |sums, it| sums | sums << it.len());
        range.clone().any(|clues| sums >> clues & 1 == 1)
    }

    /// The number of attempts for one puzzle. A full grid has a pattern once only.
    pub(super) fn attempts_at(&self, start: &Start) -> u64 {
        match start {
            Start::Grid(_) if self.pattern.is_some() => 1,
            _ => self.attempts,
        }
    }

    /// The measures that decide whether a puzzle is as requested.
    pub(super) fn measures(&self) -> NameSet<Measure> {
        let mut measures = NameSet::of(&[]);
        if self.effort.is_some() {
            measures = measures.with(Measure::Effort);
        }
        if self.er.is_some() {
            measures = measures.with(Measure::Er);
        }
        measures
    }

    /// Whether a puzzle with these measures is as requested.
    pub(super) fn is_as_difficult(&self, measured: &Measured) -> bool {
        let effort = self
            .effort
            .as_ref()
            .is_none_or(|range| measured.effort.is_some_and(|effort| range.contains(&effort)));
        effort
            && self
                .er
                .as_ref()
                .is_none_or(|range| measured.rating.is_some_and(|it| range.contains(it.er)))
    }

    /// The grade that digging keeps; without one, it keeps one solution.
    pub(super) fn kept_grade(&self) -> Option<Grade> {
        self.grade.filter(|&grade| !self.minimal && grade < Grade::Search)
    }

    /// The sets of cells whose clues are removed together.
    pub(super) fn steps(&self) -> Vec<CellSet> {
        match self.pattern {
            Some(pattern) => vec![!pattern],
            None => self.symmetry.orbits(),
        }
    }

    /// The fewest clues that digging leaves.
    pub(super) fn floor(&self, random: &mut Random) -> usize {
        match &self.clues {
            Some(clues) if !self.minimal => {
                clues.start() + random.below(clues.end().saturating_sub(*clues.start()) + 1)
            }
            _ => 0,
        }
    }

    /// The distance of a number of clues from the requested range.
    pub(super) fn distance(&self, clues: usize) -> usize {
        self.clues.as_ref().map_or(0, |range| {
            range.start().saturating_sub(clues).max(clues.saturating_sub(*range.end()))
        })
    }
}
