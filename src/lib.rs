//! Solving Sudoku in bulk.
//!
//! From the inside out: [`puzzle`] is what a Sudoku is, [`input`] brings bytes in, [`output`]
//! takes records out, [`engine`] holds the ways to solve, and [`batch`] is the pipeline that
//! leads from one to the other on many threads. [`verify`] judges puzzles and answers, and
//! [`bench`] says how fast all of it is.
//!
//! ```
//! use ninefold::batch::{Batch, Silent};
//! use ninefold::input::Source;
//! use ninefold::output::Sink;
//!
//! let puzzles = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
//! let source = Source::from_bytes("one puzzle", puzzles.to_vec());
//! let report = Batch::default().run(vec![source], Sink::stdout(), &mut Silent)?;
//! assert_eq!(report.total.solved, 1);
//! # Ok::<(), ninefold::batch::Error>(())
//! ```

pub mod batch;
pub mod bench;
pub mod generate;
pub mod input;
pub mod output;
pub mod verify;

pub use ninefold_core::{SolveError, Solver, Status, StatusCounts, count, is_unique, solve};
pub use ninefold_core::{difficulty, engine, minimal, names, puzzle, symmetry};
