//! `--stages`: splits the time of a whole run into its stages.
//!
//! ```text
//!   reading ─► splitting, parsing ─► solving ─► formatting ─► writing
//!     fill       Puzzles::read       Engine     Records        Sink
//! ```
//!
//! One thread takes each chunk through all stages and reads the clock between two stages: a few
//! reads for 3,200 puzzles. Splitting and parsing are one step of the program. So the cells of each
//! line are parsed once more alone, and splitting is the difference.
#![expect(clippy::cast_precision_loss, reason = "numbers of puzzles and lists")]

use crate::contender::answer_grids;
use crate::export::{Field, Machine, Outputs, about, arguments, write};
use crate::list::CHUNK_BYTES;
use crate::numbers::{percent, three_digits};
use crate::outside::folder;
use crate::stats::Spread;
use crate::table::{Form, Table};
use crate::{Error, Host, MeasureArgs, at, base_name};
use ninefold_core::Verdict;
use ninefold_core::engine::{Answer, Engine, EngineKind};
use ninefold_core::puzzle::{Grid, Solution, parse};
use ninefold_rows::input::{self, ChunkBuffer, Puzzles, Source};
use ninefold_rows::output::{Mode, Records, Sink};
use serde_json::{Map, Value, json};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A built-in list is repeated up to this size: 1,000 puzzles would measure little but the opening of
/// files.
const LEAST_BYTES: usize = 8 << 20;

/// The fewest runs, unless a signal ends them.
const FEWEST_RUNS: usize = 3;

/// Solutions that are looked for: proof of uniqueness.
const LIMIT: usize = 2;

const STAGES: [&str; 7] =
    ["reading", "splitting lines", "parsing", "solving", "formatting", "writing", "whole run"];

const LEGEND: &str = "\
ns/puzzle, the median of all runs, and the share of all stages together. One thread takes each
chunk through all stages, from a mapped file to a file in the folder for temporary files. Parsing
is measured once more by itself, and splitting lines is what is left of the two.
whole run: solve --unique -j 1, which reads and writes while it solves, on threads of their own.
";

/// Nanoseconds per puzzle of each of [`STAGES`].
type Times = [f64; 7];

/// Measures each list, and writes the table and the other results. Returns the exit code.
pub(crate) fn run(
    args: &MeasureArgs,
    host: &dyn Host,
    outputs: Outputs,
    progress: &mut dyn FnMut(f64, &str),
) -> Result<u8, Error> {
    let kind = args.engines.first().copied().unwrap_or_default();
    let level = args.levels()[0];
    let mut engine = kind.build_at(level);
    let folder = folder()?;
    let inputs = inputs(host, folder.path())?;
    let records = folder.path().join("records");
    let mut measured: Vec<(&str, Vec<Times>)> = Vec::new();
    for (index, (name, path)) in inputs.iter().enumerate() {
        progress(index as f64 / inputs.len() as f64, name);
        let (begun, seconds) = (Instant::now(), args.seconds() / inputs.len() as f64);
        let mut runs = Vec::new();
        while (runs.len() < FEWEST_RUNS || begun.elapsed().as_secs_f64() < seconds)
            && host.signal().is_none()
        {
            let mut sink = Sink::open(&records, Mode::Replace)?;
            let mut run = take(host.reopen(path)?, &mut sink, engine.as_mut())?
                .ok_or_else(|| format!("{name}: there is no puzzle in it"))?;
            sink.finish()?;
            let (source, sink) = (host.reopen(path)?, Sink::open(&records, Mode::Replace)?);
            let started = Instant::now();
            let puzzles = host.solve(source, sink, kind, level)?;
            run[6] = started.elapsed().as_secs_f64() * 1e9 / puzzles.max(1) as f64;
            runs.push(run);
        }
        measured.push((name, runs));
    }
    progress(1.0, "");
    let simd = (kind == EngineKind::Lanes).then(|| level.name());
    let (machine, command) = (Machine::this(), format!("ninefold {}", arguments().join(" ")));
    let heading = format!(
        "ninefold {} on {}, {}, engine {kind}{}\n",
        env!("CARGO_PKG_VERSION"),
        machine.cpu,
        machine.system,
        simd.map_or_else(String::new, |simd| format!(" ({simd})"))
    );
    let mut about = about(&machine, &command);
    about.splice(..0, [("engine", json!(kind.name())), ("simd", json!(simd))]);
    let (table, rows) = summarise(&measured);
    let text = format!("{heading}\n{}\n{LEGEND}", table.render(Form::Text));
    let shown = write(Sink::stdout(), &text);
    let object = |fields: &[Field]| -> Map<String, Value> {
        fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    };
    let stages: Vec<_> = rows.iter().map(|row| object(row)).collect();
    let results = json!({ "about": object(&about), "stages": stages });
    let lines: Vec<_> = rows.into_iter().map(|row| [row, about.clone()].concat()).collect();
    let table = table.render(Form::Markdown);
    let markdown = format!("{table}\n{heading}\n`{command}`\n\n{LEGEND}");
    outputs.write_as(&lines, &results, &markdown, |_| String::new())?;
    shown?;
    Ok(host.signal().unwrap_or(0))
}

