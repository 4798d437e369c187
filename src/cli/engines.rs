//! `ninefold engines`: lists the engines and how each works.

use super::exit::{Error, print};
use crate::engine::EngineKind;
use std::fmt::Write;
use std::process::ExitCode;

/// Lists the engines on standard output.
pub(super) fn run() -> Result<ExitCode, Error> {
    let width = EngineKind::ALL.iter().map(|kind| kind.name().len()).max().unwrap_or(0);
    let mut list = String::new();
    for &kind in EngineKind::ALL {
        let default = if kind == EngineKind::default() { " (the default)" } else { "" };
        writeln!(list, "{kind:width$}  {}{default}", kind.summary())
            .expect("a string takes all that is written to it");
    }
    print(list.as_bytes())
}
