//! Rows whose parts have exact sizes, and the comparison of the parts.
//!
//! ```text
//! rows ─> temporary file                      ┐
//!    └──> class, stratum of each ─> part of each ─> outputs
//! ```
//!
//! In each stratum the sizes are those of the largest remainder. Classes are placed whole, the largest first,
//! each into the part that its hash draws: that of a split without exact sizes. If that part has no room left,
//! it goes into the part in which it exceeds the sizes least, and of several into that with the most room.
//! Classes of one row come last and fill all parts exactly.

use super::split::Split;
use crate::difficulty::Grade;
use crate::puzzle::Cell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// What is known of a row that is to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Its class, from [`Classes`](super::Classes).
    pub class: u64,
    /// Its stratum.
    pub stratum: u64,
}

/// How far the parts are from the sizes of the largest remainder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// The number of strata.
    pub strata: usize,
    /// Rows that a part of a stratum has too many or too few, at most. 0 unless classes are too large.
    pub off: u64,
}

/// The part of each row, such that the parts have their shares of each stratum exactly.
///
/// ```
/// use ninefold::select::{Member, Split, assign};
///
/// let split: Split = "train=0.9,test=0.1".parse().unwrap();
/// let rows: Vec<_> = (0..40).map(|row| Member { class: row, stratum: row % 2 }).collect();
/// let (parts, fit) = assign(&rows, &split);
/// assert_eq!((parts.iter().filter(|&&part| part == 1).count(), fit.off), (4, 0));
/// ```
#[must_use]
pub fn assign(members: &[Member], split: &Split) -> (Vec<u16>, Fit) {
    let parts = split.names().count();
    let mut strata = HashMap::new();
    let mut sizes = Vec::new();
    let dense: Vec<usize> = members
        .iter()
        .map(|member| {
            let next = strata.len();
            let place = *strata.entry(member.stratum).or_insert(next);
            sizes.resize(strata.len(), 0u64);
            sizes[place] += 1;
            place
        })
        .collect();
    let mut left: Vec<Vec<i64>> = sizes.iter().map(|&rows| split.sizes(rows)).collect();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_unstable_by_key(|&row| (members[row].class, dense[row]));
    let mut classes: Vec<&[usize]> =
        order.chunk_by(|&one, &two| members[one].class == members[two].class).collect();
    // The sort is stable: classes of one size stay in the order of their hashes.
    classes.sort_by_key(|rows| Reverse(rows.len()));
    let mut part_of = vec![0; members.len()];
    for rows in classes {
        let cost = |part: usize| {
            let in_strata = rows.chunk_by(|&one, &two| dense[one] == dense[two]);
            let (mut over, mut room) = (0, 0);
            for rows in in_strata {
                let free = left[dense[rows[0]]][part];
                over += (i64::try_from(rows.len()).unwrap_or(i64::MAX) - free.max(0)).max(0);
                room += free;
            }
            (over, Reverse(room))
        };
        let drawn = Some(split.part(members[rows[0]].class)).filter(|&part| cost(part).0 == 0);
        let part = drawn.or_else(|| (0..parts).min_by_key(|&part| cost(part))).unwrap_or_default();
        for &row in rows {
            left[dense[row]][part] -= 1;
            part_of[row] = u16::try_from(part).unwrap_or(u16::MAX);
        }
    }
    let off = left.iter().flatten().map(|left| left.unsigned_abs()).max().unwrap_or_default();
    (part_of, Fit { strata: sizes.len(), off })
}

/// The rows of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartReport {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: u64,
    /// The classes that its rows are of.
    pub classes: u64,
    /// Rows by the number of clues of the puzzle.
    pub clues: [u64; Cell::COUNT + 1],
    /// Rows by the grade of the puzzle, in the order of [`Grade::ALL`], and rows without one.
    pub grades: [u64; Grade::ALL.len() + 1],
}

impl PartReport {
    /// The fewest clues of its puzzles.
    #[must_use]
    pub fn fewest_clues(&self) -> Option<usize> {
        self.clues.iter().position(|&rows| rows > 0)
    }

    /// The most clues of its puzzles.
    #[must_use]
    pub fn most_clues(&self) -> Option<usize> {
        self.clues.iter().rposition(|&rows| rows > 0)
    }

