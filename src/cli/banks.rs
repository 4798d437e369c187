//! The banks that a run compares with: their layouts, and what is said of them.

use super::{CommonArgs, Error, Files, InputArgs, Signals, is_standard, reading, refuse, say};
use crate::bank::{Bank, Load};
use crate::input::{Hints, Mapping, Source};
use crate::pipeline::{Control, Event, Pipeline};
use std::path::Path;
use std::sync::Arc;

/// Opens a file that is read besides the inputs.
pub(crate) fn open(
    path: &Path,
    option: &str,
    what: &str,
    mapping: Option<Mapping>,
) -> Result<Source, Error> {
    let reason = format!("standard input cannot be {what}; name a file");
    refuse(is_standard(path), &format!("{option} -"), &reason)?;
    reading::open_beside(path, mapping)
}

/// Loads the banks that an option names, if there are any, and says which of their lines are not puzzles.
/// Puzzles that are `solved` are looked up by their solutions. Options that name fields of the inputs are not
/// about banks; those about blanks are.
pub(crate) fn load(
    option: &str,
    paths: &[Files],
    solved: bool,
    args: &CommonArgs,
    signals: &Signals,
) -> Result<Option<Arc<Bank>>, Error> {
    // Mapped pages would count as memory of the process: as many bytes as a bank has.
    let open = |path| open(path, option, "a bank", None);
    let mut banks = paths.iter().flatten().map(open).collect::<Result<Vec<_>, _>>()?;
    if banks.is_empty() {
        return Ok(None);
    }
    // The answers of a bank are not looked at.
    let of_inputs = args.reading.as_ref().map(InputArgs::hints).unwrap_or_default();
    let Hints { blanks, has_dashes, .. } = of_inputs;
    let hints = Hints { blanks, has_dashes, ..Hints::default() };
    let running = &args.records.running;
    for bank in &mut banks {
        reading::find_layout_beside(bank, hints.clone())?;
        bank.understood().filter(|_| !running.quiet).iter().for_each(say);
    }
    let load = Load {
        solved,
        search: args.search.search(signals.cancel()),
        pipeline: Pipeline { threads: running.threads, ..Pipeline::default() },
    };
    let mut bar = args.records.bar(None, &banks, None);
    let mut observer = |event: &Event| bar.iter_mut().for_each(|bar| bar.tell(event));
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let bank = load.load(banks, control).map_err(|error| signals.error(error))?;
    drop(bar);
    if let Some((count, name, line)) = bank.malformed().filter(|_| !running.quiet) {
        let count = match count {
            count if count > bank.puzzles => {
                let all = bank.puzzles + count;
                format!("most lines of the banks, {count} of {all}, are not puzzles; the first is ")
            }
            1 => "1 line of the banks is not a puzzle: ".to_owned(),
            count => format!("{count} lines of the banks are not puzzles; the first is "),
        };
        say(format_args!("ninefold: {count}{name}:{line}"));
    }
    if bank.full_grids > 0 && !running.quiet {
        let (full, all) = (bank.full_grids, bank.puzzles);
        say(format_args!(
            "ninefold: {full} of {all} puzzles of the banks are full grids, which no puzzle equals"
        ));
    }
    if bank.puzzles == 0 {
        return Err(Error::Failed(format!("{option}: the bank has no puzzles")));
    }
    Ok(Some(Arc::new(bank)))
}
