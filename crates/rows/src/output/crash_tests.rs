//! The transaction as a state machine: a crash before every single operation on the disk, then
//! `--resume`, for every combination of outputs. No clock and no randomness.
//!
//! A compressed output that was continued has the same text, in other bytes: see `encoder`.

use super::disk_tests::{self as crash, Crash};
use super::log::Log;
use super::partial::{log_path, partial_path};
use super::{Begun, Error, Mode, Plan, Planned, Transaction};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const PIECES: usize = 3;

/// Which outputs a run has.
#[derive(Clone, Copy, Debug)]
struct Case {
    rejects: bool,
    statistics: bool,
    /// Old files of the same names exist.
    force: bool,
    /// How records and rejects are compressed.
    ending: &'static str,
}

fn cases() -> impl Iterator<Item = Case> {
    let endings: &[_] = if cfg!(feature = "compression") { &["", ".gz", ".zst"] } else { &[""] };
    let switches = (0..8).map(|bits| [1, 2, 4].map(|bit| bits & bit != 0));
    switches.flat_map(|[rejects, statistics, force]| {
        endings.iter().map(move |ending| Case { rejects, statistics, force, ending })
    })
}

/// The outputs of a case, in a folder of its own.
struct Outputs {
    case: Case,
    folder: TempDir,
}

/// The name and content of every file.
type Files = BTreeMap<String, Vec<u8>>;

#[derive(Debug, PartialEq)]
enum Ended {
    Written,
    Committed,
    Done,
}

impl Outputs {
    fn new(case: Case) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let outputs = Self { case, folder };
        if case.force {
            outputs.paths().iter().for_each(|path| fs::write(path, "old").unwrap());
        }
        outputs
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn records(&self) -> PathBuf {
        self.path(&format!("out{}", self.case.ending))
    }

    fn rejects(&self) -> Option<PathBuf> {
        self.case.rejects.then(|| self.path(&format!("rejects{}", self.case.ending)))
    }

    fn statistics(&self) -> Option<PathBuf> {
        self.case.statistics.then(|| self.path("statistics"))
    }

    fn paths(&self) -> Vec<PathBuf> {
        [Some(self.records()), self.rejects(), self.statistics()].into_iter().flatten().collect()
    }

    fn first_mode(&self) -> Mode {
        if self.case.force { Mode::Replace } else { Mode::New }
    }

    fn plan(&self, mode: Mode) -> Plan {
        let mut outputs = vec![Planned::from(Some(self.records()))];
        outputs.extend(self.rejects().map(|path| {
            let header = b"header of rejects\n".to_vec();
            Planned { header, ..Some(path).into() }
        }));
        let mut plan = Plan::new(outputs, mode);
        plan.statistics = self.statistics().map(|path| Some(path).into());
        plan.interval = Duration::ZERO;
        plan.resumable(json!({"case": format!("{:?}", self.case)}), json!(0))
    }

    /// Runs to the end, or to the crash that awaits this thread.
    fn run(&self, mode: Mode) -> Result<Ended, Error> {
        match Transaction::begin(self.plan(mode))? {
            Begun::Done(reached) if reached == PIECES => Ok(Ended::Done),
            Begun::Committed(reached) if reached == PIECES => Ok(Ended::Committed),
            Begun::Done(reached) | Begun::Committed(reached) => panic!("{reached}"),
            Begun::Open(mut run) => {
                write(&mut run, PIECES)?;
                run.commit(|_, _| "all pieces".to_owned())?;
                Ok(Ended::Written)
            }
        }
    }

    /// Begins a run that is not complete.
    fn begin(&self, mode: Mode) -> Transaction {
        let begun = Transaction::begin(self.plan(mode)).unwrap();
        let Begun::Open(run) = begun else { panic!("it is complete") };
        run
    }

