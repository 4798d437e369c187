//! What a run counts. A command declares its counts; sums, checkpoints, statistics and merging are made of
//! the declaration.
//!
//! ```text
//! declared    statuses::<Status>()      each::<Fact>()       of::<Er>("er", ["1.2", …, "9.4"])
//! counted     [   7         1     ]     [      2      ]      [  0     …    3   ]
//! found       counts[Status::Unique]    counts[Fact::Few]    counts[Er(94)]
//! statistics  "unique": 7, "none": 1,   "few": 2,            "er": {"9.4": 3}
//! ```

use crate::input::Reason;
use crate::names::Named;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut, Range};
use std::sync::{Arc, LazyLock};

/// Something that is counted: a status, a number of clues.
pub trait Countable: Copy + 'static {
    /// Its place among those of its type.
    fn place(self) -> usize;
}

impl<T: Named> Countable for T {
    fn place(self) -> usize {
        Named::place(self)
    }
}

/// A number of clues.
#[derive(Clone, Copy, Debug)]
pub struct Clues(pub usize);

impl Countable for Clues {
    fn place(self) -> usize {
        self.0
    }
}

/// The declared counts of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    of: TypeId,
    keys: Vec<Key>,
    /// Whether their sum is the number of puzzles.
    are_statuses: bool,
    /// Whether they are also counted in buckets of puzzles.
    are_in_buckets: bool,
    /// Their places in all counts of the command.
    places: Range<usize>,
}

/// Where statistics have a number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
struct Key {
    /// The object that has it, if that is not the whole.
    group: Option<&'static str>,
    name: String,
    /// Whether it is left out if it is zero.
    hides_zero: bool,
    /// Whether a line of all counts has it.
    is_listed: bool,
    /// Whether statistics may lack it.
    is_optional: bool,
    /// Whether two counts are merged by their maximum, and not by their sum.
    is_most: bool,
}

impl Count {
    /// Several numbers, as an object under one name, without zeros.
    pub(crate) fn of<T: Countable>(
        group: &'static str,
        names: impl IntoIterator<Item = impl ToString>,
    ) -> Self {
        let key = |name: String| Key { hides_zero: true, ..Key::new(Some(group), name) };
        Self::new::<T>(names.into_iter().map(|name| key(name.to_string())).collect())
    }

    /// Several numbers, each under a name of its own: `group.name` is in an object.
    pub(crate) fn each<T: Named>() -> Self {
        let key = |it: &T| match it.name().split_once('.') {
            Some((group, name)) => Key::new(Some(group), name.to_owned()),
            None => Key::new(None, it.name().to_owned()),
        };
        Self::new::<T>(T::ALL.iter().map(key).collect())
    }

    fn new<T: 'static>(keys: Vec<Key>) -> Self {
        let of = TypeId::of::<T>();
        Self { of, keys, are_statuses: false, are_in_buckets: false, places: 0..0 }
    }

    /// As [`each`](Self::each), and each puzzle has exactly one of them. The first is that of an answered
    /// puzzle.
    pub(crate) fn statuses<T: Named>() -> Self {
        Self { are_statuses: true, ..Self::each::<T>().listed(T::ALL) }
    }

    /// These are also counted in buckets, by [`Counts::bucket`].
    pub(crate) fn in_buckets(self) -> Self {
        Self { are_in_buckets: true, ..self }
    }

    /// A line of all counts has these.
    pub(crate) fn listed<T: Named>(self, which: &[T]) -> Self {
        self.with(which, |key| key.is_listed = true)
    }

    /// Statistics may lack these: a run cannot have any.
    pub(crate) fn optional<T: Named>(self, which: &[T]) -> Self {
        self.with(which, |key| key.is_optional = true)
    }

    /// These are maxima.
    pub(crate) fn most<T: Named>(self, which: &[T]) -> Self {
        self.with(which, |key| key.is_most = true)
    }

    fn with<T: Named>(mut self, which: &[T], change: impl Fn(&mut Key)) -> Self {
        for it in which {
            change(&mut self.keys[Countable::place(*it)]);
        }
        self
    }
}

