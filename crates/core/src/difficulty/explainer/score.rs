//! Scores in tenths, and the techniques they belong to.

use alloc::format;
use alloc::string::ToString;
use core::fmt;

crate::named_enum! {
    /// A solving technique of Sudoku Explainer.
    pub enum Technique, "technique" {
        None = "none", "nothing to fill in";
        LastCell = "last-cell", "last empty cell of a house (1.0)";
        HiddenSingleBox = "hidden-single-box", "hidden single in a box (1.2)";
        HiddenSingleLine = "hidden-single-line", "hidden single in a row or column (1.5)";
        DirectPointing = "direct-pointing", "pointing that gives a hidden single (1.7)";
        DirectClaiming = "direct-claiming", "claiming that gives a hidden single (1.9)";
        DirectHiddenPair = "direct-hidden-pair", "hidden pair that gives a hidden single (2.0)";
        NakedSingle = "naked-single", "cell with one candidate (2.3)";
        DirectHiddenTriplet = "direct-hidden-triplet", "hidden triplet that gives a hidden single (2.5)";
        Pointing = "pointing", "digit of a box locked in a row or column (2.6)";
        Claiming = "claiming", "digit of a row or column locked in a box (2.8)";
        NakedPair = "naked-pair", "two cells with two candidates (3.0)";
        XWing = "x-wing", "digit in two rows and two columns (3.2)";
        HiddenPair = "hidden-pair", "two digits in two cells (3.4)";
        NakedTriplet = "naked-triplet", "three cells with three candidates (3.6)";
        Swordfish = "swordfish", "digit in three rows and three columns (3.8)";
        HiddenTriplet = "hidden-triplet", "three digits in three cells (4.0)";
        XyWing = "xy-wing", "pivot with two candidates and two wings (4.2)";
        XyzWing = "xyz-wing", "pivot with three candidates and two wings (4.4)";
        UniqueRectangle = "unique-rectangle", "rectangle of two solutions (4.5 or more)";
        UniqueLoop = "unique-loop", "loop that would allow two solutions (4.6 or more)";
        NakedQuad = "naked-quad", "four cells with four candidates (5.0)";
        Jellyfish = "jellyfish", "digit in four rows and four columns (5.2)";
        HiddenQuad = "hidden-quad", "four digits in four cells (5.4)";
        BivalueGrave = "bivalue-grave", "bivalue universal grave (5.6 to 6.2)";
        AlignedPairExclusion = "aligned-pair-exclusion", "pairs of digits excluded by other cells (6.2)";
        BidirectionalXCycle = "bidirectional-x-cycle", "cycle of one digit (6.5 or more)";
        BidirectionalYCycle = "bidirectional-y-cycle", "cycle of cells with two candidates (6.5 or more)";
        ForcingXChain = "forcing-x-chain", "chain of one digit (6.6 or more)";
        ForcingChain = "forcing-chain", "chain from candidate to opposite (7.0 or more)";
        BidirectionalCycle = "bidirectional-cycle", "cycle through cells and houses (7.0 or more)";
        AlignedTripletExclusion = "aligned-triplet-exclusion", "triplets of digits excluded by other cells (7.5)";
        NishioForcingChain = "nishio-forcing-chain", "contradiction of one digit (7.5 or more)";
        MultipleForcingChain = "multiple-forcing-chain", "chains from all of a cell or house (8.0 or more)";
        DynamicForcingChain = "dynamic-forcing-chain", "chains that join (8.5 or more)";
        DynamicForcingChainPlus = "dynamic-forcing-chain-plus", "with pairs and X-wings inside (9.0 or more)";
        NestedForcingChain = "nested-forcing-chain", "with chains inside (9.5 or more)";
        Beyond = "beyond", "no technique helps (20.0)";
    }
}

/// A difficulty on Explainer's scale.
///
/// ```
/// use ninefold_core::difficulty::Score;
///
/// assert_eq!(Score::Tenths(45).to_string(), "4.5");
/// assert_eq!(Score::Above(90).to_string(), "above 9.0");
/// assert_eq!(Score::Above(90).tenths(), None);
/// assert!(Score::Above(90) > Score::Tenths(90));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    /// The score in tenths: 45 is 4.5.
    Tenths(u8),
    /// More than these tenths: the greatest score that was wanted.
    Above(u8),
}

impl Score {
    /// The score of a puzzle that no technique solves, in tenths.
    pub const BEYOND: u8 = 200;

    /// The score in tenths, if it is known.
    pub const fn tenths(self) -> Option<u8> {
        match self {
            Self::Tenths(tenths) => Some(tenths),
            Self::Above(_) => None,
        }
    }
}

impl fmt::Display for Score {
    /// `4.5`, or `above 9.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |tenths: u8| format_args!("{}.{}", tenths / 10, tenths % 10).to_string();
        match *self {
            Self::Tenths(tenths) => f.pad(&number(tenths)),
            Self::Above(tenths) => f.pad(&format!("above {}", number(tenths))),
        }
    }
}

/// How difficult a puzzle is for a player.
///
/// ```
/// use ninefold_core::difficulty::{Rating, Score, Technique};
///
/// let (er, ep, ed) = (Score::Tenths(42), Score::Tenths(12), Score::Tenths(12));
/// let rating = Rating { er, ep, ed, technique: Technique::XyWing };
/// assert_eq!(rating.to_string(), "4.2,1.2,1.2,xy-wing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rating {
    /// Explainer rating: the score of the hardest step. 0.0 if no cell is blank.
    pub er: Score,
    /// Pearl rating: the score of the hardest step up to the first digit placed.
    pub ep: Score,
    /// Diamond rating: the score of the first step.
    pub ed: Score,
    /// The first technique whose score is `er`; if that is not known, the hardest one so far.
    pub technique: Technique,
}

impl fmt::Display for Rating {
    /// `4.2,1.2,1.2,xy-wing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.er, self.ep, self.ed, self.technique)
    }
}

/// A score as Explainer prints it, in tenths.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "4.5 to 25")]
pub(super) fn tenths(score: f64) -> u8 {
    ((score + 0.05) * 10.0) as u8
}
