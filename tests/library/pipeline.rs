//! The pipeline as a library: order, counts, several inputs, and everything that can go wrong.

use crate::support::{EASY, NONE, SOLVED};
use ninefold::Status;
use ninefold::engine::{Answer, Branch, Engine, Visit};
use ninefold::input::{Layout, Source};
use ninefold::output::Sink;
use ninefold::pipeline::{Cancel, Control, Event, Pipeline};
use ninefold::puzzle::{Grid, Puzzle};
use ninefold::run::{Command, Counts, Error, Report, Run};
use ninefold::search::{MakeEngine, Search};
use ninefold::solve::Solve;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An output that sends on whatever is written.
struct Telling(Sender<Vec<u8>>);

impl Write for Telling {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn telling() -> (Sink, Receiver<Vec<u8>>) {
    let (sender, receiver) = channel();
    (Sink::from_writer("memory", Telling(sender)), receiver)
}

fn written(receiver: &Receiver<Vec<u8>>) -> String {
    String::from_utf8(receiver.try_iter().flatten().collect()).unwrap()
}

fn in_chunks(threads: usize, chunk_bytes: usize) -> Run {
    Run { pipeline: Pipeline { threads, chunk_size: Some(chunk_bytes) }, ..Run::default() }
}

/// One line a chunk, so that many chunks are under way.
fn in_chunks_of_100() -> Run {
    in_chunks(2, 100)
}

fn up_to(limit: usize) -> Solve {
    Solve { limit: NonZeroUsize::new(limit).unwrap(), ..Solve::default() }
}

/// Solves with an engine of one's own.
fn with(engine: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static) -> Solve {
    let own: MakeEngine = Arc::new(engine);
    let mut search = Search::default();
    search.own = Some(own);
    Solve { search, ..Solve::default() }
}

fn source(text: impl Into<Vec<u8>>) -> Source {
    Source::from_bytes("a.txt", text.into())
}

/// The records of a run with one line a chunk.
fn solve(threads: usize, limit: usize, sources: Vec<Source>) -> (String, Report) {
    let (sink, receiver) = telling();
    let run = in_chunks(threads, 1);
    let report = run.to(sink, &up_to(limit), sources, Control::default()).unwrap();
    (written(&receiver), report)
}

#[test]
fn several_inputs_are_named_and_each_counts_its_own_lines() {
    let text = format!("\u{feff}#\n{NONE}");
    let sources = ["a.txt", "no\nline\nend", "c.txt"];
    let sources = sources.map(|name| Source::from_bytes(name, text.clone().into()));
    let (records, report) = solve(2, 1, sources.into());
    let name = "no\u{fffd}line\u{fffd}end";
    let lines = ["a.txt", name, "c.txt"].map(|name| format!("# {name}: line 2: no solution\n"));
    assert_eq!(records, lines.concat());
    assert!(report.inputs.iter().all(|input| input.counts.lines == 2));
    assert_eq!(report.total.lines, 6);
}

#[test]
fn no_input_and_empty_inputs_have_no_records() {
    let nothing = Counts::new(Solve::default().counts());
    assert_eq!(solve(2, 1, vec![]).1.total, nothing);
    let empty = || source("").with_layout(Layout::default());
    let (records, report) = solve(2, 1, vec![empty(), empty()]);
    assert_eq!((records, report.total), (String::new(), nothing));
}

#[test]
fn the_observer_is_told_of_every_chunk_in_order() {
    let mut heard = Vec::new();
    let mut observer = |event: &Event| match event {
        Event::Began(progress) | Event::Advanced(progress) => heard.push(progress.items),
        _ => {}
    };
    let control = Control::default().observed_by(&mut observer);
    let text = format!("{EASY}\n").repeat(50);
    let sources = vec![source(text)];
    in_chunks(2, 1).to(telling().0, &Solve::default(), sources, control).unwrap();
    assert_eq!(heard, (0..=50).collect::<Vec<_>>());
}

/// A stream of what is sent, that waits for more.
struct Waiting(Receiver<&'static [u8]>);

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(bytes) = self.0.recv() else { return Ok(0) };
        buffer[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// Long enough for any machine; a test that passes does not wait for it.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn records_are_written_while_the_input_waits() {
    let (input, receiver) = channel();
    let waiting = Source::from_reader("slow", Waiting(receiver)).with_layout(Layout::default());
    let (sink, output) = telling();
    let run = std::thread::spawn(move || {
        in_chunks_of_100().to(sink, &Solve::default(), vec![waiting], Control::default())
    });
    for _ in 0..3 {
        input.send(b"1\n22").unwrap();
        assert!(!output.recv_timeout(PATIENCE).unwrap().is_empty());
    }
    drop(input);
    assert_eq!(output.recv_timeout(PATIENCE).unwrap(), b"# line 4: expected 81 cells, found 2\n");
    assert_eq!(run.join().unwrap().unwrap().count(Status::Malformed), 4);
}

/// A stream that records when it is read and when it is dropped.
struct Watched(Sender<&'static str>);

impl Read for Watched {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.send("read").unwrap();
        Ok(0)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.send("dropped").unwrap();
    }
}

/// Reports each question, and answers after a message. The chunk has no puzzle.
struct Asked(Sender<()>, Arc<Mutex<Receiver<()>>>);

impl Engine for Asked {
    fn search(&mut self, _: &Puzzle, _: &mut Visit, _: &mut Branch) {}

    fn solve_batch(&mut self, _: &[Grid], _: usize, _: &mut Vec<Answer>) {
        self.0.send(()).unwrap();
        let _ = self.1.lock().unwrap().recv();
    }
}

#[test]
fn a_cancelled_run_reads_no_further_input() {
    let (input, receiver) = channel();
    let (teller, told) = channel();
    let plain = |source: Source| source.with_layout(Layout::default());
    let sources = vec![
        plain(Source::from_reader("waits", Waiting(receiver))),
        plain(Source::from_reader("next", Watched(teller))),
    ];
    let (asked, is_asked) = channel();
    let (answer, may_answer) = channel();
    let (cancel, may_answer) = (Cancel::default(), Arc::new(Mutex::new(may_answer)));
    let (control, (sink, output)) = (cancel.clone(), telling());
    let run = std::thread::spawn(move || {
        let engine = move || Box::new(Asked(asked.clone(), may_answer.clone())) as Box<dyn Engine>;
        let control = Control::new(&control);
        in_chunks_of_100().to(sink, &with(engine), sources, control)
    });
    input.send(b"1\n").unwrap();
    is_asked.recv_timeout(PATIENCE).unwrap();
    // The run is cancelled while a worker is busy. Then the first input ends.
    cancel.request();
    drop(input);
    assert_eq!(told.recv_timeout(PATIENCE), Ok("dropped"));
    drop(answer);
    let error = run.join().unwrap().unwrap_err();
    assert!(matches!(error, Error::Stopped { puzzles: 1 }), "{error}");
    assert_eq!(written(&output), "# waits: line 1: expected 81 cells, found 1\n");
}

/// The records before the endless puzzle are written, on any number of threads. Those after it wait for
/// it, and are dropped with it.
#[test]
fn an_abandoned_run_gives_up_the_search_that_does_not_end() {
    let endless = ".".repeat(81);
    let text = format!("{EASY}\n{EASY}\n{EASY}\n{endless}\n{EASY}\n{EASY}\n");
    for threads in [1, 2, 8] {
        let cancel = Cancel::default();
        let (sink, receiver) = telling();
        let mut records = Vec::new();
        let mut counting = up_to(usize::MAX);
        counting.search.cancel = cancel.clone();
        let stopped = std::thread::scope(|scope| {
            let sources = vec![source(&*text)];
            let run = scope.spawn(|| {
                in_chunks(threads, 1).to(sink, &counting, sources, Control::new(&cancel))
            });
            while records.len() < 3 * 82 {
                records.extend(receiver.recv().unwrap());
            }
            // The endless puzzle is read, or is not.
            std::thread::sleep(Duration::from_millis(100));
            cancel.abandon();
            run.join().unwrap().unwrap_err()
        });
        assert!(matches!(stopped, Error::Stopped { puzzles: 3 }), "{stopped}");
        records.extend(receiver.try_iter().flatten());
        let records = String::from_utf8(records).unwrap();
        let last = records.strip_prefix(&format!("{SOLVED}\n").repeat(3)).unwrap();
        // A search that had not begun has no record.
        let found = last.strip_prefix("# line 4: the search was stopped");
        assert!(last.is_empty() || found.is_some_and(|it| it.lines().count() == 1), "{last}");
    }
}

/// A list of solutions is written in parts, also if a worker behind it is ready with another one, and what is
/// written is the same on any number of threads.
#[test]
fn long_lists_are_written_in_parts_and_in_order() {
    let empty = ".".repeat(81);
    let text = format!("{EASY}\n{empty}\n{empty}\n{EASY}\n{empty}\n");
    let every = NonZeroUsize::new(20_000);
    let list = ninefold::Solutions::new(Grid::EMPTY).take(20_000);
    let list: Vec<String> = list.map(|solution| solution.to_string()).collect();
    let list = list.join("\n") + "\n";
    for threads in [1, 2, 8] {
        let (sink, receiver) = telling();
        let listing = Solve { every, ..Solve::default() };
        let run = in_chunks(threads, 1);
        run.to(sink, &listing, vec![source(&*text)], Control::default()).unwrap();
        let parts: Vec<Vec<u8>> = receiver.try_iter().collect();
        let longest = parts.iter().map(Vec::len).max().unwrap();
        assert!(longest < 600_000 && parts.len() > 8, "{longest} bytes at once");
        let comment = |line| {
            format!("# line {line}: more than 20000 solutions, of which 20000 follow\n{list}")
        };
        let expected =
            [format!("{SOLVED}\n"), comment(2), comment(3), format!("{SOLVED}\n"), comment(5)];
        assert!(String::from_utf8(parts.concat()).unwrap() == expected.concat(), "{threads}");
    }
}

#[test]
fn an_output_that_closes_ends_the_run_even_if_the_input_waits() {
    let (input, receiver) = channel();
    let waiting = Source::from_reader("slow", Waiting(receiver)).with_layout(Layout::default());
    let (sink, output) = telling();
    drop(output);
    input.send(b"1\n").unwrap();
    let run = in_chunks_of_100();
    let error = run.to(sink, &Solve::default(), vec![waiting], Control::default()).unwrap_err();
    assert!(matches!(error, Error::Output(error) if error.is_broken_pipe()));
    drop(input);
}

#[test]
fn what_comes_before_a_read_error_is_answered() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable was pulled"))
        }
    }
    let text = format!("{EASY}\n").repeat(20);
    let stream = io::Cursor::new(text.into_bytes()).chain(Broken);
    let (sink, receiver) = telling();
    let source = Source::from_reader("cable", stream);
    let (run, solve) = (in_chunks(2, 1), Solve::default());
    let error = run.to(sink, &solve, vec![source], Control::default()).unwrap_err();
    assert_eq!(error.to_string(), "cable");
    let cause = std::error::Error::source(&error).unwrap();
    assert_eq!(cause.to_string(), "the cable was pulled");
    assert_eq!(written(&receiver), format!("{SOLVED}\n").repeat(20));
}

