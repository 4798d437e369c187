//! The program `ninefold`: Sudoku puzzles in, solutions out. See [`cli`].

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
