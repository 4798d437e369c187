//! The measurement with a clock that the engines themselves set: its results are known in advance.

use super::clock::{Clock, SystemClock};
use super::{Bench, Contender, List, Mode, Report, Verdict, compare};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Branch, Engine, EngineKind, Visit};
use crate::pipeline::{Cancel, Control, Event};
use crate::puzzle::{Grid, Puzzle, Random, Sukaku, parse};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The puzzles of a list; lines that begin with `#` are notes.
fn grids(text: &str) -> impl Iterator<Item = Grid> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| parse::line(line.as_bytes()).unwrap())
}

/// Nanoseconds that a test counts.
#[derive(Clone, Default)]
struct SetClock(Arc<AtomicU64>);

impl SetClock {
    fn go_on(&self, nanoseconds: u64) {
        self.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

/// What was asked, in order, and of whom: the engine with that noise.
type Log = Arc<Mutex<Vec<(u64, Vec<Grid>)>>>;

/// Solves as `mrv` does, and says that a puzzle took so long, give or take up to a tenth; the
/// whole batch is up to a tenth faster or slower again, for the machine has its moods.
struct Told {
    inner: Box<dyn Engine>,
    clock: SetClock,
    nanoseconds: u64,
    seed: u64,
    noise: Random,
    log: Log,
}

impl Told {
    fn new(clock: &SetClock, nanoseconds: u64, seed: u64) -> Self {
        let (inner, clock, noise) = (EngineKind::Mrv.build(), clock.clone(), Random::new(seed));
        Self { inner, clock, nanoseconds, seed, noise, log: Log::default() }
    }

    fn noisy(&mut self, nanoseconds: u64) -> u64 {
        nanoseconds * (90 + self.noise.below(21) as u64) / 100
    }
}

impl Engine for Told {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        self.inner.each_solution_of(sukaku, visit);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Puzzle,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> bool {
        self.clock.go_on(self.nanoseconds);
        self.inner.each_solution_observed(puzzle, visit, branch)
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.inner.solve_batch(puzzles, limit, answers);
        let all: u64 = puzzles.iter().map(|_| self.noisy(self.nanoseconds)).sum();
        let all = self.noisy(all);
        self.clock.go_on(all);
        self.log.lock().unwrap().push((self.seed, puzzles.to_vec()));
    }
}

fn list(count: usize) -> List {
    let easy = grids(include_str!("../../data/easy.txt")).take(count);
    List::new("easy", "falls to naked singles", easy)
}

fn contender(name: &str, engine: impl Engine + 'static) -> Contender {
    Contender::with_engines(name, None, vec![Box::new(engine)]).unwrap()
}

fn bench(contenders: Vec<Contender>, puzzles: usize, milliseconds: u64) -> Bench {
    bench_of(list(puzzles), vec![Mode::Unique], contenders, Duration::from_millis(milliseconds))
}

fn bench_of(list: List, modes: Vec<Mode>, contenders: Vec<Contender>, time: Duration) -> Bench {
    Bench { modes, time, ..Bench::new(vec![list], contenders) }
}

/// One engine of so many nanoseconds a puzzle, measured by its own clock.
fn run_told(nanoseconds: u64, noise: u64) -> Report {
    let clock = SetClock::default();
    let contenders = vec![contender("told", Told::new(&clock, nanoseconds, noise))];
    bench(contenders, 5, 4).run_by(&clock, Control::default()).unwrap()
}

#[test]
fn a_slowed_engine_is_told_apart_and_an_unchanged_one_is_not() {
    let before = run_told(10_000, 0);
    for noise in 1..=20 {
        let verdict = |nanoseconds| {
            let now = run_told(nanoseconds, noise);
            let changes = compare(&before, &now);
            assert_eq!(changes.len(), 1);
            changes[0].verdict
        };
        assert_eq!(verdict(10_000), Verdict::Same, "noise {noise}");
        assert_eq!(verdict(13_000), Verdict::Slower, "noise {noise}");
        assert_eq!(verdict(7_500), Verdict::Faster, "noise {noise}");
    }
}

#[test]
fn two_runs_agree_within_the_spread_that_they_state() {
    let before = run_told(10_000, 0).rows[0].nanoseconds().unwrap();
    for noise in 1..=20 {
        let now = run_told(10_000, noise).rows[0].nanoseconds().unwrap();
        let apart = (now.middle - before.middle).abs();
        assert!(apart <= now.half_width() + before.half_width(), "{before:?} and {now:?}");
        assert!((now.middle / 10_000.0 - 1.0).abs() < 0.1, "{now:?}");
    }
}

#[test]
fn too_few_rounds_say_nothing() {
    let (mut before, now) = (run_told(10_000, 0), run_told(20_000, 1));
    before.rows[0].rounds.truncate(1);
    assert_eq!(compare(&before, &now)[0].verdict, Verdict::Unknown);
}

#[test]
fn rounds_are_interleaved_and_no_puzzle_looks_the_same_twice() {
    let (clock, log) = (SetClock::default(), Log::default());
    let told = (0..3).map(|it| Told { log: Arc::clone(&log), ..Told::new(&clock, 10_000, it) });
    let contenders = told.map(|it| contender("told", it)).collect();
    let report = bench(contenders, 20, 50).run_by(&clock, Control::default()).unwrap();
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
    let clock = SetClock::default();
    let slow = contender("slow", Told::new(&clock, 2_000_000, 1));
    let fast = contender("fast", Told::new(&clock, 100_000, 1));
    let report = bench(vec![slow, fast], 300, 2_000).run_by(&clock, Control::default()).unwrap();
    let [slow, fast] = &report.rows[..] else { panic!("{report:?}") };
    assert!(slow.sample && slow.puzzles_per_round < 300 && slow.looked_at < 300, "{slow:?}");
    assert!(!fast.sample && fast.puzzles_per_round % 300 == 0, "{fast:?}");
    let times = report.ratio(fast, "slow").unwrap();
    assert!((18.0..22.0).contains(&times), "{times}");
    assert_eq!(report.ratio(slow, "slow"), Some(1.0));
}

/// A puzzle that takes `scan` hours.
fn brute_force() -> List {
    List::new("brute force", "", grids(include_str!("../../data/named.txt")).last())
}

#[test]
fn an_engine_without_a_bound_is_given_up_on() {
    let of = |kind: EngineKind| Contender::new(kind, SimdLevel::best(), 1).unwrap();
    let contenders = vec![of(EngineKind::Scan), of(EngineKind::Lanes)];
    let time = Duration::from_secs(2);
    let bench = bench_of(brute_force(), Mode::ALL.to_vec(), contenders, time);
    let report = bench.run(Control::default()).unwrap();
    let scan = &report.rows[2];
    assert_eq!((&*scan.label.engine, scan.mode, scan.given_up), ("scan", Mode::Unique, 1));
    assert_eq!((scan.nanoseconds(), scan.puzzles_per_second()), (None, None));
    // It was given up on after 200 ms, and is twice as slow as otherwise while looked at.
    let at_most = scan.less_than_per_second().unwrap();
    assert!((0.01..=10.5).contains(&at_most), "{at_most}");
    let lanes = &report.rows[3];
    assert!(lanes.given_up == 0 && lanes.puzzles_per_second().unwrap() > at_most, "{lanes:?}");
    let (branches, share) = (lanes.branches_per_puzzle(), lanes.share_without_search());
    assert_eq!(branches == Some(0.0), share == Some(1.0), "{lanes:?}");
    assert_eq!(report.ratio(lanes, "scan"), None);
}

/// Solves as `mrv` does, but finds a second solution of every tenth puzzle it is given at a time: of
/// the first, however few there was time for.
struct Errs(Box<dyn Engine>);

impl Engine for Errs {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        self.0.each_solution_of(sukaku, visit);
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        self.0.solve_batch(puzzles, limit, answers);
        answers.iter_mut().step_by(10).for_each(|answer| answer.count = 2);
    }
}

#[test]
fn a_wrong_answer_ends_it() {
    let clock = SystemClock::start();
    let errs = contender("errs", Errs(EngineKind::Mrv.build()));
    let dlx = Contender::new(EngineKind::Dlx, SimdLevel::best(), 1).unwrap();
    let wrong = bench(vec![dlx, errs], 20, 100).run_by(&clock, Control::default()).unwrap_err();
    assert_eq!(wrong.who.engine, "errs");
    assert!(wrong.to_string().contains("errs found 2 of "), "{wrong}");
}

/// Alone, too: a judge has counted before.
#[test]
fn a_wrong_count_is_seen_though_no_other_engine_is_measured() {
    struct Halves(Box<dyn Engine>);
    impl Engine for Halves {
        fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
            self.0.each_solution_of(sukaku, &mut |first| {
                let _ = visit(first);
                ControlFlow::Break(())
            });
        }
    }
    /// Two solutions: 6 and 7 may change places.
    const TWO: &str =
        "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
    let contenders = vec![contender("halves", Halves(EngineKind::Mrv.build()))];
    let two = List::new("two", "", grids(TWO));
    let bench = bench_of(two, vec![Mode::Unique], contenders, Duration::from_millis(50));
    let wrong = bench.run(Control::default()).unwrap_err().to_string();
    assert!(wrong.contains("halves found 1 of ") && wrong.contains("and dlx 2"), "{wrong}");
}

