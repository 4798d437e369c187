//! Verdicts in the order of the lines: what came before is known here, so duplicates are found,
//! answers of another file put beside their puzzles, records written and all of it counted.
//!
//! ```text
//! verdicts of a chunk ──> answers ──> duplicates ──> records, counts
//!                         the next     table, spool
//!                         of the file
//! ```

use super::answers::Answers;
use super::report::{Judged, What};
use super::worker::Verdicts;
use super::{FindingSet, Verify};
use crate::Status;
use crate::batch::work::InOrder;
use crate::batch::{Error, Output};
use crate::input::{Chunk, Columns, Given};
use crate::puzzle::answer;
use crate::verify::{Duplicates, GRID_BYTES, Packed, SUKAKU_BYTES, Spool, Tally};
use std::sync::Arc;

/// Bits of a spool's note that say the line; those above say the input.
const LINE_BITS: u32 = 44;

/// The puzzles of one kind so far.
struct Seen<const BYTES: usize> {
    table: Duplicates<BYTES>,
    spool: Spool<BYTES>,
}

impl<const BYTES: usize> Seen<BYTES> {
    fn new() -> Result<Self, Error> {
        Ok(Self { table: Duplicates::new(), spool: Spool::new(None).map_err(Error::Spool)? })
    }

    /// Appends for each puzzle the number of the first that is the same. Its note is to be kept
    /// before the next ones come.
    fn find(
        &mut self,
        puzzles: &[Packed<BYTES>],
        first: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        self.table.find(puzzles, &mut self.spool, first).map_err(Error::Duplicates)
    }

    fn note(&mut self, number: u32) -> Result<u64, Error> {
        self.spool.get(number).map(|(_, note)| note).map_err(Error::Spool)
    }
}

/// Puts verdicts together.
pub(super) struct Collector {
    verify: Verify,
    names: Vec<Arc<str>>,
    answers: Option<Answers>,
    /// Grids and sukakus are looked for among their own.
    duplicates: Option<(Seen<GRID_BYTES>, Seen<SUKAKU_BYTES>)>,
    columns: Columns,
    /// Each input, in their order.
    pub(super) tallies: Vec<Tally>,
    /// Answers that have no puzzle.
    pub(super) left_over: u64,
    /// For the chunk at hand: the number of the first puzzle that is the same.
    first: Vec<Option<u32>>,
    /// And the line of its answer in the other file.
    answer_lines: Vec<Option<u64>>,
}

impl Collector {
    pub(super) fn new(
        verify: &Verify,
        names: Vec<Arc<str>>,
        answers: Option<Answers>,
    ) -> Result<Self, Error> {
        let duplicates = if verify.duplicates { Some((Seen::new()?, Seen::new()?)) } else { None };
        let tallies = vec![Tally::default(); names.len()];
        Ok(Self {
            verify: verify.clone(),
            names,
            answers,
            duplicates,
            columns: Columns::new(),
            tallies,
            left_over: 0,
            first: Vec::new(),
            answer_lines: Vec::new(),
        })
    }

    /// Bytes of the table of duplicates.
    pub(super) fn table_bytes(&self) -> Option<usize> {
        let bytes = self.duplicates.as_ref();
        bytes.map(|(grids, sukakus)| grids.table.bytes() + sukakus.table.bytes())
    }

    /// Finds which puzzles of a chunk came before.
    fn find_duplicates(
        &mut self,
        input: usize,
        lines_before: u64,
        found: &Verdicts,
    ) -> Result<(), Error> {
        self.first.clear();
        let Some((grids, sukakus)) = &mut self.duplicates else { return Ok(()) };
        let (packed, of_sukakus) = &found.packed;
        grids.find(packed, &mut self.first)?;
        sukakus.find(of_sukakus, &mut self.first)?;
        for &(line, index) in &found.order {
            let note = (input as u64) << LINE_BITS | (lines_before + line);
            let kept = match index.checked_sub(packed.len()) {
                None => grids.spool.push(&packed[index], note),
                Some(index) => sukakus.spool.push(&of_sukakus[index], note),
            };
            kept.map_err(Error::Spool)?;
        }
        Ok(())
    }

    /// Puts the next answers beside the puzzles of a chunk.
    fn take_answers(&mut self, found: &mut Verdicts) -> Result<(), Error> {
        let Some(answers) = &mut self.answers else { return Ok(()) };
        let mut malformed = found.malformed.iter().map(|(before, ..)| *before).peekable();
        found.given.resize(found.grids.len(), Given::Missing);
        self.answer_lines.clear();
        self.answer_lines.resize(found.grids.len(), None);
        let grids = found.grids.len() - found.sukakus.len();
        for (place, &(_, index)) in found.order.iter().enumerate() {
            // A malformed puzzle has its answer, too.
            while malformed.next_if(|&before| before <= place).is_some() {
                answers.next()?;
            }
            let (line, given) = answers.next()?.unzip();
            let given = given.unwrap_or(Given::Missing);
            if let Given::Cells(answer) = &given {
                let checked = match index.checked_sub(grids) {
                    None => answer::check_answer(&found.grids[index], answer),
                    Some(index) => answer::check_answer_of(&found.sukakus[index], answer),
                };
                found.judged[index].answer = Some(checked);
            }
            found.given[index] = given;
            self.answer_lines[index] = line;
        }
        for _ in malformed {
            answers.next()?;
        }
        Ok(())
    }