    fn files(&self) -> Files {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())
        });
        files.collect()
    }

    /// Whether a run that was to replace files has left no trace.
    fn is_untouched(&self) -> bool {
        let is_old = |path: &Path| fs::read(path).is_ok_and(|found| found == b"old");
        self.case.force && self.paths().iter().all(|path| is_old(path))
    }

    /// Continues after a crash. A run that replaces files and crashes before its log exists cannot
    /// be continued; then it has changed nothing, and is started again.
    fn resume(&self) -> Result<Ended, Error> {
        let has_begun = log_path(&self.records()).exists();
        let is_untouched = self.is_untouched() && !has_begun;
        match self.run(Mode::Resume) {
            Err(_) if is_untouched => self.run(Mode::Replace),
            result => result,
        }
    }
}

/// Writes pieces from where an earlier run stopped. A piece is longer than a block, or not.
fn write(run: &mut Transaction, pieces: usize) -> Result<(), Error> {
    let from = run.resumed()?.unwrap_or(0);
    let lines = |piece: usize| {
        let lines = (0..[20, 150, 70][piece]).map(move |line| format!("{piece} {}\n", line * line));
        lines.collect::<String>()
    };
    if let Some(mut written) = run.written()? {
        let mut text = String::new();
        written.read_to_string(&mut text).unwrap();
        let before = (0..from).map(lines).collect::<String>();
        assert!(text.is_empty() && from == 0 || text == ["header\n", &before].concat());
    }
    run.write_preamble(0, b"header\n")?;
    for piece in from..pieces {
        run.write(0, lines(piece).as_bytes())?;
        let rejects = if piece == 0 { String::new() } else { format!("reject {piece}\n") };
        run.write(1, rejects.repeat(100).as_bytes())?;
        run.checkpoint(|reached| *reached = json!(piece + 1))?;
    }
    Ok(())
}

fn undisturbed(case: Case) -> Files {
    let outputs = Outputs::new(case);
    assert_eq!(outputs.run(outputs.first_mode()).unwrap(), Ended::Written);
    let files = outputs.files();
    assert_eq!(files.len(), outputs.paths().len(), "{case:?}: nothing else is left: {files:?}");
    files
}

/// Calls `then` after a crash at each step of `run`, until there is none. Gives the number of steps.
fn at_every_step(
    outputs: impl Fn() -> Outputs,
    run: impl Fn(&Outputs) -> Result<Ended, Error>,
    then: impl Fn(&Outputs, &Crash, usize),
) -> usize {
    for step in 1.. {
        let outputs = outputs();
        let crash = Crash::after(step);
        let result = run(&outputs);
        crash::inherit(None);
        if !crash.has_come() {
            result.unwrap();
            return step - 1;
        }
        then(&outputs, &crash, step);
    }
    unreachable!("a run has an end")
}

/// The files as their readers see them. What follows the first gzip member is not read.
fn texts(files: &Files) -> Files {
    let text = |(name, bytes): (&String, &Vec<u8>)| {
        let mut text = Vec::new();
        match name.rsplit_once('.') {
            #[cfg(feature = "compression")]
            Some((_, "gz")) => flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text),
            #[cfg(feature = "compression")]
            Some((_, "zst")) => zstd::Decoder::new(&bytes[..]).unwrap().read_to_end(&mut text),
            _ => (&bytes[..]).read_to_end(&mut text),
        }
        .unwrap();
        (name.clone(), text)
    };
    files.iter().map(text).collect()
}

fn assert_complete(outputs: &Outputs, expected: &Files, step: &str) {
    let mut found = outputs.files();
    let log = log_path(&outputs.records());
    let is_kept = found.remove(log.file_name().unwrap().to_str().unwrap()).is_some();
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    let case = outputs.case;
    assert_eq!(names(&found), names(expected), "{case:?}, crash at {step}");
    assert!(texts(&found) == texts(expected), "{case:?}, crash at {step}");
    // A run that was not resumed leaves no log.
    match outputs.run(Mode::Resume) {
        Ok(ended) => assert!(ended == Ended::Done && is_kept, "{case:?}, crash at {step}"),
        Err(error) => {
            let why = format!("exists, and there is no {}: ", log.display());
            assert!(error.cause.to_string().starts_with(&why) && !is_kept, "{error:?}");
        }
    }
}

