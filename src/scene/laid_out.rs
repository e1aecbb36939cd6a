//! A scene whose places go along with its ground: `seabed.laid_out_for_m`.

use crate::scene::{LightCarrier, SceneSettings, SeabedSettings};

/// How depths change with the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Move {
    /// Everything as far above the ground as before. Unit: m.
    Down(f32),
    /// Shares of the depth as before, so that nothing comes out of the water.
    Shallower(f32),
}

impl Move {
    /// Move that the ground asks for; `None` if it lies where it should.
    fn of(seabed: &SeabedSettings) -> Option<Self> {
        let (from, to) = (seabed.laid_out_for_m, seabed.depth_m);
        match seabed.present && from > 0.0 {
            true if to > from => Some(Self::Down(to - from)),
            true if to < from => Some(Self::Shallower(to / from)),
            _ => None,
        }
    }

    fn depth_m(self, depth_m: f32) -> f32 {
        match self {
            // Places above the sea stay there.
            _ if depth_m <= 0.0 => depth_m,
            Self::Down(by) => depth_m + by,
            Self::Shallower(share) => depth_m * share,
        }
    }

    fn place(self, place: &mut [f32; 3]) {
        place[1] = -self.depth_m(-place[1]);
    }
}

impl SceneSettings {
    /// Whether places go along with a ground that lies elsewhere than they were chosen for.
    pub(super) fn goes_along(&self) -> bool {
        Move::of(&self.seabed).is_some()
    }

    /// The scene with everything that stands at a depth moved along with its ground.
    pub(super) fn laid_out(&self) -> Self {
        let mut scene = self.clone();
        let Some(along) = Move::of(&self.seabed) else { return scene };
        scene.seabed.laid_out_for_m = 0.0;
        for species in &mut scene.species {
            species.depth_m = species.depth_m.map(|depth_m| along.depth_m(depth_m));
            species.path_m.iter_mut().for_each(|place| along.place(place));
        }
        for light in scene.lights.iter_mut().filter(|light| light.follow == LightCarrier::World) {
            along.place(&mut light.at_m);
            along.place(&mut light.toward_m);
        }
        let camera = &mut scene.camera;
        let views = camera.views.values_mut().flat_map(|view| [&mut view.eye_m, &mut view.target_m]);
        let rail = camera.rail.iter_mut().flat_map(|point| [&mut point.eye_m, &mut point.target_m]);
        [&mut camera.eye_m, &mut camera.target_m]
            .into_iter()
            .chain(views)
            .chain(rail)
            .for_each(|place| along.place(place));
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(laid_out_for_m: f32, depth_m: f32) -> SceneSettings {
        let mut scene = SceneSettings::default();
        scene.seabed.laid_out_for_m = laid_out_for_m;
        scene.seabed.depth_m = depth_m;
        scene.camera.eye_m = [1.0, -6.0, 2.0];
        scene.species = vec![Default::default()];
        scene.species[0].depth_m = [2.0, 6.0];
        scene.laid_out()
    }

    #[test]
    fn places_keep_their_height_over_a_deeper_ground() {
        let deeper = scene(8.0, 20.0);
        assert_eq!(deeper.camera.eye_m, [1.0, -18.0, 2.0]);
        assert_eq!(deeper.species[0].depth_m, [14.0, 18.0]);
        assert_eq!(deeper.laid_out(), deeper, "once");
    }

    #[test]
    fn nothing_comes_out_of_shallower_water() {
        let shallower = scene(8.0, 2.0);
        assert_eq!(shallower.camera.eye_m, [1.0, -1.5, 2.0]);
        assert_eq!(shallower.species[0].depth_m, [0.5, 1.5]);
    }

    #[test]
    fn a_scene_of_its_own_stays_where_it_says() {
        assert_eq!(scene(0.0, 20.0).camera.eye_m, [1.0, -6.0, 2.0]);
        assert_eq!(scene(20.0, 20.0).camera.eye_m, [1.0, -6.0, 2.0]);
    }
}
