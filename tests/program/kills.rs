//! Runs of every command, ended anywhere by kills and signals and continued until they are complete: the bytes, the
//! exit code and the statistics are those of an undisturbed run.
//!
//! A run has one to five inputs: some have one line, are compressed or come through a pipe, and a shard begins and ends
//! anywhere in them. Each run has another seed, so `.ci/full` runs it:
//!
//! ```sh
//! NINEFOLD_KILLS=500 cargo test --release --test program kills -- --ignored --nocapture
//! ```

use crate::support::{
    Folder, ILLEGAL, KILLED, Lots, NONE, SOLVED, TWO, counts_of, different, fed, gzip, lists, name,
    ninefold, one_of, text_of,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Commands: how many rows take one a part of a second, its formats, and options that are tried one at a time.
const COMMANDS: &str = "
solve: 60000: line,pair,csv,jsonl,grid: |--unique|--limit 9|--all --max 3|--only unique
verify: 40000: report,csv,jsonl: |--duplicates|--minimal|--trust-unique|--solutions ../answers
canon: 20000: line,pair,csv,jsonl,grid: |--form solution
rate: 1000: csv,jsonl: |--measure grade|--measure er --max-er 3.0|--shuffles 2
steps: 4000: csv,jsonl,text: |--boards
select: 60000: : |--status unique|--status unique,malformed --head 20000|--unseen|--sample 500|\
    --split a=0.5,b=0.5|--clues 30.. --head 3
augment: 5000: line,pair,csv,jsonl,grid: |-n 4|-n 30|--include-original --seed 4
minimize: 4000: line,pair,csv,jsonl,grid: |--all --max 2|--seed 3
neighbors: 60: line,csv,jsonl: |--per-source|--max 700|--per-source --max 2000|\
    --rounds 2 --max 1500|--only multiple
generate: 0: line,pair,csv,jsonl,grid: -n 3000 --seed 1|-n 60 --minimal --seed 1|\
    -n 500 --clues 26..27 --seed 1|-n 2 --from ../grids --seed 1|-n 900 --allow-duplicates --seed 1";

/// How outputs are written, and inputs.
const ENDINGS: &[&str] =
    if cfg!(feature = "compression") { &["txt", "txt", "txt", "gz", "zst"] } else { &["txt"] };

/// How rows are written: the name of an input, its first line and a row of this number.
type Form = (&'static str, &'static str, fn(u64, &str) -> String);

const FORMS: &[Form] = &[
    ("txt", "", |_, row| format!("{row}\r\n")),
    ("txt", "", |_, row| format!("{row}\n")),
    ("csv", "id,puzzle,note\n", |number, row| match row {
        "" => "\n".to_owned(),
        _ if number.is_multiple_of(9) => format!("{number},{row},\"a, b, \"\"c\"\"\"\n"),
        _ => format!("{number},{row},d\n"),
    }),
    ("jsonl", "", |number, row| format!("{{\"id\":{number}, \"puzzle\":\"{row}\"}}\n")),
    ("sdk", "", |number, row| {
        let lines = row.as_bytes().chunks(9).map(|line| [line, b"\n"].concat()).collect::<Vec<_>>();
        let title = if number.is_multiple_of(3) { "Title\n" } else { "\n" };
        title.to_owned() + &String::from_utf8(lines.concat()).unwrap()
    }),
    // The last: it is not cut into shards.
    ("json", "[{\"puzzle\":\"12x\"}", |number, row| {
        format!(",\n{{\"id\":{number}, \"puzzle\":\"{row}\"}}")
    }),
];

/// What came of the runs of a command.
#[derive(Debug, Default)]
struct Tally {
    runs: u64,
    refused: u64,
    kills: u64,
    signals: u64,
    too_late: u64,
}

#[test]
#[ignore = "its seed is the time"]
fn runs_that_are_killed_anywhere_end_like_undisturbed_ones() {
    let wanted = std::env::var("NINEFOLD_KILLS").ok().and_then(|text| text.parse().ok());
    let (wanted, started, mut lots) = (wanted.unwrap_or(60), Instant::now(), Lots::printed());
    let mut tallies = BTreeMap::<_, Tally>::new();
    while tallies.values().map(|it| it.kills + it.signals).sum::<u64>() < wanted {
        // Each command is killed as often as the others.
        let command = |line: &&'static str| line.split(':').next().unwrap();
        let fewest = |it: &&'static str| {
            tallies.get(command(it)).map_or(0, |it| it.kills + it.signals + it.refused / 4)
        };
        let tried = COMMANDS.trim().lines().min_by_key(fewest).unwrap();
        Round::new(tried, &mut lots).run(&mut lots, tallies.entry(command(&tried)).or_default());
    }
    for (command, tally) in tallies {
        println!("{command:9} {tally:?}");
    }
    println!("{:?}", started.elapsed());
}

/// A command, and the folder of its inputs. It is run in a folder below.
struct Round {
    folder: Folder,
    words: Vec<String>,
    /// What comes through the pipe, if one of the inputs is one.
    piped: Vec<u8>,
}

