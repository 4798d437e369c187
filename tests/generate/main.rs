//! Puzzles that are made: each as asked for, by judges that took no part in making it; and the
//! same bytes however they are made.

mod data;
mod dig;
mod judge;
mod program;
mod run;

#[path = "../support/mod.rs"]
mod support;

use ninefold::batch::Error;
use ninefold::engine::lanes::SimdLevel;
use ninefold::generate::{Generator, Origin, Progress, Recipe, Report};
use ninefold::output::{Sink, Style};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Bytes that are kept.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that were refused.
#[derive(Default)]
struct Refused(Vec<String>);

impl Progress for Refused {
    fn advance(&mut self, _: &Report) {}

    fn refuse(&mut self, input: &str, line: u64, reason: &str) {
        self.0.push(format!("{input}: line {line}: {reason}"));
    }
}

/// So many puzzles of a recipe, on one thread.
fn generator(recipe: Recipe, count: u64) -> Generator {
    let (distinct, style, threads) = (true, Style::default(), 1);
    Generator { recipe, count, distinct, style, threads, simd: SimdLevel::best() }
}

/// What a run writes, and reports.
fn run(generator: &Generator, origin: Origin) -> (String, Report, Vec<String>) {
    let (paper, mut refused) = (Paper::default(), Refused::default());
    let sink = Sink::from_writer("paper", paper.clone());
    let report: Result<_, Error> = generator.run(origin, sink, &mut refused);
    let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    (text, report.unwrap(), refused.0)
}
