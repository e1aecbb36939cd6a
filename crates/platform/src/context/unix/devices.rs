//! EGL's devices: graphics cards and the software renderer, and the order in which they are tried.

use std::fs;
use std::path::Path;

use glutin::api::egl::device::Device;

use crate::context_error::ContextError;

/// Variable that picks a device.
const VARIABLE: &str = "PELAGIC_EGL_DEVICE";

/// Makers of graphics cards by their number on the PCI bus.
const MAKERS: [(&str, &str); 7] = [
    ("0x10de", "NVIDIA"),
    ("0x1002", "AMD"),
    ("0x8086", "Intel"),
    ("0x15ad", "VMware"),
    ("0x1af4", "Virtio"),
    ("0x1234", "QEMU"),
    ("0x1414", "Microsoft"),
];

/// A device, with what one chooses it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Its name: the driver's, or else the maker's; `software` of a renderer that draws on the CPU.
    pub name: String,
    /// Whether it draws on the CPU.
    pub is_software: bool,
}

/// All devices, in EGL's order.
///
/// # Errors
/// If EGL is missing or lists none.
pub fn all() -> Result<Vec<(Device, Described)>, ContextError> {
    if !super::is_loadable(c"libEGL.so.1") && !super::is_loadable(c"libEGL.so") {
        return Err(ContextError::NoEgl { why: "libEGL.so.1 could not be loaded".into() });
    }
    let devices = Device::query_devices()
        .map_err(|error| ContextError::NoEgl { why: format!("EGL lists no devices: {error}") })?;
    let devices: Vec<_> = devices.map(|device| (describe(&device), device)).map(|(named, of)| (of, named)).collect();
    if devices.is_empty() {
        return Err(ContextError::NoEgl { why: "EGL lists no devices".into() });
    }
    Ok(devices)
}

fn describe(device: &Device) -> Described {
    let is_software = device.extensions().contains("EGL_MESA_device_software");
    let node = device.drm_render_device_node_path().or_else(|| device.drm_device_node_path());
    let name = match (is_software, device.name()) {
        (true, _) => "software".to_owned(),
        (false, Some(name)) => name.to_owned(),
        (false, None) => node.map_or_else(|| "of no name".to_owned(), |node| maker(node, Path::new("/sys"))),
    };
    Described { name, is_software }
}

/// Maker of the card behind a node such as `/dev/dri/renderD128`, or the node's own name.
fn maker(node: &Path, system: &Path) -> String {
    let file = node.file_name().unwrap_or_default();
    let number = fs::read_to_string(system.join("class/drm").join(file).join("device/vendor")).unwrap_or_default();
    let maker = MAKERS.iter().find(|(known, _)| *known == number.trim()).map(|(_, name)| format!("{name}, "));
    format!("{}{}", maker.unwrap_or_default(), file.display())
}

/// The order in which to try devices, by the environment.
pub fn order(devices: &[Described]) -> Vec<usize> {
    let value = |name| std::env::var(name).ok();
    ordered(devices, value(VARIABLE).as_deref(), value("LIBGL_ALWAYS_SOFTWARE").as_deref())
}

/// Hardware first, unless one of the two variables, whose values these are, says otherwise.
fn ordered(devices: &[Described], wanted: Option<&str>, always_software: Option<&str>) -> Vec<usize> {
    let wanted = wanted.map(str::trim).unwrap_or_default();
    let prefer_software = match wanted {
        "software" => true,
        "hardware" => false,
        _ => always_software.is_some_and(|value| matches!(value.trim(), "1" | "true" | "yes" | "y" | "on")),
    };
    let mut order: Vec<usize> = (0..devices.len()).collect();
    order.sort_by_key(|&index| devices[index].is_software != prefer_software);
    if matches!(wanted, "" | "software" | "hardware") {
        return order;
    }
    let is_wanted = |index: usize| match wanted.parse::<usize>() {
        Ok(number) => number == index,
        Err(_) => devices[index].name.to_lowercase().contains(&wanted.to_lowercase()),
    };
    if !order.iter().any(|&index| is_wanted(index)) {
        let all: Vec<_> = devices.iter().enumerate().map(|(i, device)| format!("{i} ({})", device.name)).collect();
        log::warn!("{VARIABLE} is '{wanted}', and the devices are {}; it is ignored", all.join(", "));
    }
    order.sort_by_key(|&index| !is_wanted(index));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices(names: &[&str]) -> Vec<Described> {
        names.iter().map(|&name| Described { name: name.into(), is_software: name == "software" }).collect()
    }

    #[test]
    fn hardware_comes_first_unless_software_is_asked_for() {
        let devices = devices(&["software", "Intel, renderD128", "NVIDIA, renderD129"]);
        assert_eq!(ordered(&devices, None, None), [1, 2, 0]);
        assert_eq!(ordered(&devices, None, Some("1")), [0, 1, 2]);
        assert_eq!(ordered(&devices, Some("software"), None), [0, 1, 2]);
        assert_eq!(ordered(&devices, Some("hardware"), Some("1")), [1, 2, 0]);
    }

    #[test]
    fn a_named_device_comes_first_and_the_others_stay_as_fallbacks() {
        let devices = devices(&["Intel, renderD128", "NVIDIA, renderD129", "software"]);
        assert_eq!(ordered(&devices, Some("1"), None), [1, 0, 2]);
        assert_eq!(ordered(&devices, Some("nvidia"), None), [1, 0, 2]);
        assert_eq!(ordered(&devices, Some("renderD129"), Some("1")), [1, 2, 0]);
        assert_eq!(ordered(&devices, Some("9"), None), [0, 1, 2]);
        assert_eq!(ordered(&devices, Some("voodoo"), None), [0, 1, 2]);
    }

    #[test]
    fn a_card_has_the_name_of_its_maker_or_else_of_its_node() {
        let system = tempfile::tempdir().expect("a folder");
        let card = system.path().join("class/drm/renderD128/device");
        fs::create_dir_all(&card).expect("a folder");
        fs::write(card.join("vendor"), "0x8086\n").expect("written");
        assert_eq!(maker(Path::new("/dev/dri/renderD128"), system.path()), "Intel, renderD128");
        assert_eq!(maker(Path::new("/dev/dri/renderD129"), system.path()), "renderD129");
    }
}
