//! The library: engines, readers and commands through their public interface. One binary, because
//! linking takes longer than running.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, unused_imports, reason = "some tests are for Linux or Unix alone")
)]

mod bounds;
mod canon;
mod corpus;
mod engines_agree;
mod generate;
mod input_paths;
mod lanes;
#[path = "../support/laws.rs"]
mod laws;
mod observed;
#[cfg(feature = "parquet")]
mod parquet;
mod pipeline;
mod reader_laws;
mod solutions;
mod sukakus;
#[path = "../support/mod.rs"]
mod support;
mod verify;
