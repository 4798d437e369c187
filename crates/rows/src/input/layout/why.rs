//! Why an input is read as it is, or refused.

use super::shape::Layout;
use std::fmt;
use std::sync::Arc;

/// The reasons of a decision, written down while it is made.
#[derive(Clone, Debug, Default)]
pub(in crate::input) struct Why(Vec<String>);

impl Why {
    pub(in crate::input) fn say(&mut self, line: impl Into<String>) {
        self.0.push(line.into());
    }
}

/// How the layout of an input was decided: the fields in each form, and the decision.
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
        why.0.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        // The reason of a refusal is the caller's error.
        let decision = layout.as_ref().map(|layout| layout.understood(name));
        writeln!(f, "  decision: {}", decision.as_deref().unwrap_or("refused"))
    }
}

/// A decision: how an input is read, or why it is refused: no puzzle was found, or two readings are possible.
pub(in crate::input) type Decided<T> = Result<T, String>;
