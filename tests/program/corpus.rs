//! The corpus of layouts (`tests/corpus`), read by the program: `verify` passes no wrong answer, and an
//! explanation refuses what a run refuses. The library reads every entry (`tests/library/corpus.rs`).

use crate::support::corpus::{self, Entry};
use crate::support::{Folder, Run, ninefold, texts};
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One entry in 24 is explained: each takes two runs.
const SAMPLE: usize = 24;

/// Entries that one run of the program reads.
const GROUP: usize = 48;

/// Does something for each of these, on a few threads, and gives what there is to say of them.
pub(crate) fn for_each<T: Sync>(
    entries: &[T],
    judge: impl Fn(usize, &T) -> Option<String> + Sync,
) -> Vec<String> {
    let (next, said) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = entries.get(place) else { return };
            if let Some(text) = judge(place, entry) {
                said.lock().unwrap().push((place, text));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
    let mut said = said.into_inner().unwrap();
    said.sort_unstable();
    said.into_iter().map(|(_, text)| text).collect()
}

fn run(command: &str, words: &[&str], path: &Path) -> Run {
    run_all(command, words, &[path])
}

fn run_all(command: &str, words: &[&str], paths: &[impl AsRef<Path>]) -> Run {
    let paths = paths.iter().map(AsRef::as_ref);
    texts(ninefold(command, words).args(paths).stdin(Stdio::null()).output().unwrap())
}

/// The entries in groups for one run each. One that may be refused, or has options, is alone.
fn groups(entries: &[Entry]) -> Vec<Vec<&Entry>> {
    let may_be_refused = |entry: &&Entry| entry.reads.split(' ').any(|word| word == "refused");
    let is_alone = |entry: &&Entry| may_be_refused(entry) || !entry.options.is_empty();
    let (alone, others): (Vec<_>, Vec<_>) = entries.iter().partition(is_alone);
    let groups = others.chunks(GROUP).map(<[_]>::to_vec);
    groups.chain(alone.into_iter().map(|entry| vec![entry])).collect()
}

fn options(entry: &Entry) -> Vec<&str> {
    entry.options.iter().map(String::as_str).collect()
}

fn written(folder: &Folder, entry: &Entry, bytes: impl AsRef<[u8]>) -> std::path::PathBuf {
    // Each entry has a folder, because its file's name may mean something.
    std::fs::create_dir_all(folder.path(&entry.name)).unwrap();
    folder.file(&format!("{}/{}", entry.name, entry.file_name), bytes)
}

/// `--explain-input` refuses exactly the inputs that the run refuses, and says which decision it was.
#[test]
fn the_layouts_of_the_corpus_are_explained() {
    let folder = Folder::new();
    let wrong = for_each(&corpus::entries(), |place, entry| {
        if place % SAMPLE != 1 {
            return None;
        }
        let path = written(&folder, entry, entry.bytes());
        let (code, _, _) = run("solve", &[&["-q"][..], &options(entry)].concat(), &path);
        let words = [&["--explain-input"][..], &options(entry)].concat();
        let (explained, text, said) = run("solve", &words, &path);
        let is_refused = code == Some(2);
        // A format that is detected by its first bytes has no layout to explain.
        let decides = text.contains("decision: ") || is_refused && text.is_empty();
        let right =
            decides && (explained == Some(2)) == is_refused && (is_refused || said.is_empty());
        (!right).then(|| format!("{entry}: {code:?}, explained {explained:?}\n{text}{said}"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One answer of each file is another full grid. `verify` reports it, or refuses the file, or says last that it has
/// checked no answers.
#[test]
fn verify_passes_no_wrong_answer_of_the_corpus() {
    let (solutions, folder) = (corpus::solutions(), Folder::new());
    let entries = corpus::entries();
    // A full grid that is its own answer, and an answer of the empty grid, cannot be wrong like that.
    let is_puzzle = |entry: &Entry, it: usize| {
        entry.reads.contains(&format!("S{it}=S{it}")) || entry.reads.contains(&format!("E=S{it}"))
    };
    // Not always the same row: the first, one in the middle, or the last.
    let number = |entry: &Entry| {
        // The bytes of a Parquet file hold no text to be changed.
        let mut numbers = if entry.is_parquet() { Vec::new() } else { entry.solutions() };
        numbers.retain(|&number| !is_puzzle(entry, number));
        let place = entries.iter().position(|it| it.name == entry.name).unwrap();
        numbers.get(place % numbers.len().max(1)).copied()
    };
    let with_wrong = |entry: &Entry, number: usize| {
        let other = |it: usize| (it == number).then(|| corpus::wrong(&solutions[it - 1]));
        entry.bytes_with(&other)
    };
    // The reports of the files with and without the wrong answer, and what is said.
    let judge = |group: &[(&Entry, usize)]| {
        let words = [&["-j1", "--no-progress"][..], &options(group[0].0)].concat();
        let verify = |folder: &Folder, bytes: &dyn Fn(&Entry, usize) -> Vec<u8>| {
            let paths = group.iter().map(|&(entry, it)| written(folder, entry, bytes(entry, it)));
            let paths: Vec<_> = paths.collect();
            (run_all("verify", &words, &paths), paths)
        };
        let ((code, report, said), paths) = verify(&folder, &with_wrong);
        if code == Some(2) {
            // One of many is refused: it is looked for among each alone.
            return (group.len() == 1).then(Vec::new);
        }
        let right = Folder::new();
        let ((_, before, _), before_paths) = verify(&right, &|entry, _| entry.bytes());
        let faults = |report: &str, path: &Path| {
            let start = format!("{}:", path.display());
            let is_fault = |line: &&str| line.starts_with(&start) && is_about_answer(line);
            report.lines().filter(is_fault).count()
        };
        let passes = |place: &usize| {
            let ((entry, number), path) = (group[*place], &paths[*place]);
            let is_reported = faults(&report, path) > faults(&before, &before_paths[*place]);
            let is_said = group.len() == 1 && says_unchecked(&said);
            !is_reported && !is_said && !is_malformed(&report, path, entry, number)
        };
        Some((0..group.len()).filter(passes).collect::<Vec<_>>())
    };
    let groups = groups(&entries);
    let with_answers = |group: &Vec<_>| -> Vec<_> {
        group.iter().filter_map(|&entry: &&Entry| Some((entry, number(entry)?))).collect()
    };
    let groups: Vec<_> =
        groups.iter().map(with_answers).filter(|group| !group.is_empty()).collect();
    let tried: usize = groups.iter().map(Vec::len).sum();
    let passed = for_each(&groups, |_, group| {
        let doubtful = judge(group).unwrap_or_else(|| (0..group.len()).collect());
        // What is said of many inputs is not said of each.
        let passes =
            |place: &usize| judge(&group[*place..=*place]).is_some_and(|it| !it.is_empty());
        let show = |place: usize| format!("{}: answer {}\n", group[place].0, group[place].1);
        let shown: String = doubtful.into_iter().filter(passes).map(show).collect();
        Some(shown).filter(|shown| !shown.is_empty())
    });
    assert!(tried > 300, "most entries have answers");
    assert!(passed.is_empty(), "{}", passed.concat());
}

fn is_about_answer(line: &str) -> bool {
    line.contains(": answer: ")
}

/// The record of that answer has no puzzle, and that is reported.
fn is_malformed(report: &str, path: &Path, entry: &Entry, number: usize) -> bool {
    let bytes = entry.bytes();
    // Some tools break the line of a long field.
    let start = &corpus::solutions()[number - 1].as_bytes()[..45];
    let Some(place) = bytes.windows(45).position(|window| window == start) else { return false };
    let line = bytes[..place].split(|&byte| byte == b'\n').count();
    let place = format!("{}:{line}: ", path.display());
    report.lines().any(|line| line.starts_with(&place))
}

/// Whether the last message says that no answers are checked.
fn says_unchecked(said: &str) -> bool {
    let last = said.lines().last().unwrap_or_default();
    last.contains("answers") && last.contains("not checked")
}