#[test]
fn threads_solve_everything_once_and_are_named() {
    let clock = SystemClock::start();
    let of = |threads| Contender::new(EngineKind::Lanes, SimdLevel::best(), threads).unwrap();
    let report = bench(vec![of(1), of(3)], 100, 200).run_by(&clock, Control::default()).unwrap();
    let [one, three] = &report.rows[..] else { panic!("{report:?}") };
    assert_eq!((one.label.threads, three.label.threads), (1, 3));
    assert!(three.label.to_string().ends_with(", 3 threads"));
    assert_eq!(report.efficiency(one), None);
    assert!(report.efficiency(three).unwrap() > 0.0);
}

#[test]
fn what_was_measured_before_it_is_cancelled_is_kept() {
    let run = |steps| {
        let clock = SetClock::default();
        let told = (0..3).map(|it| contender("told", Told::new(&clock, 10_000, it))).collect();
        let (cancel, mut seen) = (Cancel::default(), 0);
        let mut observer = |event: &Event| {
            let Event::Step { share, .. } = event else { return };
            assert!((0.0..=1.0).contains(share));
            seen += 1;
            if seen == steps {
                cancel.request();
            }
        };
        let control = Control::new(&cancel).observed_by(&mut observer);
        let report = bench(told, 20, 50).run_by(&clock, control).unwrap();
        assert!(report.interrupted);
        assert_eq!(seen, steps);
        report.rows.iter().map(|row| row.rounds.len()).collect::<Vec<_>>()
    };
    assert_eq!(run(1), [0, 0, 0]);
    assert_eq!(run(6), [1, 1, 1]);
    assert_eq!(run(8), [2, 2, 1]);
}

/// Solves as `scan` does, and cancels when it is looked at: in the middle of a puzzle.
struct Ends(Box<dyn Engine>, Cancel);

impl Engine for Ends {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        self.0.each_solution_of(sukaku, visit);
    }

    fn each_solution_observed(
        &mut self,
        puzzle: &Puzzle,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> bool {
        self.1.request();
        self.0.each_solution_observed(puzzle, visit, branch)
    }
}

/// The clock stands still, so no engine is given up on.
#[test]
fn a_puzzle_that_is_left_when_it_is_cancelled_is_not_given_up_on() {
    let cancel = Cancel::default();
    let contenders = vec![contender("ends", Ends(EngineKind::Scan.build(), cancel.clone()))];
    let time = Duration::from_secs(9);
    let bench = bench_of(brute_force(), vec![Mode::Unique], contenders, time);
    let report = bench.run_by(&SetClock::default(), Control::new(&cancel)).unwrap();
    let row = &report.rows[0];
    assert!(report.interrupted && row.branches.is_none(), "{row:?}");
    assert_eq!((row.looked_at, row.given_up, row.at_least), (0, 0, None));
}
