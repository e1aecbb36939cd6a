//! Makes rows of the table: seas of all wavelengths under all lights, and what the channels take of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pelagic::ocean::{WAVELENGTHS_NM, WaterSpectra, WaterType};

use super::phase::Phase;
use super::sea::{Depths, EYES, Estimate, Light, Sea, Source, Water};
use super::spectrum::{self, CHANNELS};
use super::table::Row;

/// The types, clearest first.
pub const TYPES: [WaterType; 10] = [
    WaterType::I,
    WaterType::IA,
    WaterType::IB,
    WaterType::II,
    WaterType::III,
    WaterType::Coastal1,
    WaterType::Coastal3,
    WaterType::Coastal5,
    WaterType::Coastal7,
    WaterType::Coastal9,
];

/// In the order of [`crate::table::LIGHTS`].
const SOURCES: [Source; 5] = [Source::Sun(85.0), Source::Sun(60.0), Source::Sun(30.0), Source::Sun(10.0), Source::Sky];

/// Depths of the eyes, in lengths 1 / Kd at 550 nm. Unit: 1.
const EYE_DEPTHS: [f64; EYES] = [0.25, 1.0, 2.5];
/// No eye is deeper: beyond it a channel's light is told by its last few wavelengths, which the program does not know. Unit: m.
const DEEPEST_EYE_M: f64 = 20.0;
/// More depths at which level planes count. Unit: m.
const PLANE_DEPTHS_M: [f64; 4] = [2.0, 5.0, 12.0, 20.0];
/// Half the height of the layer that level eyes see, in lengths 1 / Kd at 550 nm or at the wavelength, whichever is less:
/// where light falls exponentially, the layer's mean is 0.4 % above its middle. Unit: 1.
const HALF_HEIGHT: f64 = 0.15;
/// Planes between which the mean Kd of a wavelength is taken, in lengths 1 / Kd of its own. Unit: 1.
const ATTENUATION_DEPTHS: [f64; 2] = [0.25, 1.0];

/// A number that is not known better is left out of the table. Unit: 1.
const WORST_ERROR: f64 = 0.2;

/// Particles and molecules.
pub struct Phases {
    pub particles: Phase,
    pub molecules: Phase,
}

impl Phases {
    pub fn new() -> Self {
        Self { particles: Phase::particles(), molecules: Phase::molecules() }
    }

    pub fn sea(&self, water: Water, depths: Depths) -> Sea<'_> {
        Sea { water, particles: &self.particles, molecules: &self.molecules, depths }
    }

    /// Backscattering of a water. Unit: 1/m.
    pub fn backscattering(&self, water: &Water) -> f64 {
        0.5 * water.molecular + self.particles.backscatter_share * (water.scattering - water.molecular)
    }
}

/// The measured spectra of a type.
pub fn spectra(kind: WaterType) -> &'static WaterSpectra {
    kind.spectra().expect("a type of Jerlov's")
}

/// Depths at which light of a wavelength is counted in a type of water.
pub fn depths(spectra: &WaterSpectra, nm: f64) -> Depths {
    let unit = 1.0 / spectrum::at(&spectra.diffuse_attenuation, 550.0);
    let own = 1.0 / spectrum::at(&spectra.diffuse_attenuation, nm);
    let eyes = EYE_DEPTHS.map(|depth| (depth * unit).min(DEEPEST_EYE_M));
    let ([a, b, c], [d, e, f, g], [h, i]) = (eyes, PLANE_DEPTHS_M, ATTENUATION_DEPTHS.map(|depth| depth * own));
    Depths { planes: [a, b, c, d, e, f, g, h, i], eyes, half_height: HALF_HEIGHT * unit.min(own) }
}

/// The light of each source at a wavelength. Where little is scattered, photons cost little and eyes see few: so there
/// are up to eight times as many.
pub fn light(phases: &Phases, kind: WaterType, nm: f64, photons: usize) -> [Estimate; 5] {
    let spectra = spectra(kind);
    let water = spectrum::water(spectra, nm);
    let sea = phases.sea(water, depths(spectra, nm));
    let photons = photons as f64 * (20.0 * water.absorption / water.scattering).clamp(1.0, 8.0);
    let place = TYPES.iter().position(|&other| other == kind).expect("one of the types") as u64;
    std::array::from_fn(|i| {
        let seed = (place * 10_000 + nm as u64) * 10 + i as u64;
        sea.light(SOURCES[i], photons as usize, seed)
    })
}

/// Types and wavelengths with the light of each source.
type Lights = Vec<(WaterType, f64, [Estimate; 5])>;

