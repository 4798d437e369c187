//! Files of all families, damaged by lot. The program counts every puzzle, gives no row the answer of another row, and solves
//! no answer as a puzzle.
//!
//! The judge reads lines, and knows little of fields. It finds the grids of each line: runs of exactly 81 cells, arrays of
//! cells, and lines of separated cells. A line with 17 clues or more is a record or malformed.

#![cfg(feature = "compression")]

use crate::compressed::gzip;
use crate::corpus::for_each;
use crate::support::{EASY, Folder, Lots, SOLVED, fed, names, ninefold, one_of, renamed};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Head, row and foot, divided by `~`. `<p>` is the puzzle of a row, `<p!>` its solution, `<p+>` the puzzle with more clues,
/// all in a shape of [`SHAPES`]. `<d>` is a delimiter, `<n>` the number of the row, `<all>` their number, `<h>` a hash.
const FAMILIES: &[&str] = &[
    "~<p>~",
    "~<p> 7.1~",
    "~<h> <p>  1.2~",
    "~<p> # by gsf~",
    "~<p><d>7.1<d>Golden Nugget~",
    "~<n><d><p>~",
    "~<p><d><p!>~",
    "<all>~<p>~",
    "# a comment\n# of two lines~<p>,<p!>,0.5~",
    "A list of puzzles\n\nid<d>puzzle<d>rating~<n><d><p><d>1.5~",
    "id<d>puzzle<d>solution<d>rating~<n><d><p><d><p!><d>2.3~",
    "quizzes<d>solutions~<p><d><p!>~",
    "source<d>question<d>answer<d>rating~forum<d><p><d><p!><d>7~",
    "puzzle<d>progress<d>solution~<p><d><p+><d><p!>~",
    "rating<d>answers<d>quiz~0.5<d><p!><d><p>~",
    "start<d>end<d>nr~<p><d><p!><d><n>~",
    "\"id\",\"sudoku\",\"name\"~\"<n>\",\"<p>\",\"a, \"\"b\"\"; c\"~",
    "| id | puzzle | solution |\n|----|:---|---|~| <n> | <p> | <p!> |~",
    "~{\"id\": <n>, \"data\": {\"start\": \"<p>\", \"end\": \"<p!>\"}}~",
    "~{\"quiz\": [<cells>], \"answer\": [<cells!>]}~",
    "~{\"question\": [[<table>]], \"rating\": 1.2}~",
    "~{\"puzzle\": [\"<rows>\"], \"id\": <n>}~",
    "~[<cells>]~",
    "[~{\"puzzle\": \"<p>\", \"solution\": \"<p!>\"},~]",
    "~:0000:x:<p>:::~",
    "~<cells>~",
    "~<lines>\n~",
    "~Grid <n>\n<lines>~",
    "~+---+---+---+\n|<frame>|\n+---+---+---+\n~",
];

/// A tag, the cells of a group, the text between two groups of a row, and between two rows.
const SHAPES: [(&str, usize, &str, &str); 6] = [
    ("p", 9, "", ""),
    ("cells", 1, ",", ","),
    ("table", 1, ",", "],["),
    ("rows", 9, "", "\",\""),
    ("lines", 9, "", "\n"),
    ("frame", 3, "|", "|\n|"),
];

/// Lines that do not belong there, divided by `~`, with the same tags.
const FOREIGN: &str = "~  ~# a comment~A list of puzzles~17~-----~+---+---+~| --- | --- |~null~[~]~{~\"~<html>~sep=;\
    ~puzzle,solution~id;question;answer~# <p>~<p>~<p>~<p!>~1,<p>,<p!>~<p!>,<p>~<p>;<p>~<p> <p!>~Solve <p> please\
    ~INSERT INTO p VALUES (1, '<p>', '<p!>');~{\"puzzle\": \"<p>\"}~{\"a\": \"<p!>\", \"b\": \"<p>\"}~[<cells>]~<lines>";
