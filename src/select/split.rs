//! Parts into which rows are divided by the hash of their canonical form: rows of a class are in the same part.

use super::Group;
use crate::bank::{Form, Keys};
use crate::puzzle::{Puzzle, Solution};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use twox_hash::{XxHash3_64, XxHash3_128};

/// Shares are numbers of this many parts.
const UNIT: u64 = 1_000_000_000;
/// Decimal places of a share.
const PLACES: usize = 9;

/// Named parts and their shares of the rows. The hash of the canonical form of a puzzle decides, so
/// isomorphic puzzles are in the same part, in any file and in any order.
///
/// ```
/// use ninefold::select::Split;
///
/// let split: Split = "train=0.9,test=0.1".parse().unwrap();
/// assert_eq!(split.names().collect::<Vec<_>>(), ["train", "test"]);
/// assert!("train=0.9".parse::<Split>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Each part: its name, and its share in units.
    parts: Vec<(String, u64)>,
}

impl Split {
    /// Parts with names of their own whose shares add up to 1.
    fn checked(parts: Vec<(String, u64)>) -> Result<Self, String> {
        for (place, (name, _)) in parts.iter().enumerate() {
            let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            if name.is_empty() || !name.chars().all(fits) {
                return Err(format!("expected a name of letters, digits, - and _, found '{name}'"));
            }
            if parts[..place].iter().any(|(other, _)| other == name) {
                return Err(format!("two parts are called {name}"));
            }
        }
        match parts.iter().map(|(_, share)| share).sum() {
            UNIT => Ok(Self { parts }),
            sum => Err(format!("the shares add up to {}, not to 1", decimal(sum))),
        }
    }

    /// The names of the parts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|(name, _)| name.as_str())
    }

    /// The file of each part: the name of the part goes before the endings of the file.
    pub fn files(&self, path: &Path) -> Vec<PathBuf> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // `.csv.gz` stays together, and a leading dot begins the name of a hidden file.
        let compressed = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending));
        let inner = compressed.unwrap_or(&name);
        let stem = inner.rfind('.').filter(|&dot| dot > 0).unwrap_or(inner.len());
        let (stem, endings) = name.split_at(stem);
        let file = |part: &str| path.with_file_name(format!("{stem}.{part}{endings}"));
        self.names().map(file).collect()
    }

    /// The part for a hash, which is uniform over all numbers.
    pub fn part(&self, hash: u64) -> usize {
        let place = (u128::from(hash) * u128::from(UNIT)) >> 64;
        let mut end = 0u128;
        let part = self.parts.iter().position(|(_, share)| {
            end += u128::from(*share);
            place < end
        });
        part.unwrap_or(self.parts.len() - 1)
    }
}

impl TryFrom<Vec<(String, f64)>> for Split {
    type Error = String;

    /// Shares are rounded to nine places. What rounding leaves goes to the largest.
    fn try_from(parts: Vec<(String, f64)>) -> Result<Self, String> {
        let share = |(name, share): (String, f64)| {
            let wrong = format!("expected a share from 0 to 1, found {share} for '{name}'");
            units(share).map(|units| (name, units)).ok_or(wrong)
        };
        let mut parts = parts.into_iter().map(share).collect::<Result<Vec<_>, _>>()?;
        let sum: u64 = parts.iter().map(|(_, share)| share).sum();
        if sum.abs_diff(UNIT) <= parts.len() as u64
            && let Some((_, most)) = parts.iter_mut().max_by_key(|(_, share)| *share)
        {
            *most = *most + UNIT - sum;
        }
        Self::checked(parts)
    }
}

impl FromStr for Split {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts: Vec<(String, u64)> = Vec::new();
        for part in text.split(',') {
            let named = part.split_once('=').and_then(|(name, text)| Some((name, share(text)?)));
            let (name, share) = named.ok_or_else(|| {
                format!("expected NAME=SHARE with a share such as 0.9, found '{part}'")
            })?;
            parts.push((name.to_owned(), share));
        }
        Self::checked(parts)
    }
}

/// Units as a decimal number.
fn decimal(units: u64) -> String {
    let text = format!("{}.{:0PLACES$}", units / UNIT, units % UNIT);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share from 0 to 1, in units. A number of [`PLACES`] is exact.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "from 0 to UNIT"
)]
fn units(share: f64) -> Option<u64> {
    (0.0..=1.0).contains(&share).then(|| (share * UNIT as f64).round() as u64)
}

/// A decimal number from 0 to 1, in units.
fn share(text: &str) -> Option<u64> {
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let share = text.parse().ok().filter(|_| is_decimal && fraction.len() <= PLACES)?;
    units(share)
}

