//! Inputs by lot, in all forms that people have: lists, tables, JSON, grids; with lines that do not belong there.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

use super::corpus::wrong;
use super::{EASY, Lots, SOLVED, names, one_of, renamed};
use std::collections::HashSet;

/// Head, record and foot. A record has a puzzle as a tag of [`shaped`], its solution as the same tag with `!`, the next puzzle
/// after `+`. `<n>` is the number of the record, `<d>` a delimiter.
const FORMS: &[(&str, &str, &str)] = &[
    ("", "<P>", ""),
    ("", "<P> Golden Nugget", ""),
    ("", "<P> # by gsf", ""),
    ("", "<P><d>7.1", ""),
    ("", "<n><d><P>", ""),
    ("", "<P><P!>", ""),
    ("", "<P><d><P!>", ""),
    ("", "<P>=<P!>", ""),
    ("", "<P>\n<P!>\n", ""),
    ("", "<P><d><P+>", ""),
    ("", ":0000:x:<P>:::", ""),
    ("", "<sukaku>", ""),
    ("", "<x>", ""),
    ("", "'<P>", ""),
    ("", "=\"<P>\"", ""),
    ("", "    <P>   ", ""),
    ("", "- `<P>`", ""),
    ("", "  <td><P></td>", ""),
    ("", "INSERT INTO p VALUES (<n>, '<P>');", ""),
    ("", "[12:00:01] solving <P> ...", ""),
    ("<opensudoku>", "<game data=\"<0>\"/>", "</opensudoku>"),
    ("puzzle<d>solution", "<P><d><P!>", ""),
    ("start<d>end<d>nr", "<P><d><P!><d><n>", ""),
    ("a<d>b", "<P!><d><P>", ""),
    ("\"id\",\"sudoku\",\"name\"", "\"<n>\",\"<P>\",\"a \"\"b\"\" c\"", ""),
    ("| id | puzzle | solution |\n|----|:---|---|", "| <n> | <P> | <P!> |", ""),
    ("id,puzzle,solution", "<n>,\"<numbers>\",\"<numbers!>\"", ""),
    ("", "<cells>", ""),
    ("<head>", "<cells>", ""),
    ("id,<head>", "<n>,<cells>", ""),
    ("", "{\"puzzle\":\"<P>\",\"solution\":\"<P!>\"}", ""),
    ("", "{\"id\": <n>, \"data\": {\"start\": \"<P>\", \"end\": \"<P!>\"}}", ""),
    ("", "{\"quiz\":<numbers>,\"answer\":<numbers!>}", ""),
    ("", "{\"input\":<table>}", ""),
    ("", "<nulls>", ""),
    ("", "[<rows>]", ""),
    ("", "{\"question\":[<strings>]}", ""),
    ("", "{\"input\":\"Solve <P> please\",\"ideal\":\"<P!>\"}", ""),
    ("[", "{\"puzzle\": \"<P>\", \"solution\": \"<P!>\"},", "]"),
    ("[", "{\"puzzle\": <nulls>},", "]"),
    ("[", "\"<P>\",", "]"),
    ("[", "<numbers>,", "]"),
    ("[", "[\"<P>\",\"<P!>\"],", "]"),
    ("{\"puzzles\": [", "[<rows>],", "]}"),
    ("{\"puzzles\": [", "[<strings>],", "]}"),
    ("{\"easy\": [\"<P>\"], \"hard\": [", "\"<P>\",", "]}"),
    ("{\"rows\": [", "{\"row_idx\":<n>,\"row\":{\"puzzle\":\"<P>\"}},", "]}"),
    ("{\"newboard\":{\"grids\":[", "{\"value\":<table>,\"solution\":<table!>},", "]}}"),
    ("", "<lines>\n", ""),
    ("", "Grid <n>\n<lines>", ""),
    ("", "# <n>\n<spaced>\n", ""),
    ("", "Puzzle <n>:\n<bars>\n", ""),
    ("", "[Puzzle]\n<frame>\n", ""),
    ("", "<box>\n", ""),
    ("", "<marks>\n", ""),
];

/// What is among the lines of an input, whether it belongs there or not, divided by `~`.
const DISTURBANCES: &str = "~  \t~# a comment~hello world~-----~null~{}~[~0~55.55.55.~<html>~sudoku\
    ~puzzle,solution~<P>~<P!>~<P!>~<damaged>~<damaged>~<cut>~<long>";

