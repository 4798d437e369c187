//! The crates `flate2` (with `zlib-rs`) and `zstd`, member by member.

use super::format::CompressionFormat;
use flate2::{Decompress, FlushDecompress};
use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, get_error_name};

/// Powers of two that a zstd frame may look back on: 128 MiB, as zstd(1) has it.
///
/// `zstd -1` to `-19` take 8 MiB at most, `--ultra -22` and `--long` take all of it.
const MOST_WINDOW_LOG: u32 = 27;

/// The largest window of deflate, as a power of two.
const LARGEST_WINDOW_LOG: u8 = 15;

/// The first step of a zstd frame: its magic and one byte.
const STARTING_BYTES: usize = 5;

/// The most compressed bytes that a codec waits for: a block of zstd.
pub(super) const MOST_WAITING: usize = 128 * 1024;

/// What one call of a codec did.
pub(super) struct CodecStep {
    /// Bytes that were taken from the input.
    pub(super) read: usize,
    /// Bytes of text that were written, whatever came after them.
    pub(super) written: usize,
    /// Whether the member has ended there, or what is wrong with it.
    pub(super) ended: Result<bool, String>,
}

/// What decompresses a member.
pub(super) trait Codec: Send {
    /// Decompresses some of the input. Without any input it gives the rest of the last input's text.
    fn run(&mut self, input: &[u8], output: &mut [u8]) -> CodecStep;
}

/// A codec, before the first byte of a member.
///
/// Each member has its own. A zstd context that has decompressed a frame keeps its buffer, and the size
/// of that decides which damaged frames are refused before their text is handed over.
pub(super) fn of(format: CompressionFormat) -> Box<dyn Codec> {
    match format {
        // Header, deflated bytes, and a trailer whose checksum is compared.
        CompressionFormat::Gzip => Box::new(Decompress::new_gzip(LARGEST_WINDOW_LOG)),
        CompressionFormat::Zstd => {
            let mut context = DCtx::create();
            let set = context.set_parameter(DParameter::WindowLogMax(MOST_WINDOW_LOG));
            set.expect("a window of 10 to 31 may be set before a frame begins");
            Box::new(Zstd { context, wanted: STARTING_BYTES, full: false })
        }
    }
}

impl Codec for Decompress {
    fn run(&mut self, input: &[u8], output: &mut [u8]) -> CodecStep {
        let before = (self.total_in(), self.total_out());
        let status = self.decompress(input, output, FlushDecompress::None);
        let since = |total: u64, before| {
            usize::try_from(total - before).expect("no more than the slice that it is part of")
        };
        CodecStep {
            read: since(self.total_in(), before.0),
            written: since(self.total_out(), before.1),
            ended: match status {
                Ok(status) => Ok(status == flate2::Status::StreamEnd),
                Err(error) => Err(damaged(match error.message().unwrap_or("no deflate stream") {
                    // Which of these a wrong code has depends on how many bytes are given together.
                    "invalid literal/length code"
                    | "invalid distance code"
                    | "invalid distance too far back"
                    | "repeated call with bad state" => "invalid code",
                    message => message,
                })),
            },
        }
    }
}

struct Zstd {
    context: DCtx<'static>,
    /// How much input makes the next step: a block, and the header of the one after it.
    wanted: usize,
    /// Whether the last step filled the output, so that there may be more of it.
    full: bool,
}

impl Zstd {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> CodecStep {
        let room = output.len();
        let (mut input, mut output) = (InBuffer::around(input), OutBuffer::around(output));
        let result = self.context.decompress_stream(&mut output, &mut input);
        let (read, written) = (input.pos(), output.pos());
        self.full = written == room;
        self.wanted = result.unwrap_or(0);
        CodecStep { read, written, ended: result.map(|wanted| wanted == 0).map_err(zstd_says) }
    }
}

impl Codec for Zstd {
    /// A step that fails says nothing of what it wrote. So each is to fail or to write: it takes one
    /// block at most, not the header after it, and none before all of the last is written. It waits for
    /// all of the block: of a stored one any part would be text, and how much of that is lost to an
    /// error at its end would depend on what was read together.
    fn run(&mut self, input: &[u8], output: &mut [u8]) -> CodecStep {
        const HEADER_BYTES: usize = 3;
        if self.full {
            let step = self.step(&[], output);
            if step.written > 0 || step.ended != Ok(false) {
                return step;
            }
        }
        // What is wanted ends with the header of a block, unless the block before is the last.
        let block = self.wanted.saturating_sub(HEADER_BYTES);
        let wanted = if block > 0 { block } else { self.wanted };
        // A block has 128 KiB at most. Of a longer frame to be skipped no text is lost.
        match input.get(..wanted.min(MOST_WAITING)) {
            Some(input) => self.step(input, output),
            None => CodecStep { read: 0, written: 0, ended: Ok(false) },
        }
    }
}

/// What is wrong, in words that follow "zstd data".
fn zstd_says(code: usize) -> String {
    match get_error_name(code) {
        "Frame requires too much memory for decoding" => format!(
            "looks back on more than {} MiB: zstd -dc --long=31 FILE | ninefold COMMAND -",
            (1_u64 << MOST_WINDOW_LOG) >> 20
        ),
        "Dictionary mismatch" => {
            "was made with a dictionary: zstd -dc -D DICTIONARY FILE | ninefold COMMAND -"
                .to_owned()
        }
        // Which of these it is depends on how many bytes are given together.
        "Destination buffer is too small" | "Src size is incorrect" => {
            damaged("Data corruption detected")
        }
        name => damaged(name),
    }
}

fn damaged(what: &str) -> String {
    format!("is damaged: {what}")
}
