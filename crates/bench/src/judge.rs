//! Reads and checks the answers of a solver that runs outside of this process.
//!
//! ```text
//!   534678912672195348…              a solution
//!   53..7....6..195…,534678912…      puzzle, solution        any other character separates fields;
//!   17: 534678912672195348… ok       a field among others    a field has 81 digits or dots
//!   no solution                      none: no field
//! ```
//!
//! 1. A line whose first field is a puzzle of the run answers that puzzle, in any order. The next
//!    field is the solution.
//! 2. Otherwise the first field without a blank is the solution. If there are as many lines as
//!    puzzles, line `n` answers puzzle `n`. If not, or if this makes more faults, the answers are in
//!    the order of the puzzles, and lines without a field are skipped.
//! 3. A solver may leave puzzles out. An answer that does not solve the next puzzle, but one of the
//!    [`WINDOW`] after it, answers that one; the puzzles in between have no answer.
//!
//! An answer is right if it keeps the rules and the clues. A puzzle without a solution must have no
//! answer. A puzzle with several may have any of them, or none if the run is to prove uniqueness.

use crate::outside::Answers;
use ninefold_core::puzzle::{Grid, check_answer, parse};
use std::collections::HashMap;
use std::fmt;

/// The puzzles ahead that an answer is compared with if it does not solve the next one.
const WINDOW: usize = 1000;

/// The answers for which [`WINDOW`] puzzles are compared. A program that answers nothing right would
/// take a second for each 100,000 answers otherwise.
const SEARCHES: usize = 1000;

/// How the answers of a run were.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) puzzles: u64,
    pub(crate) wrong: u64,
    pub(crate) missing: u64,
    /// The place of the first puzzle with a fault, counted from 0, and the fault.
    pub(crate) first: Option<(usize, Fault)>,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    Missing,
    /// It is no solution: the answer, and why.
    Wrong(Box<[u8; 81]>, String),
    /// A full grid for a puzzle that has no solution.
    Unsolvable(Box<[u8; 81]>),
    /// Another count of solutions.
    Count {
        found: usize,
        expected: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("no answer"),
            Self::Wrong(answer, why) => write!(f, "{why}, in the answer {}", answer.escape_ascii()),
            Self::Unsolvable(answer) => {
                write!(f, "the puzzle has no solution, but the answer is {}", answer.escape_ascii())
            }
            Self::Count { found, expected } => {
                write!(f, "{found} solutions counted, expected {expected}")
            }
        }
    }
}

/// The answers to one run.
pub(crate) struct Judge<'a> {
    /// The puzzles as the solver got them.
    pub(crate) puzzles: &'a [Grid],
    /// The solutions of each, counted up to 2.
    pub(crate) solutions: &'a [u8],
    /// The number of solutions that the solver was to look for.
    pub(crate) limit: usize,
}