const MUTATIONS: &str = "delete~insert~duplicate~swap~move~join~cut~cut off~quote~replace";
/// Inserted characters, texts around a part, delimiters and blanks.
const CHARACTERS: &str = "\"~'~,~;~\t~|~ ~#~.~0~5~x~\r~\0~\u{feff}~é~{~]~\\";
const QUOTES: &str = "\"@\"~\"@~@\"~\"a\n@\"~\"@\nb\"~'@'";
const DELIMITERS: &str = ",~;~\t~|~ ~ , ";
const BLANKS: &str = ".~0~*~_~-~x~ ~null~";
const PUZZLE_NAMES: [&str; 7] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid"];
/// Fewer digits are no puzzle, and a grid with more is an answer that lost some.
const CLUES: RangeInclusive<usize> = 17..=78;

/// A file, and how it was made.
struct Made {
    lots: Lots,
    delimiter: &'static str,
    blank: &'static str,
    lines: Vec<String>,
    end: &'static str,
    puzzles: Vec<[String; 2]>,
    family: &'static str,
    mutations: Vec<String>,
}

impl Made {
    /// A file without faults.
    fn new(seed: u64) -> Self {
        let mut lots = Lots(seed);
        let family = *one_of(&mut lots, FAMILIES);
        let parts: Vec<_> = family.split('~').collect();
        let row = parts[1];
        let delimiter = match row {
            _ if row.contains("<d>") => *one_of(&mut lots, &[",", ";", "\t", "|"]),
            _ if row.contains('|') => "|",
            _ if row.contains([',', ':']) => ",",
            _ => " ",
        };
        // Numbers have no other blank.
        let is_number = row.contains("<cells") || row.contains("<table");
        let blank = if is_number { "0" } else { *one_of(&mut lots, &[".", "0", "*", "_"]) };
        let end = *one_of(&mut lots, &["\n", "\n", "\n", "\r\n"]);
        let (lines, puzzles, mutations) = (Vec::new(), Vec::new(), Vec::new());
        let mut made = Self { lots, delimiter, blank, lines, end, puzzles, family, mutations };
        let count = 6 + made.below(35);
        made.add(&parts[0].replace("<all>", &count.to_string()));
        for _ in 0..count {
            made.add(row);
        }
        if !parts[2].is_empty() {
            made.lines.last_mut().unwrap().pop();
            made.add(parts[2]);
        }
        made
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.lots.below(end.max(1) as u64)).unwrap()
    }

    /// One of these texts, which `~` divides.
    fn one(&mut self, texts: &'static str) -> &'static str {
        let place = self.below(texts.split('~').count());
        texts.split('~').nth(place).unwrap()
    }

    fn with_more_clues(&mut self, puzzle: &str, solution: &str) -> String {
        let cells = puzzle.chars().zip(solution.chars());
        cells.map(|(clue, digit)| if self.below(6) == 0 { digit } else { clue }).collect()
    }

    /// A template with a puzzle that the file does not have.
    fn filled(&mut self, template: &str) -> String {
        let names = names(self.below(362_880));
        let [clues, solution] = [EASY, SOLVED].map(|it| renamed(it, names));
        if self.puzzles.iter().any(|it| it[1] == solution) {
            return self.filled(template);
        }
        let puzzle = self.with_more_clues(&clues, &solution);
        let progress = self.with_more_clues(&puzzle, &solution);
        let hash = format!("{:012x}", self.lots.below(1 << 48));
        let number = (self.puzzles.len() + 1).to_string();
        let text = template.replace("<d>", self.delimiter).replace("<n>", &number);
        let mut text = text.replace("<h>", &hash);
        for (tag, size, inner, outer) in SHAPES {
            for (mark, grid) in [("", &puzzle), ("!", &solution), ("+", &progress)] {
                let shaped = shaped(grid, size, inner, outer).replace('.', self.blank);
                text = text.replace(&format!("<{tag}{mark}>"), &shaped);
            }
        }
        if SHAPES.iter().any(|(tag, ..)| template.contains(&format!("<{tag}>"))) {
            self.puzzles.push([puzzle, solution]);
        }
        text
    }

    fn add(&mut self, template: &str) {
        let text = self.filled(template);
        self.lines.extend(text.split('\n').filter(|_| !template.is_empty()).map(str::to_owned));
    }

    /// Changes a part of the text, which is a character of a line, a field of it, or a line.
    fn mutate(&mut self) {
        let [line, other] = [(); 2].map(|()| self.below(self.lines.len()));
        let separator = *one_of(&mut self.lots, &["", self.delimiter, "\n"]);
        let is_line = separator == "\n";
        let text = if is_line { self.lines.join("\n") } else { self.lines[line].clone() };
        let mut parts: Vec<_> = match separator {
            "" => text.chars().map(String::from).collect(),
            _ => text.split(separator).map(str::to_owned).collect(),
        };
        let [place, to] = [(); 2].map(|()| self.below(parts.len()));
        parts.resize(parts.len().max(1), String::new());
        let mutation = self.one(MUTATIONS);
        let part = parts[place].clone();
        let half = self.below(part.chars().count() + 1);
        let first: String = part.chars().take(half).collect();
        match mutation {
            "delete" => drop(parts.remove(place)),
            "insert" => {
                let foreign = self.one(if is_line { FOREIGN } else { CHARACTERS });
                parts.insert(place, self.filled(foreign));
            }
            "duplicate" => parts.insert(to, part),
            "swap" => parts.swap(place, to),
            "move" if is_line => {
                let moved = parts.remove(place);
                parts.insert(to.min(parts.len()), moved);
            }
            "move" => {
                parts.remove(place);
                let mut fields: Vec<_> = self.lines[other].split(separator).collect();
                fields.insert(place.min(fields.len()), &part);
                self.lines[other] = fields.join(separator);
            }
            "join" => {
                parts.push(String::new());
                let behind = parts.remove(place + 1);
                parts[place] += *one_of(&mut self.lots, &[self.delimiter, "", " "]);
                parts[place] += &behind;
            }
            "cut" => drop(
                parts.splice(place..=place, [&*first, &part[first.len()..]].map(str::to_owned)),
            ),
            "cut off" => parts.splice(place.., [first]).for_each(drop),
            "quote" => parts[place] = self.one(QUOTES).replace('@', &part),
            _ => {
                let by_lot = [(self.delimiter, DELIMITERS), (self.blank, BLANKS)];
                let (old, texts) = *one_of(&mut self.lots, &by_lot);
                let new = self.one(texts);
                parts[place..].iter_mut().for_each(|it| *it = it.replace(old, new));
            }
        }
        let changed = if is_line { 0..self.lines.len() } else { line..line + 1 };
        drop(self.lines.splice(changed, [parts.join(separator)]));
        self.lines = self.lines.join("\n").split('\n').map(str::to_owned).collect();
        let places = format!("line {} ({}), {place} ({to})", line + 1, other + 1);
        self.mutations.push(format!("{mutation} {separator:?}: {places}"));
    }
}

