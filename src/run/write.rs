//! The run of a command over inputs.

use super::checkpoint::tail_after;
use super::command::Command;
use super::counts::Counts;
use super::error::Error;
use super::inputs::{Feed, Inputs, Names, Piece};
use super::output::Output;
use super::report::Report;
use super::rows::{Memory, Rows, Writing};
use super::stage::Stage;
use super::turn::Passing;
use crate::input::{Puzzles, Source};
use crate::output::{Sink, Transaction};
use crate::pipeline::{Control, Filled, Given, HandOver, Pipeline};
use serde_json::Value;
use std::ops::ControlFlow;

/// How a command is run.
///
/// See the example of the [crate].
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// How records are written, and which.
    pub writing: Writing,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Run {
    /// Writes the records of all puzzles of the sources, in their order, to one sink. The columns are
    /// those of the command.
    ///
    /// # Errors
    /// See [`Error`]. Puzzles without an answer are no errors: they are counted in the report.
    pub fn to<C: Command<Kept = ()>>(
        mut self,
        sink: Sink,
        command: &C,
        sources: Vec<Source>,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        self.writing.style.columns = command.columns(self.writing.style.format);
        self.writing.style.input_names = sources.len() > 1;
        let mut output = Transaction::from(sink);
        let report = self.in_order(command, sources, &mut output, control)?;
        output.commit(|_, _| String::new())?;
        Ok(report)
    }

    /// Writes the records of all puzzles into a transaction, which the caller commits or suspends. If it
    /// is resumed, the sources are read from its checkpoint on.
    ///
    /// # Errors
    /// See [`Error`].
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime")]
    pub fn in_order<C: Command>(
        &self,
        command: &C,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        self.write(command, sources, Inputs::fill, output, control, |taken| taken.write())
    }

    /// As [`in_order`](Self::in_order), with a step in input order.
    ///
    /// `fill` fills a chunk from the inputs: [`Inputs::fill`] in most commands. `take` writes the
    /// output of each chunk in input order: [`Taken::write`] as it is. `Break`
    /// ends the run: no more is needed.
    ///
    /// # Errors
    /// See [`Error`].
    pub(crate) fn write<C, F>(
        &self,
        command: &C,
        sources: Vec<Source>,
        fill: F,
        output: &mut Transaction,
        control: Control<'_>,
        mut take: impl FnMut(&mut Taken<'_, C::Kept>) -> Result<ControlFlow<()>, Error> + Send,
    ) -> Result<Report, Error>
    where
        C: Command,
        F: FnMut(&mut Inputs, &mut Piece, usize) -> Result<Filled, Error> + Send + 'static,
    {
        let (writing, zero) = (&self.writing, Counts::new(command.counts()));
        let want = command.want(writing);
        let cancel = control.cancel().clone();
        output.write_preamble(0, &writing.style.preamble())?;
        let work = output.work();
        let names = Names::of(&sources);
        let (mut stage, rest) = Stage::of_inputs(sources, &zero, output, control)?;
        let (numbering, passing) = (stage.numbering(&names), Passing::new(&cancel));
        let mut last_bytes = vec![Vec::new(); rest.len()];
        let source = Feed { inputs: Inputs::new(rest, want), fill };
        let make = &|| {
            let (mut worker, mut memory) = (command.worker(), Memory::default());
            let mut puzzles = Puzzles::keeping(want);
            let (names, zero, numbering, passing) = (&names, &zero, &numbering, &passing);
            move |piece: &mut Piece, output: &mut Output<_>, hand_over: HandOver<'_, _>| {
                output.restart(zero);
                output.input = piece.input;
                let turn = passing.turn(piece.number);
                piece.chunk.load();
                let flow = names.read(piece, |chunk| {
                    output.counts.bytes = piece.chunk.input_bytes();
                    let name = names.get(piece.input);
                    let mut rows = Rows::new(writing, Some(*chunk), name, &mut memory, output);
                    rows.puzzles = Some(&mut puzzles);
                    rows.hand_over = Some(hand_over);
                    rows.turn = Some((numbering, &turn));
                    let flow = worker(chunk, &mut rows);
                    rows.pass();
                    rows.failed.take().map_or(Ok(flow), Err)
                })??;
                if flow.is_continue() {
                    turn.end();
                }
                Ok(flow)
            }
        };
        let chunk_size = self.pipeline.chunk_size.or(Some(command.chunk_bytes()));
        let ran = Pipeline { chunk_size, ..self.pipeline }.run(
            source,
            make,
            |given: Given<'_, Piece, Output<_>>| match given {
                Given::Chunk(piece, output) => {
                    if !output.records.is_empty() {
                        stage.writes();
                    }
                    let (input, puzzles) = (piece.input, stage.counts().puzzles);
                    let Stage { output: to, state, .. } = &mut stage;
                    let names = &names;
                    let answer = &mut |piece: &mut Piece, output: &mut Output<_>| {
                        let flow = make()(piece, output, &mut |_| ControlFlow::Break(()))?;
                        let is_stopped = flow.is_break() || cancel.is_abandoned();
                        if is_stopped { Err(Error::Stopped { puzzles }) } else { Ok(()) }
                    };
                    let mut taken = Taken { output, names, piece, answer, to, state };
                    let flow = take(&mut taken)?;
                    let tail = piece.chunk.read(|chunk| {
                        stage.look_at(chunk, &output.counts);
                        tail_after(&mut last_bytes[input], chunk)
                    });
                    stage.add(output)?;
                    stage.checkpoint(input, tail.map_err(|cause| names.failed(input, cause))?)?;
                    // The next chunk in this memory begins elsewhere.
                    output.place = None;
                    let failed = piece.chunk.failed.take().filter(|_| flow.is_continue());
                    failed.map_or(Ok(flow), |cause| Err(names.failed(input, cause)))
                }
                // A later run that continues makes it again.
                Given::Part(part) => {
                    stage.writes();
                    part.write(stage.output)?;
                    stage.wait()
                }
                Given::Nothing => stage.wait(),
            },
            work,
            &cancel,
            &passing.times,
        );
        let place = |piece: Piece| (piece.input, piece.lines());
        ran.map_err(|stop| stage.error(stop, place))?;
        Ok(stage.report(&self.pipeline, passing.times))
    }
}

