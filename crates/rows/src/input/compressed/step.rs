//! The result of one call of a codec.

/// The most compressed bytes that a codec waits for: a block of zstd.
pub(super) const MOST_WAITING: usize = 128 * 1024;

pub(super) struct CodecStep {
    /// Bytes that were taken from the input.
    pub(super) read: usize,
    /// Bytes of text that were written, whatever came after them.
    pub(super) written: usize,
    /// Whether the member has ended there, or what is wrong with it.
    pub(super) ended: Result<bool, String>,
}
