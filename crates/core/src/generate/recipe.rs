//! The properties that puzzles should have, and what they are made from.

use super::symmetry::Symmetry;
use crate::difficulty::{EffortRange, Grade, Measure, Measured, ScoreRange, Technique};
use crate::names::NameSet;
use crate::puzzle::{Cell, CellSet, Random, Solution};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// The properties that puzzles should have.
///
/// A puzzle is dug: clues of a full grid are removed in random order while the puzzle has one
/// solution, or while the rules of `grade` solve it.
///
/// ```
/// use ninefold_core::difficulty::Grade;
/// use ninefold_core::generate::{Recipe, Symmetry, generate};
/// use ninefold_core::puzzle::CellSet;
///
/// // 26 to 30 clues in rotational symmetry, solved by singles.
/// let recipe = Recipe {
///     clues: Some(26..=30),
///     symmetry: Symmetry::Rotate,
///     grade: Some(Grade::Singles),
///     ..Recipe::default()
/// };
/// let made = generate(&recipe, 1).expect("there are many");
/// assert!((26..=30).contains(&CellSet::of_clues(&made.puzzle).len()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
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
    /// The technique of their hardest step: the first whose score is their rating.
    pub technique: Option<Technique>,
    /// A technique that one of their steps uses, as [`Steps`](crate::difficulty::Steps) finds them.
    pub uses: Option<Technique>,
    /// The most grids that are tried for one puzzle.
    pub attempts: u64,
}

impl Default for Recipe {
    /// No requests: clues are removed until none is redundant.
    fn default() -> Self {
        Self {
            clues: None,
            minimal: false,
            symmetry: Symmetry::None,
            pattern: None,
            grade: None,
            effort: None,
            er: None,
            technique: None,
            uses: None,
            attempts: Self::ATTEMPTS,
        }
    }
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

    /// The most different puzzles of a full grid: the sets of clues that the symmetry allows, with as many
    /// clues as requested. 0 if there is none.
    pub fn most_of_a_grid(&self) -> u128 {
        let Some(range) = &self.clues else {
            return if self.pattern.is_some() { 1 } else { u128::MAX };
        };
        // Sets by their number of cells: 2^81 in all.
        let mut sets = [0u128; Cell::COUNT + 1];
        sets[0] = 1;
        for orbit in self.symmetry.orbits() {
            for cells in (orbit.len()..sets.len()).rev() {
                sets[cells] += sets[cells - orbit.len()];
            }
        }
        (0..sets.len()).filter(|cells| range.contains(cells)).map(|cells| sets[cells]).sum()
    }

    /// The grades that puzzles with the requested grade, clues, rating and effort can have. If there is
    /// none, the requests contradict each other.
    pub fn possible_grades(&self) -> impl Iterator<Item = Grade> {
        // A cell that no naked single fills needs another blank cell in its row and in its column for
        // each further candidate, and one in its box: more than three blank cells.
        const FEWEST_BLANKS: usize = 4;
        let clues = match &self.clues {
            Some(clues) => *clues.start(),
            None => self.pattern.map_or(0, CellSet::len),
        };
        Grade::ALL.iter().copied().filter(move |&grade| {
            let (scores, guesses) = bounds_of(grade);
            self.grade.is_none_or(|it| it == grade)
                && (clues <= Cell::COUNT - FEWEST_BLANKS || grade == Grade::NakedSingles)
                && self.er.as_ref().is_none_or(|range| range.meets(&scores))
                && self.effort.as_ref().is_none_or(|range| range.meets(&guesses))
        })
    }

    /// The number of attempts for one puzzle. A full grid has a pattern once only.
    pub fn attempts_at(&self, start: Option<&Solution>) -> u64 {
        if start.is_some() && self.pattern.is_some() { 1 } else { self.attempts }
    }

    /// The seed of its random numbers: that which was given, mixed with each request. So the grids of different
    /// recipes are unrelated, and puzzles of one do not have the solutions of another.
    ///
    /// ```
    /// use ninefold_core::generate::{Recipe, Symmetry};
    ///
    /// assert_eq!(Recipe::default().seed(1), 1);
    /// assert_ne!(Recipe { symmetry: Symmetry::Rotate, ..Recipe::default() }.seed(1), 1);
    /// ```
    pub fn seed(&self, given: u64) -> u64 {
        let mixed = |one, other| Random::of(one, other, 0).next_u64();
        let cells = |cells: CellSet| cells.into_iter().map(|cell| cell.index() as u64);
        let requests = [
            self.clues.as_ref().map(|it| mixed(*it.start() as u64, *it.end() as u64)),
            // Without clues and a grade, all puzzles are minimal.
            (self.minimal && (self.clues.is_some() || self.grade.is_some())).then_some(0),
            (self.symmetry != Symmetry::None).then_some(self.symmetry as u64),
            self.pattern.map(|it| cells(it).fold(0, mixed)),
            self.grade.map(|it| it as u64),
            self.effort.as_ref().map(|it| mixed(*it.0.start(), *it.0.end())),
            self.er.as_ref().map(|it| mixed((*it.0.start()).into(), (*it.0.end()).into())),
            self.technique.map(|it| it as u64),
            self.uses.map(|it| it as u64),
        ];
        let mix = |seed, (place, key)| mixed(mixed(seed, place), key);
        (1..).zip(requests).filter_map(|(place, key)| Some((place, key?))).fold(given, mix)
    }

