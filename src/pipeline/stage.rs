//! The parts that a command puts into the pipeline.

use std::ops::{ControlFlow, Range, RangeInclusive};

/// What [`Source::fill`] did.
///
/// ```
/// use ninefold::pipeline::Filled;
///
/// // An input has ended.
/// let filled = |inputs_left: usize| if inputs_left > 0 { Filled::Nothing } else { Filled::End };
/// assert_eq!(filled(2), Filled::Nothing);
/// assert_eq!(filled(0), Filled::End);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The chunk is filled.
    Chunk,
    /// There is no chunk yet; ask again. A source says so between two inputs, so that a
    /// cancelled run does not open the next one.
    Nothing,
    /// There are no more chunks.
    End,
}

/// Cuts the input into chunks, on a separate thread.
///
/// ```
/// # use ninefold::pipeline::Chunk;
/// # use std::ops::Range;
/// # #[derive(Default)]
/// # struct Words(Vec<&'static str>);
/// # impl Chunk for Words {
/// #     fn size(&self) -> u64 { self.0.len() as u64 }
/// #     fn part_ends(&self) -> Vec<usize> { (1..=self.0.len()).collect() }
/// #     fn part(&self, range: Range<usize>) -> Self { Self(self.0[range].to_vec()) }
/// # }
/// use ninefold::pipeline::{Filled, Source};
/// use std::ops::RangeInclusive;
///
/// struct Repeat(&'static str);
///
/// impl Source for Repeat {
///     type Chunk = Words;
///     type Error = String;
///     fn sizes(&self) -> RangeInclusive<usize> {
///         1..=100
///     }
///     fn fill(&mut self, chunk: &mut Words, size: usize) -> Result<Filled, String> {
///         chunk.0 = vec![self.0; size];
///         Ok(Filled::Chunk)
///     }
/// }
///
/// let mut chunk = Words::default();
/// assert_eq!(Repeat("go").fill(&mut chunk, 3), Ok(Filled::Chunk));
/// assert_eq!(chunk.0, ["go", "go", "go"]);
/// ```
pub trait Source: Send {
    /// What a worker gets at a time.
    type Chunk: Chunk;

    /// Why there can be no more chunks.
    type Error: Send;

    /// The smallest and the largest size of a chunk, in the unit of [`Chunk::size`]. The first
    /// chunks have the smallest size.
    fn sizes(&self) -> RangeInclusive<usize>;

    /// At most so many chunks are under way at a time. Called before the first is filled.
    fn expect_slots(&mut self, slots: usize) {
        let _ = slots;
    }

    /// Fills the chunk with the next piece of the input, of about this size. It may block until
    /// there is one.
    ///
    /// # Errors
    /// The input cannot be read. All chunks before are worked on and taken.
    fn fill(&mut self, chunk: &mut Self::Chunk, size: usize) -> Result<Filled, Self::Error>;
}

/// A piece of the input, with its memory. It is filled again and again.
///
/// ```
/// use ninefold::pipeline::Chunk;
/// use std::ops::Range;
///
/// #[derive(Default)]
/// struct Words(Vec<&'static str>);
///
/// impl Chunk for Words {
///     fn size(&self) -> u64 {
///         self.0.len() as u64
///     }
///     fn part_ends(&self) -> Vec<usize> {
///         (1..=self.0.len()).collect()
///     }
///     fn part(&self, range: Range<usize>) -> Self {
///         Self(self.0[range].to_vec())
///     }
/// }
///
/// let words = Words(vec!["one", "two", "three"]);
/// assert_eq!(words.part_ends(), [1, 2, 3]);
/// assert_eq!(words.part(1..3).0, ["two", "three"]);
/// ```
pub trait Chunk: Default + Send {
    /// Its size, in any unit.
    fn size(&self) -> u64;

    /// Where its parts end: parts that can be worked on alone. They are used to find the part
    /// over which a worker panicked.
    fn part_ends(&self) -> Vec<usize>;

    /// The parts between two of these ends as a chunk of their own.
    #[must_use]
    fn part(&self, range: Range<usize>) -> Self;
}

/// Works on chunks. Each worker thread makes its own, so it may hold any memory.
///
/// ```
/// # use ninefold::pipeline::Chunk;
/// # use std::ops::Range;
/// # #[derive(Default)]
/// # struct Words(Vec<&'static str>);
/// # impl Chunk for Words {
/// #     fn size(&self) -> u64 { self.0.len() as u64 }
/// #     fn part_ends(&self) -> Vec<usize> { (1..=self.0.len()).collect() }
/// #     fn part(&self, range: Range<usize>) -> Self { Self(self.0[range].to_vec()) }
/// # }
/// use ninefold::pipeline::Work;
///
/// struct Letters;
///
/// impl Work for Letters {
///     type Chunk = Words;
///     type Output = usize;
///     type Error = String;
///     fn run(&mut self, chunk: &Words, output: &mut usize) -> Result<(), String> {
///         *output = chunk.0.iter().map(|word| word.len()).sum();
///         Ok(())
///     }
/// }
///
/// let mut letters = 0;
/// Letters.run(&Words(vec!["one", "three"]), &mut letters)?;
/// assert_eq!(letters, 8);
/// # Ok::<(), String>(())
/// ```
pub trait Work {
    /// What is worked on.
    type Chunk: Chunk;

    /// What comes of a chunk, with its memory. It is reused for another chunk.
    type Output: Default + Send;

