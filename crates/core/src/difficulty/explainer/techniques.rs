//! The techniques from 1.7 to 4.4, for ratings and for steps.
//!
//! A rating uses all hints of a technique at once, and repeats a search only where something changed. Steps
//! use the first hint. Both call the searches below.

use super::board::{CellDigit, SolvingBoard};
use super::pattern::Pattern;
use super::score::Technique;
use super::tables::{BOXES, HOUSES};
use super::wings::wings;
use super::{fish, sets};
use Technique as T;

/// A hint: its score in tenths, its technique, and what it is about.
pub(super) type Hint = (u8, Technique, Pattern);

/// Why there is no next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoStep {
    /// The next technique is above the greatest score wanted.
    Above,
    /// No technique helps.
    Beyond,
    /// A cell has no candidate, or there are several solutions.
    NotUnique,
    /// A bound ended the search.
    Stopped,
}

/// The digits and houses that a search looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) digits: u16,
    pub(super) houses: u32,
}

impl Scope {
    pub(super) const ALL: Self = Self { digits: 0x1ff, houses: (1 << HOUSES) - 1 };
    pub(super) const NONE: Self = Self { digits: 0, houses: 0 };
}

/// The techniques that place a digit without a removal on paper: score in tenths, technique, and the score from
/// which on a rating does the same in two steps.
pub(super) const DIRECT: [(u8, Technique, u8); 5] = [
    (17, T::DirectPointing, 26),
    (19, T::DirectClaiming, 28),
    (20, T::DirectHiddenPair, 34),
    (23, T::NakedSingle, u8::MAX),
    (25, T::DirectHiddenTriplet, 40),
];

/// The techniques that remove candidates.
pub(super) const REMOVING: [(u8, Technique); 10] = [
    (26, T::Pointing),
    (28, T::Claiming),
    (30, T::NakedPair),
    (32, T::XWing),
    (34, T::HiddenPair),
    (36, T::NakedTriplet),
    (38, T::Swordfish),
    (40, T::HiddenTriplet),
    (42, T::XyWing),
    (44, T::XyzWing),
];

/// The first single of a direct technique, except naked singles. Takes what has none from the scope.
pub(super) fn direct(
    board: &SolvingBoard,
    technique: Technique,
    scope: &mut Scope,
) -> Option<(CellDigit, Pattern)> {
    match technique {
        T::DirectPointing => {
            let (digits, boxes) = (&mut scope.digits, BOXES..HOUSES);
            fish::direct(board, digits, boxes, fish::line_of, fish::beside_box)
        }
        T::DirectClaiming => {
            let (digits, lines) = (&mut scope.digits, 0..BOXES);
            fish::direct(board, digits, lines, fish::box_of, fish::beside_line)
        }
        T::DirectHiddenPair => sets::direct::<2>(board, &mut scope.houses),
        T::DirectHiddenTriplet => sets::direct::<3>(board, &mut scope.houses),
        _ => None,
    }
}

/// Uses the hints of a removing technique. Stops once `stop` accepts one. Returns whether there was one.
pub(super) fn remove(
    board: &mut SolvingBoard,
    technique: Technique,
    scope: Scope,
    stop: impl FnMut(Pattern) -> bool,
) -> bool {
    match technique {
        T::Pointing => fish::lock(board, scope.digits, BOXES..HOUSES, fish::line_of, stop),
        T::Claiming => fish::lock(board, scope.digits, 0..BOXES, fish::box_of, stop),
        T::NakedPair => sets::subsets::<2, false>(board, scope.houses, stop),
        T::XWing => fish::fish::<2>(board, scope.digits, stop),
        T::HiddenPair => sets::subsets::<2, true>(board, scope.houses, stop),
        T::NakedTriplet => sets::subsets::<3, false>(board, scope.houses, stop),
        T::Swordfish => fish::fish::<3>(board, scope.digits, stop),
        T::HiddenTriplet => sets::subsets::<3, true>(board, scope.houses, stop),
        T::XyWing => wings(board, false, stop),
        T::XyzWing => wings(board, true, stop),
        _ => false,
    }
}
