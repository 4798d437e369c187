//! The columns of a command's records, declared once: tables, objects, Parquet, help and Python are made
//! of the declaration.

/// A column of the records of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in tables, and its key in objects.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// One line of help.
    pub help: &'static str,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers of 64 bits.
    Whole,
    /// Floating-point numbers of 64 bits.
    Decimal,
    /// `true` or `false`.
    Flag,
    /// A few words that occur again and again.
    Word,
    /// Text.
    Text,
    /// The outcome of the puzzle in one word.
    Status,
    /// The puzzle as it was read.
    Puzzle,
    /// Lists of unsigned integers, or lists of such lists: how deep, and the bits of an integer, 8 or 16.
    Lists(u8, i8),
}

/// Constructors that differ in the type.
macro_rules! columns {
    ($($(#[$about:meta])* $make:ident: $kind:ident;)*) => {
        impl Column {$(
            $(#[$about])*
            pub const fn $make(name: &'static str, help: &'static str) -> Self {
                Self { name, kind: Kind::$kind, help }
            }
        )*}
    };
}

columns! {
    /// A column of integers.
    whole: Whole;
    /// A column of floating-point numbers.
    decimal: Decimal;
    /// A column of `true` and `false`.
    flag: Flag;
    /// A column of words of a small vocabulary.
    word: Word;
    /// A column of text.
    text: Text;
    /// The column of the puzzle that was read.
    puzzle: Puzzle;
}

impl Column {
    /// The column of the status.
    pub const fn status(help: &'static str) -> Self {
        Self { name: "status", kind: Kind::Status, help }
    }

    /// A column of lists of unsigned integers of 8 or 16 bits. Of depth 2 they are lists of lists.
    pub const fn lists(name: &'static str, depth: u8, bits: i8, help: &'static str) -> Self {
        Self { name, kind: Kind::Lists(depth, bits), help }
    }
}
