//! Decompression on other threads, ahead of the reader: one for an input that is one member, several
//! for one of several members.
//!
//! ```text
//! read ahead ── pieces ──> decompress ── blocks of text ──> reader
//!                          │  segment 1: decompressed here
//!                          ├─ segment 2: a thread ── blocks ┐  taken in their turn, and the
//!                          └─ segment 3: a thread ── blocks ┘  state of the decoder with them
//! ```
//!
//! A segment is what was read up to a place where a member seems to begin. Any thread can decompress it
//! from there, before its turn. The place may be wrong. So a segment's bytes are kept until the one before
//! it was decompressed: if that ended inside a member, its decoder goes on with them, and the text of
//! the other thread is dropped. The text is therefore that of one thread, errors included.
//!
//! All channels are bounded ([`Sizes`]), so memory is. Text is handed over as soon as there are no more
//! bytes to be decompressed. A thread ends when its text is not needed any more.

use super::format::Format;
use super::members::{Members, RAW_BYTES};
use crate::input::stream::uninterrupted;
use memchr::memmem;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The most threads that decompress one input. The thread that cuts the text into chunks copies it
/// at about eight times the rate at which one thread decompresses.
const MOST_THREADS: usize = 8;

/// How much waits at most.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// Compressed bytes in segments, for each thread and once more.
    pub(super) raw: usize,
    /// Compressed bytes of a segment, at least.
    pub(super) segment: usize,
    /// Bytes of a block of text.
    pub(super) block: usize,
    /// Blocks that the reader has not taken.
    pub(super) first: usize,
    /// Blocks of each other segment. There is one such segment more than there are threads, so
    /// no thread waits for the turn of its segment to end.
    pub(super) other: usize,
    /// What a member may look back on if it is decompressed before its turn.
    pub(super) window: u64,
}

/// pzstd(1) writes frames of 8 MiB of text at its default level, of lists of puzzles 2.7 MiB. To start a
/// thread takes about 20 us, to decompress 512 KiB 3 ms.
impl Default for Sizes {
    fn default() -> Self {
        let (raw, segment, block) = (4 << 20, 512 << 10, 256 << 10);
        Self { raw, segment, block, first: 4, other: 32, window: 8 << 20 }
    }
}

/// A thread, and what it sends until it ends.
struct Worker<T, R> {
    items: Receiver<T>,
    thread: Option<JoinHandle<R>>,
}

impl<T: Send + 'static, R: Send + 'static> Worker<T, R> {
    /// Starts a thread which sends items. It waits while `items` of them are not received.
    fn start(
        name: &str,
        items: usize,
        run: impl FnOnce(&SyncSender<T>) -> R + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, items) = sync_channel(items);
        let thread = Builder::new().name(name.to_owned()).spawn(move || run(&sender))?;
        Ok(Self { items, thread: Some(thread) })
    }

    /// What the thread returns after its last item, once; or its panic.
    fn end(&mut self) -> Option<R> {
        let result = self.thread.take()?.join();
        Some(result.unwrap_or_else(|payload| resume_unwind(payload)))
    }
}

/// Some of the text.
#[derive(Default)]
struct Block {
    memory: Vec<u8>,
    filled: usize,
}

/// Blocks that were read, to be filled again.
#[derive(Clone, Default)]
struct Spare(Arc<Mutex<(Vec<Block>, usize)>>);

impl Spare {
    fn give(&self, block: Block) {
        if !block.memory.is_empty() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).0.push(block);
        }
    }

    fn take(&self, bytes: usize) -> Block {
        let (free, made) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.pop().unwrap_or_else(|| {
            *made += 1;
            Block { memory: vec![0; bytes], filled: 0 }
        })
    }
}

/// The text of compressed bytes that other threads decompress.
pub(super) struct Ahead {
    text: Worker<Block, io::Result<()>>,
    /// The block that is being read, and how many bytes of it were.
    block: Block,
    at: usize,
    spare: Spare,
}