#[test]
fn a_run_that_crashes_at_any_step_is_completed_by_the_next_one() {
    for case in cases() {
        let expected = undisturbed(case);
        let steps = at_every_step(
            || Outputs::new(case),
            |outputs| outputs.run(outputs.first_mode()),
            |outputs, _, step| {
                let resumed = outputs.resume();
                resumed.unwrap_or_else(|error| panic!("{case:?}, step {step}: {error:?}"));
                assert_complete(outputs, &expected, &step.to_string());
            },
        );
        assert!(steps > 30, "{steps}");
    }
}

/// What was written and not synced is lost.
#[test]
fn a_power_failure_at_any_step_costs_nothing_that_the_log_refers_to() {
    for case in cases() {
        let expected = undisturbed(case);
        at_every_step(
            || Outputs::new(case),
            |outputs| outputs.run(outputs.first_mode()),
            |outputs, crash, step| {
                crash.lose_power(outputs.folder.path());
                let resumed = outputs.resume();
                resumed.unwrap_or_else(|error| panic!("{case:?}, step {step}: {error:?}"));
                assert_complete(outputs, &expected, &step.to_string());
            },
        );
    }
}

#[test]
fn a_second_crash_at_any_step_of_the_resumed_run_changes_nothing() {
    let all = |case: &Case| case.rejects && case.statistics && case.force;
    for case in cases().filter(all) {
        let expected = undisturbed(case);
        let first = |step| {
            let outputs = Outputs::new(case);
            let crash = Crash::after(step);
            let result = outputs.run(outputs.first_mode());
            crash::inherit(None);
            (outputs, crash.has_come(), result)
        };
        // Encoders take most of the time: with them, every seventh step is the first.
        let stride = if case.ending.is_empty() { 1 } else { 7 };
        for step in (1..).step_by(stride) {
            let (_, has_crashed, _) = first(step);
            if !has_crashed {
                break;
            }
            at_every_step(
                || first(step).0,
                Outputs::resume,
                |outputs, _, second| {
                    outputs.resume().unwrap();
                    assert_complete(outputs, &expected, &format!("{step} and {second}"));
                },
            );
        }
    }
}

#[test]
fn a_suspended_run_continues_as_its_hint_says() {
    for case in cases() {
        let expected = undisturbed(case);
        for pieces in 0..=PIECES {
            let outputs = Outputs::new(case);
            let mut run = outputs.begin(outputs.first_mode());
            write(&mut run, pieces).unwrap();
            let hint = run.suspend("the same command").unwrap();
            let files = [Some(outputs.records()), outputs.rejects()].into_iter().flatten();
            let files = files.map(|path| partial_path(&path).display().to_string());
            let files = files.collect::<Vec<_>>().join(" and ");
            let instead = if case.force { " instead of --force" } else { "" };
            let so_far = format!("the records so far are in {files}: with --resume{instead}");
            assert_eq!(hint, format!("{so_far} the same command continues"));
            assert!(!partial_path(&outputs.path("statistics")).exists());
            assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Written);
            assert_complete(&outputs, &expected, "suspend");
        }
    }
}

/// The first defect: one of two files to be replaced exists.
#[test]
fn a_run_that_replaces_one_of_its_files_is_resumed() {
    let case = Case { rejects: true, statistics: true, force: false, ending: "" };
    let expected = undisturbed(case);
    let outputs = Outputs::new(case);
    fs::write(outputs.path("rejects"), "old").unwrap();
    let mut run = outputs.begin(Mode::Replace);
    write(&mut run, 1).unwrap();
    let hint = run.suspend("the same command").unwrap();
    let continues = "with --resume instead of --force the same command continues";
    assert!(hint.ends_with(continues), "{hint}");
    assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Written);
    assert_complete(&outputs, &expected, "suspend");
}

