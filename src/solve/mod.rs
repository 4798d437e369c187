//! `ninefold solve`: the solution of every puzzle.
//!
//! ```text
//! chunk ─> grids ─> engine: answers ─> records        on many threads, by the run
//! ```

#[cfg(feature = "cli")]
mod args;
mod count;

#[cfg(feature = "cli")]
pub(crate) use args::SolveArgs;
pub use count::Team;

use crate::engine::{Bounds, Engine};
use crate::input::Malformed;
use crate::output::{Field, Format};
use crate::puzzle::Solution;
use crate::run::{
    Batch, Column, Command, Count, InOrder, Row, Rows, Shape, Short, SlowPlace, Terms, Worker,
};
use crate::search::{Answers, Search};
use crate::{Solutions, Status, Verdict};
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Instant;

/// The columns of a table of answers.
pub const COLUMNS: [Column; 4] = [
    Column::word("status", "the outcome in one word"),
    Column::whole("solutions", "solutions found, up to --limit; empty if malformed"),
    Column::text("puzzle", "the cells of the puzzle; if malformed, the text of the field"),
    Column::text("solution", "the solution, if exactly one was found"),
];

/// The name of a count in statistics: puzzles with more solutions than were written.
#[cfg(feature = "cli")]
pub(crate) const MORE_THAN_MAX: &str = "more_than_max";

/// Solves puzzles.
///
/// ```
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
/// use ninefold::run::Run;
/// use ninefold::solve::Solve;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one puzzle", puzzle.into());
/// let report = Run::default().to(Sink::stdout(), &Solve::default(), vec![source], Control::default())?;
/// assert_eq!(report.total.puzzles, 1);
/// # Ok::<(), ninefold::run::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solve {
    /// How many solutions to look for: 1 solves, 2 proves that there is just one, `n` counts.
    pub limit: NonZeroUsize,
    /// Write every solution of each puzzle, up to this number; `limit` is then ignored.
    pub every: Option<NonZeroUsize>,
    /// The engine and its bounds.
    pub search: Search,
    /// The threads that count the solutions of one puzzle together.
    pub team: Team,
}

impl Default for Solve {
    /// One solution of each puzzle.
    fn default() -> Self {
        let (search, team) = (Search::default(), Team::default());
        Self { limit: NonZeroUsize::MIN, every: None, search, team }
    }
}

impl Command for Solve {
    type Worker = SolveWorker;
    type Order = InOrder;

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS.to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses(Status::ALL), Count::one("more_than_max")]
    }

    fn worker(&self, _: &Shape) -> SolveWorker {
        // With one solution more than are written, it is known that there are more.
        let limit = self.every.map_or(self.limit, |most| most.saturating_add(1)).get();
        let most = self.every.map(NonZeroUsize::get);
        let (search, team) = (self.search.clone(), self.team.clone());
        let answers = Answers::new(search.build(), limit);
        SolveWorker { answers, most, search, team, helpers: Vec::new() }
    }
}

/// An engine with memory for chunks of puzzles.
pub struct SolveWorker {
    answers: Answers,
    /// Every solution is wanted, up to this number.
    most: Option<usize>,
    search: Search,
    team: Team,
    /// The engines of the threads that count with this one.
    helpers: Vec<Box<dyn Engine>>,
}

/// The place of the count of puzzles with more solutions than were written.
const MORE: usize = Status::ALL.len();

impl Worker for SolveWorker {
    type Kept = ();

    fn solve(&mut self, batch: &Batch<'_>, (): &mut ()) -> Option<SlowPlace> {
        let Self { answers, search, team, helpers, .. } = self;
        let _busy = team.enter();
        // A bound holds for all branches of a puzzle, on one thread.
        if answers.limit <= count::MANY || search.max_branches.is_some() {
            return answers.find(batch.puzzles);
        }
        let mut slowest = answers.find_up_to(count::MANY, batch.puzzles);
        for (number, answer) in answers.found.iter_mut().enumerate() {
            if answer.count < count::MANY {
                continue;
            }
            let (started, puzzle) = (Instant::now(), batch.puzzles.puzzle(number));
            *answer = count::count(&puzzle, answers.limit, search, team, helpers);
            let time = started.elapsed();
            if slowest.is_none_or(|slowest| slowest.time < time) {
                slowest = SlowPlace::of(batch.puzzles, number, time).or(slowest);
            }
        }
        slowest
    }

