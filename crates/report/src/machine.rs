//! What a measurement ran on.

use std::thread;

/// Processor, cores and system in one line.
#[must_use]
pub fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {cores} cores, {} {}",
        model(&cpuinfo).unwrap_or("processor of unknown model"),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

fn model(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo
        .lines()
        .find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

/// The version that a `Cargo.lock` holds of a package; of several, the first.
#[must_use]
pub fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_that_of_the_first_processor() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU\nmodel name\t: Another\n";
        assert_eq!(model(cpuinfo), Some("Some CPU"));
        assert_eq!(model("processor\t: 0\n"), None);
    }

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = "name = \"a-b\"\nversion = \"1.0.0\"\n\nname = \"a\"\nversion = \"2.0.0\"\n";
        assert_eq!(locked_version(lock, "a"), Some("2.0.0"));
        assert_eq!(locked_version(lock, "b"), None);
    }
}
