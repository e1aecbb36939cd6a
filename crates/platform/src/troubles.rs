//! Known troubles of drivers, by what they say of themselves: `assets/drivers.toml`.

use gl::DeviceInfo;
use serde::Deserialize;

const TABLE: &str = include_str!("../../../assets/drivers.toml");

/// A known trouble and its remedy.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trouble {
    #[serde(default)]
    vendor: String,
    #[serde(default)]
    renderer: String,
    #[serde(default)]
    version: String,
    /// Whether the remedy is for a driver that offers too little OpenGL to draw at all.
    #[serde(default)]
    helps_too_old: bool,
    /// Fault or limit of the driver, without a full stop.
    pub is: String,
    /// Remedy, in whole sentences.
    pub r#do: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    trouble: Vec<Trouble>,
}

impl Trouble {
    fn concerns(&self, device: &DeviceInfo) -> bool {
        let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        has(&device.vendor, &self.vendor)
            && has(&device.renderer, &self.renderer)
            && has(&device.version, &self.version)
    }
}

/// Known troubles of a driver.
pub fn of(device: &DeviceInfo) -> Vec<Trouble> {
    let mut all = all();
    all.retain(|trouble| trouble.concerns(device));
    all
}

/// Remedy for a driver that offers too little OpenGL, in whole sentences.
pub fn remedy_of_old(device: &DeviceInfo) -> Option<String> {
    of(device).into_iter().find(|trouble| trouble.helps_too_old).map(|trouble| trouble.r#do)
}

fn all() -> Vec<Trouble> {
    toml::from_str::<Table>(TABLE).expect("the table of the program is whole, as a test says").trouble
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trouble_names_a_driver_and_a_remedy() {
        let all = all();
        assert!(all.len() > 8);
        for trouble in all {
            assert!([&trouble.vendor, &trouble.renderer, &trouble.version].iter().any(|part| !part.is_empty()));
            assert!(!trouble.is.is_empty() && !trouble.is.ends_with('.'), "{}", trouble.is);
            assert!(!trouble.r#do.is_empty(), "{}", trouble.is);
        }
    }

    #[test]
    fn a_driver_has_the_troubles_whose_parts_it_names() {
        let device = |vendor: &str, renderer: &str, version: &str| DeviceInfo {
            vendor: vendor.into(),
            renderer: renderer.into(),
            version: version.into(),
            ..DeviceInfo::default()
        };
        let of = |device: DeviceInfo| of(&device).into_iter().map(|trouble| trouble.is).collect::<Vec<_>>();
        let old = of(device("Mesa/X.org", "llvmpipe (LLVM 15.0.6, 256 bits)", "4.5 (Core Profile) Mesa 22.3.6"));
        assert_eq!(old.len(), 2, "{old:?}");
        assert_eq!(of(device("Mesa", "llvmpipe (LLVM 19)", "4.5 (Core Profile) Mesa 25.0.1")).len(), 1);
        assert!(of(device("Broadcom", "V3D 4.2", "3.1 Mesa 23.2.1"))[0].contains("Raspberry Pi"));
        assert_eq!(remedy_of_old(&device("Mesa/X.org", "llvmpipe", "3.2 (Core Profile) Mesa 22.3.6")), None);
        let ironlake = remedy_of_old(&device("Intel", "Mesa DRI Intel(R) Ironlake Mobile", "2.1 Mesa 20.0.8"));
        assert!(ironlake.is_some_and(|remedy| remedy.contains("LIBGL_ALWAYS_SOFTWARE")));
        assert!(of(device("NVIDIA Corporation", "NVIDIA H200/PCIe/SSE2", "4.5.0 NVIDIA 580.159.04")).is_empty());
    }
}
