//! In place of `codec`, in a build without the feature `compression`: no format at all.

use super::decode::Codec;
use super::magic::{Format, left_out};
use std::io;

/// No codec.
pub(super) fn of(format: Format) -> io::Result<Box<dyn Codec>> {
    Err(left_out(format))
}
