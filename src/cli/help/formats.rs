//! `ninefold help formats`: inputs, records, statuses, faults and exit codes.
//!
//! The page is `formats.txt`. For `@WHAT` it has the names of this kind and their meanings, which come from the library.

use super::super::declared;
use crate::Status;
use crate::augment;
use crate::canon;
use crate::difficulty::Technique;
use crate::input::{PUZZLE_NAMES, SOLUTION_NAMES};
use crate::minimize;
use crate::names::Named;
use crate::neighbors;
use crate::output::Format;
use crate::verify::Finding;
use serde_json::Value;
use std::fmt::Write;

const PAGE: &str = include_str!("formats.txt");

/// The text of the topic.
pub(super) fn text() -> String {
    let mut text = String::new();
    for line in PAGE.lines() {
        match line.strip_prefix('@') {
            Some(what) => push_list(&list(what), &mut text),
            None => text.extend([line, "\n"]),
        }
    }
    text.replace("{puzzle names}", &PUZZLE_NAMES.join(", "))
        .replace("{solution names}", &SOLUTION_NAMES.join(", "))
}

/// The names of this kind, or the columns of this command.
fn list(what: &str) -> Vec<(&'static str, &'static str)> {
    match what {
        "formats" => names::<Format>(),
        "statuses" => names::<Status>(),
        "statuses of canon" => names::<canon::Outcome>(),
        "statuses of augment" => names::<augment::Outcome>(),
        "statuses of neighbors" => names::<neighbors::Outcome>(),
        "statuses of minimize" => names::<minimize::Outcome>(),
        "faults" => names::<Finding>(),
        "techniques" => names::<Technique>(),
        command => {
            let commands = declared(&Value::Null).into_iter().filter(|it| it.name == command);
            commands.flat_map(|it| it.columns).map(|it| (it.name, it.help)).collect()
        }
    }
}

/// Appends each word with its meaning, wrapped at 80 columns.
fn push_list(list: &[(&str, &str)], text: &mut String) {
    let width = list.iter().map(|(word, _)| word.len()).max().unwrap_or_default();
    for (word, meaning) in list {
        for (place, line) in wrap(meaning, 80 - 4 - width).iter().enumerate() {
            let word = if place == 0 { word } else { "" };
            let _ = writeln!(text, "  {word:width$}  {line}");
        }
    }
}

/// All names of a type with their meanings.
fn names<T: Named>() -> Vec<(&'static str, &'static str)> {
    T::ALL.iter().map(|it| (it.name(), it.summary())).collect()
}

/// The words in lines of at most `width` columns. A longer word has a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
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
    fn the_page_has_the_columns_of_all_commands_and_no_empty_list() {
        let has = |name: &str| PAGE.lines().any(|line| line.strip_prefix('@') == Some(name));
        for command in declared(&Value::Null).iter().filter(|it| !it.columns.is_empty()) {
            assert!(has(command.name), "{}", command.name);
        }
        let lists = PAGE.lines().filter_map(|line| line.strip_prefix('@'));
        assert_eq!(lists.filter(|what| list(what).is_empty()).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn words_are_wrapped_and_long_ones_stand_alone() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a extraordinary b", 5), ["a", "extraordinary", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