/// A grid in rows of nine cells, in groups of `size`.
fn shaped(grid: &str, size: usize, inner: &str, outer: &str) -> String {
    let cells: Vec<_> = grid.chars().map(String::from).collect();
    let row = |row: &[String]| row.chunks(size).map(<[_]>::concat).collect::<Vec<_>>().join(inner);
    cells.chunks(9).map(row).collect::<Vec<_>>().join(outer)
}

fn is_cell(character: char) -> bool {
    "123456789.0_*-".contains(character)
}

fn clues(text: &str) -> usize {
    text.chars().filter(|it| ('1'..='9').contains(it)).count()
}

/// The cells of a text of values of one length between delimiters and brackets, with `.` for a blank.
fn cells(text: &str) -> Option<String> {
    let text = text.replace("null", ".").replace('\u{feff}', "");
    let values = text.split([',', ';', '|', ' ', '\t', '[', ']', '"', '\r']);
    let values: Vec<_> = values.filter(|it| !it.is_empty()).collect();
    let is_even = |it: &&str| it.len() == values[0].len() && it.chars().all(is_cell);
    let is_grid = values.iter().all(is_even);
    is_grid.then(|| values.concat().replace(['0', '_', '*', '-'], "."))
}

/// The cells of a row of a grid of nine lines: with them are marks alone.
fn nine(line: &str) -> Option<String> {
    // Dashes are marks.
    let row: String = line.chars().filter(|it| is_cell(*it) && *it != '-').collect();
    let is_row = row.len() == 9 && clues(&row) > 0 && !line.starts_with('#');
    let is_mark = |it: char| !it.is_alphanumeric() && it != '\0' && it != '#';
    let is_alone = line.chars().all(|it| is_cell(it) || is_mark(it));
    cells(&row).filter(|_| is_row && is_alone)
}

