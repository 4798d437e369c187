//! Keys of puzzles, each with the place where it was first added.
//!
//! ```text
//! key, 128 bits ─┬─ top 32 bits: which of 64 shards
//!                └─ low 64 bits: where in it
//! shard: HashTable   │ 120 bits of the key │ 48 bits: the line, counted over all inputs │
//! ```
//!
//! # Memory
//! A slot takes 22 bytes: 15 of the key, 6 of the line, and 1 of `hashbrown`. A table of `hashbrown` is
//! doubled when 7/8 of it are taken, so one table would take 25 to 50 bytes a puzzle. The shards have
//! shares of the keys between 1 and 2, so they are not doubled at the same time: together they have 1.52
//! to 1.71 slots a puzzle, which are 33.5 to 37.7 bytes. While a shard grows, it takes at most 3 % more.
//!
//! # Speed
//! Each look-up is a miss of the cache. [`Table::add`] first looks for all keys, none of which waits for
//! another, and then adds the new ones, whose slots are in the cache by then.

use super::forms::Key;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

const SHARDS: u64 = 64;

/// A line of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinePlace {
    /// Which of the inputs, from 0 on.
    pub(crate) input: usize,
    /// The line, counted from 1.
    pub(crate) line: u64,
}

/// Bytes instead of integers, because those would be aligned: 32 bytes instead of 21.
#[derive(Clone, Copy, Debug)]
struct TableSlot {
    key: [u8; 15],
    ordinal: [u8; 6],
}

/// The bytes of a slot.
pub(super) const SLOT_BYTES: usize = size_of::<TableSlot>();

impl TableSlot {
    /// The line counted over all inputs.
    fn ordinal(&self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..6].copy_from_slice(&self.ordinal);
        u64::from_le_bytes(bytes)
    }

    /// The low bits of the key.
    fn hash(&self) -> u64 {
        u64::from_le_bytes(*self.key.first_chunk().expect("15 bytes"))
    }
}

impl Key {
    /// The part of a key that a slot holds.
    fn stored(self) -> [u8; 15] {
        *self.0.to_le_bytes().first_chunk().expect("16 bytes")
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low half")]
    const fn hash(self) -> u64 {
        self.0 as u64
    }

    /// A shard. Those before the shard `i` have `((SHARDS + i)² - SHARDS²) / (3 × SHARDS²)` of all keys.
    #[expect(clippy::cast_possible_truncation, reason = "less than SHARDS")]
    const fn shard(self) -> usize {
        let top = (self.0 >> 96) as u64;
        let square = SHARDS * SHARDS;
        ((square + ((top * 3 * square) >> 32)).isqrt() - SHARDS) as usize
    }
}

/// All keys that were added.
#[derive(Debug)]
pub(crate) struct Table {
    shards: Vec<HashTable<TableSlot>>,
    /// The first place of each input, with its ordinal.
    starts: Vec<(u64, LinePlace)>,
    /// The ordinal after all so far.
    next: u64,
}

impl Table {
    pub(crate) fn new() -> Self {
        let shards = (0..SHARDS).map(|_| HashTable::new()).collect();
        Self { shards, starts: Vec::new(), next: 0 }
    }

    /// A table of one input, counted from line 1 on.
    pub(super) fn of_one_input() -> Self {
        Self { starts: vec![(0, LinePlace { input: 0, line: 1 })], ..Self::new() }
    }

    /// The bytes of the table. They depend on the random keys, so no summary has them.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.shards.iter().map(HashTable::allocation_size).sum()
    }

