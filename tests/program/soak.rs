//! Runs in this process that end anywhere, by cancellations and panics, in chunks of any length on any number of
//! threads, over several inputs of which a shard is read; and each time the same bytes and counts in the end. Programs
//! that are killed are in `kills.rs`.
//!
//! One test has another seed in each run, so `.ci/full` runs it. `NINEFOLD_SOAK_SECONDS` sets its length:
//!
//! ```sh
//! NINEFOLD_SOAK_SECONDS=600 cargo test --release --test program soak -- --ignored --nocapture
//! ```

#![expect(unsafe_code, reason = "files are mapped")]

use crate::support::{Folder, Lots, different, log_path, one_of, partial_path};
use ninefold::engine::EngineKind;
use ninefold::input::{Layout, Mapping, Shard, Source};
use ninefold::output::{Begun, Mode, Plan, Transaction};
use ninefold::pipeline::{Cancel, Control, Event, Pipeline};
use ninefold::run::{Checkpoint, Counts, Error, Report, Run};
use ninefold::solve::Solve;
use serde_json::json;
use std::error::Error as _;
use std::fs;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What has been done so far.
#[derive(Debug, Default)]
struct Done {
    rounds: usize,
    cancellations: usize,
    panics: usize,
}

/// Inputs, and the shard of them that is read.
struct Sample {
    inputs: Vec<PathBuf>,
    shard: Shard,
}

/// How a run works, and how it ends.
struct Way {
    pipeline: Pipeline,
    engine: EngineKind,
    is_mapped: bool,
    interval: Duration,
    /// After this number of puzzles, by a panic or else by a cancellation.
    end: Option<(u64, bool)>,
}

impl Way {
    /// One chunk after the other, each as short as it can be.
    fn step_by_step(end: Option<(u64, bool)>) -> Self {
        let pipeline = Pipeline { threads: 1, chunk_size: Some(1) };
        let (engine, interval) = (EngineKind::Lanes, Duration::ZERO);
        Self { pipeline, engine, is_mapped: false, interval, end }
    }
}

impl Sample {
    fn new(folder: &Path, texts: &[&str], shard: &str) -> Self {
        let file = |(place, text)| {
            let path = folder.join(format!("{place}.txt"));
            fs::write(&path, text).unwrap();
            path
        };
        let inputs = texts.iter().enumerate().map(file).collect();
        Self { inputs, shard: shard.parse().unwrap() }
    }

    /// Runs it or continues it: the counts of all inputs, or the puzzles before a cancellation, or a panic.
    fn run(&self, output: &Path, way: &Way) -> Result<Vec<Counts>, Option<u64>> {
        let limit = NonZeroUsize::new(2).unwrap();
        let mut solve = Solve { limit, ..Solve::default() };
        solve.search.engine = way.engine;
        let run_of = Run { pipeline: way.pipeline, ..Run::default() };
        // SAFETY: nothing writes to the files while they are read.
        let mapping = way.is_mapped.then(|| unsafe { Mapping::allow() });
        let open =
            |path: &PathBuf| Source::open(path, mapping).unwrap().with_layout(Layout::default());
        let sources = self.shard.cut(self.inputs.iter().map(open).collect()).unwrap();
        let mut records = begin(output, way.interval);
        let cancel = Cancel::default();
        let mut observer = |event: &Event| match (event, way.end) {
            (Event::Advanced(progress), Some((end, panics))) if progress.items >= end => {
                assert!(!panics, "enough");
                cancel.request();
            }
            _ => {}
        };
        let control = Control::new(&cancel).observed_by(&mut observer);
        let run = AssertUnwindSafe(|| run_of.in_order(&solve, sources, &mut records, control));
        match catch_unwind(run).map_err(|_| None)? {
            Err(Error::Stopped { puzzles }) => {
                records.suspend("");
                Err(Some(puzzles))
            }
            report => {
                let Report { inputs, .. } = report.unwrap();
                records.commit(|_, _| String::new()).unwrap();
                // The log of a run that may be resumed stays beside its complete output.
                assert!(!partial_path(output).exists() && log_path(output).exists());
                Ok(inputs.into_iter().map(|input| input.counts).collect())
            }
        }
    }
}

