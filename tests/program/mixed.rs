//! Inputs mixed by lot from all forms that people have, with lines that do not belong there. What an input holds is known by
//! construction, and the same rules hold for every input:
//!
//! 1. Each puzzle is solved, or its lines are among the rejects, or the input is refused with exit code 2.
//! 2. Exit code 0 means that every puzzle is solved; for `verify`, that every answer is right, too.
//! 3. Lines and full grids are counted, and nothing is solved that is not there.
//! 4. A pipe, gzip, shards and threads change nothing. `select` copies or rejects each line.
//! 5. An input of one form is read, or refused with advice that gives all puzzles. Other advice gives puzzles, too.

#![cfg(unix)]

use crate::corpus::for_each;
use crate::support::forms::{Input, is_no_cell};
use crate::support::{Folder, Lots, fed, ninefold};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::process::Command;

const COUNTS: &str = "lines puzzles malformed comments full_grids unique multiple none conflict";

/// What a run gave.
#[derive(Debug, PartialEq)]
struct Ran {
    code: Option<i32>,
    records: String,
    rejects: String,
    counts: Vec<u64>,
    said: String,
}

/// Runs a command in a folder.
fn run(folder: &Folder, command: &str, words: &[&str], stdin: &[u8]) -> Ran {
    let mut command = ninefold(command, words);
    command.args(["--force", "--rejects", "rejects", "--stats-json", "stats"]);
    let (code, records, said) = fed(command.current_dir(folder.path("")), stdin);
    let [rejects, stats] = ["rejects", "stats"].map(|name| {
        let text = fs::read(folder.path(name)).unwrap_or_default();
        let _ = fs::remove_file(folder.path(name));
        String::from_utf8_lossy(&text).into_owned()
    });
    let stats = serde_json::from_str::<Value>(&stats).unwrap_or_default();
    let counts = COUNTS.split(' ').map(|name| stats[name].as_u64().unwrap_or(0)).collect();
    Ran { code, records, rejects, counts, said }
}

impl Ran {
    fn count(&self, name: &str) -> u64 {
        self.counts[COUNTS.split(' ').position(|it| it == name).unwrap()]
    }

    /// The puzzles that are neither solved nor among the rejects, and all that are not solved: a line of each.
    fn missing<'a>(&self, input: &'a Input) -> [Vec<&'a str>; 2] {
        let solved: HashSet<_> = self.records.lines().collect();
        // The lines of a JSON document are joined without spaces.
        let rejects = self.rejects.replace(' ', "");
        // Of a record of a document above 64 KiB the beginning is among the rejects, with a note that the rest is cut:
        // the puzzles behind the long line are named with it.
        let is_cut = self.said.contains("which is a JSON document")
            && self.rejects.contains("of this line only the first 65536 bytes are kept");
        let long = input.text.rsplit_once(&"1".repeat(65_536)).filter(|_| is_cut);
        let behind = long.map_or("", |(_, behind)| behind);
        let is_named = |line: &String| {
            if behind.contains(line.trim_end_matches(',')) {
                return true;
            }
            let line = line.replace(' ', "");
            let longest = line.split(is_no_cell).max_by_key(|run| run.len());
            let part = longest.filter(|run| run.len() >= 9).unwrap_or(&line);
            rejects.contains(part.get(..40).unwrap_or(part))
        };
        let mut missing = [Vec::new(), Vec::new()];
        for (solution, lines) in &input.planted {
            if !solved.contains(&**solution) {
                missing[1].push(&*lines[0]);
                missing[0].extend((!lines.iter().all(is_named)).then_some(&*lines[0]));
            }
        }
        missing
    }
}

/// Follows each piece of advice in a message, and gives what it was and what came of it.
fn follow(folder: &Folder, input: &Input, said: &str) -> Vec<(String, Ran)> {
    let mut ways = Vec::new();
    let starts = ["jq", "tr", "cut", "grep", "sed"].map(|tool| format!(" {tool} "));
    for (at, _) in starts.iter().flat_map(|start| said.match_indices(start)) {
        let Some((command, rest)) = said[at + 1..].split_once(" | ninefold COMMAND -") else {
            continue;
        };
        let mut commands = vec![command.replace(" FILE", " in.txt")];
        if rest.starts_with(", or -f 2-82") {
            commands.push(commands[0].replace("1-81", "2-82"));
        }
        commands.retain(|it| it.contains(" in.txt") && !it.contains('\n'));
        for command in commands {
            let mut shell = Command::new("sh");
            let ran = shell.args(["-c", &command]).current_dir(folder.path("")).output().unwrap();
            // jq says itself where a document is damaged.
            if ran.status.success() || !input.is_disturbed {
                let grids = rest.starts_with("-grid").then_some("--grid");
                let words: Vec<_> = ["--unique"].into_iter().chain(grids).collect();
                ways.push((command, run(folder, "solve", &words, &ran.stdout)));
            }
        }
    }
    let after = |text: &str| said.split_once(text)?.1.split([' ', ';', ',', '\n']).next();
    let flags = ["--grid", "--lines"].into_iter().filter(|it| said.contains(it));
    let mut options: Vec<_> = flags.map(str::to_owned).collect();
    options.extend(after("--blank ").map(|it| format!("--blank={}", it.trim_matches('\''))));
    options.extend(after("cells are next to ").map(|it| format!("--delimiter={it}")));
    if said.contains("--columns puzzle=") {
        let fields = said.replace("key ", "column ");
        let fields = fields.split("column ").skip(1);
        let name = |it: &str| match it.strip_prefix('"') {
            Some(name) => name.split('"').next().map(str::to_owned),
            None => it.split([' ', ',', ';', '\n']).next().map(str::to_owned),
        };
        options.extend(fields.filter_map(name).map(|it| format!("--columns=puzzle={it}")));
    }
    for option in options {
        let words = [&input.options[..], &["--unique", "in.txt", &option]].concat();
        let ran = run(folder, "solve", &words, b"");
        ways.push((option, ran));
    }
    ways
}

