//! The ten Jerlov water types and their spectra.
//!
//! The spectra keep what a transmissometer and an irradiance meter read: beam attenuation c as Williamson & Hollins
//! measured it (2022, Appl. Opt. 61:9951) for IB, II, III, 1C, 3C and 5C, and as Solonenko & Mobley give it (2015,
//! Appl. Opt. 54:5392, Tables 3 to 8, with the values that Williamson & Hollins put where the print is corrupt) for 7C
//! and 9C; and the diffuse attenuation Kd of a high sun (Jerlov 1976, Marine Optics, Table XXVII). The published
//! absorption does not fit that Kd: it gives between 0.35 and 1.45 of Jerlov's. So absorption is chosen to give
//! Jerlov's Kd under a sun 85 degrees high, by this folder's `radiative_transfer` between depths of 0.25 / Kd and 1 /
//! Kd, and scattering is the rest of c. Types I and IA are Solonenko & Mobley's as printed: Kd, within a sixth of
//! Jerlov's, is all but absorption there, and Jerlov's is below that of pure water in places (Austin & Petzold 1986).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Wavelengths of every spectrum here. Unit: nm.
pub const WAVELENGTHS_NM: [f32; 13] =
    [400.0, 425.0, 450.0, 475.0, 500.0, 525.0, 550.0, 575.0, 600.0, 625.0, 650.0, 675.0, 700.0];

/// Jerlov's classes of water, clearest first, or water of the scene's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum WaterType {
    /// Open ocean, the clearest there is; one sees 71 m.
    I,
    /// Open ocean, clear; one sees 69 m.
    IA,
    /// Open ocean, moderately clear; one sees 25 m.
    IB,
    /// Open ocean, with some plankton; one sees 19 m.
    II,
    /// Open ocean at its most fertile; one sees 13 m.
    III,
    /// Coast, the clearest; one sees 9.1 m.
    #[serde(rename = "1C")]
    Coastal1,
    /// Coast, green; one sees 6.2 m.
    #[serde(rename = "3C")]
    Coastal3,
    /// Coast, turbid; one sees 3.6 m.
    #[serde(rename = "5C")]
    Coastal5,
    /// Coast, very turbid; one sees 1.9 m.
    #[serde(rename = "7C")]
    Coastal7,
    /// Coast, the murkiest; one sees 1.4 m.
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
    /// Diffuse attenuation of downwelling irradiance Kd, under a high sun, as Jerlov measured it. Unit: 1/m.
    pub diffuse_attenuation: [f32; 13],
}