    /// Why a chunk cannot be worked on.
    type Error: Send;

    /// Works on a chunk and replaces the output. The output depends on this chunk alone.
    ///
    /// # Errors
    /// The chunk cannot be worked on. The outputs of all chunks before are taken.
    fn run(&mut self, chunk: &Self::Chunk, output: &mut Self::Output) -> Result<(), Self::Error>;
}

/// Takes the outputs in the order of their chunks, on the calling thread.
///
/// ```
/// # use ninefold::pipeline::Chunk;
/// # use std::ops::Range;
/// # #[derive(Default)]
/// # struct Words(Vec<&'static str>);
/// # impl Chunk for Words {
/// #     fn size(&self) -> u64 { self.0.len() as u64 }
/// #     fn part_ends(&self) -> Vec<usize> { (1..=self.0.len()).collect() }
/// #     fn part(&self, range: Range<usize>) -> Self { Self(self.0[range].to_vec()) }
/// # }
/// use ninefold::pipeline::{Ordered, Panic};
/// use std::ops::ControlFlow;
///
/// /// Adds numbers up to a limit.
/// struct Sum(usize);
///
/// impl Ordered for Sum {
///     type Chunk = Words;
///     type Output = usize;
///     type Error = String;
///     fn take(&mut self, _: &mut Words, output: &mut usize) -> Result<ControlFlow<()>, String> {
///         self.0 += *output;
///         Ok(if self.0 < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
///     }
///     fn panicked(&mut self, panic: Panic<'_, Words>) -> String {
///         panic.message.to_owned()
///     }
/// }
///
/// let mut sum = Sum(0);
/// assert!(sum.take(&mut Words::default(), &mut 8)?.is_continue());
/// assert!(sum.take(&mut Words::default(), &mut 3)?.is_break());
/// # Ok::<(), String>(())
/// ```
pub trait Ordered {
    /// What was worked on.
    type Chunk: Chunk;

    /// What came of it.
    type Output;

    /// Why no more can be taken.
    type Error;

    /// Takes the output of the next chunk. `Break` ends the run: no more output is needed.
    ///
    /// # Errors
    /// The output cannot be taken. The run ends.
    fn take(
        &mut self,
        chunk: &mut Self::Chunk,
        output: &mut Self::Output,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// The error for a panic, which ends the run. All chunks before this one are taken. If a part
    /// is known, the parts before it are taken next.
    fn panicked(&mut self, panic: Panic<'_, Self::Chunk>) -> Self::Error;
}

/// A panic of the source or of a worker.
///
/// ```
/// # use ninefold::pipeline::Chunk;
/// # use std::ops::Range;
/// # #[derive(Default)]
/// # struct Words(Vec<&'static str>);
/// # impl Chunk for Words {
/// #     fn size(&self) -> u64 { self.0.len() as u64 }
/// #     fn part_ends(&self) -> Vec<usize> { (1..=self.0.len()).collect() }
/// #     fn part(&self, range: Range<usize>) -> Self { Self(self.0[range].to_vec()) }
/// # }
/// # use ninefold::pipeline::{Cancel, Error, Filled, Ordered, Panic, Pipeline, Source, Work};
/// # use std::ops::{ControlFlow, RangeInclusive};
/// # struct Once(bool);
/// # impl Source for Once {
/// #     type Chunk = Words;
/// #     type Error = String;
/// #     fn sizes(&self) -> RangeInclusive<usize> { 3..=3 }
/// #     fn fill(&mut self, chunk: &mut Words, _: usize) -> Result<Filled, String> {
/// #         chunk.0 = vec!["one", "bad", "two"];
/// #         Ok(if std::mem::replace(&mut self.0, true) { Filled::End } else { Filled::Chunk })
/// #     }
/// # }
/// # struct Check;
/// # impl Work for Check {
/// #     type Chunk = Words;
/// #     type Output = ();
/// #     type Error = String;
/// #     fn run(&mut self, chunk: &Words, _: &mut ()) -> Result<(), String> {
/// #         assert!(!chunk.0.contains(&"bad"), "found bad");
/// #         Ok(())
/// #     }
/// # }
/// # struct Stage;
/// # impl Ordered for Stage {
/// #     type Chunk = Words;
/// #     type Output = ();
/// #     type Error = String;
/// #     fn take(&mut self, _: &mut Words, _: &mut ()) -> Result<ControlFlow<()>, String> {
/// #         Ok(ControlFlow::Continue(()))
/// #     }
/// // In `Ordered::panicked` of a stage whose worker cannot work on "bad":
/// fn panicked(&mut self, panic: Panic<'_, Words>) -> String {
///     let part = panic.part.expect("a worker worked on the chunk");
///     format!("{}: {}", panic.chunk.0[part.start], panic.message)
/// }
/// # }
/// # let ended = Pipeline::default().run(Once(false), || Check, &mut Stage, &Cancel::default());
/// # let Err(Error::Failed(message)) = ended else { unreachable!() };
/// assert_eq!(message, "bad: found bad");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Panic<'a, C> {
    /// The chunk that was being filled or worked on.
    pub chunk: &'a C,
    /// The part of it that a worker cannot work on: all parts if none of them fails alone. `None`
    /// if no worker worked on the chunk.
    pub part: Option<Range<usize>>,
    /// The message of the panic.
    pub message: &'a str,
}
