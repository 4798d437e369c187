//! The place in an output from which a later run can continue: the length up to the end of a block,
//! and the bytes after it.
//!
//! ```text
//! records    │ block │ block │ block │ pending
//! file       │ 70 KB │ 69 KB │ 7…               known when the third is compressed
//!            └────── bytes ──────┘
//! ```

use super::extent::Extent;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// What a later run keeps of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The bytes of its file.
    pub(super) file: Extent,
    /// Records after them that wait for the rest of their block, if the output is compressed.
    #[serde(with = "as_text")]
    pub(super) pending: Vec<u8>,
}

/// Bytes as JSON text. They may be no UTF-8, so each byte is the character of its number.
mod as_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ptr_arg, reason = "the type of the field")]
    pub(super) fn serialize<S: Serializer>(bytes: &Vec<u8>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&bytes.iter().map(|&byte| char::from(byte)).collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let bytes = String::deserialize(from)?.chars().map(u8::try_from).collect();
        Result::<_, _>::map_err(bytes, D::Error::custom)
    }
}

impl Kept {
    /// Whether nothing has been written.
    pub(super) const fn is_empty(&self) -> bool {
        self.file.bytes == 0 && self.pending.is_empty()
    }
}

/// A place in an output to which everything has been written, or is about to be.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) length: Length,
    pub(super) pending: Vec<u8>,
}

impl Mark {
    /// What a later run needs to continue from here. Waits until the bytes are in the file. Nothing
    /// if the output has failed.
    pub(super) fn kept(self) -> Option<Kept> {
        let file = (*self.length.0.wait())?;
        Some(Kept { file, pending: self.pending })
    }
}

/// The bytes of a file up to the end of a block, once they are known.
#[derive(Clone, Debug)]
pub(super) struct Length(Arc<OnceLock<Option<Extent>>>);

impl Length {
    /// A known length.
    pub(super) fn known(file: Extent) -> Self {
        Self(Arc::new(Some(file).into()))
    }

    /// A length that is not known yet, and the end that sets it.
    pub(super) fn unknown() -> (Self, Teller) {
        let length = Self(Arc::default());
        (length.clone(), Teller(length))
    }
}

/// Sets a length once. If it is dropped before, the length stays unknown.
pub(super) struct Teller(Length);

impl Teller {
    pub(super) fn tell(self, file: Extent) {
        let Self(Length(length)) = &self;
        // It is set here alone.
        let _ = length.set(Some(file));
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        let Self(Length(length)) = self;
        // It has been set before, unless something failed.
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
        let file = Extent { bytes: 7, xxh3: 17 };
        teller.tell(file);
        let kept = Kept { file, pending: b"rest".to_vec() };
        assert_eq!(waiting.join().unwrap(), Some(kept));
        let (length, teller) = Length::unknown();
        drop(teller);
        assert_eq!(Mark { length, pending: Vec::new() }.kept(), None);
        let length = Length::known(Extent::default());
        assert!(Mark { length, pending: Vec::new() }.kept().unwrap().is_empty());
    }
}
