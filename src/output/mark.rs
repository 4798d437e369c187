//! Where an output can be gone on with: how long it is up to a block's end, and what stands behind.
//!
//! ```text
//! records    │ block │ block │ block │ pending
//! file       │ 70 KB │ 69 KB │ 7…               known when the third has been compressed
//!            └────── bytes ──────┘
//! ```

use std::sync::{Arc, OnceLock};

/// What is kept of an output that is gone on with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Bytes of its file.
    pub bytes: u64,
    /// What was written behind them, if it is compressed: it waits for the rest of its block.
    pub pending: Vec<u8>,
}

impl Kept {
    /// Whether nothing has been written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes == 0 && self.pending.is_empty()
    }
}

/// A place in an output to which all has been written, or is about to be.
#[derive(Clone, Debug)]
pub struct Mark {
    pub(super) length: Length,
    pub(super) pending: Vec<u8>,
}

/// The start of an output.
impl Default for Mark {
    fn default() -> Self {
        Self { length: Length::known(0), pending: Vec::new() }
    }
}

impl Mark {
    /// What is to be kept to go on from here: waits until it is in the file. Nothing if the output
    /// has failed before.
    #[must_use]
    pub fn kept(self) -> Option<Kept> {
        let bytes = (*self.length.0.wait())?;
        Some(Kept { bytes, pending: self.pending })
    }
}

/// How long a file is behind a block, as soon as somebody has told it.
#[derive(Clone, Debug)]
pub(super) struct Length(Arc<OnceLock<Option<u64>>>);

impl Length {
    /// It is known.
    pub(super) fn known(bytes: u64) -> Self {
        Self(Arc::new(Some(bytes).into()))
    }

    /// It is not, and who is to tell it.
    pub(super) fn unknown() -> (Self, Teller) {
        let length = Self(Arc::default());
        (length.clone(), Teller(length))
    }
}

/// Tells a length once; if it is dropped before, that it will not be known.
pub(super) struct Teller(Length);

impl Teller {
    pub(super) fn tell(self, bytes: u64) {
        let Self(Length(length)) = &self;
        // Nobody else tells it.
        let _ = length.set(Some(bytes));
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        let Self(Length(length)) = self;
        // It has been told before, unless something failed.
        let _ = length.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_waited_for_until_it_is_told_or_cannot_be() {
        let (length, teller) = Length::unknown();
        let mark = Mark { length, pending: b"rest".to_vec() };
        let waiting = std::thread::spawn(move || mark.kept());
        teller.tell(7);
        let kept = Kept { bytes: 7, pending: b"rest".to_vec() };
        assert_eq!(waiting.join().unwrap(), Some(kept));
        let (length, teller) = Length::unknown();
        drop(teller);
        assert_eq!(Mark { length, pending: Vec::new() }.kept(), None);
        let length = Length::known(0);
        assert!(Mark { length, pending: Vec::new() }.kept().unwrap().is_empty());
    }
}
