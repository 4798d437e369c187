//! `ninefold completions`: what a shell needs to complete commands, options and names.

use super::exit::{Error, print};
use clap::{Args, Command};
use clap_complete::Shell;
use std::process::ExitCode;

const AFTER: &str = "\
Installation:
  bash        ninefold completions bash > ~/.local/share/bash-completion/completions/ninefold
  zsh         ninefold completions zsh > DIR/_ninefold, where DIR is in $fpath
  fish        ninefold completions fish > ~/.config/fish/completions/ninefold.fish
  powershell  ninefold completions powershell >> $PROFILE
  elvish      ninefold completions elvish >> ~/.config/elvish/rc.elv";

/// Print the completions of a shell
///
/// Commands, options, engines, formats, statuses and faults are completed.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions of all commands to standard output.
pub(super) fn run(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode, Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "ninefold", &mut text);
    print(&text)
}
