//! The documents: their commands do what they show, and their links lead somewhere.
//!
//! A block of the language `console` has commands (`$ ninefold …`) and their exact output. All
//! commands of a document run in one folder, in order, with the folder `data` of the repository. The
//! folder of a guide has the files of `docs/guide/data`, too. A line `…` of an output stands for any
//! lines. The times in a summary are not compared.
//!
//! `UPDATE_DOCS=1 cargo test --test program docs` writes the outputs into the documents.

use crate::support::Folder;
use ninefold::augment::Augment;
use ninefold::bank::Load;
use ninefold::canon::Canonize;
use ninefold::generate;
use ninefold::neighbors;
use ninefold::output::{Column, Format, Kind};
use ninefold::pipeline::Control;
use ninefold::rate::Rate;
use ninefold::run::Command as _;
use ninefold::solve::Solve;
use ninefold::steps::Steps;
use ninefold::verify::{Finding, Verify};
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// Held by a test that may write into the documents.
static WRITING: Mutex<()> = Mutex::new(());

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the guides by task.
const GUIDES: &str = "docs/guide";

/// All documents, by their paths from the root.
fn documents() -> Vec<String> {
    let mut names: Vec<_> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md"]
            .map(str::to_owned)
            .to_vec();
    for folder in ["docs", GUIDES] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            names.extend(name.strip_suffix(".md").map(|name| format!("{folder}/{name}.md")));
        }
    }
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    names
}

/// A folder with the folder `data` of the repository.
#[cfg(unix)]
fn with_data() -> Folder {
    let folder = Folder::new();
    std::os::unix::fs::symlink(root().join("data"), folder.path("data")).unwrap();
    folder
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A part of a document.
enum Part<'a> {
    /// Lines that are no command and no output.
    Text(&'a str),
    /// A command, and its output.
    Command { line: usize, words: String, source: String, output: String },
}

/// The parts of a document: its commands, and everything between them.
fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut is_console) = (Vec::new(), false);
    let mut lines = text.split_inclusive('\n').enumerate().peekable();
    while let Some((place, line)) = lines.next() {
        if line.starts_with("```") {
            is_console = !is_console && line.trim_end() == "```console";
        }
        let Some(words) = line.strip_prefix("$ ").filter(|_| is_console) else {
            parts.push(Part::Text(line));
            continue;
        };
        let (mut words, mut source, mut output) =
            (words.to_owned(), line.to_owned(), String::new());
        while words.ends_with("\\\n") {
            let (_, more) = lines.next().expect("a command goes on");
            words.push_str(more);
            source.push_str(more);
        }
        let is_output = |line: &str| !line.starts_with("$ ") && !line.starts_with("```");
        while let Some((_, more)) = lines.next_if(|(_, line)| is_output(line)) {
            output.push_str(more);
        }
        parts.push(Part::Command { line: place + 1, words, source, output });
    }
    parts
}

/// What a command writes to both outputs, in this folder.
fn run(words: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ninefold")).parent().unwrap();
    let paths = [program.to_owned()].into_iter();
    let before = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(paths.chain(env::split_paths(&before))).unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec 2>&1\n{words}")).current_dir(folder);
    shell.env("PATH", path).env("COLUMNS", "80").env("LC_ALL", "C").env("NO_COLOR", "1");
    let output = shell.output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The line, or what all lines with times are taken for.
fn without_times(line: &str) -> &str {
    let time = line.split_once(" s, ").map_or("", |(time, _)| time);
    let is_time = time.contains('.') && time.parse::<f64>().is_ok();
    if is_time { "0.000 s" } else { line }
}

/// Whether an output is as shown. A line `…` stands for any lines.
fn agrees(shown: &[&str], found: &[&str]) -> bool {
    match (shown.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((&"…", rest)), _) => (0..=found.len()).any(|start| agrees(rest, &found[start..])),
        (Some((one, shown)), Some((other, found))) => {
            without_times(one) == without_times(other) && agrees(shown, found)
        }
        _ => false,
    }
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_documents_write_what_they_show() {
    let _writing = WRITING.lock();
    let updates = env::var_os("UPDATE_DOCS").is_some();
    let (mut commands, mut wrong) = (0, String::new());
    for name in documents() {
        let (text, folder, mut new_text) = (read(&name), with_data(), String::new());
        if name.starts_with(GUIDES) {
            for file in fs::read_dir(root().join(GUIDES).join("data")).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), folder.path(file.file_name().to_str().unwrap())).unwrap();
            }
        }
        for part in parts(&text) {
            if let Part::Text(text) = part {
                new_text.push_str(text);
            }
            let Part::Command { line, words, source, output } = part else { continue };
            commands += 1;
            let found = run(&words, &folder.path(""));
            let (shown, lines): (Vec<_>, Vec<_>) =
                (output.lines().collect(), found.lines().collect());
            if agrees(&shown, &lines) {
                new_text.push_str(&(source + &output));
            } else {
                write!(wrong, "{name}:{line}: $ {words}shown:\n{output}found:\n{found}\n").unwrap();
                let end = if found.is_empty() || found.ends_with('\n') { "" } else { "\n" };
                new_text.push_str(&(source + &found + end));
            }
        }
        if updates && new_text != text {
            fs::write(root().join(&name), new_text).unwrap();
        }
    }
    assert!(commands >= 40, "{commands} commands");
    assert!(wrong.is_empty() || updates, "{wrong}");
}

