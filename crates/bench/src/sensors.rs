//! Clocks, temperatures and video memory, as far as Linux tells them: read between runs, never while frames are timed.
//! Unknown values are `None`.
#![expect(clippy::disallowed_methods, reason = "the machine's own files")]

use std::fs;
use std::path::{Path, PathBuf};

use gl::DeviceInfo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Readings of the machine's sensors at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SensorReading {
    /// Clock of the CPU's fastest core. Unit: MHz.
    pub cpu_clock_mhz: Option<f64>,
    /// Temperature of the CPU. Unit: °C.
    pub cpu_temp_c: Option<f64>,
    /// Clock of the GPU that draws. Unit: MHz.
    pub gpu_clock_mhz: Option<f64>,
    /// Its temperature. Unit: °C.
    pub gpu_temp_c: Option<f64>,
    /// Its memory in use, by all programs. Unit: MiB.
    pub vram_used_mib: Option<f64>,
    /// Number of times the CPU's cores have slowed down for being too hot since the system began.
    #[serde(skip)]
    pub throttle_count: Option<u64>,
}

/// PCI vendors by words of the driver's strings. NVIDIA's own driver tells nothing in `/sys`.
const VENDORS: [(&str, &str); 5] =
    [("nvidia", "0x10de"), ("nouveau", "0x10de"), ("amd", "0x1002"), ("radeon", "0x1002"), ("intel", "0x8086")];
/// Names of the hardware monitors of CPUs.
const CPU_MONITORS: [&str; 4] = ["coretemp", "k10temp", "zenpower", "cpu_thermal"];
/// Types of thermal zones of CPUs, where there is no monitor.
const CPU_ZONES: [&str; 4] = ["x86_pkg_temp", "cpu-thermal", "cpu_thermal", "soc-thermal"];

impl SensorReading {
    /// Reads the sensors now; `gl` is the device that draws.
    pub fn now(gl: &DeviceInfo) -> Self {
        Self::in_system(Path::new("/"), gl)
    }

    fn in_system(root: &Path, gl: &DeviceInfo) -> Self {
        let card = card(root, gl);
        let gpu = card.as_deref();
        Self {
            cpu_clock_mhz: cpu_clock_mhz(root),
            cpu_temp_c: cpu_temp_c(root),
            gpu_clock_mhz: gpu.and_then(gpu_clock_mhz),
            gpu_temp_c: gpu.and_then(|card| in_hwmon(card, "temp1_input")).map(|milli| milli / 1e3),
            vram_used_mib: gpu
                .and_then(|card| number(&card.join("device/mem_info_vram_used")))
                .map(|bytes| bytes / f64::from(1 << 20)),
            throttle_count: throttle_count(root),
        }
    }

    /// Whether there is no reading.
    pub fn is_empty(&self) -> bool {
        let Self { cpu_clock_mhz, cpu_temp_c, gpu_clock_mhz, gpu_temp_c, vram_used_mib, .. } = self;
        [cpu_clock_mhz, cpu_temp_c, gpu_clock_mhz, gpu_temp_c, vram_used_mib].iter().all(|value| value.is_none())
    }
}

/// The card that draws, if it is the only one of its vendor.
fn card(root: &Path, gl: &DeviceInfo) -> Option<PathBuf> {
    if gl.software {
        return None;
    }
    let says = format!("{} {}", gl.vendor, gl.renderer).to_lowercase();
    let (_, vendor) = VENDORS.into_iter().find(|(word, _)| says.contains(word))?;
    let mut cards = entries(&root.join("sys/class/drm"), "card")
        .filter(|card| text(&card.join("device/vendor")).as_deref() == Some(vendor));
    let first = cards.next()?;
    cards.next().is_none().then_some(first)
}

fn gpu_clock_mhz(card: &Path) -> Option<f64> {
    // AMD: a line a level, the present one with a star: `1: 1500Mhz *`. A sleeping card has a clock of 0.
    let dpm = || {
        let levels = text(&card.join("device/pp_dpm_sclk"))?;
        let level = levels.lines().find(|line| line.trim_end().ends_with('*'))?;
        let clock = level.split_once(':')?.1.trim().to_lowercase();
        clock.split_once("mhz")?.0.trim().parse().ok()
    };
    let mhz = |file: &str| number(&card.join(file));
    let clocks = [
        in_hwmon(card, "freq1_input").map(|hertz| hertz / 1e6),
        dpm(),
        mhz("gt_act_freq_mhz"),
        mhz("device/tile0/gt0/freq0/act_freq"),
        mhz("gt_cur_freq_mhz"),
    ];
    clocks.into_iter().flatten().find(|mhz| *mhz > 0.0)
}

fn in_hwmon(card: &Path, file: &str) -> Option<f64> {
    entries(&card.join("device/hwmon"), "hwmon").find_map(|monitor| number(&monitor.join(file)))
}

