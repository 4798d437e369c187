//! The commands of messages, for Windows, which has other commands and other quotes.

/// What does the same there: `tar` and PowerShell belong to Windows, `7z` to 7-Zip. PowerShell knows UTF-16 by its
/// first bytes. `"` works in cmd.exe and in PowerShell.
const COMMANDS: [(&str, &str); 15] = [
    ("xz -dc FILE", "7z x -so FILE"),
    ("bzip2 -dc FILE", "7z x -so FILE"),
    ("unzip -p FILE", "tar -xOf FILE"),
    ("python3 -c", "python -c"),
    ("iconv -f UTF-16LE -t UTF-8 FILE", r#"powershell -c "gc FILE -Encoding Unicode""#),
    ("iconv -f UTF-16BE -t UTF-8 FILE", r#"powershell -c "gc FILE -Encoding BigEndianUnicode""#),
    ("iconv -f UTF-16 -t UTF-8 FILE", r#"powershell -c "gc FILE""#),
    ("iconv -f UTF-32 -t UTF-8 FILE", r#"powershell -c "gc FILE""#),
    (r"tr '\r' '\n' < FILE", r#"powershell -c "(gc FILE -Raw) -split '\r'""#),
    (r"tr -s ',;| \t' '\n' < FILE", r#"powershell -c "(gc FILE) -split '[,;| \t]+'""#),
    ("tr ' ' . < FILE", r#"powershell -c "(gc FILE) -replace ' ', '.'""#),
    ("tr -d u < FILE", r#"powershell -c "(gc FILE) -replace 'u', ''""#),
    ("sed 's/  / ./g' FILE", r#"powershell -c "(gc FILE) -replace '  ', ' .'""#),
    ("gzip -dc FILE > NEW, and use --shard or split -n l/N with NEW", GZIP),
    ("zstd -dc FILE > NEW, and use --shard or split -n l/N with NEW", ZSTD),
];

const GZIP: &str = "7z x FILE, and use --shard with the new file";
const ZSTD: &str = "zstd -d FILE -o NEW, and use --shard with NEW";

/// Commands that nothing there stands for.
const OF_UNIX: [&str; 5] = [" cut ", " grep ", " jq -r", " sed ", " tr "];

/// The text with commands that work on Windows, or with the shells that have them.
pub(super) fn for_windows(text: &str) -> String {
    let translated = |line: &str| {
        let begin = line.to_owned();
        let line = COMMANDS.iter().fold(begin, |line, (unix, windows)| line.replace(unix, windows));
        let is_of_unix = OF_UNIX.iter().any(|command| line.contains(command));
        match line.split_once(" | ninefold ").filter(|_| is_of_unix) {
            Some((before, after)) => {
                let end = after.find(';').unwrap_or(after.len());
                let (command, more) = after.split_at(end);
                format!("{before} | ninefold {command} (Git Bash, WSL){more}")
            }
            None => line,
        }
    };
    text.split('\n').map(translated).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_one_of_windows_or_has_its_shell() {
        for (unix, windows) in COMMANDS {
            let message = format!("a.txt: is not read: {unix} | ninefold COMMAND -");
            assert_eq!(for_windows(&message), message.replace(unix, windows));
        }
        let message =
            "a.txt: puzzles in JSON of another shape: jq -rc '..' FILE | ninefold COMMAND -";
        let shells = " (Git Bash, WSL)";
        assert_eq!(for_windows(message), format!("{message}{shells}"));
        let more = "; --delimiter CHAR if one divides fields";
        assert_eq!(for_windows(&format!("{message}{more}")), format!("{message}{shells}{more}"));
        let plain = "a\n2 puzzles: 1 solved; in tr a.txt\n";
        assert_eq!(for_windows(plain), plain);
    }
}
