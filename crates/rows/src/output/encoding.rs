//! How the bytes of an output are written: as they are, or compressed. The ending of its name decides.

use std::io;
use std::path::Path;

/// How the bytes of an output are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// As they are.
    Plain,
    /// One gzip member, with neither name nor time.
    Gzip,
    /// One zstd frame, with a checksum.
    Zstd,
    /// Rows of CSV as a Parquet file, whose pages are compressed with zstd.
    Parquet,
}

impl Encoding {
    /// What the end of a name asks for: `.gz`, `.zst`, `.parquet`, in whatever case, or none of them.
    pub(super) fn of_path(path: &Path) -> Self {
        match path.extension() {
            Some(end) if end.eq_ignore_ascii_case("gz") => Self::Gzip,
            Some(end) if end.eq_ignore_ascii_case("zst") => Self::Zstd,
            Some(end) if end.eq_ignore_ascii_case("parquet") => Self::Parquet,
            _ => Self::Plain,
        }
    }

    /// Whether this build can write it.
    pub(super) fn check(self) -> io::Result<()> {
        let why = match self {
            Self::Parquet if !cfg!(feature = "parquet") => {
                "this build does not write Parquet (--features parquet)"
            }
            Self::Gzip | Self::Zstd if !cfg!(feature = "compression") => {
                "this build does not compress (--features compression)"
            }
            _ => return Ok(()),
        };
        Err(io::Error::new(io::ErrorKind::Unsupported, why))
    }
}

/// Whether an output of this name is a Parquet file.
pub fn is_parquet(path: &Path) -> bool {
    Encoding::of_path(path) == Encoding::Parquet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_tells_the_encoding() {
        for (name, encoding) in [
            ("a.gz", Encoding::Gzip),
            ("b.c/a.txt.GZ", Encoding::Gzip),
            ("a.csv.zst", Encoding::Zstd),
            ("a.gz.txt", Encoding::Plain),
            ("a.Parquet", Encoding::Parquet),
            ("a.parquet.gz", Encoding::Gzip),
            ("a.gz/b", Encoding::Plain),
            ("gz", Encoding::Plain),
            (".gz", Encoding::Plain),
            ("-", Encoding::Plain),
        ] {
            assert_eq!(Encoding::of_path(name.as_ref()), encoding, "{name}");
        }
    }
}