/// The cells in groups of this many, with these texts between two cells and between two groups.
fn grouped(cells: &[String], size: usize, inner: &str, outer: &str) -> String {
    cells.chunks(size).map(|group| group.join(inner)).collect::<Vec<_>>().join(outer)
}

/// Nine rows of boxes, with this line around the bands.
fn framed(cells: &[String], edge: &str) -> String {
    let row = |row: &[String]| format!("| {} |", grouped(row, 3, " ", " | "));
    let rows: Vec<_> = cells.chunks(9).map(row).collect();
    format!("{edge}\n{}\n{edge}", grouped(&rows, 3, "\n", &format!("\n{edge}\n")))
}

/// A grid in one of the ways in which it is written.
fn shaped(tag: &str, grid: &str, blank: &str) -> Option<String> {
    let with = |blank: &str| grid.chars().map(|it| String::from(it).replace('.', blank)).collect();
    let [cells, numbers, nulls]: [Vec<String>; 3] = [".", "0", "null"].map(with);
    let marks: Vec<_> = with("123456789");
    let frame = framed(&cells, "+-------+-------+-------+");
    Some(match tag {
        "P" => grid.replace('.', blank),
        "0" | "x" => grid.replace('.', tag),
        "cells" => numbers.join(","),
        "numbers" => format!("[{}]", numbers.join(", ")),
        "nulls" => format!("[{}]", nulls.join(",")),
        "table" => format!("[[{}]]", grouped(&numbers, 9, ",", "],[")),
        "strings" => format!("\"{}\"", cells.join("\",\"")),
        "rows" => format!("\"{}\"", grouped(&cells, 9, "", "\",\"")),
        "lines" => grouped(&cells, 9, "", "\n"),
        "spaced" => grouped(&numbers, 9, " ", "\n"),
        "bars" => format!("|{}|", grouped(&cells, 9, "|", "|\n|")),
        "frame" => frame,
        "box" => frame.replace('|', "│").replace('-', "─").replace('+', "┼"),
        "marks" => framed(&marks, "+-------+-------+-------+"),
        "sukaku" => {
            let candidates = |cell: &String| "123456789".replace(|it| !cell.contains(it), ".");
            marks.iter().map(candidates).collect()
        }
        _ => return None,
    })
}

/// Whether this is no digit and no usual blank.
pub fn is_no_cell(character: char) -> bool {
    !"1234567890._*-x".contains(character)
}

/// What an input holds.
#[derive(Default)]
pub struct Input {
    pub lines: Vec<String>,
    pub text: String,
    /// The solution of each puzzle, and the lines that hold it. A puzzle with `x` for a blank is one, too.
    pub planted: Vec<(String, Vec<String>)>,
    /// All full grids that a reader may find.
    pub grids: HashSet<String>,
    pub wrong_answers: usize,
    pub options: Vec<&'static str>,
    /// Its records and what disturbs them.
    pub parts: Vec<String>,
    pub is_disturbed: bool,
}

/// Makes an input.
struct Mixer {
    lots: Lots,
    blank: &'static str,
    delimiter: &'static str,
    input: Input,
}

