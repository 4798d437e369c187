//! Makes a sukaku from each puzzle on standard input: `data/bench/sukaku.txt` was made so.
//!
//! ```text
//! ninefold generate --quiet --count 200 --seed 6 | cargo run --release --example sukakus
//! ```
//!
//! Only the solution of the puzzle is used. At first its 81 digits are the candidates. Then the other
//! 648 candidates are put back in random order, each unless it makes a second solution. So the result
//! is the counterpart of a minimal puzzle: every candidate that is still out is needed.

use ninefold::engine::{Engine, EngineKind};
use ninefold::puzzle::{Cell, Digit, DigitSet, Grid, Random, Solution, Sukaku};
use std::error::Error;

/// The sukaku of a solution.
fn sukaku(solution: &Solution, random: &mut Random, engine: &mut dyn Engine) -> Sukaku {
    let mut sukaku = Sukaku::from(solution.grid());
    let other = |&(cell, digit): &(Cell, Digit)| solution.get(cell) != digit;
    let all = Cell::all().flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)));
    let mut candidates: Vec<_> = all.filter(other).collect();
    random.shuffle(&mut candidates);
    for (cell, digit) in candidates {
        let mut with_this = sukaku;
        with_this.set(cell, DigitSet::of(digit));
        let mut answers = Vec::new();
        engine.solve_sukakus(&[with_this], 1, &mut answers);
        if answers[0].count == 0 {
            let mut more = sukaku.get(cell);
            more.insert(digit);
            sukaku.set(cell, more);
        }
    }
    sukaku
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut random, mut engine) = (Random::new(6), EngineKind::Mrv.build());
    for line in std::io::stdin().lines() {
        let puzzle: Grid = line?.parse()?;
        let solution = engine.solve(&puzzle, 1).first.ok_or("a puzzle has no solution")?;
        println!("{}", sukaku(&solution, &mut random, engine.as_mut()));
    }
    Ok(())
}
