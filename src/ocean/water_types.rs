//! The ten Jerlov water types and their spectra.
//!
//! Absorption and scattering: Williamson & Hollins 2022 (Appl. Opt. 61:9951, measured; a = c - b, resampled linearly)
//! for IB, II, III, 1C, 3C and 5C; Solonenko & Mobley 2015 (Appl. Opt. 54:5392, Tables 3 to 8, inverted from Kd, the
//! values substituted by Williamson & Hollins where the print is corrupt) for I, IA, 7C and 9C. Diffuse attenuation:
//! Jerlov 1976, Marine Optics, Table XXVII.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Wavelengths of every spectrum here. Unit: nm.
pub const WAVELENGTHS_NM: [f32; 13] =
    [400.0, 425.0, 450.0, 475.0, 500.0, 525.0, 550.0, 575.0, 600.0, 625.0, 650.0, 675.0, 700.0];

/// Jerlov's classes of water, clearest first, or water of the scene's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum WaterType {
    /// Open ocean, the clearest there is.
    I,
    /// Open ocean, clear.
    IA,
    /// Open ocean, moderately clear.
    IB,
    /// Open ocean, with some plankton.
    II,
    /// Open ocean at its most fertile.
    III,
    /// Coast, the clearest.
    #[serde(rename = "1C")]
    Coastal1,
    /// Coast, green.
    #[serde(rename = "3C")]
    Coastal3,
    /// Coast, turbid.
    #[serde(rename = "5C")]
    Coastal5,
    /// Coast, very turbid.
    #[serde(rename = "7C")]
    Coastal7,
    /// Coast, the murkiest.
    #[serde(rename = "9C")]
    Coastal9,
    /// Water of the scene's own, from its `absorption` and `scattering`.
    #[serde(rename = "own")]
    Own,
}

/// Optical properties of a water type at [`WAVELENGTHS_NM`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaterSpectra {
    /// Absorption a. Unit: 1/m.
    pub absorption: [f32; 13],
    /// Scattering b. Unit: 1/m.
    pub scattering: [f32; 13],
    /// Diffuse attenuation of downwelling irradiance Kd. Unit: 1/m.
    pub diffuse_attenuation: [f32; 13],
}

impl WaterType {
    /// The measured spectra; the scene's own water has none.
    pub fn spectra(self) -> Option<&'static WaterSpectra> {
        Some(match self {
            Self::I => &I,
            Self::IA => &IA,
            Self::IB => &IB,
            Self::II => &II,
            Self::III => &III,
            Self::Coastal1 => &COASTAL_1,
            Self::Coastal3 => &COASTAL_3,
            Self::Coastal5 => &COASTAL_5,
            Self::Coastal7 => &COASTAL_7,
            Self::Coastal9 => &COASTAL_9,
            Self::Own => return None,
        })
    }
}

