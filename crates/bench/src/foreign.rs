//! The process that calls a C function of a shared library: `size_t solve(const char *puzzle, size_t
//! limit, char *solution)`.
#![expect(unsafe_code, reason = "a shared library is foreign code")]

use libloading::{Library, Symbol};
use std::ffi::c_char;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

pub(crate) const NAME: &str = "__bench-library";

/// The function: it returns the number of solutions, up to the limit, and writes one of them.
type Solve = unsafe extern "C" fn(*const c_char, usize, *mut c_char) -> usize;

/// Bytes behind a puzzle or a solution. A function that ends a solution with a zero writes 82.
const PADDING: usize = 47;

/// A puzzle or a solution, with zeros behind it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Text([u8; 81], [u8; PADDING]);

/// The seconds of solving alone, and for each puzzle the number of solutions and the text of one. A
/// solution that the function does not write is no text of a grid.
pub(crate) type Answers = (f64, Vec<(usize, String)>);

/// `ninefold __bench-library FILE SYMBOL LIMIT INPUT OUTPUT`, which users do not call.
pub(crate) fn run(words: &[String]) -> ExitCode {
    match solve(words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "{why}");
            ExitCode::from(2)
        }
    }
}

fn solve(words: &[String]) -> Result<(), String> {
    let [file, symbol, limit, input, output] = words else {
        return Err("expected FILE SYMBOL LIMIT INPUT OUTPUT".to_owned());
    };
    let limit = limit.parse().map_err(|_| "the limit is no number".to_owned())?;
    let text = fs::read(input).map_err(|error| format!("{input}: {error}"))?;
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| line.try_into().ok());
    let puzzles: Vec<_> = lines.map(|puzzle| Text(puzzle, [0; PADDING])).collect();
    // SAFETY: loading runs the initializers of the library. The user named the library to run it, and
    // this process does nothing else.
    let library = unsafe { Library::new(file) }.map_err(|error| chain(&error))?;
    // SAFETY: the user vouches that the symbol is a function of this type; nothing else can tell.
    let function: Symbol<Solve> =
        unsafe { library.get(symbol.as_bytes()) }.map_err(|error| chain(&error))?;
    let mut answers = vec![(0, Text([0; 81], [0; PADDING])); puzzles.len()];
    let started = Instant::now();
    for (puzzle, (count, solution)) in puzzles.iter().zip(&mut answers) {
        let (puzzle, solution) = (&raw const *puzzle, &raw mut *solution);
        // SAFETY: `puzzle` points to 81 characters and a zero, and `solution` to 128 bytes that nothing
        // else uses. The user vouches that the function reads and writes no more than that.
        *count = unsafe { function(puzzle.cast(), limit, solution.cast()) };
    }
    let time = started.elapsed().as_secs_f64();
    let shown = |byte: u8| if byte.is_ascii_graphic() { char::from(byte) } else { '.' };
    let answers = answers.into_iter().map(|(count, text)| (count, text.0.map(shown)));
    let answers: Answers =
        (time, answers.map(|(count, text)| (count, String::from_iter(text))).collect());
    let text = serde_json::to_string(&answers).map_err(|error| error.to_string())?;
    fs::write(output, text).map_err(|error| format!("{output}: {error}"))
}

/// The text of an error and of its cause: the reason of the system is in the cause.
fn chain(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
