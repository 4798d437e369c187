//! `ninefold --version`: the version, the features of this build, the SIMD level of this CPU.

use crate::engine::lanes::SimdLevel;

/// The features of this build.
pub(super) const fn features() -> &'static str {
    match (cfg!(feature = "compression"), cfg!(feature = "parquet")) {
        (_, true) => "cli, compression, parquet",
        (true, false) => "cli, compression",
        (false, false) => "cli",
    }
}

/// The SIMD level that is used if none is given, and all that this CPU has.
pub(super) fn simd() -> String {
    let levels: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    format!("{} (available: {})", SimdLevel::best(), levels.join(", "))
}

/// The text after the name of the program.
pub(super) fn long() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}\nfeatures: {}\nSIMD:     {}", features(), simd())
}
