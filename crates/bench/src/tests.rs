//! The measurement with a clock that the engines themselves set: its results are known in advance.

use crate::Error;
use crate::changes::verdict;
use crate::contender::Contender;
use crate::list::BenchList;
use crate::report::BenchReport;
use crate::run::Bench;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Answer, Branch, Engine, EngineKind, Visit};
use ninefold_core::puzzle::{Grid, Puzzle, Random};
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The puzzles of a list; lines that begin with `#` are notes.
fn list(text: &str, count: usize) -> BenchList {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let puzzles = lines.take(count).map(|line| line.parse().unwrap());
    BenchList::new("list", "", puzzles.collect(), 1)
}

const EASY: &str = include_str!("../../../data/easy.txt");

/// Nanoseconds that a test counts.
type BenchClock = Arc<AtomicU64>;

/// The puzzles that engines were asked for, in order, with the seed of the engine.
type Log = Arc<Mutex<Vec<(u64, Vec<Grid>)>>>;

/// Solves as `mrv` does, and claims a time for each puzzle, give or take up to a tenth; the whole batch
/// is up to a tenth faster or slower again, as on a real machine.
struct Told {
    inner: Box<dyn Engine>,
    clock: BenchClock,
    nanoseconds: u64,
    seed: u64,
    noise: Random,
    log: Log,
    /// Set when it is looked at: in the middle of a puzzle.
    looked_at: Arc<AtomicBool>,
}

impl Told {
    fn new(clock: &BenchClock, nanoseconds: u64, seed: u64) -> Self {
        let (inner, clock, noise) = (EngineKind::Mrv.build(), clock.clone(), Random::new(seed));
        let (log, looked_at) = (Log::default(), Arc::default());
        Self { inner, clock, nanoseconds, seed, noise, log, looked_at }
    }

    fn noisy(&mut self, nanoseconds: u64) -> u64 {
        nanoseconds * (90 + self.noise.below(21) as u64) / 100
    }
}

impl Engine for Told {
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch) {
        self.clock.fetch_add(self.nanoseconds, Relaxed);
        self.looked_at.store(true, Relaxed);
        self.inner.search(puzzle, visit, branch);
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.inner.solve_batch(puzzles, limit, answers);
        let all: u64 = puzzles.iter().map(|_| self.noisy(self.nanoseconds)).sum();
        let all = self.noisy(all);
        self.clock.fetch_add(all, Relaxed);
        self.log.lock().unwrap().push((self.seed, puzzles.to_vec()));
    }
}

fn contender(name: &str, engine: impl Engine + 'static) -> Contender {
    Contender::engine(name, Box::new(engine))
}

fn built_in(kind: EngineKind) -> Contender {
    Contender::built_in(kind, SimdLevel::best())
}

/// A measurement in the mode unique, by a clock that stands still.
fn bench<'a>(list: &'a BenchList, contenders: &'a [Contender], milliseconds: u64) -> Bench<'a> {
    Bench {
        lists: slice::from_ref(list),
        contenders,
        baseline: contenders.first().map_or("", |it| &it.name),
        seed: 1,
        seconds: Duration::from_millis(milliseconds).as_secs_f64(),
        clock: &|| 0.0,
        cancelled: &|| false,
        progress: &|_, _| {},
    }
}

/// By the clock that the engines set.
fn run_told(
    clock: &BenchClock,
    puzzles: usize,
    contenders: &[Contender],
    milliseconds: u64,
) -> BenchReport {
    let now = || Duration::from_nanos(clock.load(Relaxed)).as_secs_f64();
    let list = list(EASY, puzzles);
    Bench { clock: &now, ..bench(&list, contenders, milliseconds) }.run().unwrap()
}

/// By the clock of the system.
fn run(
    list: &BenchList,
    contenders: &[Contender],
    milliseconds: u64,
) -> Result<BenchReport, Error> {
    let started = Instant::now();
    Bench { clock: &|| started.elapsed().as_secs_f64(), ..bench(list, contenders, milliseconds) }
        .run()
}

