//! Keys of puzzles, each with the first place where it came.
//!
//! ```text
//! key, 128 bits ─┬─ top 32 bits: which of 64 shards
//!                └─ low 64 bits: where in it
//! shard: RwLock<HashTable>   │ 120 bits of the key │ 48 bits: the ordinal of a line │
//! ```
//!
//! Threads enter the keys of their chunks in any order, and the least ordinal wins. So an ordinal is the
//! first if the keys of all chunks before have been entered ([`Earlier`]).
//!
//! # Memory
//! A slot takes 22 bytes: 15 of the key, 6 of the ordinal, and 1 of `hashbrown`. A table of `hashbrown` is
//! doubled when 7/8 of it are taken, so one table would take 25 to 50 bytes a puzzle. The shards have
//! shares of the keys between 1 and 2, so they are not doubled at the same time: together they have 1.52
//! to 1.71 slots a puzzle, which are 33.5 to 37.7 bytes. While a shard grows, it takes at most 3 % more.
//!
//! # Speed
//! Each look-up is a miss of the cache. The keys of a chunk are looked for shard by shard, so that a shard is
//! locked once, and none of them waits for another. Then the new ones are added, whose slots are in the
//! cache by then.

use super::forms::Key;
use crate::run::{InOrder, Turn};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

const SHARDS: u64 = 64;

/// Bytes instead of integers, because those would be aligned: 32 bytes instead of 21.
#[derive(Clone, Copy, Debug)]
struct TableSlot {
    key: [u8; 15],
    ordinal: [u8; 6],
}

/// The bytes of a slot.
pub(super) const SLOT_BYTES: usize = size_of::<TableSlot>();

impl TableSlot {
    fn new(key: Key, ordinal: u64) -> Self {
        assert!(ordinal < 1 << 48, "2^48 lines take longer to read than a machine lives");
        let bytes = ordinal.to_le_bytes();
        Self { key: key.stored(), ordinal: *bytes.first_chunk().expect("8 bytes") }
    }

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

/// All keys that were entered.
#[derive(Debug)]
pub(crate) struct Table {
    shards: Vec<RwLock<HashTable<TableSlot>>>,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| RwLock::new(HashTable::new())).collect() }
    }

    fn shards(&self) -> impl Iterator<Item = RwLockReadGuard<'_, HashTable<TableSlot>>> {
        self.shards.iter().map(|shard| shard.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The number of different keys.
    pub(super) fn len(&self) -> usize {
        self.shards().map(|shard| shard.len()).sum()
    }

    /// The slots of all keys, shard by shard: the number of its slots, then their bytes, in the order of their
    /// ordinals.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len() * SLOT_BYTES + self.shards.len() * 8);
        for shard in self.shards() {
            bytes.extend((shard.len() as u64).to_le_bytes());
            let mut slots: Vec<_> = shard.iter().collect();
            slots.sort_unstable_by_key(|slot| slot.ordinal());
            for TableSlot { key, ordinal } in slots {
                bytes.extend(key.iter().chain(ordinal));
            }
        }
        bytes
    }

    /// The table whose slots these are.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let table = Self::new();
        for shard in &table.shards {
            let (count, rest) = bytes.split_first_chunk()?;
            let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
            let (slots, rest) = rest.split_at_checked(count.checked_mul(SLOT_BYTES)?)?;
            bytes = rest;
            let mut shard = write(shard);
            shard.reserve(count, TableSlot::hash);
            for slot in slots.chunks_exact(SLOT_BYTES) {
                let (key, ordinal) = (*slot.first_chunk()?, *slot.last_chunk()?);
                let slot = TableSlot { key, ordinal };
                shard.insert_unique(slot.hash(), slot, TableSlot::hash);
            }
        }
        bytes.is_empty().then_some(table)
    }

    /// The least ordinal of a key, if it was entered.
    pub(crate) fn find(&self, key: Key) -> Option<u64> {
        let shard = self.shards[key.shard()].read().unwrap_or_else(PoisonError::into_inner);
        find(&shard, key)
    }

    /// Enters keys, each with an ordinal: they increase. Gives for each key the least ordinal so far, if that
    /// is less than its own.
    pub(crate) fn enter(&self, keys: &[(Key, u64)]) -> Vec<Option<u64>> {
        let mut earlier = vec![None; keys.len()];
        self.each_shard(keys, |shard, places| {
            let mut shard = write(shard);
            for &place in places {
                earlier[place] = find(&shard, keys[place].0);
            }
            for &place in places {
                let (key, ordinal) = keys[place];
                if earlier[place].is_some_and(|earlier| earlier < ordinal) {
                    continue;
                }
                let slot = TableSlot::new(key, ordinal);
                let is_same = |other: &TableSlot| other.key == slot.key;
                earlier[place] = match shard.entry(key.hash(), is_same, TableSlot::hash) {
                    Entry::Occupied(mut found) => {
                        let earlier = Some(found.get().ordinal()).filter(|it| *it < ordinal);
                        if earlier.is_none() {
                            *found.get_mut() = slot;
                        }
                        earlier
                    }
                    Entry::Vacant(vacant) => {
                        vacant.insert(slot);
                        None
                    }
                };
            }
        });
        earlier
    }

    /// What [`Self::enter`] gives for keys that were entered, but of all keys that were entered until now.
    fn look(&self, keys: &[(Key, u64)]) -> Vec<Option<u64>> {
        let mut earlier = vec![None; keys.len()];
        self.each_shard(keys, |shard, places| {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            for &place in places {
                earlier[place] = find(&shard, keys[place].0).filter(|it| *it < keys[place].1);
            }
        });
        earlier
    }

    /// Goes over the shards of these keys, each with the places of its keys, which increase.
    fn each_shard(
        &self,
        keys: &[(Key, u64)],
        mut each: impl FnMut(&RwLock<HashTable<TableSlot>>, &[usize]),
    ) {
        let mut places = vec![Vec::new(); self.shards.len()];
        for (place, (key, _)) in keys.iter().enumerate() {
            places[key.shard()].push(place);
        }
        for (shard, places) in self.shards.iter().zip(&places).filter(|(_, it)| !it.is_empty()) {
            each(shard, places);
        }
    }
}

