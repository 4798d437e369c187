//! `--resume`: the options, and the identity by which a run is recognised.

use super::super::parsers;
use super::super::standard::{is_standard, stdin_file};
use ninefold::bulk;
use ninefold::output::Left;
use serde_json::{Value, json};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How a run can be interrupted and continued.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Execution")]
pub(in crate::cli) struct ResumeArgs {
    /// Continue an interrupted run of the same command
    ///
    /// Requires -o FILE. Starts from the beginning if there is nothing to continue, and does nothing
    /// if FILE is complete.
    #[arg(long, requires = "output", conflicts_with = "force")]
    pub(super) resume: bool,

    /// Write a checkpoint every S seconds
    #[arg(long, value_name = "S", default_value = "1", value_parser = parsers::seconds)]
    pub(super) flush_interval: Duration,
}

/// What the user can do after this error. If an input failed, it may have changed.
pub(super) fn hint(left: &Left, error: &bulk::Error) -> Option<String> {
    match (left, error) {
        (Left::Resumable { files, .. }, bulk::Error::Input(_)) => Some(format!(
            "the records so far are in {files}: with --resume a run over the unchanged inputs continues"
        )),
        _ => left.hint("records"),
    }
}

/// The inputs, as they are now. No names stand for standard input.
pub(super) fn identity_of_inputs(inputs: &[PathBuf]) -> Value {
    match inputs {
        [] => [identity_of_input(Path::new("-"))].into_iter().collect(),
        paths => paths.iter().map(|path| identity_of_input(path)).collect(),
    }
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
