//! `ninefold engines`: lists the engines and how each works.

use super::exit::{Error, print};
use crate::engine::EngineKind;
use std::process::ExitCode;

/// Lists the engines on standard output.
pub(super) fn run() -> Result<ExitCode, Error> {
    let width = EngineKind::ALL.iter().map(|kind| kind.name().len()).max().unwrap_or(0);
    let mut list = String::new();
    for &kind in EngineKind::ALL {
        let default = if kind == EngineKind::default() { " (the default)" } else { "" };
        list += &format!("{kind:width$}  {}{default}\n", kind.summary());
    }
    print(list.as_bytes())
}
