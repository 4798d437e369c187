//! Observed searches: a callback at each branch counts the search or ends it.
//!
//! Each engine's search is written once. `lanes` asks at each branch whether there is a callback; a
//! second search without that test would take a tenth of the time to build the crate. The others are
//! generic over an [`Observer`]. Solving uses [`Unobserved`], which the compiler removes. The cost for
//! solving, by callgrind: 0.5 to 1.9 % more with `mrv`, 0.4 % with `candidates`.
#![forbid(unsafe_code)]

use core::ops::ControlFlow;

/// A callback at each board where a search has two or more choices. `ControlFlow::Break` ends the
/// search.
///
/// ```
/// use ninefold_core::engine::EngineKind;
/// use ninefold_core::puzzle::Grid;
/// use std::ops::ControlFlow;
///
/// let mut branches = 0;
/// EngineKind::Mrv.build().each_solution_observed(
///     &Grid::EMPTY.into(),
///     &mut |_| ControlFlow::Break(()),
///     &mut || {
///         branches += 1;
///         ControlFlow::Continue(())
///     },
/// );
/// assert!(branches > 0);
/// ```
pub type Branch<'a> = dyn FnMut() -> ControlFlow<()> + 'a;

/// Receives the branches of a search.
pub(super) trait Observer {
    /// The search is at a board with this number of choices.
    fn on_branch(&mut self, choices: impl FnOnce() -> usize) -> ControlFlow<()>;
}

/// The observer of a search that only solves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unobserved;

impl Observer for Unobserved {
    #[expect(clippy::inline_always, reason = "a call would stand alone in the kernel of lanes")]
    #[inline(always)]
    fn on_branch(&mut self, _: impl FnOnce() -> usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for &mut Branch<'_> {
    fn on_branch(&mut self, choices: impl FnOnce() -> usize) -> ControlFlow<()> {
        if choices() > 1 { self() } else { ControlFlow::Continue(()) }
    }
}
