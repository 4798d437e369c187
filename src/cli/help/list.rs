//! The list of a command's options, in two columns.

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, ArgAction, Command};
use std::fmt::Write;

/// Columns before the texts: two spaces, `-o, --output <FILE>`, two spaces.
const INDENT: usize = 30;

/// A summary lists no more values of an option.
const MOST_VALUES: usize = 5;

/// Which text of an option is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// `-h`: the first sentence.
    Short,
    /// `--help`: all of it.
    Long,
}

/// The command with its list of options in place of clap's.
pub(super) fn lay_out(command: Command, width: usize) -> Command {
    let short = list(&command, width, Detail::Short);
    let mut long = list(&command, width, Detail::Long);
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        let _ = write!(long, "\n\n{}", after.ansi());
    }
    let usage = "{about-with-newline}\n{usage-heading} {usage}{after-help}";
    command
        .help_template(usage)
        .after_help(StyledStr::from(short))
        .after_long_help(StyledStr::from(long))
}

/// The place of a heading: those of the command itself come after its arguments.
fn place(heading: &str) -> usize {
    ["Arguments", "", "Output", "Input", "Execution"]
        .iter()
        .position(|it| *it == heading)
        .unwrap_or(1)
}

/// All options, under their headings. A summary leaves some out.
fn list(command: &Command, width: usize, detail: Detail) -> String {
    let shown = |arg: &&Arg| detail == Detail::Long || !arg.is_hide_short_help_set();
    let heading = |arg: &Arg| {
        match arg.get_help_heading() {
            _ if arg.is_positional() => "Arguments",
            Some(heading) => heading,
            None => "Options",
        }
        .to_owned()
    };
    let mut headings = vec!["Arguments".to_owned()];
    for arg in command.get_arguments().filter(shown) {
        if !headings.contains(&heading(arg)) {
            headings.push(heading(arg));
        }
    }
    headings.sort_by_key(|heading| place(heading));
    let style = command.get_styles().get_header();
    let mut text = String::new();
    for title in &headings {
        let args = command.get_arguments().filter(shown).filter(|arg| heading(arg) == **title);
        let mut args = args.peekable();
        if args.peek().is_some() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{style}{title}:{style:#}");
        }
        args.for_each(|arg| push(&mut text, command, arg, width, detail));
    }
    let help = match detail {
        Detail::Short => "Print a summary; --help prints all",
        Detail::Long => "Print this text; -h prints a summary",
    };
    if text.is_empty() {
        let _ = writeln!(text, "{style}Options:{style:#}");
    }
    let literal = command.get_styles().get_literal();
    let _ = write!(text, "  {literal}-h, --help{literal:#}{:1$}{help}", "", INDENT - 12);
    text
}

/// Appends an option.
fn push(text: &mut String, command: &Command, arg: &Arg, width: usize, detail: Detail) {
    let literal = command.get_styles().get_literal();
    let name = name(arg);
    let _ = write!(text, "  {literal}{name}{literal:#}");
    let mut column = 2 + name.len();
    let lines = wrap(&about(arg, detail), width.saturating_sub(INDENT).max(20));
    if column + 2 > INDENT {
        text.push('\n');
        column = 0;
    }
    for line in lines {
        let _ = writeln!(text, "{:1$}{line}", "", INDENT - column);
        column = 0;
    }
}

/// `-o, --output <FILE>`, `    --force` or `[INPUT]...`.
fn name(arg: &Arg) -> String {
    if arg.is_positional() {
        return arg.to_string();
    }
    let mut text = match arg.get_short() {
        Some(short) => format!("-{short}, "),
        None => "    ".to_owned(),
    };
    let _ = write!(text, "--{}", arg.get_long().unwrap_or_default());
    if takes_value(arg) {
        let names = arg.get_value_names().unwrap_or_default();
        let is_optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
        for name in names {
            let value = if is_optional { format!("[=<{name}>]") } else { format!(" <{name}>") };
            text.push_str(&value);
        }
    }
    text
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// The text of an option in one paragraph, with its values and its default.
fn about(arg: &Arg, detail: Detail) -> String {
    let help = match detail {
        Detail::Short => arg.get_help(),
        Detail::Long => arg.get_long_help().or(arg.get_help()),
    };
    let help = help.map(ToString::to_string).unwrap_or_default().replace('`', "");
    let mut text = String::new();
    for paragraph in help.split("\n\n") {
        if !text.is_empty() {
            text.push_str(if text.ends_with(['.', ':']) { " " } else { ". " });
        }
        text.push_str(paragraph.trim());
    }
    if detail == Detail::Long && !text.ends_with('.') {
        text.push('.');
    }
    let values = arg.get_possible_values();
    let is_many = detail == Detail::Short && values.len() > MOST_VALUES;
    if takes_value(arg) && !values.is_empty() && !arg.is_hide_possible_values_set() && !is_many {
        let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
        let _ = write!(text, " [values: {}]", names.join(", "));
    }
    let defaults = arg.get_default_values();
    if takes_value(arg) && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let defaults: Vec<_> = defaults.iter().map(|value| value.to_string_lossy()).collect();
        let _ = write!(text, " [default: {}]", defaults.join(","));
    }
    text
}

/// The words in lines of at most `width` columns. A longer word has a line of its own.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_long_ones_stand_alone() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a extraordinary b", 5), ["a", "extraordinary", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn a_long_text_is_one_paragraph_with_values_and_default() {
        let arg = Arg::new("when").long("when").action(ArgAction::Set);
        let arg = arg.help("Do it").long_help("Do it\n\nOnce.\n\nThen stop").value_name("WHEN");
        let arg = arg.value_parser(["now", "later"]).default_value("now");
        let tail = "[values: now, later] [default: now]";
        assert_eq!(about(&arg, Detail::Short), format!("Do it {tail}"));
        assert_eq!(about(&arg, Detail::Long), format!("Do it. Once. Then stop. {tail}"));
        assert_eq!(name(&arg), "    --when <WHEN>");
    }
}
