//! The columns of a result while it is made.

/// Texts. An empty one is none.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    pub(super) bytes: Vec<u8>,
    pub(super) lengths: Vec<u32>,
}

impl Texts {
    /// Appends a text.
    ///
    /// # Panics
    /// If it has 4 GiB or more.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.lengths.push(u32::try_from(text.len()).expect("a short text"));
    }
}

/// What a column of a result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Texts of the type of the input, and the width of those of fixed size if it is not the input's.
    /// None is empty.
    Mirrored(Option<usize>),
    /// Lists of such texts.
    Lists(Option<usize>),
    /// Texts as utf8. None is empty.
    Text,
    /// Short texts that are known beforehand, as utf8. None is empty.
    Name,
    /// Numbers. None is negative.
    Number,
    /// Numbers with a fraction. None is NaN.
    Float,
    /// Yes or no.
    Flag,
}

/// The values of a column.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each is the values of its `Kind`")]
pub enum Cells {
    Texts(Texts),
    Lists { counts: Vec<u32>, texts: Texts },
    Names(Vec<&'static str>),
    Numbers(Vec<i64>),
    Floats(Vec<f64>),
    Flags(Vec<bool>),
}

impl Cells {
    /// No values, with memory for so many rows.
    #[must_use]
    pub fn new(kind: Kind, rows: usize) -> Self {
        match kind {
            Kind::Mirrored(width) => Self::Texts(Texts {
                bytes: Vec::with_capacity(rows * width.unwrap_or(81)),
                lengths: Vec::with_capacity(rows),
            }),
            Kind::Text => Self::Texts(Texts::default()),
            Kind::Lists(_) => Self::Lists { counts: Vec::new(), texts: Texts::default() },
            Kind::Name => Self::Names(Vec::with_capacity(rows)),
            Kind::Number => Self::Numbers(Vec::with_capacity(rows)),
            Kind::Float => Self::Floats(Vec::with_capacity(rows)),
            Kind::Flag => Self::Flags(Vec::with_capacity(rows)),
        }
    }

    /// Appends the values of another.
    ///
    /// # Panics
    /// If it is of another kind.
    pub fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Texts(own), Self::Texts(other)) => own.append(other),
            (Self::Lists { counts, texts }, Self::Lists { counts: more, texts: other }) => {
                counts.extend_from_slice(more);
                texts.append(other);
            }
            (Self::Names(own), Self::Names(other)) => own.extend_from_slice(other),
            (Self::Numbers(own), Self::Numbers(other)) => own.extend_from_slice(other),
            (Self::Floats(own), Self::Floats(other)) => own.extend_from_slice(other),
            (Self::Flags(own), Self::Flags(other)) => own.extend_from_slice(other),
            _ => unreachable!("a column has one kind"),
        }
    }

    /// The values at these places; none for a place that is not given.
    #[must_use]
    pub fn take(&self, places: &[Option<usize>]) -> Self {
        let from = places.iter();
        match self {
            Self::Texts(texts) => {
                Self::Texts(texts.take(from.map(|place| place.map(|it| it..it + 1))))
            }
            Self::Lists { counts, texts } => {
                let mut starts = Vec::with_capacity(counts.len());
                let mut sum = 0;
                for &count in counts {
                    starts.push(sum);
                    sum += count as usize;
                }
                let range = |place: &Option<usize>| {
                    place.map(|it| starts[it]..starts[it] + counts[it] as usize)
                };
                let counts = places.iter().map(|place| place.map_or(0, |it| counts[it])).collect();
                Self::Lists { counts, texts: texts.take_all(from.filter_map(range)) }
            }
            Self::Names(names) => {
                Self::Names(from.map(|it| it.map_or("", |it| names[it])).collect())
            }
            Self::Numbers(own) => {
                Self::Numbers(from.map(|it| it.map_or(-1, |it| own[it])).collect())
            }
            Self::Floats(own) => {
                Self::Floats(from.map(|it| it.map_or(f64::NAN, |it| own[it])).collect())
            }
            Self::Flags(own) => Self::Flags(from.map(|it| it.is_some_and(|it| own[it])).collect()),
        }
    }
}

impl Texts {
    fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
        self.lengths.extend_from_slice(&other.lengths);
    }

    /// The start of each text, and the end of the last.
    fn ends(&self) -> Vec<usize> {
        let mut sum = 0;
        let mut ends = Vec::with_capacity(self.lengths.len() + 1);
        ends.push(0);
        ends.extend(self.lengths.iter().map(|&length| {
            sum += length as usize;
            sum
        }));
        ends
    }

    /// A text for each range of one; none where there is no range.
    fn take(&self, ranges: impl Iterator<Item = Option<std::ops::Range<usize>>>) -> Self {
        let ends = self.ends();
        let mut taken = Self::default();
        for range in ranges {
            taken.push(range.map_or(&[], |it| &self.bytes[ends[it.start]..ends[it.end]]));
        }
        taken
    }

    /// All texts of these ranges.
    fn take_all(&self, ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Self {
        let ends = self.ends();
        let mut taken = Self::default();
        for place in ranges.flatten() {
            taken.push(&self.bytes[ends[place]..ends[place + 1]]);
        }
        taken
    }
}