/// The languages of the code blocks of a document.
fn languages(text: &str) -> Vec<&str> {
    let fences = text.lines().filter_map(|line| line.strip_prefix("```"));
    fences.step_by(2).collect()
}

/// What a reader of a guide types is run by a test: `console` by the one above, `rust` as a
/// documentation test (`src/lib.rs`), `python` by `python/tests/test_docs.py`. Text is not run. Only the
/// jobs of a cluster need more than this machine.
#[test]
fn the_commands_of_the_guides_are_run() {
    let guides: Vec<_> = documents().into_iter().filter(|name| name.starts_with(GUIDES)).collect();
    assert!(guides.len() >= 6, "{guides:?}");
    for name in guides {
        let folder = Path::new(&name).file_stem().unwrap().to_str().unwrap();
        let begin = format!(
            "export PATH=\"$PWD/target/release:$PATH\"    # after cargo build --release; not needed if ninefold is \
             installed\nmkdir -p out/{folder} && cp -r docs/guide/data/* data out/{folder} && cd out/{folder}\n"
        );
        let text = read(&name).replacen(&format!("```sh\n{begin}```\n"), "", 1);
        assert!(text.len() < read(&name).len(), "{name}: expected\n{begin}");
        assert!(parts(&text).iter().any(|it| matches!(it, Part::Command { .. })), "{name}");
        if name.ends_with("/cluster.md") {
            continue;
        }
        for language in languages(&text) {
            let is_run = ["console", "rust", "python", "text", "toml"].contains(&language);
            assert!(is_run, "{name}: no test runs a block of the language {language:?}");
            assert!(language != "python" || text.contains("\n>>> "), "{name}");
        }
    }
}

/// The links of a document, outside of code: `[text](target)` and `src="target"`.
fn links(text: &str) -> Vec<String> {
    let (mut found, mut is_code) = (Vec::new(), false);
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        // The parts between backquotes are code.
        let line: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for (start, end) in [("](", ')'), ("src=\"", '"')] {
            for (at, _) in line.match_indices(start) {
                let target = line[at + start.len()..].split(end).next().unwrap();
                found.push(target.split_whitespace().next().unwrap_or_default().to_owned());
            }
        }
    }
    found
}

/// The anchors of the headings of a document, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let slug = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.map(|it| if it == ' ' { '-' } else { it }).collect()
    };
    headings.map(slug).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let (mut count, mut wrong) = (0, String::new());
    for name in documents() {
        let text = read(&name);
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = root().join(&name).parent().unwrap().to_owned();
            let path = if file.is_empty() { root().join(&name) } else { folder.join(file) };
            let has_anchor = anchor.is_empty()
                || fs::read_to_string(&path).is_ok_and(|text| anchors(&text).contains(anchor));
            if !path.exists() || !has_anchor {
                writeln!(wrong, "{name}: {link}").unwrap();
            }
        }
    }
    assert!(count > 30, "{count} links");
    assert!(wrong.is_empty(), "dead links:\n{wrong}");
}

/// The lines of the code blocks below a heading of the README, in their languages.
fn blocks_below<'a>(readme: &'a str, heading: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let (_, below) = readme.split_once(heading).unwrap_or_else(|| panic!("{heading}"));
    let section = below.split("\n## ").next().unwrap();
    let blocks = section.split("```").skip(1).step_by(2).map(|block| {
        let (language, lines) = block.split_once('\n').unwrap();
        (language, lines.lines().collect())
    });
    blocks.collect()
}

/// The tasks of the README, one after the other. Code 1 is that of puzzles that fail a check.
#[cfg(unix)]
#[test]
fn the_tasks_of_the_readme_run() {
    let (text, folder) = (read("README.md"), with_data());
    let (_, tasks) = &blocks_below(&text, "\n## The first minute\n")[0];
    assert_eq!(tasks.len(), 8, "{tasks:?}");
    for task in tasks {
        let output = run(&format!("{task}\necho code $?"), &folder.path(""));
        let code = output.lines().last().unwrap_or_default();
        assert!(["code 0", "code 1"].contains(&code), "{task}\n{output}");
    }
}

