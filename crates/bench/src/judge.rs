//! Checks every answer, outside of the timed part: those of engines and programs.
//! `docs/bench.md` describes what a program may write, and when an answer is right.
//!
//! The number of solutions of each puzzle is counted before, by `dlx` as far as time allows, and else by
//! `lanes`: `dlx` shares no code with the fast engines.
//!
//! A solver may leave puzzles out: an answer that does not solve the next puzzle, but one of the
//! [`WINDOW`] after it, answers that one.

use ninefold_core::puzzle::{Grid, Puzzle, check_answer};
use std::collections::HashMap;
use std::fmt;

/// The puzzles ahead that an answer is compared with if it does not solve the next one.
const WINDOW: usize = 1000;

/// The answers for which [`WINDOW`] puzzles are compared. A program that answers nothing right would
/// take a second for each 100,000 answers otherwise.
const SEARCHES: usize = 1000;

#[derive(Debug, PartialEq)]
pub(crate) enum AnswerFault {
    Missing,
    /// The reason, with the answer.
    Wrong(String),
}

impl fmt::Display for AnswerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Self::Wrong(why) = self { why } else { "no answer" })
    }
}

/// The fault of a solution, or of none, for a puzzle with this number of solutions.
pub(crate) fn fault(puzzle: &Puzzle, expected: usize, answer: Option<Grid>) -> Option<AnswerFault> {
    let Some(answer) = answer else { return (expected == 1).then_some(AnswerFault::Missing) };
    let why = match puzzle.check_answer(&answer) {
        _ if expected == 0 => "the puzzle has no solution, but the answer is".to_owned(),
        Ok(()) => return None,
        Err(why) => format!("{why}, in the answer"),
    };
    Some(AnswerFault::Wrong(format!("{why} {}", answer.line(b'.').escape_ascii())))
}

/// The answers in the text that a program wrote.
pub(crate) fn read(puzzles: &[Grid], text: &[u8]) -> Vec<Option<Grid>> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = || text.split(|byte| *byte == b'\n');
    let by_line = lines().count() == puzzles.len();
    let mut answers = vec![None; puzzles.len()];
    let (mut next, mut searches) = (0, 0);
    // Made for the first line that is not in the order of the puzzles.
    let mut places = None;
    for (number, line) in lines().enumerate() {
        if by_line {
            next = number;
        }
        let (puzzle, solution) = fields(line);
        let is_next = next < puzzles.len() && puzzle == Some(puzzles[next]);
        if let Some(puzzle) = puzzle.filter(|_| !is_next)
            && let Some(places) = places.get_or_insert_with(|| places_of(puzzles)).get_mut(&puzzle)
        {
            // The same puzzle again is another one of the run, if there is one.
            let free = |place: &usize| answers[*place].is_none();
            let Some(place) = std::iter::from_fn(|| places.pop()).find(free) else { continue };
            next = place;
        } else if solution.is_none() && !is_next || next >= puzzles.len() {
            continue;
        } else if let Some(solution) = solution.filter(|_| !is_next && !by_line)
            && searches < SEARCHES
            && !solves(&puzzles[next], &solution)
        {
            searches += 1;
            let ahead = puzzles[next..].iter().take(WINDOW);
            next += ahead.clone().position(|puzzle| solves(puzzle, &solution)).unwrap_or(0);
        }
        answers[next] = solution;
        next += 1;
    }
    answers
}

/// The puzzle and the solution of a line. A full grid that is the only field is a solution.
fn fields(line: &[u8]) -> (Option<Grid>, Option<Grid>) {
    // Another blank splits the puzzle, and leaves the solution as the only field.
    let fields = line.split(|byte| !byte.is_ascii_digit() && *byte != b'.');
    let mut fields = fields.filter_map(|field| Grid::try_from(field).ok());
    let is_full = |grid: &Grid| grid.clues() == 81;
    match (fields.next(), fields.next()) {
        (Some(only), None) if is_full(&only) => (None, Some(only)),
        (first, second) => (first, second.filter(is_full)),
    }
}

/// The places of each puzzle, the last one first.
fn places_of(puzzles: &[Grid]) -> HashMap<Grid, Vec<usize>> {
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (place, puzzle) in puzzles.iter().enumerate().rev() {
        places.entry(*puzzle).or_default().push(place);
    }
    places
}

