//! Compression on a separate thread: neither the workers nor the thread that puts records
//! in order wait for it, unless all blocks are under way.
//!
//! ```text
//! write ─> block ── full blocks, at most 4 ─> encoder ─> writer
//!          256 KiB                            its own thread
//! ```
//!
//! An encoder is given blocks of one size, however the bytes came: so the same bytes in give the
//! same bytes out. A later run can continue after each block but the last. It needs the length of the
//! output there, which is known once the encoder has written the block, and the bytes that wait for
//! the rest of their block.

use super::encoder;
use super::encoding::Encoding;
use super::extent::Hashed;
use super::log::Kept;
use crate::extent::Extent;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle};

/// Compresses bytes and writes them.
pub(super) trait Encode: Send {
    /// Writes a block, and all that is needed to read it.
    fn write(&mut self, block: &[u8]) -> io::Result<()>;

    /// Writes the end.
    fn finish(self: Box<Self>) -> io::Result<()>;

    /// Ends an output that is not complete. Without an end it cannot be taken for a complete one.
    fn abandon(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }

    /// The writer of bytes that a later run can continue.
    fn behind(&mut self) -> Option<&mut Hashed> {
        None
    }

    /// The bytes that have been written so far.
    fn extent(&mut self) -> Extent {
        self.behind().map_or_else(Extent::default, |behind| behind.extent())
    }
}

/// Bytes given to the encoder at a time, about the records of a worker's chunk. Tests of crashes need
/// several blocks of few bytes.
const BLOCK_BYTES: usize = if cfg!(test) { 1024 } else { 256 * 1024 };

/// Blocks that wait for the encoder, at most. With the one being filled and the one being
/// compressed there are 6, 1.5 MiB.
const BLOCKS_WAITING: usize = 4;

/// The place in an output up to which everything has been written, or is about to be.
pub(super) struct Mark {
    /// The bytes of the file up to the end of a block, once they are known. None if the output has failed.
    file: Arc<OnceLock<Option<Extent>>>,
    /// The text after them.
    pending: Vec<u8>,
}

impl Mark {
    /// A place in an output that is not compressed.
    pub(super) fn plain(file: Extent) -> Self {
        Self { file: Arc::new(Some(file).into()), pending: Vec::new() }
    }

    /// What a later run needs to continue from here. Waits until the bytes are in the file. None if the
    /// output has failed.
    pub(super) fn kept(self) -> Option<Kept> {
        Some(Kept::new((*self.file.wait())?, &self.pending))
    }
}

/// Sends the length of the output after a block. If it is dropped before, the length is unknown.
struct Teller(Arc<OnceLock<Option<Extent>>>);

impl Drop for Teller {
    fn drop(&mut self) {
        let _ = self.0.set(None);
    }
}

/// A full block, or the last one.
struct Block(Vec<u8>, Teller);