/// All that is wrong with how the program reads an input.
fn faults(input: &Input) -> Vec<String> {
    let folder = Folder::new();
    folder.file("in.txt", &input.text);
    let solve = |more: &[&str], stdin: &[u8]| {
        run(&folder, "solve", &[&["--unique"], &input.options[..], more].concat(), stdin)
    };
    let first = solve(&["-j1", "in.txt"], b"");
    let [silent, lost] = first.missing(input);
    if first.code == Some(2) {
        let ways = follow(&folder, input, &first.said);
        let works = |(_, ran): &(String, Ran)| {
            let [silent, lost] = ran.missing(input).map(|lines| lines.len());
            let is_read = ran.code != Some(2) && silent == 0 || lost < input.planted.len();
            lost == 0 || input.is_disturbed && is_read
        };
        let needs_none = input.is_disturbed && ways.is_empty();
        let fault = || format!("no advice works: {} {ways:#?}", first.said);
        return (!needs_none && !ways.iter().any(works)).then(fault).into_iter().collect();
    }
    let mut faults = Vec::new();
    let mut claim = |holds: bool, fault: &str| faults.extend((!holds).then(|| fault.to_owned()));
    let records: Vec<_> = first.records.lines().filter(|it| !it.starts_with('#')).collect();
    let solved = input.planted.len() - lost.len();
    let is_document = first.said.contains("which is a JSON document");
    let kinds = ["unique", "multiple", "none", "conflict", "malformed"].map(|it| first.count(it));
    claim(first.code <= Some(1), "the exit code");
    claim(silent.is_empty(), &format!("silently missing: {silent:.100?}"));
    claim(first.code != Some(0) || lost.is_empty(), "exit code 0, but not all are solved");
    claim(records.iter().all(|it| input.grids.contains(*it)), "a solution of nothing");
    claim(first.count("unique") == records.len() as u64, "the number of solutions");
    claim(first.count("full_grids") >= (records.len() - solved) as u64, "full grids");
    claim(first.count("puzzles") == kinds.iter().sum::<u64>() && kinds != [0; 5], "the sum");
    let lines = input.text.lines().count() as u64;
    claim(is_document || first.count("lines") == lines, "the number of lines");

    let mut other = match input.text.len() % 3 {
        0 if !is_document => {
            let [mut all, part] = ["1/2", "2/2"].map(|it| solve(&["in.txt", "--shard", it], b""));
            all.code = all.code.max(part.code);
            all.records += &part.records;
            // The header is above the rejects of each shard.
            let header = all.rejects.split_inclusive('\n').next().filter(|it| !it.starts_with('#'));
            let rejects = part.rejects.strip_prefix(header.unwrap_or_default());
            all.rejects = all.rejects.clone() + rejects.unwrap_or(&part.rejects);
            all.counts.iter_mut().zip(part.counts).for_each(|(sum, more)| *sum += more);
            all
        }
        1 => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(input.text.as_bytes()).unwrap();
            solve(&[], &gzip.finish().unwrap())
        }
        _ => solve(&["-j2"], input.text.as_bytes()),
    };
    other.said.clone_from(&first.said);
    claim(other == first, &format!("another way in: {other:#?} {first:#?}"));

    let words = [&input.options[..], &["in.txt"]].concat();
    let verified = run(&folder, "verify", &words, b"");
    let is_unchecked = verified.said.contains("no answers found");
    let may_pass = lost.is_empty() && first.count("full_grids") == 0;
    let are_right = is_unchecked || input.wrong_answers == 0;
    claim(
        verified.code != Some(0) || may_pass && are_right,
        &format!("verify passes: {}", verified.said),
    );
    let selected = run(&folder, "select", &words, b"");
    let is_copied = |line: &String| {
        let [row, start] = [line.trim_end_matches(','), line.get(..40).unwrap_or(line)];
        selected.records.contains(row) || selected.rejects.contains(start)
    };
    let dropped = input.planted.iter().flat_map(|(_, lines)| lines).find(|line| !is_copied(line));
    claim(is_document || dropped.is_none(), &format!("select drops {dropped:.100?}"));
    faults
}

fn judge(seed: u64, inputs: u64) {
    let seeds: Vec<_> = (0..inputs).map(|number| seed.wrapping_add(number * 1_000_003)).collect();
    let judged = for_each(&seeds, |_, &seed| {
        let input = Input::mixed(seed);
        let faults = faults(&input);
        let lines = input.lines.iter().take(12).map(|line| format!("    {line:.150}\n"));
        let text = format!("{:?} {:?}\n{}", input.parts, input.options, lines.collect::<String>());
        (!faults.is_empty()).then(|| format!("input {seed}: {text}{}\n", faults.join("\n")))
    });
    assert!(judged.is_empty(), "seed {seed}: {} inputs\n{}", judged.len(), judged.join("\n"));
}

#[test]
fn mixed_inputs_are_accounted_for() {
    judge(51, 200);
}

#[test]
#[ignore = "its seed is the time"]
fn thousands_of_mixed_inputs_are_accounted_for() {
    judge(Lots::printed().0, 2000);
}
