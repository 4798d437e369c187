//! The metamorphic laws: the reading of an input stays the same, or the input is refused, when its rows are
//! shuffled, a row is damaged, its header renamed, its columns swapped, or its quotation marks and line
//! ends changed.

use crate::corpus::hints_of;
use crate::laws::{self, Reading};
use crate::support::Lots;
use crate::support::corpus::{self, Answer, Entry, Found, Names, Row};
use crate::tables::{self, found, row_of};
use ninefold::input::{Hints, Layout, Source};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::panic::catch_unwind;
use std::time::Instant;

/// Tables from seeds that do not change: a failure is found again, and shrinks.
#[test]
fn tables_are_read_the_same_in_any_clothes() {
    for seed in 0..4_u8 {
        let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let choices = prop::collection::vec(any::<u8>(), 64);
        TestRunner::new_with_rng(config, rng)
            .run(&choices, |choices| tables::check(&choices).map_err(TestCaseError::fail))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// Random tables for `NINEFOLD_FUZZ_SECONDS` (60 by default), from the seed `NINEFOLD_FUZZ_SEED`.
#[test]
#[ignore = "takes a minute"]
fn tables_are_read_the_same_for_a_long_time() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |value| value.parse().expect(name))
    };
    let (seconds, seed) = (number("NINEFOLD_FUZZ_SECONDS", 60), number("NINEFOLD_FUZZ_SEED", 1));
    let (start, mut cases, mut findings) = (Instant::now(), 0_u64, Vec::new());
    while start.elapsed().as_secs() < seconds && findings.len() < 20 {
        let mut lots = Lots(seed << 40 | cases);
        let choices: Vec<u8> = (0..64).map(|_| u8::try_from(lots.below(256)).unwrap()).collect();
        let panicked = |_| Err(format!("it panics for {choices:?}"));
        let checked = catch_unwind(|| tables::check(&choices)).unwrap_or_else(panicked);
        findings.extend(checked.err().map(|finding| format!("case {cases}: {finding}")));
        cases += 1;
    }
    println!("{cases} tables from seed {seed} in {} s", start.elapsed().as_secs());
    assert!(findings.is_empty(), "{} findings\n{}", findings.len(), findings.join("\n\n"));
}

/// How an input is read: whether a header and a field of answers are found, and its records.
struct Read {
    has_header: bool,
    has_answers: bool,
    reading: Reading,
}

fn read(bytes: &[u8], hints: &Hints) -> Read {
    let source = || Source::from_bytes("entry", bytes.to_vec());
    let mut first = source();
    let layout = first.find_layout(hints);
    Read {
        has_header: layout.as_ref().is_ok_and(|layout| layout.header.is_some()),
        has_answers: layout.is_ok_and(Layout::has_solutions),
        reading: laws::read(source(), hints, usize::MAX, laws::all()),
    }
}

/// An entry whose records are lines.
struct Listed {
    name: String,
    hints: Hints,
    lines: Vec<Vec<u8>>,
    /// The number of the line and the row that it gives.
    rows: Vec<(usize, Row)>,
    has_header: bool,
    has_last_end: bool,
}

impl Listed {
    /// Nothing if the entry is refused, or if a record is not a line.
    fn of(entry: &Entry) -> Option<Self> {
        let (bytes, hints) = (entry.bytes(), hints_of(entry));
        let Read { has_header, reading, .. } = read(&bytes, &hints);
        let rows: Vec<_> = reading
            .records
            .iter()
            .map(|it| (usize::try_from(it.line).unwrap() - 1, row_of(it)))
            .collect();
        let mut lines: Vec<_> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let has_last_end = bytes.ends_with(b"\n");
        if has_last_end {
            lines.pop();
        }
        // An array or a document ends where its brackets end, and a grid has nine lines.
        let is_whole = |(line, row): &(usize, Row)| {
            let Some(text) = lines.get(*line) else { return false };
            *row == Row::Bad
                || text.windows(17).any(|window| window.iter().all(|&it| is_cell(it)))
                || text.iter().filter(|it| is_cell(**it)).count() > 80
        };
        let is_document = [&b"["[..], b"{"]
            .iter()
            .any(|start| bytes.trim_ascii_start().starts_with(start) && !rows.iter().all(is_whole))
            || bytes.starts_with(b"[");
        let ok = reading.error.is_none()
            && !is_document
            && rows.iter().all(is_whole)
            && !rows.is_empty();
        let name = entry.name.clone();
        ok.then_some(Self { name, hints, lines, rows, has_header, has_last_end })
    }

