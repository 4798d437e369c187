//! Solves the puzzles that are its arguments, and prints the solution, whether it is the only one,
//! and the grade of each.
//!
//! ```text
//! cargo run -p ninefold-core --release --example solve -- 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//! ```

use ninefold_core::Solver;
use ninefold_core::difficulty::{Gauge, Measure};
use ninefold_core::puzzle::{Grid, ParseError};

fn main() -> Result<(), ParseError> {
    let puzzles: Vec<Grid> =
        std::env::args().skip(1).map(|line| line.parse()).collect::<Result<_, _>>()?;
    let (mut solver, mut gauge) = (Solver::new(), Gauge::new().with_measures([Measure::Grade]));
    for (answer, measured) in solver.many(&puzzles).iter().zip(gauge.many(&puzzles)) {
        match (answer.first, measured.grade) {
            (Some(solution), Some(grade)) => println!("{solution} unique {grade}"),
            (Some(solution), None) => println!("{solution} multiple"),
            (None, _) => println!("no solution"),
        }
    }
    Ok(())
}
