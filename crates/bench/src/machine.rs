//! The machine, as its system describes it.

#[cfg(windows)]
use crate::windows::{self, registry};
use std::env;
#[cfg(not(windows))]
use std::fs;

/// The system's name of the CPU, or its family.
pub fn cpu() -> String {
    #[cfg(windows)]
    let name = registry(r"HARDWARE\DESCRIPTION\System\CentralProcessor\0", "ProcessorNameString");
    #[cfg(not(windows))]
    let name = ["model name", "Hardware", "Model", "cpu model"]
        .into_iter()
        .find_map(|key| fact("/proc/cpuinfo", key));
    name.unwrap_or_else(|| format!("a CPU of the family {}", env::consts::ARCH))
}

/// The size of the memory, if the system tells it.
pub fn memory() -> Option<String> {
    #[cfg(windows)]
    return Some(format!("{} kB", windows::memory()? / 1024));
    #[cfg(not(windows))]
    fact("/proc/meminfo", "MemTotal")
}

/// The name of the system and of its kernel, on Windows the release and the build.
pub fn system() -> String {
    #[cfg(windows)]
    let (name, kernel) = {
        // The name of the product is "Windows 10" in Windows 11, too.
        let of = |value| registry(r"SOFTWARE\Microsoft\Windows NT\CurrentVersion", value);
        let release = of("DisplayVersion").map(|release| format!("Windows {release}"));
        let build = of("CurrentBuildNumber").map(|build| format!("build {build}"));
        (release.or_else(|| Some("Windows".to_owned())), build)
    };
    #[cfg(not(windows))]
    let (name, kernel) = (
        fact("/etc/os-release", "PRETTY_NAME"),
        fact("/proc/sys/kernel/osrelease", "").map(|kernel| format!("kernel {kernel}")),
    );
    let parts: Vec<_> = [name, kernel].into_iter().flatten().collect();
    if parts.is_empty() { env::consts::OS.to_owned() } else { parts.join(", ") }
}

/// What follows `key`, and `:` or `=`, in the first line that begins with it and says something.
#[cfg(not(windows))]
fn fact(path: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    let fact = rest.trim_start().trim_start_matches([':', '=']).trim().trim_matches('"');
    Some(fact.to_owned()).filter(|fact| !fact.is_empty())
}
