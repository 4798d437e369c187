//! The layout of JSON objects: the keys that the rules choose.

use super::detector::Detector;
use super::evidence::Evidence;
use super::explain::NoPuzzle;
use super::header::position;
use super::line::object_values;
use super::refusal::{key_name, refuse_answers};
use super::rules::{ANSWER_RULES, Case, Choice, PUZZLE_RULES, decide};
use super::sample::records_of;
use super::shape::{Column, Layout, Shape};
use crate::input::json;

impl Detector<'_> {
    pub(super) fn objects(&mut self) -> Result<Layout, NoPuzzle> {
        let (mut keys, mut evidence) = (Vec::<String>::new(), Evidence::default());
        let mut first_keys = None;
        let heads: Vec<_> = self.records().collect();
        let others = records_of(&self.samples);
        for line in heads.into_iter().chain(others) {
            let values = object_values(line, &self.hints.blanks);
            let mut row = Vec::with_capacity(values.len());
            for (key, value) in values {
                let place = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                    keys.push(key);
                    keys.len() - 1
                });
                row.push((place, value));
            }
            evidence.add(row.len(), &row);
            if first_keys.is_none() && row.iter().any(|(_, it)| it.is_open() || it.is_full()) {
                let object = json::object(line).unwrap_or_default();
                let members = object.members();
                first_keys = Some(members.iter().map(|(key, _)| (*key).to_owned()).collect());
            }
        }
        evidence.complete(keys.len());
        let told = |column: &Option<Column>| match column {
            Some(Column::Name(name)) => position(&keys, &[name]),
            _ => None,
        };
        let (told_puzzle, told_solution) = (told(&self.hints.puzzle), told(&self.hints.solution));
        if self.hints.puzzle.is_some() && told_puzzle.is_none() {
            return Err(self.refuse_field(None));
        }
        if self.hints.solution.is_some() && told_solution.is_none() {
            return Err(self.refuse_solution());
        }
        let names = &keys;
        let takes_answers = self.hints.full_grids;
        let case = Case {
            evidence: &evidence,
            names,
            told_puzzle,
            told_solution,
            has_keys: true,
            takes_answers,
        };
        let puzzle_rule = decide(&PUZZLE_RULES, &case, 0);
        let Some((number, Choice::Field(puzzle))) = puzzle_rule else {
            let choice = puzzle_rule.map(|(_, choice)| choice);
            self.show_fields(&evidence, |field| key_name(&keys, field), (None, None));
            return Err(self.refuse_choice(choice, |field| key_name(&keys, field), &keys, "KEY"));
        };
        let (answer_number, answers) =
            decide(&ANSWER_RULES, &case, puzzle).unwrap_or((ANSWER_RULES.len(), Choice::None));
        let solution = match answers {
            Choice::Field(field) => Some(field),
            Choice::Several(several) if self.needs_answers() => {
                let name = |field| key_name(&keys, field);
                self.show_fields(&evidence, name, (Some(puzzle), None));
                return Err(refuse_answers(&several, name, "KEY"));
            }
            _ => None,
        };
        self.show_fields(&evidence, |field| key_name(&keys, field), (Some(puzzle), solution));
        self.show_rules(number, answer_number);
        let shape = Shape::Objects {
            puzzle: keys[puzzle].clone(),
            solution: solution.map(|field| keys[field].clone()),
        };
        let mut layout = self.finish(shape, None);
        layout.names = first_keys.unwrap_or_default();
        layout.sampled = self.sampled(&evidence, solution);
        Ok(layout)
    }
}
