//! A list of all crates in the program, for machines: CycloneDX 1.5, <https://cyclonedx.org/docs/1.5/json/>.

use anyhow::Result;
use serde_json::{Value, json};

use crate::Release;
use crate::crates::Crate;

/// The list as JSON.
///
/// # Errors
/// None that is known of: it is written to memory.
pub fn of(crates: &[Crate], release: &Release) -> Result<Vec<u8>> {
    let component = |one: &Crate| {
        let mut component = json!({
            "type": "library",
            "bom-ref": reference(one),
            "name": one.name,
            "version": one.version,
            "purl": reference(one),
        });
        if !one.license.is_empty() {
            component["licenses"] = json!([{ "expression": one.license }]);
        }
        if let Some(checksum) = &one.checksum {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    };
    let program = json!({
        "type": "application",
        "bom-ref": "pelagic",
        "name": "pelagic",
        "version": release.version,
        "licenses": [{ "expression": "MIT OR Apache-2.0" }],
    });
    let list = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": program },
        "components": crates.iter().map(component).collect::<Vec<Value>>(),
    });
    Ok(format!("{list:#}\n").into_bytes())
}

/// Package URL of a crate.
fn reference(one: &Crate) -> String {
    format!("pkg:cargo/{}@{}", one.name, one.version)
}