fn cpu_clock_mhz(root: &Path) -> Option<f64> {
    let cores = entries(&root.join("sys/devices/system/cpu"), "cpu");
    let clocks = cores.filter_map(|core| number(&core.join("cpufreq/scaling_cur_freq"))).map(|khz| khz / 1e3);
    let told = || {
        let cpuinfo = text(&root.join("proc/cpuinfo"))?;
        let clocks =
            cpuinfo.lines().filter_map(|line| line.strip_prefix("cpu MHz")?.split_once(':')?.1.trim().parse().ok());
        clocks.reduce(f64::max)
    };
    clocks.reduce(f64::max).or_else(told).filter(|mhz| *mhz > 0.0)
}

fn cpu_temp_c(root: &Path) -> Option<f64> {
    let is = |place: &Path, file: &str, names: &[&str]| {
        text(&place.join(file)).is_some_and(|name| names.contains(&name.as_str()))
    };
    let mut monitors = entries(&root.join("sys/class/hwmon"), "hwmon").filter(|place| is(place, "name", &CPU_MONITORS));
    let mut zones =
        entries(&root.join("sys/class/thermal"), "thermal_zone").filter(|place| is(place, "type", &CPU_ZONES));
    let milli = monitors.find_map(|place| number(&place.join("temp1_input")));
    milli.or_else(|| zones.find_map(|place| number(&place.join("temp")))).map(|milli| milli / 1e3)
}

fn throttle_count(root: &Path) -> Option<u64> {
    let cores = entries(&root.join("sys/devices/system/cpu"), "cpu");
    let counts = cores.filter_map(|core| number(&core.join("thermal_throttle/core_throttle_count")));
    counts.map(|count| count as u64).reduce(|sum, count| sum + count)
}

/// Entries of a folder called `name` and a number, in the order of names.
fn entries(folder: &Path, name: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let numbered = |file: &str| file.strip_prefix(name).is_some_and(|number| number.parse::<u32>().is_ok());
    let there = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        there.filter(|entry| entry.file_name().to_str().is_some_and(numbered)).map(|entry| entry.path()).collect();
    found.sort();
    found.into_iter()
}

fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn number(path: &Path) -> Option<f64> {
    text(path)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            fs::write(path, text).expect("written");
        }
        root
    }

    fn drawn_by(renderer: &str) -> DeviceInfo {
        DeviceInfo { renderer: renderer.into(), ..DeviceInfo::default() }
    }

    const AMD: [(&str, &str); 11] = [
        ("sys/class/drm/card1/device/vendor", "0x1002\n"),
        ("sys/class/drm/card1/device/pp_dpm_sclk", "0: 500Mhz\n1: 2450Mhz *\n"),
        ("sys/class/drm/card1/device/mem_info_vram_used", "1073741824\n"),
        ("sys/class/drm/card1/device/hwmon/hwmon3/temp1_input", "61000\n"),
        ("sys/class/drm/card1-DP-1/device/vendor", "0x1002\n"),
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3600000\n"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "4700000\n"),
        ("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "2\n"),
        ("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "3\n"),
        ("sys/class/hwmon/hwmon0/name", "k10temp\n"),
        ("sys/class/hwmon/hwmon0/temp1_input", "72500\n"),
    ];

    #[test]
    fn what_the_system_tells_is_read_in_its_units() {
        let wanted = SensorReading {
            cpu_clock_mhz: Some(4700.0),
            cpu_temp_c: Some(72.5),
            gpu_clock_mhz: Some(2450.0),
            gpu_temp_c: Some(61.0),
            vram_used_mib: Some(1024.0),
            throttle_count: Some(5),
        };
        let root = system(&AMD);
        assert_eq!(SensorReading::in_system(root.path(), &drawn_by("AMD Radeon RX 6800 (radeonsi)")), wanted);
    }

    #[test]
    fn what_is_not_told_is_missing_and_never_nought() {
        let nothing = SensorReading::in_system(system(&[]).path(), &drawn_by("AMD Radeon"));
        assert_eq!(nothing, SensorReading::default());
        assert!(nothing.is_empty());
        let asleep = system(&[
            ("sys/class/drm/card0/device/vendor", "0x8086\n"),
            ("sys/class/drm/card0/gt_act_freq_mhz", "0\n"),
            ("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n"),
            ("sys/class/thermal/thermal_zone0/temp", "nonsense\n"),
            ("proc/cpuinfo", "model name\t: a\ncpu MHz\t\t: 2400.5\ncpu MHz\t\t: 1200.0\n"),
        ]);
        let reading = SensorReading::in_system(asleep.path(), &drawn_by("Mesa Intel(R) UHD"));
        assert_eq!(reading, SensorReading { cpu_clock_mhz: Some(2400.5), ..SensorReading::default() });
    }

    #[test]
    fn a_card_that_may_not_be_the_one_that_draws_is_not_read() {
        let root = system(&AMD);
        let software = DeviceInfo { software: true, ..drawn_by("AMD Radeon") };
        for other in [drawn_by("NVIDIA H200"), drawn_by("another"), software] {
            assert_eq!(SensorReading::in_system(root.path(), &other).gpu_temp_c, None);
        }
        let two = system(&[AMD.as_slice(), &[("sys/class/drm/card2/device/vendor", "0x1002\n")]].concat());
        assert_eq!(SensorReading::in_system(two.path(), &drawn_by("AMD Radeon")).gpu_temp_c, None, "which of two?");
    }
}
