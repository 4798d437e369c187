//! A step of a solution: what it says, and the same in a plain sentence.

use super::pattern::Pattern;
use super::score::{Score, Technique};
use super::tables::{BOXES, COLUMNS, HOUSES, bits, cells_of};
use crate::puzzle::{Cell, CellSet, Digit, DigitSet, House};
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// A cell and a digit that it may hold.
///
/// ```
/// use ninefold_core::difficulty::Candidate;
/// use ninefold_core::puzzle::{Cell, Digit};
///
/// let candidate = Candidate { cell: Cell::new(10), digit: Digit::ALL[6] };
/// assert_eq!(candidate.to_string(), "r2c2=7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The cell that may hold the digit.
    pub cell: Cell,
    /// The digit that may be in the cell.
    pub digit: Digit,
}

impl Candidate {
    /// The candidate of a cell and a digit of 0 to 8.
    pub(super) fn of(cell: u8, digit: u8) -> Self {
        Self { cell: Cell::new(usize::from(cell)), digit: Digit::ALL[usize::from(digit)] }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", CellText(self.cell), self.digit)
    }
}

/// A node of a chain: a candidate that is true or false.
///
/// ```
/// use ninefold_core::difficulty::{Candidate, Node};
/// use ninefold_core::puzzle::{Cell, Digit};
///
/// let candidate = Candidate { cell: Cell::new(10), digit: Digit::ALL[6] };
/// assert_eq!(Node { candidate, is_on: false, inner: None }.to_string(), "r2c2<>7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// The candidate that is true or false.
    pub candidate: Candidate,
    /// Whether it is true.
    pub is_on: bool,
    /// The technique that makes it false once candidates before it are gone; else it follows by itself.
    pub inner: Option<Inner>,
}

impl Node {
    pub(super) fn new(cell: u8, digit: u8, is_on: bool) -> Self {
        Self { candidate: Candidate::of(cell, digit), is_on, inner: None }
    }
}

/// `r2c2<>7`; with the inner technique `r2c2<>7[pointing]`, and with its chains
/// `r2c2<>7[forcing-chain:r2c2=7;r2c5<>7;r3c5=7;r2c2<>7]`, a bar between chains.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Candidate { cell, digit } = self.candidate;
        write!(f, "{}{}{digit}", CellText(cell), if self.is_on { "=" } else { "<>" })?;
        let Some(Inner { technique, chains }) = &self.inner else { return Ok(()) };
        write!(f, "[{technique}")?;
        let mut between = ':';
        for chain in chains {
            for node in chain {
                write!(f, "{between}{node}")?;
                between = ';';
            }
            between = '|';
        }
        f.write_char(']')
    }
}

/// A technique inside a chain: it removes a candidate if those before the node are gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inner {
    /// The technique: locked candidates, a pair, an X-wing, or chains.
    pub technique: Technique,
    /// Its chains, as [`Step::chains`].
    pub chains: Vec<Vec<Node>>,
}

/// One use of a technique. [`Steps`](super::Steps) has an example.
///
/// Its text is a plain sentence: `X-Wing: 4 in rows 2 and 7 must be in columns 3 and 8; remove 4 from
/// r5c3`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The technique that finds it.
    pub technique: Technique,
    /// Its score on the scale of Sudoku Explainer.
    pub score: Score,
    /// The cells that it is about: those of a pair, a fish, a wing, a loop; all cells of chains.
    pub cells: CellSet,
    /// The digits that it is about: those of a pair, a fish, a loop; all digits of chains.
    pub digits: DigitSet,
    /// The houses of a single, a set or a fish.
    pub houses: Vec<House>,
    /// The houses in which the digit of locked candidates or of a fish must be.
    pub covers: Vec<House>,
    /// The digit that it places. This also removes the digit from all cells that the cell sees.
    pub placement: Option<Candidate>,
    /// The candidates that it removes, if it places no digit.
    pub eliminations: Vec<Candidate>,
    /// The chains that prove it. Each begins with an assumption, and each of its other nodes follows
    /// from one or several nodes before it. A cycle is one chain from its start to the last node before it.
    pub chains: Vec<Vec<Node>>,
}

impl Step {
    pub(super) fn new(technique: Technique, tenths: u8, pattern: Pattern) -> Self {
        Self {
            technique,
            score: Score::Tenths(tenths),
            cells: cells_of(pattern.cells).map(Cell::new).collect(),
            digits: DigitSet::from_bits(pattern.digits),
            houses: houses_of(pattern.houses),
            covers: houses_of(pattern.covers),
            placement: None,
            eliminations: Vec::new(),
            chains: Vec::new(),
        }
    }

