//! The rule: how the lines of an input are read, decided once from its first 64 KiB.
//!
//! 1. A value of 81 cells is *open* (with blanks) or *full*; 729 pencilmarks are open. One mark 81 times is nothing. 60 to
//!    100 bytes of which 9 in 10 are cells are damaged, and count as open.
//! 2. For each delimiter, the field with the most open values has the puzzles. Fields with half as many are tied with it:
//!    then a known name decides, or the input is refused. Without open values, the same with full ones. Of several
//!    delimiters it is the one with the most; of equal ones the first that gives answers. A field that is named after
//!    answers has no puzzles.
//! 3. The first field of a list ends at any of `,` `;` `|` tab and space, unless one delimiter does as well in 9 of 10 rows.
//! 4. Another field with the most full values has the answers. Of several that have half as many it is the one with a known
//!    name, or none. Without full values, it is one with a known name.
//! 5. The header is the last row above the first grid with a known name, or else the first row, if it has no number. A count
//!    may be in its place. No row with 17 cells is a header or a title. Rows above the header are titles. The header may
//!    come again.
//! 6. A line that begins with `# `, or with `#` and has fewer than 17 cells, is a comment. A line of `-` `|` `+` `:` `=` is
//!    nothing.
//! 7. Each row holds a puzzle in that field, or is malformed (`input::row`). A record is a line.
//! 8. The input is refused if fewer than half of its rows in the head hold a puzzle.
//! 9. An input that begins with `{` or `[` is JSON: its keys, also nested ones, are the fields.
//! 10. Grids in text (`--grid`, `.sdk`, `.ss`) are read by the rule for text (`puzzle::text`).
//!
//! What is not read is malformed, counted and reported, or the input is refused. Nothing decides again behind the head.

use super::head::{HeadLine, head_lines};
use super::hints::Hints;
use super::shape::{Layout, shown};
use super::table::{Choice, Table, holds_grid};
use super::tally::Tally;
use super::why::{Decided, Why};
use crate::Grouped;
use crate::input::class::{CELLS_OF_A_PUZZLE, FieldClass, clues, is_count};
use crate::input::delimiter::Delimiter;
use crate::input::document;
use crate::input::fields::{Fields, RecordForm, RecordLayout};
use crate::input::json;
use crate::input::lines::BYTE_ORDER_MARK;
use crate::input::row;
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::text::{self, TextGrid};
use crate::puzzle::{Cell, ParseError};
use std::io::{self, Read};

/// Bytes that decide.
pub(in crate::input) const HEAD_BYTES: usize = 64 * 1024;

/// The forms of lines: the first group in which some form has a grid decides.
const FORMS: [&[RecordForm]; 3] = [
    &[
        RecordForm::Row(Delimiter::Byte(b',')),
        RecordForm::Row(Delimiter::Byte(b';')),
        RecordForm::Row(Delimiter::Byte(b'\t')),
        RecordForm::Row(Delimiter::Byte(b'|')),
        RecordForm::Row(Delimiter::Spaces),
        RecordForm::Row(Delimiter::Any),
    ],
    &[RecordForm::Spaced],
    &[RecordForm::Hodoku],
];

/// The forms of predictions, which may be any text: spaces do not divide it. A line may be one.
const PREDICTION_FORMS: [RecordForm; 5] = [
    RecordForm::Row(Delimiter::Byte(b'\n')),
    RecordForm::Row(Delimiter::Byte(b',')),
    RecordForm::Row(Delimiter::Byte(b';')),
    RecordForm::Row(Delimiter::Byte(b'\t')),
    RecordForm::Row(Delimiter::Byte(b'|')),
];

/// One delimiter divides a list if it gives at least 9 of 10 rows that any delimiter gives (`lists.txt`, forum lists with
/// remarks).
const ROWS_OF_10_WITH_ONE_DELIMITER: u64 = 9;

/// What reads an input in which no field has 81 cells, but which has grids.
pub(in crate::input) const GRIDS_WAY_OUT: &str = "--grid reads puzzles of nine lines";

