//! The hint button of a game: a wrong digit, or else the next step that a player can find.
//!
//! ```text
//! cargo run -p ninefold-core --example hint -- 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//! ```

use ninefold_core::puzzle::{Grid, Solution};
use ninefold_core::{Verdict, next_step, solve};

/// What the button says about the position of a player. `solution` is that of the puzzle.
fn hint(position: &Grid, solution: &Solution) -> String {
    for (cell, digit) in *position {
        if solution[cell] != digit {
            return format!("{cell} is not {digit}");
        }
    }
    match next_step(position) {
        Ok(Some(step)) => step.to_string(),
        Ok(None) => "solved".to_owned(),
        Err(verdict) => verdict.to_string(),
    }
}

fn main() -> Result<(), Verdict> {
    for line in std::env::args().skip(1) {
        let position: Grid = line.parse()?;
        println!("{}", hint(&position, &solve(position)?));
    }
    Ok(())
}

#[test]
fn a_mistake_comes_first_and_steps_lead_to_the_end() {
    let puzzle: Grid =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    let (solution, mut position) = (solve(puzzle).unwrap(), puzzle);
    position.set(ninefold_core::puzzle::Cell::new(2), ninefold_core::puzzle::Digit::new(1));
    assert_eq!(hint(&position, &solution), "row 1 column 3 is not 1");
    assert!(hint(&puzzle, &solution).starts_with("Hidden Single Box: 8 in box 2"));
    assert_eq!(hint(solution.grid(), &solution), "solved");
}
