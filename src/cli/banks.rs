//! The banks that a run compares with: their layouts, and what is said of them.

use super::exit::{Error, refuse, say};
use super::parsers;
use super::reading::{self, InputArgs};
use super::running::RunArgs;
use super::signals::Signals;
use super::standard::is_standard;
use crate::bank::{Bank, Load, Prepared, Same};
use crate::input::{ColumnRef, Hints, Mapping, Source};
use crate::pipeline::{Control, Event, Pipeline};
use crate::puzzle::parse::Blanks;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options about the banks of a command, whose paths are in the group `Banks`.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct BankArgs {
    /// Forms in the banks
    ///
    /// Canonical forms are not computed again.
    #[arg(long, value_name = "FORM", default_value = "any", hide_default_value = true)]
    #[arg(value_parser = parsers::named::<Prepared>(), requires = "Banks", hide_short_help = true)]
    pub(crate) bank_form: Prepared,

    /// Read the puzzles of the banks from this field
    #[arg(long, value_name = "COLUMN", value_parser = reading::column)]
    #[arg(requires = "Banks", hide_short_help = true)]
    bank_column: Option<ColumnRef>,
}

/// The banks of a command, and how they are read. Options that name fields of the inputs are not about
/// banks; those about blanks are.
pub(crate) struct Banks<'a> {
    /// The option that names them.
    pub(crate) option: &'static str,
    pub(crate) paths: &'a [PathBuf],
    pub(crate) same: Same,
    pub(crate) solved: bool,
    pub(crate) args: &'a BankArgs,
    pub(crate) blanks: Blanks,
}

/// Opens a file that is read besides the inputs.
pub(crate) fn open(
    path: &Path,
    option: &str,
    what: &str,
    mapping: Option<Mapping>,
) -> Result<Source, Error> {
    let reason = format!("standard input cannot be {what}; name a file");
    refuse(is_standard(path), &format!("{option} -"), &reason)?;
    reading::open(path, mapping)
}

impl<'a> Banks<'a> {
    /// Banks of any puzzles, which count as the same up to symmetry.
    pub(crate) fn new(
        option: &'static str,
        paths: &'a [PathBuf],
        args: &'a BankArgs,
        reading: &InputArgs,
    ) -> Self {
        let blanks = reading.hints().blanks;
        Self { option, paths, same: Same::Isomorphic, solved: true, args, blanks }
    }

    /// Loads the banks, if there are any, and says which of their lines are not puzzles.
    pub(crate) fn load(
        &self,
        running: &RunArgs,
        signals: &Signals,
    ) -> Result<Option<Arc<Bank>>, Error> {
        // Mapped pages would count as memory of the process: as many bytes as a bank has.
        let open = |path: &PathBuf| open(path, self.option, "a bank", None);
        let mut banks = self.paths.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        if banks.is_empty() {
            return Ok(None);
        }
        for bank in &mut banks {
            if !self.finds_forms(bank) {
                bank.find_layout(&self.hints(self.args.bank_column.clone()))
                    .map_err(about_a_bank)?;
            }
            bank.understood().filter(|_| !running.quiet).iter().for_each(say);
        }
        let load = Load {
            same: self.same,
            solved: self.solved,
            prepared: self.args.bank_form,
            search: running.search(signals.cancel()),
            pipeline: Pipeline { threads: running.threads, ..Pipeline::default() },
        };
        let mut bar = running.bar(None, &banks, None);
        let mut observer = |event: &Event| bar.tell(event);
        let control = Control::new(signals.cancel()).observed_by(&mut observer);
        let bank = load.load(banks, control).map_err(|error| signals.error(error))?;
        bar.finish();
        if let Some((count, name, line)) = bank.malformed().filter(|_| !running.quiet) {
            let count = match count {
                1 => "1 line of the banks is not a puzzle: ".to_owned(),
                count => format!("{count} lines of the banks are not puzzles; the first is "),
            };
            say(format_args!("ninefold: {count}{name}:{line}"));
        }
        if bank.puzzles == 0 {
            return Err(Error::Failed(format!("{}: the bank has no puzzles", self.option)));
        }
        Ok(Some(Arc::new(bank)))
    }

    /// Tables of `ninefold canon` have puzzles and forms. If the bank holds forms, those are read.
    fn finds_forms(&self, bank: &mut Source) -> bool {
        if self.args.bank_form == Prepared::Any || self.args.bank_column.is_some() {
            return false;
        }
        let named = self.hints(Some(ColumnRef::Name("form".to_owned())));
        // The records of --format pair: the puzzle, the form.
        let second = self.hints(Some(ColumnRef::Place(1)));
        bank.find_layout(&named).is_ok()
            || bank.find_layout(&self.hints(None)).is_ok()
            || bank.find_layout(&second).is_ok()
    }

    fn hints(&self, puzzle: Option<ColumnRef>) -> Hints {
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
