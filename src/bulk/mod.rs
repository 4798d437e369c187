//! What the commands on lists of puzzles share: the chunks of several inputs, and the error.
//!
//! `pipeline` knows nothing of inputs, and `input` knows nothing of threads. Here they meet.
#![forbid(unsafe_code)]

mod error;
mod inputs;

pub use error::Error;
pub use inputs::CHUNK_BYTES;

pub(crate) use inputs::{Inputs, Names, Piece, panicked};