#[test]
fn an_existing_file_is_never_replaced_unless_that_was_asked_for() {
    let case = Case { rejects: true, statistics: true, force: false, ending: "" };
    for name in ["out", "rejects", "statistics"] {
        // Before the run.
        let outputs = Outputs::new(case);
        fs::write(outputs.path(name), "precious").unwrap();
        let error = outputs.run(Mode::New).unwrap_err();
        assert_eq!(error.cause.to_string(), "exists; --force replaces it");
        assert_eq!(outputs.files().len(), 1, "nothing was created");
        // During the run.
        let outputs = Outputs::new(case);
        let mut run = outputs.begin(Mode::New);
        write(&mut run, PIECES).unwrap();
        fs::write(outputs.path(name), "precious").unwrap();
        let failed = run.commit(|_, _| "all pieces".to_owned()).unwrap_err();
        let why = failed.cause.to_string();
        assert_eq!(why, "was created by another program meanwhile");
        let (records, same) = (outputs.records(), ": with --resume the same command");
        let records = records.display();
        let left = match name {
            "statistics" => format!("{records} is complete{same} writes the statistics"),
            _ => format!("all records of {records} are written{same} names the files"),
        };
        assert_eq!(failed.hint, Some(left));
        assert!(outputs.run(Mode::Resume).is_err(), "{name}");
        assert_eq!(fs::read(outputs.path(name)).unwrap(), b"precious");
        // With the file out of the way, the commit is completed.
        fs::remove_file(outputs.path(name)).unwrap();
        assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Committed, "{name}");
        assert_complete(&outputs, &undisturbed(case), name);
    }
}

#[test]
fn two_outputs_are_not_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = || Some(folder.path().join("one"));
    let two = Plan::new(vec![target().into(), target().into()], Mode::New);
    let mut with_statistics = Plan::new(vec![target().into()], Mode::New);
    with_statistics.statistics = Some(target().into());
    for plan in [two, with_statistics] {
        let error = plan.check().unwrap_err();
        assert_eq!(error.cause.to_string(), "is also read, or written to, by this run");
    }
}

/// The time is kept although nothing was written after the last checkpoint.
#[test]
fn a_suspended_run_keeps_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let begin = |mode| {
        let target = Some(folder.path().join("out"));
        let plan = Plan::new(vec![target.into()], mode).resumable(json!({}), json!(0));
        let Begun::Open(run) = Transaction::begin(plan).unwrap() else { panic!("not complete") };
        run
    };
    let mut run = begin(Mode::New);
    run.write(0, b"1\n").unwrap();
    run.checkpoint(|records| *records = json!(1)).unwrap();
    let path = folder.path().join("out");
    let suspend = |run: Transaction| {
        run.suspend("");
        Log::read(&path, &json!({})).unwrap().unwrap().line.time
    };
    let earlier = suspend(run);
    assert!(suspend(begin(Mode::Resume)) > earlier, "{earlier:?}");
}

/// The records are named, and the statistics cannot be written: a file is in the way.
#[test]
fn statistics_that_could_not_be_written_are_written_by_a_later_run() {
    let case = Case { rejects: true, statistics: true, force: false, ending: "" };
    let outputs = Outputs::new(case);
    let mut run = outputs.begin(Mode::New);
    write(&mut run, PIECES).unwrap();
    fs::write(outputs.path("statistics"), "theirs").unwrap();
    run.commit(|_, _| "all pieces".to_owned()).unwrap_err();
    fs::remove_file(outputs.path("statistics")).unwrap();
    let mut without = outputs.plan(Mode::Resume);
    without.statistics = None;
    assert!(matches!(Transaction::begin(without), Ok(Begun::Committed(_))));
    assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Done);
    assert_complete(&outputs, &undisturbed(case), "the end");
}