/// The different grids of a line.
fn grids(line: &str) -> HashSet<String> {
    let (mut open, mut arrays) = (Vec::new(), Vec::new());
    for (place, bracket) in line.match_indices(['[', ']']) {
        if bracket == "[" {
            open.push(place);
        } else if let Some(start) = open.pop() {
            arrays.push(&line[start..place]);
        }
    }
    let texts = line.split(|it| !is_cell(it)).chain(arrays).chain([line]);
    texts.filter_map(cells).filter(|it| it.len() == 81).collect()
}

/// The grids of a line that are puzzles.
fn open(line: &str) -> Vec<String> {
    grids(line).into_iter().filter(|it| CLUES.contains(&clues(it))).collect()
}

/// Whether a line has as many digits as a puzzle. Then it is no title and no header.
fn is_record(line: &str) -> bool {
    !line.trim_start_matches('\u{feff}').starts_with('#') && clues(line) >= *CLUES.start()
}

/// The fields of a row, without their quotation marks. One that does not close hides nothing.
fn fields(line: &str, delimiters: &str) -> Vec<String> {
    let (mut is_quoted, are_closed) = (false, line.matches('"').count().is_multiple_of(2));
    let fields = line.split(|it| {
        is_quoted ^= it == '"' && are_closed;
        delimiters.contains(it) && !is_quoted
    });
    let trimmed = |it: &str| it.trim_matches([' ', '"', '#', '\r', '\u{feff}']).to_lowercase();
    fields.map(trimmed).collect()
}

/// Whether a header says that this puzzle is the one to be read, though its line has others.
fn is_named(header: &str, line: &str, puzzle: &str) -> bool {
    if line.starts_with('{') {
        return PUZZLE_NAMES.iter().any(|name| line.contains(&format!("\"{name}\": ")));
    }
    [",", ";", "\t", "|", " ", ",;\t| "].iter().any(|delimiters| {
        let (names, mut values) = (fields(header, delimiters), fields(line, delimiters));
        values.retain(|it| delimiters.len() == 1 || !it.is_empty());
        // R writes no name above the names of the rows.
        values.drain(..usize::from(values.len() == names.len() + 1));
        let is_it = |(name, value): (&String, &String)| {
            PUZZLE_NAMES.contains(&&**name) && cells(value).as_deref() == Some(puzzle)
        };
        values.len() <= names.len() && names.iter().zip(&values).any(is_it)
    })
}

/// What a run gave.
#[derive(PartialEq)]
struct Ran {
    code: Option<i32>,
    records: Vec<Value>,
    rejects: String,
}