#[test]
fn a_slowed_engine_is_told_apart_and_an_unchanged_one_is_not() {
    let measured = |nanoseconds, noise| {
        let clock = BenchClock::default();
        run_told(&clock, 5, &[contender("told", Told::new(&clock, nanoseconds, noise))], 4)
    };
    let before = measured(10_000, 0);
    let interval = |report: &BenchReport| report.rows[0].interval();
    for noise in 1..=20 {
        let verdict = |ns| verdict(interval(&before), interval(&measured(ns, noise)));
        assert_eq!(verdict(10_000), Some("same"), "noise {noise}");
        assert_eq!(verdict(13_000), Some("slower"), "noise {noise}");
        assert_eq!(verdict(7_500), Some("faster"), "noise {noise}");
        let now = measured(10_000, noise).rows[0].estimate().unwrap();
        assert!((now.middle / 10_000.0 - 1.0).abs() < 0.1, "{now:?}");
    }
    let mut few = measured(20_000, 1);
    few.rows[0].rounds.truncate(5);
    assert_eq!(verdict(interval(&before), interval(&few)), None);
}

#[test]
fn rounds_are_interleaved_and_no_puzzle_looks_the_same_twice() {
    let (clock, log) = (BenchClock::default(), Log::default());
    let told = (0..3).map(|it| Told { log: Arc::clone(&log), ..Told::new(&clock, 10_000, it) });
    let told: Vec<_> = told.map(|it| contender("told", it)).collect();
    let report = run_told(&clock, 20, &told, 50);
    assert!(report.rounds >= 5 && report.rows.iter().all(|row| row.rounds.len() == report.rounds));

    // After the warm-up: A B C A B C …
    let log = log.lock().unwrap();
    let rounds: Vec<_> = log[log.len() - 3 * report.rounds..].chunks(3).collect();
    for round in &rounds {
        assert_eq!([round[0].0, round[1].0, round[2].0], [0, 1, 2]);
        // All have the same puzzles: a longer batch begins with the shorter one.
        for (_, other) in &round[1..] {
            let both = round[0].1.len().min(other.len());
            assert_eq!(round[0].1[..both], other[..both]);
        }
    }
    let all: Vec<_> = rounds.iter().flat_map(|round| &round[0].1).collect();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}

#[test]
fn an_engine_too_slow_for_the_list_gets_a_part_of_it() {
    let clock = BenchClock::default();
    let slow = contender("slow", Told::new(&clock, 2_000_000, 1));
    let fast = contender("fast", Told::new(&clock, 100_000, 1));
    let report = run_told(&clock, 300, &[slow, fast], 2_000);
    let [slow, fast] = &report.rows[..] else { panic!("{report:?}") };
    assert!(slow.sample && slow.puzzles_per_round < 300, "{slow:?}");
    assert!(!fast.sample && fast.puzzles_per_round % 300 == 0, "{fast:?}");
    let times = report.ratio(fast).unwrap();
    assert!((18.0..22.0).contains(&times), "{times}");
}

/// Wikipedia's puzzle against brute force: hours for `scan` unless it is stopped.
fn brute_force() -> BenchList {
    let text = include_str!("../../../data/named.txt");
    list(text.lines().last().unwrap(), 1)
}

#[test]
fn an_engine_without_a_bound_is_stopped_and_one_in_time_has_answered() {
    const FOREVER: u64 = 1 << 40;
    let (list, ticks) = (brute_force(), Cell::new(0));
    let clock = || Duration::from_millis(ticks.replace(ticks.get() + 1)).as_secs_f64();
    let seen = |kind: EngineKind, milliseconds, cancelled: bool| {
        let bench = bench(&list, &[], milliseconds);
        let bench = Bench { clock: &clock, cancelled: &|| cancelled, ..bench };
        bench.look(kind.build().as_mut(), &list.puzzles[0])
    };
    assert_eq!(seen(EngineKind::Scan, 1_000, false), None);
    assert!((100..110).contains(&ticks.get()), "{ticks:?}");
    assert_eq!(seen(EngineKind::Scan, FOREVER, true), None);
    for kind in [EngineKind::Dlx, EngineKind::Mrv, EngineKind::Lanes] {
        let answer = kind.build().solve(&list.puzzles[0].givens(), 2);
        assert_eq!(seen(kind, FOREVER, false), Some(answer), "{kind}");
    }
}