/// What a field of 81 cells is, for messages.
const CELLS: &str = "81 cells (1 to 9, and . 0 _ * or - for a blank)";

/// Reads the head of a stream. Gives it, and the error that ended it.
pub(in crate::input) fn read_head(stream: &mut impl Read) -> (Vec<u8>, Option<io::Error>) {
    let mut head = Vec::new();
    let error = stream.take(HEAD_BYTES as u64).read_to_end(&mut head).err();
    (head, error)
}

/// How the lines of an input with this head are read, and why. `columns` are the names of a table without a header.
pub(in crate::input) fn decide(
    head: &[u8],
    hints: &Hints,
    columns: Option<&[String]>,
) -> (Decided<Layout>, Why) {
    let mut why = Why::default();
    let layout = of_bytes(&head[..head.len().min(HEAD_BYTES)], hints, columns, &mut why);
    (layout, why)
}

fn of_bytes(
    head: &[u8],
    hints: &Hints,
    columns: Option<&[String]>,
    why: &mut Why,
) -> Decided<Layout> {
    let ended = head.len() < HEAD_BYTES;
    // The magic number of a tar archive is behind the name of its first file.
    if head.get(257..262) == Some(b"ustar") {
        let tar = "is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -";
        return Err(tar.to_owned());
    }
    if memchr::memchr(b'\n', head).is_none() && head.trim_ascii_end().contains(&b'\r') {
        let ends = "CR alone ends its lines: tr '\\r' '\\n' < FILE | ninefold COMMAND -";
        return Err(ends.to_owned());
    }
    if hints.grids {
        return grids(head, hints, why);
    }
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let is_json = columns.is_none() && hints.delimiter.is_none() && document::is_json(text);
    let document = if is_json { document::look(text) } else { None };
    let unfolded = document.map(|document| document.lines_of(text, ended));
    let lines = head_lines(unfolded.as_deref().unwrap_or(head), ended, columns.is_some());
    let told = [RecordForm::Row(hints.delimiter.unwrap_or(Delimiter::Byte(b',')))];
    let forms: &[&[RecordForm]] = match hints.delimiter {
        _ if is_json => &[&[RecordForm::Json]],
        _ if hints.predictions && columns.is_none() => &[&PREDICTION_FORMS],
        None if columns.is_none() => &FORMS,
        _ => &[&told],
    };
    for forms in forms {
        let mut tables: Vec<Table> = Vec::new();
        for form in *forms {
            let Some(table) = Table::of(&lines, *form, hints, columns) else { continue };
            // Where tabs divide, spaces would lose the empty fields.
            let is_tabbed = |it: &Table| {
                it.layout.record.form == RecordForm::Row(Delimiter::Byte(b'\t'))
                    && it.grids() >= table.grids()
            };
            let has_spaces = matches!(form, RecordForm::Row(Delimiter::Spaces | Delimiter::Any));
            if has_spaces && tables.iter().any(is_tabbed) {
                continue;
            }
            // Nothing divides lines that are puzzles alone.
            let is_plain = table.rows.iter().all(|row| row.1.len() == 1 && holds_grid(row));
            tables.push(table);
            if is_plain && !hints.predictions {
                break;
            }
        }
        if let Some(layout) = of_predictions(&tables, hints) {
            return Ok(Layout { document, ..layout });
        }
        if !tables.is_empty() {
            let (table, choice) = best(&tables, hints, why)?;
            let layout = layout_of(table, choice, hints);
            check(table, &layout, hints)?;
            return Ok(Layout { document, notes: notes(table, &layout), ..layout });
        }
    }
    Err(without_grid(head, &lines, hints))
}

