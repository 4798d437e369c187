//! `ninefold man`: a page for the program and one for each command.

use super::exit::{Error, Outcome, say};
use clap::{Args, Command};
use clap_mangen::Man;
use std::fs;
use std::path::{Path, PathBuf};

const ABOUT: &str = "\
Write the man pages to a folder

Writes ninefold.1 and a page for each command, such as ninefold-solve.1. Existing
pages are replaced. The folder is created if it does not exist.";

/// `ninefold man`
#[derive(Debug, Args)]
#[command(long_about = ABOUT)]
pub(super) struct ManArgs {
    /// The folder, such as /usr/local/share/man/man1
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages of all commands.
pub(super) fn run(args: &ManArgs, mut command: Command) -> Result<Outcome, Error> {
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|cause| Error::at(folder, cause))?;
    // Gives each command its full name: `ninefold solve`.
    command.build();
    let mut pages = 1;
    write(folder, "ninefold", command.clone())?;
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("ninefold-{}", command.get_name());
        write(folder, &name, command.clone().display_name(&name))?;
        pages += 1;
    }
    say(format_args!("{pages} man pages in {}", folder.display()));
    Ok(Outcome::AllAnswered)
}

/// Writes one page.
fn write(folder: &Path, name: &str, command: Command) -> Result<(), Error> {
    let path = folder.join(format!("{name}.1"));
    let mut page = Vec::new();
    let rendered = Man::new(command).render(&mut page);
    rendered.and_then(|()| fs::write(&path, page)).map_err(|cause| Error::at(&path, cause))
}