/// The end where bytes go in.
pub(super) struct Press {
    block: Vec<u8>,
    /// How long the output is before that.
    before: Arc<OnceLock<Option<Extent>>>,
    /// The blocks to be compressed; `None` for the end of a complete output. Closed after it.
    blocks: Option<SyncSender<Option<Block>>>,
    /// None when it has been waited for.
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Press {
    /// Starts the thread. The output begins with these bytes of a file.
    pub(super) fn start(
        mut encoder: Box<dyn Encode>,
        encoding: Encoding,
        file: &Path,
        kept: Extent,
    ) -> io::Result<Self> {
        let file = file.to_owned();
        let (blocks, to_do) = mpsc::sync_channel(BLOCKS_WAITING);
        let builder = Builder::new().name("compress".to_owned());
        #[cfg(test)]
        let crash = super::disk::crash::current();
        let thread = builder.spawn(move || {
            #[cfg(test)]
            super::disk::crash::inherit(crash);
            encoder::replay(&mut *encoder, encoding, &file, kept, BLOCK_BYTES)?;
            run(encoder, &to_do)
        })?;
        let (block, before) = (Vec::with_capacity(BLOCK_BYTES), Arc::new(Some(kept).into()));
        Ok(Self { block, before, blocks: Some(blocks), thread: Some(thread) })
    }

    /// Takes all of these bytes; an error may be that of bytes taken before.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = BLOCK_BYTES - self.block.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK_BYTES {
                self.send_block()?;
            }
        }
        Ok(())
    }

    /// Where the output is.
    pub(super) fn mark(&self) -> Mark {
        Mark { file: Arc::clone(&self.before), pending: self.block.clone() }
    }

    /// Ends the output, and waits until all of it has been written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.send_block()?;
        }
        self.send(None)?;
        self.wait()
    }

    fn send_block(&mut self) -> io::Result<()> {
        let block = mem::replace(&mut self.block, Vec::with_capacity(BLOCK_BYTES));
        self.before = Arc::default();
        self.send(Some(Block(block, Teller(Arc::clone(&self.before)))))
    }

    fn send(&mut self, block: Option<Block>) -> io::Result<()> {
        match self.blocks.as_ref().map(|blocks| blocks.send(block)) {
            Some(Ok(())) => Ok(()),
            // The thread has ended before it was told to, and knows why.
            _ => self.wait(),
        }
    }

    /// Waits for the thread's end.
    fn wait(&mut self) -> io::Result<()> {
        self.blocks = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the thread that compresses panicked")),
            None => Err(io::Error::other("it has failed before")),
        }
    }
}

/// What was taken before a run failed is written, but not as if it were all.
impl Drop for Press {
    fn drop(&mut self) {
        if self.thread.is_some() {
            // Whatever fails here, the run has failed before.
            let _ = self.send_block();
            let _ = self.wait();
        }
    }
}

/// The thread: compresses block after block, until the end or an error.
fn run(mut encoder: Box<dyn Encode>, blocks: &Receiver<Option<Block>>) -> io::Result<()> {
    for block in blocks {
        let Some(Block(bytes, teller)) = block else { return encoder.finish() };
        encoder.write(&bytes)?;
        let _ = teller.0.set(Some(encoder.extent()));
    }
    encoder.abandon()
}

#[cfg(all(test, feature = "compression"))]
mod tests {
    use super::*;
    use crate::output::{Encoding, Error, Sink};
    use flate2::read::MultiGzDecoder;
    use std::io::{Read, Write};
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    const ENCODINGS: [Encoding; 2] = [Encoding::Gzip, Encoding::Zstd];

    fn encoded(
        name: &str,
        writer: impl Write + Send + 'static,
        encoding: Encoding,
    ) -> Result<Sink, Error> {
        Sink::encoded(name, writer, encoding, None)
    }

