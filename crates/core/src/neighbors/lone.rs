//! Lone candidates: those of a puzzle that are in exactly one of its solutions. Each makes it unique.
//!
//! ```text
//! puzzle ─> ask: a solution with one of these digits in this cell?      no: none is in a solution
//!             ^                  │ yes
//!             │                  v
//!             │   its candidates, and those of the solutions that exchanges of digits make of it
//!             └── until each candidate is in several solutions, in one, or in none
//! ```
//!
//! A puzzle with 16 clues has 170,000 solutions on average, but 29 questions settle all candidates. Many
//! puzzles are searched side by side, so that the lanes of the engine have questions.
//!
//! # Exchanges
//! Let a solution have an unavoidable set without a clue. Exchanging its digits gives another solution, which
//! has all other candidates of the first: they are in several. If another such set shares no cell with it,
//! then the candidates that the exchange brings are in several, too: those before and after the exchange
//! of the other set.

use super::{each, place, places_of, with};
use crate::engine::places::{NO_PLACES, Places, both, candidates, without};
use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, CellSet, Digit, DigitSet, Grid, Solution, Sukaku};
use crate::unavoidable::each_unhit;
use alloc::vec::Vec;
use core::mem;

/// Puzzles that are searched side by side.
pub(super) const BATCH: usize = 1024;

/// A puzzle whose candidates are being settled.
#[derive(Clone, Debug)]
struct Job {
    puzzle: Grid,
    /// The place of the puzzle whose neighbors are searched.
    source: usize,
    /// Candidates that simple rules leave, without those that are in no solution.
    sukaku: Sukaku,
    /// Candidates that are asked for and not settled.
    open: Places,
    /// The solutions that were answers, and their candidates.
    solutions: Vec<Solution>,
    any: Places,
    /// Those, and candidates of exchanges.
    seen: Places,
    has_several: bool,
    /// The question: this cell has one of these digits. With `is_proof` there is one digit, and a second
    /// solution is asked for.
    cell: Cell,
    digits: DigitSet,
    is_proof: bool,
    questions: usize,
    gave_up: bool,
    lone: Vec<(Cell, Digit, Solution)>,
}

/// Settles candidates; keeps the memory for it.
#[derive(Debug, Default)]
pub(super) struct Lone {
    jobs: Vec<Job>,
    asked: [Vec<Sukaku>; 2],
    askers: [Vec<usize>; 2],
    answers: Vec<Answer>,
    exchanges: Vec<(CellSet, Places)>,
}

impl Lone {
    /// Adds a puzzle with the candidates that are asked for. Returns whether there should be no more before
    /// [`Lone::run`].
    pub(super) fn push(&mut self, source: usize, puzzle: &Grid, allowed: &Places) -> bool {
        let Some(left) = candidates(puzzle) else { return false };
        let open = both(&left, allowed);
        if open == NO_PLACES {
            return false;
        }
        let mut sukaku = [DigitSet::EMPTY; Cell::COUNT];
        each(&left, |cell, digit| sukaku[cell.index()].insert(digit));
        self.jobs.push(Job {
            puzzle: *puzzle,
            source,
            sukaku: Sukaku::new(sukaku),
            open,
            solutions: Vec::new(),
            any: NO_PLACES,
            seen: NO_PLACES,
            has_several: false,
            cell: Cell::new(0),
            digits: DigitSet::EMPTY,
            is_proof: false,
            questions: 0,
            gave_up: false,
            lone: Vec::new(),
        });
        self.jobs.len() >= BATCH
    }

    /// Settles all candidates of the puzzles. `needed`: candidates of puzzles with one solution are left
    /// out. Calls `found` with each puzzle and lone candidate, and `given_up` for puzzles at a bound.
    pub(super) fn run(
        &mut self,
        engine: &mut dyn Engine,
        needed: bool,
        found: &mut dyn FnMut(usize, &Grid, &Solution),
        given_up: &mut dyn FnMut(usize),
    ) {
        let mut jobs = mem::take(&mut self.jobs);
        loop {
            self.asked.iter_mut().for_each(Vec::clear);
            self.askers.iter_mut().for_each(Vec::clear);
            for (place, job) in jobs.iter_mut().enumerate() {
                if job.open != NO_PLACES && !job.gave_up {
                    let question = job.question();
                    let kind = usize::from(job.is_proof);
                    self.asked[kind].push(question);
                    self.askers[kind].push(place);
                }
            }
            if self.askers.iter().all(Vec::is_empty) {
                break;
            }
            for limit in [1, 2] {
                self.answers.clear();
                engine.solve_sukakus(&self.asked[limit - 1], limit, &mut self.answers);
                let (askers, exchanges) = (&self.askers[limit - 1], &mut self.exchanges);
                let (jobs, answers) = (&mut jobs, &self.answers);
                for (&place, answer) in askers.iter().zip(answers) {
                    jobs[place].learn(answer, exchanges);
                }
            }
        }
        for job in &mut jobs {
            if job.gave_up {
                given_up(job.source);
            }
            if needed && !job.lone.is_empty() && !job.has_several {
                let answer = engine.solve(&job.puzzle, 2);
                if answer.gave_up {
                    given_up(job.source);
                }
                if answer.count < 2 {
                    continue;
                }
            }
            for (cell, digit, solution) in &job.lone {
                found(job.source, &with(&job.puzzle, *cell, *digit), solution);
            }
        }
        jobs.clear();
        self.jobs = jobs;
    }
}