impl Ahead {
    /// Starts reading what follows the bytes that these members have read.
    pub(super) fn start(
        reader: impl Read + Send + 'static,
        members: Members,
        threads: usize,
        sizes: Sizes,
    ) -> io::Result<Self> {
        /// Pieces that wait: 1 MiB of whole ones.
        const PIECES: usize = 16;
        let threads = threads.clamp(1, MOST_THREADS);
        let starts = (members.format, if threads > 1 { sizes.segment } else { usize::MAX });
        let read = move |pieces: &_| read_ahead(reader, starts, pieces);
        let spare = Spare::default();
        let queue = Queue {
            pieces: Worker::start("read ahead", PIECES, read)?,
            is_over: false,
            segments: VecDeque::from([Segment::default()]),
            length: members.bytes(),
            format: members.format,
            threads,
            sizes,
            spare: spare.clone(),
        };
        let run = move |blocks: &_| queue.decompress(members, blocks);
        let text = Worker::start("decompress", sizes.first, run)?;
        Ok(Self { text, block: Block::default(), at: 0, spare })
    }

    /// The number of blocks.
    #[cfg(all(test, feature = "compression"))]
    pub(super) fn blocks(&self) -> usize {
        self.spare.0.lock().unwrap().1
    }
}

impl Read for Ahead {
    /// Text is handed over before more is waited for.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut read = 0;
        while read < buffer.len() {
            if self.at == self.block.filled {
                let items = &self.text.items;
                let next = if read == 0 { items.recv().ok() } else { items.try_recv().ok() };
                let Some(next) = next else { break };
                self.spare.give(mem::replace(&mut self.block, next));
                self.at = 0;
            }
            let bytes = (self.block.filled - self.at).min(buffer.len() - read);
            buffer[read..read + bytes].copy_from_slice(&self.block.memory[self.at..][..bytes]);
            (self.at, read) = (self.at + bytes, read + bytes);
        }
        if read == 0 && !buffer.is_empty() {
            self.text.end().transpose()?;
        }
        Ok(read)
    }
}

/// Compressed bytes that were read together, and whether a segment begins with them.
type Piece = (Arc<[u8]>, bool);

/// The thread that reads, and cuts what it reads into segments of this many bytes or more.
fn read_ahead(
    mut reader: impl Read,
    (format, segment): (Format, usize),
    pieces: &SyncSender<Piece>,
) -> io::Result<()> {
    let (mut buffer, mut length) = (vec![0; RAW_BYTES], 0_usize);
    loop {
        let bytes = uninterrupted(|| reader.read(&mut buffer))?;
        let mut rest = &buffer[..bytes];
        let (mut is_start, mut from) = (false, if segment == usize::MAX { rest.len() } else { 0 });
        if rest.is_empty() {
            return Ok(());
        }
        while !rest.is_empty() {
            let start = next_member(format, rest, from);
            let end = start.unwrap_or(rest.len());
            if start.is_some() && length + end < segment {
                from = end + 1;
                continue;
            }
            // The start of what was read may be that of a member.
            if end > 0 && pieces.send((rest[..end].into(), is_start)).is_err() {
                return Ok(());
            }
            length = if start.is_some() { 0 } else { length + end };
            (rest, is_start, from) = (&rest[end..], start.is_some(), 1);
        }
    }
}

/// Bytes in pieces, of which those that were read are dropped.
#[derive(Clone, Default)]
struct Pieces {
    waiting: VecDeque<Arc<[u8]>>,
    /// Bytes of the first piece that were read.
    at: usize,
    /// Bytes of memory.
    cost: usize,
}

impl Pieces {
    /// What a piece is counted as: its bytes, and memory for itself.
    fn cost_of(piece: &[u8]) -> usize {
        piece.len() + 64
    }

    fn push(&mut self, piece: Arc<[u8]>) {
        self.cost += Self::cost_of(&piece);
        self.waiting.push_back(piece);
    }

