//! Whatever comes together: chunks and threads of any number, formats, ways in, kills, signals,
//! cancellations, panics; and each time the same bytes in the end.
//!
//! Each run has another seed, so `.ci/full` runs it. It has 50 kills at least. `NINEFOLD_SOAK_SECONDS` sets its length:
//!
//! ```sh
//! NINEFOLD_SOAK_SECONDS=600 cargo test --release --test program soak -- --ignored --nocapture
//! ```

#![expect(unsafe_code, reason = "files are mapped")]

use crate::support::{Folder, KILLED, Lots, different, log_path, partial_path, text_of};
use ninefold::engine::EngineKind;
use ninefold::input::{Mapping, Source};
use ninefold::output::{Begun, Mode, Plan, Transaction};
use ninefold::pipeline::{Cancel, Control, Event, Pipeline};
use ninefold::run::{Checkpoint, Error, Run};
use ninefold::solve::Solve;
use serde_json::json;
use std::error::Error as _;
use std::fs;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What has been done so far.
#[derive(Debug, Default)]
struct Done {
    rounds: usize,
    kills: usize,
    signals: usize,
    cancellations: usize,
    panics: usize,
}

/// A file of puzzles and its records.
struct Sample {
    text: String,
    records: String,
}

/// One of these, by lot.
fn one_of<'a, T>(lots: &mut Lots, all: &'a [T]) -> &'a T {
    &all[usize::try_from(lots.below(all.len() as u64)).unwrap()]
}

/// A number from 1 to about this one, small ones as likely as large ones.
fn size(lots: &mut Lots, most: u64) -> usize {
    let bits = u64::from(most.ilog2()) + 1;
    let power = 1 << lots.below(bits);
    usize::try_from(power + lots.below(power)).unwrap()
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
    let folder = Folder::new();
    let lines = [1, 2000, 60_000];
    let samples = lines.map(|lines| {
        let (text, records) = different(lines);
        Sample { text, records }
    });
    while started.elapsed() < time || done.kills < 50 {
        let sample = one_of(&mut lots, &samples);
        let round = folder.path(&done.rounds.to_string());
        fs::create_dir(&round).unwrap();
        match lots.below(2) {
            0 => in_process(&round, sample, &mut lots, &mut done),
            _ => as_program(&round, sample, &mut lots, &mut done),
        }
        fs::remove_dir_all(round).unwrap();
        done.rounds += 1;
    }
    println!("{done:?} in {:?}", started.elapsed());
    assert!(done.rounds > 0);
}

/// Chunks of any length, and runs that end anywhere, by the library.
fn in_process(folder: &Path, sample: &Sample, lots: &mut Lots, done: &mut Done) {
    let (input, output) = (folder.join("in.txt"), folder.join("out.txt"));
    fs::write(&input, &sample.text).unwrap();
    let limit = NonZeroUsize::new(2).unwrap();
    let mut puzzles = 0;
    loop {
        let pipeline = Pipeline { threads: size(lots, 8), chunk_size: Some(size(lots, 300_000)) };
        let engine = *one_of(lots, &[EngineKind::Lanes, EngineKind::Mrv]);
        let mut solve = Solve { limit, ..Solve::default() };
        solve.search.engine = engine;
        let run_of = Run { pipeline, ..Run::default() };
        let mut plan = Plan::new(vec![Some(output.clone()).into()], Mode::Resume)
            .resumable(json!({}), json!(Checkpoint::default()));
        plan.interval = Duration::from_millis(lots.below(5));
        let mut records = match Transaction::begin(plan) {
            Ok(Begun::Open(records)) => records,
            Ok(_) => panic!("it is not complete"),
            Err(error) => {
                let cause = error.source().map(ToString::to_string).unwrap_or_default();
                // A program that another test starts has the lock of this file until it is executed.
                if cause.starts_with("another run is writing ") {
                    continue;
                }
                panic!("{error}: {cause}");
            }
        };
        // SAFETY: nothing writes to the file while it is read.
        let mapping = unsafe { Mapping::allow() };
        let mapping = (lots.below(2) == 0).then_some(mapping);
        let source = Source::open(&input, mapping).unwrap();
        let after = puzzles + lots.below(sample.records.lines().count() as u64 / 2 + 2);
        let (cancel, panics) = (Cancel::default(), lots.below(3) == 0);
        // Ends the run by a cancellation or by a panic, after a number of puzzles.
        let mut observer = |event: &Event| match event {
            Event::Advanced(progress) if progress.items >= after => {
                assert!(!panics, "enough");
                cancel.request();
            }
            _ => {}
        };
        let control = Control::new(&cancel).observed_by(&mut observer);
        let run = AssertUnwindSafe(|| run_of.in_order(&solve, vec![source], &mut records, control));
        match catch_unwind(run) {
            Err(_) => done.panics += 1,
            Ok(Err(Error::Stopped { puzzles: so_far })) => {
                done.cancellations += 1;
                records.suspend("");
                puzzles = so_far;
            }
            Ok(result) => {
                let total = result.unwrap().total;
                assert_eq!(total.puzzles, sample.records.lines().count() as u64);
                assert_eq!(total.bytes, sample.text.len() as u64);
                records.commit(|_| String::new()).unwrap();
                break;
            }
        }
        // However little each run gets on, the next one ends later.
        puzzles += 1 + puzzles / 4;
    }
    assert!(fs::read_to_string(&output).unwrap() == sample.records);
    // The log of a run that may be resumed stays beside its complete output.
    assert!(!partial_path(&output).exists() && log_path(&output).exists());
}