/// Replaces the output of a chunk.
type AnswerAgain<'a, K> = &'a mut dyn FnMut(&mut Piece, &mut Output<K>) -> Result<(), Error>;

/// The output of a chunk, in input order.
pub(crate) struct Taken<'a, K> {
    /// The records and counts, and what the worker kept.
    pub(crate) output: &'a mut Output<K>,
    /// The names of the inputs.
    pub(crate) names: &'a Names,
    /// The chunk.
    pub(crate) piece: &'a mut Piece,
    /// Answers the chunk as a worker does.
    answer: AnswerAgain<'a, K>,
    /// The outputs of the run.
    pub(crate) to: &'a mut Transaction,
    /// What a later run needs to continue after this chunk, besides counts.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "`neighbors` reads it"))]
    pub(crate) state: &'a mut Value,
}

impl<K> Taken<'_, K> {
    /// The record that reaches this byte of the chunk is the last one that is needed. What is behind it was
    /// read ahead: the chunk is answered again without it, so that it counts nowhere.
    ///
    /// # Errors
    /// The input was shortened meanwhile, or the run is cancelled.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "`select` and `neighbors` need it")
    )]
    pub(crate) fn end_behind(&mut self, byte: usize) -> Result<(), Error> {
        let Piece { chunk, input, .. } = &mut *self.piece;
        let is_cut = chunk.end_behind(byte).map_err(|cause| self.names.failed(*input, cause))?;
        if is_cut { (self.answer)(self.piece, self.output) } else { Ok(()) }
    }

    /// Writes the records and rejects as they are.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn write(&mut self) -> Result<ControlFlow<()>, Error> {
        self.output.write(self.to)?;
        Ok(ControlFlow::Continue(()))
    }
}
