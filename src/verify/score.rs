//! How good predictions are, such as those of a model: in each row, in all, and in buckets of rows.
//!
//! ```text
//! puzzle      53..7....6..195…      81 cells, 51 of them blank
//! prediction  534678912672195…      any digits, and blanks where nothing was predicted
//! truth       534678912672195…      the answer next to the puzzle, if the predictions are in a file of their own;
//!                                   else the only solution
//! ```
//!
//! A share of cells is always one of the blank cells: those that are to be predicted. A row has no score if its truth
//! is not known, because the puzzle does not have exactly one solution, or if no cell is blank.

use crate::difficulty::{Grade, Measured, Score};
use crate::puzzle::{Cell, Grid, rules};
use crate::select::column_name;
use std::str::FromStr;

ninefold_core::named_enum! {
    /// What is counted of predictions.
    pub enum ScoreCount, "count" {
        Rows = "score.rows", "rows with a score";
        Exact = "score.exact", "exact";
        Complete = "score.complete", "complete";
        Legal = "score.legal", "legal";
        KeepsClues = "score.keeps_clues", "keep the clues";
        Missing = "score.missing", "missing or malformed";
        RightCells = "score.right_cells", "right";
        BlankCells = "score.blank_cells", "blank cells of the puzzles";
        Shares = "score.shares_in_billionths", "the shares of right cells of all rows";
        Unscored = "score.unscored", "rows without a score";
        Valid = "score.valid", "valid";
        WrongAnswers = "score.wrong_answers", "stored answers that are wrong";
        NotOnly = "score.answers_not_the_only_one", "stored answers that are not the only solution";
    }
}

/// The counts of predictions, in the order of [`ScoreCount::ALL`].
pub type Scores = [u64; ScoreCount::ALL.len()];

/// How good the prediction for one puzzle is.
///
/// ```
/// use ninefold::puzzle::Grid;
/// use ninefold::verify::PredictionScore;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let truth: Grid =
///     "534678912672195348198342567859761423426853791713924856961537284287419635345286179".parse()?;
/// let prediction: Grid =
///     "534.78912672195348198342567859761423426853791713924856961537284287419635345286179".parse()?;
/// let score = PredictionScore::of(&puzzle, &truth, Some(&prediction)).unwrap();
/// assert_eq!((score.right_cells, score.blank_cells), (50, 51));
/// assert!(score.is_legal && score.keeps_clues && !score.is_complete && !score.is_exact);
/// # Ok::<(), ninefold::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct PredictionScore {
    /// How many of the blank cells of the puzzle are right.
    pub right_cells: u8,
    /// How many cells of the puzzle are blank: 1 or more.
    pub blank_cells: u8,
    /// Whether there is no prediction, or one that is no grid.
    pub is_missing: bool,
    /// Whether no cell of the prediction is blank.
    pub is_complete: bool,
    /// Whether no digit is twice in a house of the prediction.
    pub is_legal: bool,
    /// Whether the prediction has all clues of the puzzle.
    pub keeps_clues: bool,
    /// Whether the prediction is the truth.
    pub is_exact: bool,
}

impl PredictionScore {
    /// The score of a prediction. `None` if no cell of the puzzle is blank.
    pub fn of(puzzle: &Grid, truth: &Grid, prediction: Option<&Grid>) -> Option<Self> {
        let found = prediction.unwrap_or(&Grid::EMPTY);
        let cells = puzzle.values().iter().zip(truth.values()).zip(found.values());
        // Without branches, so that many cells are looked at together.
        let (mut blank_cells, mut right_cells, mut changed, mut open) = (0, 0, 0, 0);
        for ((&clue, &truth), &found) in cells {
            let (is_blank, is_right) = (u8::from(clue == 0), u8::from(truth == found));
            blank_cells += is_blank;
            right_cells += is_blank & is_right;
            changed |= (1 - is_blank) & u8::from(clue != found);
            open |= u8::from(found == 0);
        }
        let (is_missing, keeps_clues) =
            (prediction.is_none(), prediction.is_some() && changed == 0);
        let is_exact = keeps_clues && right_cells == blank_cells;
        (blank_cells > 0).then(|| Self {
            right_cells,
            blank_cells,
            is_missing,
            is_complete: open == 0,
            is_legal: is_exact || !is_missing && rules::is_legal(found),
            keeps_clues,
            is_exact,
        })
    }

