//! What became of a puzzle, in one word.

use std::fmt;
use std::str::FromStr;

/// What became of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It has one solution, and it was shown that there is no other.
    Unique,
    /// It has a solution; whether there is another was not asked.
    Solved,
    /// It has more than one solution.
    Multiple,
    /// It is legal, and has no solution.
    None,
    /// A digit stands twice in a house of it.
    Conflict,
    /// It is no puzzle.
    Malformed,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 6] =
        [Self::Unique, Self::Solved, Self::Multiple, Self::None, Self::Conflict, Self::Malformed];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Solved => "solved",
            Self::Multiple => "multiple",
            Self::None => "none",
            Self::Conflict => "conflict",
            Self::Malformed => "malformed",
        }
    }

    /// What it means.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Unique => "has one solution, and it was shown that there is no other",
            Self::Solved => "has a solution; whether there is another was not asked",
            Self::Multiple => "has more than one solution",
            Self::None => "is legal, and has no solution",
            Self::Conflict => "has a digit twice in a house",
            Self::Malformed => "is no puzzle",
        }
    }

    /// Whether the puzzle has been given the answer that was asked for.
    #[must_use]
    pub const fn is_answered(self) -> bool {
        matches!(self, Self::Unique | Self::Solved)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No status has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStatus(String);

impl fmt::Display for UnknownStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Status::ALL.map(Status::name).join(", ");
        write!(f, "expected one of {names}, found '{}'", self.0)
    }
}

impl std::error::Error for UnknownStatus {}

impl FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(name: &str) -> Result<Self, UnknownStatus> {
        let mut all = Self::ALL.into_iter();
        all.find(|status| status.name() == name).ok_or_else(|| UnknownStatus(name.to_owned()))
    }
}

/// Some of the statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusSet(u8);

impl StatusSet {
    /// All of them.
    pub const ALL: Self = Self((1 << Status::ALL.len()) - 1);

    /// These.
    #[must_use]
    pub fn of(statuses: &[Status]) -> Self {
        Self(statuses.iter().fold(0, |set, &status| set | 1 << status as u8))
    }

    /// All but these.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }

    /// Whether it is one of them.
    #[must_use]
    pub const fn contains(self, status: Status) -> bool {
        self.0 >> status as u8 & 1 != 0
    }
}

impl fmt::Display for StatusSet {
    /// Their words, divided by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Status::ALL.into_iter().filter(|&status| self.contains(status));
        f.write_str(&names.map(Status::name).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_found_by_its_name() {
        for status in Status::ALL {
            assert_eq!(status.name().parse(), Ok(status));
            assert!(StatusSet::ALL.contains(status));
            assert!(StatusSet::of(&[status]).contains(status));
            assert!(!StatusSet::of(&[status]).complement().contains(status));
        }
        assert!("fine".parse::<Status>().is_err());
        assert_eq!(StatusSet::of(&[]).complement(), StatusSet::ALL);
        assert_eq!(StatusSet::of(&[Status::None, Status::Unique]).to_string(), "unique,none");
    }
}
