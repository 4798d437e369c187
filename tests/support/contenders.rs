//! What the tests share: every engine at every level that it can run at here.

use ninefold::engine::lanes::SimdLevel;
use ninefold::engine::{Bounds, Engine, EngineKind};
use std::fmt;

/// An engine at a level.
#[derive(Clone, Copy)]
pub struct Contender {
    pub kind: EngineKind,
    pub level: SimdLevel,
}

impl Contender {
    pub fn build(self) -> Box<dyn Engine> {
        self.kind.build_bounded(self.level, Bounds::default())
    }

    /// Whether the engine takes the first blank, whatever it costs: the fastest of them needs
    /// 0.9 s (release build) for the 17 clues of Norvig's grid2, `dlx` under 0.1 s.
    pub fn is_plain(self) -> bool {
        self.kind == EngineKind::Scan
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            EngineKind::Lanes => write!(f, "lanes ({})", self.level),
            kind => write!(f, "{kind}"),
        }
    }
}

/// Every engine; `lanes`, which alone has a use for it, at every level of this CPU.
pub fn contenders() -> Vec<Contender> {
    let levels = |kind| SimdLevel::available().map(move |level| Contender { kind, level });
    let differ = |contender: &Contender| {
        contender.kind == EngineKind::Lanes || contender.level == SimdLevel::Portable
    };
    EngineKind::ALL.iter().copied().flat_map(levels).filter(differ).collect()
}

/// `lanes` at every level of this CPU.
pub fn lanes() -> Vec<Contender> {
    contenders().into_iter().filter(|contender| contender.kind == EngineKind::Lanes).collect()
}
