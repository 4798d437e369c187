//! Whatever way the bytes come, however they are cut, and however many threads there are: the
//! same bytes in give the same bytes out.
#![expect(unsafe_code, reason = "files are mapped")]

use crate::laws::Drips;
use crate::support::{Folder, Memory, strewn};
use ninefold::input::{Mapping, Source};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::run::{Report, Run};
use ninefold::solve::Solve;
use std::io::Cursor;
use std::num::NonZeroUsize;

/// The length of a chunk of a long input.
const CHUNK_BYTES: usize = 256 * 1024;

fn mapping() -> Mapping {
    // SAFETY: the files of these tests are theirs alone.
    unsafe { Mapping::allow() }
}

fn run(source: Source, threads: usize, chunk_bytes: usize) -> (String, Report) {
    let limit = NonZeroUsize::new(2).unwrap();
    let pipeline = Pipeline { threads, chunk_size: Some(chunk_bytes) };
    let run = Run { pipeline, ..Run::default() };
    let memory = Memory::default();
    let solve = Solve { limit, ..Solve::default() };
    let report = run.to(memory.sink(), &solve, vec![source], Control::default()).unwrap();
    (memory.text(), report)
}

#[test]
fn the_same_bytes_give_the_same_records_by_every_path() {
    let (text, records) = strewn(120, "");
    let folder = Folder::new();
    let path = folder.file("strewn.txt", &text);
    let sources: [(&str, &dyn Fn() -> Source); 5] = [
        ("mapped", &|| Source::open(&path, Some(mapping())).unwrap()),
        ("read", &|| Source::open(&path, None).unwrap()),
        ("memory", &|| Source::from_bytes("memory", text.clone())),
        ("stream", &|| Source::from_reader("stream", Cursor::new(text.clone()))),
        ("drips", &|| Source::from_reader("drips", Drips::new(&text))),
    ];
    let (_, first) = run(sources[0].1(), 1, CHUNK_BYTES);
    assert_eq!(first.total.bytes, text.len() as u64);
    assert_eq!(first.total.lines, 121);
    for (name, source) in sources {
        for chunk_bytes in [1, 100, 5000, CHUNK_BYTES] {
            for threads in [1, 2, 8] {
                let (found, report) = run(source(), threads, chunk_bytes);
                let way = format!("{name}, {threads} threads, chunks of {chunk_bytes}");
                assert!(found == records, "{way}:\n{found}\ninstead of\n{records}");
                assert_eq!(report.total, first.total, "{way}");
            }
        }
    }
}

#[cfg(not(feature = "compression"))]
#[test]
fn a_build_without_compression_says_so() {
    let folder = Folder::new();
    for (magic, name) in [(&b"\x1f\x8b\x08"[..], "gzip"), (b"\x28\xb5\x2f\xfd", "zstd")] {
        let path = folder.file("packed", magic);
        for error in [Source::open(&path, None).err(), Source::open(&path, Some(mapping())).err()] {
            let says = format!("is compressed with {name}, which this build leaves out");
            let cause = error.unwrap().cause.to_string();
            assert!(cause.contains(&says), "{cause}");
        }
        let path = folder.file("precious.gz", "precious");
        let error = ninefold::output::Sink::open(&path, ninefold::output::Mode::New).err().unwrap();
        assert!(error.cause.to_string().contains("does not compress"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    }
}
