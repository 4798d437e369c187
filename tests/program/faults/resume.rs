//! What was ended goes on where it was, if it is the same run; else it is said why not. Kills at
//! any moment are in `kills.rs`.

use super::{Run, feed, name, ninefold, run_with};
use crate::support::{
    EASY, Folder, HARD, KILLED, NULL, SOLVED, counts_of, different, gzip, lists, log_path,
    partial_path, reached, strewn, text_of, wait_until,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Starts a run, kills it after it has read a number of bytes of its inputs, and gives that
/// number. Of its inputs, one is standard input: that does not end before.
fn begin(words: &[&str], output: &Path, input: &[u8], past: u64) -> u64 {
    let mut command = ninefold();
    command.args(["solve", "-q", "--lines", "--flush-interval", "0.001"]).args(words);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = feed(&mut child, input);
    wait_until(|| reached(output) > past);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), KILLED);
    drop(stdin.join().unwrap());
    reached(output)
}

fn go_on(words: &[&str], input: &[u8]) -> Run {
    run_with(ninefold().args(["solve", "-q", "--lines", "--resume"]).args(words), input)
}

fn assert_refused(run: &Run, message: &str) {
    assert_eq!((run.code, &*run.out), (Some(2), ""), "{run:?}");
    assert!(run.err.contains(message), "{run:?}");
}

#[test]
fn all_outputs_and_all_counts_are_those_of_an_undisturbed_run() {
    let folder = Folder::new();
    let (text, _) = strewn(6000, "");
    let file = folder.file("a.txt", &text);
    let endings = [("line", ""), ("csv", ""), ("line", ".gz"), ("csv", ".zst")];
    let count = if cfg!(feature = "compression") { 4 } else { 2 };
    for (format, ending) in endings.into_iter().take(count) {
        let paths = |kind: &str| {
            let path = |name: &str| folder.path(&format!("{format}-{kind}-{name}"));
            [
                path(&format!("out{ending}")),
                path(&format!("rejects{ending}")),
                path(&format!("stats{}", ending.replace('.', "-"))),
            ]
        };
        let (whole, pieces) = (paths("whole"), paths("pieces"));
        let words = |paths: &[PathBuf; 3]| {
            let [output, rejects, stats] = paths.each_ref().map(|path| name(path).to_owned());
            let inputs = [name(&file), "-", "--unique", "--format", format].map(str::to_owned);
            let outputs = ["-o", &output, "--rejects", &rejects, "--stats-json", &stats];
            [&inputs[..], &outputs.map(str::to_owned)].concat()
        };
        let mut undisturbed = ninefold();
        undisturbed.args(["solve", "-q"]).args(words(&whole));
        assert_eq!(run_with(&mut undisturbed, &text).code, Some(1));
        let words = words(&pieces);
        let mut words: Vec<_> = words.iter().map(String::as_str).collect();
        // Once in the first input, or just after it, and once in the second. No input is read
        // before there is something in each.
        let (two_lines, half) = (&text[..200], &text[..text.len() / 2]);
        begin(&words, &pieces[0], two_lines, 0);
        words.push("--resume");
        let first_and_more = (text.len() + two_lines.len()) as u64;
        begin(&words, &pieces[0], half, first_and_more);
        assert_eq!(go_on(&words[..words.len() - 1], &text).code, Some(1));
        for place in [0, 1] {
            assert!(text_of(&whole[place]) == text_of(&pieces[place]));
            assert!(!partial_path(&pieces[place]).exists());
            // It says that they are complete.
            assert_eq!(log_path(&pieces[place]).exists(), place == 0);
        }
        assert_eq!(counts_of(&whole[2]), counts_of(&pieces[2]));
    }
}

