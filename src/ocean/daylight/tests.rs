use super::*;
use crate::ocean::{self, MoonSettings, SkySettings, SunSettings, WaterSettings, WaterType};

fn of(kind: WaterType, elevation_deg: f32) -> (Medium, Light, Daylight) {
    let medium = ocean::medium(&WaterSettings { kind, ..Default::default() });
    let sun = SunSettings { elevation_deg, ..Default::default() };
    let light = ocean::light(&sun, &MoonSettings::default(), &SkySettings::default());
    let daylight = Daylight::new(&medium, &light);
    (medium, light, daylight)
}

#[test]
fn dev_report() {
    for kind in
        [WaterType::I, WaterType::IB, WaterType::III, WaterType::Coastal1, WaterType::Coastal7, WaterType::Coastal9]
    {
        for elevation in [85.0, 40.0, 10.0] {
            let start = std::time::Instant::now();
            let (medium, light, daylight) = of(kind, elevation);
            let took = start.elapsed();
            let lobes = Lobes::of_asymmetry(medium.asymmetry);
            let wavelengths = wavelengths(&medium, &light, lobes);
            for channel in 0..3 {
                let c = Channel { channel, wavelengths: &wavelengths };
                let fit = c.exponentials();
                let deepest = c.deepest();
                let mut worst = [0.0f64; 7];
                let mut ray = 0.0f64;
                let mut white = 0.0f64;
                for i in 0..30 {
                    let z = deepest * i as f64 / 29.0;
                    if c.at(z, |q| q.total) < 0.01 * c.at(0.0, |q| q.total) {
                        break;
                    }
                    let e = |s: [f64; 2]| (0..2).map(|i| s[i] * (-fit.rates.fall[i] * z).exp()).sum::<f64>();
                    let truth = [c.at(z, |q| q.total), c.at(z, |q| q.beam)];
                    worst[0] = worst[0].max((e(fit.total) / truth[0] - 1.0).abs());
                    if truth[1] > 0.05 * truth[0] {
                        worst[1] = worst[1].max((e(fit.beam) / truth[1] - 1.0).abs());
                    }
                    for f in 0..5 {
                        worst[2 + f] = worst[2 + f].max((e(fit.diffuse[f]) / c.at(z, |q| q.diffuse[f]) - 1.0).abs());
                    }
                }
                let mut levels = 0.0f64;
                let mut worst_level = String::new();
                let cosine = f64::from(light.to_key_light_water.y);
                for level in &daylight.levels {
                    let z = f64::from(level.depth_m);
                    if z > deepest {
                        break;
                    }
                    let s: Vec<f64> = (0..DIRECTIONS).map(|i| c.at(z, |q| q.sources[i])).collect();
                    for (i, from) in directions().into_iter().enumerate() {
                        let b = basis(from, cosine);
                        let found: f64 = (0..FITTED).map(|t| b[t] * f64::from(level.terms[1 + t][channel])).sum();
                        let off = (found / s[i] - 1.0).abs();
                        if off > levels {
                            levels = off;
                            worst_level = format!("z {z:.1} {from:?} {found:.2e} {:.2e}", s[i]);
                        }
                    }
                }
                for d in [2.0, 5.0, 10.0, 15.0, 20.0f64] {
                    let t: f64 = medium
                        .samples
                        .iter()
                        .map(|s| f64::from(s.weight[channel]) * (-f64::from(s.attenuation()) * d).exp())
                        .sum();
                    let f: f64 = (0..2).map(|i| fit.rates.white[i] * (-fit.rates.attenuation[i] * d).exp()).sum();
                    if t > 1e-3 {
                        white = white.max((f / t - 1.0).abs());
                    }
                }
                let _ = &mut ray;
                eprintln!(
                    "{kind} {elevation} ch {channel} deepest {deepest:.1} fall {:.3?} att {:.3?} white {:.2?} | total/beam/faces {:.3?} white {white:.3} lobes {levels:.2} {worst_level} | {took:?}",
                    fit.rates.fall, fit.rates.attenuation, fit.rates.white, worst
                );
            }
        }
    }
}