    /// The score of a prediction that is the truth. `None` if all cells of the puzzle are clues.
    pub fn exact(clues: usize) -> Option<Self> {
        let blank_cells = u8::try_from(Cell::COUNT.checked_sub(clues)?).ok()?;
        (blank_cells > 0).then_some(Self {
            right_cells: blank_cells,
            blank_cells,
            is_missing: false,
            is_complete: true,
            is_legal: true,
            keeps_clues: true,
            is_exact: true,
        })
    }

    /// The share of the blank cells that are right, from 0 to 1.
    pub fn share(&self) -> f64 {
        f64::from(self.right_cells) / f64::from(self.blank_cells)
    }

    /// Adds a row to [`Scores`]: one without a score is counted as such. `stored` is what is wrong with its stored answer.
    pub fn count(score: Option<&Self>, stored: Option<ScoreCount>, counts: &mut [u64]) {
        if let Some(stored) = stored {
            counts[stored as usize] += 1;
        }
        let Some(score) = score else { return counts[ScoreCount::Unscored as usize] += 1 };
        let Self { is_missing, is_complete, is_legal, keeps_clues, is_exact, .. } = *score;
        let flags = [true, is_exact, is_complete, is_legal, keeps_clues, is_missing];
        let (right, blank) = (u64::from(score.right_cells), u64::from(score.blank_cells));
        // Integers, so that a sum does not depend on its order.
        let share = (right * BILLION + blank / 2) / blank;
        let added = flags.map(u64::from).into_iter().chain([right, blank, share]);
        counts.iter_mut().zip(added).for_each(|(sum, more)| *sum += more);
        counts[ScoreCount::Valid as usize] += u64::from(is_complete && is_legal && keeps_clues);
    }
}

const BILLION: u64 = 1_000_000_000;

/// What shares of predictions are right, each from 0 to 1: nothing if there are no rows with a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Rows that are exact.
    pub exact: f64,
    /// Of the blank cells of all rows together.
    pub cells: f64,
    /// The mean of the shares of all rows.
    pub mean_of_rows: f64,
}

impl Accuracy {
    /// Of these counts.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn of(counts: &[u64]) -> Option<Self> {
        let number = |it: ScoreCount| counts[it as usize] as f64;
        let rows = number(ScoreCount::Rows);
        (rows > 0.0).then(|| Self {
            exact: number(ScoreCount::Exact) / rows,
            cells: number(ScoreCount::RightCells) / number(ScoreCount::BlankCells),
            mean_of_rows: number(ScoreCount::Shares) / (rows * BILLION as f64),
        })
    }
}

/// What defines the buckets of rows whose predictions are counted apart.
///
/// ```
/// use ninefold::verify::By;
///
/// assert_eq!("er:0.5".parse(), Ok(By::Er(5)));
/// assert_eq!("source".parse(), Ok(By::Column("source".to_owned())));
/// assert_eq!("\"the \"\"er\"\"\"".parse(), Ok(By::Column("the \"er\"".to_owned())));
/// assert!("er:0".parse::<By>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The simplest rules that solve the puzzle.
    Grade,
    /// The number of clues.
    Clues,
    /// The Explainer rating, in buckets as wide as this, in tenths.
    Er(u8),
    /// The value of the column of this name.
    Column(String),
}

/// The bucket of rows that do not have what is asked.
const UNKNOWN: &str = "unknown";

