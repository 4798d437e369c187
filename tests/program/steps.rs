//! `ninefold steps`, the built program.

use crate::support::{EASY, HARD, Run, SOLVED, TWO, fed, ninefold, objects};
use serde_json::Value;

/// Rated 3.2.
const WING: &str = include_str!("../../crates/core/tests/rating_cases.csv");

const CHAINS: &str = include_str!("../../crates/core/tests/rating_chains.csv");

fn steps(input: &str, words: &[&str]) -> Run {
    fed(&mut ninefold("steps", words), input)
}

/// The cell and the digit of `r2c3=4` or `r2c3<>4`.
fn candidate(text: &Value) -> (usize, u8) {
    let bytes = text.as_str().unwrap().as_bytes();
    let number = |place: usize| usize::from(bytes[place] - b'1');
    (number(1) * 9 + number(3), *bytes.last().unwrap())
}

#[test]
fn the_steps_of_objects_lead_to_the_solution_and_have_the_rating() {
    let puzzles: Vec<_> = WING.lines().skip(1).map(|it| it.split_once(',').unwrap().0).collect();
    let input = puzzles.join("\n");
    let (code, out, err) = steps(&input, &["-q", "--format", "jsonl", "--boards", "-j", "2"]);
    assert_eq!(code, Some(0), "{err}");
    let objects = objects(&out);
    assert_eq!(objects.len(), puzzles.len());
    for (object, line) in objects.iter().zip(WING.lines().skip(1)) {
        let fields: Vec<_> = line.split(',').collect();
        assert_eq!((&object["status"], &object["puzzle"]), (&"unique".into(), &fields[0].into()));
        let mut grid = fields[0].replace('0', ".").into_bytes();
        let (mut er, mut ep) = (0.0_f64, None);
        let all = object["steps"].as_array().unwrap();
        for step in all {
            er = er.max(step["score"].as_f64().unwrap());
            if let Value::String(_) = step["placement"] {
                ep = ep.or(Some(er));
                let (cell, digit) = candidate(&step["placement"]);
                assert_eq!(grid[cell], b'.', "{line}: {step}");
                grid[cell] = digit;
                assert_eq!(step["board"].as_str().unwrap().as_bytes(), grid, "{line}");
            } else {
                assert!(!step["eliminations"].as_array().unwrap().is_empty(), "{line}: {step}");
                assert!(step["board"].is_null(), "{line}: {step}");
            }
            let has_chains = !step["chains"].as_array().unwrap().is_empty();
            let is_chain = step["score"].as_f64().unwrap() > 6.2;
            assert!(is_chain == has_chains || step["technique"] == "aligned-triplet-exclusion");
        }
        let ed = all[0]["score"].as_f64().unwrap();
        let found = [er, ep.unwrap(), ed].map(|score| format!("{score:.1}"));
        assert_eq!(found, fields[1..4], "{line}");
        let (_, solution, _) = fed(&mut ninefold("solve", &["-q"]), fields[0]);
        assert_eq!(solution.trim_end().as_bytes(), grid, "{line}");
    }
}

/// Rated 10.2.
#[test]
fn nodes_name_the_technique_inside_and_its_chains() {
    let (puzzle, _) = CHAINS.lines().last().unwrap().split_once(',').unwrap();
    let (_, jsonl, _) = steps(puzzle, &["-q", "--format", "jsonl"]);
    let of_step = |step: &Value| step["chains"].as_array().unwrap().clone();
    let object = &objects(&jsonl)[0];
    let chains = object["steps"].as_array().unwrap().iter().flat_map(of_step);
    let nodes: Vec<_> = chains.flat_map(|chain| chain.as_array().unwrap().clone()).collect();
    let inner: Vec<_> =
        nodes.iter().filter_map(|it| it.as_str().unwrap().split_once('[')).collect();
    assert!(inner.iter().any(|it| it.1 == "pointing]"), "{inner:?}");
    let found = inner.iter().find_map(|it| Some((it.0, it.1.strip_prefix("forcing-x-chain:")?)));
    let (node, chain) = found.unwrap();
    let chain: Vec<_> = chain.strip_suffix(']').unwrap().split(';').collect();
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    assert_eq!(first.replace("<>", "="), last.replace("<>", "="), "{chain:?}");
    assert!(node.contains("<>") && first.contains("<>") != last.contains("<>"), "{chain:?}");
}

