//! Answers, right and spoiled, as grids and as bytes.

use crate::support::{self, Random};
use ninefold::puzzle::{Cell, Digit, Grid, House};
use ninefold::puzzle::{WrongAnswer, answer};

const ANSWERS: usize = crate::verify::in_release(100_000);

/// The rules, house by house and digit by digit.
fn judge(puzzle: &Grid, answer: &Grid) -> bool {
    let holds = |house: House, digit| {
        house.cells().iter().filter(|&&cell| answer.get(cell) == Some(digit)).count() == 1
    };
    let full = House::all().all(|house| Digit::ALL.iter().all(|&digit| holds(house, digit)));
    full && Cell::all().all(|cell| puzzle.get(cell).is_none_or(|it| answer.get(cell) == Some(it)))
}

/// One to three of these: a cell blank, another digit, two cells exchanged, two rows exchanged,
/// two digits exchanged.
fn spoil(answer: &mut Grid, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let [one, two] = [random.below(81), random.below(81)].map(Cell::new);
        match random.below(5) {
            0 => answer.set(one, None),
            1 => answer.set(one, Some(support::other_digit(answer.get(one), random))),
            2 => {
                let digit = answer.get(one);
                answer.set(one, answer.get(two));
                answer.set(two, digit);
            }
            3 => {
                let row = one.row() / 3 * 3;
                for column in 0..9 {
                    let [upper, lower] = [0, 1].map(|step| Cell::new(9 * (row + step) + column));
                    let digit = answer.get(upper);
                    answer.set(upper, answer.get(lower));
                    answer.set(lower, digit);
                }
            }
            _ => {
                let [first, second] = [one, two].map(|cell| answer.get(cell));
                for cell in Cell::all() {
                    match answer.get(cell) {
                        it if it == first => answer.set(cell, second),
                        it if it == second => answer.set(cell, first),
                        _ => {}
                    }
                }
            }
        }
    }
}

#[test]
fn answers_are_right_where_the_rules_say_so() {
    let solution = support::solution_of(support::SOLVED);
    // Right, blank, clash, changed clue.
    let mut seen = [0; 4];
    for seed in 0..ANSWERS as u64 {
        let random = &mut Random(seed);
        let solution = support::transformed(&solution, random);
        let clues = random.below(60);
        let puzzle = support::with_clues(&solution, clues, random);
        let mut answer = *solution.grid();
        if seed % 4 > 0 {
            spoil(&mut answer, random);
        }
        let found = answer::check_answer(&puzzle, &answer);
        assert_eq!(found.is_ok(), judge(&puzzle, &answer), "seed {seed}: {puzzle},{answer}");
        let blank = [b'.', b'0'][random.below(2)];
        let bulk = answer::check_lines(&puzzle.line(blank), &answer.line(b'.'));
        assert_eq!(bulk, found.is_ok().then_some(clues), "seed {seed}: {puzzle},{answer}");
        let true_of_it = match found {
            Ok(()) => true,
            Err(WrongAnswer::Blank(cell)) => answer.get(cell).is_none(),
            Err(WrongAnswer::Clash(clash)) => {
                clash.cells().count() > 1
                    && clash.cells().all(|cell| {
                        answer.get(cell) == Some(clash.digit) && clash.house.cells().contains(&cell)
                    })
            }
            Err(WrongAnswer::ChangedClue { cell, clue, found }) => {
                puzzle.get(cell) == Some(clue) && answer.get(cell) == Some(found) && clue != found
            }
            // `NoCandidate` is for sukakus alone.
            Err(_) => false,
        };
        assert!(true_of_it, "seed {seed}: {found:?} of {puzzle},{answer}");
        seen[match found {
            Ok(()) => 0,
            Err(WrongAnswer::Blank(_)) => 1,
            Err(WrongAnswer::Clash(_)) => 2,
            Err(_) => 3,
        }] += 1;
    }
    assert!(seen.iter().all(|&count| count > ANSWERS / 40), "{seen:?}");
}
