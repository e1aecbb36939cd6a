//! A scene file's whole content.

use render::{PostSettings, RenderSettings};
use scene::SceneSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A checked scene file: what the world is made from and how it is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// The world; its tables stand at the top of the file.
    #[serde(flatten)]
    pub scene: SceneSettings,
    /// From linear radiance to the screen.
    pub post: PostSettings,
    /// Quality.
    pub render: RenderSettings,
}
