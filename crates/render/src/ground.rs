//! The ground on the GPU: its mesh and its maps.

use gl::{
    Attribute, AttributeKind, Filter, Format, Geometry, Gl, GlError, Texture2d, Wrap,
    attributes::{NORMAL, POSITION, RUBBLE_OCCLUSION},
};
use model::Image;
use view::SeabedMesh;

use crate::patches::Patches;

/// The ground on the GPU.
pub struct GpuGround {
    /// Its mesh.
    pub geometry: Geometry,
    /// Ranges of its indices by patch.
    pub patches: Patches,
    /// Tiling ripples and grains.
    pub detail: Texture2d,
    /// Map of the properties that differ from place to place.
    pub map: Texture2d,
    /// Half the side of the square that the map covers. Unit: m.
    pub map_half_m: f32,
    /// Its heights over its mean depth, over the same square. Unit: m.
    pub heights: Texture2d,
    /// Slope that fills the detail's range.
    pub detail_slope: f32,
    /// The grain of the rocks that stand on it.
    pub stone: Texture2d,
}

impl GpuGround {
    /// Uploads it.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl, mesh: &SeabedMesh, filter: Filter) -> Result<Self, GlError> {
        let ground = mesh.rubble.iter().zip(&mesh.ambient_occlusion);
        let vertices: Vec<[f32; 8]> = (mesh.positions.iter().zip(&mesh.normals).zip(ground))
            .map(|((p, n), (rubble, ambient_occlusion))| [p.x, p.y, p.z, n.x, n.y, n.z, *rubble, *ambient_occlusion])
            .collect();
        let float = |location, components, offset| Attribute { location, components, kind: AttributeKind::F32, offset };
        let layout = [float(POSITION, 3, 0), float(NORMAL, 3, 12), float(RUBBLE_OCCLUSION, 2, 24)];
        let (patches, indices) = Patches::of_grid(&mesh.positions, &mesh.indices);
        let geometry = Geometry::new(gl, "seabed", bytemuck::cast_slice(&vertices), 32, &layout, &indices)?;
        let texture = |image: &Image| {
            let texels = Some(image.rgba.as_slice());
            Texture2d::new(gl, &image.name, (image.width, image.height), Format::Rgba8, filter, Wrap::Repeat, texels)
        };
        let (detail, map, stone) = (texture(&mesh.detail)?, texture(&mesh.map)?, texture(&mesh.stone)?);
        let side = mesh.heights_m.len().isqrt() as u32;
        let (extent, heights_m) = ((side, side), Some(bytemuck::cast_slice(&mesh.heights_m)));
        let heights =
            Texture2d::new(gl, "ground heights", extent, Format::R16F, Filter::Linear, Wrap::Clamp, heights_m)?;
        Ok(Self {
            geometry,
            patches,
            detail,
            map,
            map_half_m: mesh.map_half_m,
            heights,
            detail_slope: mesh.detail_slope,
            stone,
        })
    }
}