/// The first input is wholly in another shard: nothing is counted of it when the run is ended. The lines before the part
/// of the second were counted for a record near its start.
#[test]
fn an_input_outside_of_the_shard_does_not_disturb_a_run_that_goes_on() {
    let folder = Folder::new();
    let half = [HARD, "\n"].concat().repeat(20_000);
    let long = format!("{half}12x\n12x\n12x\n{half}");
    let (first, second) = (folder.file("a.txt", [EASY, "\n"].concat()), folder.file("b.txt", long));
    let commands: [&[&str]; 4] =
        [&["solve"], &["verify"], &["augment"], &["select", "--status", "unique"]];
    for command in commands {
        let whole = folder.path(&format!("{}-whole", command[0]));
        let pieces = folder.path(&format!("{}-pieces", command[0]));
        let run = |output: &Path| {
            let mut run = ninefold();
            run.args(command).args([&first, &second]).args(["--shard", "2/2", "-q", "-j1"]);
            run.args(["-o", name(output), "--resume", "--flush-interval", "0.001"]);
            run.args(["--stats-json", name(&output.with_extension("json"))]);
            run
        };
        let code = run_with(&mut run(&whole), b"").code;
        let mut child = run(&pieces).spawn().unwrap();
        wait_until(|| reached(&pieces) > 82 || pieces.exists());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(run_with(&mut run(&pieces), b"").code, code, "{command:?}");
        assert!(fs::read(&whole).unwrap() == fs::read(&pieces).unwrap(), "{command:?}");
        let [whole, pieces] = [whole, pieces].map(|path| counts_of(&path.with_extension("json")));
        assert_eq!(whole, pieces, "{command:?}");
    }
}

/// As if it were killed behind any chunk: its log is cut there.
#[test]
fn every_command_continues_from_each_of_its_checkpoints() {
    const COMMANDS: &str = "solve --unique|verify|canon|rate --measure grade|steps|\
        select --status unique|augment -n 2|minimize|neighbors --max 400|\
        neighbors --max 900 --per-source|neighbors --max 1100 --rounds 2|generate -n 40 --seed 1";
    let folder = Folder::new();
    let puzzles: Vec<_> =
        lists::MINIMAL.lines().filter(|it| !it.starts_with('#')).take(24).collect();
    let rows =
        [&puzzles[..7], &["12x", "# a comment", "", EASY], &puzzles[7..]].concat().join("\n");
    // The first input is in another shard.
    let inputs = [("a.txt", EASY), ("b.txt", &rows), ("c.txt", &rows[..500])];
    for (name, text) in inputs {
        folder.file(name, text);
    }
    let [output, rejects, stats] = ["out", "rejects", "stats"].map(|name| folder.path(name));
    for command in COMMANDS.split('|') {
        let mut words: Vec<_> = command.split(' ').collect();
        words.extend(["-q", "-j1", "-o", "out", "--stats-json", "stats"]);
        words.extend(["--resume", "--flush-interval", "0", "--shard", "2/2"]);
        if words[0] != "generate" {
            words.extend(["a.txt", "b.txt", "c.txt", "--rejects", "rejects"]);
        }
        let run = || {
            let run = run_with(ninefold().args(&words).current_dir(folder.path("")), b"");
            (run.code, fs::read(&output).ok(), fs::read(&rejects).ok(), counts_of(&stats))
        };
        let whole = run();
        let log = fs::read_to_string(log_path(&output)).unwrap();
        let lines: Vec<_> = log.split_inclusive('\n').collect();
        let written = lines.iter().filter(|line| line.contains("\"writing\"")).count();
        assert!(written > 2, "{command:?}: {written} {:?}", whole.0);
        for checkpoints in 1..=written {
            fs::write(log_path(&output), lines[..=checkpoints].concat()).unwrap();
            for path in [&output, &rejects].into_iter().filter(|path| path.exists()) {
                fs::rename(path, partial_path(path)).unwrap();
            }
            fs::remove_file(&stats).unwrap();
            assert!(run() == whole, "{command:?}, checkpoint {checkpoints} of {written}");
        }
        for path in [&output, &rejects, &stats].into_iter().filter(|path| path.exists()) {
            fs::remove_file(path).unwrap();
        }
    }
}

/// Though there were none before.
#[test]
fn rejects_do_not_come_to_another_file() {
    let folder = Folder::new();
    let (output, rejects) = (folder.path("out.txt"), ["r1", "r2"].map(|name| folder.path(name)));
    let line = format!("{EASY}\n");
    let words = |place: usize| ["-o", name(&output), "--rejects", name(&rejects[place])];
    begin(&words(0), &output, line.as_bytes(), 0);
    assert_refused(&go_on(&words(1), line.as_bytes()), "--rejects was ");
    assert_eq!(go_on(&words(0), line.as_bytes()).code, Some(0));
    assert!(rejects[0].exists() && !partial_path(&rejects[0]).exists() && !rejects[1].exists());
}

