//! How the puzzles of an input are found in its lines: found once, before anything is read for good.
//!
//! ```text
//! sample ──> head ──> detect ──┬─> table ────┬─> rules ──> shape (Layout)   how every chunk is read
//! bytes      lines    form     └─> objects ──┘   which     └──> explain     why it is read so
//!                                  evidence      field
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `sample` | the bytes that decide |
//! | `head`, `line`, `delimiter` | the first lines; questions about one line; the delimiter of one row |
//! | `detect` | the form that most records have, and the step that reads it |
//! | `detector` | what the steps have in common: the lines, the explanation, the layout at the end |
//! | `table`, `header` | rows of fields, and the line that names them |
//! | `objects` | JSON objects |
//! | `turns` | solutions among the puzzles of a list |
//! | `evidence`, `rules` | what the fields hold, and the precedence table |
//! | `refusal`, `explain` | why an input is refused or read as it is |
//! | `shape` | the layout, and what the caller may know beforehand |

mod delimiter;
pub(super) mod detect;
mod detector;
mod evidence;
pub(super) mod explain;
mod head;
mod header;
mod line;
mod objects;
pub(super) mod refusal;
mod rules;
pub(super) mod sample;
pub(super) mod shape;
mod table;
pub(super) mod turns;
