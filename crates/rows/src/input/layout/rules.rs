//! The precedence table: which field holds the puzzles, and which the answers.
//!
//! The first rule that applies decides. [`PUZZLE_RULES`] and [`ANSWER_RULES`] are the rules in words.
//!
//! Terms. *Open*: 81 cells with blanks, or a sukaku. *Damaged*: a value that was a grid before some
//! bytes were changed; it counts as open, so one damaged record changes nothing. *Equal evidence*: a
//! count that is at least half of the largest. *Beside*: in the same record.

use super::evidence::{ClassCounts, HeadEvidence};
use super::why::{Decided, counted};
use crate::advice::{TAKE_OUT_OF_JSON, TAKE_OUT_OF_TEXT};
use crate::input::fields::{FieldClass, PUZZLE_NAMES, SOLUTION_NAMES, field_name, is_one_of};

/// All that a rule may look at.
pub(super) struct Case<'a> {
    pub(super) evidence: &'a HeadEvidence,
    /// The names of the fields, or nothing if they have none.
    pub(super) names: &'a [String],
    /// The fields that the caller names.
    pub(super) told_puzzle: Option<usize>,
    pub(super) told_solution: Option<usize>,
    /// Whether the names are keys of objects.
    pub(super) has_keys: bool,
    /// Whether the caller looks for full grids, so that those of a field of answers will do.
    pub(super) takes_answers: bool,
}

/// The rules for the field of the puzzles, in words: `docs/input.md` has them, `--explain-input` prints them.
pub(super) const PUZZLE_RULES: [&str; 9] = [
    "The field that --columns puzzle=FIELD names holds the puzzles.",
    "If the field that --columns solution=FIELD names has blanks and no other field has, the input is refused.",
    "If some records have blanks in one field and a full grid in another, and other records have it the other \
     way round, the input is refused. Up to 1 such record in 10 is a damaged record.",
    "If one field has blanks, it holds the puzzles, whatever the names are.",
    "If several fields have blanks, the one that has blanks where another of them is full holds the puzzles.",
    "If several fields have blanks, the one with a known name holds the puzzles: puzzle, puzzles, quiz, quizzes, \
     question, sudoku or grid.",
    "If several fields have blanks and no name decides, the input is refused.",
    "If no field has blanks, the field with full grids holds the puzzles: the one with a known name, or the \
     first. The input is refused if that name is one of answers.",
    "If no field has a grid and no record says otherwise, a known name decides.",
];

/// The rules for the field of the answers.
pub(super) const ANSWER_RULES: [&str; 4] = [
    "The field that --columns solution=FIELD names holds the answers.",
    "A field other than the puzzle's with a full grid in at least 1 of 10 records holds the answers, whatever \
     its name is. Of several with equal evidence, the one with a known name: solution, solutions, answer or \
     answers. If no name decides, verify refuses the input; other commands use no answers.",
    "A field with a known name of answers holds the answers. Numbers in a field solutions or answers are counts.",
    "Otherwise no field holds the answers. A full grid in any other field of a record is the answer of that \
     record.",
];

/// The first of these that says something, and its number from 1.
fn first<const N: usize>(rules: [Option<Decided<usize>>; N]) -> Option<(usize, Decided<usize>)> {
    (1..).zip(rules).find_map(|(number, choice)| Some((number, choice?)))
}

/// Whether as many as these of two counts are more than a few damaged records.
const fn is_significant(count: u64, of: u64) -> bool {
    count > 1 && 10 * count > of || count == 1 && of <= 1
}

