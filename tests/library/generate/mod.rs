//! Puzzles that are made: each as asked for, by judges that took no part in making it; and the
//! same bytes however they are made.

mod data;
mod dig;
pub(crate) mod judge;
mod program;
mod run;

use crate::support::Memory;
use ninefold::generate::{COLUMNS, Generate, Recipe};
use ninefold::input::Source;
use ninefold::output::Transaction;
use ninefold::pipeline::Control;
use ninefold::puzzle::Cell;
use ninefold::run::{Clues, Counts, Error, Run};
use ninefold::search::Search;
use std::ops::Range;

/// A command and how it is run.
struct Job {
    command: Generate,
    run: Run,
}

/// `count` puzzles of a recipe with seed 1, on one thread.
fn job(recipe: Recipe, count: u64) -> Job {
    let command = Generate { recipe, seed: 1, count, distinct: true, search: Search::default() };
    let mut run = Run::default();
    run.writing.style.columns = COLUMNS.to_vec();
    run.pipeline.threads = 1;
    Job { command, run }
}

impl Job {
    /// What it writes, its counts, and the lines that were refused.
    fn run(&self, sources: Vec<Source>) -> (String, Counts, Vec<String>) {
        let (text, counts, refused) = self.try_run(sources, None);
        (text, counts.unwrap(), refused)
    }

    /// As `run`, of some of the tasks, even if it fails.
    fn try_run(
        &self,
        sources: Vec<Source>,
        share: Option<(Range<u64>, u64)>,
    ) -> (String, Result<Counts, Error>, Vec<String>) {
        let (memory, mut refused) = (Memory::default(), Vec::new());
        let mut output = Transaction::from(memory.sink());
        let mut tell = |input: &str, line: u64, reason: &str| {
            refused.push(format!("{input}: line {line}: {reason}"));
        };
        let control = Control::default();
        let ran = self.command.write(&self.run, sources, share, &mut tell, &mut output, control);
        output.commit(|_, _| String::new()).unwrap();
        (memory.text(), ran.map(|report| report.total), refused)
    }
}

/// The clues of all puzzles together.
fn clues(counts: &Counts) -> u64 {
    let by_clues = counts.all::<Clues>();
    assert_eq!(by_clues.len(), Cell::COUNT + 1);
    by_clues.iter().zip(0..).map(|(count, clues)| count * clues).sum()
}
