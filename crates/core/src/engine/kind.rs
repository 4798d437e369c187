//! The one list of engines, which the program, the tests and the benches read.

use super::lanes::{Lanes, SimdLevel};
use super::{Engine, mrv, reference};
use std::fmt;
use std::str::FromStr;

/// An engine by name. A new engine is one file and one line in each of the lists here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// First blank, digits in order, legality by looking along row, column and box.
    Scan,
    /// The same walk with tables of flags.
    Flags,
    /// The same walk with one integer of bits per house.
    Masks,
    /// The blank with the fewest candidates next.
    Candidates,
    /// Knuth's dancing links.
    Dlx,
    /// Bit masks, singles propagated, most constrained cell branched on.
    Mrv,
    /// Many puzzles side by side in the lanes of vectors.
    Lanes,
}

impl EngineKind {
    /// Every engine, from the plainest to the fastest.
    pub const ALL: [Self; 7] =
        [Self::Scan, Self::Flags, Self::Masks, Self::Candidates, Self::Dlx, Self::Mrv, Self::Lanes];

    /// What is used unless another is asked for.
    pub const DEFAULT: Self = Self::Lanes;

    /// The name that `--engine` takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Flags => "flags",
            Self::Masks => "masks",
            Self::Candidates => "candidates",
            Self::Dlx => "dlx",
            Self::Mrv => "mrv",
            Self::Lanes => "lanes",
        }
    }

    /// One line on how it works.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Scan => {
                "first blank cell, digits 1 to 9, each looked for along row, column and box"
            }
            Self::Flags => "the same walk, used digits kept as tables of flags",
            Self::Masks => "the same walk, used digits kept as one integer of bits per house",
            Self::Candidates => "candidate sets kept up to date, the blank with the fewest next",
            Self::Dlx => "Knuth's dancing links over the exact cover of 729 rows and 324 columns",
            Self::Mrv => {
                "bit masks, naked and hidden singles, most constrained cell next; portable"
            }
            Self::Lanes => "many puzzles side by side in the lanes of vectors; the fastest",
        }
    }

    /// A new engine of this kind, with all the memory it will need, for the widest vectors of
    /// this CPU.
    #[must_use]
    pub fn build(self) -> Box<dyn Engine> {
        self.build_at(SimdLevel::best())
    }

    /// A new engine of this kind for vectors of one level; all but `lanes` have no use for it.
    #[must_use]
    pub fn build_at(self, level: SimdLevel) -> Box<dyn Engine> {
        match self {
            Self::Scan => Box::new(reference::Scan),
            Self::Flags => Box::new(reference::Flags),
            Self::Masks => Box::new(reference::Masks),
            Self::Candidates => Box::new(reference::Candidates),
            Self::Dlx => Box::new(reference::Dlx::default()),
            Self::Mrv => Box::new(mrv::Mrv),
            Self::Lanes => Lanes::new(level),
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No engine has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(String);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = EngineKind::ALL.map(EngineKind::name).join(", ");
        write!(f, "expected one of {names}, found '{}'", self.0)
    }
}

impl std::error::Error for UnknownEngine {}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.name() == name).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_name() {
        for kind in EngineKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert!("sudoku".parse::<EngineKind>().is_err());
    }
}

impl crate::names::Named for EngineKind {
    const KIND: &'static str = "engine";
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn summary(self) -> &'static str {
        self.summary()
    }
}
