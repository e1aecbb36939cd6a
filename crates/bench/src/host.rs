//! The machine: its hardware, its load, and the memory the program took. Best effort; unknown values are `None`.
#![expect(clippy::disallowed_methods, reason = "the time of a report, and the machine's own files")]

use std::path::Path;
#[cfg(not(target_arch = "wasm32"))]
use std::time::{SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(target_arch = "wasm32")]
use web_time::{SystemTime, UNIX_EPOCH};

/// The machine a benchmark ran on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct Host {
    /// Operating system and processor family, such as `linux x86_64`.
    pub os: String,
    /// Kernel release.
    pub kernel: Option<String>,
    /// Processor model.
    pub cpu: Option<String>,
    /// Hardware threads this process may use.
    pub threads: usize,
    /// Memory. Unit: MiB.
    pub mem_mib: Option<u64>,
    /// Load average over the last minute, before the benchmark began. Unit: 1.
    pub load_average: Option<f64>,
    /// The CPU frequency governor.
    pub governor: Option<String>,
    /// Whether the machine runs on its battery.
    pub on_battery: Option<bool>,
}

impl Host {
    /// Reads it from the system.
    pub fn now() -> Self {
        let machine = Machine::now();
        Self {
            os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            kernel: machine.kernel,
            cpu: machine.cpu,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            mem_mib: machine.memory.map(|bytes| bytes >> 20),
            load_average: read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").map(|text| text.trim().to_string()),
            on_battery: on_battery(),
        }
    }
}

/// Facts of the machine that each system tells in its own way. Memory in bytes.
struct Machine {
    kernel: Option<String>,
    cpu: Option<String>,
    memory: Option<u64>,
    available: Option<u64>,
}

impl Machine {
    #[cfg(not(any(windows, target_os = "macos")))]
    fn now() -> Self {
        let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
        let meminfo = read("/proc/meminfo").unwrap_or_default();
        Self {
            kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_string()),
            cpu: field(&cpuinfo, "model name").map(str::to_string),
            memory: kib(&meminfo, "MemTotal").map(|kib| kib << 10),
            available: kib(&meminfo, "MemAvailable").map(|kib| kib << 10),
        }
    }

    #[cfg(any(windows, target_os = "macos"))]
    fn now() -> Self {
        let kernel = sysinfo::System::kernel_version().ok();
        let Ok(mut system) = sysinfo::System::new() else {
            return Self { kernel, cpu: None, memory: None, available: None };
        };
        system.refresh_memory();
        system.refresh_cpu_list(sysinfo::CpuRefreshKind::nothing());
        Self {
            kernel,
            cpu: system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).filter(|brand| !brand.is_empty()),
            memory: Some(system.total_memory()),
            available: Some(system.available_memory()),
        }
    }
}

/// The most memory this process has had in use (resident) since it began. Unit: MiB.
pub fn peak_memory_mib() -> Option<f64> {
    kib(&read("/proc/self/status")?, "VmHWM").map(|kib| kib as f64 / 1024.0)
}

/// Memory that this process may still take without driving anything out: the system's available memory, or less where a
/// control group has a limit. Unit: bytes.
pub fn available_memory() -> Option<u64> {
    let of_system = Machine::now().available?;
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    Some(groups.lines().filter_map(|group| left_in_group(group, read)).fold(of_system, u64::min))
}

/// Memory that the limits of a control group, named by a line of `/proc/self/cgroup`, and of its parents leave. Files
/// that can be given up count as left. Unit: bytes.
fn left_in_group(line: &str, read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let (_, group) = line.split_once(':')?;
    let (controllers, path) = group.split_once(':')?;
    let (root, limit, usage) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
        "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
        _ => return None,
    };
    // In a container the path may be that of the system outside: then only the root is there.
    let left = Path::new(path).ancestors().filter_map(|group| {
        let file = |name| read(&format!("{root}{}/{name}", group.display().to_string().trim_end_matches('/')));
        let number = |name| file(name)?.trim().parse::<u64>().ok();
        let stat = file("memory.stat").unwrap_or_default();
        let files = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse::<u64>().ok());
        Some(number(limit)?.saturating_sub(number(usage)?.saturating_sub(files.unwrap_or(0))))
    });
    left.min()
}

/// The present moment in UTC, as `2026-01-31T12:30:05Z`.
pub fn utc_now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    utc(seconds)
}

/// A moment in seconds since 1970 as `2026-01-31T12:30:05Z`. Days to civil date: Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms", `civil_from_days`.
pub fn utc(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The value of `key : value`, the format of `/proc`.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, value) = text.lines().filter_map(|line| line.split_once(':')).find(|(name, _)| name.trim() == key)?;
    Some(value.trim())
}

fn kib(text: &str, key: &str) -> Option<u64> {
    field(text, key)?.strip_suffix("kB")?.trim().parse().ok()
}

/// Whether a battery is being drained; `None` where there is no battery.
fn on_battery() -> Option<bool> {
    let mut found = None;
    for supply in std::fs::read_dir("/sys/class/power_supply").ok()?.flatten() {
        let value = |name: &str| std::fs::read_to_string(supply.path().join(name)).unwrap_or_default();
        if value("type").trim() == "Battery" && value("scope").trim() != "Device" {
            found = Some(found.unwrap_or(false) || value("status").trim() == "Discharging");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_about_leap_days_and_year_ends() {
        for (seconds, wanted) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), wanted);
        }
    }

    #[test]
    fn proc_files_are_read_by_key() {
        let status = "Name:\tpelagic\nVmPeak:\t  900000 kB\nVmHWM:\t  204800 kB\n";
        assert_eq!(kib(status, "VmHWM"), Some(204_800));
        assert_eq!(kib(status, "VmSwap"), None);
        assert_eq!(field("processor\t: 0\nmodel name\t: A CPU: fast\n", "model name"), Some("A CPU: fast"));
    }

    #[test]
    fn the_narrowest_control_group_counts() {
        let read = |path: &str| {
            let text = match path {
                "/sys/fs/cgroup/a/b/memory.max" => "max",
                "/sys/fs/cgroup/a/b/memory.current" | "/sys/fs/cgroup/a/memory.current" => "700\n",
                "/sys/fs/cgroup/a/memory.max" => "1000\n",
                "/sys/fs/cgroup/a/memory.stat" => "anon 5\ninactive_file 50\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes" => "9000",
                "/sys/fs/cgroup/memory/memory.usage_in_bytes" => "8000",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(left_in_group("0::/a/b", read), Some(350), "the outer one's limit, less what is no file");
        assert_eq!(left_in_group("4:memory:/outside", read), Some(1000), "the root, where the path is not to be seen");
        assert_eq!(left_in_group("3:cpuset:/a", read), None);
        assert_eq!(left_in_group("0::/", read), None, "without a limit");
        assert_eq!(left_in_group("nonsense", read), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_used_memory() {
        let left = available_memory().expect("/proc/meminfo names MemAvailable");
        assert!(left > 1 << 20, "{left} bytes");
        let peak = peak_memory_mib().expect("/proc/self/status names VmHWM");
        assert!((1.0..1e6).contains(&peak), "{peak} MiB");
    }
}