impl Judge<'_> {
    /// Checks all answers.
    pub(crate) fn judge(&self, answers: &Answers) -> Tally {
        match answers {
            Answers::Text(text) => {
                let text = text.strip_suffix(b"\n").unwrap_or(text);
                let lines = text.split(|byte| *byte == b'\n').count();
                let by_line = (lines == self.puzzles.len()).then(|| self.read(text, true));
                if let Some(tally) = by_line.as_ref().filter(|tally| tally.first.is_none()) {
                    return tally.clone();
                }
                let in_order = self.read(text, false);
                let faults = |tally: &Tally| tally.wrong + tally.missing;
                let by_line = by_line.filter(|it| faults(it) <= faults(&in_order));
                by_line.unwrap_or(in_order)
            }
            Answers::Counted(counted) => self.tally(|place| match counted.get(place) {
                Some((count, solution)) => self.check_count(place, *count, solution),
                None => Some(Fault::Missing),
            }),
        }
    }

    /// Checks a text of which line `n` answers puzzle `n`, or whose answers are in order.
    fn read(&self, text: &[u8], by_line: bool) -> Tally {
        let found = self.align(text, by_line);
        self.tally(|place| match &found[place] {
            Some(answer) => self.check(place, answer),
            None => (!self.may_be_silent(place)).then_some(Fault::Missing),
        })
    }

    fn tally(&self, fault_of: impl Fn(usize) -> Option<Fault>) -> Tally {
        let mut tally = Tally { puzzles: self.puzzles.len() as u64, ..Tally::default() };
        for place in 0..self.puzzles.len() {
            let Some(fault) = fault_of(place) else { continue };
            match fault {
                Fault::Missing => tally.missing += 1,
                _ => tally.wrong += 1,
            }
            tally.first.get_or_insert((place, fault));
        }
        tally
    }

    /// Whether a puzzle needs no answer.
    fn may_be_silent(&self, place: usize) -> bool {
        match self.solutions[place] {
            0 => true,
            1 => false,
            _ => self.limit > 1,
        }
    }

    /// The fault of an answer, if it has one.
    fn check(&self, place: usize, answer: &[u8; 81]) -> Option<Fault> {
        if self.solutions[place] == 0 {
            return Some(Fault::Unsolvable(Box::new(*answer)));
        }
        let wrong = |why: String| Some(Fault::Wrong(Box::new(*answer), why));
        match parse::line(answer) {
            Ok(grid) => match check_answer(&self.puzzles[place], &grid) {
                Ok(()) => None,
                Err(why) => wrong(why.to_string()),
            },
            Err(why) => wrong(why.to_string()),
        }
    }

    /// The fault of a count and its solution. A solver may count two solutions without writing one.
    fn check_count(&self, place: usize, count: usize, solution: &[u8; 81]) -> Option<Fault> {
        let expected = usize::from(self.solutions[place]).min(self.limit);
        let has_solution = solution.iter().all(|byte| matches!(byte, b'1'..=b'9'));
        if count != expected {
            Some(Fault::Count { found: count, expected })
        } else if count > 0 && has_solution {
            self.check(place, solution)
        } else {
            (count > 0 && self.limit == 1).then_some(Fault::Missing)
        }
    }

    /// Whether an answer solves this puzzle.
    fn solves(&self, place: usize, answer: &[u8; 81]) -> bool {
        let keeps = |(cell, clue): (&u8, &u8)| *clue == 0 || *cell == b'0' + clue;
        answer.iter().zip(self.puzzles[place].values()).all(keeps)
            && self.check(place, answer).is_none()
    }

    /// The places of each puzzle, the last one first.
    fn places(&self) -> HashMap<&[u8; 81], Vec<usize>> {
        let mut places: HashMap<_, Vec<usize>> = HashMap::new();
        for (place, puzzle) in self.puzzles.iter().enumerate().rev() {
            places.entry(puzzle.values()).or_default().push(place);
        }
        places
    }

    /// The answer to each puzzle.
    fn align(&self, text: &[u8], by_line: bool) -> Vec<Option<[u8; 81]>> {
        let count = self.puzzles.len();
        let mut answers = vec![None; count];
        let (mut next, mut searches) = (0, 0);
        // Made for the first line that is not in the order of the puzzles.
        let mut places = None;
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            if by_line {
                next = number;
            }
            match Self::fields(line) {
                Fields::Puzzle(puzzle, answer) => {
                    let is_next = next < count && self.puzzles[next].values() == &puzzle;
                    let places = if is_next {
                        None
                    } else {
                        places.get_or_insert_with(|| self.places()).get_mut(&puzzle)
                    };
                    if is_next {
                        answers[next] = answer;
                        next += 1;
                    } else if let Some(places) = places {
                        // The same puzzle again is another one of the run, if there is one.
                        while let Some(place) = places.pop() {
                            if answers[place].is_none() {
                                answers[place] = answer;
                                next = place + 1;
                                break;
                            }
                        }
                    } else if let Some(answer) = answer.filter(|_| next < count) {
                        // Not a puzzle of this run: the answer stands for itself.
                        answers[next] = Some(answer);
                        next += 1;
                    }
                }
                Fields::Answer(answer) if next < count => {
                    if !by_line && !self.solves(next, &answer) && searches < SEARCHES {
                        searches += 1;
                        let reach = count.min(next + WINDOW);
                        next = (next..reach).find(|it| self.solves(*it, &answer)).unwrap_or(next);
                    }
                    answers[next] = Some(answer);
                    next += 1;
                }
                Fields::Answer(_) | Fields::None => {}
            }
        }
        answers
    }

    /// The fields of a line that matter.
    fn fields(line: &[u8]) -> Fields {
        // Another blank splits the puzzle, and leaves the solution as the only field.
        let is_cell = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let fields = line.split(|byte| !is_cell(byte));
        let fields = fields.filter_map(|field| <&[u8; 81]>::try_from(field).ok());
        let is_full = |field: &[u8; 81]| field.iter().all(|byte| matches!(byte, b'1'..=b'9'));
        let mut fields = fields.copied();
        match (fields.next(), fields.next()) {
            (None, _) => Fields::None,
            (Some(only), None) if is_full(&only) => Fields::Answer(only),
            (Some(first), second) => {
                let value = |byte: u8| if matches!(byte, b'1'..=b'9') { byte - b'0' } else { 0 };
                Fields::Puzzle(first.map(value), second.filter(is_full))
            }
        }
    }
}