/// Finds the classes of rows, as numbers that are the same in every run and on every machine.
///
/// ```
/// use ninefold::puzzle::Puzzle;
/// use ninefold::select::{Classes, Group};
///
/// let mut classes = Classes::new(Group::Form, 1);
/// let [one, other] = ["1", "2"].map(|clue| format!("{clue}{}", ".".repeat(80)));
/// let mut class = |text: &str| classes.of(Puzzle::try_from(text).ok().as_ref(), None, text.as_bytes());
/// assert_eq!(class(&one), class(&other));
/// ```
pub struct Classes {
    group: Group,
    seed: u64,
    keys: Keys,
}

impl Classes {
    /// Of this kind, under this seed.
    pub fn new(group: Group, seed: u64) -> Self {
        Self { group, seed, keys: Keys::new(Form::Solution) }
    }

    /// Whether the solutions of puzzles with one solution must be known.
    pub fn need_solutions(group: Group) -> bool {
        group != Group::Row
    }

    /// The class of a row with this text. `solution` is that of a puzzle with exactly one.
    pub fn of(&mut self, puzzle: Option<&Puzzle>, solution: Option<&Solution>, text: &[u8]) -> u64 {
        let hash = match (puzzle, self.group, solution) {
            (None, _, _) | (_, Group::Row, _) => XxHash3_128::oneshot(text),
            (_, Group::Solution, Some(one)) => {
                self.keys.stable_hash(&Puzzle::Grid(*one.grid()), solution)
            }
            (Some(puzzle), _, _) => self.keys.stable_hash(puzzle, solution),
        };
        XxHash3_64::oneshot_with_seed(self.seed, &hash.to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one() {
        for text in ["train=0.9,test=0.1", "a=1", "a=0.333,b=0.333,c=0.334", "a=.5,b=0.5"] {
            let split: Split = text.parse().unwrap();
            assert_eq!(split.parts.iter().map(|(_, share)| share).sum::<u64>(), UNIT, "{text}");
        }
        let error = |text: &str| text.parse::<Split>().unwrap_err();
        assert_eq!(error("a=0.5"), "the shares add up to 0.5, not to 1");
        assert_eq!(error("a=0.5,a=0.5"), "two parts are called a");
        for part in ["a", "a=", "a=x", "a=-1", "a=1.5", "a=0.0000000001"] {
            assert!(error(part).starts_with("expected NAME=SHARE"), "{part}");
        }
        for part in ["=1", "a/b=1", "a.b=1"] {
            assert!(error(part).starts_with("expected a name"), "{part}");
        }
    }

    #[test]
    fn shares_may_be_floats() {
        let split = |shares: &[f64]| {
            let name = |(place, share): (usize, &f64)| (format!("p{place}"), *share);
            Split::try_from(shares.iter().enumerate().map(name).collect::<Vec<_>>())
        };
        assert_eq!(split(&[0.7, 0.2, 0.1]), "p0=0.7,p1=0.2,p2=0.1".parse());
        let thirds = "p0=0.333333333,p1=0.333333333,p2=0.333333334";
        assert_eq!(split(&[1.0 / 3.0; 3]), thirds.parse());
        assert_eq!(split(&[0.5, 0.4]), Err("the shares add up to 0.9, not to 1".to_owned()));
        for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(split(&[wrong, 0.5]).unwrap_err().starts_with("expected a share from 0 to 1"));
        }
        assert!(split(&[]).is_err());
    }

    #[test]
    fn parts_have_their_shares_of_all_hashes() {
        let split: Split = "a=0.25,b=0.5,c=0.25".parse().unwrap();
        let part = |quarters: u64| split.part(quarters << 62);
        assert_eq!([part(0), part(1), part(2), part(3)], [0, 1, 1, 2]);
        assert_eq!([split.part((1 << 62) - 1), split.part(u64::MAX)], [0, 2]);
        let none: Split = "none=0,all=1".parse().unwrap();
        assert_eq!([none.part(0), none.part(u64::MAX)], [1, 1]);
    }

    #[test]
    fn the_name_of_a_part_is_before_the_endings() {
        let split: Split = "train=0.9,test=0.1".parse().unwrap();
        for (path, train) in [
            ("out.csv", "out.train.csv"),
            ("dir/a.b.jsonl.gz", "dir/a.b.train.jsonl.gz"),
            ("out", "out.train"),
            ("out.zst", "out.train.zst"),
            (".hidden", ".hidden.train"),
        ] {
            assert_eq!(split.files(Path::new(path))[0], Path::new(train));
        }
    }
}
