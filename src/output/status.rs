//! Sets of statuses: which records are written.

use crate::Status;
use crate::names::NameSet;

/// Some of the statuses.
pub type StatusSet = NameSet<Status>;
