//! Puzzles of a caller that are found again. They can be sent to another process.

use super::table::Table;
use super::{Form, Key, Keys, Same};

/// Puzzles with the places where they came first, 0 for the first one.
///
/// The keys have a fixed secret, so that equal puzzles give equal bytes in every process. An attacker who knows it and
/// can break `SipHash` could make different puzzles with one key.
///
/// ```
/// use ninefold::bank::{Known, Same};
/// use ninefold::puzzle::Puzzle;
///
/// let mut known = Known::new(Same::Isomorphic);
/// let mut keys = known.keys();
/// let mut key = |clue: &str| {
///     let puzzle = format!("{clue}{}", ".".repeat(80));
///     Puzzle::try_from(puzzle.as_str()).map(|puzzle| keys.of(&puzzle, None))
/// };
/// assert_eq!(known.add(&[Some(key("1")?), None, Some(key("2")?)]), [true, false, false]);
/// assert_eq!((known.len(), known.first(key("9")?)), (1, Some(0)));
/// assert_eq!(Known::from_bytes(&known.to_bytes()).unwrap().first(key("9")?), Some(0));
/// # Ok::<(), ninefold::puzzle::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Known {
    form: Form,
    table: Table,
    /// The places so far.
    places: u64,
}

impl Key {
    /// The key as bytes.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The key of these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }
}

impl Known {
    /// No puzzles. Keys of isomorphic puzzles are made of their solutions, if they have one.
    pub fn new(same: Same) -> Self {
        Self { form: Form::of(same, true), table: Table::new(), places: 0 }
    }

    /// Makes keys for these puzzles, and for puzzles that are looked for.
    pub fn keys(&self) -> Keys {
        Keys::under([0; 2], self.form)
    }

    /// Which puzzles count as the same.
    pub const fn same(&self) -> Same {
        self.form.same()
    }

    /// The number of different puzzles.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is no puzzle.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the puzzles of the next places, and tells which are new. `None` is a place without a puzzle.
    pub fn add(&mut self, keys: &[Option<Key>]) -> Vec<bool> {
        let places = (self.places..).zip(keys);
        self.places += keys.len() as u64;
        let present: Vec<_> = places.filter_map(|(place, key)| Some(((*key)?, place))).collect();
        let mut earlier = self.table.enter(&present).into_iter();
        keys.iter().map(|key| key.is_some() && earlier.next() == Some(None)).collect()
    }

    /// The place where a puzzle came first.
    pub fn first(&self, key: Key) -> Option<u64> {
        self.table.find(key)
    }

    /// All of it as bytes: the same for the same puzzles at the same places.
    pub fn to_bytes(&self) -> Vec<u8> {
        let exact = u64::from(self.form == Form::Exact);
        let mut bytes = [exact, self.places].map(u64::to_le_bytes).concat();
        bytes.extend(self.table.to_bytes());
        bytes
    }

    /// What [`Self::to_bytes`] gave; `None` if it did not.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, table) = bytes.split_first_chunk::<16>()?;
        let (words, _) = head.as_chunks::<8>();
        let [exact, places] = *words else { return None };
        let [exact, places] = [exact, places].map(u64::from_le_bytes);
        let form = if exact == 1 { Form::Exact } else { Form::Solution };
        let table = Table::from_bytes(table)?;
        Some(Self { form, table, places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Grid, Puzzle, Random};
    use crate::symmetry::Isomorphism;

    fn grid(clues: usize) -> Grid {
        let line: String = (0..81).map(|cell| if cell < clues { '5' } else { '.' }).collect();
        line.parse().unwrap()
    }

    #[test]
    fn puzzles_are_known_by_their_first_place_also_after_a_journey() {
        let random = &mut Random::new(1);
        for same in [Same::Exact, Same::Isomorphic] {
            let mut known = Known::new(same);
            let mut keys = known.keys();
            for part in [0..40, 40..81] {
                let part: Vec<_> = part
                    .map(|clues| (clues % 3 > 0).then(|| keys.of(&Puzzle::Grid(grid(clues)), None)))
                    .collect();
                let new = known.add(&part);
                assert!(new.iter().zip(&part).all(|(new, key)| *new == key.is_some()));
                assert!(known.add(&[]).is_empty());
            }
            let sent = Known::from_bytes(&known.to_bytes()).unwrap();
            assert_eq!(sent.to_bytes(), known.to_bytes());
            assert_eq!((sent.len(), sent.same(), known.len()), (54, same, 54));
            let mut keys = sent.keys();
            for clues in 0..81 {
                let at = (clues % 3 > 0).then_some(clues as u64);
                let key = keys.of(&Puzzle::Grid(grid(clues)), None);
                assert_eq!((known.first(key), sent.first(key)), (at, at), "{clues}");
                let moved = Isomorphism::random(&mut *random).apply(&grid(clues));
                let key = keys.of(&Puzzle::Grid(moved), None);
                let at = at.filter(|_| same == Same::Isomorphic);
                assert_eq!(sent.first(key), at, "{clues}");
            }
            let bytes = known.to_bytes();
            assert!(Known::from_bytes(&bytes[..bytes.len() - 1]).is_none());
            assert!(Known::from_bytes(&[&bytes[..], &[0]].concat()).is_none());
            assert!(Known::from_bytes(&[]).is_none());
        }
    }
}
