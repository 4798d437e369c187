//! stub
/// v
pub const EFFORT_VERSION: u32 = 1;
/// e
pub struct Effort;
/// m
pub struct Meter;
