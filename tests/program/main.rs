//! The program, run through its command line. One binary, because linking takes longer than
//! running.

mod bad_input;
mod bench;
mod cli;
mod compressed;
mod docs;
mod everyday;
mod failures;
mod faults;
mod help;
mod kill;
mod layouts;
mod round_trips;
mod soak;
#[path = "../support/mod.rs"]
mod support;
mod verify;