#[test]
fn a_stream_is_read_again_and_known_again() {
    let folder = Folder::new();
    let (text, records) = different(3000);
    let kinds = if cfg!(feature = "compression") { &["plain", "gzip"][..] } else { &["plain"] };
    for kind in kinds {
        let output = folder.path(&format!("{kind}.txt"));
        let input = if *kind == "gzip" { gzip(&text) } else { text.clone().into_bytes() };
        let words = ["--unique", "-o", name(&output)];
        begin(&words, &output, &input[..input.len() / 2], 1000);
        let other = format!("{EASY}\n").repeat(5000);
        assert_refused(&go_on(&words, other.as_bytes()), "<stdin>: is not the input that was read");
        let short = go_on(&words, &other.as_bytes()[..82]);
        assert_refused(&short, "<stdin>: is not the input that was read");
        assert_eq!(go_on(&words, &input).code, Some(1));
        assert!(fs::read_to_string(&output).unwrap() == records, "{kind}");
    }
}

#[test]
fn another_run_is_refused_with_what_differs() {
    let folder = Folder::new();
    let (text, records) = different(6000);
    let (input, output) = (folder.file("in.txt", &text), folder.path("out.txt"));
    // The second input is not at its end before the run is killed.
    let words = [name(&input), "-", "--unique", "-o", name(&output)];
    let line = format!("{EASY}\n");
    begin(&words, &output, line.as_bytes(), 0);
    let kept = fs::read(partial_path(&output)).unwrap();
    let again = |more: &[&str]| go_on(&[&words[..], more].concat(), line.as_bytes());
    assert_refused(&again(&["--format", "csv"]), "--format was not given, and is \"csv\"");
    assert_refused(&again(&["--only", "solved,unique"]), "--only was not given, and is ");
    assert_refused(&again(&["--color", "always"]), "--color was \"auto\", and is \"always\"");
    assert_refused(&again(&["--engine", "mrv"]), "--engine was \"lanes\", and is \"mrv\"");
    assert_refused(&again(&["--blank", "xy"]), "--blank was not given, and is \"xy\"");
    assert_refused(&again(&[name(&input)]), "inputs were 2, and are 3");
    let without = [name(&input), "-", "-o", name(&output)];
    assert_refused(&go_on(&without, b""), "--unique was true, and is false");
    // What has nothing to do with the bytes may differ; but not the bytes.
    let about = fs::metadata(&input).unwrap();
    let other = text.replacen("not a puzzle", "not a puzzlE", 1);
    fs::write(&input, &other).unwrap();
    assert_refused(&again(&[]), "inputs, 1, modified was ");
    let file = fs::File::options().write(true).open(&input).unwrap();
    fs::write(&input, &text[1..]).unwrap();
    file.set_modified(about.modified().unwrap()).unwrap();
    assert_refused(&again(&[]), "inputs, 1, bytes was ");
    let mut other = text.clone().into_bytes();
    other.iter_mut().filter(|byte| **byte == b'.').for_each(|byte| *byte = b'0');
    fs::write(&input, other).unwrap();
    file.set_modified(about.modified().unwrap()).unwrap();
    for more in [&[][..], &["--no-mmap"]] {
        let run = again(more);
        assert_refused(&run, "in.txt: is not the input that was read before");
        let says = ": with --resume a run over the unchanged inputs continues";
        assert!(run.said().ends_with(says), "{run:?}");
    }
    fs::write(&input, &text).unwrap();
    file.set_modified(about.modified().unwrap()).unwrap();
    let now = fs::read(partial_path(&output)).unwrap();
    assert!(kept.starts_with(&now) && !now.is_empty(), "what was refused has lost nothing");
    assert_eq!(again(&["-j", "3", "--no-mmap"]).code, Some(1));
    let records = records.replace("# line ", &format!("# {}: line ", name(&input)));
    assert!(fs::read_to_string(&output).unwrap() == format!("{records}{SOLVED}\n"));
    assert_done(&again(&[]), 1);
}

