//! Counts of statuses as an object with a key for each status: `#[serde(with = "status_names")]`.

use crate::{Status, StatusCounts};
use serde::{Deserialize, Deserializer, Serializer};
use std::collections::BTreeMap;

/// Writes the counts by the names of the statuses.
pub(crate) fn serialize<S: Serializer>(counts: &StatusCounts, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.iter().map(|(status, count)| (status.name(), count)))
}

/// Reads them; a missing count is an error.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StatusCounts, D::Error> {
    let names = BTreeMap::<String, u64>::deserialize(from)?;
    let mut counts = StatusCounts::default();
    for &status in Status::ALL {
        let count = names.get(status.name());
        counts[status] = *count.ok_or_else(|| serde::de::Error::missing_field(status.name()))?;
    }
    Ok(counts)
}