#[test]
fn a_table_has_a_row_for_each_step() {
    let input = format!("{HARD}\n{TWO}\n{SOLVED}\nxx\n");
    let (code, csv, _) = steps(&input, &["-q"]);
    assert_eq!(code, Some(1));
    let (_, jsonl, _) = steps(&input, &["-q", "--format", "jsonl"]);
    let objects = objects(&jsonl);
    let mut rows = csv.lines();
    let header =
        "line,status,step,technique,score,cells,digits,eliminations,placement,chains,puzzle";
    assert_eq!(rows.next(), Some(header));
    let all = objects[0]["steps"].as_array().unwrap();
    for (number, step) in all.iter().enumerate() {
        let row: Vec<_> = rows.next().unwrap().split(',').collect();
        assert_eq!(row[..2], ["1", "unique"]);
        assert_eq!(row[2], (number + 1).to_string());
        assert_eq!(row[3], step["technique"]);
        assert_eq!(serde_json::json!(row[4].parse::<f64>().unwrap()), step["score"]);
        let cells: Vec<_> = step["cells"].as_array().unwrap().iter().collect();
        assert_eq!(row[5].split(' ').collect::<Vec<_>>(), cells);
        assert_eq!(row[8], step["placement"].as_str().unwrap_or_default());
        assert_eq!(row[10], HARD.replace('0', "."));
    }
    let rest: Vec<_> = rows.collect();
    assert_eq!(rest, [format!("2,multiple,,,,,,,,,{TWO}"), "4,malformed,,,,,,,,,xx".to_owned()]);
    assert_eq!(objects[1]["reason"], "more than one solution");
    assert_eq!(objects[2]["steps"], Value::Array(Vec::new()));
}

#[test]
fn text_and_grids_are_for_people() {
    let (code, text, _) = steps(EASY, &["-q", "--format", "text"]);
    assert_eq!(code, Some(0));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(EASY));
    assert!(lines.next().unwrap().contains("; place "), "{text}");
    let (_, grids, _) = steps(EASY, &["-q", "--format", "grid"]);
    let last = grids.trim_end().rsplit("\n\n").next().unwrap();
    let digits: String =
        last.lines().skip(1).flat_map(str::chars).filter(char::is_ascii_digit).collect();
    assert_eq!(digits, SOLVED);
    let (_, colored, _) = steps(EASY, &["-q", "--format", "grid", "--color", "always"]);
    assert!(colored.contains("\x1b[1;32m"), "{colored}");
}

/// Those that few puzzles need are left out: they are made in the same way.
#[test]
fn puzzles_are_made_and_selected_by_the_technique_of_their_steps() {
    let made = |words: &[&str]| {
        let words = [&["-q", "-n", "4", "--seed", "3"], words].concat();
        let (code, out, err) = fed(&mut ninefold("generate", &words), "");
        assert_eq!((code, out.lines().count()), (Some(0), 4), "{words:?}: {err}");
        out
    };
    let techniques = "hidden-single-line direct-pointing direct-hidden-pair naked-single pointing naked-pair \
                      x-wing hidden-pair xy-wing forcing-chain";
    for technique in techniques.split(' ') {
        for option in ["--technique", "--uses"] {
            let puzzles = made(&[option, technique]);
            let (_, steps, _) = steps(&puzzles, &["-q", "--format", "jsonl"]);
            for object in objects(&steps) {
                let steps = object["steps"].as_array().unwrap();
                let score = |step: &Value| step["score"].as_f64().unwrap();
                let most = steps.iter().map(score).fold(0.0, f64::max);
                let is_wanted = |step: &&Value| option == "--uses" || score(step) >= most;
                let mut found = steps.iter().filter(is_wanted);
                assert!(found.any(|step| step["technique"] == technique), "{option} {technique}");
            }
            let select = &mut ninefold("select", &["-q", option, technique]);
            assert_eq!(fed(select, &puzzles).1, puzzles, "{option} {technique}");
        }
    }
    let both = made(&["--technique", "x-wing", "--uses", "naked-pair"]);
    let others = format!("{both}{EASY}\n{TWO}\n");
    let select = &mut ninefold("select", &["-q", "--uses", "naked-pair,pointing"]);
    assert_eq!(fed(select, &others).1, both);
}