impl Case<'_> {
    /// The first rule for the puzzles that applies, its number from 1, and what it says.
    pub(super) fn puzzles(&self) -> Option<(usize, Decided<usize>)> {
        let open = self.open_fields();
        let all: Vec<_> = (0..self.names.len()).collect();
        let rules = [
            self.told_puzzle.map(Ok),
            self.named_for_answers(),
            self.disagreement(),
            if let [field] = open[..] { Some(Ok(field)) } else { None },
            self.open_beside_open(&open),
            self.named(&PUZZLE_NAMES, &open).map(Ok),
            (!open.is_empty()).then(|| self.several(&open, "puzzles", "puzzle")),
            self.full_field(),
            self.named(&PUZZLE_NAMES, &all).filter(|_| self.evidence.rows == 0).map(Ok),
        ];
        first(rules)
    }

    /// The same for the answers of puzzles in this field.
    pub(super) fn answers(&self, puzzle: usize) -> (usize, Option<Decided<usize>>) {
        let is_name = |&field: &usize| field != puzzle && !self.has_counts(field);
        let others: Vec<_> = (0..self.names.len()).filter(is_name).collect();
        let rules = [
            self.told_solution.map(Ok),
            self.full_beside(puzzle),
            self.named(&SOLUTION_NAMES, &others).map(Ok),
            self.empty_after(puzzle).filter(|_| self.takes_answers).map(Ok),
        ];
        first(rules).map_or((ANSWER_RULES.len(), None), |(number, choice)| (number, Some(choice)))
    }

    /// What messages call a field.
    pub(super) fn name(&self, field: usize) -> String {
        field_name(self.names, field, self.has_keys)
    }

    /// How an option names a field.
    fn option(&self, field: usize) -> String {
        self.names.get(field).map_or_else(|| (field + 1).to_string(), Clone::clone)
    }

    /// Several fields may have a role, and no name decides.
    fn several(&self, fields: &[usize], role: &str, option: &str) -> Decided<usize> {
        let names: Vec<_> = fields.iter().map(|&field| self.name(field)).collect();
        let what = if self.has_keys { "KEY" } else { "COLUMN" };
        // A name says that its column is of one kind; keys and places do not.
        let all = match (option, self.has_keys, self.names) {
            ("puzzle", true, _) => format!(", or take all: {TAKE_OUT_OF_JSON}"),
            ("puzzle", false, []) if fields.len() == self.evidence.fields.len() => {
                ", or take all: tr -s ',;| \\t' '\\n' < FILE | ninefold COMMAND -".to_owned()
            }
            ("puzzle", false, []) => format!("; {TAKE_OUT_OF_TEXT}"),
            _ => String::new(),
        };
        Err(format!(
            "several fields may hold the {role}: {}; choose with --columns {option}={what}{all}",
            names.join(", ")
        ))
    }

    fn tally(&self, field: usize) -> ClassCounts {
        self.evidence.tally(field)
    }

    /// All fields but the one that the caller names for the answers.
    fn fields(&self) -> impl Iterator<Item = usize> {
        (0..self.evidence.fields.len()).filter(|&field| self.told_solution != Some(field))
    }

    /// The field that the caller names for the answers, if it holds the puzzles.
    fn named_for_answers(&self) -> Option<Decided<usize>> {
        let told = self.told_solution?;
        let has_blanks = |field: usize| self.tally(field).open() > 0;
        let alone = has_blanks(told) && !self.fields().any(has_blanks);
        let is_puzzle = self.evidence.rows == 0 && self.named(&PUZZLE_NAMES, &[told]).is_some();
        let option = self.option(told);
        let why = format!("--columns solution={option} names the field of the puzzles");
        (alone || is_puzzle).then_some(Err(why))
    }

    /// Two fields that both have blanks where the other is full.
    fn disagreement(&self) -> Option<Decided<usize>> {
        for one in self.fields() {
            for other in self.fields().filter(|&other| other > one) {
                let (there, back) =
                    (self.evidence.beside(one, other), self.evidence.beside(other, one));
                let (less, more) = (there.min(back), there.max(back));
                if less == 0 || !is_significant(less, more) {
                    continue;
                }
                let side = |open, full, count| {
                    let (records, open) = (counted(count, "record"), self.name(open));
                    format!("in {records} {open} has blanks and {} is full", self.name(full))
                };
                let (puzzle, answers) = (self.option(one), self.option(other));
                return Some(Err(format!(
                    "records disagree: {}, {}; choose with --columns puzzle={puzzle},solution={answers} \
                     or --columns puzzle={answers},solution={puzzle}",
                    side(one, other, there),
                    side(other, one, back),
                )));
            }
        }
        None
    }

    /// The fields that may hold the puzzles by their blanks, in order.
    fn open_fields(&self) -> Vec<usize> {
        let open = |field| self.tally(field).open() + self.tally(field).count(FieldClass::Damaged);
        let beside_full = |field| {
            let most = self.fields().map(|full| self.evidence.beside(field, full)).max();
            let most = most.unwrap_or_default();
            most > 1 && 20 * most >= self.evidence.rows
        };
        let is_open = |&field: &usize| {
            open(field) > 0 && (open(field) > self.tally(field).full() || beside_full(field))
        };
        let fields: Vec<_> = self.fields().filter(is_open).collect();
        let most = fields.iter().map(|&field| open(field)).max().unwrap_or_default();
        fields.into_iter().filter(|&field| 2 * open(field) >= most).collect()
    }

    /// The open field that is open where another open field is full, more often than the other way.
    fn open_beside_open(&self, fields: &[usize]) -> Option<Decided<usize>> {
        let beside = |one, other| self.evidence.beside(one, other);
        let won = |one| fields.iter().map(|&other| beside(one, other)).sum::<u64>();
        let best = fields.iter().copied().max_by_key(|&field| won(field))?;
        let (won, lost) = (won(best), fields.iter().map(|&other| beside(other, best)).sum());
        (won > 1 && 20 * won >= self.evidence.rows && won > lost).then_some(Ok(best))
    }

    /// The first of the known names that one of these fields has.
    fn named(&self, known: &[&str], fields: &[usize]) -> Option<usize> {
        let own = |field: usize| self.names.get(field).map_or("", String::as_str);
        let is = |field: usize, name: &str| own(field).eq_ignore_ascii_case(name);
        let named =
            known.iter().find_map(|name| fields.iter().copied().find(|&field| is(field, name)));
        if named.is_some() || !self.has_keys {
            return named;
        }
        // The last key of a path is a name if no other path has one.
        let last = |field: usize| own(field).rsplit('.').next().unwrap_or_default();
        let is_known = |&field: &usize| is_one_of(last(field), known);
        let mut paths = fields.iter().copied().filter(is_known);
        paths.next().filter(|_| paths.next().is_none())
    }

    /// The field of full grids, where no field has blanks.
    fn full_field(&self) -> Option<Decided<usize>> {
        let most = self.fields().map(|field| self.tally(field).full()).max()?;
        let full: Vec<_> =
            self.fields().filter(|&it| most > 0 && 2 * self.tally(it).full() >= most).collect();
        if let Some(named) = self.named(&PUZZLE_NAMES, &full) {
            return Some(Ok(named));
        }
        let all: Vec<_> = self.fields().collect();
        // A field with that name has no grid: its puzzles are missing.
        if self.named(&PUZZLE_NAMES, &all).is_some() && !self.takes_answers {
            return None;
        }
        let first = *full.first()?;
        match self.named(&SOLUTION_NAMES, &full) {
            Some(answers) if self.takes_answers => Some(Ok(answers)),
            Some(answers) if full.len() == 1 => Some(Err(format!(
                "no puzzle found: the only grids are in {}, which is named after answers; --columns \
                 puzzle={} reads them as puzzles",
                self.name(answers),
                self.option(answers)
            ))),
            Some(answers) => full.iter().copied().find(|&it| it != answers).map(Ok),
            None if self.has_keys && full.len() > 1 => {
                Some(self.several(&full, "puzzles", "puzzle"))
            }
            None => Some(Ok(first)),
        }
    }

    /// The field whose full grids are the answers.
    fn full_beside(&self, puzzle: usize) -> Option<Decided<usize>> {
        // Where puzzles have blanks, a full grid in another field of the record counts.
        let of_puzzle = self.tally(puzzle);
        let beside = of_puzzle.open() > 0;
        let full = |field: usize| {
            if beside { self.evidence.beside(puzzle, field) } else { self.tally(field).full() }
        };
        let puzzles = of_puzzle.rows() - of_puzzle.count(FieldClass::Empty);
        let is_answer = |&field: &usize| {
            field != puzzle && full(field) > 0 && 10 * full(field) >= puzzles.max(1)
        };
        let fields: Vec<_> = self.fields().filter(is_answer).collect();
        let most = fields.iter().map(|&field| full(field)).max()?;
        let equal: Vec<_> = fields.into_iter().filter(|&field| 2 * full(field) >= most).collect();
        match (self.named(&SOLUTION_NAMES, &equal), &equal[..]) {
            (Some(field), _) => Some(Ok(field)),
            (None, [field]) => Some(Ok(*field)),
            (None, _) => Some(self.several(&equal, "answers", "solution")),
        }
    }

    /// The field after the puzzles, if it is empty in all records: puzzles of which none has an answer.
    fn empty_after(&self, puzzle: usize) -> Option<usize> {
        let tally = self.evidence.fields.get(puzzle + 1)?;
        let is_open = self.tally(puzzle).open() > 0;
        (is_open && tally.rows() == tally.count(FieldClass::Empty) && !self.has_keys)
            .then_some(puzzle + 1)
    }

    /// Whether a field says how many solutions there are.
    fn has_counts(&self, field: usize) -> bool {
        let plural = self.names[field].to_ascii_lowercase().ends_with('s');
        let tally = self.tally(field);
        plural && tally.count(FieldClass::Number) > 0 && tally.full() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decision for records of these values: `P` open, `S` full, `d` damaged, `n` a number,
    /// `t` text, a space empty.
    fn decide_all(
        names: &[&str],
        rows: &[&str],
    ) -> (Option<Decided<usize>>, Option<Decided<usize>>) {
        let mut evidence = HeadEvidence::default();
        for row in rows {
            let values = row.chars().map(|value| match value {
                'P' => FieldClass::Blanks,
                'S' => FieldClass::Full,
                'd' => FieldClass::Damaged,
                'n' => FieldClass::Number,
                't' => FieldClass::Other,
                _ => FieldClass::Empty,
            });
            evidence.add(&values.collect::<Vec<_>>());
        }
        evidence.complete(names.len());
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let case = Case {
            evidence: &evidence,
            names: &names,
            told_puzzle: None,
            told_solution: None,
            has_keys: false,
            takes_answers: false,
        };
        let puzzle = case.puzzles().map(|(_, choice)| choice);
        let answers = match &puzzle {
            Some(Ok(field)) => case.answers(*field).1,
            _ => None,
        };
        (puzzle, answers)
    }

    fn fields(
        puzzle: usize,
        answers: Option<usize>,
    ) -> (Option<Decided<usize>>, Option<Decided<usize>>) {
        (Some(Ok(puzzle)), answers.map(Ok))
    }

    #[test]
    fn a_full_grid_beside_blanks_is_the_answer_whatever_the_names() {
        for names in [&[][..], &["solution", "givens"], &["puzzle", "solution"], &["a", "b"]] {
            assert_eq!(decide_all(names, &["SP"]), fields(1, Some(0)), "{names:?}");
            assert_eq!(decide_all(names, &["SP", "SP", "dP"]), fields(1, Some(0)), "{names:?}");
        }
        assert_eq!(decide_all(&["id", "puzzle", "solved"], &["nPS"]), fields(1, Some(2)));
        assert_eq!(decide_all(&[], &["nP", "nPS"]), fields(1, Some(2)));
        assert_eq!(decide_all(&["puzzle", "solutions"], &["Pn", "PS"]), fields(0, Some(1)));
        assert_eq!(decide_all(&["puzzle", "solutions"], &["Pn", "Pn"]), fields(0, None));
        assert_eq!(decide_all(&["puzzle", "solution"], &["Pt"]), fields(0, Some(1)));
    }

    #[test]
    fn one_damaged_record_changes_nothing() {
        let good = ["PS"; 9];
        for bad in ["dS", "PP", "Pd", " S", "P ", "SP", "tS", "Pt", "  ", "SS"] {
            for place in 0..=good.len() {
                let mut rows = good.to_vec();
                rows.insert(place, bad);
                assert_eq!(decide_all(&[], &rows), fields(0, Some(1)), "{bad:?} at {place}");
            }
        }
    }

    #[test]
    fn records_that_disagree_are_refused() {
        let refused = |rows: &[&str]| matches!(decide_all(&["a", "b"], rows).0, Some(Err(why)) if why.starts_with("records disagree: "));
        assert!(refused(&["PS", "SP"]) && refused(&["PS", "SP", "PS", "SP", "PS"]));
        assert!(!refused(&["PS", "PS", "SP"]) && !refused(&["PS", "PP", "SS"]));
    }

    #[test]
    fn names_decide_between_equal_evidence_alone() {
        assert_eq!(decide_all(&["state", "puzzle"], &["PP"]), fields(1, None));
        assert_eq!(decide_all(&["puzzle", "board"], &["dP"]), fields(0, None));
        assert_eq!(decide_all(&["grid", "board"], &["nP"]), fields(1, None));
        // A model's answers: some are full, most are not.
        let rows = ["PP", "PP", "SP", "PP", "SP"];
        assert_eq!(decide_all(&["output", "input"], &rows), fields(1, Some(0)));
        assert_eq!(decide_all(&["puzzle", "input"], &rows), fields(1, Some(0)));
        assert_eq!(decide_all(&["puzzle", "a", "answer"], &["PSS"]), fields(0, Some(2)));
        let several = |role, a, b, option| {
            Some(Err(format!(
                "several fields may hold the {role}: column {a:?}, column {b:?}; choose with --columns {option}=COLUMN"
            )))
        };
        let puzzles = several("puzzles", "a", "b", "puzzle");
        assert_eq!(decide_all(&["a", "b"], &["PP"]).0, puzzles);
        let answers = several("answers", "a", "b", "solution");
        assert_eq!(decide_all(&["puzzle", "a", "b"], &["PSS"]).1, answers);
    }

    #[test]
    fn the_documentation_has_every_rule() {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let docs = words(include_str!("../../../../../docs/input.md"));
        for rules in [&PUZZLE_RULES[..], &ANSWER_RULES] {
            for (number, rule) in (1..).zip(rules) {
                assert!(docs.contains(&format!("{number}. {rule}")), "{rule}");
            }
        }
    }

    #[test]
    fn full_grids_alone_are_puzzles_unless_their_name_says_otherwise() {
        assert_eq!(decide_all(&[], &["nS"]), fields(1, None));
        assert_eq!(decide_all(&[], &["SS"]), fields(0, Some(1)));
        let alone = decide_all(&["id", "solution"], &["nS"]).0;
        let why = "no puzzle found: the only grids are in column \"solution\", ";
        assert!(matches!(alone, Some(Err(text)) if text.starts_with(why)));
        assert_eq!(decide_all(&["puzzle", "answer"], &["tS"]).0, None);
    }
}
