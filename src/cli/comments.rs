//! The end of a line of counts: how many comment lines were skipped.

use indicatif::HumanCount;
use std::fmt;

/// `; 2 comment lines skipped`, or nothing.
pub(super) struct SkippedComments(pub(super) u64);

impl fmt::Display for SkippedComments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            1 => f.write_str("; 1 comment line skipped"),
            comments => write!(f, "; {} comment lines skipped", HumanCount(comments)),
        }
    }
}
