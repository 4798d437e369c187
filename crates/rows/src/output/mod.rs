//! Records out: how one record reads, and where the bytes go.
//!
//! ```text
//! transaction    all outputs of a run: opened, checkpointed, committed together
//!   keeper       checkpoints, brought to the disk now and then
//!     log        FILE.partial.log: which run it is, and how much of its outputs is valid
//!   sink         one output: a file, standard output, any writer
//!     press      compression by any thread
//!       parquet  rows as a Parquet file, with the columns of table
//!     partial    FILE.partial, until it is complete
//!       disk     every operation that changes the disk; a test can crash before each
//! record, row, block    a record as text, in one of the formats of style
//! ```

mod block;
mod claims;
mod column;
#[cfg(test)]
mod crash_tests;
mod csv;
mod disk;
#[cfg(test)]
mod disk_tests;
#[cfg_attr(not(feature = "compression"), path = "no_encoder.rs")]
mod encoder;
mod encoding;
mod error;
mod field;
mod keeper;
mod log;
#[cfg(feature = "parquet")]
mod parquet;
mod partial;
mod press;
mod record;
mod row;
mod sink;
mod style;
mod table;
mod transaction;

pub use block::push_grid;
pub use claims::Claims;
pub use column::{Column, Kind};
#[cfg(feature = "parquet")]
pub(crate) use csv::push_csv_field;
pub use encoding::is_parquet;
pub use error::{Error, STDOUT};
pub use field::Field;
pub use partial::Mode;
pub use record::{Others, Records, Subject};
pub use row::Short;
pub use sink::Sink;
pub use style::{Format, Style, kept_columns};
pub use table::{ColumnType, Table, push_packed, push_packed_row};
pub use transaction::{Begun, Plan, Planned, Transaction, check_free};
