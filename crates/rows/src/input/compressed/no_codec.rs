//! A build without the feature `compression` has no codec.

use super::format::CompressionFormat;
use super::step::CodecStep;
use std::convert::Infallible;

/// Is never made.
pub(super) struct Codec(Infallible);

impl Codec {
    pub(super) fn run(&mut self, _: &[u8], _: &mut [u8]) -> CodecStep {
        match self.0 {}
    }
}

pub(super) fn of(format: CompressionFormat) -> Codec {
    unreachable!("format_of refuses {format:?}")
}
