//! The list of engines, which the program, the tests and the benches read.
#![forbid(unsafe_code)]

use super::bounds::{Bounded, Bounds};
use super::contract::Engine;
use super::lanes::Lanes;
use super::mrv::Mrv;
#[cfg(feature = "reference")]
use super::reference::{candidates, dlx::Dlx, scan, search::Textbook};
use crate::simd::SimdLevel;
use alloc::boxed::Box;

crate::named_enum! {
    /// An engine by name. The default is `lanes`.
    ///
    /// ```
    /// use ninefold_core::engine::EngineKind;
    ///
    /// assert_eq!("mrv".parse(), Ok(EngineKind::Mrv));
    /// assert_eq!(EngineKind::default(), EngineKind::Lanes);
    /// let error = "fastest".parse::<EngineKind>().unwrap_err();
    /// assert!(error.to_string().ends_with("found 'fastest'"));
    /// ```
    #[non_exhaustive]
    pub enum EngineKind, "engine" {
        #[cfg(feature = "reference")]
        Scan = "scan",
            "first blank cell, digits 1 to 9, each looked for along row, column and box";
        #[cfg(feature = "reference")]
        Candidates = "candidates",
            "candidate sets kept up to date, the blank with the fewest next";
        #[cfg(feature = "reference")]
        Dlx = "dlx", "Knuth's dancing links over the exact cover of 729 rows and 324 columns";
        Mrv = "mrv", "bit masks, naked and hidden singles, most constrained cell next; portable";
        @default Lanes = "lanes",
            "many puzzles side by side in the lanes of vectors; the fastest";
    }
}

impl EngineKind {
    /// A new engine of this kind for the widest vectors of this CPU.
    ///
    /// It allocates all the memory that it needs.
    ///
    /// ```
    /// use ninefold_core::engine::EngineKind;
    /// use ninefold_core::puzzle::Grid;
    ///
    /// assert_eq!(EngineKind::Lanes.build().solve(&Grid::EMPTY, 1000).count, 1000);
    /// ```
    pub fn build(self) -> Box<dyn Engine> {
        self.build_bounded(SimdLevel::best(), Bounds::default())
    }

    /// A new engine of this kind for vectors of one level, whose searches have bounds. Only `lanes` depends
    /// on the level. Each engine counts its own branches.
    ///
    /// ```
    /// use ninefold_core::engine::lanes::SimdLevel;
    /// use ninefold_core::engine::{Bounds, EngineKind};
    /// use ninefold_core::puzzle::Grid;
    ///
    /// for &kind in EngineKind::ALL {
    ///     let bounds = Bounds::default().with_max_branches(1);
    ///     let mut engine = kind.build_bounded(SimdLevel::best(), bounds);
    ///     assert!(engine.solve(&Grid::EMPTY, 1).gave_up, "{kind}");
    /// }
    /// ```
    pub fn build_bounded(self, level: SimdLevel, bounds: Bounds) -> Box<dyn Engine> {
        let engine: Box<dyn Engine> = match self {
            #[cfg(feature = "reference")]
            Self::Scan => Box::new(Textbook(scan::walk)),
            #[cfg(feature = "reference")]
            Self::Candidates => Box::new(Textbook(candidates::walk)),
            #[cfg(feature = "reference")]
            Self::Dlx => Box::new(Dlx::default()),
            Self::Mrv => Box::new(Mrv),
            Self::Lanes => return Box::new(Lanes::new(level, bounds)),
        };
        Bounded::around(engine, bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_name() {
        for &kind in EngineKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert!("sudoku".parse::<EngineKind>().is_err());
    }

    #[test]
    fn the_textbook_engines_are_there_with_their_feature_only() {
        let textbook = ["scan", "candidates", "dlx"];
        for name in textbook {
            assert_eq!(name.parse::<EngineKind>().is_ok(), cfg!(feature = "reference"), "{name}");
        }
        let others = if cfg!(feature = "reference") { textbook.len() } else { 0 };
        assert_eq!(EngineKind::ALL.len(), 2 + others);
    }
}