/// The form of predictions: one in which a field is named; or that of lines, if some are grids; or that with the most full
/// grids; the first of equal ones.
fn of_predictions(tables: &[Table], hints: &Hints) -> Option<Layout> {
    let choice = Choice { puzzle: 0, solution: None, is_named: true, has_blanks: false, score: 0 };
    let layout = |table: &Table| {
        let layout = layout_of(table, choice, hints);
        let (_, is_named) = layout.predictions(hints.prediction.as_ref());
        let is_lines = layout.record.form == PREDICTION_FORMS[0] && table.grids() > 0;
        let full: u64 = table.tallies.iter().map(Tally::full).sum();
        ((is_named, is_lines, full), layout)
    };
    let layouts = tables.iter().filter(|_| hints.predictions).rev().map(layout);
    layouts.max_by_key(|(rank, _)| *rank).map(|(_, layout)| layout)
}

/// The table of several forms whose fields say the most.
fn best<'a, 't>(
    tables: &'t [Table<'a>],
    hints: &Hints,
    why: &mut Why,
) -> Decided<(&'t Table<'a>, Choice)> {
    let (mut chosen, mut refused) = (Vec::new(), None);
    for table in tables {
        let choice = table.choose(hints);
        explain(table, &choice, why);
        match choice {
            Ok(choice) => chosen.push((table, choice)),
            Err(reason) if refused.as_ref().is_none_or(|(most, _)| table.grids() > *most) => {
                refused = Some((table.grids(), reason));
            }
            Err(_) => {}
        }
    }
    match (preferred(chosen), refused) {
        (Some(best), refused) if refused.as_ref().is_none_or(|it| it.0 <= best.0.grids()) => {
            Ok(best)
        }
        (_, refused) => {
            let reason = refused.map_or_else(String::new, |(_, reason)| reason);
            Err(format!("no puzzle found: {reason}"))
        }
    }
}

/// The choice with blanks and with the most values; of equal ones the first that gives answers.
fn preferred<'a, 't>(chosen: Vec<(&'t Table<'a>, Choice)>) -> Option<(&'t Table<'a>, Choice)> {
    let has_blanks = chosen.iter().any(|(_, choice)| choice.has_blanks);
    let (mut most, mut equal, mut any) = (0, Vec::new(), None);
    for (table, choice) in chosen {
        most = most.max(if choice.has_blanks == has_blanks { choice.score } else { 0 });
        match table.layout.record.form {
            _ if choice.has_blanks != has_blanks => {}
            RecordForm::Row(Delimiter::Any) => any = Some((table, choice)),
            _ => equal.push((table, choice)),
        }
    }
    equal.retain(|(_, choice)| 10 * choice.score >= ROWS_OF_10_WITH_ONE_DELIMITER * most);
    let answered = equal.iter().find(|(_, choice)| choice.solution.is_some());
    answered.or(equal.first()).copied().or(any)
}

/// Says what the fields of a form hold, and which were chosen.
fn explain(table: &Table, choice: &Decided<Choice>, why: &mut Why) {
    why.say(format!(
        "{}: {} rows",
        table.layout.record.form.name(),
        Grouped(table.rows.len() as u64)
    ));
    if let Some(header) = &table.layout.header {
        why.say(format!("  header: \"{}\"", shown(header)));
    }
    for title in &table.titles {
        why.say(format!("  line {} is above the rows: \"{}\"", title.number, shown(title.text)));
    }
    for (field, tally) in table.tallies.iter().enumerate() {
        let role = match choice {
            Ok(choice) if choice.puzzle == field => " -> puzzles",
            Ok(choice) if choice.solution == Some(field) => " -> answers",
            _ => "",
        };
        why.say(format!("  {}: {tally}{role}", table.name(field)));
    }
    if let Err(reason) = choice {
        why.say(format!("  not read: {reason}"));
    }
}

