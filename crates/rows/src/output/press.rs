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
//! the rest of their block. A place in the output refers to both, so noting one after each chunk copies
//! nothing.

use super::log::ValidPart;
use crate::extent::Extent;
use crate::lock;
use std::io;
use std::mem;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{Builder, JoinHandle};

/// Compresses bytes and writes them.
pub(super) trait Encode: Send {
    /// Writes a block, and all that is needed to read it.
    fn write(&mut self, block: &[u8]) -> io::Result<()>;

    /// The bytes of the file so far.
    fn extent(&self) -> Extent;

    /// Writes the end. Returns all bytes of the file.
    fn finish(self: Box<Self>) -> io::Result<Extent>;

    /// Ends an output that is not complete. Without an end it cannot be taken for a complete one.
    fn abandon(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes given to the encoder at a time, about the records of a worker's chunk. Tests of crashes need
/// several blocks of few bytes.
const BLOCK_BYTES: usize = if cfg!(test) { 1024 } else { 256 * 1024 };

/// Blocks that wait for the encoder, at most. With the one being filled and the one being
/// compressed there are 6, 1.5 MiB.
const BLOCKS_WAITING: usize = 4;

/// Text that is compressed together.
#[derive(Default)]
pub(super) struct TextBlock {
    text: Mutex<Vec<u8>>,
    /// The bytes of the file before it, once they are known. None if the output has failed.
    before: OnceLock<Option<Extent>>,
}

/// The place in an output up to which everything has been written, or is about to be.
pub(super) enum Mark {
    /// The bytes of a file that is not compressed.
    Plain(Extent),
    /// The first bytes of the text of a block.
    Compressed(Arc<TextBlock>, usize),
}

impl Mark {
    /// What a later run needs to continue from here. Waits until the bytes before the block are in the
    /// file. None if the output has failed.
    pub(super) fn kept(self) -> Option<ValidPart> {
        Some(match self {
            Self::Plain(file) => ValidPart::new(file, &[]),
            Self::Compressed(block, bytes) => {
                ValidPart::new((*block.before.wait())?, &lock(&block.text)[..bytes])
            }
        })
    }
}

/// A block to be compressed, and the block after it. The second receives the length of the output before it.
/// If it is dropped before, the length is unknown.
struct Pressed(Arc<TextBlock>, Arc<TextBlock>);

impl Drop for Pressed {
    fn drop(&mut self) {
        let _ = self.1.before.set(None);
    }
}

/// The end where bytes go in.
pub(super) struct Press {
    block: Arc<TextBlock>,
    /// The blocks to be compressed; `None` for the end of a complete output. Closed after it.
    blocks: Option<SyncSender<Option<Pressed>>>,
    /// None when it has been waited for.
    thread: Option<JoinHandle<io::Result<Extent>>>,
    /// Whether the encoder has written its end.
    has_end: bool,
}

impl Press {
    /// Starts the thread. The output begins with these bytes of a file.
    pub(super) fn start(encoder: Box<dyn Encode>, kept: Extent) -> io::Result<Self> {
        let (blocks, to_do) = mpsc::sync_channel(BLOCKS_WAITING);
        let builder = Builder::new().name("compress".to_owned());
        #[cfg(test)]
        let crash = super::disk_tests::current();
        let thread = builder.spawn(move || {
            #[cfg(test)]
            super::disk_tests::inherit(crash);
            run(encoder, &to_do)
        })?;
        let block = TextBlock { before: Some(kept).into(), ..TextBlock::default() };
        let (block, blocks, thread) = (Arc::new(block), Some(blocks), Some(thread));
        Ok(Self { block, blocks, thread, has_end: false })
    }

    /// Takes all of these bytes; an error may be that of bytes taken before.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let mut text = lock(&self.block.text);
            let room = BLOCK_BYTES - text.len();
            text.reserve_exact(room);
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            text.extend_from_slice(now);
            bytes = later;
            let is_full = text.len() == BLOCK_BYTES;
            drop(text);
            if is_full {
                self.send_block()?;
            }
        }
        Ok(())
    }

    /// Where the output is.
    pub(super) fn mark(&self) -> Mark {
        Mark::Compressed(Arc::clone(&self.block), lock(&self.block.text).len())
    }

    /// Ends the output, and waits until all of it has been written. Returns all bytes of the file.
    pub(super) fn finish(&mut self) -> io::Result<Extent> {
        self.send_block()?;
        self.send(None)?;
        self.wait()
    }

    /// Ends an output that is not complete: what was taken is written, but not as if it were all. Returns whether
    /// the encoder has written its end, now or before.
    pub(super) fn abandon(&mut self) -> bool {
        if self.thread.is_some() {
            // Whatever fails here, the run has failed before.
            let _ = self.send_block();
            let _ = self.wait();
        }
        self.has_end
    }

    /// Sends the block, unless it is empty.
    fn send_block(&mut self) -> io::Result<()> {
        if lock(&self.block.text).is_empty() {
            return Ok(());
        }
        let next = Arc::default();
        let block = mem::replace(&mut self.block, Arc::clone(&next));
        self.send(Some(Pressed(block, next)))
    }

    fn send(&mut self, block: Option<Pressed>) -> io::Result<()> {
        match self.blocks.as_ref().map(|blocks| blocks.send(block)) {
            Some(Ok(())) => Ok(()),
            // The thread has ended before it was told to, and knows why.
            _ => self.wait().map(drop),
        }
    }

    /// Waits for the thread's end.
    fn wait(&mut self) -> io::Result<Extent> {
        self.blocks = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result.inspect(|_| self.has_end = true),
            Some(Err(_)) => Err(io::Error::other("the thread that compresses panicked")),
            None => Err(io::Error::other("it has failed before")),
        }
    }
}

impl Drop for Press {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// The thread: compresses block after block, until the end or an error.
fn run(mut encoder: Box<dyn Encode>, blocks: &Receiver<Option<Pressed>>) -> io::Result<Extent> {
    for pressed in blocks {
        let Some(Pressed(block, next)) = &pressed else { return encoder.finish() };
        encoder.write(&lock(&block.text))?;
        let _ = next.before.set(Some(encoder.extent()));
    }
    let written = encoder.extent();
    encoder.abandon().map(|()| written)
}

#[cfg(all(test, feature = "compression"))]
mod tests {
    use super::*;
    use crate::extent::Hashed;
    use crate::output::encoding::Encoding;
    use crate::output::{Error, Sink};
    use flate2::read::MultiGzDecoder;
    use std::io::{Read, Write};
    use std::sync::mpsc::channel;

    const ENCODINGS: [Encoding; 2] = [Encoding::Gzip, Encoding::Zstd];

    fn encoded(
        name: &str,
        writer: impl Write + Send + 'static,
        encoding: Encoding,
    ) -> Result<Sink, Error> {
        Sink::new(name, Hashed::new(writer, None), encoding, None, io::empty())
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
    fn a_gzip_header_has_neither_name_nor_time_nor_system() {
        let memory = Memory::default();
        encoded("memory", memory.clone(), Encoding::Gzip).unwrap().finish().unwrap();
        assert_eq!(memory.bytes()[..10], *b"\x1f\x8b\x08\0\0\0\0\0\0\xff");
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