/// Runs a command with `in.txt` of a folder, and gives what it said and counted, too.
fn run(folder: &Folder, words: &[&str], stdin: &[u8]) -> (Ran, String, Value) {
    let mut command = ninefold(words[0], &words[1..]);
    command.args(["--format", "jsonl", "--force", "--rejects", "rejects"]);
    command.args(["--stats-json", "stats"]).current_dir(folder.path(""));
    let (code, records, said) = fed(&mut command, stdin);
    let [rejects, stats] = ["rejects", "stats"].map(|name| {
        let text = fs::read_to_string(folder.path(name)).unwrap_or_default();
        let _ = fs::remove_file(folder.path(name));
        text
    });
    let records = records.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    (Ran { code, records, rejects }, said, serde_json::from_str(&stats).unwrap_or_default())
}

/// The line of a record, counted from 0, and its puzzle, if it is not malformed.
fn line_and_puzzle(record: &Value) -> (usize, Option<String>) {
    let puzzle = record["puzzle"].as_str().filter(|_| record["status"] != "malformed");
    let line = record["line"].as_u64().unwrap();
    (usize::try_from(line).unwrap() - 1, puzzle.and_then(cells))
}

/// The rows of a grid of nine lines that holds this puzzle, or none.
fn rows_of(lines: &[&str], start: usize, puzzle: &str) -> Vec<usize> {
    let (mut rows, mut cells, mut has_gap) = (Vec::new(), String::new(), false);
    for (place, line) in lines.iter().enumerate().skip(start) {
        let is_mark = line.starts_with('#') || !line.contains(char::is_alphanumeric);
        match nine(line) {
            Some(row) if rows.len() < 9 => {
                rows.push(place);
                cells += &row;
            }
            // Nine rows on both sides of an empty line, and more behind them, are of two grids.
            Some(_) if has_gap && rows[8] + 1 == place => return Vec::new(),
            None if is_mark => has_gap |= line.trim().is_empty(),
            _ => break,
        }
    }
    if cells == puzzle { rows } else { Vec::new() }
}

/// A file as the judge reads it.
struct Judged<'a> {
    lines: Vec<&'a str>,
    is_document: bool,
    is_grid: bool,
}