    #[inline]
    fn short(&mut self, number: usize, rows: &mut Rows<'_, ()>) -> bool {
        let Some(solution) = self.answers.solution(number) else { return false };
        if rows.style().format != Format::Line {
            return false;
        }
        let status = if self.answers.limit == 1 { Status::Solved } else { Status::Unique };
        if rows.wants(terms(status)) {
            rows.output.records.push_solution(solution);
        }
        rows.count(status as usize);
        true
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
        let puzzle = row.puzzle.expect("the record of a puzzle");
        let verdict = self.answers.verdict(number, puzzle);
        if let (Verdict::Multiple { at_least, .. }, Some(most)) = (verdict, self.most) {
            let bounds = Bounds::default().with_stop(self.search.cancel.abandon_flag());
            let solutions = Solutions::new(*puzzle).with_bounds(bounds);
            return write_every(at_least, most, solutions, row, rows);
        }
        write_one(&verdict, row, rows);
    }

    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
        rows.count(Status::Malformed as usize);
        write_failure(&Verdict::Malformed(error), row, rows);
    }
}

/// The verdict on a puzzle of an input.
type Found<'a> = Verdict<&'a Solution, &'a Malformed>;

fn terms(status: Status) -> Terms {
    Terms::of(status as usize)
}

/// The fields of a record.
fn fields<'a>(verdict: &Found<'_>, solution: Option<&'a [u8]>) -> [Field<'a>; COLUMNS.len()] {
    [
        Field::Plain(verdict.status().name().as_bytes()),
        found(verdict).map_or(Field::Empty, Field::Number),
        Field::Puzzle,
        solution.map_or(Field::Empty, Field::Plain),
    ]
}

/// The number of solutions that were found, also by a search that was given up.
fn found(verdict: &Found<'_>) -> Option<u64> {
    match *verdict {
        Verdict::Unknown { at_least, .. } => Some(at_least),
        _ => verdict.count(),
    }
}

/// The record of a puzzle that is answered, or not.
fn write_one(verdict: &Found<'_>, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
    rows.count(verdict.status() as usize);
    match verdict.solution() {
        Some(solution) => push(verdict, solution, row, rows),
        None => write_failure(verdict, row, rows),
    }
    if matches!(verdict, Verdict::Unknown { max_branches: None, .. }) {
        rows.give_up();
    }
}

/// A record with a solution.
fn push(verdict: &Found<'_>, solution: &Solution, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
    let line = solution.line();
    let fields = fields(verdict, Some(&line));
    rows.push(row, terms(verdict.status()), &fields, Short::Solution(solution), None);
}

/// A record without a solution, and the reject.
fn write_failure(verdict: &Found<'_>, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
    rows.fail(row, terms(verdict.status()), &fields(verdict, None), verdict);
}

/// The records of a puzzle with several solutions: all of them, or the first `most`.
fn write_every(
    count: u64,
    most: usize,
    mut solutions: Solutions,
    row: &Row<'_>,
    rows: &mut Rows<'_, ()>,
) {
    let is_complete = count <= most as u64;
    let written = if is_complete { count } else { most as u64 };
    if matches!(rows.style().format, Format::Line | Format::Pair | Format::Grid) {
        let found = ListLength { count, written };
        rows.push(row, terms(Status::Multiple), &[], Short::Reason(&found), None);
    }
    let verdict = Verdict::Multiple { at_least: count, exact: is_complete };
    for solution in solutions.by_ref().take(usize::try_from(written).unwrap_or(usize::MAX)) {
        push(&verdict, &solution, row, rows);
        if rows.hand_over().is_break() {
            return;
        }
    }
    if solutions.gave_up() {
        return write_one(&Verdict::Unknown { at_least: count, max_branches: None }, row, rows);
    }
    rows.count(Status::Multiple as usize);
    if !is_complete {
        rows.count(MORE);
        rows.reject(row, &format_args!("more than {most} solutions"));
    }
}

/// The comment before a list of solutions.
struct ListLength {
    count: u64,
    written: u64,
}

impl fmt::Display for ListLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, written } = self;
        if count > written {
            write!(f, "more than {written} solutions, of which {written} follow")
        } else {
            write!(f, "{count} solutions")
        }
    }
}
