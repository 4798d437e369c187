//! Solves the puzzles that are its arguments, and prints the solution, whether it is the only one,
//! and the grade of each.
//!
//! ```text
//! cargo run -p ninefold-core --release --example solve -- 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//! ```

use ninefold_core::Solver;
use ninefold_core::difficulty::Grader;
use ninefold_core::puzzle::{Grid, ParseError};

fn main() -> Result<(), ParseError> {
    let puzzles: Vec<Grid> =
        std::env::args().skip(1).map(|line| line.parse()).collect::<Result<_, _>>()?;
    let (mut solver, mut grader) = (Solver::new(), Grader::new());
    for (answer, grade) in solver.many(&puzzles).iter().zip(grader.many(&puzzles)) {
        match (answer.count, answer.first) {
            (1, Some(solution)) => println!("{solution} unique {grade}"),
            (_, Some(solution)) => println!("{solution} multiple"),
            (_, None) => println!("no solution"),
        }
    }
    Ok(())
}
