//! The program `ninefold`: Sudoku puzzles in, solutions out.

use std::process::ExitCode;

fn main() -> ExitCode {
    ninefold::cli::main()
}