/// A byte of what was written is changed, early or late. Nothing is cut, and nothing more is written.
#[test]
fn bytes_that_were_changed_after_they_were_written_are_noticed() {
    for case in cases().filter(|case| case.rejects && !case.statistics && !case.force) {
        let outputs = Outputs::new(case);
        let mut run = outputs.begin(Mode::New);
        write(&mut run, 2).unwrap();
        run.suspend("");
        let whole = outputs.files();
        let mut changed = 0;
        for path in [outputs.records(), outputs.rejects().unwrap()].map(|path| partial_path(&path))
        {
            let bytes = fs::read(&path).unwrap();
            let log = fs::read_to_string(log_path(&outputs.records())).unwrap();
            let line: Value = serde_json::from_str(log.lines().next_back().unwrap()).unwrap();
            let is_rejects = path.file_name().unwrap().to_str().unwrap().starts_with("rejects");
            let place = usize::from(is_rejects);
            let kept = line["phase"]["writing"][place]["file"]["bytes"].as_u64().unwrap();
            let kept = usize::try_from(kept).unwrap();
            for place in [0, kept / 2, kept.saturating_sub(1)].into_iter().filter(|&it| it < kept) {
                let mut other = bytes.clone();
                other[place] ^= 1;
                fs::write(&path, &other).unwrap();
                let found = outputs.files();
                let error = Transaction::begin(outputs.plan(Mode::Resume)).err().unwrap();
                let why = error.cause.to_string();
                assert!(why.contains("--force begins anew"), "{case:?}, byte {place}: {why}");
                assert!(why.contains(path.file_name().unwrap().to_str().unwrap()), "{why}");
                assert_eq!(outputs.files(), found);
                changed += 1;
            }
            fs::write(&path, &bytes).unwrap();
        }
        assert!(changed >= 3, "{case:?}");
        assert_eq!(outputs.files(), whole);
        assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Written);
        assert_complete(&outputs, &undisturbed(case), "the end");
    }
}

/// Whatever happens to the files of a complete run is noticed, and nothing is written.
#[test]
fn files_are_taken_for_those_of_the_run_only_if_they_are() {
    for case in cases().filter(|case| !case.force) {
        let outputs = Outputs::new(case);
        assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Written);
        assert_complete(&outputs, &undisturbed(case), "the end");
        let refused = |expected: &str| {
            let before = outputs.files();
            let why = outputs.run(Mode::Resume).unwrap_err().cause.to_string();
            assert!(why.contains(expected) && why.contains("--force"), "{case:?}: {why}");
            assert_eq!(outputs.files(), before);
        };
        for path in [Some(outputs.records()), outputs.rejects()].into_iter().flatten() {
            let bytes = fs::read(&path).unwrap();
            let mut other = bytes.clone();
            other[bytes.len() / 2] ^= 1;
            fs::write(&path, &other).unwrap();
            refused(&format!(
                "it has {} bytes as before, but others",
                crate::Grouped(bytes.len() as u64)
            ));
            for other in [&b""[..], b"junk", &[&bytes[..], b"\n"].concat()] {
                fs::write(&path, other).unwrap();
                refused(&format!("it has {} bytes, and had ", crate::Grouped(other.len() as u64)));
            }
            fs::write(&path, &bytes).unwrap();
        }
        if let Some(rejects) = outputs.rejects() {
            let bytes = fs::read(&rejects).unwrap();
            fs::remove_file(&rejects).unwrap();
            refused("was written by an earlier run and is missing");
            fs::write(&rejects, bytes).unwrap();
        }
        let plan = outputs.plan(Mode::Resume).resumable(json!({"case": "another"}), json!(0));
        let why = plan.check().unwrap_err().cause.to_string();
        assert!(why.starts_with("is of another run: case was "), "{why}");
        assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Done);
        // The statistics are in the log, too.
        if let Some(statistics) = outputs.statistics() {
            fs::remove_file(&statistics).unwrap();
            let mut without = outputs.plan(Mode::Resume);
            without.statistics = None;
            assert!(matches!(Transaction::begin(without), Ok(Begun::Done(_))));
            assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Done);
            assert_complete(&outputs, &undisturbed(case), "statistics");
        }
        // Without the records there is nothing to recognise.
        fs::remove_file(outputs.records()).unwrap();
        for path in outputs.paths().split_off(1) {
            fs::remove_file(path).unwrap();
        }
        assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Written);
    }
}