    fn joined(&self, lines: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = lines.join(&b'\n');
        bytes.extend(self.has_last_end.then_some(b'\n'));
        bytes
    }

    fn first_row(&self) -> usize {
        self.rows[0].0
    }

    /// The reading of these lines must be these rows, or the input must be refused. Malformed records are
    /// other lines of the file (a border, a title), which may also be skipped elsewhere.
    fn must_be(&self, law: &str, lines: &[Vec<u8>], rows: &[Row]) -> Result<(), String> {
        let bytes = self.joined(lines);
        let now = read(&bytes, &self.hints);
        let Found::Rows(found) = found(&now.reading) else { return Ok(()) };
        let puzzles = |rows: &[Row]| rows.iter().filter(|it| **it != Row::Bad).cloned().collect();
        let (found, expected): (Vec<Row>, Vec<Row>) = (puzzles(&found), puzzles(rows));
        // Without a field of answers `verify` says that it checks none.
        let without =
            |rows: &[Row]| rows.iter().all(|row| matches!(row, Row::Puzzle(_, Answer::Missing)));
        let bare = |rows: &[Row]| -> Vec<Row> {
            let bare = |row: &Row| match row {
                Row::Puzzle(puzzle, _) => Row::Puzzle(puzzle.clone(), Answer::Missing),
                Row::Bad => Row::Bad,
            };
            rows.iter().map(bare).collect()
        };
        let is_said = !now.has_answers && without(&found) && found == bare(&expected);
        if found == expected || is_said {
            return Ok(());
        }
        let names = Names::new();
        let [found, expected] = [found, expected].map(|rows| names.show(&Found::Rows(rows)));
        Err(format!(
            "{}: {law}\n  before {expected}\n  now    {found}\n{}",
            self.name,
            String::from_utf8_lossy(&bytes)
        ))
    }

    fn all_rows(&self) -> Vec<Row> {
        self.rows.iter().map(|(_, row)| row.clone()).collect()
    }

