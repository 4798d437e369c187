//! `--resume`: the plan of a resumable run, and the identity that a later run compares.

use super::super::open::target;
use super::super::reading::in_words;
use super::super::standard::{is_standard, stdin_file};
use super::args::SolveArgs;
use ninefold::bulk;
use ninefold::output::{Flush, Left, Mode, Plan};
use ninefold::solve::Checkpoint;
use serde_json::{Value, json};
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::SystemTime;

/// The outputs of a run over this many inputs.
pub(super) fn plan(args: &SolveArgs, inputs: usize) -> Plan<Checkpoint> {
    let mode = match (args.keeping.resume, args.writing.force) {
        (true, _) => Mode::Resume,
        (false, true) => Mode::Replace,
        (false, false) => Mode::New,
    };
    let mut plan = Plan::new(target(args.writing.path()), mode);
    plan.rejects = args.rejects.as_deref().map(|path| target(Some(path)));
    plan.statistics = args.running.stats_json.as_deref().map(|path| target(Some(path)));
    plan.flush = Flush::Every(args.keeping.flush_interval);
    plan.resumable(identity(args), Checkpoint::start(inputs))
}

/// What the user can do after this error. If an input failed, it may have changed.
pub(super) fn hint(left: &Left, error: &bulk::Error) -> Option<String> {
    match (left, error) {
        (Left::Resumable { partial, .. }, bulk::Error::Input(_)) => Some(format!(
            "the records so far are in {}: with --resume a run over the unchanged inputs continues",
            partial.display()
        )),
        _ => left.hint("records"),
    }
}

/// All that the bytes of the outputs depend on, in the words of the user.
pub(super) fn identity(args: &SolveArgs) -> Value {
    let (reading, writing) = (&args.reading, &args.writing);
    let inputs: Value = match &reading.inputs[..] {
        [] => [identity_of_input(Path::new("-"))].into_iter().collect(),
        paths => paths.iter().map(|path| identity_of_input(path)).collect(),
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "inputs": inputs,
        "--lines": reading.lines,
        "--columns": reading.columns.as_ref().map(ToString::to_string),
        "--delimiter": reading.delimiter.map(in_words),
        "--no-header": reading.no_header,
        "--no-output-header": reading.no_output_header,
        "--blank": reading.blank.map(|blank| blank.to_string()),
        "--grid": reading.grid,
        "--format": writing.format(reading).name(),
        "--keep-columns": writing.keep_columns,
        "--only, --except": writing.select().to_string(),
        "--limit": args.limit(),
        "--all, --max": args.all.then_some(args.max),
        "--rejects": args.rejects.is_some(),
        // Each shard has its own, so it is none of the options that all have.
        "FILE of --rejects": args.rejects.as_ref().map(|path| path.to_string_lossy()),
        "--shard": args.shard.map(|shard| shard.to_string()),
        // Which of several solutions is found first.
        "--engine": args.engine.name(),
    })
}

fn identity_of_input(path: &Path) -> Value {
    let about = if is_standard(path) {
        stdin_file().and_then(|file| file.metadata())
    } else {
        fs::metadata(path)
    };
    let about = about.ok().filter(Metadata::is_file);
    let modified = about.as_ref().and_then(|about| about.modified().ok());
    let modified = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    json!({
        "name": path.to_string_lossy(),
        "bytes": about.map(|about| about.len()),
        "modified": modified.map(|time| format!("{}.{:09}", time.as_secs(), time.subsec_nanos())),
    })
}