/// The log of the complete run goes, and so do its files.
#[test]
fn a_run_that_replaces_the_files_of_a_resumed_one_may_crash_at_any_step() {
    let all = |case: &Case| case.rejects && case.statistics && !case.force;
    for case in cases().filter(all) {
        let expected = undisturbed(case);
        let complete = || {
            let outputs = Outputs::new(case);
            assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Written);
            outputs
        };
        let steps = at_every_step(
            || {
                crash::inherit(None);
                complete()
            },
            |outputs| outputs.run(Mode::Replace),
            |outputs, _, step| {
                let resumed = outputs.run(Mode::Resume);
                if resumed.is_err() {
                    outputs.run(Mode::Replace).unwrap();
                }
                assert_complete(outputs, &expected, &step.to_string());
            },
        );
        assert!(steps > 30, "{steps}");
        let outputs = complete();
        assert_eq!(outputs.run(Mode::Replace).unwrap(), Ended::Written);
        assert_eq!(outputs.files(), expected, "the log is gone");
    }
}

/// Another program removes or shortens a partial file while the run writes it.
#[cfg(unix)]
#[test]
fn a_partial_file_that_is_spoiled_is_named_and_not_continued() {
    let case = Case { rejects: true, statistics: false, force: false, ending: "" };
    for (spoiled, removes, commits) in (0..8).map(|bits| (bits & 1, bits & 2 != 0, bits & 4 != 0)) {
        let outputs = Outputs::new(case);
        let paths = [outputs.records(), outputs.rejects().unwrap()].map(|path| partial_path(&path));
        let mut run = outputs.begin(Mode::New);
        write(&mut run, 2).unwrap();
        let path = &paths[spoiled];
        if removes {
            fs::remove_file(path).unwrap();
        } else {
            fs::File::options().write(true).open(path).unwrap().set_len(7).unwrap();
        }
        let hint = if commits {
            let error = run.commit(|_, _| String::new()).unwrap_err();
            let why = error.cause.to_string();
            assert!(why.starts_with(if removes { "has been removed" } else { "another program" }));
            error.hint
        } else {
            run.suspend("the same command")
        };
        let so_far = format!("the records so far are in {}; ", paths[1 - spoiled].display());
        let damage = if removes { "has been removed, or " } else { "has 7 bytes, and had at " };
        let hint = hint.unwrap();
        assert!(hint.starts_with(&format!("{so_far}{} {damage}", path.display())), "{hint}");
        assert!(hint.ends_with("; --force begins anew"), "{hint}");
        let before = outputs.files();
        let why = outputs.run(Mode::Resume).unwrap_err().cause.to_string();
        assert!(why.contains("--force begins anew"), "{why}");
        assert!(outputs.files() == before && before.values().all(|bytes| !bytes.contains(&0)));
        assert_eq!(outputs.run(Mode::Replace).unwrap(), Ended::Written);
    }
}

/// A partial file is longer when the rest of the commit is done.
#[test]
fn what_another_program_appends_before_the_commit_is_complete_is_cut() {
    for case in cases().filter(|case| !case.statistics && !case.force) {
        let (outputs, expected) = (Outputs::new(case), undisturbed(case));
        let mut run = outputs.begin(Mode::New);
        write(&mut run, PIECES).unwrap();
        fs::write(outputs.records(), "in the way").unwrap();
        run.commit(|_, _| String::new()).unwrap_err();
        fs::remove_file(outputs.records()).unwrap();
        let mut file =
            fs::File::options().append(true).open(partial_path(&outputs.records())).unwrap();
        file.write_all(b"junk").unwrap();
        drop(file);
        assert_eq!(outputs.run(Mode::Resume).unwrap(), Ended::Committed);
        assert_complete(&outputs, &expected, "the end");
    }
}
