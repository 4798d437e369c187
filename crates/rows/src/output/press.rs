//! Compression by whichever thread has time.
//!
//! ```text
//! write ─> block ── full ──> waiting ──> pack ──────────> packed ──> append ─> writer
//!          256 KiB           at most 4   by any thread    by number   in order
//! ```
//!
//! A block is packed by itself, whatever is before it, and blocks have one size, however the bytes came: so the
//! same bytes in give the same bytes out, on any number of threads. The thread that writes packs a block itself if
//! too many wait; all others ask for work with [`PressWork::help`].
//!
//! A later run can continue after each block but the last. It needs the length of the output there, which is known
//! once the block is appended, and the bytes that wait for the rest of their block. A place in the output refers to
//! both, so noting one after each chunk copies nothing.

use super::log::ValidPart;
use super::table::unpack;
use crate::extent::Extent;
use crate::lock;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// A block as it is appended.
pub(super) enum Packet {
    /// Bytes of the file.
    Bytes(Vec<u8>),
    /// The same, with the checksum of their text.
    #[cfg(feature = "compression")]
    Checked(Vec<u8>, flate2::Crc),
    /// Rows of a table.
    #[cfg(feature = "parquet")]
    Group(super::parquet::RowGroup),
}

/// Packs the text of a block, and may take it if no later run continues the output.
pub(super) type Pack = Box<dyn Fn(&mut Vec<u8>) -> io::Result<Packet> + Send + Sync>;

/// Where blocks end: after this number of bytes, or with the packed row that reaches it. Then whole rows are written.
#[derive(Clone, Copy)]
pub(super) struct BlockEnd {
    pub(super) bytes: usize,
    pub(super) with_row: bool,
}

impl BlockEnd {
    /// How many of these bytes belong to a block that has this text, and whether it is full then.
    fn divide(self, text: &[u8], bytes: &[u8]) -> (usize, bool) {
        let room = self.bytes.saturating_sub(text.len());
        let mut end = room.min(bytes.len());
        if self.with_row && end < bytes.len() {
            end = 0;
            while end < room && end < bytes.len() {
                end = bytes.len() - unpack(&bytes[end..]).expect("whole rows").1.len();
            }
        }
        (end, end >= room)
    }
}

/// Writes packed blocks, in order.
pub(super) trait Encode: Send {
    /// Writes a block, and all that is needed to read it.
    fn append(&mut self, block: Packet) -> io::Result<()>;

    /// The bytes of the file so far.
    fn extent(&self) -> Extent;

    /// Writes the end. If the output is not complete, so that it cannot be taken for a complete one. Returns
    /// all bytes of the file.
    fn end(self: Box<Self>, is_complete: bool) -> io::Result<Extent>;
}

/// What makes a file of blocks.
pub(super) struct Encoder {
    pub(super) pack: Pack,
    pub(super) ends: BlockEnd,
    pub(super) encode: Box<dyn Encode>,
}

/// Bytes packed together, about the records of a chunk. Tests of crashes need several blocks of few bytes.
pub(super) const BLOCK_BYTES: usize = if cfg!(test) { 1024 } else { 256 * 1024 };

/// Blocks that wait to be packed, at most. With one on each thread and the one being filled, these are all.
const BLOCKS_WAITING: usize = 4;

/// Blocks that wait to be appended, at most: each is behind one that a thread packs or a slow disk takes.
const BLOCKS_PACKED: usize = 64;

/// Text that is packed together.
#[derive(Default)]
pub(super) struct TextBlock {
    text: Mutex<Vec<u8>>,
    /// The bytes of the file before it, once they are in the file.
    before: OnceLock<Extent>,
}

/// The place in an output up to which everything has been written, or is about to be.
pub(super) enum Mark {
    /// The bytes of a file that is not compressed.
    Plain(Extent),
    /// The first bytes of the text of a block.
    Compressed(PressWork, Arc<TextBlock>, usize),
}

impl Mark {
    /// What a later run needs to continue from here. Helps until the bytes before the block are in the
    /// file. None if the output has failed.
    pub(super) fn kept(self) -> Option<ValidPart> {
        Some(match self {
            Self::Plain(file) => ValidPart::new(file, &[]),
            Self::Compressed(work, block, bytes) => {
                work.help_until(|_| block.before.get().is_some());
                ValidPart::new(*block.before.get()?, &lock(&block.text)[..bytes])
            }
        })
    }
}