    /// The mean number of clues of its puzzles.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shown to a hundredth")]
    pub fn mean_clues(&self) -> Option<f64> {
        let puzzles: u64 = self.clues.iter().sum();
        let sum: u64 = (0..).zip(&self.clues).map(|(clues, rows)| clues * rows).sum();
        (puzzles > 0).then(|| sum as f64 / puzzles as f64)
    }
}

/// The parts of a split, side by side. It is made of the rows as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitReport {
    /// In the order of the split.
    pub parts: Vec<PartReport>,
    /// Classes in the parts together. If none is in two parts, it is the sum of theirs.
    pub classes: u64,
    /// Parts of a class besides its first: none, unless there is a fault.
    pub shared: u64,
    /// Of exact sizes.
    pub fit: Option<Fit>,
}

/// Counts the rows of the parts.
pub(super) struct Compare {
    pub(super) report: SplitReport,
    /// The first part of each class.
    seen: HashMap<u64, u16>,
    /// Further parts of a class.
    shared: HashSet<(u64, u16)>,
}

/// The clues and the grade of a puzzle, as a number that is kept with its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) clues: Option<usize>,
    pub(super) grade: Option<Grade>,
}

impl Marks {
    const NONE: u64 = 0xff;

    pub(super) fn packed(self) -> u64 {
        let grade = self.grade.map_or(Self::NONE, |grade| grade as u64);
        self.clues.map_or(Self::NONE, |clues| clues as u64) | grade << 8
    }

    /// The places of a packed number in the counts of a part.
    fn places(packed: u64) -> (Option<usize>, usize) {
        let [clues, grade, ..] = packed.to_le_bytes().map(usize::from);
        (Some(clues).filter(|it| *it <= Cell::COUNT), grade.min(Grade::ALL.len()))
    }
}

impl Compare {
    pub(super) fn new(split: &Split) -> Self {
        let part = |name: &str| PartReport {
            name: name.to_owned(),
            rows: 0,
            classes: 0,
            clues: [0; Cell::COUNT + 1],
            grades: [0; Grade::ALL.len() + 1],
        };
        let parts = split.names().map(part).collect();
        let report = SplitReport { parts, classes: 0, shared: 0, fit: None };
        Self { report, seen: HashMap::new(), shared: HashSet::new() }
    }

