//! Bytes in: files and streams, cut at line ends into chunks, and chunks read as puzzles.
//!
//! ```text
//! file ── Mapped ──────────┐
//! pipe ── Read ── Decoder ─┴ Source ── Chunks ── ChunkBuffer ── Chunk ── Lines ── Puzzles
//!                 gzip and             cut at    bytes          checked  one by   grids, and
//!                 zstd undone          line ends                         one      other records
//! ```
//!
//! A mapped chunk is a piece of the mapping, not copied. A streamed chunk is read into the memory of a
//! [`ChunkBuffer`], so the number of buffers bounds the memory. Either way the puzzles and the line
//! numbers are the same.
//!
//! | file | content |
//! | --- | --- |
//! | `source` | inputs, and how they are opened |
//! | `origin` | bytes that are read from any place on: files by name, memory |
//! | `mapped` | memory maps, and the pages of them that are lost |
//! | `compressed` | gzip and zstd, told by the first bytes, never by the name |
//! | `parquet` | Parquet files as lines of a table |
//! | `part` | parts of an input: shards, and the rest after an earlier run |
//! | `chunk`, `stream`, `boundary` | chunks of whole records, out of bytes or a stream; where these may be cut |
//! | `layout` | the rule: which form an input has, and which fields hold its puzzles and answers |
//! | `class` | what a value is: 81 cells or not |
//! | `lines`, `plain` | lines, and the usual ones read by their places |
//! | `fields`, `delimiter`, `json` | the fields of a record |
//! | `row` | one row read by the rule |
//! | `document` | a JSON document as lines |
//! | `records`, `malformed` | the puzzles of a chunk, and lines that are none |
//! | `columns` | the other values of a record |
//! | `answers` | answers from a file of their own |
//!
//! A line is read in this order: `chunk` cuts it, `records` takes it, `plain` reads it if it is usual, else `layout::shape`
//! says whether it is a record and `row` reads it by `fields`.

mod answers;
mod boundary;
mod chunk;
mod class;
mod columns;
mod compressed;
mod delimiter;
mod document;
mod fields;
mod json;
mod layout;
mod lines;
mod malformed;
mod mapped;
mod origin;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
mod part;
mod plain;
mod records;
mod row;
mod source;
mod stream;

pub use answers::{ChunkAnswers, open_answers};
pub use chunk::{Chunk, ChunkBuffer, Chunks};
pub use columns::{Columns, Own};
pub use delimiter::Delimiter;
pub use fields::{Given, PUZZLE_NAMES, SOLUTION_NAMES};
pub use layout::hints::{ColumnRef, Hints};
#[cfg(feature = "parquet")]
pub(crate) use layout::shape::LINE_ENDS;
pub use layout::shape::{Layout, ParquetValues, shown};
pub use layout::why::Explanation;
pub use lines::{Lines, MAX_LINE_BYTES};
pub use malformed::{Malformed, Reason};
pub use mapped::Mapping;
#[cfg(feature = "parquet")]
pub(crate) use mapped::shortened;
pub use part::{LinesBefore, Part, Shard};
pub use records::{Puzzles, Record, Row, RowPlace, Want};
pub use source::{Error, ParquetColumn, Source, open_file};