/// A block to be packed, its number, and the block after it, which receives the length of the output before it.
type Sent = (u64, Arc<TextBlock>, Arc<TextBlock>);

/// What becomes of the blocks.
#[derive(Default)]
struct Blocks {
    waiting: VecDeque<Sent>,
    packed: Vec<(Sent, Packet)>,
    /// How many blocks came, and how many of them are in the file.
    sent: u64,
    appended: u64,
    /// None while a thread appends, and after the end.
    encoder: Option<Box<dyn Encode>>,
    is_appending: bool,
    /// Of an output that has failed: the first error, until `check` returns it.
    error: Option<io::Error>,
}

/// The blocks of an output, on which any thread can work.
#[derive(Clone)]
pub(super) struct PressWork(Arc<(Pack, Mutex<Blocks>, Condvar)>);

impl PressWork {
    /// Packs a block and appends what is ready. False if there is nothing to be done.
    pub(super) fn help(&self) -> bool {
        let (pack, blocks, _) = &*self.0;
        let Some(sent) = lock(blocks).next() else { return false };
        let packed = guarded(|| pack(&mut lock(&sent.1.text)));
        let mut blocks = lock(blocks);
        match packed {
            Ok(packed) => blocks.packed.push((sent, packed)),
            Err(error) => blocks.fail(error),
        }
        self.append(blocks);
        true
    }

    /// Appends the blocks whose turn has come, unless another thread does.
    fn append<'a>(&'a self, mut blocks: MutexGuard<'a, Blocks>) {
        let (_, all, moved) = &*self.0;
        // Nothing is appended behind a block that failed: a later run would continue after the gap.
        let has_failed = blocks.error.is_some();
        blocks.packed.retain(|_| !has_failed);
        while let next = blocks.appended
            && let Some(place) = blocks.packed.iter().position(|((number, ..), _)| *number == next)
            && let Some(mut encoder) = blocks.encoder.take()
        {
            let ((_, _, next), packed) = blocks.packed.swap_remove(place);
            blocks.is_appending = true;
            drop(blocks);
            let appended = guarded(|| encoder.append(packed));
            blocks = lock(all);
            match appended {
                Ok(()) => drop(next.before.set(encoder.extent())),
                Err(error) => blocks.fail(error),
            }
            blocks.appended += 1;
            (blocks.encoder, blocks.is_appending) = (Some(encoder), false);
        }
        moved.notify_all();
    }

    /// Helps, or waits for other threads, until this is so.
    fn help_until(&self, mut is_so: impl FnMut(&Blocks) -> bool) {
        /// A thread that packs tells when it is done: this is for safety alone.
        const WAIT: Duration = Duration::from_millis(100);
        let (_, blocks, moved) = &*self.0;
        loop {
            let now = lock(blocks);
            if now.error.is_some() || is_so(&now) {
                return;
            }
            if now.has_work() {
                drop(now);
                self.help();
            } else {
                drop(moved.wait_timeout(now, WAIT).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }
}

impl Blocks {
    fn has_work(&self) -> bool {
        !self.waiting.is_empty() && self.packed.len() < BLOCKS_PACKED
    }

    /// The next block to be packed.
    fn next(&mut self) -> Option<Sent> {
        if self.has_work() { self.waiting.pop_front() } else { None }
    }

    fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
        self.waiting.clear();
        self.packed.clear();
    }
}

/// Runs this. A panic is an error.
fn guarded<T>(run: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let panicked = |_| Err(io::Error::other("compression panicked"));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(panicked)
}

/// The end where bytes go in.
pub(super) struct Press {
    block: Arc<TextBlock>,
    ends: BlockEnd,
    /// What other threads can help with.
    pub(super) work: PressWork,
    /// Whether the encoder has written its end.
    has_end: bool,
}

impl Press {
    /// The output begins with these bytes of a file.
    pub(super) fn new(encoder: Encoder, kept: Extent) -> Self {
        let Encoder { pack, ends, encode } = encoder;
        let block = TextBlock { before: kept.into(), ..TextBlock::default() };
        let blocks = Blocks { encoder: Some(encode), ..Blocks::default() };
        let work = PressWork(Arc::new((pack, Mutex::new(blocks), Condvar::new())));
        Self { block: Arc::new(block), ends, work, has_end: false }
    }

    /// Takes all of these bytes; an error may be that of bytes taken before.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let mut text = lock(&self.block.text);
            let (end, is_full) = self.ends.divide(&text, bytes);
            if text.is_empty() {
                // With room for the rest of the last row.
                text.reserve_exact(self.ends.bytes + 4096);
            }
            text.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end..];
            drop(text);
            if is_full {
                self.send_block();
                self.work.help_until(|blocks| blocks.waiting.len() <= BLOCKS_WAITING);
                self.check()?;
            }
        }
        Ok(())
    }

    /// Where the output is.
    pub(super) fn mark(&self) -> Mark {
        let bytes = lock(&self.block.text).len();
        Mark::Compressed(self.work.clone(), Arc::clone(&self.block), bytes)
    }

    /// Ends the output, and waits until all of it has been written. Returns all bytes of the file.
    pub(super) fn finish(&mut self) -> io::Result<Extent> {
        let encoder = self.last_encoder();
        self.check()?;
        let encoder = encoder.ok_or_else(|| io::Error::other("it has ended before"))?;
        guarded(|| encoder.end(true)).inspect(|_| self.has_end = true)
    }

    /// Ends an output that is not complete: what was taken is written, but not as if it were all. Returns whether
    /// the encoder has written its end, now or before.
    pub(super) fn abandon(&mut self) -> bool {
        // Whatever fails here, the run has failed before.
        if let Some(encoder) = self.last_encoder()
            && self.check().is_ok()
        {
            self.has_end = guarded(|| encoder.end(false)).is_ok();
        }
        self.has_end
    }

    /// The encoder, when all blocks are written, or something has failed.
    fn last_encoder(&mut self) -> Option<Box<dyn Encode>> {
        self.send_block();
        self.work.help_until(|blocks| blocks.appended == blocks.sent);
        // A thread that appends brings it back.
        let (_, blocks, moved) = &*self.work.0;
        let blocks = moved.wait_while(lock(blocks), |it| it.is_appending);
        blocks.unwrap_or_else(PoisonError::into_inner).encoder.take()
    }

    /// Sends the block, unless it is empty.
    fn send_block(&mut self) {
        if lock(&self.block.text).is_empty() {
            return;
        }
        let next = Arc::default();
        let block = mem::replace(&mut self.block, Arc::clone(&next));
        let mut blocks = lock(&self.work.0.1);
        let number = blocks.sent;
        blocks.sent += 1;
        blocks.waiting.push_back((number, block, next));
    }

    /// Whether all is well so far.
    fn check(&self) -> io::Result<()> {
        let again = io::Error::other("it has failed before");
        let mut blocks = lock(&self.work.0.1);
        blocks.error.as_mut().map_or(Ok(()), |error| Err(mem::replace(error, again)))
    }
}

