//! Puzzles that are made.

use crate::module::classes::Array;
use crate::module::errors::python;
use crate::module::one::{named, positive, seed_of, tenths, threads_of};
use crate::module::watch::{Watch, lock};
use arrow_array::{Array as _, StringArray};
use arrow_buffer::OffsetBuffer;
use ninefold::difficulty::{Grade, ScoreRange, Technique};
use ninefold::generate::{Generate, Making, Recipe, Symmetry, parse_pattern};
use ninefold::output::{Sink, Transaction};
use ninefold::pipeline::{Cancel, Control, Event, Pipeline};
use ninefold::puzzle::Cell;
use ninefold::run::{Error, Run};
use ninefold::search::Search;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use std::io::{self, Write};
use std::mem;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

/// A number of clues, or the fewest and the most.
fn clue_range(object: &Bound<'_, PyAny>) -> PyResult<Option<RangeInclusive<usize>>> {
    if object.is_none() {
        return Ok(None);
    }
    let number = object.extract().map(|number| [number, number]);
    let range: PyResult<[usize; 2]> = number.or_else(|_: PyErr| object.extract());
    let possible = Recipe::FEWEST_CLUES..=Cell::COUNT;
    match range {
        Ok([least, most]) if least <= most && possible.contains(&most) => Ok(Some(least..=most)),
        _ => {
            let message = "clues: expected a number from 17 to 81, or (fewest, most)";
            Err(PyValueError::new_err(message))
        }
    }
}

/// A score, or the least and the greatest.
fn er_range(object: &Bound<'_, PyAny>) -> PyResult<Option<ScoreRange>> {
    if object.is_none() {
        return Ok(None);
    }
    let score = object.extract().map(|score: f64| [Some(score), Some(score)]);
    let message = "er: expected a score such as 9.0, or (least, greatest)";
    let [least, most]: [Option<f64>; 2] =
        score.or_else(|_| object.extract()).map_err(|_: PyErr| PyValueError::new_err(message))?;
    let least = least.map_or(Ok(0), |it| tenths("er", Some(it)))?;
    let range = least..=tenths("er", most)?;
    if range.is_empty() {
        return Err(PyValueError::new_err(message));
    }
    Ok(Some(ScoreRange(range)))
}

/// The recipe, as `ninefold generate` has it.
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
fn recipe_of(
    clues: Option<RangeInclusive<usize>>,
    symmetry: &str,
    pattern: Option<&str>,
    minimal: bool,
    grade: Option<&str>,
    er: Option<ScoreRange>,
    technique: Option<&str>,
    uses: Option<&str>,
) -> PyResult<Recipe> {
    let grade = grade.map(|name| named("grade", name)).transpose()?;
    let symmetry: Symmetry = named("symmetry", symmetry)?;
    if pattern.is_some() && (clues.is_some() || minimal || symmetry != Symmetry::None) {
        let message =
            "pattern: it decides clues and symmetry; leave clues, symmetry and minimal out";
        return Err(PyValueError::new_err(message));
    }
    let pattern = pattern.map(parse_pattern).transpose();
    let pattern = pattern.map_err(|why| PyValueError::new_err(format!("pattern: {why}")))?;
    let step = |what, name: Option<&str>| match name.map(|name| named(what, name)).transpose()? {
        Some(Technique::None) => Err(PyValueError::new_err(format!(
            "{what}: expected a technique of a step, found \"none\""
        ))),
        technique => Ok(technique),
    };
    let (technique, uses) = (step("technique", technique)?, step("uses", uses)?);
    let dug_for = grade.is_some_and(|grade| grade < Grade::Search);
    let minimal = minimal || clues.is_none() && pattern.is_none() && !dug_for;
    let recipe = Recipe {
        clues,
        minimal,
        symmetry,
        pattern,
        grade,
        er,
        technique,
        uses,
        ..Recipe::default()
    };
    if recipe.possible_grades().next().is_none() {
        let message = "no puzzle has this grade, er and number of clues together";
        return Err(PyValueError::new_err(message));
    }
    if recipe.most_of_a_grid() == 0 {
        let message = format!("clues: no such number has the symmetry {symmetry}");
        return Err(PyValueError::new_err(message));
    }
    Ok(recipe)
}