/// The layout of a choice.
fn layout_of(table: &Table, choice: Choice, hints: &Hints) -> Layout {
    let Choice { puzzle, solution, is_named, has_blanks, .. } = choice;
    let names = table.layout.names.len();
    let width = table.rows.first().map_or(1, |(_, classes)| classes.len());
    let is_alike = table.rows.iter().all(|(_, classes)| classes.len() == width);
    let mut form = table.layout.record.form;
    // Any delimiter may follow the puzzles of a list.
    let may_differ = hints.delimiter.is_none() && !hints.predictions;
    if matches!(form, RecordForm::Row(_)) && is_alike && width == 1 && may_differ {
        form = RecordForm::Row(Delimiter::Any);
    }
    let fields = match names {
        0 if is_alike => width,
        0 => width.max(puzzle + 2),
        names => names,
    };
    let is_told = hints.puzzle.is_some() || form == RecordForm::Json && is_named;
    let named_width = match is_named {
        _ if is_told => usize::MAX,
        true => names,
        false => 0,
    };
    Layout {
        record: RecordLayout { form, puzzle, solution, fields },
        named_width,
        has_blanks,
        has_answers: hints.full_grids,
        full: (0..table.tallies.len()).filter(|&field| table.tallies[field].full() > 0).collect(),
        is_told: hints.full_grids || hints.puzzle.is_some() || hints.solution.is_some(),
        names: if form == RecordForm::Json {
            first_keys(table)
        } else {
            table.layout.names.clone()
        },
        ..table.layout.clone()
    }
}

/// Refuses a layout by which fewer than half of the rows hold a puzzle.
fn check(table: &Table, layout: &Layout, hints: &Hints) -> Decided<()> {
    // The caller may say where the puzzles are, and of answers some may be missing.
    if hints.puzzle.is_some() || hints.full_grids || table.rows.is_empty() {
        return Ok(());
    }
    let (mut fields, mut read, mut first) = (Fields::default(), 0, String::new());
    for (line, _) in &table.rows {
        match row::read(&mut fields, line.text, layout, true) {
            Ok(_) => read += 1,
            Err(error) if first.is_empty() => first = format!("line {}: {error}", line.number),
            Err(_) => {}
        }
        if 2 * read >= table.rows.len() {
            return Ok(());
        }
    }
    let (field, all) = (table.name(layout.record.puzzle), table.rows.len());
    Err(format!(
        "no puzzle found: fewer than half of the rows hold a puzzle in {field}, {read} of {all}; {first}"
    ))
}

/// What people should know of the lines above the rows, and of puzzles that are not read.
fn notes(table: &Table, layout: &Layout) -> String {
    let mut notes = String::new();
    for title in &table.titles {
        notes += &if is_count(title.text) {
            ", after a count".to_owned()
        } else {
            format!("; line {} is skipped as a title: \"{}\"", title.number, shown(title.text))
        };
    }
    for (field, tally) in table.tallies.iter().enumerate() {
        let name = table.layout.field_names().get(field).map_or("", String::as_str);
        // Commands of this program write these next to puzzles.
        let is_own = name == "form" || name == "source" || name.starts_with("input_");
        let (name, option) = (table.name(field), table.option(field));
        if layout.is_role(field) || is_own {
            continue;
        }
        if tally.count(FieldClass::Open) > 0 {
            notes += &format!("; {name} has other puzzles, which --columns puzzle={option} reads");
        } else if tally.full() > 0 && layout.has_blanks && !layout.has_solutions() {
            notes +=
                &format!("; {name} has full grids, which --columns solution={option} compares");
        }
    }
    notes
}

/// The keys of the first object with a grid.
fn first_keys(table: &Table) -> Vec<String> {
    let first = table.rows.iter().find(|row| holds_grid(row));
    let object = first.and_then(|(line, _)| json::object(line.text).ok()).unwrap_or_default();
    object.members().into_iter().map(|(key, _)| key.to_string()).collect()
}

/// Grids in text.
fn grids(head: &[u8], hints: &Hints, why: &mut Why) -> Decided<Layout> {
    let blanks = if hints.has_dashes { hints.blanks } else { hints.blanks.without(b'-') };
    let found = text::grids(head, &blanks).grids;
    let read = found.iter().filter(|it| it.cells.is_ok()).count();
    why.say(format!("grids in text: {read} grids, {} malformed", found.len() - read));
    if read > 0 {
        let record = RecordLayout { form: RecordForm::Grid, ..RecordLayout::default() };
        return Ok(Layout { record, blanks, is_decided: true, ..Layout::default() });
    }
    let first = match found.first() {
        Some(TextGrid { line, cells: Err(error), .. }) => format!("; line {}: {error}", line + 1),
        _ => String::new(),
    };
    Err(format!("no puzzle found: no grid of nine lines of nine cells{first}"))
}