#[test]
fn an_engine_without_a_bound_is_given_up_on() {
    let contenders = [built_in(EngineKind::Scan), built_in(EngineKind::Lanes)];
    let report = run(&brute_force(), &contenders, 2_000).unwrap();
    let [scan, lanes] = &report.rows[..] else { panic!("{report:?}") };
    assert!(scan.at_least.is_some() && scan.estimate().is_none(), "{scan:?}");
    // It was given up on after 200 ms, and is twice as slow as otherwise while looked at.
    let at_most = scan.rate().unwrap();
    assert!((0.01..=10.5).contains(&at_most), "{at_most}");
    assert!(lanes.at_least.is_none() && lanes.rate().unwrap() > at_most, "{lanes:?}");
    assert_eq!(report.ratio(lanes), None);
}

/// Finds one solution of each puzzle, and counts `of_tenth` for every tenth; with 0 it leaves out the
/// answers after the first.
struct Errs {
    inner: Box<dyn Engine>,
    of_tenth: usize,
}

impl Engine for Errs {
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, branch: &mut Branch) {
        let mut visit_first = |first: &_| {
            let _ = visit(first);
            ControlFlow::Break(())
        };
        self.inner.search(puzzle, &mut visit_first, branch);
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.inner.solve_batch(puzzles, limit, answers);
        answers.truncate(if self.of_tenth == 0 { 1 } else { puzzles.len() });
        answers.iter_mut().step_by(10).for_each(|answer| answer.count = self.of_tenth.max(1));
    }
}

/// Without another engine, too: the solutions were counted before.
#[test]
fn a_wrong_answer_ends_it() {
    /// Two solutions: 6 and 7 may change places.
    const TWO: &str =
        "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
    let errs = |of_tenth| contender("errs", Errs { inner: EngineKind::Mrv.build(), of_tenth });
    let (easy, two) = (list(EASY, 20), list(TWO, 1));
    for (list, contenders, why) in [
        (&easy, vec![built_in(EngineKind::Dlx), errs(2)], "2 solutions counted, expected 1"),
        (&two, vec![errs(1)], "1 solutions counted, expected 2"),
        (&easy, vec![errs(0)], "no answer"),
    ] {
        let wrong = run(list, &contenders, 100).unwrap_err().to_string();
        assert!(wrong.starts_with(&format!("errs: {why}; the puzzle is ")), "{wrong}");
    }
}

#[test]
fn the_rounds_before_a_cancellation_are_kept() {
    let run = |steps| {
        let clock = BenchClock::default();
        let told = [0, 1, 2].map(|it| contender("told", Told::new(&clock, 10_000, it)));
        let seen = Cell::new(0);
        let now = || Duration::from_nanos(clock.load(Relaxed)).as_secs_f64();
        let progress = |share, _: &str| {
            assert!((0..=1000).contains(&share));
            seen.set(seen.get() + 1);
        };
        let (list, cancelled) = (list(EASY, 20), || seen.get() >= steps);
        let (clock, bench) = (&now, bench(&list, &told, 50));
        let report = Bench { clock, cancelled: &cancelled, progress: &progress, ..bench }.run();
        let report = report.unwrap();
        assert!(report.interrupted && seen.get() == steps);
        report.rows.iter().map(|row| row.rounds.len()).collect::<Vec<_>>()
    };
    assert_eq!([run(1), run(6), run(8)], [[0, 0, 0], [1, 1, 1], [2, 2, 1]]);
}

/// The clock stands still, so no engine is given up on.
#[test]
fn a_puzzle_that_is_left_when_it_is_cancelled_is_not_given_up_on() {
    let told = Told { inner: EngineKind::Scan.build(), ..Told::new(&BenchClock::default(), 0, 1) };
    let ended = Arc::clone(&told.looked_at);
    let (list, contenders) = (brute_force(), [contender("ends", told)]);
    let cancelled = || ended.load(Relaxed);
    let bench = bench(&list, &contenders, 9_000);
    let report = Bench { cancelled: &cancelled, ..bench }.run().unwrap();
    let row = &report.rows[0];
    assert!(report.interrupted && row.rate().is_none(), "{row:?}");
}