/// Memory that lines are written to.
#[derive(Clone, Default)]
struct LineBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LineBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The puzzles, each with a line end.
fn make(
    py: Python<'_>,
    n: i64,
    seed: u64,
    recipe: impl FnOnce() -> PyResult<Recipe>,
    threads: i64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u8>> {
    let threads = threads_of(threads)?;
    if n == 0 {
        return Ok(Vec::new());
    }
    let count = positive("n", n)?.get() as u64;
    let (recipe, search) = (recipe()?, Search::default());
    let generate = Generate { recipe, seed, count, distinct: true, search };
    let run = Run { pipeline: Pipeline { threads, ..Pipeline::default() }, ..Run::default() };
    let watch = Watch::showing(progress, usize::try_from(count).ok(), Arc::default())?;
    let (memory, cancel) = (LineBuffer::default(), Cancel::default());
    let puzzles = || lock(&memory.0).len() / (Cell::COUNT + 1);
    let report = py.detach(|| {
        let mut counted = 0;
        let mut observer = |_: &Event| {
            let made = puzzles();
            if !watch.go_on(made - counted) {
                cancel.request();
            }
            counted = made;
        };
        let mut output = Transaction::from(Sink::from_writer("memory", memory.clone()));
        let refused = &mut |_: &str, _, _: &str| ();
        let control = Control::new(&cancel).observed_by(&mut observer);
        let report = generate.write(&run, Vec::new(), None, refused, &mut output, control)?;
        output.commit(|_, _| String::new())?;
        watch.go_on(puzzles() - counted);
        Ok::<_, Error>(report)
    });
    watch.finish()?;
    if let Some(error) = watch.take() {
        // Such as those of `KeyboardInterrupt`.
        error.value(py).setattr("puzzles", list(&lock(&memory.0))).ok();
        return Err(error);
    }
    let report = report.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let lines = mem::take(&mut *lock(&memory.0));
    let near = report.count(Making::Near);
    if near == 0 && report.count(Making::Missing) == 0 && report.total.puzzles == count {
        return Ok(lines);
    }
    let as_requested = report.total.puzzles - near;
    let message = format!("made {as_requested} of {count} puzzles as requested");
    Err(python::IncompleteError::new_err((message, list(&lines))))
}

fn list(lines: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(lines).lines().map(str::to_owned).collect()
}

/// Functions that make `n` puzzles: their result, from a function that makes the lines.
macro_rules! makers {
    ($(
        $(#[$about:meta])*
        $name:ident($n:ident) -> $made:ty => |$lines:ident| $result:expr;
    )*) => {$(
        $(#[$about])*
        #[pyfunction]
        #[pyo3(signature = (
            $n, *, seed=1, clues=None, symmetry="none", pattern=None, minimal=false, grade=None, er=None,
            technique=None, uses=None, threads=1, progress=None
        ))]
        #[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
        pub(super) fn $name(
            py: Python<'_>,
            $n: i64,
            #[pyo3(from_py_with = seed_of)] seed: u64,
            #[pyo3(from_py_with = clue_range)] clues: Option<RangeInclusive<usize>>,
            symmetry: &str,
            pattern: Option<&str>,
            minimal: bool,
            grade: Option<&str>,
            #[pyo3(from_py_with = er_range)] er: Option<ScoreRange>,
            technique: Option<&str>,
            uses: Option<&str>,
            threads: i64,
            progress: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<$made> {
            let recipe =
                || recipe_of(clues, symmetry, pattern, minimal, grade, er, technique, uses);
            let $lines = || make(py, $n, seed, recipe, threads, progress);
            $result
        }
    )*};
}

makers! {
    /// Makes puzzles, each with exactly one solution. The same seed gives the same puzzles, and the same
    /// as `ninefold generate --seed`. Calls with different requests have unrelated solution grids, even with the same
    /// seed.
    ///
    /// Args:
    ///     n: How many puzzles.
    ///     seed: The seed of all random numbers.
    ///     clues: The number of clues, or the fewest and the most. Without it, puzzles are minimal: no
    ///         clue is redundant.
    ///     symmetry: The symmetry of the cells that have a clue: "none", "rotate", "quarter", "mirror",
    ///         "flip", "mirrors", "diagonal", "antidiagonal", "diagonals" or "full".
    ///     pattern: The cells that have a clue: 81 characters, "x" or a digit for a clue.
    ///     minimal: No clue is redundant, also with `clues` or a grade.
    ///     grade: The simplest list of rules that solves them: "naked-singles", "singles",
    ///         "locked-candidates" or "search".
    ///     er: The Explainer rating, as `rate` has it: a score, or the least and the greatest; None is no bound.
    ///     technique: The technique of the hardest step, one of `TECHNIQUES`.
    ///     uses: A technique that one of the steps uses, as `steps` finds them.
    ///     threads: The number of threads: 1, the default, or more; 0 for one on each core.
    ///     progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
    ///         updated.
    ///
    /// Raises:
    ///     IncompleteError: Not all could be made; its `puzzles` are those that were made.
    ///     KeyboardInterrupt: Ctrl-C was pressed; its `puzzles` are those that were made so far.
    ///
    /// Example:
    ///     >>> import ninefold
    ///     >>> ninefold.generate(1, seed=1) == ninefold.generate(2, seed=1)[:1]
    ///     True
    generate(n) -> Vec<String> => |lines| Ok(list(&lines()?));

    /// Makes puzzles as an Arrow array of utf8. Arguments as in `generate`.
    ///
    /// Example:
    ///     >>> import ninefold, pyarrow
    ///     >>> len(pyarrow.array(ninefold.generate_array(3, seed=1)))
    ///     3
    generate_array(n) -> Array => |lines| {
        /// Puzzles that fit into one array of utf8.
        const MOST: i64 = i32::MAX as i64 / 81;
        if n > MOST {
            let message = format!("n: one array holds at most {MOST} puzzles; make several arrays");
            return Err(PyOverflowError::new_err(message));
        }
        let puzzles: Vec<u8> = lines()?.split(|&byte| byte == b'\n').flatten().copied().collect();
        let offsets = OffsetBuffer::from_repeated_length(Cell::COUNT, puzzles.len() / Cell::COUNT);
        let array = StringArray::try_new(offsets, puzzles.into(), None);
        let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Array(array.to_data()))
    };
}