    fn skip(&mut self, mut bytes: u64) {
        while let Some(piece) = self.waiting.front().filter(|_| bytes > 0) {
            let taken = (piece.len() - self.at).min(usize::try_from(bytes).unwrap_or(usize::MAX));
            bytes -= taken as u64;
            self.at += taken;
            if self.at == piece.len() {
                self.cost -= Self::cost_of(piece);
                self.waiting.pop_front();
                self.at = 0;
            }
        }
    }
}

impl Read for Pieces {
    /// When there are no more bytes, it waits for some: they come later.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.waiting.front().ok_or(ErrorKind::WouldBlock)?;
        let bytes = (&piece[self.at..]).read(buffer)?;
        self.skip(bytes as u64);
        Ok(bytes)
    }
}

/// Compressed bytes that begin where a member seems to begin.
#[derive(Default)]
struct Segment {
    /// Bytes of the input before it.
    before: u64,
    pieces: Pieces,
    /// The thread that decompresses it before its turn.
    thread: Option<Worker<Block, Members>>,
}

impl Segment {
    /// Starts to decompress it. If no thread can be started, it waits for its turn.
    fn start(&mut self, format: Format, sizes: Sizes, spare: &Spare) {
        let (mut pieces, before, spare) = (self.pieces.clone(), self.before, spare.clone());
        let run = move |blocks: &SyncSender<Block>| {
            let mut members = Members::new(format, before, sizes.window);
            loop {
                let mut block = spare.take(sizes.block);
                // At an error the members are handed over: they have it again, or need more bytes.
                block.filled = members.read(&mut pieces, &mut block.memory).unwrap_or(0);
                if block.filled == 0 {
                    spare.give(block);
                    return members;
                }
                if blocks.send(block).is_err() {
                    return members;
                }
            }
        };
        self.thread = Worker::start("decompress", sizes.other, run).ok();
    }
}

/// What has been read and not decompressed.
struct Queue {
    pieces: Worker<Piece, io::Result<()>>,
    /// All pieces have been received.
    is_over: bool,
    /// At least one. The last may still grow.
    segments: VecDeque<Segment>,
    /// Bytes of the input up to here.
    length: u64,
    format: Format,
    threads: usize,
    sizes: Sizes,
    spare: Spare,
}

impl Queue {
    /// Sends all of the text.
    fn decompress(mut self, mut members: Members, blocks: &SyncSender<Block>) -> io::Result<()> {
        loop {
            self.gather(false);
            self.drop_read();
            let first = &mut self.segments[0];
            if members.is_between()
                && let Some(thread) = &mut first.thread
            {
                if let Ok(block) = thread.items.recv() {
                    if blocks.send(block).is_err() {
                        return Ok(());
                    }
                } else if let Some(next) = thread.end() {
                    let last = members.last;
                    members = next;
                    (members.last, members.window) = (members.last.or(last), u64::MAX);
                    first.pieces.skip(members.bytes() - first.before);
                    first.thread = None;
                }
                continue;
            }
            let mut block = self.spare.take(self.sizes.block);
            block.filled = members.read(&mut self, &mut block.memory)?;
            if block.filled == 0 || blocks.send(block).is_err() {
                return Ok(());
            }
        }
    }

    /// Drops the first segment if all of it was decompressed and there is another.
    fn drop_read(&mut self) {
        if self.segments.len() > 1 && self.segments[0].pieces.waiting.is_empty() {
            self.segments.pop_front();
        }
    }