    /// The measures that decide whether a puzzle is as requested.
    pub(super) fn measures(&self) -> NameSet<Measure> {
        let is_rated = self.er.is_some() || self.technique.is_some();
        let wanted = [(Measure::Effort, self.effort.is_some()), (Measure::Er, is_rated)];
        let wanted = wanted.into_iter().filter(|it| it.1);
        wanted.fold(NameSet::EMPTY, |measures, (measure, _)| measures.with(measure))
    }

    /// The greatest score that a puzzle as requested can have, in tenths.
    pub(super) fn most_er(&self) -> u8 {
        /// Of the techniques that are no chains.
        const BELOW_CHAINS: u8 = 62;
        let is_below = |it: Technique| it < Technique::BidirectionalXCycle;
        let most = if self.technique.is_some_and(is_below) { BELOW_CHAINS } else { u8::MAX };
        self.er.as_ref().map_or(most, |range| range.most().min(most))
    }

    /// Whether a puzzle with these measures is as requested.
    pub(super) fn is_as_difficult(&self, measured: &Measured) -> bool {
        let &Measured { effort, rating, .. } = measured;
        let by_effort = |range: &EffortRange| effort.is_some_and(|it| range.contains(&it));
        let by_rating = |range: &ScoreRange| rating.is_some_and(|it| range.contains(it.er));
        // A score that is not known has no technique.
        let known = rating.filter(|it| it.er.tenths().is_some());
        let by_technique = |wanted| known.is_some_and(|it| it.technique == wanted);
        self.effort.as_ref().is_none_or(by_effort)
            && self.er.as_ref().is_none_or(by_rating)
            && self.technique.is_none_or(by_technique)
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
                let [least, most] = [clues.start(), clues.end()].map(|it| *it.min(&Cell::COUNT));
                least + random.below(most.saturating_sub(least) + 1)
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

/// The scores of Explainer, in tenths, and the guesses that puzzles of a grade can have.
///
/// Explainer takes the easiest step that there is, and a step takes nothing from the rules of a grade. So no
/// step is harder than the hardest of these rules, and one is as hard as the easiest step beyond them.
pub(super) const fn bounds_of(grade: Grade) -> (RangeInclusive<u8>, RangeInclusive<u64>) {
    match grade {
        Grade::NakedSingles => (0..=23, 0..=0),
        Grade::Singles => (12..=23, 0..=0),
        Grade::LockedCandidates => (17..=28, 0..=0),
        Grade::Search => (20..=u8::MAX, 1..=u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difficulty::Gauge;

    #[test]
    fn a_grid_has_so_many_puzzles() {
        let of = |clues, symmetry| Recipe { clues, symmetry, ..Recipe::default() }.most_of_a_grid();
        for (clues, puzzles) in [(81..=81, 1), (80..=80, 81), (79..=80, 3321), (0..=81, 1 << 81)] {
            assert_eq!(of(Some(clues), Symmetry::None), puzzles);
        }
        // The cell in the middle is alone; all others are in pairs.
        for (clues, puzzles) in [(81..=81, 1), (80..=80, 1), (79..=79, 40), (78..=78, 40)] {
            assert_eq!(of(Some(clues), Symmetry::Rotate), puzzles);
        }
        assert_eq!(of(None, Symmetry::None), u128::MAX);
    }

    #[test]
    fn any_numbers_of_clues_may_be_requested() {
        #[expect(clippy::reversed_empty_ranges, reason = "somebody may")]
        for (clues, puzzles, is_made) in
            [(0..=200, 1 << 81, true), (30..=26, 0, false), (82..=usize::MAX, 0, false)]
        {
            let recipe = Recipe { clues: Some(clues.clone()), attempts: 2, ..Recipe::default() };
            assert_eq!(recipe.most_of_a_grid(), puzzles, "{clues:?}");
            assert_eq!(super::super::generate(&recipe, 1).is_some(), is_made, "{clues:?}");
        }
    }

    /// Also of puzzles with few blank cells.
    #[test]
    fn no_puzzle_has_a_rating_beyond_those_of_its_grade() {
        let mut gauge = Gauge::new().with_max_er(30);
        let mut seen = [0; Grade::ALL.len()];
        for (clues, grade) in [
            (None, None),
            (Some(24..=30), None),
            (Some(70..=81), None),
            (None, Some(Grade::NakedSingles)),
            (None, Some(Grade::LockedCandidates)),
        ] {
            let minimal = clues.is_none() && grade.is_none();
            let recipe = Recipe { clues, minimal, grade, ..Recipe::default() };
            let mut maker = super::super::Maker::new(recipe.clone(), 3);
            let puzzles: Vec<_> =
                maker.many(150).iter().flatten().map(|made| made.puzzle).collect();
            for (puzzle, it) in puzzles.iter().zip(gauge.many(&puzzles)) {
                let (grade, er) = (it.grade.unwrap(), it.rating.unwrap().er.tenths().unwrap_or(31));
                let effort = it.effort.as_ref().unwrap().mean_thousandths();
                let (scores, guesses) = bounds_of(grade);
                assert!(scores.contains(&er), "{puzzle} {grade} {er}");
                assert!(*guesses.start() * 1000 <= effort, "{puzzle} {grade} {effort}");
                assert!(effort / 1000 <= *guesses.end(), "{puzzle} {grade} {effort}");
                assert!(recipe.possible_grades().any(|it| it == grade), "{puzzle} {grade}");
                seen[grade as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