impl By {
    /// The name of the bucket of a row: `unknown` if it does not have what is asked. `value` is that of the column.
    ///
    /// ```
    /// use ninefold::difficulty::Measured;
    /// use ninefold::verify::By;
    ///
    /// assert_eq!(By::Clues.bucket(Some(17), &Measured::default(), b""), "17");
    /// assert_eq!(By::Grade.bucket(Some(17), &Measured::default(), b""), "unknown");
    /// ```
    pub fn bucket(&self, clues: Option<usize>, measured: &Measured, value: &[u8]) -> String {
        let known = match self {
            Self::Grade => measured.grade.map(|it: Grade| it.name().to_owned()),
            Self::Clues => clues.map(|clues| clues.to_string()),
            Self::Er(width) => measured.rating.and_then(|it| it.er.tenths()).map(|tenths| {
                let least = tenths / width * width;
                let most = least.saturating_add(width - 1);
                let (least, most) = (Score::Tenths(least), Score::Tenths(most));
                if *width == 1 { least.to_string() } else { format!("{least}-{most}") }
            }),
            Self::Column(_) if value.is_empty() => None,
            Self::Column(_) => Some(String::from_utf8_lossy(value).into_owned()),
        };
        known.unwrap_or_else(|| UNKNOWN.to_owned())
    }
}

impl FromStr for By {
    type Err = String;

    /// `grade`, `clues`, `er`, `er:WIDTH`, or the name of a column. In `"` it is a column.
    fn from_str(text: &str) -> Result<Self, String> {
        let width = |text: &str| {
            let (whole, tenths) = text.split_once('.').unwrap_or((text, "0"));
            let number = [whole, tenths].map(|it| it.parse::<u8>().ok().filter(|_| it.len() < 3));
            let (whole, tenths) = (number[0]?, number[1].filter(|_| tenths.len() == 1)?);
            whole.checked_mul(10)?.checked_add(tenths).filter(|&width| width > 0)
        };
        match text.strip_prefix("er") {
            Some("") => return Ok(Self::Er(1)),
            Some(rest) if rest.starts_with(':') => {
                let wrong = "expected a width from 0.1 to 25.5, such as er:0.5";
                return width(&rest[1..]).map(Self::Er).ok_or_else(|| wrong.to_owned());
            }
            _ => {}
        }
        match text {
            "grade" => Ok(Self::Grade),
            "clues" => Ok(Self::Clues),
            _ => column_name(text).map(Self::Column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difficulty::Measured;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const TRUTH: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn score(prediction: Option<&str>) -> PredictionScore {
        let grid = |text: &str| text.parse::<Grid>().unwrap();
        PredictionScore::of(&grid(PUZZLE), &grid(TRUTH), prediction.map(grid).as_ref()).unwrap()
    }

    /// Which flags each kind of prediction has is in `tests/program/verify.rs`.
    #[test]
    fn a_puzzle_without_blanks_has_no_score() {
        assert_eq!(PredictionScore::exact(30), Some(score(Some(TRUTH))));
        assert_eq!(PredictionScore::exact(81), None);
        let full = TRUTH.parse().unwrap();
        assert_eq!(PredictionScore::of(&full, &full, None), None);
    }

    #[test]
    fn counts_add_up() {
        let mut counts = Scores::default();
        let half = format!("{}{}", &TRUTH[..40], &PUZZLE[40..]);
        for score in [Some(score(Some(TRUTH))), Some(score(Some(&half))), Some(score(None)), None] {
            PredictionScore::count(score.as_ref(), None, &mut counts);
        }
        let right = PUZZLE[..40].matches('.').count() as u64;
        let shares = BILLION + (right * BILLION + 25) / 51;
        assert_eq!(counts, [3, 1, 1, 2, 2, 1, 51 + right, 153, shares, 1, 1, 0, 0]);
        let accuracy = Accuracy::of(&counts).unwrap();
        assert!((accuracy.mean_of_rows - accuracy.cells).abs() < 1e-9);
        assert_eq!(Accuracy::of(&Scores::default()), None);
    }

    #[test]
    fn rows_have_buckets() {
        let of = |by: &str, value: &[u8]| {
            by.parse::<By>().unwrap().bucket(Some(17), &Measured::default(), value)
        };
        assert_eq!(of("clues", b""), "17");
        assert_eq!([of("a", b"x"), of("\"er\"", b"7"), of("a", b"")], ["x", "7", "unknown"]);
        assert_eq!([of("er", b""), of("grade", b"")], ["unknown", "unknown"]);
        for wrong in ["er:", "er:0", "er:0.0", "er:x", "er:1.55", "er:99", "er:-1", "\"\""] {
            assert!(wrong.parse::<By>().is_err(), "{wrong}");
        }
    }
}