impl Job {
    /// The next question. Candidates in no known solution come first.
    fn question(&mut self) -> Sukaku {
        let unseen = without(&self.open, &self.seen);
        if unseen == NO_PLACES {
            self.is_proof = true;
        }
        let from = if self.is_proof { &self.open } else { &unseen };
        // Another place each time, so that the solutions differ.
        self.questions += 1;
        let start = self.questions * 31 % Cell::COUNT;
        let mut cells = CellSet::EMPTY;
        for (band, places) in from.iter().enumerate() {
            cells |= CellSet::of_band(band, places.iter().fold(0, |all, cells| all | cells));
        }
        let next = cells.cells().find(|cell| cell.index() >= start);
        self.cell = next.or_else(|| cells.cells().next()).expect("a candidate is open");
        self.digits = DigitSet::EMPTY;
        for digit in Digit::ALL {
            let (band, word, bit) = place(self.cell, digit);
            if from[band][word] & bit != 0 && (!self.is_proof || self.digits.is_empty()) {
                self.digits.insert(digit);
            }
        }
        let mut sukaku = self.sukaku;
        sukaku.set(self.cell, self.digits);
        sukaku
    }

    /// Closes the candidates of the question.
    #[inline]
    fn close(&mut self) {
        for digit in Digit::ALL.into_iter().filter(|&digit| self.digits.contains(digit)) {
            let (band, word, bit) = place(self.cell, digit);
            self.open[band][word] &= !bit;
        }
    }

    #[inline]
    fn learn(&mut self, answer: &Answer, exchanges: &mut Vec<(CellSet, Places)>) {
        if answer.gave_up {
            self.gave_up = true;
            return;
        }
        let Some(solution) = answer.first else {
            self.close();
            let left = self.sukaku.get(self.cell).intersection(self.digits.complement());
            self.sukaku.set(self.cell, left);
            return;
        };
        if self.is_proof {
            self.close();
            if answer.count == 1 {
                let digit = solution.get(self.cell);
                self.lone.push((self.cell, digit, solution));
            }
        }
        self.is_proof = false;
        // The engine may find a solution again.
        if !self.solutions.contains(&solution) {
            self.take(&solution, exchanges);
        }
    }

    /// Notes the candidates of a solution, and of those that exchanges make of it.
    #[inline]
    fn take(&mut self, solution: &Solution, exchanges: &mut Vec<(CellSet, Places)>) {
        self.has_several |= !self.solutions.is_empty();
        self.solutions.push(*solution);
        let own = places_of(solution.grid());
        exchanges.clear();
        let mut stay = CellSet::FULL;
        each_unhit(&self.puzzle, solution, |cells, exchanged| {
            stay &= cells;
            let mut places = NO_PLACES;
            for &(cell, digit) in exchanged {
                places[cell / 27][digit] |= 1 << (cell % 27);
            }
            exchanges.push((cells, places));
        });
        self.has_several |= !exchanges.is_empty();
        let mut several = both(&own, &self.any);
        // All cells but those of every exchange.
        for (band, several) in several.iter_mut().enumerate() {
            let moved = stay.in_band(band);
            for (several, own) in several.iter_mut().zip(own[band]) {
                *several |= own & !moved;
            }
        }
        for (cells, places) in &*exchanges {
            let is_free = exchanges.iter().any(|(other, _)| (*other & *cells).is_empty());
            if is_free {
                merge(&mut several, places);
            }
            merge(&mut self.seen, places);
        }
        merge(&mut self.any, &own);
        merge(&mut self.seen, &own);
        self.open = without(&self.open, &several);
    }
}

#[inline]
fn merge(to: &mut Places, more: &Places) {
    for (to, more) in to.iter_mut().flatten().zip(more.iter().flatten()) {
        *to |= more;
    }
}
