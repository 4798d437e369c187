//! What a run counts. A command declares its counts; sums, checkpoints, statistics and merging are made of
//! the declaration.
//!
//! ```text
//! declared    each(["unique", "none"])   one("automorphic")   of("er", ["1.2", …, "9.4"])
//! counted     [   7         1       ]   [      2          ]   [  0     …    3   ]
//! statistics  "unique": 7, "none": 1,    "automorphic": 2,     "er": {"9.4": 3}
//! ```

use crate::input::{Contradictions, Reason};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A declared count, or several under one name.
#[derive(Clone, Debug)]
pub struct Count {
    /// The key in statistics, with `.` between the keys of nested objects; empty for keys at the top.
    name: &'static str,
    /// The keys of several counts. Empty for a single count.
    keys: Vec<String>,
    /// Whether statistics may lack it.
    is_optional: bool,
    /// Whether two counts are merged by their maximum, and not by their sum.
    is_most: bool,
    /// Whether their sum is the number of puzzles.
    are_statuses: bool,
}

impl Count {
    /// A number.
    #[must_use]
    pub const fn one(name: &'static str) -> Self {
        Self { name, keys: Vec::new(), is_optional: false, is_most: false, are_statuses: false }
    }

    /// A number that statistics lack if a run cannot have any.
    #[must_use]
    pub fn optional(name: &'static str) -> Self {
        Self { is_optional: true, ..Self::one(name) }
    }

    /// A maximum.
    #[must_use]
    pub fn most(name: &'static str) -> Self {
        Self { is_most: true, ..Self::one(name) }
    }

    /// Several numbers, as an object under one name. Zeros are left out.
    #[must_use]
    pub fn of<T: ToString>(name: &'static str, keys: impl IntoIterator<Item = T>) -> Self {
        let keys = keys.into_iter().map(|key| key.to_string()).collect();
        Self { keys, ..Self::one(name) }
    }

    /// Several numbers, each under a name of its own.
    #[must_use]
    pub fn each<T: ToString>(keys: impl IntoIterator<Item = T>) -> Self {
        Self::of("", keys)
    }

    /// As [`each`](Self::each), and each puzzle has exactly one of them.
    #[must_use]
    pub fn statuses<T: ToString>(keys: impl IntoIterator<Item = T>) -> Self {
        Self { are_statuses: true, ..Self::each(keys) }
    }

    fn len(&self) -> usize {
        self.keys.len().max(1)
    }
}

/// The counts of an input, or of a part of it.
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
    /// The command's own, in the order of their declaration.
    pub own: Vec<u64>,
}

impl Counts {
    /// Replaces all by zeros.
    pub(crate) fn restart(&mut self, shape: &Shape) {
        let own = std::mem::take(&mut self.own);
        *self = Self { own, ..Self::default() };
        self.own.clear();
        self.own.resize(shape.len, 0);
    }
}

/// The name of the counts of rows that contradict the layout of their input.
const CONTRADICTIONS: &str = "contradictions";

/// The name of the counts of malformed lines.
const REASONS: &str = "reasons";

/// The declared counts of a command.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    counts: Vec<Count>,
    /// How many numbers there are.
    len: usize,
}

impl Shape {
    /// These counts, in their order, then those of contradictions, then those of malformed
    /// lines by [`Reason`].
    #[must_use]
    pub fn new(mut counts: Vec<Count>) -> Self {
        counts.push(Count::of(CONTRADICTIONS, ["solved", "widths", "elsewhere"]));
        counts.push(Count::of(REASONS, Reason::ALL.iter().map(|it| it.summary())));
        let len = counts.iter().map(Count::len).sum();
        Self { counts, len }
    }

    /// No counts so far.
    #[must_use]
    pub fn zero(&self) -> Counts {
        Counts { own: vec![0; self.len], ..Counts::default() }
    }

