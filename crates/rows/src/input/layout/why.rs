//! Why an input is read as it is, or refused.

use super::shape::Layout;
use crate::Grouped;
use std::fmt::{self, Display};
use std::sync::Arc;

/// The reasons of a decision, written down while it is made.
#[derive(Clone, Debug, Default)]
pub(in crate::input) struct Why {
    lines: Vec<String>,
    /// What the fields hold, and the rules that decided.
    pub(super) fields: Vec<String>,
}

impl Why {
    /// A reading of a line, or of the input if that is 0, and why it was taken or not.
    pub(in crate::input) fn say(&mut self, line: u64, what: &str, is_so: bool, why: impl Display) {
        let place = if line == 0 { "input".to_owned() } else { format!("line {line}") };
        let verdict = if is_so { "accepted" } else { "rejected" };
        self.lines.push(format!("{place}: {what}: {verdict}: {why}"));
    }
}

/// How the layout of an input was decided: every reading that was considered, and the decision.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(in crate::input) name: Arc<str>,
    pub(in crate::input) why: Why,
    /// The layout that was found, or why the input is refused.
    pub layout: Result<Arc<Layout>, String>,
}

impl fmt::Display for Explanation {
    /// The name of the input, a line for each reason, and the decision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, why, layout } = self;
        writeln!(f, "{name}")?;
        why.lines.iter().chain(&why.fields).try_for_each(|line| writeln!(f, "  {line}"))?;
        // The reason of a refusal is the caller's error.
        let decision = layout.as_ref().map(|layout| layout.understood(name));
        writeln!(f, "  decision: {}", decision.as_deref().unwrap_or("refused"))
    }
}

/// A number of things of one kind: `1 record`, `2,000 records`.
pub(super) fn counted(count: u64, kind: &str) -> String {
    format!("{} {kind}{}", Grouped(count), if count == 1 { "" } else { "s" })
}

/// A decision: how an input is read, or why it is refused: no puzzle was found, or two readings are possible.
pub(in crate::input) type Decided<T> = Result<T, String>;