    /// Writes and counts a malformed line.
    fn malformed(
        &mut self,
        input: usize,
        place: usize,
        chunk: &Chunk,
        lines_before: u64,
        found: &Verdicts,
        bytes: &mut Vec<u8>,
    ) {
        let (_, line, error, range) = &found.malformed[place];
        let text = self.columns.puzzle(chunk.layout(), &chunk.bytes()[range.clone()]).into_owned();
        let judged = Judged {
            name: &self.names[input],
            line: lines_before + line,
            what: What::Malformed { error, text: &text },
            first: None,
        };
        self.write(&judged, false, bytes);
        self.tallies[input].puzzles += 1;
        self.tallies[input].statuses[Status::Malformed] += 1;
    }

    fn write(&self, judged: &Judged, no_answer: bool, bytes: &mut Vec<u8>) -> FindingSet {
        let Verify { checks, manner, .. } = &self.verify;
        let several = self.names.len() > 1 || self.answers.is_some();
        judged.write(manner, &checks.clues, several, no_answer, bytes)
    }
}

impl InOrder for Collector {
    fn take(
        &mut self,
        input: usize,
        chunk: &Chunk,
        lines_before: u64,
        output: &mut Output,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let found = &mut output.verdicts;
        self.take_answers(found)?;
        self.find_duplicates(input, lines_before, found)?;
        self.tallies[input] += found.passed.clone();
        let expects_answers = self.answers.is_some() || chunk.layout().has_solutions();
        let all_are_told = !self.verify.tells_faults_alone();
        let grids = found.grids.len() - found.sukakus.len();
        let mut malformed = 0;
        for (place, &(line, index)) in found.order.iter().enumerate() {
            let verdict = &found.judged[index];
            while found.malformed.get(malformed).is_some_and(|(before, ..)| *before <= place) {
                self.malformed(input, malformed, chunk, lines_before, found, bytes);
                malformed += 1;
            }
            let given = found.given.get(index).unwrap_or(&Given::Missing);
            let first = self.first.get(index).copied().flatten();
            let no_answer = expects_answers && *given == Given::Missing;
            let tally = &mut self.tallies[input];
            tally.add(verdict);
            tally.unanswered += u64::from(no_answer);
            tally.wrong += u64::from(matches!(given, Given::Malformed(_)));
            tally.duplicates += u64::from(first.is_some());
            tally.sukakus += u64::from(index >= grids);
            let fine = verdict.passes()
                && first.is_none()
                && !no_answer
                && !matches!(given, Given::Malformed(_));
            tally.passed += u64::from(fine);
            if fine && !all_are_told {
                continue;
            }
            let pair = found.pairs.binary_search_by_key(&index, |(index, _)| *index);
            let pair = pair.ok().map(|place| &found.pairs[place].1[..]);
            let first = match (first, &mut self.duplicates) {
                (Some(number), Some((in_grids, in_sukakus))) => {
                    let is_grid = index < grids;
                    let note =
                        if is_grid { in_grids.note(number) } else { in_sukakus.note(number) }?;
                    let name = usize::try_from(note >> LINE_BITS).unwrap_or(usize::MAX);
                    let name = self.names.get(name).map_or("?", |name| name);
                    Some((Arc::<str>::from(name), note & ((1 << LINE_BITS) - 1)))
                }
                _ => None,
            };
            let answer_line = self.answer_lines.get(index).copied().flatten();
            let answers = self.answers.as_ref().map(|answers| &**answers.name());
            let judged = Judged {
                name: &self.names[input],
                line: lines_before + line,
                what: What::Puzzle {
                    grid: &found.grids[index],
                    verdict,
                    given,
                    answer_at: answers.zip(answer_line),
                    sukaku: index.checked_sub(grids).map(|index| &found.sukakus[index]),
                    pair,
                },
                first: first.as_ref().map(|(name, line)| (&**name, *line)),
            };
            self.write(&judged, no_answer, bytes);
        }
        for place in malformed..found.malformed.len() {
            self.malformed(input, place, chunk, lines_before, found, bytes);
        }
        Ok(())
    }

    /// Answers that are left over have no puzzle.
    fn end(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let Some(answers) = &mut self.answers else { return Ok(()) };
        let mut first = None;
        while let Some((line, _)) = answers.next()? {
            first.get_or_insert(line);
            self.left_over += 1;
        }
        let (name, count) = (Arc::clone(answers.name()), self.left_over);
        if let Some(line) = first {
            let judged = Judged { name: &name, line, what: What::LeftOver(count), first: None };
            self.write(&judged, false, bytes);
        }
        Ok(())
    }
}