impl Judged<'_> {
    /// The lines that hold this puzzle of a record: one, all of a document that do, or nine rows.
    fn places(&self, start: usize, puzzle: &str) -> Vec<usize> {
        let range = if self.is_document { 0..self.lines.len() } else { start..start + 1 };
        let holds = |place: &usize| grids(self.lines[*place]).contains(puzzle);
        let places: Vec<_> = range.filter(holds).collect();
        match places.is_empty() {
            false => places,
            true if self.is_document && grids(&self.lines.concat()).contains(puzzle) => vec![start],
            true => rows_of(&self.lines, start, puzzle),
        }
    }

    /// What is wrong with the records.
    fn faults(&self, ran: &Ran) -> Vec<String> {
        let (mut faults, mut covered, lines) = (Vec::new(), HashSet::new(), &self.lines);
        let mut fault = |line: usize, text: &str| faults.push(format!("line {}: {text}", line + 1));
        // One of the first lines that are no records may be the header.
        let mut headers: Vec<_> = lines.iter().take(6).filter(|line| !is_record(line)).collect();
        headers.push(&"");
        let is_told =
            |line: &str, puzzle: &str| headers.iter().any(|it| is_named(it, line, puzzle));
        let (mut behind, mut read) = (0, HashSet::new());
        for (start, puzzle) in ran.records.iter().map(line_and_puzzle) {
            // A record of a document may have its number instead.
            let start = start.min(lines.len() - 1);
            // Text may have several grids in a line.
            if start < behind && !self.is_document && !self.is_grid {
                fault(start, "read twice");
            }
            behind = start + 1;
            let Some(puzzle) = puzzle else {
                covered.insert(start);
                continue;
            };
            let (places, open, line) =
                (self.places(start, &puzzle), open(lines[start]), lines[start]);
            if places.is_empty() {
                fault(start, "a puzzle of another line");
            } else if self.is_grid {
                // A full grid in text is a puzzle, too.
            } else if !self.is_document && !open.is_empty() && !open.contains(&puzzle) {
                fault(start, "an answer as a puzzle");
            } else if !self.is_document && open.len() > 1 && !is_told(line, &puzzle) {
                fault(start, "a second puzzle is not counted");
            }
            covered.extend(places);
            read.insert(puzzle);
        }
        let (rejects, rejected) = (ran.rejects.replace(' ', ""), grids(&ran.rejects));
        for (place, line) in lines.iter().enumerate() {
            // Rows with a CR or a mark of byte order inside are no rows, or are. A line of a document may be of
            // several records.
            let is_needed = match line.trim_end_matches('\r') {
                line if line.starts_with('#') => false,
                line if line.contains(['\r', '\u{feff}']) && self.is_grid => false,
                line if self.is_grid => nine(line).is_some() && !covered.contains(&place),
                line if self.is_document => {
                    open(line).iter().any(|it| !read.contains(it) && !rejected.contains(it))
                }
                line => is_record(line) && !covered.contains(&place),
            };
            let text = line.replace(' ', "");
            let is_rejected = rejects.contains(text.trim_matches(['[', ']', ',', '\r']));
            if is_needed && !is_rejected {
                fault(place, "not counted");
            }
        }
        faults
    }

    /// Whether the line of a record has the answer that `verify` compared. No two puzzles have the same solution.
    fn has_answer(&self, verified: &Value, solution: &Value) -> bool {
        let line = self.lines.get(line_and_puzzle(verified).0).map_or("", |line| line);
        let mut grids = grids(line);
        if self.is_document {
            // Its values may be on other lines, and over several.
            grids = self.lines.iter().flat_map(|line| self::grids(line)).collect();
            grids.extend(self::grids(&self.lines.concat()));
        }
        let mut answers = grids.iter().filter(|it| clues(it) > *CLUES.end());
        let reasons = verified["reasons"]
            .as_array()
            .map_or("", |it| it.last().and_then(Value::as_str).unwrap_or(""));
        match verified["answer_is"].as_str() {
            Some("right") => answers.any(|it| solution == it),
            // Otherwise it is no grid.
            Some(_) if reasons.contains(" twice in ") || reasons.contains(" the clue is ") => {
                answers.any(|it| solution != it)
            }
            _ => true,
        }
    }
}