/// Panics over a grid that begins with a 9; answers nothing else either.
struct Panics;

impl Engine for Panics {
    fn search(&mut self, _: &Puzzle, _: &mut Visit, _: &mut Branch) {}

    fn solve_batch(&mut self, puzzles: &[Grid], _: usize, answers: &mut Vec<Answer>) {
        assert!(puzzles.iter().all(|grid| grid.values()[0] != 9), "nines are not my thing");
        answers.extend(puzzles.iter().map(|_| Answer::default()));
    }
}

#[test]
fn a_panic_ends_the_run_after_all_that_came_before_and_names_the_lines() {
    let nine = format!("9{}", &NONE[1..]);
    let text = format!("{NONE}\n# a comment\n{NONE}\n{nine}\n{NONE}\n{nine}\n").repeat(30);
    let before = "# line 1: no solution\n# line 3: no solution\n";
    for threads in [1, 2, 8] {
        // The line alone, and perhaps with others: the size of a chunk is learned.
        for chunk_bytes in [1, 1 << 18] {
            let streams = [
                source(text.clone()),
                Source::from_reader("a.txt", io::Cursor::new(text.clone().into_bytes())),
            ];
            let source = streams.into_iter().nth(threads % 2).unwrap();
            let (sink, receiver) = telling();
            let command = with(|| Box::new(Panics));
            let run = in_chunks(threads, chunk_bytes);
            let error = run.to(sink, &command, vec![source], Control::default()).unwrap_err();
            let said = error.to_string();
            let lines = said.strip_prefix("a.txt: lines ").expect(&said);
            let (lines, why) = lines.split_once(": ").expect(&said);
            let (first, last) = lines.split_once(" to ").expect(&said);
            let [first, last] = [first, last].map(|line| line.parse::<u64>().expect(&said));
            assert!((1..=4).contains(&first) && last >= 4, "{said}");
            assert!(chunk_bytes > 1 || first == 4, "{said}");
            assert_eq!(why, "a thread panicked: nines are not my thing");
            let records = written(&receiver);
            assert!(before.starts_with(&records) && (first < 4 || records == before), "{records}");
        }
    }
}