/// The inputs, each with its name. A built-in list becomes a file.
fn inputs(host: &dyn Host, folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    if host.inputs().iter().any(|path| path.as_os_str() == "-") {
        return Err("--stages -: a file is needed, to be read many times".into());
    }
    if !host.inputs().is_empty() {
        return Ok(host.inputs().iter().map(|path| (base_name(path), path.clone())).collect());
    }
    let built_in = host.lists().iter().map(|(name, _, text)| {
        let path = folder.join(format!("{name}.txt"));
        let times = LEAST_BYTES.div_ceil(text.len());
        fs::write(&path, text.repeat(times)).map_err(|error| at(&path, error))?;
        Ok(((*name).to_owned(), path))
    });
    built_in.collect()
}

/// Takes one input through all stages but the whole run; `None` if it has no puzzle.
fn take(source: Source, sink: &mut Sink, engine: &mut dyn Engine) -> Result<Option<Times>, Error> {
    let name = source.name().clone();
    let lost = |cause| input::Error { name: name.clone(), cause };
    let mut chunks = source.into_chunks(CHUNK_BYTES);
    let (mut chunk, mut puzzles) = (ChunkBuffer::default(), Puzzles::default());
    let (mut answers, mut records) = (Vec::new(), Records::default());
    let (mut lines, mut memory) = (Vec::new(), Vec::new());
    let (mut times, mut count): (Times, usize) = ([0.0; 7], 0);
    loop {
        let mut before = Instant::now();
        let mut add = |stage: usize| {
            let now = Instant::now();
            times[stage] += (now - before).as_secs_f64();
            before = now;
        };
        if !chunks.fill(&mut chunk)? {
            break;
        }
        chunk.read(|chunk| touch(chunk.bytes())).map_err(lost)?;
        add(0);
        chunk.read(|chunk| puzzles.read(chunk)).map_err(lost)?;
        add(1);
        let grids = puzzles.grids();
        answers.clear();
        answers.reserve(grids.len());
        lines.clear();
        lines.extend(grids.iter().map(|grid| grid.line(b'.')));
        // No stage: the place of the whole run is overwritten.
        add(6);
        for line in &lines {
            black_box(parse::cells_to_grid(black_box(line)));
        }
        add(2);
        answer_grids(engine, grids, LIMIT, &mut answers);
        add(3);
        format(grids, &answers, &mut records);
        add(4);
        sink.write(records.numbered(0, &mut memory))?;
        add(5);
        count += answers.len();
    }
    times[2] = times[2].min(times[1]);
    times[1] -= times[2];
    Ok((count > 0).then(|| times.map(|seconds| seconds * 1e9 / count as f64)))
}

/// Reads a byte of each page: a mapped file is not read before.
fn touch(bytes: &[u8]) {
    /// The smallest page of any system.
    const PAGE: usize = 4096;
    black_box(bytes.iter().step_by(PAGE).fold(0, |sum: u8, &byte| sum.wrapping_add(byte)));
}

/// Makes the records of a chunk. Line numbers are those of the puzzles: they do not change the time.
fn format(grids: &[Grid], answers: &[Answer], records: &mut Records) {
    records.restart(grids.len());
    for (line, (grid, answer)) in (1..).zip(grids.iter().zip(answers)) {
        if let Some(solution) = answer.solution() {
            records.push_solution(solution);
            continue;
        }
        let verdict: Verdict<&Solution> = answer.verdict(grid, LIMIT, None);
        records.push_comment(None, line, &verdict);
    }
}

/// A line for each stage with two columns for each list, and the fields of each list and stage: the
/// median, its share of all stages, and half the distance of the quartiles as a share of the median.
fn summarise(measured: &[(&str, Vec<Times>)]) -> (Table, Vec<Vec<Field>>) {
    let (mut heads, mut rows) = (vec!["stage".to_owned()], Vec::new());
    let mut lines: Vec<_> = STAGES.iter().map(|&stage| vec![stage.to_owned()]).collect();
    for (list, runs) in measured {
        let samples = |stage| runs.iter().map(|run| run[stage]).collect::<Vec<_>>();
        let spreads: Vec<_> = (0..7).filter_map(|stage| Spread::of(&samples(stage))).collect();
        let all: f64 = spreads.iter().take(6).map(|spread| spread.middle).sum();
        heads.extend([(*list).to_owned(), String::new()]);
        for (stage, spread) in spreads.iter().enumerate() {
            let share = (stage < 6).then_some(spread.middle / all);
            let cells = [three_digits(spread.middle), share.map_or_else(String::new, percent)];
            lines[stage].extend(cells);
            rows.push(vec![
                ("list", json!(list)),
                ("stage", json!(STAGES[stage])),
                ("nanoseconds", json!(spread.middle)),
                ("share", json!(share)),
                ("spread", json!(spread.relative())),
                ("runs", json!(runs.len())),
            ]);
        }
    }
    (Table { heads, lines }, rows)
}