/// The commands for a checkout, with this program in place of the one that they build.
#[cfg(unix)]
#[test]
fn the_commands_for_a_checkout_run() {
    let (text, folder) = (read("README.md"), with_data());
    let blocks = blocks_below(&text, "\n## From a checkout\n");
    let [("sh", solve), ("text", shown), ("sh", tests)] = &blocks[..] else { panic!("{blocks:?}") };
    let solve = solve.join("\n").replace("cargo run --release --", "ninefold");
    let output = run(&solve, &folder.path(""));
    let found: Vec<_> = output.lines().collect();
    assert!(agrees(shown, &found), "{solve}\n{output}");
    assert_eq!(fs::read_to_string(folder.path("solved.txt")).unwrap().lines().count(), 1000);
    let tests = tests.join("\n");
    assert!(read(".ci/run").contains(&format!("\nstep {tests}\n")), "{tests}");
}

/// The table of `verify --only`, and that of the conditions of `select`.
#[cfg(unix)]
#[test]
fn the_faults_and_conditions_are_those_of_the_program() {
    let row = |it: &Finding| format!("| `{}` | {} |\n", it.name(), it.summary());
    let faults: String = Finding::ALL.iter().map(row).collect();
    assert!(read("docs/verify.md").contains(&faults), "docs/verify.md: expected\n{faults}");

    let (page, help) = (read("docs/select.md"), run("ninefold select --help", root()));
    let conditions = help.split("\nConditions:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    for option in conditions.lines().filter_map(|line| line.strip_prefix("      --")) {
        let name = option.split([' ', '[']).next().unwrap();
        let is_listed = page.contains(&format!("\n| `--{name}"));
        // These two change other conditions.
        assert_eq!(is_listed, !["max-er", "shuffles"].contains(&name), "{name}");
    }
}

/// The table of a command's columns, as its document shows it.
fn table_of(columns: &[Column]) -> String {
    let mut table = "| column | type | content |\n| --- | --- | --- |\n".to_owned();
    for Column { name, kind, help, .. } in columns {
        let kind = match kind {
            Kind::Whole => "integer",
            Kind::Decimal => "number",
            Kind::Word | Kind::Status => "word",
            Kind::Text | Kind::Puzzle => "text",
            Kind::Flag => "flag",
            Kind::Lists(depth, bits) => {
                &*format!("{}uint{bits}", "list of ".repeat(usize::from(*depth)))
            }
        };
        writeln!(table, "| `{name}` | {kind} | {help} |").unwrap();
    }
    table
}

/// `UPDATE_DOCS=1` writes the declared columns into the documents.
#[test]
fn the_columns_of_every_command_are_described_as_declared() {
    let _writing = WRITING.lock();
    let bank = Load::default().load(Vec::new(), Control::default()).unwrap();
    let verify =
        Verify { grade: true, rate: true, bank: Some(Arc::new(bank)), ..Verify::default() };
    let declared = [
        ("output", Solve::default().columns(Format::Csv)),
        ("verify", verify.columns(Format::Csv)),
        ("canon", Canonize { map: true, ..Canonize::default() }.columns(Format::Csv)),
        ("augment", Augment { map: true, ..Augment::default() }.columns(Format::Csv)),
        ("rate", Rate::default().columns(Format::Csv)),
        ("steps", Steps { boards: true, ..Steps::default() }.columns(Format::Csv)),
        ("steps", Steps { lists: true, ..Steps::default() }.columns(Format::Csv)),
        ("generate", generate::COLUMNS.to_vec()),
        ("neighbors", neighbors::COLUMNS.to_vec()),
        // Rows are copied: a table of this command has the columns of its input.
        ("select", Vec::new()),
    ];
    let mut wrong = String::new();
    for (number, (page, columns)) in declared.iter().enumerate() {
        let name = format!("docs/{page}.md");
        let text = read(&name);
        // A page may have several tables.
        let earlier = declared[..number].iter().filter(|(earlier, _)| earlier == page).count();
        let Some((start, _)) = text.match_indices("| column | type |").nth(earlier) else {
            assert!(columns.is_empty(), "{name}: no table of columns");
            continue;
        };
        let (before, rest) = text.split_at(start);
        let after = rest.find("\n\n").map_or("", |end| &rest[end + 1..]);
        let new = format!("{before}{}{after}", table_of(columns));
        if env::var_os("UPDATE_DOCS").is_some() {
            fs::write(root().join(&name), &new).unwrap();
        } else if new != text {
            writeln!(wrong, "{name}: expected\n{}", table_of(columns)).unwrap();
        }
        assert!(!columns.is_empty(), "{name}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}