impl Round {
    fn new(tried: &'static str, lots: &mut Lots) -> Self {
        let mut round = Self { folder: Folder::new(), words: Vec::new(), piped: Vec::new() };
        let fields: Vec<_> = tried.split(": ").collect();
        let [command, most, formats, options] = fields[..] else { panic!("{tried}") };
        let all = |text: &'static str, by| text.split(by).collect::<Vec<_>>();
        let (option, format) =
            (*one_of(lots, &all(options, '|')), *one_of(lots, &all(formats, ',')));
        round.say(&format!("{command} {option} -o out.{}", one_of(lots, ENDINGS)));
        round.say("--stats-json stats --resume -q");
        if !format.is_empty() {
            round.say(&format!("--format {format}"));
        }
        let has_fields = ["csv", "jsonl"].contains(&format);
        let (of_rows, is_made) = (["select", "augment"].contains(&command), command == "generate");
        match lots.below(6) {
            0 | 1 if has_fields && !of_rows && !is_made => round.say("--keep-columns"),
            2 if has_fields && command != "select" => round.say("--write puzzle,line"),
            _ => {}
        }
        if has_fields && ["canon", "augment"].contains(&command) && lots.below(2) == 0 {
            round.say("--map");
        }
        if !is_made && lots.below(2) == 0 {
            round.say(&format!("--rejects rejects.{}", one_of(lots, ENDINGS)));
        }
        let all = ["--unseen", "--head", "--sample", "--duplicates", "--solutions"];
        let needs_all = all.iter().any(|it| option.contains(it));
        let shards = if needs_all { 0 } else { lots.below(2) * lots.below(6) };
        if shards > 0 {
            round.say(&format!("--shard {}/{shards}", 1 + lots.below(shards)));
        }
        if is_made {
            round.folder.file("grids", format!("{SOLVED}\n").repeat(300));
        } else {
            round.add_inputs(most.parse().unwrap(), shards > 0, lots);
        }
        round
    }

    fn say(&mut self, words: &str) {
        self.words.extend(words.split_whitespace().map(str::to_owned));
    }

    fn add_inputs(&mut self, most: u64, is_shard: bool, lots: &mut Lots) {
        let forms = &FORMS[..FORMS.len() - usize::from(is_shard)];
        let of_one_form = ["--keep-columns", "--rejects", "select", "augment"];
        let is_one_form = self.words.iter().any(|it| of_one_form.contains(&&**it));
        let form_of_all = (is_one_form || lots.below(3) > 0).then(|| one_of(lots, forms));
        let form = form_of_all.map_or("", |it| it.0);
        let are_lines = form == "txt" && lots.below(2) == 0;
        match form {
            "sdk" => self.say("--grid"),
            _ if are_lines => self.say("--lines"),
            _ => {}
        }
        let has_parquet = cfg!(feature = "parquet") && lots.below(2) == 0;
        let (puzzles, mut answers) = (puzzles(most, self.words[0] == "neighbors"), 0);
        for left in (0..=lots.below(4)).rev() {
            let (form, begin, row) = *form_of_all.unwrap_or_else(|| one_of(lots, forms));
            let is_piped = left == 0 && !is_shard && lots.below(6) == 0;
            let rows = match lots.below(5) {
                // Other inputs without a puzzle are refused.
                0 => u64::from(!is_piped || !are_lines),
                1 => 1 + lots.below(most / 10),
                _ => 1 + lots.below(most),
            };
            let mut text = begin.to_owned();
            for (number, puzzle) in (0..rows).zip(puzzles.iter().cycle()) {
                text += &row(number, puzzle);
                let is_record = match form {
                    "txt" => !puzzle.is_empty() && !puzzle.starts_with('#'),
                    "csv" => !puzzle.is_empty(),
                    _ => true,
                };
                answers += usize::from(is_record);
            }
            if form == "json" {
                text.push(']');
            }
            if is_piped {
                self.say("-");
                self.piped = text.into_bytes();
                continue;
            }
            let (name, by) = (format!("{left}.{form}"), *one_of(lots, ENDINGS));
            let file = self.folder.file(&name, &text);
            let name = match by {
                _ if has_parquet && form == "csv" => to_parquet(&file),
                "gz" | "zst" if !is_shard => {
                    compress(&text, by, &self.folder.path(&format!("{name}.{by}")));
                    format!("{name}.{by}")
                }
                _ => name,
            };
            self.say(&format!("../{name}"));
        }
        self.folder.file("answers", format!("{SOLVED}\n").repeat(answers));
    }

    /// The command in a folder, with more words.
    fn command(&self, folder: &Path, more: &[&str]) -> Command {
        let words: Vec<_> =
            self.words.iter().map(String::as_str).chain(more.iter().copied()).collect();
        let mut command = ninefold(words[0], &words[1..]);
        command.current_dir(folder);
        command
    }

