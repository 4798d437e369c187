//! Checks every answer, outside of the timed part: those of engines and programs.
//! `docs/bench.md` describes what a program may write, and when an answer is right.

use ninefold_core::puzzle::{Grid, Puzzle};
use std::collections::HashMap;

/// Fails with the reason if a solution, or none, is no answer for a puzzle with this number of solutions.
pub(crate) fn check(puzzle: &Puzzle, expected: usize, answer: Option<Grid>) -> Result<(), String> {
    let Some(answer) = answer else {
        return if expected == 1 { Err("no answer".to_owned()) } else { Ok(()) };
    };
    let why = match puzzle.check_answer(&answer) {
        _ if expected == 0 => "the puzzle has no solution, but the answer is".to_owned(),
        Ok(()) => return Ok(()),
        Err(why) => format!("{why}, in the answer"),
    };
    Err(format!("{why} {}", answer.line(b'.').escape_ascii()))
}

/// The answers in the text that a program wrote.
pub(crate) fn read(puzzles: &[Grid], text: &[u8]) -> Vec<Option<Grid>> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines: Vec<_> = text.split(|byte| *byte == b'\n').map(fields).collect();
    let pairs: HashMap<_, _> = lines.iter().filter_map(|(one, two)| one.zip(*two)).collect();
    if !pairs.is_empty() {
        return puzzles.iter().map(|puzzle| pairs.get(puzzle).copied()).collect();
    }
    let by_line = lines.len() == puzzles.len();
    let solutions = lines.into_iter().map(|(_, solution)| solution);
    let mut answers: Vec<_> = solutions.filter(|it| by_line || it.is_some()).collect();
    answers.resize(puzzles.len(), None);
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
        let is_fault = |(place, (puzzle, given)): (usize, (&Grid, &Option<Grid>))| {
            check(&(*puzzle).into(), expected, *given).is_err().then_some((place, given.is_none()))
        };
        let faults: Vec<_> = pairs.enumerate().filter_map(is_fault).collect();
        let missing = faults.iter().filter(|(_, is_missing)| *is_missing).count();
        (faults.len() - missing, missing, faults.first().map(|(place, _)| *place))
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
    fn answers_that_are_left_out_are_missing_if_the_others_have_their_puzzles_or_lines() {
        let (puzzles, mut solutions) = solved(30);
        let pairs = puzzles.iter().zip(&solutions);
        let mut lines: Vec<_> = pairs.map(|(a, b)| format!("{a},{b}")).collect();
        lines.drain(4..7);
        assert_eq!(judge(&puzzles, &lines), (0, 3, Some(4)));
        assert_eq!(judge(&puzzles, &[]), (0, 30, Some(0)));
        assert_eq!(judge(&puzzles, &solutions[..10]), (0, 20, Some(10)));
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
        let fault =
            |expected, answer| check(&puzzle.into(), expected, answer).err().unwrap_or_default();
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
