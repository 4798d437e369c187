//! The banks that a run compares with: their layouts, and what is said of them.

use super::exit::{Error, say};
use crate::bank::{Bank, Prepared};
use crate::input::{Column, Hints, Source};
use crate::puzzle::parse::Blanks;

/// How the banks are read. Options that name fields of the inputs are not about banks; those about
/// blanks are.
pub(crate) struct BankReading {
    pub(crate) prepared: Prepared,
    /// The field of the puzzles, if it was named.
    pub(crate) column: Option<Column>,
    pub(crate) blanks: Blanks,
}

impl BankReading {
    /// Finds the layout of each bank.
    pub(crate) fn find_layouts(&self, banks: &mut [Source], quiet: bool) -> Result<(), Error> {
        for bank in banks {
            if !self.finds_forms(bank) {
                bank.find_layout(&self.hints(self.column.clone())).map_err(about_a_bank)?;
            }
            bank.understood().filter(|_| !quiet).iter().for_each(say);
        }
        Ok(())
    }

    /// Tables of `ninefold canon` have puzzles and forms. If the bank holds forms, those are read.
    fn finds_forms(&self, bank: &mut Source) -> bool {
        if self.prepared == Prepared::Any || self.column.is_some() {
            return false;
        }
        let named = self.hints(Some(Column::Name("form".to_owned())));
        // The records of --format pair: the puzzle, the form.
        let second = self.hints(Some(Column::Place(1)));
        bank.find_layout(&named).is_ok()
            || bank.find_layout(&self.hints(None)).is_ok()
            || bank.find_layout(&second).is_ok()
    }

    fn hints(&self, puzzle: Option<Column>) -> Hints {
        // The answers of a bank are not looked at.
        Hints { puzzle, blanks: self.blanks, ignores_answers: true, ..Hints::default() }
    }
}

/// The same error, with the option that is about banks.
fn about_a_bank(error: crate::input::Error) -> Error {
    let reason = error.cause.to_string();
    match reason.split_once("--columns puzzle=") {
        Some((before, column)) => {
            Error::Failed(format!("{}: {before}--bank-column {column}", error.name))
        }
        None => error.into(),
    }
}

/// Says how many lines of the banks are not puzzles, if there are any.
pub(crate) fn tell_malformed(bank: &Bank) {
    if let Some((count, name, line)) = bank.malformed() {
        let count = match count {
            1 => "1 line of the banks is not a puzzle: ".to_owned(),
            count => format!("{count} lines of the banks are not puzzles; the first is "),
        };
        say(format_args!("ninefold: {count}{name}:{line}"));
    }
}