impl Key {
    fn new(group: Option<&'static str>, name: String) -> Self {
        // Without a bound no puzzle is unknown, and statistics leave the key out.
        let is_optional = group.is_some() || name == "unknown";
        Self { group, name, hides_zero: false, is_listed: false, is_optional, is_most: false }
    }

    /// Reads the number from an object of statistics.
    fn read(&self, object: &Value) -> Result<u64, String> {
        let of = self.group.map_or(object, |group| &object[group]);
        match of.get(&self.name) {
            // The command was not asked for it.
            Some(Value::Null) => Ok(0),
            None if self.is_optional => Ok(0),
            value => {
                let number = value.and_then(Value::as_u64);
                number.ok_or_else(|| format!("no count is called {}", self.name))
            }
        }
    }
}

/// The counts of an input, or of a part of it. Those of a command are found by what they count:
/// `counts[Status::Unique]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Lines that should be a puzzle.
    pub puzzles: u64,
    /// Comment lines.
    pub comments: u64,
    /// Other lines between grids of nine lines, without empty ones: most are titles.
    pub between_grids: u64,
    /// Puzzles without blanks. Among others they may be answers.
    pub full_grids: u64,
    /// Malformed lines, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
    /// The command's own, in the order of their declaration.
    own: Vec<u64>,
    /// Those that are counted in buckets, by the name of the bucket.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    buckets: BTreeMap<String, Vec<u64>>,
    #[serde(skip)]
    declared: Arc<Vec<Count>>,
}

impl<T: Countable> Index<T> for Counts {
    type Output = u64;

    fn index(&self, it: T) -> &u64 {
        &self.all::<T>()[it.place()]
    }
}

impl<T: Countable> IndexMut<T> for Counts {
    fn index_mut(&mut self, it: T) -> &mut u64 {
        &mut self.all_mut::<T>()[it.place()]
    }
}

/// The keys of what every command counts, in the order of [`Counts::numbers`].
static COMMON: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let names = ["bytes", "lines", "puzzles", "comments", "between_grids", "full_grids"];
    let reasons = Count::of::<Clues>("reasons", Reason::ALL.iter().map(|it| it.summary())).keys;
    names.map(|name| Key::new(None, name.to_owned())).into_iter().chain(reasons).collect()
});

/// The keys of what every command counts, then of these.
fn keys(declared: &[Count]) -> impl Iterator<Item = &Key> {
    COMMON.iter().chain(declared.iter().flat_map(|count| &count.keys))
}

impl Counts {
    /// Nothing was counted of these.
    pub fn new(mut declared: Vec<Count>) -> Self {
        let mut end = 0;
        for count in &mut declared {
            count.places = end..end + count.keys.len();
            end = count.places.end;
        }
        Self { own: vec![0; end], declared: Arc::new(declared), ..Self::default() }
    }

    /// The same declaration, and nothing counted.
    pub(crate) fn zero(&self) -> Self {
        let (own, declared) = (vec![0; self.own.len()], Arc::clone(&self.declared));
        Self { own, declared, ..Self::default() }
    }

    /// Replaces all by the zeros of this declaration.
    pub(super) fn restart(&mut self, of: &Self) {
        // Nothing is allocated for a chunk, so no default is made: it has an `Arc`.
        self.own.resize(of.own.len(), 0);
        self.declared.clone_from(&of.declared);
        self.numbers_mut().for_each(|number| *number = 0);
        self.buckets.clear();
    }

    /// The counts of a bucket, in the order of their type.
    ///
    /// # Panics
    /// If the command does not declare counts in buckets.
    pub(crate) fn bucket(&mut self, name: &str) -> &mut [u64] {
        if !self.buckets.contains_key(name) {
            let keys = self.bucket_keys().expect("the command declares counts in buckets").len();
            self.buckets.insert(name.to_owned(), vec![0; keys]);
        }
        self.buckets.get_mut(name).expect("it is there now")
    }

