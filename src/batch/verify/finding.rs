//! What may be said of a line, in one word each, and sets of these words.

use std::fmt;
use std::str::FromStr;

/// What was found of a line. A line may have several faults. That answers are left over is found of the
/// first such line of their file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// Nothing is wrong.
    Pass,
    /// It is no puzzle.
    Malformed,
    /// A digit stands twice in a house of the puzzle.
    Conflict,
    /// The puzzle is legal and has no solution.
    None,
    /// The puzzle has more than one solution.
    Multiple,
    /// The answer given with it is not right.
    WrongAnswer,
    /// It should have an answer, and has none.
    NoAnswer,
    /// Answers of another file are left over.
    NoPuzzle,
    /// A clue can be left out.
    NotMinimal,
    /// It has fewer or more clues than it should.
    Clues,
    /// The same puzzle came before.
    Duplicate,
}

impl Finding {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 11] = [
        Self::Pass,
        Self::Malformed,
        Self::Conflict,
        Self::None,
        Self::Multiple,
        Self::WrongAnswer,
        Self::NoAnswer,
        Self::NoPuzzle,
        Self::NotMinimal,
        Self::Clues,
        Self::Duplicate,
    ];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Malformed => "malformed",
            Self::Conflict => "conflict",
            Self::None => "none",
            Self::Multiple => "multiple",
            Self::WrongAnswer => "wrong-answer",
            Self::NoAnswer => "no-answer",
            Self::NoPuzzle => "no-puzzle",
            Self::NotMinimal => "not-minimal",
            Self::Clues => "clues",
            Self::Duplicate => "duplicate",
        }
    }

    /// What it means.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Pass => "nothing is wrong",
            Self::Malformed => "the line is no puzzle",
            Self::Conflict => "a digit stands twice in a house of the puzzle",
            Self::None => "the puzzle is legal and has no solution",
            Self::Multiple => "the puzzle has more than one solution",
            Self::WrongAnswer => "the answer given is not full, not legal or changes a clue",
            Self::NoAnswer => "there should be an answer, and is none",
            Self::NoPuzzle => "answers of another file are left over (--solutions)",
            Self::NotMinimal => "a clue can be left out (--minimal)",
            Self::Clues => "fewer or more clues than --clues says",
            Self::Duplicate => "the same puzzle came before (--duplicates)",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No finding has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFinding(String);

impl fmt::Display for UnknownFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Finding::ALL.map(Finding::name).join(", ");
        write!(f, "expected one of {names}, found '{}'", self.0)
    }
}

impl std::error::Error for UnknownFinding {}

impl FromStr for Finding {
    type Err = UnknownFinding;

    fn from_str(name: &str) -> Result<Self, UnknownFinding> {
        let mut all = Self::ALL.into_iter();
        all.find(|finding| finding.name() == name).ok_or_else(|| UnknownFinding(name.to_owned()))
    }
}

/// A set of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingSet(u16);

impl FindingSet {
    /// None.
    pub const EMPTY: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self((1 << Finding::ALL.len()) - 1);

    /// These.
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        findings.iter().fold(Self::EMPTY, |set, &finding| set.with(finding))
    }

    /// These and another.
    #[must_use]
    pub const fn with(self, finding: Finding) -> Self {
        Self(self.0 | 1 << finding as u16)
    }

    /// All others.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }

    /// Whether it holds this one.
    #[must_use]
    pub const fn contains(self, finding: Finding) -> bool {
        self.0 >> finding as u16 & 1 != 0
    }

    /// Whether both hold one.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_is_found_by_its_name_and_in_its_set() {
        for finding in Finding::ALL {
            assert_eq!(finding.name().parse(), Ok(finding));
            let one = FindingSet::of(&[finding]);
            assert!(one.contains(finding) && one.meets(FindingSet::ALL));
            assert!(!one.complement().contains(finding) && !one.meets(one.complement()));
        }
        assert!("fine".parse::<Finding>().is_err());
    }
}
