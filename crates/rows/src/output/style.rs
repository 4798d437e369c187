//! The format of records.
//!
//! ```text
//! line    5346…179                                      # line 17: no solution
//! pair    53..7…79,5346…179                             # line 17: no solution
//! csv     16,unique,1,53..7…79,5346…179                 17,none,0,1234…,
//! jsonl   {"line":16,"status":"unique","solutions":1,"puzzle":"53..7…79","solution":"5346…179"}
//! ```

use super::column::Column;
use super::csv::push_csv_field;
use super::table::Table;
use std::collections::{HashMap, HashSet};

ninefold_core::named_enum! {
    /// The format of a record.
    pub enum Format, "format" {
        @default Line = "line", "the answer, or a comment with the reason";
        Pair = "pair", "puzzle,answer, or the same comment";
        Csv = "csv", "a table with the fields of the command";
        Jsonl = "jsonl", "an object per line with these keys, and a reason if it has no answer";
        Text = "text", "sentences, for people (steps)";
        Grid = "grid", "grids of nine lines, for people: the puzzle and its answer";
        Report = "report", "`FILE:LINE: reason`, for faults alone";
    }
}

/// How records are written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Style {
    /// The format of a record.
    pub format: Format,
    /// The columns of the command, which follow the input's name and the line.
    pub columns: Vec<Column>,
    /// The character for a blank of a puzzle.
    pub blank: u8,
    /// Whether a grid has colours: escape sequences of a terminal.
    pub color: bool,
    /// Whether a table begins with the names of its columns.
    pub header: bool,
    /// The names that the input's other columns have in records, if they are carried through: those
    /// of [`kept_columns`].
    pub other_columns: Option<Vec<String>>,
    /// The names of the columns that are written, in their order, if not all are.
    pub chosen: Option<Vec<String>>,
    /// Whether records say which input they belong to.
    pub input_names: bool,
    /// Whether the rows of a table are packed: for a [`Table`](super::Table) with types.
    pub is_packed: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            format: Format::Line,
            columns: Vec::new(),
            blank: b'.',
            color: false,
            header: true,
            other_columns: None,
            chosen: None,
            input_names: false,
            is_packed: false,
        }
    }
}

/// The columns that all records have.
const INPUT: Column = Column::word("input", "the name of the input, if there are several");
const LINE: Column = Column::whole("line", "the line in the input, counted from 1");

impl Style {
    /// All columns but those of the input.
    pub fn own_columns(&self) -> impl Iterator<Item = Column> {
        let input = self.input_names.then_some(INPUT);
        input.into_iter().chain([LINE]).chain(self.columns.iter().copied())
    }

    /// The bytes before all records: the header of a table.
    pub fn preamble(&self) -> Vec<u8> {
        let mut row = Vec::new();
        if self.format == Format::Csv && self.header {
            for (place, (name, _)) in Table::of_style(self, &[]).columns.iter().enumerate() {
                row.extend_from_slice(if place == 0 { b"" } else { b"," });
                push_csv_field(&mut row, name.as_bytes());
            }
            row.push(b'\n');
        }
        row
    }
}

/// The names that the input's other columns have in a record with these columns of its own. One that
/// is called like a column of the record is `input_solution`, say; of two that are called the same the
/// second is `id_2`: an object that has a key twice loses one.
pub fn kept_columns<'a>(
    own: &[Column],
    names: impl IntoIterator<Item = &'a String>,
) -> Vec<String> {
    let is_own = |name: &str| own.iter().any(|column| column.name == name);
    let taken = |name: &str| ["input", "line", "reason"].contains(&name) || is_own(name);
    // The last number appended to each name.
    let (mut seen, mut numbers) = (HashSet::new(), HashMap::new());
    let kept = names.into_iter().map(|name| {
        let name = if taken(name) { format!("input_{name}") } else { name.clone() };
        let number = numbers.entry(name.clone()).or_insert(1);
        let mut unlike = name.clone();
        while !seen.insert(unlike.clone()) {
            *number += 1;
            unlike = format!("{name}_{number}");
        }
        unlike
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: [Column; 2] = [Column::word("status", ""), Column::text("solution", "")];

    #[test]
    fn a_table_names_its_columns_and_tells_the_inputs_from_its_own() {
        let mut style = Style { format: Format::Csv, columns: OWN.to_vec(), ..Style::default() };
        assert_eq!(style.preamble(), b"line,status,solution\n");
        style.input_names = true;
        let names = ["id", "solution", "a,b"].map(String::from);
        style.other_columns = Some(kept_columns(&OWN, &names));
        let expected = "input,line,status,solution,id,input_solution,\"a,b\"\n";
        assert_eq!(String::from_utf8(style.preamble()).unwrap(), expected);
        style.header = false;
        assert_eq!(style.preamble(), b"");
    }

    #[test]
    fn no_two_columns_are_called_the_same() {
        let names = ["id", "id", "input_line", "line", "id_3", "id", "id", ""].map(String::from);
        let kept = ["id", "id_2", "input_line", "input_line_2", "id_3", "id_4", "id_5", ""];
        assert_eq!(kept_columns(&OWN, &names), kept);
    }
}