    /// All buckets.
    pub(crate) const fn buckets(&self) -> &BTreeMap<String, Vec<u64>> {
        &self.buckets
    }

    /// What is counted in each bucket.
    fn bucket_keys(&self) -> Option<&[Key]> {
        self.declared.iter().find(|it| it.are_in_buckets).map(|it| &*it.keys)
    }

    /// The places of the counts of a type.
    fn places<T: Countable>(&self) -> Range<usize> {
        let found = self.declared.iter().find(|it| it.of == TypeId::of::<T>());
        found.expect("the command declares what it counts").places.clone()
    }

    /// All counts of a type, in their order.
    ///
    /// # Panics
    /// If the command does not declare them.
    pub fn all<T: Countable>(&self) -> &[u64] {
        &self.own[self.places::<T>()]
    }

    /// All counts of a type, in their order.
    ///
    /// # Panics
    /// If the command does not declare them.
    pub(crate) fn all_mut<T: Countable>(&mut self) -> &mut [u64] {
        let places = self.places::<T>();
        &mut self.own[places]
    }

    /// The puzzles with the first status: those that are answered.
    pub fn answered(&self) -> u64 {
        let statuses = self.declared.iter().find(|count| count.are_statuses);
        statuses.map_or(0, |count| self.own[count.places.start])
    }

    /// The counts that a line of all counts has, with their names.
    pub fn listed(&self) -> impl Iterator<Item = (&str, u64)> {
        let keys = self.declared.iter().flat_map(|count| &count.keys).zip(&self.own);
        keys.filter(|(key, _)| key.is_listed).map(|(key, number)| (&*key.name, *number))
    }

    /// All numbers, in the order of their [`keys`].
    fn numbers(&self) -> impl Iterator<Item = u64> {
        let Self { bytes, lines, puzzles, comments, between_grids, full_grids, .. } = *self;
        let common = [bytes, lines, puzzles, comments, between_grids, full_grids];
        common.into_iter().chain(self.reasons).chain(self.own.iter().copied())
    }

    /// All numbers, in the same order.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let Self { bytes, lines, puzzles, comments, between_grids, full_grids, .. } = self;
        let common = [bytes, lines, puzzles, comments, between_grids, full_grids];
        common.into_iter().chain(&mut self.reasons).chain(&mut self.own)
    }

    /// Adds counts. `None` if a sum is too large.
    pub(crate) fn add(&mut self, more: &Self) -> Option<()> {
        // Counts from a checkpoint have no declaration.
        let declared = Arc::clone(&self.declared);
        let numbers = self.numbers_mut().zip(more.numbers());
        for ((sum, more), key) in numbers.zip(keys(&declared)) {
            *sum = if key.is_most { more.max(*sum) } else { sum.checked_add(more)? };
        }
        for (name, more) in &more.buckets {
            for (sum, more) in self.bucket(name).iter_mut().zip(more) {
                *sum = sum.checked_add(*more)?;
            }
        }
        Some(())
    }

    /// Writes counts into an object of statistics.
    pub fn describe(&self, object: &mut Value) {
        for (Key { group, name, hides_zero, .. }, number) in
            keys(&self.declared).zip(self.numbers())
        {
            let of = if let Some(group) = group { &mut object[group] } else { &mut *object };
            if of.is_null() {
                *of = json!({});
            }
            if number > 0 || !hides_zero {
                of[name] = number.into();
            }
        }
        for (bucket, numbers) in &self.buckets {
            for (key, number) in self.bucket_keys().into_iter().flatten().zip(numbers) {
                object[BUCKETS][bucket][&key.name] = json!(number);
            }
        }
    }

    /// Reads counts of this declaration from an object of statistics.
    ///
    /// # Errors
    /// The key that is missing, or that no count has; or statuses that are not those of all puzzles.
    pub fn read(&self, object: &Value) -> Result<Self, String> {
        let mut counts = self.zero();
        for (key, number) in keys(&self.declared).zip(counts.numbers_mut()) {
            *number = key.read(object)?;
        }
        // Zeros are left out, so a name that is wrong would not be missed.
        for Key { group, .. } in keys(&self.declared).filter(|key| key.hides_zero) {
            let group = group.unwrap_or_default();
            let is_strange = |name: &&String| {
                keys(&self.declared).all(|key| key.group != Some(group) || key.name != **name)
            };
            let mut names = object[group].as_object().into_iter().flat_map(Map::keys);
            if let Some(name) = names.find(is_strange) {
                return Err(format!("{group}: no count is called {name}"));
            }
        }
        if let Some(statuses) = self.declared.iter().find(|it| it.are_statuses) {
            let (puzzles, statuses) = (counts.puzzles, &counts.own[statuses.places.clone()]);
            let sum: u128 = statuses.iter().map(|&it| u128::from(it)).sum();
            if sum != u128::from(puzzles) {
                return Err(format!("{puzzles} puzzles, and {sum} of all statuses together"));
            }
        }
        let keys = self.bucket_keys().unwrap_or_default();
        for (bucket, of) in object[BUCKETS].as_object().into_iter().flatten() {
            for (key, number) in keys.iter().zip(counts.bucket(bucket)) {
                *number = of[&key.name].as_u64().ok_or_else(|| format!("{BUCKETS}: {bucket}"))?;
            }
        }
        Ok(counts)
    }
}

