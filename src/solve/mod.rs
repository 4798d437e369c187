//! `ninefold solve`: the solution of every puzzle.
//!
//! ```text
//! chunk ─> grids ─> engine: answers ─> records        on many threads, by the run
//! ```

#[cfg(feature = "cli")]
pub(crate) mod args;

use crate::engine::Bounds;
use crate::input::{Chunk, Malformed, Record, Row};
use crate::output::{Column, Field, Format, Short};
use crate::pipeline::Cancel;
use crate::puzzle::Solution;
use crate::run::{Command, Count, Rows, Terms};
use crate::search::{Answers, Search};
use crate::{Solutions, Status, Verdict};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// The columns of a table of answers.
pub const COLUMNS: [Column; 4] = [
    Column::status("the outcome in one word"),
    Column::whole("solutions", "solutions found, up to --limit; empty if malformed"),
    Column::puzzle("puzzle", "the cells of the puzzle; if malformed, the text of the field"),
    Column::text("solution", "the solution, if exactly one was found"),
];

ninefold_core::named_enum! {
    /// What is counted of a puzzle whose solutions are listed.
    pub(crate) enum Listed, "count" {
        MoreThanMax = "more_than_max", "has more solutions than were written";
    }
}

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
}

impl Default for Solve {
    /// One solution of each puzzle.
    fn default() -> Self {
        Self { limit: NonZeroUsize::MIN, every: None, search: Search::default() }
    }
}

impl Command for Solve {
    type Kept = ();

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS.to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses::<Status>(), Count::each::<Listed>()]
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        // With one solution more than are written, it is known that there are more.
        let limit = self.every.map_or(self.limit, |most| most.saturating_add(1)).get();
        let mut worker = SolveWorker {
            answers: Answers::new(self.search.build(), limit),
            most: self.every.map(NonZeroUsize::get),
            cancel: self.search.cancel.clone(),
        };
        move |chunk, rows| worker.answer(chunk, rows)
    }
}

/// An engine with memory for chunks of puzzles.
struct SolveWorker {
    answers: Answers,
    /// Every solution is wanted, up to this number.
    most: Option<usize>,
    cancel: Cancel,
}

impl SolveWorker {
    /// Writes the answers of a chunk.
    fn answer(&mut self, chunk: &Chunk<'_>, rows: &mut Rows<'_, ()>) -> ControlFlow<()> {
        let puzzles = rows.read(chunk);
        rows.work(|_| self.answers.find(puzzles));
        let status = if self.answers.limit == 1 { Status::Solved } else { Status::Unique };
        let (is_line, is_wanted) =
            (rows.style().format == Format::Line, rows.wants(Terms::of(status)));
        let mut solved = 0;
        for record in puzzles.records() {
            match record {
                Record::Puzzles { line, numbers } => {
                    for (line, number) in (*line..).zip(numbers.clone()) {
                        // The record of most puzzles is their solution. It needs no row.
                        if let Some(solution) = self.answers.solution(number).filter(|_| is_line) {
                            solved += 1;
                            if is_wanted {
                                rows.output.records.push_solution(solution);
                            }
                        } else {
                            self.push_row(&puzzles.row(line, number), number, rows)?;
                        }
                    }
                }
                Record::Malformed { line, bytes, error } => {
                    let row = Row { line: *line, puzzle: None, bytes: Some(bytes.clone()) };
                    push_one(&Verdict::Malformed(error), &row, rows);
                }
            }
        }
        rows.output.counts[status] += solved;
        ControlFlow::Continue(())
    }

    /// The record of a puzzle, or the records of its solutions. `Break` if its search was stopped.
    fn push_row(&self, row: &Row, number: usize, rows: &mut Rows<'_, ()>) -> ControlFlow<()> {
        let puzzle = row.puzzle.expect("the row of a puzzle");
        let verdict = self.answers.verdict(number, &puzzle);
        if let (Verdict::Multiple { at_least, .. }, Some(most)) = (verdict, self.most) {
            let bounds = Bounds::default().with_stop(self.cancel.abandon_flag());
            let solutions = Solutions::new(puzzle).with_bounds(bounds);
            return push_every(at_least, most, solutions, row, rows);
        }
        push_one(&verdict, row, rows);
        match verdict {
            Verdict::Unknown { max_branches: None, .. } => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The verdict on a puzzle of an input.
type RowVerdict<'a> = Verdict<&'a Solution, &'a Malformed>;

/// The fields of a record.
fn fields<'a>(verdict: &RowVerdict<'_>, solution: Option<&'a [u8]>) -> [Field<'a>; COLUMNS.len()] {
    // Also those that a search found that was given up.
    let found = match *verdict {
        Verdict::Unknown { at_least, .. } => Some(at_least),
        _ => verdict.count(),
    };
    [
        Field::Plain(verdict.status().name().as_bytes()),
        found.map_or(Field::Empty, Field::Number),
        Field::Puzzle,
        solution.map_or(Field::Empty, Field::Plain),
    ]
}

/// The record of a puzzle that is answered, or not.
fn push_one(verdict: &RowVerdict<'_>, row: &Row, rows: &mut Rows<'_, ()>) {
    rows.count(verdict.status());
    match verdict.solution() {
        Some(solution) => push(verdict, solution, row, rows),
        None => rows.fail(row, Terms::of(verdict.status()), &fields(verdict, None), verdict),
    }
}

/// A record with a solution.
fn push(verdict: &RowVerdict<'_>, solution: &Solution, row: &Row, rows: &mut Rows<'_, ()>) {
    let line = solution.line();
    let fields = fields(verdict, Some(&line));
    rows.push(row, Terms::of(verdict.status()), &fields, Short::Solution(solution));
}

/// The records of a puzzle with several solutions: all of them, or the first `most`.
fn push_every(
    count: u64,
    most: usize,
    mut solutions: Solutions,
    row: &Row,
    rows: &mut Rows<'_, ()>,
) -> ControlFlow<()> {
    let is_complete = count <= most as u64;
    let written = if is_complete { count } else { most as u64 };
    if matches!(rows.style().format, Format::Line | Format::Pair | Format::Grid) {
        let found = if is_complete {
            format!("{count} solutions")
        } else {
            format!("more than {most} solutions, of which {most} follow")
        };
        rows.push(row, Terms::of(Status::Multiple), &[], Short::Reason(&found));
    }
    let verdict = Verdict::Multiple { at_least: count, exact: is_complete };
    for solution in solutions.by_ref().take(usize::try_from(written).unwrap_or(usize::MAX)) {
        push(&verdict, &solution, row, rows);
        rows.hand_over()?;
    }
    if solutions.gave_up() {
        push_one(&Verdict::Unknown { at_least: count, max_branches: None }, row, rows);
        return ControlFlow::Break(());
    }
    rows.count(Status::Multiple);
    if !is_complete {
        rows.count(Listed::MoreThanMax);
        rows.reject(row, &format_args!("more than {most} solutions"));
    }
    ControlFlow::Continue(())
}
