//! A build without the feature `compression` has no codec.

use super::format::{Format, left_out};
use super::members::Codec;
use std::io;

pub(super) fn of(format: Format) -> io::Result<Box<dyn Codec>> {
    Err(left_out(format))
}
