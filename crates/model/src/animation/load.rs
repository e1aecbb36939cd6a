//! A model with its motion baked.

use crate::animation::{bend, moved, palette, pose, sweep};
use crate::{Clip, Files, LoadedModel, Model, ModelError, ModelPart, ModelRequest, ModelWarning};

/// Greatest gap between a clip's ends without a warning, as a share of the model's size.
const VISIBLE_GAP: f32 = 0.03;

/// Loads a model, bakes its clips into [`Model::palette`] at [`palette::ROWS_PER_SECOND`], fits [`Model::bend`] to
/// them, and measures their sweep.
///
/// # Errors
/// See [`load`](crate::load).
pub fn load_model(request: &ModelRequest, files: &dyn Files) -> Result<LoadedModel, ModelError> {
    let mut loaded = crate::load(request, files)?;
    loaded.model.palette = palette::bake(&loaded.model.skeleton, &loaded.clips, palette::ROWS_PER_SECOND);
    loaded.model.bend = bend::fit(&loaded.model);
    sweep::measure(&mut loaded.model);
    for clip in &loaded.clips {
        let gap = loop_gap(&loaded.model, clip);
        if gap > VISIBLE_GAP {
            let text = format!(
                "clip '{}' does not close: between its last and first pose the model jumps by up to {:.0} % of its size",
                clip.name,
                100.0 * gap
            );
            loaded.warnings.push(ModelWarning::new(ModelPart::Clip(Some(clip.name.clone())), text));
        }
    }
    Ok(loaded)
}

/// Greatest jump of the vertices of the coarsest level when `clip` starts over, as a share of the model's size (the
/// diagonal of its bounds). 0 for a clip that closes.
pub fn loop_gap(model: &Model, clip: &Clip) -> f32 {
    let size = 2.0 * model.bounds.radius();
    let Some(lod) = model.lods.last().filter(|_| size > 0.0) else { return 0.0 };
    let (first, _) = moved(model, lod, &pose(&model.skeleton, clip.start_s));
    let (last, _) = moved(model, lod, &pose(&model.skeleton, clip.end_s));
    first.iter().zip(&last).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) / size
}