/// All that is wrong with how the program reads a file, or none if it refuses the file.
fn faults(made: &Made, text: &str) -> Option<Vec<String>> {
    let folder = Folder::new();
    folder.file("in.txt", text);
    let is_grid = made.family.contains("<lines>") || made.family.contains("<frame>");
    let grid = if is_grid { "--grid" } else { "--no-progress" };
    let (solved, said, stats) = run(&folder, &["solve", "--unique", grid, "in.txt"], b"");
    if solved.code == Some(2) {
        return (!said.contains("in.txt"))
            .then(|| vec![format!("refused without its name: {said}")]);
    }
    // A value may be on several lines.
    let first = text.trim_start().lines().next().unwrap_or_default();
    let is_open = first.starts_with('{') && serde_json::from_str::<Value>(first).is_err();
    let is_document = made.family.starts_with('[') || first.starts_with('[') || is_open;
    let judged = Judged { lines: text.lines().collect(), is_document, is_grid };
    let (verified, report, _) = run(&folder, &["verify", grid, "in.txt"], b"");
    let (other, ..) = match made.puzzles.len() % 3 {
        0 => run(&folder, &["solve", "--unique", grid, "-j2"], text.as_bytes()),
        1 => run(&folder, &["solve", "--unique", grid], &gzip(text)),
        _ => run(&folder, &["solve", "--unique", grid, "-j2", "in.txt"], b""),
    };
    let puzzles: Vec<_> = solved.records.iter().map(|it| line_and_puzzle(it).1).collect();
    let read: Vec<_> = puzzles.iter().flatten().collect();
    let malformed = puzzles.len() - read.len();
    let has_full = read.iter().any(|it| clues(it) == 81);
    let has_no_blanks = open(&text.replace('\n', " ")).is_empty();
    let is_said = stats["full_grids"] != 0 && said.contains("full grid");
    let expected = if made.family.contains("!>") { made.puzzles.len() } else { 0 };
    let right = verified.records.iter().filter(|it| it["answer_is"] == "right").count();
    let is_whole = (read.len(), right) == (made.puzzles.len(), expected);
    let codes = [solved.code, verified.code];
    let claims = [
        (matches!(solved.code, Some(0 | 1)), "the exit code"),
        (is_document || stats["lines"] == judged.lines.len(), "the number of lines"),
        (stats["puzzles"] == puzzles.len(), "the number of puzzles"),
        (stats["malformed"] == malformed, "the number of malformed records"),
        (malformed == 0 || !codes.contains(&Some(0)), "malformed records, and it passes"),
        (!has_full || is_said || has_no_blanks, "full grids not counted"),
        (other == solved, "another way in has other records"),
        (!made.mutations.is_empty() || is_whole && codes == [Some(0); 2], "not all is read"),
    ];
    let mut faults = judged.faults(&solved);
    let solutions = solved.records.iter().map(|it| (it["line"].as_u64(), &it["solution"]));
    let solutions: HashMap<_, _> = solutions.collect();
    for record in &verified.records {
        let solution = solutions.get(&record["line"].as_u64());
        if solution.is_some_and(|solution| !judged.has_answer(record, solution)) {
            faults.push(format!("line {}: the answer of another line", record["line"]));
        }
    }
    let broken = claims.iter().filter(|(holds, _)| !holds);
    faults.extend(broken.map(|(_, text)| format!("{text}: {said}{report}")));
    Some(faults)
}

/// The file of a seed, and what is wrong with how it is read.
fn judged(seed: u64, is_mutated: bool, refused: &AtomicUsize) -> Option<String> {
    let mut made = Made::new(seed);
    for _ in 0..if is_mutated { 1 + made.below(3) } else { 0 } {
        made.mutate();
    }
    let last = *one_of(&mut made.lots, &["", made.end, made.end]);
    let text = made.lines.join("\n").replace('\n', made.end) + last;
    let faults = faults(&made, &text).unwrap_or_else(|| {
        refused.fetch_add(1, Ordering::Relaxed);
        vec!["refused".to_owned(); usize::from(!is_mutated)]
    });
    let mut shown = format!("file {seed}: {:?} {:?}\n", made.family, made.mutations);
    for (place, line) in (1..).zip(text.lines()) {
        if place < 3 || faults.iter().any(|it| it.starts_with(&format!("line {place}:"))) {
            // A file with a zero byte is no text for grep.
            shown += &format!("{place:5} {:.300}\n", line.replace('\0', "\\0"));
        }
    }
    (!faults.is_empty()).then(|| shown + &faults.join("\n") + "\n")
}

fn judge(seed: u64, files: u64) {
    let seeds: Vec<_> = (0..files).map(|number| seed.wrapping_add(number * 1_000_003)).collect();
    let refused = AtomicUsize::new(0);
    // One file in ten is as it was made.
    let wrong = for_each(&seeds, |place, &seed| judged(seed, place % 10 > 0, &refused));
    println!("{} of {files} files are refused", refused.load(Ordering::Relaxed));
    assert!(wrong.is_empty(), "seed {seed}: {} files\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused.into_inner() * 2 < seeds.len(), "seed {seed}: most files are refused");
}

#[test]
fn mutated_files_are_accounted_for() {
    judge(51, 150);
}

#[test]
#[ignore = "its seed is the time"]
fn thousands_of_mutated_files_are_accounted_for() {
    let files = std::env::var("NINEFOLD_FILES").map_or(20_000, |it| it.parse().unwrap());
    judge(Lots::printed().0, files);
}
