//! A build without the feature `compression` has no codec.

use super::format::{Format, left_out};
use super::members::Step;
use std::convert::Infallible;
use std::io;

/// Is never made.
pub(super) struct Codec(Infallible);

impl Codec {
    pub(super) fn restart(&mut self) {
        match self.0 {}
    }

    pub(super) fn run(&mut self, _: &[u8], _: &mut [u8]) -> Step {
        match self.0 {}
    }
}

pub(super) fn of(format: Format) -> io::Result<Codec> {
    Err(left_out(format))
}
