//! The program `ninefold`: Sudoku puzzles in, solutions out. See [`cli`].
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