/// Is complete, and has exited with this code.
fn assert_done(run: &Run, code: i32) {
    assert_eq!((run.code, &*run.out), (Some(code), ""), "{run:?}");
    assert!(run.err.contains("out.txt is complete: nothing to do"), "{run:?}");
}

/// A file is taken for the result of a run only if it is: same inputs, same options, same bytes.
#[test]
fn a_complete_file_is_recognised_and_no_other_is() {
    let folder = Folder::new();
    let (text, records) = different(300);
    let (input, other) = (folder.file("in.txt", &text), folder.file("other.txt", EASY));
    let (output, log) = (folder.path("out.txt"), log_path(&folder.path("out.txt")));
    let run = |words: &[&str]| {
        let mut command = ninefold();
        run_with(command.args(["solve", "-q", "-o", name(&output)]).args(words), b"")
    };
    let resume = |words: &[&str]| run(&[words, &["--resume"]].concat());
    for content in ["", "junk\n", &*records] {
        fs::write(&output, content).unwrap();
        assert_refused(&resume(&[name(&input), "--unique"]), "out.txt: exists, and there is no ");
        assert_eq!(fs::read_to_string(&output).unwrap(), content);
        fs::remove_file(&output).unwrap();
    }
    for (words, code) in [(&[name(&input), "--unique"][..], 1), (&[name(&other)], 0)] {
        assert_eq!(resume(words).code, Some(code));
        let written = fs::read_to_string(&output).unwrap();
        assert_done(&resume(words), code);
        assert_done(&resume(&[words, &["-j", "3", "--no-mmap"]].concat()), code);
        let zero = resume(&[words, &["--exit-zero"]].concat());
        assert_done(&zero, 0);
        assert_refused(&resume(&[words, &["--format", "csv"]].concat()), "--format was not given");
        let changed = [words[0], "--limit", "3"];
        assert_refused(&resume(&changed), "out.txt.partial.log: is of another run: ");
        let third = folder.file("third.txt", &text);
        let others = [&[name(&third)], &words[1..]].concat();
        assert_refused(&resume(&others), "is of another run: inputs, 1, ");
        fs::write(&output, written.replacen('5', "6", 1)).unwrap();
        assert_refused(&resume(words), "was changed after it was complete: it has ");
        fs::write(&output, &written).unwrap();
        // Nothing is left of a run without --resume.
        assert_eq!(run(&[words, &["--force"]].concat()).code, Some(code));
        assert!(!log.exists());
        let why = ": a run without --resume made it, and then it is complete, or ";
        assert_refused(&resume(words), why);
        fs::remove_file(&output).unwrap();
    }
    // A log without its file does not prevent a run, and an input that was changed is another.
    assert_eq!(resume(&[name(&input)]).code, Some(1));
    fs::remove_file(&output).unwrap();
    assert_eq!(resume(&[name(&input)]).code, Some(1));
    fs::write(&input, format!("{text}{EASY}\n")).unwrap();
    assert_refused(&resume(&[name(&input)]), "inputs, 1, bytes was ");
}

/// The records have their name, and then the statistics cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn statistics_that_failed_are_written_when_the_run_is_started_again() {
    let folder = Folder::new();
    let (text, records) = different(300);
    let (output, stats) = (folder.path("out.txt"), folder.path("stats.json"));
    let (undisturbed, rejects) = (folder.path("undisturbed"), folder.path("rejects"));
    let words = ["--unique", "-o", name(&output), "--rejects", name(&rejects), "--stats-json"];
    let again =
        |stats: &Path, text: &str| go_on(&[&words[..], &[name(stats)]].concat(), text.as_bytes());
    let whole =
        ["--unique", "--rejects", name(&folder.path("r")), "--stats-json"].map(str::to_owned);
    let mut command = ninefold();
    command.args(["solve", "-q"]).args(whole).arg(&undisturbed);
    assert_eq!(run_with(&mut command, text.as_bytes()).code, Some(1));
    for _ in 0..2 {
        let run = again(Path::new("/dev/full"), &text);
        assert_refused(&run, "ninefold: /dev/full: No space left on device\n");
        let says = "is complete: with --resume the same command writes the statistics";
        assert_eq!(run.said(), format!("ninefold: {} {says}", name(&output)));
        assert!(fs::read_to_string(&output).unwrap() == records);
        assert!(log_path(&output).exists() && !partial_path(&output).exists());
    }
    // No input is read: an earlier run has read it to its end.
    assert_eq!(again(&stats, "").code, Some(1), "as the run was");
    assert_eq!(counts_of(&stats), counts_of(&undisturbed));
    assert!(fs::read_to_string(&output).unwrap() == records);
    assert_done(&again(&stats, &text), 1);
    // Records that are lost are made again, and the other files with them.
    fs::remove_file(&output).unwrap();
    assert_eq!(again(&stats, &text).code, Some(1));
    assert!(fs::read_to_string(&output).unwrap() == records);
    assert_done(&again(&stats, &text), 1);
}

