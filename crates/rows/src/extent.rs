//! Bytes of an input or an output, by which a later run recognises them.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

/// Some bytes: how many they are, and their hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// How many.
    pub bytes: u64,
    /// Their XXH3.
    pub xxh3: u64,
}

impl Default for Extent {
    /// No bytes.
    fn default() -> Self {
        Self::of(&[])
    }
}

impl Extent {
    /// These bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, xxh3: XxHash3_64::oneshot(bytes) }
    }
}