impl WaterType {
    /// Jerlov's types, clearest first.
    pub const JERLOV: [Self; 10] = [
        Self::I,
        Self::IA,
        Self::IB,
        Self::II,
        Self::III,
        Self::Coastal1,
        Self::Coastal3,
        Self::Coastal5,
        Self::Coastal7,
        Self::Coastal9,
    ];

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
    absorption: [0.0385, 0.0304, 0.0252, 0.023, 0.0325, 0.0449, 0.0634, 0.0906, 0.238, 0.308, 0.368, 0.427, 0.572],
    scattering: [0.1505, 0.1513, 0.15, 0.145, 0.1365, 0.1308, 0.1241, 0.1215, 0.09367, 0.09975, 0.087, 0.1147, 0.112],
    diffuse_attenuation: [0.051, 0.042, 0.036, 0.033, 0.042, 0.054, 0.072, 0.099, 0.245, 0.315, 0.375, 0.435, 0.58],
};
const II: WaterSpectra = WaterSpectra {
    absorption: [0.0799, 0.0658, 0.0536, 0.0486, 0.0576, 0.0641, 0.0776, 0.104, 0.25, 0.325, 0.392, 0.455, 0.6],
    scattering: [0.2031, 0.2045, 0.2039, 0.1961, 0.1817, 0.1768, 0.1709, 0.1669, 0.1373, 0.1367, 0.1162, 0.1397, 0.134],
    diffuse_attenuation: [0.096, 0.081, 0.068, 0.062, 0.07, 0.076, 0.089, 0.115, 0.26, 0.335, 0.4, 0.465, 0.61],
};
const III: WaterSpectra = WaterSpectra {
    absorption: [0.163, 0.139, 0.114, 0.0961, 0.0964, 0.0981, 0.102, 0.131, 0.28, 0.36, 0.431, 0.505, 0.646],
    scattering: [0.291, 0.3033, 0.3073, 0.3014, 0.2849, 0.2762, 0.2725, 0.2599, 0.2267, 0.2215, 0.1978, 0.2156, 0.199],
    diffuse_attenuation: [0.185, 0.16, 0.135, 0.116, 0.115, 0.116, 0.12, 0.148, 0.295, 0.375, 0.445, 0.52, 0.66],
};
const COASTAL_1: WaterSpectra = WaterSpectra {
    absorption: [0.495, 0.338, 0.224, 0.142, 0.113, 0.103, 0.0935, 0.124, 0.276, 0.346, 0.428, 0.485, 0.627],
    scattering: [0.165, 0.2987, 0.3802, 0.4265, 0.4323, 0.4277, 0.432, 0.4138, 0.375, 0.3785, 0.3438, 0.3835, 0.354],
    diffuse_attenuation: [0.51, 0.36, 0.25, 0.17, 0.14, 0.13, 0.12, 0.15, 0.3, 0.37, 0.45, 0.51, 0.65],
};
const COASTAL_3: WaterSpectra = WaterSpectra {
    absorption: [0.763, 0.51, 0.355, 0.252, 0.181, 0.162, 0.152, 0.173, 0.293, 0.363, 0.424, 0.523, 0.676],
    scattering: [0.186, 0.4187, 0.5328, 0.589, 0.628, 0.6232, 0.6195, 0.6025, 0.5903, 0.5917, 0.575, 0.5784, 0.521],
    diffuse_attenuation: [0.78, 0.54, 0.39, 0.29, 0.22, 0.2, 0.19, 0.21, 0.33, 0.4, 0.46, 0.56, 0.71],
};
const COASTAL_5: WaterSpectra = WaterSpectra {
    absorption: [1.05, 0.716, 0.491, 0.36, 0.29, 0.241, 0.233, 0.265, 0.333, 0.413, 0.474, 0.583, 0.738],
    scattering: [0.739, 0.9802, 1.096, 1.129, 1.14, 1.144, 1.118, 1.071, 1.104, 1.093, 1.071, 1.079, 0.986],
    diffuse_attenuation: [1.1, 0.78, 0.56, 0.43, 0.36, 0.31, 0.3, 0.33, 0.4, 0.48, 0.54, 0.65, 0.8],
};
const COASTAL_7: WaterSpectra = WaterSpectra {
    absorption: [1.37, 0.993, 0.701, 0.54, 0.426, 0.349, 0.331, 0.342, 0.364, 0.431, 0.53, 0.686, 0.836],
    scattering: [3.68, 3.39, 3.143, 2.858, 2.624, 2.424, 2.214, 2.013, 1.967, 1.826, 1.643, 1.533, 1.345],
    diffuse_attenuation: [1.6, 1.2, 0.89, 0.71, 0.58, 0.49, 0.46, 0.46, 0.48, 0.54, 0.63, 0.78, 0.92],
};
const COASTAL_9: WaterSpectra = WaterSpectra {
    absorption: [2.1, 1.63, 1.36, 1.01, 0.785, 0.59, 0.454, 0.419, 0.446, 0.505, 0.629, 0.797, 0.993],
    scattering: [4.873, 4.452, 3.973, 3.709, 3.428, 3.22, 3.014, 2.762, 2.634, 2.441, 2.177, 2.007, 1.728],
    diffuse_attenuation: [2.4, 1.9, 1.6, 1.23, 0.99, 0.78, 0.63, 0.58, 0.6, 0.65, 0.76, 0.92, 1.1],
};