/// Why an input without a grid is refused: what was looked for, what was found, and a way out if there is one.
fn without_grid(head: &[u8], lines: &[HeadLine], hints: &Hints) -> String {
    let Some(first) = lines.first() else {
        let why = if head.len() < HEAD_BYTES {
            "the input has no records, but at most empty lines and comments"
        } else {
            "its first line is longer than 64 KiB"
        };
        return format!("no puzzle found: {why}");
    };
    let divided = hints.delimiter.map_or(String::new(), |it| format!(", divided by {it}"));
    let way_out = way_out(head, first.text, hints).map_or(String::new(), |it| format!("; {it}"));
    let place = match lines.len() {
        1 => "line".to_owned(),
        lines => format!("{lines} lines"),
    };
    format!(
        "no puzzle found: no field of {CELLS}{divided} in the first {place}; line {} is \"{}\"{way_out}",
        first.number,
        shown(first.text)
    )
}

/// What reads an input without a grid, or what is wrong with its first line.
fn way_out(head: &[u8], first: &[u8], hints: &Hints) -> Option<String> {
    let (blanks, mut fields) = (&hints.blanks, Fields::default());
    if first.starts_with(b":")
        && let Err(error) = fields.divide(first, RecordForm::Hodoku, &[])
    {
        return Some(error.to_string());
    }
    if document::is_json(head) {
        return match document::fault(head) {
            Some(fault) => Some(format!("it is no JSON: {fault}")),
            None if holds_value(head, blanks) => Some(document::WAY_OUT.to_owned()),
            None => None,
        };
    }
    if let Err(error) = fields.split(first, hints.delimiter.unwrap_or(Delimiter::Byte(b','))) {
        return Some(error.to_string());
    }
    let is_of_lines = |it: &TextGrid| it.cells.is_ok() && head[it.bytes.clone()].contains(&b'\n');
    if text::grids(head, &blanks.without(b'-')).grids.iter().any(is_of_lines) {
        return Some(GRIDS_WAY_OUT.to_owned());
    }
    if let Some(blank) = other_blank(head, blanks) {
        return Some(format!("--blank \"{blank}\" reads '{blank}' as a blank"));
    }
    for field in Fields::of_row(first, Delimiter::Any)?.iter(first) {
        let is_damaged = FieldClass::of(field, blanks) == FieldClass::Damaged;
        match parse::puzzle(field, blanks) {
            Err(error @ ParseError::Size { .. }) => return Some(error.to_string()),
            Err(error) if is_damaged => return Some(error.to_string()),
            _ => {}
        }
    }
    None
}

/// Whether JSON with objects has a grid that is a value, and no part of a text.
fn holds_value(head: &[u8], blanks: &Blanks) -> bool {
    for grid in text::grids(head, blanks).grids {
        let before = head[..grid.bytes.start].last();
        if grid.cells.is_ok() && matches!(before, Some(b'"' | b'[')) {
            return head.contains(&b'{');
        }
    }
    false
}

/// A character that is a blank if it is one in a run of 81 cells with enough digits for a puzzle.
fn other_blank(head: &[u8], blanks: &Blanks) -> Option<char> {
    let is_end =
        |byte: &u8| !byte.is_ascii_graphic() || Delimiter::BYTES.contains(byte) || *byte == b'"';
    for word in head
        .split(is_end)
        .filter(|word| word.len() == Cell::COUNT && clues(word) >= CELLS_OF_A_PUZZLE)
    {
        let blank = *word.iter().find(|byte| !blanks.is_cell(**byte))?;
        if parse::cells(word, &blanks.with(blank)?).is_ok() {
            return Some(char::from(blank));
        }
    }
    None
}