/// All rows of some types that are known well enough.
pub fn rows(kinds: &[WaterType], photons: usize) -> Vec<Row> {
    let known = WAVELENGTHS_NM.map(f64::from);
    let others = known.into_iter().filter(|&nm| spectrum::wavelengths_nm().all(|other| other != nm));
    let wavelengths: Vec<f64> = spectrum::wavelengths_nm().chain(others).collect();
    let lights = lights(kinds, &wavelengths, photons);
    let at = |kind: WaterType, nm: f64| {
        let found = lights.iter().find(|&&(other, other_nm, _)| other == kind && other_nm == nm);
        &found.expect("each type at each wavelength").2
    };

    let mut rows = Vec::new();
    for &kind in kinds {
        for (channel, weights) in CHANNELS.iter().zip(spectrum::weights()) {
            let mut light = [Estimate::default(); 5];
            for (nm, weight) in spectrum::wavelengths_nm().zip(weights) {
                for (sum, part) in light.iter_mut().zip(at(kind, nm)) {
                    sum.mean = sum.mean.combine(part.mean, |sum, part| sum + weight * part);
                    sum.error = sum.error.combine(part.error, |sum, part| sum.hypot(weight * part));
                }
            }
            rows.extend(channel_rows(kind, channel, &light));
        }
        rows.extend(known.iter().map(|&nm| attenuation_row(kind, nm, at(kind, nm))));
    }
    rows.retain(|row| row.errors.iter().all(|&error| error < WORST_ERROR));
    rows
}

/// On as many threads as there are cores; the same on any number, since each has a seed of its own.
fn lights(kinds: &[WaterType], wavelengths_nm: &[f64], photons: usize) -> Lights {
    let phases = Phases::new();
    let jobs: Vec<_> = kinds.iter().flat_map(|&kind| wavelengths_nm.iter().map(move |&nm| (kind, nm))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Lights::new();
        while let Some(&(kind, nm)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((kind, nm, light(&phases, kind, nm, photons)));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
    })
}

fn channel_rows(kind: WaterType, channel: &str, light: &[Estimate; 5]) -> Vec<Row> {
    const EYES_LOOK: [&str; 5] = ["down", "level_toward", "level_across", "level_away", "up60"];
    const PLANES_FACE: [&str; 3] = ["upright_toward", "upright_across", "upright_away"];
    // The planes of the mean Kd lie where each wavelength wants them.
    let Depths { planes, eyes, .. } = depths(spectra(kind), 550.0);
    let planes = &planes[..planes.len() - ATTENUATION_DEPTHS.len()];

    let mut rows = Vec::new();
    let mut row = |depth_m: f64, quantity: &str, direction: &str, value: &dyn Fn(&Light) -> f64| {
        rows.push(Row {
            water: kind.to_string(),
            channel: channel.to_owned(),
            depth_m,
            quantity: quantity.to_owned(),
            direction: direction.to_owned(),
            values: light.map(|light| value(&light.mean)),
            errors: light.map(|light| value(&light.error) / value(&light.mean)),
        });
    };
    for (i, &depth_m) in eyes.iter().enumerate() {
        for (k, direction) in EYES_LOOK.iter().enumerate() {
            row(depth_m, "radiance", direction, &|light| light.radiance[i][k]);
        }
    }
    for (i, &depth_m) in [0.0].iter().chain(planes).enumerate() {
        row(depth_m, "irradiance", "downwelling", &|light| light.downwelling[i]);
        row(depth_m, "irradiance", "upwelling", &|light| light.upwelling[i]);
    }
    for (i, &depth_m) in eyes.iter().enumerate() {
        for (k, direction) in PLANES_FACE.iter().enumerate() {
            row(depth_m, "irradiance", direction, &|light| light.upright[i][k]);
        }
    }
    rows
}

/// The mean Kd of a wavelength.
pub fn attenuation_row(kind: WaterType, nm: f64, light: &[Estimate; 5]) -> Row {
    let Depths { planes, .. } = depths(spectra(kind), nm);
    let [upper, lower] = [planes.len() - 2, planes.len() - 1];
    let lengths = |light: &Light| (light.downwelling[upper + 1] / light.downwelling[lower + 1]).ln();
    // The same photons cross both planes, so this is at most the error.
    let error = |light: &Estimate| {
        let relative = |plane: usize| light.error.downwelling[plane + 1] / light.mean.downwelling[plane + 1];
        relative(upper).hypot(relative(lower)) / lengths(&light.mean)
    };
    Row {
        water: kind.to_string(),
        channel: nm.to_string(),
        depth_m: planes[lower],
        quantity: "diffuse_attenuation".to_owned(),
        direction: "downwelling".to_owned(),
        values: std::array::from_fn(|i| lengths(&light[i].mean) / (planes[lower] - planes[upper])),
        errors: std::array::from_fn(|i| error(&light[i])),
    }
}
