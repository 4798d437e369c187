//! Puzzles that are made: each as asked for, by judges that took no part in making it; and the
//! same bytes however they are made.

mod data;
mod dig;
mod judge;
mod program;
mod run;

use ninefold::bulk::Error;
use ninefold::engine::lanes::SimdLevel;
use ninefold::generate::{Generator, Origin, Recipe, Report};
use ninefold::output::{Sink, Style};
use ninefold::pipeline::{Control, Event};
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

/// `count` puzzles of a recipe, on one thread.
fn generator(recipe: Recipe, count: u64) -> Generator {
    let (distinct, style, threads) = (true, Style::default(), 1);
    let simd = SimdLevel::best();
    Generator { recipe, count, distinct, style, threads, simd, max_branches: None }
}

/// What a run writes, its report, and the lines that were refused.
fn run(generator: &Generator, origin: Origin) -> (String, Report, Vec<String>) {
    let (paper, mut refused) = (Paper::default(), Vec::new());
    let sink = Sink::from_writer("paper", paper.clone());
    let mut observer = |event: &Event| {
        if let Event::Refused { input, line, reason } = event {
            refused.push(format!("{input}: line {line}: {reason}"));
        }
    };
    let control = Control::default().observed_by(&mut observer);
    let report: Result<_, Error> = generator.run(origin, sink, control);
    let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    (text, report.unwrap(), refused)
}