    /// Memory that can be looked at afterwards, and counts what it is asked to flush.
    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<(Vec<u8>, usize)>>);

    impl Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().0.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            self.0.lock().unwrap().1 += 1;
            Ok(())
        }
    }

    impl Memory {
        fn bytes(&self) -> Vec<u8> {
            self.0.lock().unwrap().0.clone()
        }
    }

    /// What another decompresser than ours makes of it, and whether it finds the end.
    fn unpacked(encoding: Encoding, bytes: &[u8]) -> (Vec<u8>, bool) {
        let mut text = Vec::new();
        let read = match encoding {
            Encoding::Gzip => MultiGzDecoder::new(bytes).read_to_end(&mut text),
            _ => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut text),
        };
        (text, read.is_ok())
    }

    fn text() -> Vec<u8> {
        let lines = (0..100_000_u64).map(|line| format!("{}\n", line.wrapping_pow(11)));
        lines.collect::<String>().into_bytes()
    }

    #[test]
    fn the_same_bytes_come_out_however_they_went_in() {
        let text = text();
        assert!(text.len() > 3 * BLOCK_BYTES);
        for encoding in ENCODINGS {
            let packed = [1_000, 70_001, BLOCK_BYTES, usize::MAX].map(|bytes| {
                let memory = Memory::default();
                let mut sink = encoded("memory", memory.clone(), encoding).unwrap();
                text.chunks(bytes).for_each(|chunk| sink.write(chunk).unwrap());
                sink.finish().unwrap();
                assert!(memory.0.lock().unwrap().1 > 0, "flushed at the end");
                memory.bytes()
            });
            assert!(packed.iter().all(|bytes| *bytes == packed[0]), "{encoding:?}");
            assert!(unpacked(encoding, &packed[0]) == (text.clone(), true), "{encoding:?}");
            assert!(packed[0].len() < text.len());
        }
    }

    #[test]
    fn a_gzip_header_has_neither_name_nor_time() {
        let memory = Memory::default();
        encoded("memory", memory.clone(), Encoding::Gzip).unwrap().finish().unwrap();
        assert_eq!(memory.bytes()[..8], *b"\x1f\x8b\x08\0\0\0\0\0");
    }

    #[test]
    fn an_output_that_was_left_off_has_all_its_records_and_no_end() {
        let text = text();
        for encoding in ENCODINGS {
            for length in [0, 1000, text.len()] {
                let memory = Memory::default();
                let mut sink = encoded("memory", memory.clone(), encoding).unwrap();
                sink.write(&text[..length]).unwrap();
                drop(sink);
                let found = unpacked(encoding, &memory.bytes());
                assert_eq!((found.0.len(), found.1), (length, false), "{encoding:?} {length}");
                assert!(found.0 == text[..length]);
            }
        }
    }

    /// Takes this many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let bytes = self.0.min(bytes.len());
            self.0 -= bytes;
            Ok(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_error_of_the_writer_comes_back_with_the_name() {
        let text = text();
        for encoding in ENCODINGS {
            // At the header, at the end, and in between.
            for (room, lines) in [(0, 1), (0, 300), (12, 1), (300_000, 300)] {
                let mut sink = encoded("full.gz", Full(room), encoding).unwrap();
                let mut write = || (0..lines).try_for_each(|_| sink.write(&text));
                let result = if lines == 1 { sink.write(b"one\n") } else { write() };
                let error = result.and_then(|()| sink.finish()).unwrap_err();
                assert_eq!(error.cause.kind(), io::ErrorKind::StorageFull, "{encoding:?} {room}");
                assert_eq!(error.to_string(), "full.gz");
            }
        }
    }

    #[test]
    fn a_writer_that_panics_is_an_error() {
        struct Panics;
        impl Write for Panics {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                panic!("this is part of the test");
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for encoding in ENCODINGS {
            let sink = encoded("panics", Panics, encoding).unwrap();
            let error = sink.finish().unwrap_err();
            assert_eq!(error.to_string(), "panics");
            assert_eq!(error.cause.to_string(), "the thread that compresses panicked");
        }
    }

    /// Writes once for each message of the channel.
    struct Gated(Receiver<()>, Memory);

    impl Write for Gated {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.1.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_write_blocks_on_a_slow_writer_only_when_all_blocks_are_full() {
        for encoding in ENCODINGS {
            let (open, gate) = channel();
            let memory = Memory::default();
            let mut sink = encoded("slow", Gated(gate, memory.clone()), encoding).unwrap();
            let block = vec![b'5'; BLOCK_BYTES];
            // Would wait forever, if these were not taken while the writer stands still.
            (0..BLOCKS_WAITING).for_each(|_| sink.write(&block).unwrap());
            assert!(memory.bytes().is_empty());
            (0..1000).for_each(|_| open.send(()).unwrap());
            sink.write(&block[..99]).unwrap();
            sink.finish().unwrap();
            let length = BLOCKS_WAITING * BLOCK_BYTES + 99;
            let (text, whole) = unpacked(encoding, &memory.bytes());
            assert!(whole && text.len() == length && text.iter().all(|&byte| byte == b'5'));
        }
    }
}
