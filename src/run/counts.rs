//! What a run counts. A command declares its counts; sums, checkpoints, statistics and merging are made of
//! the declaration.
//!
//! ```text
//! declared    statuses::<Status>()      each::<Fact>()       of::<Er>("er", ["1.2", …, "9.4"])
//! counted     [   7         1     ]     [      2      ]      [  0     …    3   ]
//! found       counts[Status::Unique]    counts[Fact::Few]    counts[Er(94)]
//! statistics  "unique": 7, "none": 1,   "few": 2,            "er": {"9.4": 3}
//! ```

use crate::input::{Contradictions, Reason};
use crate::names::Named;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::TypeId;
use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

/// Something that is counted: a status, a number of clues.
pub trait Countable: Copy + 'static {
    /// Its place among those of its type.
    fn place(self) -> usize;
}

impl<T: Named> Countable for T {
    #[inline]
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
    /// The key of an object that has them all, without zeros. If there is none, each has a key of its own.
    name: Option<&'static str>,
    /// The key of each in statistics, with `.` between the keys of nested objects.
    keys: Vec<Key>,
    /// Whether their sum is the number of puzzles.
    are_statuses: bool,
    /// Their places in all counts of the command.
    places: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    name: String,
    /// Whether a line of all counts has it.
    is_listed: bool,
    /// Whether statistics may lack it.
    is_optional: bool,
    /// Whether two counts are merged by their maximum, and not by their sum.
    is_most: bool,
}

impl Count {
    /// Several numbers, as an object under one name.
    pub(crate) fn of<T: Countable>(
        name: &'static str,
        keys: impl IntoIterator<Item = impl ToString>,
    ) -> Self {
        let key = |name: String| Key { name, is_listed: false, is_optional: false, is_most: false };
        let keys = keys.into_iter().map(|name| key(name.to_string())).collect();
        Self { of: TypeId::of::<T>(), name: Some(name), keys, are_statuses: false, places: 0..0 }
    }

    /// Several numbers, each under a name of its own.
    pub(crate) fn each<T: Named>() -> Self {
        Self { name: None, ..Self::of::<T>("", T::ALL.iter().map(|it| it.name())) }
    }

    /// As [`each`](Self::each), and each puzzle has exactly one of them. The first is that of an answered
    /// puzzle.
    pub(crate) fn statuses<T: Named>() -> Self {
        Self { are_statuses: true, ..Self::each::<T>().listed(T::ALL) }
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
    /// Rows that contradict the layout of their input.
    pub contradictions: Contradictions,
    /// Malformed lines, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
    /// The command's own, in the order of their declaration.
    own: Vec<u64>,
    #[serde(skip)]
    declared: Arc<Vec<Count>>,
}

impl<T: Countable> Index<T> for Counts {
    type Output = u64;