    /// Receives what was read, as much as may wait, and starts threads. `wait` waits for a piece.
    fn gather(&mut self, mut wait: bool) {
        while !self.is_over {
            let waiting: usize = self.segments.iter().map(|segment| segment.pieces.cost).sum();
            // With one thread there is one segment, and the channel has enough.
            let may_wait = if self.threads > 1 { self.sizes.raw * (self.threads + 1) } else { 0 };
            if !wait && waiting >= may_wait {
                break;
            }
            let items = &self.pieces.items;
            match if wait { items.recv().map_err(Into::into) } else { items.try_recv() } {
                Ok((piece, is_start)) => {
                    if is_start {
                        let before = self.length;
                        self.segments.push_back(Segment { before, ..Segment::default() });
                    }
                    self.length += piece.len() as u64;
                    self.segments.back_mut().expect("there is one").pieces.push(piece);
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    // The one before it is complete.
                    self.segments.push_back(Segment::default());
                }
            }
            wait = false;
        }
        self.employ();
    }

    /// Starts threads for segments after the first. If the first has none, it is decompressed here.
    fn employ(&mut self) {
        let is_running = |segment: &&Segment| {
            let thread = segment.thread.as_ref().and_then(|worker| worker.thread.as_ref());
            thread.is_some_and(|thread| !thread.is_finished())
        };
        let here = usize::from(self.segments[0].thread.is_none());
        let mut running = here + self.segments.iter().filter(is_running).count();
        let complete = self.segments.len() - 1;
        for segment in self.segments.iter_mut().take(complete).skip(1).take(self.threads) {
            if segment.thread.is_none() && running < self.threads {
                segment.start(self.format, self.sizes, &self.spare);
                running += 1;
            }
        }
    }
}

/// The bytes of the first segment, and of those after it.
impl Read for Queue {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.drop_read();
            let first = &mut self.segments[0];
            if !first.pieces.waiting.is_empty() {
                // It begins inside a member, or its turn has come.
                first.thread = None;
                return first.pieces.read(buffer);
            }
            if self.segments.len() == 1 {
                if self.is_over {
                    return self.pieces.end().transpose().map(|_| 0);
                }
                self.gather(true);
            }
        }
    }
}

/// The next place from here on where a member seems to begin.
///
/// That of a zstd frame are four bytes. Of a gzip header, 25 bits and two more bytes are known; in
/// deflated bytes they occur by chance once in 200 GB. A header that is split between two pieces is not
/// recognized, and no start is missed in files that are read 64 KiB at a time but one of 7,000.
pub(super) fn next_member(format: Format, bytes: &[u8], mut from: usize) -> Option<usize> {
    /// A gzip header without optional fields.
    const GZIP_HEADER_BYTES: usize = 10;
    while let Some(found) = memmem::find(bytes.get(from..)?, format.magic()) {
        from += found;
        let is_start = format == Format::Zstd || {
            let header = bytes.get(from..from + GZIP_HEADER_BYTES)?;
            let (flags, effort, system) = (header[3], header[8], header[9]);
            flags < 0x20 && matches!(effort, 0 | 2 | 4) && (system < 14 || system == 255)
        };
        if is_start {
            return Some(from);
        }
        from += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format, parts of what was read, and where a member begins.
    type Case<'a> = (Format, &'a [&'a [u8]], Option<usize>);

    #[test]
    fn members_begin_where_their_headers_do() {
        let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
        let no_flags = b"\x1f\x8b\x08\xff\0\0\0\0\0\x03";
        let cases: [Case; 6] = [
            (Format::Gzip, &[b"text", gzip], Some(4)),
            (Format::Gzip, &[b"text", no_flags, gzip], Some(14)),
            (Format::Gzip, &[b"text", no_flags], None),
            (Format::Gzip, &[b"text", &gzip[..9]], None),
            (Format::Zstd, &[b"text", b"\x28\xb5\x2f\xfd"], Some(4)),
            (Format::Zstd, &[b"text", b"\x28\xb5\x2f"], None),
        ];
        for (format, parts, start) in cases {
            let bytes = parts.concat();
            for from in [0, 4] {
                assert_eq!(next_member(format, &bytes, from), start, "{}", bytes.escape_ascii());
            }
            let after = start.unwrap_or(bytes.len()) + 1;
            assert_eq!(next_member(format, &bytes, after), None, "{}", bytes.escape_ascii());
        }
    }
}