    /// Takes cells and digits from the chains.
    pub(super) fn set_chains(&mut self, chains: Vec<Vec<Node>>) {
        for node in chains.iter().flatten() {
            self.cells.insert(node.candidate.cell);
            self.digits.insert(node.candidate.digit);
        }
        self.chains = chains;
    }

    /// The candidates that cells had before and do not have now.
    pub(super) fn set_eliminations(&mut self, before: &[u16; 81], now: &[u16; 81]) {
        #[expect(clippy::cast_possible_truncation, reason = "cells are below 81, digits below 9")]
        let of = |(cell, (before, now)): (usize, (&u16, &u16))| {
            bits(before & !now).map(move |digit| Candidate::of(cell as u8, digit as u8))
        };
        self.eliminations = before.iter().zip(now).enumerate().flat_map(of).collect();
    }

    /// Why it is right.
    fn reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Technique as T;
        let cells = list(self.cells.cells().map(CellText));
        let digits = list(self.digits);
        let (houses, covers) = (HouseText(&self.houses), HouseText(&self.covers));
        match self.technique {
            T::LastCell => write!(f, "{cells} is the last empty cell of {houses}"),
            T::HiddenSingleBox | T::HiddenSingleLine => {
                write!(f, "{digits} in {houses} can only be in {cells}")
            }
            T::NakedSingle | T::NakedPair | T::NakedTriplet | T::NakedQuad => {
                write!(f, "{cells} can only hold {digits}")
            }
            T::DirectPointing
            | T::DirectClaiming
            | T::Pointing
            | T::Claiming
            | T::XWing
            | T::Swordfish
            | T::Jellyfish => write!(f, "{digits} in {houses} must be in {covers}"),
            T::DirectHiddenPair
            | T::DirectHiddenTriplet
            | T::HiddenPair
            | T::HiddenTriplet
            | T::HiddenQuad => write!(f, "{digits} in {houses} must be in {cells}"),
            T::XyWing | T::XyzWing => {
                let digits = self.eliminations.iter().map(|it| it.digit);
                let digits = digits.fold(DigitSet::EMPTY, |set, it| set.union(DigitSet::of(it)));
                write!(f, "one of {cells} must hold {}", list(digits))
            }
            T::UniqueRectangle | T::UniqueLoop => {
                write!(f, "{digits} alone in {cells} would allow two solutions")
            }
            T::BivalueGrave => {
                write!(f, "without {digits} in {cells}, every cell would have two candidates")
            }
            T::AlignedPairExclusion | T::AlignedTripletExclusion => {
                write!(f, "cells that {cells} see exclude all combinations with the digits removed")
            }
            _ => write!(f, "{}", ChainText(&self.chains)),
        }
    }
}

/// `X-Wing: 4 in rows 2 and 7 must be in columns 3 and 8; remove 4 from r5c3`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", TechniqueText(self.technique.name()))?;
        self.reason(f)?;
        if let Some(Candidate { cell, digit }) = self.placement {
            return write!(f, "; place {digit} in {}", CellText(cell));
        }
        let mut between = "; remove";
        for digit in Digit::ALL {
            let cells = self.eliminations.iter().filter(|it| it.digit == digit);
            let mut cells = cells.map(|it| CellText(it.cell)).peekable();
            if cells.peek().is_some() {
                write!(f, "{between} {digit} from {}", list(cells))?;
                between = ",";
            }
        }
        Ok(())
    }
}

/// The houses of a set.
fn houses_of(set: u32) -> Vec<House> {
    let house = |house| match house {
        0..COLUMNS => House::Row(house),
        COLUMNS..BOXES => House::Column(house - COLUMNS),
        _ => House::Box(house - BOXES),
    };
    (0..HOUSES).filter(|house| set >> house & 1 != 0).map(house).collect()
}

/// A technique as a title: `Hidden Pair`, `X-Wing`, `Forcing X-Chain`.
struct TechniqueText(&'static str);

impl fmt::Display for TechniqueText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = None;
        for word in self.0.split('-') {
            if let Some(between) = between {
                f.write_char(between)?;
            }
            let is_letters = word.bytes().all(|letter| b"xyz".contains(&letter));
            between = Some(if is_letters { '-' } else { ' ' });
            for (place, letter) in word.chars().enumerate() {
                let is_upper = place == 0 || is_letters;
                f.write_char(if is_upper { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }
}

/// A cell as `r5c3`.
#[derive(Clone, Copy)]
struct CellText(Cell);

impl fmt::Display for CellText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.0.row() + 1, self.0.column() + 1)
    }
}

/// Chains as `if r5c3 is 4, then r5c7 is not 4 and r6c7 is 4; if …`.
struct ChainText<'a>(&'a [Vec<Node>]);

impl fmt::Display for ChainText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, chain) in self.0.iter().enumerate() {
            f.write_str(if place > 0 { "; " } else { "" })?;
            let Some((start, rest)) = chain.split_first() else { continue };
            write!(f, "if {}, then {}", NodeText(start), list(rest.iter().map(NodeText)))?;
        }
        Ok(())
    }
}

