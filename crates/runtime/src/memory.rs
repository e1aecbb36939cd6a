//! Check that memory suffices for the animals of a scene, before any of it is allocated.

use bench::host;
use config::Config;

use crate::AppError;

/// Memory of a scene without animals: shaders, models, textures and targets. `reef` takes about 450 MiB with llvmpipe.
const REST_BYTES: u64 = 512 << 20;

/// Number of animals that is never refused: the system's figure for available memory is not that exact.
const FEW: u64 = 10_000;

/// Memory of one animal in view, in the world and in the one that takes its place: that of another run, or with more
/// animals. With llvmpipe it came to 1950 bytes, measured with a million in `reef` in two runs of a benchmark.
const BYTES_AN_ANIMAL: u64 = (2 * scene::World::BYTES_AN_ANIMAL + render::BYTES_AN_INSTANCE) as u64;

/// Checks that the available memory holds the animals of `config`; passes if that memory is not known.
///
/// # Errors
/// [`AppError::TooLittleMemory`] if it does not.
pub fn check(config: &Config) -> Result<(), AppError> {
    check_room(config.animals(), host::available_memory())
}

/// Memory that the scene of `config` takes, about. Unit: MiB.
pub fn needed_mib(config: &Config) -> u64 {
    mib_of(config.animals())
}

fn mib_of(animals: u64) -> u64 {
    REST_BYTES.saturating_add(animals.saturating_mul(BYTES_AN_ANIMAL)).div_ceil(1 << 20)
}

fn check_room(animals: u64, available: Option<u64>) -> Result<(), AppError> {
    let Some(available) = available else { return Ok(()) };
    let most = (available.saturating_sub(REST_BYTES) / BYTES_AN_ANIMAL).max(FEW);
    if animals <= most {
        return Ok(());
    }
    Err(AppError::TooLittleMemory { animals, needed_mib: mib_of(animals), available_mib: available >> 20, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_memory_does_not_hold_is_refused_with_what_it_would_hold() {
        let error = check_room(1_000_000, Some(1 << 30)).expect_err("a gibibyte does not hold a million");
        let AppError::TooLittleMemory { most, needed_mib, available_mib, .. } = error else { panic!("{error}") };
        assert_eq!(available_mib, 1024);
        assert!(needed_mib > 1024 && (FEW..1_000_000).contains(&most), "{needed_mib} MiB, {most}");
        assert!(check_room(most, Some(1 << 30)).is_ok(), "as many as it said");
        assert!(check_room(most + 1, Some(1 << 30)).is_err());
        assert!(check_room(u64::MAX, Some(u64::MAX)).is_err(), "no overflow");
    }

    #[test]
    fn few_animals_are_never_refused_nor_any_where_nothing_is_known() {
        assert!(check_room(FEW, Some(0)).is_ok());
        assert!(check_room(u64::MAX, None).is_ok());
    }

    #[test]
    fn an_animal_takes_about_what_was_measured() {
        assert!((1850..2250).contains(&BYTES_AN_ANIMAL), "{BYTES_AN_ANIMAL} bytes");
        // Peaks of two runs of `bench --size 320x180 --set render.quality=low`. Unit: MiB.
        for (animals, measured) in [(100_012, 671.0), (1_000_012, 2317.0)] {
            let share = mib_of(animals) as f64 / measured;
            assert!((1.0..1.15).contains(&share), "{share} of what {animals} took");
        }
    }
}
