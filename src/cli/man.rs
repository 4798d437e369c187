//! `ninefold man`: a page for the program and one for each command.

use super::exit::{Error, Outcome, say};
use clap::{Args, Command};
use clap_mangen::Man;
use std::fs;
use std::io;
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
    for command in command.get_subcommands() {
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
    page(command).and_then(|page| fs::write(&path, page)).map_err(|cause| Error::at(&path, cause))
}

/// The page of a command. Clap names every option in the synopsis, leaves out the long
/// description, and fills the lines of examples. So these sections are made here.
fn page(mut command: Command) -> io::Result<Vec<u8>> {
    let usage = command.render_usage().to_string();
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string);
    let after = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let has_commands = command.has_subcommands();
    // The version of the program; that of this CPU would be wrong on another.
    let source = concat!("ninefold ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source).manual("ninefold");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    push_section(&mut page, "SYNOPSIS", usage.trim_start_matches("Usage:").trim());
    // The first paragraph is the text of the section NAME.
    let about = about.unwrap_or_default();
    let about = about.split_once("\n\n").map_or(&*about, |(_, rest)| rest);
    push_section(&mut page, "DESCRIPTION", about);
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(after) = after {
        push_section(&mut page, "NOTES", &after);
    }
    Ok(page)
}

/// Appends a section whose lines are kept. A line that begins with `.` would be a request to roff.
fn push_section(page: &mut Vec<u8>, title: &str, text: &str) {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    page.extend_from_slice(format!(".SH {title}\n.nf\n").as_bytes());
    for line in text.lines() {
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        page.extend_from_slice(format!("{guard}{line}\n").as_bytes());
    }
    page.extend_from_slice(b".fi\n");
}
