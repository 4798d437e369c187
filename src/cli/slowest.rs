//! What a summary says of bounds and of the slowest line.

use super::running::RunArgs;
use indicatif::HumanCount;
use ninefold::bulk::SlowLine;
use serde_json::{Map, Value, json};

/// `puzzles.txt: line 1,234 took 3.2 s`
pub(super) fn in_words(slowest: &SlowLine) -> String {
    let SlowLine { input, line, time, .. } = slowest;
    format!("{input}: line {} took {:.1} s", HumanCount(*line), time.as_secs_f64())
}

/// Adds the slowest line to a summary, if there is one: before its last line, which is about the speed.
pub(super) fn in_text(text: &mut String, slowest: Option<&SlowLine>) {
    if let Some(slowest) = slowest {
        let line = format!("{}\n", in_words(slowest));
        text.insert_str(text.rfind('\n').map_or(0, |end| end + 1), &line);
    }
}

/// Adds the slowest line to statistics, if there is one, and with --max-branches the bound and the count of
/// unknown puzzles, if it is not there.
pub(super) fn in_json(text: String, running: &RunArgs, slowest: Option<&SlowLine>) -> String {
    if slowest.is_none() && running.max_branches.is_none() {
        return text;
    }
    let mut object: Map<String, Value> =
        serde_json::from_str(&text).expect("statistics are an object");
    if let Some(branches) = running.max_branches {
        object.insert("max_branches".to_owned(), json!(branches));
        object.entry("unknown").or_insert(json!(0));
    }
    if let Some(SlowLine { input, line, time, .. }) = slowest {
        let place = json!({ "input": &**input, "line": line, "seconds": time.as_secs_f64() });
        object.insert("slowest".to_owned(), place);
    }
    format!("{:#}\n", Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, Command, FromArgMatches};

    fn running(words: &[&str]) -> RunArgs {
        let command = RunArgs::augment_args(Command::new("solve").no_binary_name(true));
        RunArgs::from_arg_matches(&command.get_matches_from(words)).unwrap()
    }

    #[test]
    fn statistics_without_a_bound_keep_their_bytes() {
        let text = "{ \"b\" : 1, \"a\": 2.50 }".to_owned();
        assert_eq!(in_json(text.clone(), &running(&[]), None), text);
        let bounded = in_json(text, &running(&["--max-branches", "7"]), None);
        let expected =
            "{\n  \"a\": 2.5,\n  \"b\": 1,\n  \"max_branches\": 7,\n  \"unknown\": 0\n}\n";
        assert_eq!(bounded, expected);
    }
}