/// The key of the buckets in statistics.
const BUCKETS: &str = "by";

#[cfg(test)]
mod tests {
    use super::*;

    ninefold_core::named_enum! {
        /// The status of a puzzle.
        pub enum One, "status" {
            Unique = "unique", "";
            Without = "none", "";
        }
    }

    ninefold_core::named_enum! {
        /// Other counts.
        pub enum Other, "count" {
            Right = "answers.right", "";
            Highest = "highest", "";
        }
    }

    #[test]
    fn counts_are_added_and_survive_statistics() {
        let mut one = Counts::new(vec![
            Count::statuses::<One>(),
            Count::each::<Other>().most(&[Other::Highest]),
            Count::of::<Clues>("clues", [0, 1]),
        ]);
        (one.bytes, one.lines, one.puzzles) = (82, 1, 1);
        (one[One::Unique], one[Other::Right], one[Other::Highest]) = (1, 1, 7);
        one[Clues(1)] += 1;
        one.reasons[Reason::Length as usize] = 3;
        assert_eq!((one.all::<Clues>(), one.all::<One>()), (&[0, 1][..], &[1, 0][..]));
        let mut sum = one.zero();
        assert!(sum.add(&one).is_some() && sum.add(&one).is_some());
        assert_eq!((sum.bytes, sum[One::Unique], sum[Other::Highest]), (164, 2, 7));
        let read: Counts = serde_json::from_value(json!(one)).unwrap();
        let mut again = one.zero();
        assert_eq!((again.add(&read), &again), (Some(()), &one), "from a checkpoint");
        let mut object = json!({});
        sum.describe(&mut object);
        let expected = json!({"bytes": 164, "lines": 2, "puzzles": 2, "comments": 0,
            "between_grids": 0, "full_grids": 0, "unique": 2,
            "none": 0, "answers": {"right": 2}, "highest": 7, "clues": {"1": 2},
            "reasons": {"not 81 cells": 6}});
        assert_eq!(object, expected);
        assert_eq!(one.read(&object), Ok(sum.clone()));
        assert_eq!(sum.listed().collect::<Vec<_>>(), [("unique", 2), ("none", 0)]);
        object["clues"]["9"] = json!(1);
        assert_eq!(one.read(&object), Err("clues: no count is called 9".to_owned()));
        object["clues"] = json!({});
        object["none"] = json!(1);
        let why = "2 puzzles, and 3 of all statuses together";
        assert_eq!(one.read(&object), Err(why.to_owned()));
        object.as_object_mut().unwrap().remove("none");
        assert_eq!(one.read(&object), Err("no count is called none".to_owned()));
        one.bytes = u64::MAX;
        assert_eq!(sum.add(&one), None);
    }
}