    /// The number of different keys.
    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(HashTable::len).sum()
    }

    /// The slots of all keys, shard by shard: the number of its slots, then their bytes, in the order of their lines.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len() * SLOT_BYTES + self.shards.len() * 8);
        for shard in &self.shards {
            bytes.extend((shard.len() as u64).to_le_bytes());
            let mut slots: Vec<_> = shard.iter().collect();
            slots.sort_unstable_by_key(|slot| slot.ordinal());
            for TableSlot { key, ordinal } in slots {
                bytes.extend(key.iter().chain(ordinal));
            }
        }
        bytes
    }

    /// The table of one input whose slots these are.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut table = Self::of_one_input();
        for shard in &mut table.shards {
            let (count, rest) = bytes.split_first_chunk()?;
            let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
            let (slots, rest) = rest.split_at_checked(count.checked_mul(SLOT_BYTES)?)?;
            bytes = rest;
            shard.reserve(count, TableSlot::hash);
            for slot in slots.chunks_exact(SLOT_BYTES) {
                let (key, ordinal) = (*slot.first_chunk()?, *slot.last_chunk()?);
                let slot = TableSlot { key, ordinal };
                table.next = table.next.max(slot.ordinal() + 1);
                shard.insert_unique(slot.hash(), slot, TableSlot::hash);
            }
        }
        bytes.is_empty().then_some(table)
    }

    /// The first place of a key, if it was added.
    pub(crate) fn find(&self, key: Key) -> Option<LinePlace> {
        let shard = &self.shards[key.shard()];
        let slot = shard.find(key.hash(), |slot| slot.key == key.stored())?;
        Some(self.place(slot.ordinal()))
    }

    /// Adds keys of these lines of an input, whose earlier lines were added before. Returns for each key
    /// the place where it was added first, unless it is there first.
    pub(crate) fn add(
        &mut self,
        input: usize,
        lines: &[u64],
        keys: &[Key],
    ) -> Vec<Option<LinePlace>> {
        assert_eq!(keys.len(), lines.len(), "a line for each key");
        let (Some(&lowest), Some(highest)) = (lines.iter().min(), lines.iter().max()) else {
            return Vec::new();
        };
        let mut found: Vec<_> = keys.iter().map(|key| self.find(*key)).collect();
        if self.starts.last().is_none_or(|start| start.1.input != input) {
            self.starts.push((self.next, LinePlace { input, line: lowest }));
        }
        let start = self.starts[self.starts.len() - 1];
        let ordinal_of = |line: u64| start.0 + (line - start.1.line);
        self.next = ordinal_of(*highest) + 1;
        assert!(self.next < 1 << 48, "2^48 lines take longer to read than a machine lives");
        for ((key, &line), found) in keys.iter().zip(lines).zip(&mut found) {
            if found.is_some() {
                continue;
            }
            let stored = key.stored();
            let shard = &mut self.shards[key.shard()];
            let earlier = match shard.entry(key.hash(), |slot| slot.key == stored, TableSlot::hash)
            {
                Entry::Occupied(slot) => Some(slot.get().ordinal()),
                Entry::Vacant(slot) => {
                    let bytes = ordinal_of(line).to_le_bytes();
                    let ordinal = *bytes.first_chunk().expect("8 bytes");
                    slot.insert(TableSlot { key: stored, ordinal });
                    None
                }
            };
            *found = earlier.map(|ordinal| self.place(ordinal));
        }
        found
    }

    fn place(&self, ordinal: u64) -> LinePlace {
        let after = self.starts.partition_point(|(first, _)| *first <= ordinal);
        let (first, LinePlace { input, line }) = self.starts[after - 1];
        LinePlace { input, line: line + (ordinal - first) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Random;
    use std::collections::HashMap;

    fn key(random: &mut Random) -> Key {
        (0..2).fold(Key(0), |key, _| Key(key.0 << 64 | random.below(usize::MAX) as u128))
    }

    #[test]
    fn each_key_is_found_at_its_first_place() {
        let random = &mut Random::new(1);
        let keys: Vec<_> = (0..20_011).map(|_| key(random)).collect();
        let other = key(random);
        let keys: Vec<_> = (0..30_000usize).map(|index| keys[index * index % 20_011]).collect();
        for batch in [1, 7, 3000] {
            let (mut table, mut firsts) = (Table::new(), HashMap::new());
            for (number, keys) in keys.chunks(batch).enumerate() {
                // Three inputs. A part of a file begins at any line, and has lines without a puzzle.
                let input = number * batch / 10_000;
                let lines: Vec<_> = (0..keys.len())
                    .map(|at| (1 << 50) + 3 * (number * batch + at) as u64)
                    .collect();
                let found = table.add(input, &lines, keys);
                for ((key, line), found) in keys.iter().zip(lines).zip(found) {
                    let place = LinePlace { input, line };
                    let first = *firsts.entry(*key).or_insert(place);
                    assert_eq!(found, (first != place).then_some(first), "batches of {batch}");
                }
            }
            let found = [keys[17], other].map(|key| table.find(key));
            assert_eq!(found, [Some(firsts[&keys[17]]), None]);
        }
    }

    /// Grids of a chunk come before its sukakus, whatever their lines.
    #[test]
    fn lines_of_a_batch_may_be_in_any_order() {
        let random = &mut Random::new(2);
        let [one, two] = [key(random), key(random)];
        let mut table = Table::new();
        let at = |input, line| Some(LinePlace { input, line });
        let found = table.add(0, &[5, 9, 2, 6], &[one, one, two, two]);
        assert_eq!(found, [None, at(0, 5), None, at(0, 2)]);
        assert_eq!(table.add(0, &[], &[]), []);
        assert_eq!(table.add(2, &[8, 1], &[one, two]), [at(0, 5), at(0, 2)]);
    }

    #[test]
    fn a_key_takes_no_more_bytes_than_stated() {
        let (random, mut table) = (&mut Random::new(3), Table::new());
        for count in (1..=300).map(|thousands| 1000 * thousands) {
            let keys: Vec<_> = (0..1000).map(|_| key(random)).collect();
            table.add(0, &[1; 1000], &keys);
            // Shards of random keys are not exactly as full as they should be.
            assert!(count < 20_000 || table.bytes() < count * 377 / 10 * 103 / 100, "{count}");
        }
        assert_eq!(size_of::<TableSlot>(), 21);
    }
}