fn write<T>(shard: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    shard.write().unwrap_or_else(PoisonError::into_inner)
}

fn find(shard: &HashTable<TableSlot>, key: Key) -> Option<u64> {
    let stored = key.stored();
    shard.find(key.hash(), |slot| slot.key == stored).map(TableSlot::ordinal)
}

/// The puzzles of a run, of which each is compared with all before.
#[derive(Debug)]
pub(crate) struct Earlier {
    table: Table,
    entered: InOrder<()>,
}

impl Earlier {
    pub(crate) fn new() -> Self {
        Self { table: Table::new(), entered: InOrder::new(()) }
    }

    /// Enters the keys of a chunk, each with the ordinal of its line: they increase. Gives for each key the
    /// ordinal of the first line that has it, unless it is this one.
    pub(crate) fn find(&self, keys: &[(Key, u64)], turn: &Turn<'_>) -> Vec<Option<u64>> {
        let is_next = self.entered.is_next(turn);
        let earlier = self.table.enter(keys);
        self.entered.pass(turn, |()| ());
        if is_next { earlier } else { self.table.look(keys) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Cancel;
    use crate::puzzle::Random;
    use crate::run::Passing;
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    fn key(random: &mut Random) -> Key {
        (0..2).fold(Key(0), |key, _| Key(key.0 << 64 | random.below(usize::MAX) as u128))
    }

    /// Threads enter batches in any order, as chunks of which some take longer.
    #[test]
    fn each_key_is_found_at_its_first_place() {
        let random = &mut Random::new(1);
        let keys: Vec<_> = (0..20_011).map(|_| key(random)).collect();
        let other = key(random);
        let keys: Vec<_> = (0..30_000usize).map(|index| keys[index * index % 20_011]).collect();
        let mut firsts = HashMap::new();
        let first_of: Vec<_> = (1..)
            .zip(&keys)
            .map(|(ordinal, key)| {
                Some(*firsts.entry(*key).or_insert(ordinal)).filter(|it| *it < ordinal)
            })
            .collect();
        let entries: Vec<_> = keys.iter().copied().zip(1..).collect();
        for batch in [1, 7, 3000] {
            let (earlier, next) = (Earlier::new(), AtomicUsize::new(0));
            let passing = Passing::new(&Cancel::default());
            let work = || {
                let mut found = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = entries.chunks(batch).nth(number) else { return found };
                    let turn = passing.turn(number as u64);
                    found.push((number, earlier.find(batch, &turn)));
                    turn.end();
                }
            };
            let mut found = thread::scope(|scope| {
                let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
                threads.into_iter().flat_map(|it| it.join().unwrap()).collect::<Vec<_>>()
            });
            found.sort_by_key(|(number, _)| *number);
            let found: Vec<_> = found.into_iter().flat_map(|(_, found)| found).collect();
            assert!(found == first_of, "batches of {batch}");
            let found = [keys[17], other].map(|key| earlier.table.find(key));
            assert_eq!(found, [Some(firsts[&keys[17]]), None]);
        }
    }

    #[test]
    fn a_key_takes_no_more_bytes_than_stated() {
        let (random, table) = (&mut Random::new(3), Table::new());
        for count in (1..=300).map(|thousands| 1000 * thousands) {
            let keys: Vec<_> = (0..1000).map(|_| key(random)).collect();
            let keys: Vec<_> = keys.into_iter().zip(1..).collect();
            table.enter(&keys);
            let bytes: usize = table.shards().map(|shard| shard.allocation_size()).sum();
            // Shards of random keys are not exactly as full as they should be.
            assert!(count < 20_000 || bytes < count * 377 / 10 * 103 / 100, "{count}");
        }
        assert_eq!(size_of::<TableSlot>(), 21);
    }
}
