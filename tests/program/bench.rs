//! The built program's `bench`: what it shows and writes, and its exit code. Times are not judged
//! here: other tests run meanwhile.

use crate::support::{EASY, Folder, HARD, Run, TWO, json_of, name, no_such_file, texts};
#[cfg(unix)]
use crate::support::{partial_path, signal as send, wait_until, wait_until_it_hears};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.arg("bench").args(words);
    command
}

/// Exit code, standard output, standard error.
pub(crate) fn bench(words: &[&str]) -> Run {
    texts(command(words).output().unwrap())
}

/// A list that `scan` is done with at once.
fn tiny(folder: &Folder) -> String {
    let path = folder.file("tiny.txt", format!("# three\n{EASY}\n{TWO}\nno puzzle\n{HARD}\n"));
    name(&path).to_owned()
}

/// The lines that begin with this word.
fn lines_of<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.trim_start().starts_with(word)).collect()
}

#[test]
fn a_list_is_measured_shown_and_written() {
    let folder = Folder::new();
    let input = tiny(&folder);
    let [json, svg] = ["a.json", "a.svg"].map(|name| folder.path(name));
    let mut words = vec!["--seconds", "2", "--engines", "dlx,mrv,lanes", "--seed", "7", &input];
    words.extend(["--export", name(&json), "--plot", name(&svg)]);
    let (code, out, err) = bench(&words);
    assert_eq!(code, Some(0), "{err}");
    let passed =
        "ninefold: tiny.txt: passing over lines that are no puzzle: 1, the first is line 4\n";
    assert!(err.ends_with(passed), "{err}");
    assert!(out.contains("tiny.txt, 3 puzzles\n"), "{out}");
    for engine in ["dlx", "mrv", "lanes ("] {
        assert_eq!(lines_of(&out, engine).len(), 1, "{out}");
    }
    assert!(out.contains("× dlx") && out.contains("seed 7"), "{out}");

    let export = json_of(&json);
    let rows = export["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert!(row["rounds"].as_array().unwrap().len() >= 3, "{row}");
        assert_eq!((&row["at_least"], &row["list"]), (&Value::Null, &json!("tiny.txt")), "{row}");
    }
    assert_eq!(export["seed"], 7);
    assert_eq!(export["version"], env!("CARGO_PKG_VERSION"));
    assert!(export["machine"]["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
    assert_eq!(export["arguments"][0], "bench");

    let svg = fs::read_to_string(&svg).unwrap();
    let chart = roxmltree::Document::parse(&svg).unwrap();
    let words: Vec<_> = chart.descendants().filter_map(|node| node.text()).collect();
    for word in ["mrv", "dlx", "tiny.txt, 3 puzzles", "Puzzles per second"] {
        assert!(words.iter().any(|text| text.trim() == word), "no {word} in {words:?}");
    }
    assert!(words.iter().any(|text| text.contains("seed 7")), "{words:?}");
}

/// The reader of the table may be gone, as `head` is.
#[test]
fn what_was_measured_is_written_though_the_table_is_not_read() {
    let folder = Folder::new();
    let (input, json) = (tiny(&folder), folder.path("a.json"));
    let words = ["--seconds", "2", "--engines", "lanes", "--export", name(&json), &input];
    let mut child = command(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let export = json_of(&json);
    assert_eq!(export["rows"].as_array().unwrap().len(), 1);
}

#[test]
fn standard_input_is_a_list_by_its_name() {
    let folder = Folder::new();
    let file = fs::File::open(tiny(&folder)).unwrap();
    let mut run = command(&["--seconds", "2", "--engines", "lanes", "-"]);
    let (code, out, err) = texts(run.stdin(file).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("<stdin>, 3 puzzles\n"), "{out}");
}

/// 4,000 puzzles are more than one chunk.
#[test]
fn lines_that_are_passed_over_are_counted_and_the_first_is_named() {
    let folder = Folder::new();
    let text = format!("# many\n\n{}9\n{EASY}\n9\n", format!("{EASY}\n").repeat(4000));
    let input = folder.file("many.txt", text);
    let (_, _, err) = bench(&["--seconds", "0.1", "--engines", "lanes", name(&input)]);
    let passed = "many.txt: passing over lines that are no puzzle: 2, the first is line 4003\n";
    assert!(err.contains(passed), "{err}");
}

#[test]
fn without_input_there_are_lists_from_easy_to_hard() {
    let (code, out, err) = bench(&["--seconds", "3", "--engines", "lanes"]);
    assert_eq!((code, &*err), (Some(0), ""));
    let titles =
        "easy, 1,000;minimal, 1,000;17-clues, 100;hard, 200;multiple, 200;none, 200;sukaku, 200";
    let place = |title| out.find(&format!("\n{title} puzzles"));
    let places: Vec<_> = titles.split(';').map(place).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{out}");
}

/// However fast the machine is: `scan` is waited for on each list for 10 ms, which is 0.28 s, and no round is
/// begun after 0.25.
#[test]
fn a_run_without_a_round_has_failed_and_says_what_helps() {
    let folder = Folder::new();
    let named = crate::support::lists::NAMED;
    // `scan` is given up on after 10 ms, 28 times: there is no time for the rest.
    let file = |number| folder.file(&format!("{number}.txt"), named.lines().last().unwrap());
    let inputs: Vec<_> = (1..=28).map(file).collect();
    let mut words = vec!["--seconds", "0.1", "-q"];
    words.extend(inputs.iter().map(|input| name(input)));
    words.push("--engines");
    let (code, out, err) = bench(&[&words[..], &["scan,mrv"]].concat());
    assert_eq!(code, Some(2), "{out}");
    let why = "ninefold: no round was measured in this time: --seconds N gives more\n";
    assert!(err.ends_with(why), "{err}");
    assert!(lines_of(&out, "mrv  ").iter().all(|row| row.contains(" – ")), "{out}");
    // To be slower than something is a result.
    let (code, out, _) = bench(&[&words[..], &["scan"]].concat());
    assert!(code == Some(0) && out.contains(" < "), "{out}");
}

#[test]
fn levels_are_further_rows() {
    let folder = Folder::new();
    let input = tiny(&folder);
    let words = ["--engines", "lanes,mrv", "--simd", "portable,portable", "-q"];
    let (code, out, err) = bench(&[&words[..], &["--seconds", "2", &input]].concat());
    assert_eq!((code, &*err), (Some(0), ""));
    for (row, count) in [("lanes (portable)  ", 2), ("mrv  ", 1)] {
        assert_eq!(lines_of(&out, row).len(), count, "{row}: {out}");
    }
}

/// The results of another run, with all times multiplied.
fn multiplied(path: &Path, by: f64, to: &Path) {
    let mut export = json_of(path);
    for row in export["rows"].as_array_mut().unwrap() {
        for round in row["rounds"].as_array_mut().unwrap() {
            *round = json!(round.as_f64().unwrap() * by);
        }
    }
    fs::write(to, export.to_string()).unwrap();
}

#[test]
fn what_has_changed_is_said() {
    let folder = Folder::new();
    let input = tiny(&folder);
    let [before, then] = ["before.json", "then.json"].map(|name| folder.path(name));
    let words = ["--engines", "mrv,lanes", "--seconds", "2", "-q", &input];
    assert_eq!(bench(&[&words[..], &["--export", name(&before)]].concat()).0, Some(0));
    for (by, verdict) in [(1e-3, "slower"), (1e3, "faster")] {
        multiplied(&before, by, &then);
        let (code, out, err) = bench(&[&words[..], &["--compare", name(&then)]].concat());
        assert_eq!((code, &*err), (Some(0), ""), "{out}");
        let changes = &out[out.find("\nSince ninefold").unwrap()..];
        assert_eq!(lines_of(changes, "tiny.txt, ").len(), 2, "{out}");
        let all = lines_of(changes, "tiny.txt, ").iter().all(|line| line.ends_with(verdict));
        assert!(all, "{out}");
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = Folder::new();
    let input = tiny(&folder);
    let before = folder.path("before.json");
    let words = ["--seconds", "1", "-q", &input];
    let more = ["--engines", "mrv,lanes", "--export", name(&before)];
    assert_eq!(bench(&[&words[..], &more].concat()).0, Some(0));
    let compare = ["--compare", name(&before)];

    let without_change = |engines: &str, row: &str| {
        let (code, out, _) = bench(&[&words[..], &["--engines", engines], &compare].concat());
        let changes = &out[out.find("\nSince ninefold").unwrap()..];
        assert!(lines_of(changes, row).iter().all(|it| it.ends_with('–')), "{out}");
        assert_eq!(code, Some(0), "{out}");
        out
    };
    let out = without_change("dlx,mrv", "tiny.txt, dlx ");
    assert!(out.contains("Only then: tiny.txt, lanes ("), "{out}");
    folder.file("tiny.txt", format!("{EASY}\n{HARD}\n{HARD}\n"));
    without_change("mrv", "tiny.txt, mrv ");
}

#[test]
fn what_cannot_be_measured_is_refused_at_once() {
    let folder = Folder::new();
    let (input, empty) = (tiny(&folder), folder.file("empty.txt", "# nothing\n"));
    let old = folder.file("old.json", "{}");
    let missing = folder.path("missing.txt");
    let cases: [(&[&str], &str); 6] = [
        (&[name(&missing)], &no_such_file()),
        (&[name(&empty)], "no puzzle found: the input has no records"),
        (&["--engines", "mrv", "--baseline", "dlx", &input], "not one of the measured engines"),
        (&["--compare", name(&old), &input], "expected what --export wrote"),
        (&["--seconds", "0", &input], "expected a number from 0.1 to 3600"),
        (&["--engines", "unknown", &input], "unknown"),
    ];
    for (words, message) in cases {
        let (code, out, err) = bench(words);
        assert_eq!((code, &*out), (Some(2), ""), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
    let list = folder.file("list.json", format!("{EASY}\n"));
    let (code, _, err) = bench(&["--export", name(&list), name(&list)]);
    assert!(code == Some(2) && err.contains("is also read, or written to"), "{err}");
    assert_eq!(fs::read_to_string(&list).unwrap(), format!("{EASY}\n"));
    // It is read under the name that the results have until they are whole.
    let (list, json) = (folder.file("e.json.partial", EASY), folder.path("e.json"));
    let (code, _, err) = bench(&["--export", name(&json), name(&list)]);
    assert!(code == Some(2) && err.contains("is also read, or written to"), "{err}");
    assert_eq!(fs::read_to_string(&list).unwrap(), EASY);
}

#[cfg(unix)]
#[test]
fn a_signal_prints_what_was_measured_so_far() {
    use std::thread::sleep;
    use std::time::Duration;
    let folder = Folder::new();
    let input = tiny(&folder);
    for (signal, expected) in [("-INT", 130), ("-TERM", 143)] {
        let json = folder.path(&format!("{expected}.json"));
        let words = ["--engines", "mrv,lanes", "--seconds", "60", &input, "--export", name(&json)];
        let child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The file is opened just before the signal is waited for.
        wait_until(|| partial_path(&json).exists());
        sleep(Duration::from_secs(2));
        send(&child, signal);
        let (code, out, _) = texts(child.wait_with_output().unwrap());
        assert_eq!(code, Some(expected));
        assert!(out.contains("Interrupted: this is what was measured so far."), "{out}");
        assert!(fs::read_to_string(&json).unwrap().contains("\"interrupted\": true"));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_while_it_waits_for_a_list() {
    let folder = Folder::new();
    let json = folder.path("a.json");
    let mut run = command(&["--export", name(&json), "-"]);
    let mut child = run.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    wait_until_it_hears(&child);
    send(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(!partial_path(&json).exists());
    drop(stdin);
}