    /// A row of a part.
    pub(super) fn add(&mut self, part: usize, class: u64, marks: u64) {
        let report = &mut self.report.parts[part];
        report.rows += 1;
        let (clues, grade) = Marks::places(marks);
        if let Some(clues) = clues {
            report.clues[clues] += 1;
        }
        report.grades[grade] += 1;
        let place = u16::try_from(part).unwrap_or(u16::MAX);
        let first = *self.seen.entry(class).or_insert(place);
        let is_new = if self.report.classes < self.seen.len() as u64 {
            self.report.classes += 1;
            true
        } else {
            first != place && self.shared.insert((class, place))
        };
        report.classes += u64::from(is_new);
        self.report.shared += u64::from(is_new && first != place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Random;

    /// Sizes of strata and parts by another way of counting.
    fn counts(members: &[Member], parts: &[u16]) -> HashMap<(u64, u16), u64> {
        let mut counts = HashMap::new();
        for (member, part) in members.iter().zip(parts) {
            *counts.entry((member.stratum, *part)).or_insert(0) += 1;
        }
        counts
    }

    fn hash(round: usize, class: usize) -> u64 {
        twox_hash::XxHash3_64::oneshot(&[round.to_le_bytes(), class.to_le_bytes()].concat())
    }

    #[test]
    fn two_hundred_random_data_sets_have_exact_sizes_and_whole_classes() {
        let mut random = Random::new(1);
        let splits = [
            "a=0.8,b=0.1,c=0.1",
            "a=0.5,b=0.5",
            "a=0.333,b=0.667",
            "a=0.9,b=0.1",
            "a=1",
            "a=0.01,b=0.99",
        ];
        for round in 0..200 {
            let split: Split = splits[round % splits.len()].parse().unwrap();
            let (rows, strata) = (random.below(400), 1 + random.below(6));
            let mut members: Vec<Member> = Vec::new();
            // Classes of up to 5 rows, in one stratum or several, and twice as many alone.
            while members.len() < rows / 3 {
                let (class, stratum) = (hash(round, members.len()), random.below(strata) as u64);
                for _ in 0..=random.below(5) {
                    let stratum =
                        if random.below(4) == 0 { random.below(strata) as u64 } else { stratum };
                    members.push(Member { class, stratum });
                }
            }
            let grouped = members.len();
            while members.len() < grouped + rows {
                let (class, stratum) =
                    (hash(round, 1000 + members.len()), random.below(strata) as u64);
                members.push(Member { class, stratum });
            }
            let (parts, fit) = assign(&members, &split);
            let mut classes = HashMap::new();
            for (member, part) in members.iter().zip(&parts) {
                assert_eq!(*classes.entry(member.class).or_insert(*part), *part, "round {round}");
            }
            let counts = counts(&members, &parts);
            for stratum in 0..strata as u64 {
                let size = members.iter().filter(|it| it.stratum == stratum).count() as u64;
                for (part, &expected) in (0..).zip(&split.sizes(size)) {
                    let found = counts.get(&(stratum, part)).copied().unwrap_or_default();
                    let off = found.abs_diff(expected.unsigned_abs());
                    assert!(off <= fit.off, "round {round}, stratum {stratum}, part {part}");
                    // Rows alone make the sizes exact unless the groups are larger than a part.
                    assert!(off == 0 || expected < 25, "round {round}: {found}, not {expected}");
                }
            }
            assert_eq!(assign(&members, &split), (parts, fit));
        }
    }

    /// The part of a row alone does not depend on its place: each is as likely as its share.
    #[test]
    fn rows_alone_are_placed_at_random() {
        let split: Split = "a=0.8,b=0.2".parse().unwrap();
        let mut counts = [0u32; 50];
        for seed in 0..1000 {
            let hash = |row| twox_hash::XxHash3_64::oneshot_with_seed(seed, &[row]);
            let members: Vec<_> =
                (0..50).map(|row| Member { class: hash(row), stratum: 0 }).collect();
            let (parts, fit) = assign(&members, &split);
            assert_eq!(
                (parts.iter().filter(|part| **part == 1).count(), fit),
                (10, Fit { strata: 1, off: 0 })
            );
            parts.iter().zip(&mut counts).for_each(|(part, count)| *count += u32::from(*part));
        }
        // 200 each, with a standard deviation of 12.6.
        assert!(counts.iter().all(|count| count.abs_diff(200) < 70), "{counts:?}");
    }

    /// A part has as many classes of two rows as its share, and not single rows alone.
    #[test]
    fn classes_are_placed_at_random() {
        let split: Split = "train=0.9,test=0.1".parse().unwrap();
        let pairs = (0..1000).flat_map(|class| [class, class]);
        let rows: Vec<_> = pairs.chain(1000..2000).map(|class| hash(0, class)).collect();
        let members: Vec<_> = rows.iter().map(|&class| Member { class, stratum: 0 }).collect();
        let (parts, fit) = assign(&members, &split);
        assert_eq!((parts.iter().filter(|part| **part == 1).count(), fit.off), (300, 0));
        let pairs = parts[..2000].iter().filter(|part| **part == 1).count() / 2;
        assert!(pairs.abs_diff(100) < 40, "{pairs}");
        let drawn =
            rows.iter().zip(&parts).filter(|(class, part)| split.part(**class) == **part as usize);
        assert!(drawn.count() > 2800);
    }

    #[test]
    fn a_class_in_two_parts_is_found() {
        let split: Split = "a=0.5,b=0.5".parse().unwrap();
        let mut compare = Compare::new(&split);
        let marks = Marks { clues: Some(24), grade: Some(Grade::Search) }.packed();
        let malformed = Marks { clues: None, grade: None }.packed();
        for (part, class, marks) in [(0, 1, marks), (0, 1, marks), (1, 2, marks), (1, 3, malformed)]
        {
            compare.add(part, class, marks);
        }
        assert_eq!((compare.report.classes, compare.report.shared), (3, 0));
        compare.add(1, 1, marks);
        let SplitReport { parts, classes, shared, .. } = compare.report;
        assert_eq!((classes, shared), (3, 1));
        assert_eq!((parts[0].rows, parts[0].classes, parts[0].clues[24]), (2, 1, 2));
        assert_eq!((parts[1].rows, parts[1].classes, parts[1].clues[24]), (3, 3, 2));
        assert_eq!(parts[1].grades.iter().sum::<u64>(), 3);
    }
}