    fn shuffled(&self, lots: &mut Lots) -> Result<(), String> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, usize::try_from(lots.below(last as u64 + 1)).unwrap());
        }
        let mut lines = self.lines.clone();
        for (place, &from) in order.iter().enumerate() {
            lines[self.rows[place].0].clone_from(&self.lines[self.rows[from].0]);
        }
        let rows: Vec<_> = order.iter().map(|&from| self.rows[from].1.clone()).collect();
        self.must_be("rows shuffled", &lines, &rows)
    }

    /// One row without a cell, cut in the middle, or of another text.
    fn damaged(&self, place: usize) -> Result<(), String> {
        let (line, row) = &self.rows[place];
        if *row == Row::Bad {
            return Ok(());
        }
        let text = &self.lines[*line];
        let cell = text.windows(17).position(|window| window.iter().all(|&it| is_cell(it)));
        let short = cell.map(|at| [&text[..at], &text[at + 1..]].concat());
        let cut = text[..text.len() / 3].to_vec();
        let others = [
            ("a cell left out", short),
            ("cut", Some(cut)),
            ("other text", Some(b"(nothing)".to_vec())),
        ];
        for (damage, other) in others {
            let Some(other) = other else { continue };
            let mut lines = self.lines.clone();
            lines[*line] = other;
            // The damage may be in the puzzle, in the answer, or in a field that is not read.
            let mut gone = self.all_rows();
            gone.remove(place);
            let with = |answer: Answer| {
                let mut rows = self.all_rows();
                if let Row::Puzzle(_, given) = &mut rows[place] {
                    *given = answer;
                }
                rows
            };
            let allowed = [with(Answer::Bad), with(Answer::Missing), self.all_rows()];
            let law = format!("row {place} damaged: {damage}");
            let judged = self.must_be(&law, &lines, &gone);
            if judged.is_err()
                && allowed.iter().all(|rows| self.must_be(&law, &lines, rows).is_err())
            {
                return judged;
            }
        }
        Ok(())
    }

    fn with_other_ends(&self) -> Result<(), String> {
        let is_crlf = self.lines.iter().any(|line| line.ends_with(b"\r"));
        let other = |line: &Vec<u8>| match line.strip_suffix(b"\r") {
            Some(line) => line.to_vec(),
            None if is_crlf => line.clone(),
            None => [line, &b"\r"[..]].concat(),
        };
        let lines: Vec<_> = self.lines.iter().map(other).collect();
        self.must_be("other line ends", &lines, &self.all_rows())
    }

    /// The delimiter, if all rows and the header have it equally often and nothing is quoted.
    fn delimiter(&self) -> Option<u8> {
        let lines = self.table()?;
        let quoted = lines.iter().any(|line| line.iter().any(|it| b"\"'{`".contains(it)));
        // A rule below the names is no row.
        let has_rule = self.has_header && !lines[0].iter().any(u8::is_ascii_alphabetic);
        let count = |line: &[u8], it: u8| line.split(|&byte| byte == it).count() - 1;
        let is_it = |it: &u8| {
            let first = count(lines[0], *it);
            // With a cell in each field, the order of the fields is the puzzle.
            (1..80).contains(&first) && lines.iter().all(|line| count(line, *it) == first)
        };
        let found = b",;\t|".iter().copied().find(is_it);
        found.filter(|_| !quoted && !has_rule)
    }

    /// The header and the rows, if they are all there is.
    fn table(&self) -> Option<Vec<&[u8]>> {
        let is_puzzle = |(_, row): &(usize, Row)| *row != Row::Bad;
        let start = self.first_row().checked_sub(usize::from(self.has_header))?;
        let is_all = self.rows.iter().all(is_puzzle)
            && self.lines.len() - start == self.rows.len() + usize::from(self.has_header);
        is_all.then(|| self.lines[start..].iter().map(|line| text_of(line)).collect())
    }

    /// The same table after something was done to the fields of each line, below the same lines as before.
    fn with_fields(
        &self,
        law: &str,
        change: impl Fn(bool, Vec<Vec<u8>>) -> Vec<Vec<u8>>,
    ) -> Result<(), String> {
        let (Some(delimiter), Some(table)) = (self.delimiter(), self.table()) else {
            return Ok(());
        };
        let start = self.lines.len() - table.len();
        let mut lines = self.lines[..start].to_vec();
        for (place, line) in table.iter().enumerate() {
            let fields = line.split(|&byte| byte == delimiter).map(<[u8]>::to_vec).collect();
            lines.push(change(self.has_header && place == 0, fields).join(&delimiter));
        }
        self.must_be(law, &lines, &self.all_rows())
    }
}

/// U+FEFF in UTF-8: no part of the first field.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line without a mark and a carriage return.
fn text_of(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_cell(byte: u8) -> bool {
    byte.is_ascii_digit() || b"._*-".contains(&byte)
}

#[test]
fn layouts_of_the_corpus_obey_the_laws() {
    let (open, open_laws) = (corpus::open("Open"), corpus::open("Open laws"));
    let mut lots = Lots(14);
    let (mut broken, mut tried) = (Vec::new(), 0);
    for entry in corpus::entries().into_iter().filter(|entry| !entry.is_parquet()) {
        let Some(lines) = Listed::of(&entry).filter(|_| !open.contains(&entry.name)) else {
            continue;
        };
        tried += 1;
        let last = lines.rows.len() - 1;
        let reversed = |_, mut fields: Vec<Vec<u8>>| {
            fields.reverse();
            fields
        };
        let renamed = |is_header: bool, fields: Vec<Vec<u8>>| {
            if !is_header {
                return fields;
            }
            (b'a'..).take(fields.len()).map(|name| vec![name]).collect()
        };
        let quoted = |_, fields: Vec<Vec<u8>>| {
            let quoted = |field: &Vec<u8>| [b"\"", field.trim_ascii(), b"\""].concat();
            fields.iter().map(quoted).collect()
        };
        let laws = [
            lines.shuffled(&mut lots),
            lines.shuffled(&mut lots),
            lines.damaged(0),
            lines.damaged(last / 2),
            lines.damaged(last),
            lines.with_other_ends(),
            lines.with_fields("columns swapped", reversed),
            lines.with_fields("header renamed", renamed),
            lines.with_fields("quoted", quoted),
        ];
        broken.extend(laws.into_iter().filter_map(Result::err));
    }
    assert!(tried > 250, "most entries are lists of lines: {tried}");
    let mut laws: Vec<_> = broken.iter().map(|it| it.lines().next().unwrap().to_owned()).collect();
    laws.sort_unstable();
    assert!(laws == open_laws, "{}\n{} broken", broken.join("\n\n"), broken.len());
}
