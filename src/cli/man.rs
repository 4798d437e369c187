//! `ninefold man`: a page for the program and one for each command.

use super::exit::{Error, say};
use clap::builder::Resettable;
use clap::{Args, Command};
use clap_mangen::generate_to;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the man pages to a folder
///
/// Writes ninefold.1 and a page for each command, such as ninefold-solve.1. Existing
/// pages are replaced. The folder is created if it does not exist.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ManArgs {
    /// The folder, such as /usr/local/share/man/man1
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages of all commands.
pub(super) fn run(args: &ManArgs, command: Command) -> Result<ExitCode, Error> {
    let folder = &args.folder;
    let pages = 1 + command.get_subcommands().count();
    // The version of the program; that of this CPU would be wrong on another.
    let command = command.long_version(Resettable::Reset);
    let written = fs::create_dir_all(folder).and_then(|()| generate_to(command, folder));
    written.map_err(|cause| Error::at(folder, cause))?;
    say(format_args!("{pages} man pages in {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}
