//! The processor's name, as its system tells it.

/// "AMD EPYC 7763 64-Core Processor", or the architecture where the system has no name for it.
pub(crate) fn name() -> String {
    told().filter(|name| !name.is_empty()).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Threads that the system lets this process use; 1 where it does not tell.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(target_os = "linux")]
fn told() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    // ARM kernels give "CPU part" numbers only.
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(target_os = "macos")]
fn told() -> Option<String> {
    let output =
        std::process::Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn told() -> Option<String> {
    std::env::var("PROCESSOR_IDENTIFIER").ok()
}