/// Takes its time for each puzzle; tells how many it was given at a time.
struct Slow(Sender<usize>);

impl Engine for Slow {
    fn search(&mut self, _: &Puzzle, _: &mut Visit, _: &mut Branch) {
        std::thread::sleep(Duration::from_millis(25));
    }

    fn solve_batch(&mut self, puzzles: &[Grid], _: usize, answers: &mut Vec<Answer>) {
        self.0.send(puzzles.len()).unwrap();
        for puzzle in puzzles {
            self.each_solution(&puzzle.into(), &mut |_| ControlFlow::Break(()));
            answers.push(Answer::default());
        }
    }
}

#[test]
fn a_slow_engine_is_given_few_puzzles_at_a_time() {
    let (batches, given) = channel();
    let command = with(move || Box::new(Slow(batches.clone())));
    let sources = vec![source(format!("{NONE}\n").repeat(40))];
    let pipeline = Pipeline { threads: 2, ..Pipeline::default() };
    let run = Run { pipeline, ..Run::default() };
    let report = run.to(telling().0, &command, sources, Control::default()).unwrap();
    // 40 times 25 ms.
    assert!(report.solve_time >= Duration::from_secs(1), "{:?}", report.solve_time);
    let given: Vec<_> = given.try_iter().collect();
    assert_eq!(given, [1; 40]);
}

#[test]
fn an_engine_that_cannot_be_built_or_a_reader_that_panics_is_an_error() {
    struct Panicking;
    impl Read for Panicking {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("no bytes today")
        }
    }
    let run = |command: &Solve, sources| {
        let ended = in_chunks(2, 1).to(telling().0, command, sources, Control::default());
        ended.unwrap_err().to_string()
    };
    let error = run(&with(|| panic!("no engine today")), vec![source(EASY)]);
    assert!(error.ends_with(": a thread panicked: no engine today"), "{error}");
    let sources = vec![source(EASY), Source::from_reader("b.txt", Panicking)];
    let error = run(&Solve::default(), sources);
    assert!(error.ends_with(": a thread panicked: no bytes today"), "{error}");
}

#[test]
fn a_panic_of_the_caller_does_not_hang() {
    let caught = std::panic::catch_unwind(|| {
        let text = format!("{EASY}\n").repeat(100);
        let mut observer = |event: &Event| assert!(!matches!(event, Event::Advanced(_)), "enough");
        let control = Control::default().observed_by(&mut observer);
        in_chunks(2, 1).to(telling().0, &Solve::default(), vec![source(text)], control)
    });
    assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"enough"));
}
