//! Vectors: boards side by side, with the widest instructions of this CPU.
//!
//! | file | one concept |
//! | --- | --- |
//! | `board` | one board alone, and how boards lie in words |
//! | `word` | a vector of lanes: the few operations that a kernel needs; plain integers |
//! | `bytes` | 16 bytes as a table |
//! | `proof` | proofs that this CPU has instructions, and the functions compiled for them |
//! | `avx2`, `avx512`, `neon` | words and bytes as single instructions |
//! | `level` | the level of this CPU, by name |
//!
//! The engine `lanes` works on words, `symmetry` and the chains of `difficulty` on bytes. A kernel is generic
//! and `#[inline(always)]` all the way down. It is entered by a [`Kernel`], a [`ByteKernel`] or a [`Routine`].

#![expect(clippy::inline_always, reason = "what is not inlined is compiled for the baseline CPU")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod board;
mod bytes;
mod level;
#[cfg(target_arch = "aarch64")]
mod neon;
mod proof;
#[cfg(test)]
mod tests;
mod word;

pub(crate) use board::{ALL_DIGITS, Board, CELLS, CellBits};
pub(crate) use bytes::{ByteKernel, Bytes};
pub use level::{SimdError, SimdLevel};
#[cfg(test)]
pub(crate) use tests::random_set;
#[cfg(test)]
pub(crate) use word::Portable;
pub(crate) use word::{BoardValues, Cells, Kernel, MAX_LANES, Routine, WEIGHED, Word, lanes_of};
