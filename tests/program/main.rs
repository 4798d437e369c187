//! The program, run through its command line. One binary, because linking takes longer than
//! running.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, unused_imports, reason = "some tests are for Linux or Unix alone")
)]

mod augment;
mod bench;
mod bench_programs;
mod canon;
mod cli;
mod compressed;
mod corpus;
mod docs;
mod edges;
mod everyday;
mod failures;
mod faults;
mod help;
mod kills;
mod limits;
mod mutations;
mod needed;
mod neighbors;
#[cfg(feature = "parquet")]
mod parquet;
mod rate;
mod reading;
mod round_trips;
mod select;
mod soak;
mod steps;
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
mod terminal;
mod verify;
mod windows;