impl Drop for Press {
    fn drop(&mut self) {
        self.abandon();
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests {
    use super::*;
    use crate::extent::Hashed;
    use crate::output::encoding::Encoding;
    use crate::output::{Error, Sink};
    use flate2::read::MultiGzDecoder;
    use std::io::{Read, Write};
    use std::sync::mpsc::{Receiver, channel};

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

    /// The disk may have room again, but a later run would go on behind the gap.
    #[test]
    fn nothing_is_appended_behind_a_block_that_failed() {
        struct FailsOnce(bool, Memory);
        impl Write for FailsOnce {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if mem::replace(&mut self.0, true) {
                    return self.1.write(bytes);
                }
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let memory = Memory::default();
        let behind = Hashed::new(FailsOnce(false, memory.clone()), None);
        let encoder = crate::output::encoder::new(Encoding::Zstd, behind, None, io::empty());
        let mut press = Press::new(encoder.unwrap(), Extent::default());
        press.write(&[b'5'; 2 * BLOCK_BYTES]).unwrap();
        let (work, mark) = (press.work.clone(), press.mark());
        // Two threads have a block each.
        let taken = [(); 2].map(|()| lock(&work.0.1).next().unwrap());
        for sent in taken {
            let packet = (work.0.0)(&mut lock(&sent.1.text)).unwrap();
            let mut blocks = lock(&work.0.1);
            blocks.packed.push((sent, packet));
            work.append(blocks);
        }
        assert!(press.finish().is_err() && memory.bytes().is_empty());
        drop(press);
        assert!(mark.kept().is_none());
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
            assert_eq!(error.cause.to_string(), "compression panicked");
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
