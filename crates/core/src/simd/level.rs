//! The vector instructions of this CPU, by name.
//!
//! A level is entered once per batch; the module `proof` has the functions compiled for it.
#![forbid(unsafe_code)]

use super::bytes::{ByteKernel, Plain};
#[cfg(target_arch = "aarch64")]
use super::proof::Neon;
#[cfg(target_arch = "x86_64")]
use super::proof::{Avx2, Avx512};
use super::word::{Kernel, Portable, Routine, Word};
use crate::names::UnknownName;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A set of vector instructions that this CPU has.
///
/// A value is the proof: only [`SimdLevel::available`] and parsing make one.
///
/// ```
/// use ninefold_core::engine::lanes::SimdLevel;
///
/// let best = SimdLevel::best();
/// assert_eq!(best.name().parse(), Ok(best));
/// assert!(SimdLevel::available().any(|level| level == SimdLevel::Portable));
/// assert!(SimdLevel::Portable.features().is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdLevel {
    /// What every CPU has: 4 lanes in a plain integer.
    Portable,
    /// 16 lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 32 lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// 8 lanes.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl SimdLevel {
    /// The names of all levels, whether this CPU has them or not.
    #[doc(hidden)]
    pub const NAMES: [&str; 4] = ["portable", "avx2", "avx512", "neon"];

    /// The levels of this CPU, the widest last.
    ///
    /// Without the feature `std`, these are the levels that the compiler's target has.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let wider = [Avx2::detect().map(Self::Avx2), Avx512::detect().map(Self::Avx512)];
        #[cfg(target_arch = "aarch64")]
        let wider = [Neon::detect().map(Self::Neon)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let wider: [Option<Self>; 0] = [];
        core::iter::once(Self::Portable).chain(wider.into_iter().flatten())
    }

    /// The widest level of this CPU.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// The CPU features that the level needs, by their vendor names. The portable level needs none.
    #[doc(hidden)]
    pub const fn features(self) -> &'static [&'static str] {
        match self {
            Self::Portable => &[],
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Avx2::FEATURES,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Avx512::FEATURES,
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => Neon::FEATURES,
        }
    }

    /// The name of the level, as `--simd` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
        }
    }
}

/// Why a name is that of no level.
///
/// ```
/// use ninefold_core::engine::lanes::SimdLevel;
///
/// let error = "mmx".parse::<SimdLevel>().unwrap_err();
/// assert_eq!(error.to_string(), "expected one of portable, avx2, avx512, neon, found 'mmx'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// No level has this name.
    Unknown(UnknownName),
    /// This CPU lacks the level.
    Unsupported {
        /// The name of the level.
        level: &'static str,
        /// The widest level of this CPU.
        best: SimdLevel,
    },
}

impl fmt::Display for SimdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Unsupported { level, best } => {
                write!(f, "this CPU lacks {level}; its widest level is {best}")
            }
        }
    }
}

impl Error for SimdError {}

impl FromStr for SimdLevel {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Self, SimdError> {
        let found = Self::available().find(|level| level.name() == name);
        found.ok_or_else(|| match Self::NAMES.into_iter().find(|&known| known == name) {
            Some(level) => SimdError::Unsupported { level, best: Self::best() },
            None => SimdError::Unknown(UnknownName::among("SIMD level", Self::NAMES, name)),
        })
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A kernel with words of one type.
struct WithWords<K>(K);

impl<W: Word, K: Kernel> Routine<W> for WithWords<K> {
    type Output = K::Output;

    #[inline(always)]
    fn run(self, proof: W::Proof) -> K::Output {
        self.0.run::<W>(proof)
    }
}

impl SimdLevel {
    /// Does the work with the words and the instructions of this level.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        let routine = WithWords(kernel);
        match self {
            Self::Portable => Portable::call((), routine),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => super::avx2::Word256::call(proof, routine),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof) => super::avx512::Word512::call(proof, routine),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(proof) => super::neon::Word128::call(proof, routine),
        }
    }

    /// The level for [`Bytes`](super::bytes::Bytes): the narrowest with vectors.
    pub(crate) fn for_bytes() -> Self {
        Self::available().nth(1).unwrap_or(Self::Portable)
    }

    /// Does the work with the instructions of a level for bytes.
    #[inline]
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(clippy::unused_self, reason = "only x86-64 has another type of bytes")
    )]
    pub(crate) fn run_on_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if let Self::Avx2(proof) = self {
            return proof.run_on_bytes::<super::avx2::Bytes128, K>(kernel);
        }
        kernel.run::<Plain>(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_or_not_and_supported_or_not() {
        for name in SimdLevel::NAMES {
            match name.parse::<SimdLevel>() {
                Ok(level) => assert_eq!(level.name(), name),
                Err(error) => {
                    let best = SimdLevel::best();
                    assert_eq!(error, SimdError::Unsupported { level: name, best });
                    let expected = format!("this CPU lacks {name}; its widest level is {best}");
                    assert_eq!(error.to_string(), expected);
                }
            }
        }
        let error = "mmx".parse::<SimdLevel>().unwrap_err();
        let expected = "expected one of portable, avx2, avx512, neon, found 'mmx'";
        assert_eq!(error.to_string(), expected);
    }
}