#[test]
fn a_file_is_not_complete_while_another_is_to_replace_it() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", EASY), folder.file("out.txt", "old"));
    fs::write(partial_path(&output), "").unwrap();
    let words = [name(&input), "-o", name(&output)];
    assert_refused(&go_on(&words, b""), " away to continue; --force begins anew");
    fs::remove_file(&output).unwrap();
    assert_eq!(go_on(&words, b"").code, Some(0));
    assert_eq!(fs::read_to_string(&output).unwrap(), format!("{SOLVED}\n"));
}

#[test]
fn what_cannot_be_gone_on_with_is_refused() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", EASY), folder.path("out.txt"));
    fs::write(partial_path(&output), "hours of work").unwrap();
    assert_refused(&go_on(&[name(&input), "-o", name(&output)], b""), "for there is no ");
    assert_eq!(fs::read(partial_path(&output)).unwrap(), b"hours of work");
    fs::write(log_path(&output), "{").unwrap();
    assert_refused(&go_on(&[name(&input), "-o", name(&output)], b""), "is not the log of a run");
    assert_refused(&go_on(&[name(&input), "-o", "-"], b""), "takes -o FILE");
    assert_refused(&go_on(&[name(&input), "-o", NULL], b""), "a device or a pipe");
    let new = folder.path("new.txt");
    let more = [name(&input), "-o", name(&new), "--rejects", "-"];
    assert_refused(&go_on(&more, b""), "takes a file for --rejects");
    let run = go_on(&[name(&input)], b"");
    assert!(run.code == Some(2) && run.err.starts_with("ninefold: "), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_failed_says_how_to_go_on_and_loses_nothing() {
    let folder = Folder::new();
    let (text, records) = different(40_000);
    let (input, output) = (folder.file("in.txt", &text), folder.path("out.txt"));
    let script = "ulimit -f 1000 && exec \"$0\" solve -q --lines --unique \"$@\"";
    let mut command = std::process::Command::new("sh");
    let words = [name(&input), "-o", name(&output)];
    command.args(["-c", script, env!("CARGO_BIN_EXE_ninefold")]).args(words);
    let run = run_with(&mut command, b"");
    let partial = partial_path(&output);
    let hint = format!("the records so far are in {}: with --resume ", name(&partial));
    assert_refused(&run, &hint);
    assert!(run.err.contains("out.txt: File too large\n"), "{run:?}");
    // Of 512,000 bytes at most the longest chunk is lost, 335,872: how long one is, is the pace's.
    assert!(reached(&output) > 150_000);
    assert_eq!(go_on(&["--unique", name(&input), "-o", name(&output)], b"").code, Some(1));
    assert!(fs::read_to_string(&output).unwrap() == records);
}

/// Its rejects are gone. What an earlier run left would belong to other records.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_cannot_be_resumed_does_not_say_that_it_can() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", format!("{EASY}\nbad\n")), folder.path("out.txt"));
    fs::write(partial_path(&output), "hours of work").unwrap();
    fs::write(log_path(&output), "its log").unwrap();
    let mut command = ninefold();
    command.args(["solve", "-q", name(&input), "-o", name(&output), "--force"]);
    let run = run_with(command.args(["--rejects", "/dev/full"]), b"");
    assert_refused(&run, "ninefold: /dev/full: No space left on device\n");
    let partial = partial_path(&output);
    assert_eq!(run.said(), format!("ninefold: the records so far are in {}", name(&partial)));
    assert!(partial.exists() && !log_path(&output).exists());
}