    #[inline]
    fn index(&self, it: T) -> &u64 {
        &self.all::<T>()[it.place()]
    }
}

impl<T: Countable> IndexMut<T> for Counts {
    #[inline]
    fn index_mut(&mut self, it: T) -> &mut u64 {
        &mut self.all_mut::<T>()[it.place()]
    }
}

/// The object of contradictions in statistics, and its keys.
const CONTRADICTIONS: (&str, [&str; 3]) = ("contradictions", ["solved", "widths", "elsewhere"]);

/// The object of reasons in statistics, and its keys.
fn reasons() -> (&'static str, [&'static str; Reason::ALL.len()]) {
    ("reasons", std::array::from_fn(|place| Reason::ALL[place].summary()))
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
        self.own.clear();
        self.own.resize(of.own.len(), 0);
        self.declared.clone_from(&of.declared);
        (self.bytes, self.lines, self.puzzles, self.comments) = (0, 0, 0, 0);
        (self.contradictions, self.reasons) = (Contradictions::default(), [0; Reason::ALL.len()]);
    }

    /// The places of the counts of a type.
    #[inline]
    fn places<T: Countable>(&self) -> Range<usize> {
        let found = self.declared.iter().find(|it| it.of == TypeId::of::<T>());
        found.expect("the command declares what it counts").places.clone()
    }

    /// All counts of a type, in their order.
    ///
    /// # Panics
    /// If the command does not declare them.
    #[inline]
    pub fn all<T: Countable>(&self) -> &[u64] {
        &self.own[self.places::<T>()]
    }

    /// All counts of a type, in their order.
    ///
    /// # Panics
    /// If the command does not declare them.
    #[inline]
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

    /// Adds counts. `None` if a sum is too large.
    pub(crate) fn add(&mut self, more: &Self) -> Option<()> {
        let Contradictions { solved, widths, elsewhere } = &mut self.contradictions;
        let Self { bytes, lines, puzzles, comments, .. } = self;
        let all = more.contradictions;
        let sums = [bytes, lines, puzzles, comments, solved, widths, elsewhere].into_iter();
        let others = [more.bytes, more.lines, more.puzzles, more.comments];
        let others = others.into_iter().chain([all.solved, all.widths, all.elsewhere]);
        for (sum, more) in sums.zip(others).chain(self.reasons.iter_mut().zip(more.reasons)) {
            *sum = sum.checked_add(more)?;
        }
        let keys = self.declared.iter().flat_map(|count| &count.keys);
        for ((sum, more), key) in self.own.iter_mut().zip(&more.own).zip(keys) {
            if key.is_most {
                *sum = (*sum).max(*more);
            } else {
                *sum = sum.checked_add(*more)?;
            }
        }
        Some(())
    }

    /// Writes counts into an object of statistics.
    pub fn describe(&self, object: &mut Value) {
        object["bytes"] = self.bytes.into();
        object["lines"] = self.lines.into();
        object["puzzles"] = self.puzzles.into();
        object["comments"] = self.comments.into();
        let Contradictions { solved, widths, elsewhere } = self.contradictions;
        let (name, keys) = CONTRADICTIONS;
        object[name] = without_zeros(keys.into_iter().zip([solved, widths, elsewhere]));
        let (name, keys) = reasons();
        object[name] = without_zeros(keys.into_iter().zip(self.reasons));
        for count in &*self.declared {
            let names = count.keys.iter().map(|key| &*key.name);
            let numbers = names.zip(self.own[count.places.clone()].iter().copied());
            if let Some(name) = count.name {
                object[name] = without_zeros(numbers);
                continue;
            }
            for (name, number) in numbers {
                let place = name.split('.').fold(&mut *object, |object, key| &mut object[key]);
                *place = number.into();
            }
        }
    }

    /// Reads counts of this declaration from an object of statistics.
    ///
    /// # Errors
    /// The key that is missing, or that no count has; or statuses that are not those of all puzzles.
    pub fn read(&self, object: &Value) -> Result<Self, String> {
        let number =
            |key: &str| object[key].as_u64().ok_or_else(|| format!("no count is called {key}"));
        let mut counts = self.zero();
        counts.own.clear();
        counts.bytes = number("bytes")?;
        counts.lines = number("lines")?;
        counts.puzzles = number("puzzles")?;
        counts.comments = number("comments")?;
        let (name, keys) = CONTRADICTIONS;
        let [solved, widths, elsewhere] = read_object(object, name, keys)?;
        counts.contradictions = Contradictions { solved, widths, elsewhere };
        let (name, keys) = reasons();
        counts.reasons = read_object(object, name, keys)?;
        for count in &*self.declared {
            if let Some(name) = count.name {
                let keys: Vec<_> = count.keys.iter().map(|key| &*key.name).collect();
                check_keys(object, name, &keys)?;
                counts.own.extend(keys.iter().map(|key| object[name][key].as_u64().unwrap_or(0)));
                continue;
            }
            for Key { name, is_optional, .. } in &count.keys {
                let mut value = Some(object);
                for key in name.split('.') {
                    value = value.and_then(|value| value.get(key));
                }
                // A count that the command was not asked for is null. One that is missing is an error.
                let may_lack = *is_optional || name.contains('.');
                counts.own.push(match value {
                    Some(Value::Null) => 0,
                    None if may_lack => 0,
                    value => {
                        let number = value.and_then(Value::as_u64);
                        number.ok_or_else(|| format!("no count is called {name}"))?
                    }
                });
            }
            let sum: u128 = counts.own[count.places.clone()].iter().map(|&it| u128::from(it)).sum();
            if count.are_statuses && sum != u128::from(counts.puzzles) {
                let puzzles = counts.puzzles;
                return Err(format!("{puzzles} puzzles, and {sum} of all statuses together"));
            }
        }
        Ok(counts)
    }
}

fn without_zeros<'a>(numbers: impl Iterator<Item = (&'a str, u64)>) -> Value {
    let counted = numbers.filter(|(_, number)| *number > 0);
    Value::Object(counted.map(|(key, number)| (key.to_owned(), number.into())).collect())
}

/// Fails if an object has other keys.
fn check_keys(object: &Value, name: &str, keys: &[&str]) -> Result<(), String> {
    let mut found = object[name].as_object().into_iter().flatten();
    let strange = found.find(|(key, _)| !keys.contains(&key.as_str()));
    strange.map_or(Ok(()), |(key, _)| Err(format!("{name}: no count is called {key}")))
}

fn read_object<const N: usize>(
    object: &Value,
    name: &str,
    keys: [&str; N],
) -> Result<[u64; N], String> {
    check_keys(object, name, &keys)?;
    Ok(keys.map(|key| object[name][key].as_u64().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        one.contradictions.widths = 1;
        one.reasons[Reason::Length as usize] = 3;
        assert_eq!((one.all::<Clues>(), one.all::<One>()), (&[0, 1][..], &[1, 0][..]));
        let mut sum = one.zero();
        assert!(sum.add(&one).is_some() && sum.add(&one).is_some());
        assert_eq!((sum.bytes, sum[One::Unique], sum[Other::Highest]), (164, 2, 7));
        let mut object = json!({});
        sum.describe(&mut object);
        let expected = json!({"bytes": 164, "lines": 2, "puzzles": 2, "comments": 0, "unique": 2,
            "none": 0, "answers": {"right": 2}, "highest": 7, "clues": {"1": 2},
            "contradictions": {"widths": 2}, "reasons": {"not 81 cells": 6}});
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