    /// Its exit code and what it said, ended by a signal after some time.
    fn ended(
        &self,
        folder: &Path,
        more: &[&str],
        end: Option<(Duration, &str)>,
    ) -> (Option<i32>, String) {
        let spawn = || self.command(folder, more).spawn();
        // wine refuses one of some thousand processes.
        let mut child = spawn().or_else(|_| spawn()).unwrap();
        let (mut stdin, piped) = (child.stdin.take().unwrap(), self.piped.clone());
        let writer = std::thread::spawn(move || drop(stdin.write_all(&piped)));
        if let Some((after, signal)) = end {
            sleep(after);
            // It may have come to its end before.
            if cfg!(unix) {
                let mut kill = Command::new("kill");
                let _ = kill.args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
            } else {
                let _ = child.kill();
            }
        }
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Runs it undisturbed, and with kills.
    fn run(&self, lots: &mut Lots, tally: &mut Tally) {
        let [whole, pieces] = ["whole", "pieces"].map(|name| self.folder.path(name));
        fs::create_dir(&whole).unwrap();
        fs::create_dir(&pieces).unwrap();
        tally.runs += 1;
        let started = Instant::now();
        let (expected, said) = self.ended(&whole, &["-j1"], None);
        let time = u64::try_from(started.elapsed().as_micros()).unwrap();
        if expected == Some(2) {
            // Its options do not go together, say.
            tally.refused += 1;
            return println!("{:?}: {said}", self.words.join(" "));
        }
        let mut history = Vec::new();
        for left in (0..=lots.below(6)).rev() {
            let threads = format!("-j{}", 1 + lots.below(4));
            let mut more =
                vec![&*threads, "--flush-interval", *one_of(lots, &["0", "0.001", "0.02", "1"])];
            if self.words[0] != "generate" && lots.below(2) == 0 {
                more.push("--no-mmap");
            }
            let signal = *one_of(lots, &["-KILL", "-KILL", "-KILL", "-INT", "-TERM"]);
            let after = Duration::from_micros(lots.below(time + time / 8));
            let (code, said) = self.ended(&pieces, &more, (left > 0).then_some((after, signal)));
            history.push(format!("{after:?} {signal} {threads} {code:?} {said}"));
            match code {
                // On Windows this may also be the code of a complete run, which is then found to be complete.
                code if code == KILLED && left > 0 => tally.kills += 1,
                Some(130 | 143) => tally.signals += 1,
                code => {
                    tally.too_late += u64::from(left > 0);
                    assert_eq!(code, expected, "{:?} {history:#?}", self.words.join(" "));
                    break;
                }
            }
        }
        // And once more, when it is complete.
        assert_eq!(self.ended(&pieces, &[], None).0, expected, "{:?} {history:#?}", self.words);
        let [whole, pieces] = [whole, pieces].map(|folder| contents(&folder));
        if whole != pieces {
            for name in whole.keys().chain(pieces.keys()) {
                let [one, two] =
                    [&whole, &pieces].map(|it| it.get(name).map_or("nothing", |it| it));
                let same = one.bytes().zip(two.bytes()).take_while(|(one, two)| one == two).count();
                if one != two {
                    let [one, two] =
                        [one, two].map(|it| it.get(same.saturating_sub(200)..).unwrap_or(it));
                    println!("{name} differs at {same}: {one:.600}\nand {two:.600}");
                }
            }
            panic!("{:?} {history:#?}", self.words.join(" "));
        }
    }
}

/// The outputs in a folder, decompressed, without logs. Of statistics, what is the same in all runs.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    let outputs = named.filter(|(name, _)| !name.ends_with(".partial.log"));
    let text = |(name, path): (String, PathBuf)| match &*name {
        "stats" => (name, counts_of(&path).to_string()),
        _ => (name, String::from_utf8_lossy(&text_of(&path)).into_owned()),
    };
    outputs.map(text).collect()
}

/// Puzzles of all kinds, and lines that are none.
fn puzzles(most: u64, is_slow: bool) -> Vec<String> {
    if is_slow {
        let lines = lists::MINIMAL.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
        let others = [TWO, "", NONE, "12x"].map(str::to_owned);
        let more = lists::MINIMAL.lines().skip(20).map(str::to_owned);
        return lines.take(9).chain(others).chain(more).collect();
    }
    let (text, _) = different(usize::try_from(most).unwrap().min(9_000));
    let others = [TWO, NONE, ILLEGAL, SOLVED, "53.x", ""].into_iter().map(str::to_owned);
    text.lines().map(str::to_owned).chain(others).collect()
}

fn compress(text: &str, by: &str, to: &Path) {
    let bytes = if by == "gz" { gzip(text) } else { zstd::encode_all(text.as_bytes(), 1).unwrap() };
    fs::write(to, bytes).unwrap();
}

/// Makes a Parquet file of the rows of a table, and gives its name.
fn to_parquet(table: &Path) -> String {
    let file = table.with_extension("parquet");
    let words = ["-q", "--format", "csv", "--exit-zero", name(table), "-o", name(&file)];
    let (code, _, said) = fed(&mut ninefold("verify", &words), "");
    assert_eq!(code, Some(0), "{said}");
    file.file_name().unwrap().to_str().unwrap().to_owned()
}