/// Opens the output of a run that may be resumed.
fn begin(output: &Path, interval: Duration) -> Transaction {
    loop {
        let mut plan = Plan::new(vec![Some(output.to_owned()).into()], Mode::Resume)
            .resumable(json!({}), json!(Checkpoint::default()));
        plan.interval = interval;
        match Transaction::begin(plan) {
            Ok(Begun::Open(records)) => return records,
            Ok(_) => panic!("it is not complete"),
            Err(error) => {
                let cause = error.source().map(ToString::to_string).unwrap_or_default();
                // A program that another test starts has the lock of this file until it is executed.
                assert!(cause.starts_with("another run is writing "), "{error}: {cause}");
            }
        }
    }
}

/// A number from 1 to about this one, small ones as likely as large ones.
fn size(lots: &mut Lots, most: u64) -> usize {
    let bits = u64::from(most.ilog2()) + 1;
    let power = 1 << lots.below(bits);
    usize::try_from(power + lots.below(power)).unwrap()
}

/// Every place of a cut, with inputs that are empty or lie outside of the shard.
#[test]
fn a_run_that_ends_behind_any_puzzle_continues_to_the_same_end() {
    let (text, one) = (different(9).0 + "\n12x\n", different(1).0 + "\n");
    let texts = ["", &one, "", &text, "# a comment\n", "", &text[..200]];
    for shard in ["1/1", "1/2", "2/2", "1/3", "2/3", "3/3", "4/9"] {
        let folder = Folder::new();
        let sample = Sample::new(&folder.path(""), &texts, shard);
        let whole = folder.path("whole");
        let expected = sample.run(&whole, &Way::step_by_step(None)).unwrap();
        let puzzles: u64 = expected.iter().map(|counts| counts.puzzles).sum();
        for end in 0..=puzzles {
            let pieces = folder.path(&end.to_string());
            let first = sample.run(&pieces, &Way::step_by_step(Some((end, true))));
            assert_eq!(first, Err(None), "{shard} {end}");
            let found = sample.run(&pieces, &Way::step_by_step(None));
            assert_eq!(found, Ok(expected.clone()), "{shard} {end}");
            assert!(fs::read(&pieces).unwrap() == fs::read(&whole).unwrap(), "{shard} {end}");
        }
    }
}

#[test]
#[ignore = "its seed is the time"]
fn whatever_comes_together_the_bytes_are_the_same() {
    let seconds = std::env::var("NINEFOLD_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let time = Duration::from_secs(seconds.unwrap_or(20));
    let (started, mut lots, mut done) = (Instant::now(), Lots::printed(), Done::default());
    // The panics that are made here need not be told.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |about| {
        if about.payload().downcast_ref() != Some(&"enough") {
            tell(about);
        }
    }));
    while started.elapsed() < time {
        let folder = Folder::new();
        let texts: Vec<_> = (0..=lots.below(4))
            .map(|_| different(*one_of(&mut lots, &[0, 1, 2000, 60_000])).0)
            .collect();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let shards = 1 + lots.below(3);
        let shard = format!("{}/{shards}", 1 + lots.below(shards));
        in_any_way(&Sample::new(&folder.path(""), &texts, &shard), &folder, &mut lots, &mut done);
        done.rounds += 1;
    }
    println!("{done:?} in {:?}", started.elapsed());
    assert!(done.rounds > 0);
}

/// Chunks of any length, and runs that end anywhere.
fn in_any_way(sample: &Sample, folder: &Folder, lots: &mut Lots, done: &mut Done) {
    let (whole, pieces) = (folder.path("whole"), folder.path("pieces"));
    let way = |lots: &mut Lots, end| Way {
        pipeline: Pipeline { threads: size(lots, 8), chunk_size: Some(size(lots, 300_000)) },
        engine: *one_of(lots, &[EngineKind::Lanes, EngineKind::Mrv]),
        is_mapped: lots.below(2) == 0,
        interval: Duration::from_millis(lots.below(5)),
        end,
    };
    let expected = sample.run(&whole, &way(lots, None)).unwrap();
    let all: u64 = expected.iter().map(|counts| counts.puzzles).sum();
    let mut puzzles = 0;
    loop {
        let end = Some((puzzles + lots.below(all / 2 + 2), lots.below(3) == 0));
        match sample.run(&pieces, &way(lots, end)) {
            Err(None) => done.panics += 1,
            Err(Some(so_far)) => (puzzles, done.cancellations) = (so_far, done.cancellations + 1),
            Ok(found) => break assert_eq!(found, expected),
        }
        // However little each run gets on, the next one ends later.
        puzzles += 1 + puzzles / 4;
    }
    assert!(fs::read(&whole).unwrap() == fs::read(&pieces).unwrap());
}