    /// Where the numbers of a count begin in [`Counts::own`].
    ///
    /// # Panics
    /// If no count has this name.
    #[must_use]
    pub fn place(&self, name: &str) -> usize {
        let before = self.counts.iter().take_while(|count| count.name != name);
        let place = before.map(Count::len).sum();
        assert!(place < self.len, "no count is called {name}");
        place
    }

    /// The numbers of a count.
    ///
    /// # Panics
    /// If no count has this name.
    #[must_use]
    pub fn get<'a>(&self, counts: &'a Counts, name: &str) -> &'a [u64] {
        let found = self.split(counts).find(|(count, _)| count.name == name);
        found.unwrap_or_else(|| panic!("no count is called {name}")).1
    }

    /// Rows that contradict the layout of their input.
    #[must_use]
    pub fn contradictions(&self, counts: &Counts) -> Contradictions {
        let of = self.get(counts, CONTRADICTIONS);
        Contradictions { solved: of[0], widths: of[1], elsewhere: of[2] }
    }

    /// Malformed lines by reason, in the order of [`Reason::ALL`].
    #[must_use]
    pub fn reasons<'a>(&self, counts: &'a Counts) -> &'a [u64] {
        self.get(counts, REASONS)
    }

    /// The counts with names of their own ([`Count::each`]).
    #[must_use]
    pub fn named<'a>(&'a self, counts: &Counts) -> Vec<(&'a str, u64)> {
        let named = self.split(counts).filter(|(count, _)| count.name.is_empty());
        named
            .flat_map(|(count, own)| count.keys.iter().map(String::as_str).zip(own.iter().copied()))
            .collect()
    }

    /// Each declared count with its numbers.
    fn split<'s, 'c>(&'s self, counts: &'c Counts) -> impl Iterator<Item = (&'s Count, &'c [u64])> {
        let mut rest = &counts.own[..];
        self.counts.iter().map(move |count| {
            let (own, others) = rest.split_at(count.len());
            rest = others;
            (count, own)
        })
    }

    /// Adds counts. `None` if a sum is too large.
    pub fn add(&self, sum: &mut Counts, more: &Counts) -> Option<()> {
        sum.bytes = sum.bytes.checked_add(more.bytes)?;
        sum.lines = sum.lines.checked_add(more.lines)?;
        sum.puzzles = sum.puzzles.checked_add(more.puzzles)?;
        sum.comments = sum.comments.checked_add(more.comments)?;
        sum.own.resize(self.len, 0);
        let is_most = self.counts.iter().flat_map(|it| std::iter::repeat_n(it.is_most, it.len()));
        for ((sum, more), is_most) in sum.own.iter_mut().zip(&more.own).zip(is_most) {
            *sum = if is_most { (*sum).max(*more) } else { sum.checked_add(*more)? };
        }
        Some(())
    }

    /// Writes counts into an object of statistics.
    pub fn describe(&self, counts: &Counts, object: &mut Value) {
        object["bytes"] = counts.bytes.into();
        object["lines"] = counts.lines.into();
        object["puzzles"] = counts.puzzles.into();
        object["comments"] = counts.comments.into();
        for (count, own) in self.split(counts) {
            if count.name.is_empty() {
                for (key, number) in count.keys.iter().zip(own) {
                    object[key] = (*number).into();
                }
                continue;
            }
            let place = count.name.split('.').fold(&mut *object, |object, key| &mut object[key]);
            *place = if count.keys.is_empty() {
                own[0].into()
            } else {
                let counted = count.keys.iter().zip(own).filter(|(_, number)| **number > 0);
                counted
                    .map(|(key, number)| (key.clone(), (*number).into()))
                    .collect::<Map<_, _>>()
                    .into()
            };
        }
    }

    /// Reads counts from an object of statistics.
    ///
    /// # Errors
    /// The key that is missing, or that no count has; or statuses that are not those of all puzzles.
    pub fn read(&self, object: &Value) -> Result<Counts, String> {
        let number = |value: &Value, key: &str| {
            value.as_u64().ok_or_else(|| format!("no count is called {key}"))
        };
        // A count that the command was not asked for is null. One that is missing is an error.
        let asked = |object: &Value, key: &str| match object.get(key) {
            Some(Value::Null) => Ok(0),
            value => number(value.unwrap_or(&Value::Null), key),
        };
        let mut counts = Counts {
            bytes: number(&object["bytes"], "bytes")?,
            lines: number(&object["lines"], "lines")?,
            puzzles: number(&object["puzzles"], "puzzles")?,
            comments: number(&object["comments"], "comments")?,
            own: Vec::with_capacity(self.len),
        };
        for count in &self.counts {
            let value = match count.name {
                "" => object,
                name => name.split('.').fold(object, |object, key| &object[key]),
            };
            match &count.keys[..] {
                [] => counts.own.push(match count.name.rsplit_once('.') {
                    _ if count.is_optional && value.is_null() => 0,
                    None => asked(object, count.name)?,
                    Some(_) if value.is_null() => 0,
                    Some(_) => number(value, count.name)?,
                }),
                keys if count.name.is_empty() => {
                    let first = counts.own.len();
                    for key in keys {
                        counts.own.push(asked(value, key)?);
                    }
                    let sum: u128 = counts.own[first..].iter().map(|&it| u128::from(it)).sum();
                    if count.are_statuses && sum != u128::from(counts.puzzles) {
                        let puzzles = counts.puzzles;
                        return Err(format!(
                            "{puzzles} puzzles, and {sum} of all statuses together"
                        ));
                    }
                }
                keys => {
                    let strange = value
                        .as_object()
                        .into_iter()
                        .flatten()
                        .find(|(key, _)| !keys.contains(key));
                    if let Some((key, _)) = strange {
                        return Err(format!("{}: no count is called {key}", count.name));
                    }
                    counts.own.extend(keys.iter().map(|key| value[key].as_u64().unwrap_or(0)));
                }
            }
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_are_added_and_survive_statistics() {
        let shape = Shape::new(vec![
            Count::statuses(["unique", "none"]),
            Count::one("answers.right"),
            Count::most("highest"),
            Count::of("er", ["1.2", "1.5"]),
        ]);
        let mut one = shape.zero();
        (one.bytes, one.lines, one.puzzles) = (82, 1, 1);
        one.own[..6].copy_from_slice(&[1, 0, 1, 7, 0, 1]);
        assert_eq!((shape.place("highest"), shape.get(&one, "er")), (3, &[0, 1][..]));
        let mut sum = shape.zero();
        assert!(shape.add(&mut sum, &one).is_some() && shape.add(&mut sum, &one).is_some());
        assert_eq!((sum.bytes, &sum.own[..6]), (164, &[2, 0, 2, 7, 0, 2][..]));
        let mut object = json!({});
        shape.describe(&sum, &mut object);
        let expected = json!({"bytes": 164, "lines": 2, "puzzles": 2, "comments": 0, "unique": 2,
            "none": 0, "answers": {"right": 2}, "highest": 7, "er": {"1.5": 2},
            "contradictions": {}, "reasons": {}});
        assert_eq!(object, expected);
        assert_eq!(shape.read(&object), Ok(sum.clone()));
        object["er"]["9.9"] = json!(1);
        assert_eq!(shape.read(&object), Err("er: no count is called 9.9".to_owned()));
        object["none"] = json!(1);
        let why = "2 puzzles, and 3 of all statuses together";
        assert_eq!(shape.read(&object), Err(why.to_owned()));
        object.as_object_mut().unwrap().remove("none");
        assert_eq!(shape.read(&object), Err("no count is called none".to_owned()));
        one.own[0] = u64::MAX;
        assert_eq!(shape.add(&mut sum, &one), None);
    }
}