/// A node as `r5c3 is 4`, or as `r5c3 is not 4 (Forcing Chain: if …)`.
#[derive(Clone, Copy)]
struct NodeText<'a>(&'a Node);

impl fmt::Display for NodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Node { candidate: Candidate { cell, digit }, is_on, inner } = self.0;
        write!(f, "{} is {}{digit}", CellText(*cell), if *is_on { "" } else { "not " })?;
        let Some(Inner { technique, chains }) = inner else { return Ok(()) };
        let between = if chains.is_empty() { "" } else { ": " };
        write!(f, " ({}{between}{})", TechniqueText(technique.name()), ChainText(chains))
    }
}

/// Houses of one kind: `row 2`, `rows 2 and 7`.
struct HouseText<'a>(&'a [House]);

impl fmt::Display for HouseText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, ending) = match self.0 {
            [] => return Ok(()),
            [house] => return write!(f, "{house}"),
            [House::Row(_), ..] => ("row", "s"),
            [House::Column(_), ..] => ("column", "s"),
            [House::Box(_), ..] => ("box", "es"),
        };
        let number = |house: &House| match *house {
            House::Row(number) | House::Column(number) | House::Box(number) => number + 1,
        };
        write!(f, "{kind}{ending} {}", list(self.0.iter().map(number)))
    }
}

/// Things as `1`, `1 and 2`, `1, 2 and 3`.
struct ListText<I>(I);

fn list<I: IntoIterator>(things: I) -> ListText<I::IntoIter> {
    ListText(things.into_iter())
}

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for ListText<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut things = self.0.clone().peekable();
        let mut between = "";
        while let Some(thing) = things.next() {
            let is_last = things.peek().is_none() && !between.is_empty();
            f.write_str(if is_last { " and " } else { between })?;
            write!(f, "{thing}")?;
            between = ", ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_step_is_a_plain_sentence() {
        let pattern = Pattern {
            cells: 1 << 11 | 1 << 16 | 1 << 56 | 1 << 61,
            digits: 1 << 3,
            houses: 1 << 1 | 1 << 6,
            covers: 1 << (COLUMNS + 2) | 1 << (COLUMNS + 7),
        };
        let mut step = Step::new(Technique::XWing, 32, pattern);
        let (mut before, now) = ([0; 81], [0; 81]);
        before[38] = 1 << 3;
        step.set_eliminations(&before, &now);
        let expected = "X-Wing: 4 in rows 2 and 7 must be in columns 3 and 8; remove 4 from r5c3";
        assert_eq!(step.to_string(), expected);
    }

    #[test]
    fn a_node_says_what_it_follows_from() {
        let node = |cell, is_on| Node::new(cell, 6, is_on);
        let chain = |cells: [u8; 3]| Vec::from(cells.map(|cell| node(cell, cell > 10)));
        let with = |technique, chains| Node {
            inner: Some(Inner { technique, chains }),
            ..node(10, false)
        };
        let pointing = with(Technique::Pointing, Vec::new());
        assert_eq!(pointing.to_string(), "r2c2<>7[pointing]");
        assert_eq!(NodeText(&pointing).to_string(), "r2c2 is not 7 (Pointing)");
        let chains =
            with(Technique::MultipleForcingChain, [chain([11, 2, 10]), chain([12, 3, 10])].into());
        let expected =
            "r2c2<>7[multiple-forcing-chain:r2c3=7;r1c3<>7;r2c2<>7|r2c4=7;r1c4<>7;r2c2<>7]";
        assert_eq!(chains.to_string(), expected);
        let expected = "r2c2 is not 7 (Multiple Forcing Chain: if r2c3 is 7, then r1c3 is not 7 and r2c2 is not 7; \
                        if r2c4 is 7, then r1c4 is not 7 and r2c2 is not 7)";
        assert_eq!(NodeText(&chains).to_string(), expected);
        let nested =
            with(Technique::DynamicForcingChain, [[node(11, true), pointing].into()].into());
        assert_eq!(nested.to_string(), "r2c2<>7[dynamic-forcing-chain:r2c3=7;r2c2<>7[pointing]]");
    }

    #[test]
    fn techniques_have_titles() {
        for (technique, title) in [
            (Technique::XyzWing, "XYZ-Wing"),
            (Technique::ForcingXChain, "Forcing X-Chain"),
            (Technique::BidirectionalYCycle, "Bidirectional Y-Cycle"),
            (Technique::DynamicForcingChainPlus, "Dynamic Forcing Chain Plus"),
        ] {
            assert_eq!(TechniqueText(technique.name()).to_string(), title);
        }
    }
}
