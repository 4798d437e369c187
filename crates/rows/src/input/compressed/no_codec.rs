//! A build without the feature `compression` has no codec.

use super::format::Format;
use super::step::Step;
use std::convert::Infallible;

/// Is never made.
pub(super) struct Codec(Infallible);

impl Codec {
    pub(super) fn run(&mut self, _: &[u8], _: &mut [u8]) -> Step {
        match self.0 {}
    }
}

pub(super) fn of(format: Format) -> Codec {
    unreachable!("format_of refuses {format:?}")
}