impl Mixer {
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.lots.below(end as u64)).unwrap()
    }

    /// A puzzle that the input does not have yet, and its solution.
    fn puzzle(&mut self) -> (String, String) {
        let names = names(self.below(362_880));
        let solution = renamed(SOLVED, names);
        if !self.input.grids.insert(solution.clone()) {
            return self.puzzle();
        }
        let clues = renamed(EASY, names);
        let clues = clues.chars().zip(solution.chars());
        let more = |(clue, digit)| if self.below(6) == 0 { digit } else { clue };
        (clues.map(more).collect(), solution)
    }

    /// Adds the lines of a head, a record, a foot or a disturbance.
    fn add(&mut self, template: &str, number: usize) {
        let (mut puzzle, mut solution) = self.puzzle();
        let (mut text, mut held) = (String::new(), HashSet::new());
        for (place, piece) in template.split('<').enumerate() {
            let (tag, after) = piece.split_once('>').unwrap_or((piece, ""));
            if tag.ends_with('+') {
                (puzzle, solution) = self.puzzle();
            }
            let found = match tag.trim_end_matches('+') {
                _ if place == 0 => None,
                "n" => Some(number.to_string()),
                "d" => Some(self.delimiter.to_owned()),
                "head" => Some(["c"; 81].join(",")),
                "cut" => Some(puzzle[..=self.below(79)].to_owned()),
                "long" => Some("1".repeat(70_000)),
                "damaged" => {
                    held.insert(solution.clone());
                    Some(format!("{}x{}", &puzzle[..40], &puzzle[41..]))
                }
                tag => match tag.strip_suffix('!') {
                    Some(tag) => {
                        let is_wrong =
                            template.contains(&format!("<{tag}>")) && self.below(12) == 0;
                        self.input.wrong_answers += usize::from(is_wrong);
                        let answer = if is_wrong { wrong(&solution) } else { solution.clone() };
                        self.input.grids.insert(answer.clone());
                        shaped(tag, &answer, self.blank)
                    }
                    None => shaped(tag, &puzzle, self.blank).inspect(|_| {
                        held.insert(solution.clone());
                    }),
                },
            };
            match found {
                Some(found) => text.extend([&found, after]),
                None if place == 0 => text.push_str(piece),
                None => text.extend(["<", piece]),
            }
        }
        let lines: Vec<_> = text.split('\n').map(str::to_owned).collect();
        // Titles have fewer cells, and a frame has none.
        let cells = |line: &str| line.split(is_no_cell).map(str::len).sum::<usize>();
        let is_holding = |line: &&String| cells(line) > 8 && !line.starts_with("+-");
        let holding: Vec<_> = lines.iter().filter(is_holding).cloned().collect();
        self.input.planted.extend(held.into_iter().map(|solution| (solution, holding.clone())));
        self.input.lines.extend(lines);
    }

    fn add_form(&mut self) {
        let &(head, record, foot) = one_of(&mut self.lots, FORMS);
        self.blank = *one_of(&mut self.lots, &[".", ".", "0", "*", "_", "-"]);
        self.delimiter = *one_of(&mut self.lots, &[",", ";", "\t", "|", " "]);
        let records = *one_of(&mut self.lots, &[1, 1, 2, 3, 5, 8, 12, 30]);
        let records = if self.below(50) == 0 { 900 } else { records };
        self.input.parts.push(format!("{records} of {head}{record}{foot}"));
        if !head.is_empty() {
            self.add(head, 0);
        }
        (1..=records).for_each(|number| self.add(record, number));
        if !foot.is_empty() {
            let last = self.input.lines.last_mut().unwrap();
            last.truncate(last.trim_end_matches(',').len());
            self.add(foot, 0);
        }
        let has_grids =
            ["lines", "spaced", "bars", "frame", "box"].iter().any(|it| record.contains(it));
        if has_grids && self.input.options.is_empty() && self.below(5) > 0 {
            self.input.options.push("--grid");
        }
    }

    fn disturb(&mut self) {
        let all: Vec<_> = DISTURBANCES.split('~').collect();
        let template = *one_of(&mut self.lots, &all);
        self.add(template, 1);
        let line = self.input.lines.pop().unwrap();
        let place = self.below(self.input.lines.len() + 1);
        self.input.lines.insert(place, line);
        self.input.parts.push(format!("line {}: {template}", place + 1));
        self.input.is_disturbed = true;
    }
}

impl Input {
    /// An input by lot.
    pub fn mixed(seed: u64) -> Self {
        let mut mixer =
            Mixer { lots: Lots(seed), blank: ".", delimiter: ",", input: Self::default() };
        mixer.add_form();
        if mixer.below(7) == 0 {
            mixer.add_form();
            mixer.input.is_disturbed = true;
        }
        for _ in 0..*one_of(&mut mixer.lots, &[0, 0, 0, 1, 1, 2, 4]) {
            mixer.disturb();
        }
        let mark = if mixer.below(10) == 0 { "\u{feff}" } else { "" };
        let end = *one_of(&mut mixer.lots, &["\n", "\n", "\n", "\r\n"]);
        let last = if mixer.below(6) == 0 { "" } else { end };
        let mut input = mixer.input;
        input.text = format!("{mark}{}{last}", input.lines.join(end));
        input
    }
}