fn solves(puzzle: &Grid, answer: &Grid) -> bool {
    let mut pairs = puzzle.values().iter().zip(answer.values());
    pairs.all(|(clue, cell)| *clue == 0 || clue == cell) && check_answer(puzzle, answer).is_ok()
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

    /// Wrong and missing answers, and the place of the first, if each puzzle has this many solutions.
    fn judged(puzzles: &[Grid], expected: usize, text: &str) -> (usize, usize, Option<usize>) {
        let answers = read(puzzles, text.as_bytes());
        let pairs = puzzles.iter().zip(&answers);
        let faults = pairs.map(|(puzzle, given)| fault(&(*puzzle).into(), expected, *given));
        let faults: Vec<_> = faults.collect();
        let missing = faults.iter().filter(|it| **it == Some(AnswerFault::Missing)).count();
        let all = faults.iter().flatten().count();
        (all - missing, missing, faults.iter().position(Option::is_some))
    }

    fn judge(puzzles: &[Grid], lines: &[String]) -> (usize, usize, Option<usize>) {
        judged(puzzles, 1, &lines.join("\n"))
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
                assert_eq!(judged(&puzzles, 1, text), (0, 0, None), "{text}");
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
        assert_eq!(judge(&puzzles, &lines), (0, 0, None));
        lines.rotate_left(11);
        assert_eq!(judge(&puzzles, &lines), (0, 0, None));
        // An answer that comes twice does not move the others.
        lines.insert(5, lines[0].clone());
        assert_eq!(judge(&puzzles, &lines), (0, 0, None));
        lines.drain(..7);
        assert_eq!(judge(&puzzles, &lines).1, 6);
    }

    #[test]
    fn answers_that_are_left_out_are_missing_and_the_others_right() {
        let (puzzles, mut solutions) = solved(30);
        solutions.drain(4..7);
        assert_eq!(judge(&puzzles, &solutions), (0, 3, Some(4)));
        assert_eq!(judge(&puzzles, &[]), (0, 30, Some(0)));
        solutions.truncate(10);
        assert_eq!(judge(&puzzles, &solutions), (0, 20, Some(4)));
        // With a line for each puzzle, lines keep their places.
        let (puzzles, mut solutions) = solved(5);
        solutions[1] = "no solution".to_owned();
        solutions[3].clear();
        assert_eq!(judge(&puzzles, &solutions), (0, 2, Some(1)));
    }

    #[test]
    fn the_answers_of_another_puzzle_are_wrong() {
        let (puzzles, mut solutions) = solved(5);
        let last = if solutions[3].ends_with('1') { "2" } else { "1" };
        solutions[3].replace_range(80.., last);
        assert_eq!(judge(&puzzles, &solutions), (1, 0, Some(3)));
        solutions.swap(0, 4);
        assert_eq!(judge(&puzzles, &solutions), (3, 0, Some(0)));
        solutions.fill("123456789".repeat(9));
        assert_eq!(judge(&puzzles, &solutions), (5, 0, Some(0)));
    }

    /// Another clue in a blank: the solution does not keep it.
    #[test]
    fn solutions_fit_the_puzzle() {
        let (puzzles, solutions) = solved(1);
        let (puzzle, solution) = (puzzles[0], solutions[0].parse::<Grid>().unwrap());
        let mut other = solution;
        other.set(ninefold_core::puzzle::Cell::new(0), None);
        let fault = |expected, answer| {
            let fault = fault(&puzzle.into(), expected, answer);
            fault.map_or_else(String::new, |fault| fault.to_string())
        };
        assert_eq!(fault(1, Some(solution)), "");
        assert_eq!(fault(1, None), "no answer");
        assert_eq!(fault(2, None), "");
        assert!(fault(1, Some(other)).contains(", in the answer ."));
        let unsolvable = "the puzzle has no solution, but the answer is ";
        assert!(fault(0, Some(solution)).starts_with(unsolvable));
        let silent = |expected| judged(&puzzles, expected, "none\n").1;
        assert_eq!([silent(0), silent(1), silent(2)], [0, 1, 0]);
        assert_eq!(judged(&puzzles, 0, &puzzle.to_string()), (0, 0, None));
        assert_eq!(judged(&puzzles, 2, &solutions[0]), (0, 0, None));
    }
}
