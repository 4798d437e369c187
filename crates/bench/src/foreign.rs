//! Calls a C function of a shared library: `size_t solve(const char *puzzle, size_t limit, char
//! *solution)`. Only the process of `__bench-library` does this.
#![expect(unsafe_code, reason = "a shared library is foreign code")]

use libloading::{Library, Symbol};
use std::ffi::c_char;
use std::path::Path;
use std::time::{Duration, Instant};

/// The function: it returns the number of solutions, up to the limit, and writes one of them.
type Solve = unsafe extern "C" fn(*const c_char, usize, *mut c_char) -> usize;

/// Bytes behind a puzzle or a solution. A function that ends a solution with a zero writes 82.
const PADDING: usize = 47;

/// A puzzle or a solution, with zeros behind it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Text([u8; 81], [u8; PADDING]);

/// An answer: the number of solutions, and the text of one.
pub(crate) type Answer = (usize, [u8; 81]);

/// Solves the puzzles, and returns the time of that alone. A solution that the function does not write
/// is all zeros.
pub(crate) fn solve(
    file: &Path,
    symbol: &str,
    limit: usize,
    puzzles: &[[u8; 81]],
) -> Result<(Duration, Vec<Answer>), String> {
    // SAFETY: loading runs the initializers of the library. The user named the library to run it, and
    // this process does nothing else.
    let library = unsafe { Library::new(file) }.map_err(|error| chain(&error))?;
    // SAFETY: the user vouches that the symbol is a function of this type; nothing else can tell.
    let function: Symbol<Solve> =
        unsafe { library.get(symbol.as_bytes()) }.map_err(|error| chain(&error))?;
    let puzzles: Vec<_> = puzzles.iter().map(|puzzle| Text(*puzzle, [0; PADDING])).collect();
    let mut answers = vec![(0, Text([0; 81], [0; PADDING])); puzzles.len()];
    let started = Instant::now();
    for (puzzle, (count, solution)) in puzzles.iter().zip(&mut answers) {
        let (puzzle, solution) = (&raw const *puzzle, &raw mut *solution);
        // SAFETY: `puzzle` points to 81 characters and a zero, and `solution` to 128 bytes that nothing
        // else uses. The user vouches that the function reads and writes no more than that.
        *count = unsafe { function(puzzle.cast(), limit, solution.cast()) };
    }
    let time = started.elapsed();
    Ok((time, answers.into_iter().map(|(count, solution)| (count, solution.0)).collect()))
}

/// The text of an error and of its cause: the reason of the system is in the cause.
fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => cause.to_string(),
        None => error.to_string(),
    }
}