/// What a line holds.
enum Fields {
    None,
    /// A full grid.
    Answer([u8; 81]),
    /// The values of a puzzle, and its solution.
    Puzzle([u8; 81], Option<[u8; 81]>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_core::engine::EngineKind;

    /// The puzzles of a list, and the text of their solutions.
    fn solved(count: usize) -> (Vec<Grid>, Vec<String>) {
        let lines = include_str!("../../../data/minimal.txt").lines().skip(1).take(count);
        let puzzles: Vec<Grid> = lines.map(|line| line.parse().unwrap()).collect();
        let mut engine = EngineKind::Mrv.build();
        let solution = |puzzle| engine.solve(puzzle, 1).first.unwrap().to_string();
        let solutions = puzzles.iter().map(solution).collect();
        (puzzles, solutions)
    }

    fn judge(puzzles: &[Grid], text: &str) -> (u64, u64, Option<usize>) {
        let solutions = vec![1; puzzles.len()];
        let judge = Judge { puzzles, solutions: &solutions, limit: 2 };
        let tally = judge.judge(&Answers::Text(text.as_bytes().to_vec()));
        (tally.wrong, tally.missing, tally.first.map(|(place, _)| place))
    }

    #[test]
    fn solutions_are_found_in_every_layout() {
        let (puzzles, solutions) = solved(20);
        let layouts: [fn(&str, &str) -> String; 6] = [
            |_, solution| format!("{solution}\n"),
            |puzzle, solution| format!("{puzzle},{solution}\n"),
            |puzzle, solution| format!("{puzzle}:1:{solution}\r\n"),
            |puzzle, solution| format!("{},{solution}\n", puzzle.replace('.', "0")),
            |puzzle, solution| format!("{},{solution}\n", puzzle.replace('.', "_")),
            |_, solution| format!("solved 17: {solution} in 0.5 ms\n"),
        ];
        for layout in layouts {
            let pairs = puzzles.iter().zip(&solutions);
            let text: String = pairs.map(|(a, b)| layout(&a.to_string(), b)).collect();
            let more = format!("Solver 1.0\n{text}20 solved\n");
            for text in [&*text, text.trim_end(), &more] {
                assert_eq!(judge(&puzzles, text), (0, 0, None), "{text}");
            }
        }
    }

    #[test]
    fn puzzles_with_their_solutions_may_come_in_any_order() {
        let (mut puzzles, mut solutions) = solved(30);
        // One puzzle three times.
        (puzzles[7], puzzles[25]) = (puzzles[3], puzzles[3]);
        (solutions[7], solutions[25]) = (solutions[3].clone(), solutions[3].clone());
        let pairs = puzzles.iter().zip(&solutions);
        let mut lines: Vec<_> = pairs.map(|(a, b)| format!("{a},{b}")).collect();
        lines.reverse();
        assert_eq!(judge(&puzzles, &lines.join("\n")), (0, 0, None));
        lines.rotate_left(11);
        assert_eq!(judge(&puzzles, &lines.join("\n")), (0, 0, None));
        // An answer that comes twice does not move the others.
        lines.insert(5, lines[0].clone());
        assert_eq!(judge(&puzzles, &lines.join("\n")), (0, 0, None));
        lines.drain(..7);
        assert_eq!(judge(&puzzles, &lines.join("\n")).1, 6);
    }

    #[test]
    fn answers_that_are_left_out_are_missing_and_the_others_right() {
        let (puzzles, mut solutions) = solved(30);
        solutions.drain(4..7);
        assert_eq!(judge(&puzzles, &solutions.join("\n")), (0, 3, Some(4)));
        assert_eq!(judge(&puzzles, ""), (0, 30, Some(0)));
        solutions.truncate(10);
        assert_eq!(judge(&puzzles, &solutions.join("\n")), (0, 20, Some(4)));
        // With a line for each puzzle, lines keep their places.
        let (puzzles, mut solutions) = solved(5);
        solutions[1] = "no solution".to_owned();
        solutions[3].clear();
        assert_eq!(judge(&puzzles, &solutions.join("\n")), (0, 2, Some(1)));
    }

    #[test]
    fn the_answers_of_another_puzzle_are_wrong() {
        let (puzzles, mut solutions) = solved(5);
        let last = if solutions[3].ends_with('1') { "2" } else { "1" };
        solutions[3].replace_range(80.., last);
        assert_eq!(judge(&puzzles, &solutions.join("\n")), (1, 0, Some(3)));
        solutions.swap(0, 4);
        assert_eq!(judge(&puzzles, &solutions.join("\n")), (3, 0, Some(0)));
        solutions.fill("123456789".repeat(9));
        assert_eq!(judge(&puzzles, &solutions.join("\n")), (5, 0, Some(0)));
    }

    #[test]
    fn a_puzzle_without_a_solution_has_no_answer_and_one_with_several_may_have_none() {
        let (puzzles, solutions) = solved(1);
        let tally = |count, limit, text: &str| {
            let judge = Judge { puzzles: &puzzles, solutions: &[count], limit };
            let tally = judge.judge(&Answers::Text(text.as_bytes().to_vec()));
            (tally.wrong, tally.missing)
        };
        assert_eq!(tally(0, 1, "none\n"), (0, 0));
        assert_eq!(tally(0, 1, &solutions[0]), (1, 0));
        assert_eq!(tally(0, 1, &puzzles[0].to_string()), (0, 0));
        assert_eq!((tally(2, 1, ""), tally(2, 2, "")), ((0, 1), (0, 0)));
        assert_eq!(tally(2, 2, &solutions[0]), (0, 0));
    }

    #[test]
    fn counts_are_compared() {
        let (puzzles, solutions) = solved(1);
        let solution: [u8; 81] = solutions[0].as_bytes().try_into().unwrap();
        let fault = |count, limit, solution| {
            let judge = Judge { puzzles: &puzzles, solutions: &[1], limit };
            let tally = judge.judge(&Answers::Counted(vec![(count, solution)]));
            tally.first.map(|(_, fault)| fault)
        };
        assert_eq!(fault(1, 2, solution), None);
        assert_eq!(fault(2, 2, solution), Some(Fault::Count { found: 2, expected: 1 }));
        assert_eq!((fault(1, 2, [0; 81]), fault(1, 1, [0; 81])), (None, Some(Fault::Missing)));
        assert!(matches!(fault(1, 1, [b'1'; 81]), Some(Fault::Wrong(..))));
    }
}
