//! How many of the rows that meet the conditions are written, and in which order.

use crate::difficulty::Measure;
use std::num::NonZeroU64;

ninefold_core::named_enum! {
    /// By what rows are sorted.
    ///
    /// ```
    /// use crate::select::SortBy;
    ///
    /// assert_eq!("effort".parse(), Ok(SortBy::Effort));
    /// ```
    pub enum SortBy, "key" {
        Effort = "effort", "mean number of guesses";
        Er = "er", "score of the hardest step";
        Clues = "clues", "number of clues";
    }
}

ninefold_core::named_enum! {
    /// The direction of a sort. Equal rows keep their order; rows without the key come last.
    ///
    /// ```
    /// use crate::select::Order;
    ///
    /// assert_eq!(Order::default(), Order::Ascending);
    /// ```
    pub enum Order, "order" {
        @default Ascending = "ascending", "the lowest first";
        Descending = "descending", "the highest first";
    }
}

ninefold_core::named_enum! {
    /// The column whose values define the strata. A sample is drawn from each stratum.
    ///
    /// ```
    /// use crate::select::Stratum;
    ///
    /// assert_eq!("technique".parse(), Ok(Stratum::Technique));
    /// ```
    pub enum Stratum, "stratum" {
        Grade = "grade", "naked-singles, singles, locked-candidates, search";
        Effort = "effort", "0, up to 1, 2, 4, 8, 16, ... guesses";
        Er = "er", "each score, and >6.2";
        Technique = "technique", "each hardest technique";
        Clues = "clues", "each number of clues";
        Status = "status", "unique, multiple, none, conflict, malformed";
    }
}

/// Which of the rows that meet the conditions are written, and in which order. The steps come in the
/// order of the fields.
///
/// ```
/// use crate::select::Pick;
///
/// let first = Pick { head: Some(10), ..Pick::default() };
/// assert!(first.keeps_order());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The first of every `n` rows.
    pub every: NonZeroU64,
    /// A uniform sample of `n` rows, in the order of the input.
    pub sample: Option<usize>,
    /// A sample of `n` rows of each stratum.
    pub stratify: Option<Stratum>,
    /// The seed of the sample and of the split.
    pub seed: u64,
    /// The sort key.
    pub sort: Option<SortBy>,
    /// The direction of the sort.
    pub order: Order,
    /// The first `n` rows.
    pub head: Option<u64>,
}

impl Default for Pick {
    /// All, in the order of the input.
    fn default() -> Self {
        Self {
            every: NonZeroU64::MIN,
            sample: None,
            stratify: None,
            seed: 1,
            sort: None,
            order: Order::Ascending,
            head: None,
        }
    }
}

impl Pick {
    /// Whether a row is written as soon as it is known to be selected.
    #[must_use]
    pub const fn keeps_order(&self) -> bool {
        self.sample.is_none() && self.sort.is_none()
    }

    /// Whether a measure is used.
    pub(super) const fn use_measure(&self, measure: Measure) -> bool {
        let strata = matches!(
            (measure, self.stratify),
            (Measure::Grade, Some(Stratum::Grade))
                | (Measure::Effort, Some(Stratum::Effort))
                | (Measure::Er, Some(Stratum::Er | Stratum::Technique))
        );
        strata
            || matches!(
                (measure, self.sort),
                (Measure::Effort, Some(SortBy::Effort)) | (Measure::Er, Some(SortBy::Er))
            )
    }
}