impl fmt::Display for WaterType {
    /// The name that scene files use.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

const I: WaterSpectra = WaterSpectra {
    absorption: [0.022, 0.017, 0.018, 0.019, 0.026, 0.046, 0.062, 0.082, 0.228, 0.295, 0.334, 0.434, 0.582],
    scattering: [
        0.0062, 0.00482, 0.00381, 0.00306, 0.00249, 0.00205, 0.0017, 0.00143, 0.00122, 0.00104, 0.000899, 0.000782,
        0.000685,
    ],
    diffuse_attenuation: [0.028, 0.022, 0.019, 0.018, 0.027, 0.043, 0.063, 0.089, 0.235, 0.305, 0.36, 0.42, 0.56],
};
const IA: WaterSpectra = WaterSpectra {
    absorption: [0.0295, 0.0225, 0.0221, 0.0216, 0.0282, 0.0468, 0.0622, 0.0821, 0.228, 0.295, 0.334, 0.435, 0.582],
    scattering: [
        0.0092, 0.00755, 0.00631, 0.00536, 0.00461, 0.00402, 0.00354, 0.00315, 0.00283, 0.00256, 0.00234, 0.00214,
        0.00198,
    ],
    diffuse_attenuation: [0.038, 0.031, 0.026, 0.025, 0.032, 0.048, 0.067, 0.094, 0.24, 0.31, 0.37, 0.43, 0.57],
};
const IB: WaterSpectra = WaterSpectra {
    absorption: [
        0.045, 0.042417, 0.0405, 0.03725, 0.040667, 0.0515, 0.0655, 0.092167, 0.214, 0.292, 0.34083, 0.42908, 0.573,
    ],
    scattering: [
        0.144, 0.13925, 0.13467, 0.13075, 0.12833, 0.12425, 0.122, 0.11992, 0.11767, 0.11575, 0.11417, 0.11258, 0.111,
    ],
    diffuse_attenuation: [0.051, 0.042, 0.036, 0.033, 0.042, 0.054, 0.072, 0.099, 0.245, 0.315, 0.375, 0.435, 0.58],
};
const II: WaterSpectra = WaterSpectra {
    absorption: [
        0.074, 0.068667, 0.062167, 0.055, 0.054333, 0.060667, 0.072, 0.098083, 0.21767, 0.29525, 0.344, 0.43308, 0.575,
    ],
    scattering: [
        0.209, 0.20167, 0.19533, 0.18975, 0.185, 0.18025, 0.1765, 0.17283, 0.16967, 0.1665, 0.16417, 0.16158, 0.159,
    ],
    diffuse_attenuation: [0.096, 0.081, 0.068, 0.062, 0.07, 0.076, 0.089, 0.115, 0.26, 0.335, 0.4, 0.465, 0.61],
};
const III: WaterSpectra = WaterSpectra {
    absorption: [
        0.13, 0.12567, 0.112, 0.0945, 0.084333, 0.082083, 0.0875, 0.10908, 0.22867, 0.307, 0.35833, 0.45342, 0.581,
    ],
    scattering: [0.324, 0.31667, 0.30933, 0.303, 0.297, 0.29225, 0.287, 0.28183, 0.278, 0.2745, 0.2705, 0.26717, 0.264],
    diffuse_attenuation: [0.185, 0.16, 0.135, 0.116, 0.115, 0.116, 0.12, 0.148, 0.295, 0.375, 0.445, 0.52, 0.66],
};
const COASTAL_1: WaterSpectra = WaterSpectra {
    absorption: [
        0.186, 0.17217, 0.149, 0.12125, 0.105, 0.097333, 0.0985, 0.117, 0.23567, 0.31425, 0.36633, 0.46775, 0.585,
    ],
    scattering: [
        0.474, 0.4645, 0.45517, 0.44725, 0.44033, 0.43333, 0.427, 0.42075, 0.41533, 0.41025, 0.4055, 0.40075, 0.396,
    ],
    diffuse_attenuation: [0.51, 0.36, 0.25, 0.17, 0.14, 0.13, 0.12, 0.15, 0.3, 0.37, 0.45, 0.51, 0.65],
};
const COASTAL_3: WaterSpectra = WaterSpectra {
    absorption: [
        0.236, 0.22992, 0.202, 0.16625, 0.145, 0.13167, 0.127, 0.13992, 0.25633, 0.335, 0.38717, 0.49608, 0.598,
    ],
    scattering: [
        0.713, 0.69875, 0.68583, 0.67475, 0.664, 0.65358, 0.6445, 0.63558, 0.627, 0.61975, 0.61183, 0.60533, 0.599,
    ],
    diffuse_attenuation: [0.78, 0.54, 0.39, 0.29, 0.22, 0.2, 0.19, 0.21, 0.33, 0.4, 0.46, 0.56, 0.71],
};
const COASTAL_5: WaterSpectra = WaterSpectra {
    absorption: [
        0.469, 0.4015, 0.31667, 0.2435, 0.20067, 0.17425, 0.1575, 0.16067, 0.27367, 0.3575, 0.41283, 0.54217, 0.614,
    ],
    scattering: [1.32, 1.2947, 1.2703, 1.245, 1.2297, 1.2107, 1.194, 1.1755, 1.1633, 1.1482, 1.1322, 1.1195, 1.11],
    diffuse_attenuation: [1.1, 0.78, 0.56, 0.43, 0.36, 0.31, 0.3, 0.33, 0.4, 0.48, 0.54, 0.65, 0.8],
};
const COASTAL_7: WaterSpectra = WaterSpectra {
    absorption: [1.03, 0.753, 0.542, 0.388, 0.29, 0.233, 0.195, 0.175, 0.301, 0.367, 0.403, 0.559, 0.621],
    scattering: [4.02, 3.63, 3.3, 3.01, 2.76, 2.54, 2.35, 2.18, 2.03, 1.89, 1.77, 1.66, 1.56],
    diffuse_attenuation: [1.6, 1.2, 0.89, 0.71, 0.58, 0.49, 0.46, 0.46, 0.48, 0.54, 0.63, 0.78, 0.92],
};
const COASTAL_9: WaterSpectra = WaterSpectra {
    absorption: [1.613, 1.242, 0.943, 0.709, 0.543, 0.43, 0.348, 0.291, 0.39, 0.436, 0.456, 0.604, 0.651],
    scattering: [5.36, 4.84, 4.39, 4.01, 3.67, 3.38, 3.12, 2.89, 2.69, 2.51, 2.35, 2.2, 2.07],
    diffuse_attenuation: [2.4, 1.9, 1.6, 1.23, 0.99, 0.78, 0.63, 0.58, 0.6, 0.65, 0.76, 0.92, 1.1],
};
