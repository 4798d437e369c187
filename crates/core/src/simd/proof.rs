//! Proofs that this CPU has the instructions of a level: detected once; the result is the permission to use them.
//!
//! Each proof is a type that only its `detect` makes, so safe code cannot claim instructions that
//! the CPU lacks. `detect` asks the CPU with the feature `std`; without it, it asks the compiler.
//! The functions with `#[target_feature]` here are the only ones compiled for a level, and a kernel,
//! `#[inline(always)]` all the way down, melts into them. A
//! kernel function that is not inlined is silently compiled for the baseline CPU and costs 1.8
//! times as much; `.ci/run` looks for such symbols. NEON is in the baseline of aarch64: there the
//! compiler's target answers, and there is nothing to enter.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "enters the code for a CPU that has been asked")
)]

#[cfg(target_arch = "x86_64")]
use super::{
    bytes::{ByteKernel, Bytes},
    word::{Routine, Word},
};

/// Makes the proof type of a level, and the one function compiled for it.
#[cfg(target_arch = "x86_64")]
macro_rules! proof {
    ($(#[$doc:meta])* $level:ident, $features:literal, $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $level(());

        impl $level {
            pub(super) const FEATURES: &[&str] = &[$($feature),+];

            /// The proof, if this CPU has it.
            pub(super) fn detect() -> Option<Self> {
                #[cfg(feature = "std")]
                let has = $(std::arch::is_x86_feature_detected!($feature))&&+;
                #[cfg(not(feature = "std"))]
                let has = $(cfg!(target_feature = $feature))&&+;
                has.then_some(Self(()))
            }

            /// Calls a routine with the instructions of this level.
            #[inline(always)]
            pub(super) fn call<W: Word<Proof = Self>, R: Routine<W>>(self, routine: R) -> R::Output {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn with_level<W: Word<Proof = $level>, R: Routine<W>>(
                    proof: $level,
                    routine: R,
                ) -> R::Output {
                    // The compiler aligns the stack only if it sees an aligned local before it chooses
                    // registers. Without one, registers that a pass keeps on the stack cross cache lines.
                    let aligned = core::mem::MaybeUninit::<W::Memory>::uninit();
                    core::hint::black_box(&aligned);
                    routine.run(proof)
                }
                // SAFETY: `self` exists, so `detect` found each of these features.
                unsafe { with_level::<W, R>(self, routine) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
proof!(
    /// Proof that this CPU has AVX2, and the bit instructions of its generation.
    Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt",
    "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"
);

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Does work on bytes with the instructions of this level.
    #[inline]
    pub(super) fn run_on_bytes<B: Bytes<Proof = Self>, K: ByteKernel>(
        self,
        kernel: K,
    ) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_level<B: Bytes<Proof = Avx2>, K: ByteKernel>(proof: Avx2, kernel: K) -> K::Output {
            kernel.run::<B>(proof)
        }
        // SAFETY: `self` exists, so `detect` found each of these features.
        unsafe { with_level::<B, K>(self, kernel) }
    }
}

#[cfg(target_arch = "x86_64")]
proof!(
    /// Proof that this CPU has AVX-512 F, BW, DQ and VL, and the bit instructions.
    Avx512, "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt",
    "avx512f", "avx512bw", "avx512dq", "avx512vl", "bmi1", "bmi2", "lzcnt", "popcnt"
);

/// Proof that this CPU has NEON.
///
/// All targets of aarch64 with floating point have it. Big-endian targets run the portable level:
/// the order of their lanes is not tested.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neon(());

#[cfg(target_arch = "aarch64")]
impl Neon {
    pub(super) const FEATURES: &[&str] = &["neon"];

    /// The proof, if the target has it.
    pub(super) fn detect() -> Option<Self> {
        cfg!(all(target_feature = "neon", target_endian = "little")).then_some(Self(()))
    }
}