/// How outputs are written.
const ENDINGS: &[&str] = &["txt", "txt", "gz", "zst"];

/// Where the lines go that are not answered: compressed for every other kind of records.
fn rejects_of(output: &Path) -> PathBuf {
    let plain = !cfg!(feature = "compression") || output.extension().is_some_and(|it| it == "gz");
    output.with_extension(if plain { "rejects" } else { "r.zst" })
}

/// Kills and signals, and any options, by the program.
fn as_program(folder: &Path, sample: &Sample, lots: &mut Lots, done: &mut Done) {
    let ending = *one_of(lots, if cfg!(feature = "compression") { ENDINGS } else { &["txt"] });
    let (input, output) = (folder.join("in.txt"), folder.join("out").with_extension(ending));
    fs::write(&input, &sample.text).unwrap();
    let format = *one_of(lots, &["line", "pair", "csv", "jsonl"]);
    let engine = *one_of(lots, &["lanes", "mrv", "masks"]);
    let rejects = lots.below(2) == 0;
    let command = |output: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.args(["solve", "-q", "--unique", "--format", format, "--engine", engine]);
        command.arg(&input).arg("-o").arg(output).args(more).stdin(Stdio::null());
        if rejects {
            command.arg("--rejects").arg(rejects_of(output));
        }
        command.stderr(Stdio::null());
        command
    };
    let whole = folder.join("whole").with_extension(ending);
    let code = command(&whole, &["-j1"]).status().unwrap().code();
    let mut ends = lots.below(20);
    loop {
        let threads = size(lots, 8).to_string();
        let mut more = vec!["--resume", "--flush-interval", "0.002", "-j", &threads];
        more.extend((lots.below(2) == 0).then_some("--no-mmap"));
        let mut child = command(&output, &more).spawn().unwrap();
        if ends > 0 {
            ends -= 1;
            std::thread::sleep(Duration::from_micros(lots.below(40_000)));
            // Windows has no signals.
            if cfg!(unix) && lots.below(3) == 0 {
                let mut term = Command::new("kill");
                // It may have come to its end before.
                let _ =
                    term.args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
                done.signals += 1;
            } else {
                child.kill().unwrap();
                done.kills += 1;
            }
        }
        let ended = child.wait().unwrap().code();
        let is_interrupted = [KILLED, Some(143)].contains(&ended);
        // It may have been ended after the file had its name.
        if output.exists() {
            assert!(ended == code || is_interrupted, "{ended:?}");
            break;
        }
        assert!(is_interrupted, "{ended:?}");
    }
    if format == "line" && ending == "txt" {
        assert!(fs::read_to_string(&whole).unwrap() == sample.records);
    }
    for of in [Path::to_path_buf, rejects_of] {
        let [whole, output] = [&whole, &output].map(|path| of(path));
        let texts = [&whole, &output].map(|path| path.exists().then(|| text_of(path)));
        assert!(texts[0] == texts[1], "{format} {engine} {ending}");
    }
}
